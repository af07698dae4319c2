/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of numbers in comparisons: units, decimals, changes and intervals. */
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/cleanup.h"
#include "base/str.h"
#include "format/terminal/compare_text.h"
#include "unit/test.h"

static const struct num_style numbers = { .thousands = ",", .point = "." };
static const struct text_style text = { .numbers = &numbers };
static const struct text_style ascii = { .numbers = &numbers, .ascii = true };

static void decimals_are_those_that_are_worth_something(void **state)
{
	static const struct {
		int line;
		double worth;
		int decimals;
	} rows[] = {
		{ ROW, 0, 0 },	    { ROW, -1, 0 },   { ROW, 1e12, 0 },	  { ROW, 1, 0 },
		{ ROW, 0.99, 1 },   { ROW, 0.1, 1 },  { ROW, 0.015, 2 },  { ROW, 0.01, 2 },
		{ ROW, 0.0099, 3 }, { ROW, 1e-6, 6 }, { ROW, 1e-300, 6 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		/* a tenth of half the interval is worth something */
		struct comparison_side side = { .n = 2, .half = 10 * rows[i].worth };
		const struct comparison_row row = { .unit = "", .sides = &side };

		row_int(&rows[i], row_style_of(&row, 1, &text).decimals, rows[i].decimals);
	}
}

/* A row of two sides in its event's unit and decimals, and the texts of its first side. */
static const struct number_row {
	int line;
	const char *unit;
	int decimals;
	double mean[2], half[2];
	double run;
	const char *shown_unit, *shown_mean, *shown_half, *shown_run;
} number_rows[] = {
	/* counts: whole runs, and a mean as fine as its interval */
	{ ROW,
	  "",
	  0,
	  { 1234567.25, 1 },
	  { 12.3, 50 },
	  1234567,
	  "",
	  "1,234,567",
	  "12",
	  "1,234,567" },
	{ ROW, "", 0, { 2.9, 3 }, { 0.45, 0.5 }, 3, "", "2.90", "0.45", "3" },
	{ ROW, "", 0, { 2000004, 2001004 }, { 0, 0 }, 2000004, "", "2,000,004", "0", "2,000,004" },
	{ ROW,
	  "",
	  0,
	  { 1e12, 1 },
	  { 2e11, 0 },
	  1e12,
	  "",
	  "1,000,000,000,000",
	  "200,000,000,000",
	  "1,000,000,000,000" },
	/* the finer of both intervals */
	{ ROW, "", 0, { 100, 100 }, { 20, 0.02 }, 100, "", "100.000", "20.000", "100" },
	/* times: the unit of the larger mean */
	{ ROW, "msec", 3, { 22.812, 1 }, { 0.24, 0.5 }, 22.8123, "ms", "22.81", "0.24", "22.81" },
	{ ROW, "msec", 3, { 0.9, 1.1 }, { 0.02, 0.02 }, 0.9, "ms", "0.900", "0.020", "0.900" },
	{ ROW, "msec", 3, { 0.9, 0.95 }, { 0.02, 0.02 }, 0.9, "µs", "900", "20", "900" },
	{ ROW, "msec", 3, { 3210, 10 }, { 280, 280 }, 3333, "s", "3.21", "0.28", "3.33" },
	{ ROW, "msec", 3, { 0.0005, 0 }, { 0, 0 }, 0.0005, "ns", "500.000", "0", "500.000" },
	{ ROW, "msec", 3, { 0, 0 }, { 0, 0 }, 0, "ms", "0.000", "0", "0.000" },
	{ ROW, "ns", 0, { 999.9, 1 }, { 11, 11 }, 999, "ns", "1,000", "11", "999" },
	{ ROW, "ns", 0, { 1e9, 1 }, { 2e7, 3e7 }, 1e9, "s", "1.000", "0.020", "1.000" },
	/* other units stay, and metrics have the decimals of theirs */
	{ ROW, "KiB", 0, { 3456, 1 }, { 0, 0 }, 3456, "KiB", "3,456", "0", "3,456" },
	{ ROW,
	  "Joules",
	  2,
	  { 12.345, 1 },
	  { 0.5, 0.5 },
	  12.345,
	  "Joules",
	  "12.35",
	  "0.50",
	  "12.35" },
	{ ROW, "", 3, { 1.6672, 1 }, { 0.0039, 0.1 }, 1.66, "", "1.6672", "0.0039", "1.660" },
};

static void a_row_has_one_unit_and_the_decimals_of_its_interval(void **state)
{
	for (size_t i = 0; i < N_OF(number_rows); i++) {
		const struct number_row *row = &number_rows[i];
		struct comparison_side sides[2] = {
			{ .n = 5, .summary = { .mean = row->mean[0] }, .half = row->half[0] },
			{ .n = 5, .summary = { .mean = row->mean[1] }, .half = row->half[1] },
		};
		struct comparison_row compared = { .unit = row->unit,
						   .decimals = row->decimals,
						   .sides = sides };
		struct row_style style = row_style_of(&compared, 2, &text);
		cleanup_str struct str mean = { 0 }, half = { 0 }, run = { 0 };

		text_add_column(&mean, COLUMN_MEAN, &style, &sides[0]);
		text_add_column(&half, COLUMN_HALF, &style, &sides[0]);
		text_add_run(&run, &style, row->run);
		row_string(row, style.unit, row->shown_unit);
		row_string(row, str_text(&mean), row->shown_mean);
		row_string(row, str_text(&half), row->shown_half);
		row_string(row, str_text(&run), row->shown_run);
	}
}

static void one_run_has_no_interval(void **state)
{
	const struct row_style style = { .text = &text, .unit = "", .factor = 1 };
	const struct comparison_side side = { .n = 1, .summary = { .n = 1, .mean = 5 } };
	cleanup_str struct str half = { 0 }, spread = { 0 };

	text_add_column(&half, COLUMN_HALF, &style, &side);
	text_add_column(&spread, COLUMN_SPREAD, &style, &side);
	assert_string_equal(str_text(&half), "");
	assert_string_equal(str_text(&spread), "");
}

static void ascii_has_units_of_its_own(void **state)
{
	struct comparison_side side = { .n = 0 };
	struct comparison_row row = { .unit = "usec", .sides = &side };

	assert_string_equal(row_style_of(&row, 1, &ascii).unit, "us");
	assert_string_equal(row_style_of(&row, 1, &text).unit, "µs");
	row.unit = "msec";
	assert_string_equal(row_style_of(&row, 1, &text).unit, "ms");
	row.unit = "Joules";
	assert_string_equal(row_style_of(&row, 1, &text).unit, "Joules");
}

static void small_spreads_have_more_decimals(void **state)
{
	const struct row_style style = { .text = &text, .unit = "", .factor = 1 };
	static const struct {
		int line;
		double percent;
		const char *shown;
	} rows[] = {
		{ ROW, 0, "0 %" },
		{ ROW, 1.234, "1.23 %" },
		{ ROW, 12345.678, "12,345.68 %" },
		{ ROW, 0.12, "0.12 %" },
		{ ROW, 0.031, "0.031 %" },
		{ ROW, 0.0026, "0.0026 %" },
		{ ROW, 1e-9, "0.000000 %" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct comparison_side side = { .n = 2, .spread_percent = rows[i].percent };
		cleanup_str struct str spread = { 0 };

		text_add_column(&spread, COLUMN_SPREAD, &style, &side);
		row_string(&rows[i], str_text(&spread), rows[i].shown);
	}
}

#define RATIO(is, least, most)                                                                     \
	{                                                                                          \
		.by_ratio = true, .ratio = { .value = (is), .low = (least), .high = (most) },      \
		.difference.value = (is)-1                                                         \
	}

static const struct change_row {
	int line;
	struct contrast contrast;
	const char *change, *interval;
} change_rows[] = {
	{ ROW, RATIO(1.0132, 1.0129, 1.0135), "+1.32 %", "[+1.29, +1.35]" },
	{ ROW, RATIO(0.9212, 0.919, 0.9236), "-7.9 %", "[-8.1, -7.6]" },
	{ ROW, RATIO(1.00001, 0.99, 1.01), "0.0 %", "[-1.0, +1.0]" },
	{ ROW, RATIO(0.99999, 0.9, 1.2), "0 %", "[-10, +20]" },
	{ ROW, RATIO(1.013197, 1.013181, 1.013213), "+1.3197 %", "[+1.3181, +1.3213]" },
	{ ROW, RATIO(3, 0.27, 33.1), "+200 %", "[-73, +3,210]" },
	{ ROW, RATIO(1e6, 1.5, 1e20), ">+999,999 %", "[+50, >+999,999]" },
	{ ROW, RATIO(1.07, 0, 1e20), "+7 %", "[unknown]" },
	/* one run of each side: an estimate without an interval */
	{ ROW, RATIO(1.0136, 1.0136, 1.0136), "+1.36 %", "" },
	/* no random variation */
	{ ROW,
	  { .constant = true,
	    .ratio = { 1.0005, 1.0005, 1.0005 },
	    .difference = { 1000, 1000, 1000 } },
	  "+0.050 %",
	  "exactly +1,000" },
	{ ROW, { .constant = true, .ratio = { 1, 1, 1 } }, "0 %", "exact" },
	/* from 0: a difference without a ratio */
	{ ROW,
	  { .ratio.withheld = true, .difference = { 12, 11.4, 12.6 } },
	  "+12.0",
	  "[+11.4, +12.6]" },
	{ ROW,
	  { .constant = true, .ratio.withheld = true, .difference = { 12, 12, 12 } },
	  "+12",
	  "exact" },
};

static void changes_are_as_fine_as_they_are_sure(void **state)
{
	const struct row_style style = { .text = &text, .unit = "", .factor = 1 };

	for (size_t i = 0; i < N_OF(change_rows); i++) {
		cleanup_str struct str change = { 0 }, interval = { 0 };

		text_add_change(&change, &style, &change_rows[i].contrast);
		text_add_interval(&interval, &style, &change_rows[i].contrast);
		row_string(&change_rows[i], str_text(&change), change_rows[i].change);
		row_string(&change_rows[i], str_text(&interval), change_rows[i].interval);
	}
}

static char name_x[] = "x";

/* A gate on a row whose change is +1.32 %, in each state. */
static const struct gate_row {
	int line;
	struct gate_request request;
	enum better better;
	struct gate gate;
	const char *sentence;
} gate_rows[] = {
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_CROSSED },
	  "+1.32 % [+1.29, +1.35] worse than allowed +0.5 %" },
	{ ROW,
	  { .text = "x > +0.50 %", .above = true, .relative = true },
	  BETTER_MORE,
	  { .evidence.outcome = GATE_CROSSED },
	  "+1.32 % [+1.29, +1.35] more than allowed +0.50 %" },
	{ ROW,
	  { .text = "a<b<-0.5%", .relative = true },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_CROSSED },
	  "+1.32 % [+1.29, +1.35] less than allowed -0.5 %" },
	{ ROW,
	  { .text = "x<-0.5%", .relative = true },
	  BETTER_MORE,
	  { .evidence.outcome = GATE_KEPT },
	  "+1.32 % [+1.29, +1.35] within allowed -0.5 %" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .runs_needed = { 1234, 754.2 } },
	  "+1.32 % [+1.29, +1.35] may be worse than allowed +0.5 % (to decide: -r 1300, "
	  "about 13 min)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .runs_needed = { 1234, 3601 } },
	  "+1.32 % [+1.29, +1.35] may be worse than allowed +0.5 % (a decision is not within reach; "
	  "noise is 2.5 %)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR },
	  "+1.32 % [+1.29, +1.35] may be worse than allowed +0.5 %" },
	{ ROW,
	  { .text = "x>+1.25", .above = true, .limit.value = 1.25 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .runs_needed.n = 5 },
	  "+13.20 ms [+12.90, +13.50] may be worse than allowed +1.25 ms" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .disagree = true, .runs_needed.n = 90 },
	  "+1.32 % [+1.29, +1.35] may be worse than allowed +0.5 % (the two statistical "
	  "tests disagree; to decide: -r 90)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .limits_n = 3, .runs_least = 90 },
	  "+1.32 % [+1.29, +1.35] may be worse than allowed +0.5 % (corrected for 3 limits; at "
	  "least 90 runs of each side needed)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR,
	    .cpu_time_varies_less = true,
	    .runs_needed = { 1234, 754.2 } },
	  "+1.32 % [+1.29, +1.35] may be worse than allowed +0.5 % (to decide: -r 1300, "
	  "about 13 min; task-clock varies less)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .state = GATE_UNBOUNDED, .evidence.outcome = GATE_UNCLEAR },
	  "+1.32 % [+1.29, +1.35] not judged, allowed +0.5 % (scaled counts without a confidence interval)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .state = GATE_TOO_FEW, .evidence.outcome = GATE_UNCLEAR, .runs_least = 6 },
	  "+1.32 % [+1.29, +1.35] not judged, allowed +0.5 % (too few runs: 6 needed)" },
	{ ROW,
	  { .text = "x>+0.5%",
	    .above = true,
	    .relative = true,
	    .limit = { 0.018, LIMIT_HISTORY, 34 } },
	  BETTER_LESS,
	  { .state = GATE_TOO_FEW, .evidence.outcome = GATE_UNCLEAR, .runs_least = 3 },
	  "+1.32 % [+1.29, +1.35] not judged, allowed +1.80 % (from 34 changes; too few runs: 3 "
	  "needed)" },
	{ ROW,
	  { .text = "x>+0.5%",
	    .above = true,
	    .relative = true,
	    .limit = { 0.005, LIMIT_FALLBACK, 4 } },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .runs_needed.n = 90 },
	  "+1.32 % [+1.29, +1.35] may be worse than allowed +0.5 % (fixed limit, too little "
	  "history: 4 of 10 changes; to decide: -r 90)" },
	{ ROW,
	  { .text = "x>+0.5%",
	    .above = true,
	    .relative = true,
	    .limit = { 0.018, LIMIT_HISTORY, 34 } },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_KEPT },
	  "+1.32 % [+1.29, +1.35] within allowed +1.80 % (from 34 changes)" },
	{ ROW,
	  { .text = "x>+100", .above = true },
	  BETTER_LESS,
	  { .state = GATE_ABSENT, .evidence.outcome = GATE_UNCLEAR },
	  "not counted, so the limit +100 ms cannot be checked" },
	{ ROW,
	  { .text = "x>+0%", .name = name_x, .above = true, .relative = true },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .runs_needed.n = 90 },
	  "+1.32 % [+1.29, +1.35] may be worse than allowed +0 % (to decide: -r 90; a count that "
	  "varies needs a margin: x>+1%)" },
	{ ROW,
	  { .text = "x<-0", .name = name_x },
	  BETTER_MORE,
	  { .evidence.outcome = GATE_UNCLEAR },
	  "+13.2 ms [+12.9, +13.5] may be worse than allowed -0 ms (a count that varies needs a "
	  "margin: x<-1%)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_CROSSED, .drifts = true },
	  "+1.32 % [+1.29, +1.35] worse than allowed +0.5 % (measured at different times)" },
};

