/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of a limit, in a sentence that a log is searched for:
 * "instructions:u +1.32 % [+1.29, +1.35] worse than allowed +0.5 %".
 */
#ifndef PSTAT_FORMAT_COMPARE_GATE_H
#define PSTAT_FORMAT_COMPARE_GATE_H

#include <stdio.h>

#include "format/compare_text.h"

/* Append of whom it is: the row's name, and with several sides beside the reference the side's. */
void gate_add_subject(struct str *out, const struct comparison *c, const struct gate *gate);

/* Append the sentence behind that. */
void gate_add_outcome(struct str *out, const struct gate *gate, const struct text_style *text);

/* A line "pstat: …" for each gate, which is as long as it has to be. 0; -ENOMEM or -errno of the write. */
int gate_write_lines(const struct comparison *c, const struct text_style *text, FILE *out);

#endif
