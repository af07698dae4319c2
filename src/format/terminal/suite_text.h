/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of a suite that all formats for people share. */
#ifndef PSTAT_FORMAT_TERMINAL_SUITE_TEXT_H
#define PSTAT_FORMAT_TERMINAL_SUITE_TEXT_H

#include "format/terminal/compare_text.h"
#include "result/suite.h"

/* A geometric mean as a contrast, for text_add_contrast(). */
struct contrast suite_text_contrast_of(const struct suite_side *mean);

/*
 * Append the finding about one side in the leading row: "./new against ./old in 12 cases: CPU time
 * 2 worse, 1 better, 9 same; geometric mean +0.7 % [+0.2, +1.1], worse".
 */
void suite_text_add_conclusion(struct str *out, const struct suite *suite, size_t side,
			       const struct text_style *text);

/* Append the rounds of the cases: "20 to 140 rounds of each case". */
void suite_text_add_rounds(struct str *out, const struct suite *suite,
			   const struct num_style *numbers);

/* Append the sentence about a gate on a geometric mean. */
void suite_text_add_gate_sentence(struct str *out, const struct suite *suite,
				  const struct suite_gate *gate, const struct text_style *text);

/*
 * Add a sentence for each gate: those of the cases, "CASE: instructions:u +1.3 % ...", then those
 * on geometric means. Kept gates of cases are only counted. 0 or -ENOMEM.
 */
int suite_text_gates(struct str_list *sentences, const struct suite *suite,
		     const struct text_style *text);

/* Add the warnings of all cases, each once. 0 or -ENOMEM. */
int suite_text_warnings(struct str_list *warnings, const struct suite *suite,
			const struct text_style *text);

#endif