static void a_limit_is_one_sentence(void **state)
{
	static struct comparison_side sides[2] = { { .n = 10, .spread_percent = 2.5 },
						   { .n = 10, .spread_percent = 1 } };
	static struct contrast contrasts[2] = { { 0 },
						{ .by_ratio = true,
						  .ratio = { 1.0132, 1.0129, 1.0135 },
						  .difference = { 13.2, 12.9, 13.5 } } };

	for (size_t i = 0; i < N_OF(gate_rows); i++) {
		const struct comparison_row row = { .unit = "msec",
						    .better = gate_rows[i].better,
						    .sides = sides,
						    .contrasts = contrasts };
		struct gate gate = gate_rows[i].gate;
		cleanup_str struct str sentence = { 0 };

		gate.request = &gate_rows[i].request;
		gate.limit = gate_rows[i].request.limit;
		gate.row = &row;
		gate.side = 1;
		gate_add_outcome(&sentence, &gate, &text);
		row_string(&gate_rows[i], str_text(&sentence), gate_rows[i].sentence);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decimals_are_those_that_are_worth_something),
		cmocka_unit_test(a_row_has_one_unit_and_the_decimals_of_its_interval),
		cmocka_unit_test(one_run_has_no_interval),
		cmocka_unit_test(ascii_has_units_of_its_own),
		cmocka_unit_test(small_spreads_have_more_decimals),
		cmocka_unit_test(changes_are_as_fine_as_they_are_sure),
		cmocka_unit_test(a_limit_is_one_sentence),
	};

	return cmocka_run_group_tests_name("compare_text", tests, NULL, NULL);
}
