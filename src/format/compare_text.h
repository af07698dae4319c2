/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How what is in a comparison reads, for all formats that people read: numbers in one unit per row,
 * with as many decimals as the interval is worth, and the short texts around them.
 */
#ifndef PSTAT_FORMAT_COMPARE_TEXT_H
#define PSTAT_FORMAT_COMPARE_TEXT_H

#include <stdio.h>

#include "result/comparison.h"

struct str;
struct str_list;

/* Beside the numbers' style: with what characters. */
struct text_style {
	const struct num_style *numbers;
	bool ascii;
};

/* How the numbers of one row are written, the same for all its sides. */
struct row_style {
	const struct text_style *text;
	const char *unit; /* in which they are shown; "" for a plain count */
	double factor; /* of the row's unit to that */
	int decimals; /* of means, half intervals and medians */
	int run_decimals; /* of single runs */
};

/* Times are shown in the one of ns, µs, ms and s in which the largest mean has one to three digits before
 * its point. */
struct row_style row_style_of(const struct comparison_row *row, size_t sides_n,
			      const struct text_style *text);

/* The fewest decimals, up to 6, whose last one is worth no more than this; 0 for 0. */
int text_decimals(double worth);

/* Append a number of the row: a mean, or a single run's. */
void text_add_mean(struct str *out, const struct row_style *style, double value);
void text_add_run(struct str *out, const struct row_style *style, double value);

/* Append both: "24.86 ± 0.24", or the mean alone for one run. */
void text_add_mean_and_half(struct str *out, const struct row_style *style,
			    const struct comparison_side *side);

/* Append " UNIT", or nothing for a plain count. */
void text_add_unit(struct str *out, const struct row_style *style);

/* Append "1 run" or "N runs". */
void text_add_runs(struct str *out, size_t n, const struct num_style *numbers);

/* Append how the sides were run: "30 rounds of all sides, seed 1", or "each side by itself". */
void text_add_run_order(struct str *out, const struct comparison *c,
			const struct num_style *numbers);

/* Append half of the mean's interval: "0.24"; "0" where all runs are the same; nothing for one run. */
void text_add_half(struct str *out, const struct row_style *style,
		   const struct comparison_side *side);

/* Append the spread, "0.12 %": two decimals, or two digits of a smaller one; nothing for one run. */
void text_add_spread(struct str *out, const struct comparison_side *side,
		     const struct num_style *numbers);

/* In the order in which they stand. */
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

/* Append the change from the reference: "+1.32 %", or by how much, "+0.4 ms", where there is no share of it. */
void text_add_change(struct str *out, const struct row_style *style,
		     const struct contrast *contrast);

/* Append how far that is sure: "[+1.29, +1.35]", "exactly +1,000"; nothing where it is not known. */
void text_add_interval(struct str *out, const struct row_style *style,
		       const struct contrast *contrast);

/* Append both, with a blank between them. */
void text_add_contrast(struct str *out, const struct row_style *style,
		       const struct contrast *contrast);

/* The same two of the difference, in the row's own unit. */
void text_add_difference(struct str *out, const struct comparison_row *row,
			 const struct contrast *contrast, int decimals_min,
			 const struct text_style *text);

/* How an event's unit is written here: "ms" for "msec". */
const char *text_unit(const char *unit, const struct text_style *text);

/* Append a hint to the verdict ("about 40 runs needed"), or nothing. */
void text_add_hint(struct str *out, const struct comparison_row *row, size_t side,
		   const struct text_style *text);

/* Append the row's name with its place and cgroup, as a plain text. */
void text_add_name(struct str *out, const struct comparison_row *row);

/* Append what is to be known beside the rows, a sentence each. 0 or -ENOMEM. */
int text_notes(struct str_list *notes, const struct comparison *c, const struct text_style *text);

/* Whether any side has counts in the row. */
bool text_has_counts(const struct comparison_row *row, size_t sides_n);

/* ---- Gates: a sentence that a log can be searched for, such as
 * "instructions:u +1.32 % [+1.29, +1.35] worse than allowed +0.5 %". */

/* Append of whom it is: the row's name, and with several sides beside the reference the side's. */
void gate_add_subject(struct str *out, const struct comparison *c, const struct gate *gate);

/* Append the sentence behind that. */
void gate_add_outcome(struct str *out, const struct gate *gate, const struct text_style *text);

/* A line "pstat: …" for each gate, which is as long as it has to be. 0; -ENOMEM or -errno of the write. */
int gate_write_lines(const struct comparison *c, const struct text_style *text, FILE *out);

#endif
