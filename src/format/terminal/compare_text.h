/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of a comparison that all formats for people share: numbers in one unit for each row,
 * with the decimals that the confidence interval justifies, verdicts, notes and gates. */
#ifndef PSTAT_FORMAT_TERMINAL_COMPARE_TEXT_H
#define PSTAT_FORMAT_TERMINAL_COMPARE_TEXT_H

#include <stdio.h>

#include "result/comparison.h"

struct str;
struct str_list;

/* The style of the texts. */
struct text_style {
	const struct num_style *numbers;
	bool ascii;
};

/* The style of the numbers of one row, the same for all sides. */
struct row_style {
	const struct text_style *text;
	const char *unit; /* that is shown; "" for a plain count */
	double factor; /* from the row's unit to the one that is shown */
	int decimals; /* of means, halves of intervals and medians */
	int run_decimals; /* of single runs */
};

/* A time is shown in ns, µs, ms or s, so that the largest mean has one to three digits before the
 * point. */
struct row_style text_row_style_of(const struct comparison_row *row, size_t sides_n,
				   const struct text_style *text);

/* Append a number of the row with the decimals of a single run. */
void text_add_run(struct str *out, const struct row_style *style, double value);

/* Append the mean and half of its confidence interval: "24.86 ± 0.24", or the mean alone for one
 * run. */
void text_add_mean_and_half(struct str *out, const struct row_style *style,
			    const struct comparison_side *side);

/* Append "1 run" or "N runs". */
void text_add_runs(struct str *out, size_t n, const struct num_style *numbers);

/* Append the order of the runs: "30 rounds of both commands", or "each side run separately". */
void text_add_run_order(struct str *out, const struct comparison *c,
			const struct num_style *numbers);

/* Append the confidence of the intervals of all shown rows: "95 %", or "≥ 95 %" if some have more,
 * see struct comparison_row. */
void text_add_confidence(struct str *out, const struct comparison *c,
			 const struct text_style *text);

/*
 * Append the finding about one side in the leading row: "./new is 3.1 % slower than ./old: CPU time
 * +3.1 % [+2.7, +3.6], 40 rounds in 9.8 s".
 */
void text_add_conclusion(struct str *out, const struct comparison *c, size_t side,
			 const struct text_style *text);

/* Append its parts: the words between the names of the side and of the reference, " is 3.1 % slower
 * than ", and those after both. */
void text_add_finding(struct str *out, const struct comparison *c, size_t side,
		      const struct num_style *numbers);
void text_add_evidence(struct str *out, const struct comparison *c, size_t side,
		       const struct text_style *text);

/*
 * Add the sentences about all sides: which of three or more is the best, and a warning if the
 * machine may have changed between the sides. 0 or -ENOMEM.
 */
int text_remarks(struct str_list *remarks, const struct comparison *c,
		 const struct text_style *text);

/* The numbers of a side, in the order of their columns. */
enum text_column {
	COLUMN_MEAN,
	COLUMN_HALF,
	COLUMN_MEDIAN,
	COLUMN_SPREAD,
	COLUMN_MIN,
	COLUMN_MAX,
	COLUMN_OUTLIERS,
	TEXT_COLUMNS_N,
};

/* Append the text of a column. */
void text_add_column(struct str *out, enum text_column column, const struct row_style *style,
		     const struct comparison_side *side);

/* Append the change from the reference: "+1.32 %", or "+0.4 ms" if there is no ratio. */
void text_add_change(struct str *out, const struct row_style *style,
		     const struct contrast *contrast);

/* Append its confidence interval: "[+1.29, +1.35]", "exactly +1,000", or nothing if it is
 * unknown. */
void text_add_interval(struct str *out, const struct row_style *style,
		       const struct contrast *contrast);

/* Append both, separated by a blank. */
void text_add_contrast(struct str *out, const struct row_style *style,
		       const struct contrast *contrast);

/* Append a hint to the verdict ("to resolve 1 %: -r 40, about 2 s"), or nothing. */
void text_add_hint(struct str *out, const struct comparison_row *row, size_t side,
		   const struct text_style *text);

/* Append what people call the row: "elapsed time"; "CPU time", if no option names the event;
 * otherwise its name. */
void text_add_label(struct str *out, const struct comparison_row *row);

/* Append the row's name with its place and cgroup. */
void text_add_name(struct str *out, const struct comparison_row *row);

/* Append the ratio of a side's mean to that of the best side: "1.07". Nothing if there is none. */
void text_add_ratio_to_best(struct str *out, const struct comparison *c,
			    const struct comparison_row *row, size_t side,
			    const struct num_style *numbers);

/* Add the notes on the rows that a reader has to know, one sentence each. 0 or -ENOMEM. */
int text_row_warnings(struct str_list *notes, const struct comparison *c,
		      const struct text_style *text);

/* Add a sentence if the tests and the intervals of changes are valid at any time in n of the cases,
 * and then of their means, too. 0 or -ENOMEM. */
int text_warn_any_time(struct str_list *notes, size_t n, size_t cases_n);

/* Add both for one comparison. 0 or -ENOMEM. */
int text_warnings(struct str_list *notes, const struct comparison *c,
		  const struct text_style *text);

/* Add these and all other notes on the rows. 0 or -ENOMEM. */
int text_notes(struct str_list *notes, const struct comparison *c, const struct text_style *text);

/* Whether some side has counts in the row. */
bool text_has_counts(const struct comparison_row *row, size_t sides_n);

/* Whether formats for people print the row. A row without claim and counts is only a note. */
bool text_is_shown(const struct comparison_row *row, size_t sides_n);

/* ---- Gates: one sentence that a log can be searched for:
 * "instructions:u +1.32 % [+1.29, +1.35], limit +0.5 %: crossed". */

/* Append the row's name; with more than two sides, after the side's name. */
void text_gate_add_subject(struct str *out, const struct comparison *c, const struct gate *gate);

/* Append the rest of the sentence. */
void text_gate_add_outcome(struct str *out, const struct gate *gate, const struct text_style *text);

/* Append the whole sentence. */
void text_gate_add_sentence(struct str *out, const struct comparison *c, const struct gate *gate,
			    const struct text_style *text);

#endif
