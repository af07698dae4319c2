/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar of --fail-if and --min-effect:
 *
 *	GATE   = NAME ( '>' '+' | '<' '-' ) NUMBER [ '%' ]
 *	EFFECT = [ NAME '=' ] NUMBER [ '%' ]
 *
 * White space around NAME, NUMBER and the signs is ignored. The last '>' or '<' ends the NAME of a
 * GATE; the last '=' ends the NAME of an EFFECT.
 */
#ifndef PSTAT_CLI_GATES_PARSE_H
#define PSTAT_CLI_GATES_PARSE_H

#include "result/comparison.h"

struct why;

/* Fill gate. gate->text points to text; the caller frees gate->name. 0; -EINVAL with why and the
 * position; -ENOMEM. */
int gate_parse(struct gate_request *gate, const char *text, struct why *why);

/* The caller frees *name, which is NULL for all events; *minimum is relative, 0.01 for 1 %.
 * 0; -EINVAL with why and the position; -ENOMEM. */
int effect_parse(char **name, double *minimum, const char *text, struct why *why);

#endif
