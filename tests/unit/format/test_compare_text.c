/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of numbers in comparisons: units, decimals, changes and intervals; and the sentences of
 * the conclusion. */
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

		row_int(&rows[i], text_row_style_of(&row, 1, &text).decimals, rows[i].decimals);
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
		struct row_style style = text_row_style_of(&compared, 2, &text);
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

	assert_string_equal(text_row_style_of(&row, 1, &ascii).unit, "us");
	assert_string_equal(text_row_style_of(&row, 1, &text).unit, "µs");
	row.unit = "msec";
	assert_string_equal(text_row_style_of(&row, 1, &text).unit, "ms");
	row.unit = "Joules";
	assert_string_equal(text_row_style_of(&row, 1, &text).unit, "Joules");
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
	  "+1.32 % [+1.29, +1.35], limit +0.5 %: crossed" },
	{ ROW,
	  { .text = "x > +0.50 %", .above = true, .relative = true },
	  BETTER_MORE,
	  { .evidence.outcome = GATE_CROSSED },
	  "+1.32 % [+1.29, +1.35], limit +0.50 %: crossed" },
	{ ROW,
	  { .text = "a<b<-0.5%", .relative = true },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_CROSSED },
	  "+1.32 % [+1.29, +1.35], limit -0.5 %: crossed" },
	{ ROW,
	  { .text = "x<-0.5%", .relative = true },
	  BETTER_MORE,
	  { .evidence.outcome = GATE_KEPT },
	  "+1.32 % [+1.29, +1.35], limit -0.5 %: kept" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .runs_needed = { 1234, 754.2 } },
	  "+1.32 % [+1.29, +1.35], limit +0.5 %: unclear (to decide: -r 1300, about 13 min)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .runs_needed = { 1234, 3601 } },
	  "+1.32 % [+1.29, +1.35], limit +0.5 %: unclear (a decision is not within reach; noise is 2.5 %)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR },
	  "+1.32 % [+1.29, +1.35], limit +0.5 %: unclear" },
	{ ROW,
	  { .text = "x>+1.25", .above = true, .limit.value = 1.25 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .runs_needed.n = 5 },
	  "+13.20 ms [+12.90, +13.50], limit +1.25 ms: unclear" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .disagree = true, .runs_needed.n = 90 },
	  "+1.32 % [+1.29, +1.35], limit +0.5 %: unclear (the two statistical tests disagree; to decide: -r 90)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .limits_n = 3, .runs_least = 90 },
	  "+1.32 % [+1.29, +1.35], limit +0.5 %: unclear (corrected for 3 limits; at least 90 runs of each side needed)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR,
	    .cpu_time_varies_less = true,
	    .runs_needed = { 1234, 754.2 } },
	  "+1.32 % [+1.29, +1.35], limit +0.5 %: unclear (to decide: -r 1300, about 13 min; task-clock varies less)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .state = GATE_UNBOUNDED, .evidence.outcome = GATE_UNCLEAR },
	  "+1.32 % [+1.29, +1.35], limit +0.5 %: not judged (scaled counts without a confidence interval)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .state = GATE_TOO_FEW, .evidence.outcome = GATE_UNCLEAR, .runs_least = 6 },
	  "+1.32 % [+1.29, +1.35], limit +0.5 %: not judged (too few runs: 6 needed)" },
	{ ROW,
	  { .text = "x>+0.5%",
	    .above = true,
	    .relative = true,
	    .limit = { 0.018, LIMIT_HISTORY, 34 } },
	  BETTER_LESS,
	  { .state = GATE_TOO_FEW, .evidence.outcome = GATE_UNCLEAR, .runs_least = 3 },
	  "+1.32 % [+1.29, +1.35], limit +1.80 % (from 34 changes): not judged (too few runs: 3 needed)" },
	{ ROW,
	  { .text = "x>+0.5%",
	    .above = true,
	    .relative = true,
	    .limit = { 0.005, LIMIT_FALLBACK, 4 } },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .runs_needed.n = 90 },
	  "+1.32 % [+1.29, +1.35], limit +0.5 % (too little history: 4 of 10 changes): unclear (to decide: -r 90)" },
	{ ROW,
	  { .text = "x>auto",
	    .above = true,
	    .relative = true,
	    .limit = { 0.05, LIMIT_FALLBACK, 4 } },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_KEPT },
	  "+1.32 % [+1.29, +1.35], limit +5 % (too little history: 4 of 10 changes): kept" },
	{ ROW,
	  { .text = "x>+0.5%",
	    .above = true,
	    .relative = true,
	    .limit = { 0.018, LIMIT_HISTORY, 34 } },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_KEPT },
	  "+1.32 % [+1.29, +1.35], limit +1.80 % (from 34 changes): kept" },
	{ ROW,
	  { .text = "x>+100", .above = true },
	  BETTER_LESS,
	  { .state = GATE_ABSENT, .evidence.outcome = GATE_UNCLEAR },
	  "not counted, limit +100 ms: not judged" },
	{ ROW,
	  { .text = "x>+0%", .name = name_x, .above = true, .relative = true },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_UNCLEAR, .runs_needed.n = 90 },
	  "+1.32 % [+1.29, +1.35], limit +0 %: unclear (to decide: -r 90; a count that varies needs a margin: x>+1%)" },
	{ ROW,
	  { .text = "x<-0", .name = name_x },
	  BETTER_MORE,
	  { .evidence.outcome = GATE_UNCLEAR },
	  "+13.2 ms [+12.9, +13.5], limit -0 ms: unclear (a count that varies needs a margin: x<-1%)" },
	{ ROW,
	  { .text = "x>+0.5%", .above = true, .relative = true, .limit.value = 0.005 },
	  BETTER_LESS,
	  { .evidence.outcome = GATE_CROSSED, .drifts = true },
	  "+1.32 % [+1.29, +1.35], limit +0.5 %: crossed (measured at different times)" },
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
		gate.contrast = contrasts[1];
		text_gate_add_outcome(&sentence, &gate, &text);
		row_string(&gate_rows[i], str_text(&sentence), gate_rows[i].sentence);
	}
}

static void a_limit_on_constant_counts_names_the_count(void **state)
{
	static const struct {
		int line;
		const char *limit, *sentence;
		bool relative;
		double mean, ratio, difference;
		bool withheld;
	} rows[] = {
		{ ROW, "x>+1%", "+1,697 exactly (+3,327 %), limit +1 %: kept", true, 51, 34.2745,
		  1697 },
		{ ROW, "x>+0.5%", "-2 exactly (-0.020 %), limit +0.5 %: kept", true, 1e4, 0.9998,
		  -2 },
		{ ROW, "x>+0%", "0 exactly, limit +0 %: kept", true, 7, 1, 0 },
		{ ROW, "x>+9.25", "+3.00 exactly, limit +9.25: kept", false, 7, 1.4286, 3 },
		{ ROW, "x>+9%", "+3 exactly from 0, limit +9 %: kept", true, 0, 0, 3, true },
	};
	static const struct num_style grouped = { .thousands = ",", .point = "." };

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct text_style style = { .numbers = &grouped };
		struct comparison_side sides[2] = { { .n = 10, .summary.mean = rows[i].mean } };
		struct contrast contrasts[2] = { { 0 },
						 { .constant = true,
						   .ratio = { .value = rows[i].ratio,
							      .withheld = rows[i].withheld },
						   .difference.value = rows[i].difference } };
		const struct comparison_row row = { .unit = "",
						    .sides = sides,
						    .contrasts = contrasts };
		const struct gate_request request = { .text = rows[i].limit,
						      .above = true,
						      .relative = rows[i].relative };
		const struct gate gate = { .request = &request,
					   .row = &row,
					   .side = 1,
					   .contrast = contrasts[1],
					   .evidence.outcome = GATE_KEPT };
		cleanup_str struct str sentence = { 0 };

		text_gate_add_outcome(&sentence, &gate, &style);
		row_string(&rows[i], str_text(&sentence), rows[i].sentence);
	}
}

/* ---- The conclusion. */

enum { RUNS_MAX = 1000, SIDES_MAX = 3 };

/* The kinds of rows that sentences distinguish. */
enum row_kind { ELAPSED, CPU, TASK_CLOCK, FAULTS, FAULTS_OF_CPU0, JOULES, RSS, IPC };

/* A comparison of sides with one row. A run takes as long as its side says. */
struct concluded {
	struct event event;
	struct place place;
	struct measure measure;
	struct comparison_side sides[SIDES_MAX];
	struct contrast contrasts[SIDES_MAX];
	struct comparison_row row;
	struct side_input inputs[SIDES_MAX];
	struct table tables[SIDES_MAX];
	struct run runs[RUNS_MAX];
	struct comparison c;
};

static void conclude_about(struct concluded *it, enum row_kind kind)
{
	static const struct {
		const char *name, *unit;
		enum measure_kind kind;
		enum tool_event tool;
		uint32_t type;
		uint64_t config;
	} kinds[] = {
		[ELAPSED] = { "duration_time", "msec", OF_RUN, TOOL_DURATION_TIME, 0, 0 },
		[CPU] = { "task-clock", "msec", OF_EVENT, TOOL_NONE, PERF_TYPE_SOFTWARE,
			  PERF_COUNT_SW_TASK_CLOCK },
		[TASK_CLOCK] = { "task-clock", "msec", OF_EVENT, TOOL_NONE, PERF_TYPE_SOFTWARE,
				 PERF_COUNT_SW_TASK_CLOCK },
		[FAULTS] = { "page-faults", "", OF_EVENT, TOOL_NONE, PERF_TYPE_SOFTWARE,
			     PERF_COUNT_SW_PAGE_FAULTS },
		[FAULTS_OF_CPU0] = { "page-faults", "", OF_EVENT, TOOL_NONE, PERF_TYPE_SOFTWARE,
				     PERF_COUNT_SW_PAGE_FAULTS },
		[JOULES] = { "power/energy-pkg/", "Joules", OF_EVENT, TOOL_NONE, 20, 2 },
		[RSS] = { "max_rss", "KiB", OF_RUN, TOOL_MAX_RSS, 0, 0 },
		[IPC] = { "ipc", "", OF_METRIC, TOOL_NONE, 0, 0 },
	};
	static char whole[] = "", cpu0[] = "CPU0";

	it->event = (struct event){ .implied = kind == CPU,
				    .attr = { .type = kinds[kind].type,
					      .config = kinds[kind].config } };
	it->place = kind == FAULTS_OF_CPU0 ? (struct place){ PLACE_CPU, cpu0 } :
					     (struct place){ PLACE_TARGET, whole };
	it->measure = (struct measure){ .name = (char *)(uintptr_t)kinds[kind].name,
					.unit = kinds[kind].unit,
					.kind = kinds[kind].kind,
					.tool = kinds[kind].tool,
					.place = &it->place,
					.event = &it->event };
	it->row = (struct comparison_row){ .of = &it->measure,
					   .unit = kinds[kind].unit,
					   .decimals = 3,
					   .claim = CLAIM_FIRST,
					   .sides = it->sides,
					   .contrasts = it->contrasts };
}

/* Let the sides have these numbers of runs, which take this time each. 0: no runs. */
static void conclude_after(struct concluded *it, const size_t *runs_n, double seconds)
{
	for (size_t run = 0; run < RUNS_MAX; run++)
		it->runs[run].tool[TOOL_DURATION_TIME] = (uint64_t)(seconds * 1e9);
	for (size_t i = 0; i < it->c.input.sides_n; i++) {
		it->tables[i] = (struct table){ .runs = it->runs, .runs_n = runs_n[i] };
		it->sides[i] = (struct comparison_side){ .n = runs_n[i],
							 .summary = { .n = runs_n[i], .mean = 100 },
							 .half = 1 };
	}
}

static void conclude_begin(struct concluded *it, size_t sides_n)
{
	static const char *const names[] = { "old", "new", "newest" };
	static const size_t runs_n[] = { 40, 40, 40 };

	*it = (struct concluded){
		.c = { .input = { .sides = it->inputs, .sides_n = sides_n, .paired = true },
		       .rows = &it->row,
		       .rows_n = 1,
		       .tables = it->tables,
		       .leading = &it->row }
	};
	for (size_t i = 0; i < sides_n; i++)
		it->inputs[i].name = names[i];
	conclude_after(it, runs_n, 0.1225);
}

#define FROM_0                                                                                     \
	{                                                                                          \
		.ratio.withheld = true, .difference = { 12, 11.4, 12.6 }                           \
	}
#define EXACTLY(is, by)                                                                            \
	{                                                                                          \
		.constant = true, .by_ratio = true, .ratio = { is, is, is }, .difference = {       \
			by,                                                                        \
			by,                                                                        \
			by                                                                         \
		}                                                                                  \
	}

static const struct conclusion_row {
	int line;
	enum row_kind kind;
	enum change change;
	struct contrast contrast;
	const char *conclusion; /* up to the effort */
} conclusion_rows[] = {
	/* times */
	{ ROW, ELAPSED, CHANGE_MORE, RATIO(1.031, 1.027, 1.036),
	  "new is 3.1 % slower than old: elapsed time +3.1 % [+2.7, +3.6]" },
	{ ROW, CPU, CHANGE_MORE, RATIO(1.031, 1.027, 1.036),
	  "new is 3.1 % slower than old: CPU time +3.1 % [+2.7, +3.6]" },
	{ ROW, TASK_CLOCK, CHANGE_LESS, RATIO(0.95, 0.94, 0.96),
	  "new is 5.0 % faster than old: task-clock -5.0 % [-6.0, -4.0]" },
	{ ROW, ELAPSED, CHANGE_SAME, RATIO(1.0004, 0.997, 1.004),
	  "new is as fast as old: elapsed time 0.0 % [-0.3, +0.4]" },
	{ ROW, CPU, CHANGE_UNCLEAR, RATIO(1.01, 0.97, 1.06),
	  "new is not clearly faster or slower than old: CPU time +1 % [-3, +6]" },
	/* from 1.1 times on, a factor is clearer than a percentage */
	{ ROW, ELAPSED, CHANGE_MORE, RATIO(1.0999, 1.08, 1.12),
	  "new is 10 % slower than old: elapsed time +10 % [+8, +12]" },
	{ ROW, ELAPSED, CHANGE_MORE, RATIO(1.1, 1.08, 1.12),
	  "new takes 1.10 times as long as old: elapsed time +10 % [+8, +12]" },
	{ ROW, ELAPSED, CHANGE_LESS, RATIO(0.92, 0.9, 0.94),
	  "new is 8 % faster than old: elapsed time -8 % [-10, -6]" },
	{ ROW, ELAPSED, CHANGE_LESS, RATIO(0.5, 0.48, 0.52),
	  "new is 2.0 times as fast as old: elapsed time -50 % [-52, -48]" },
	{ ROW, CPU, CHANGE_MORE, RATIO(12.3, 12, 12.6),
	  "new takes 12 times as long as old: CPU time +1,130 % [+1,100, +1,160]" },
	/* no ratio, or no spread */
	{ ROW, CPU, CHANGE_MORE, FROM_0,
	  "new is slower than old: CPU time +12.0 ms [+11.4, +12.6]" },
	{ ROW, CPU, CHANGE_MORE, EXACTLY(1.02, 2),
	  "new is 2.00 % slower than old: CPU time +2.00 % "
	  "exactly +2.0" },
	/* counts, then amounts with a unit, and ratios */
	{ ROW, FAULTS, CHANGE_LESS, RATIO(0.981, 0.976, 0.985),
	  "new has fewer page-faults than old: -1.9 % [-2.4, -1.5]" },
	{ ROW, FAULTS, CHANGE_MORE, EXACTLY(1.0005, 1000),
	  "new has more page-faults than old: +0.050 % exactly +1,000.0" },
	{ ROW, FAULTS, CHANGE_MORE, FROM_0,
	  "new has more page-faults than old: +12.0 [+11.4, +12.6]" },
	{ ROW, FAULTS_OF_CPU0, CHANGE_LESS, RATIO(0.981, 0.976, 0.985),
	  "new has fewer page-faults CPU0 than old: -1.9 % [-2.4, -1.5]" },
	{ ROW, FAULTS, CHANGE_SAME, RATIO(1.0004, 0.997, 1.004),
	  "new has the same page-faults as old: 0.0 % [-0.3, +0.4]" },
	{ ROW, FAULTS, CHANGE_UNCLEAR, RATIO(1.01, 0.97, 1.06),
	  "new does not clearly differ in page-faults from old: +1 % [-3, +6]" },
	{ ROW, JOULES, CHANGE_MORE, RATIO(1.5, 1.4, 1.6),
	  "new has a higher power/energy-pkg/ than old: +50 % [+40, +60]" },
	{ ROW, RSS, CHANGE_LESS, RATIO(0.981, 0.976, 0.985),
	  "new has a lower max_rss than old: -1.9 % [-2.4, -1.5]" },
	{ ROW, IPC, CHANGE_LESS, RATIO(0.981, 0.976, 0.985),
	  "new has a lower ipc than old: -1.9 % [-2.4, -1.5]" },
	/* no verdict */
	{ ROW, ELAPSED, CHANGE_TOO_FEW, RATIO(1.031, 1.027, 1.036),
	  "new has too few runs for a verdict against old (6 needed): elapsed time +3.1 % "
	  "[+2.7, +3.6]" },
	{ ROW, FAULTS, CHANGE_TOO_FEW, RATIO(1.0136, 1.0136, 1.0136),
	  "new has too few runs for a verdict against old (6 needed): page-faults +1.36 %" },
};

static void a_conclusion_is_one_sentence(void **state)
{
	static struct concluded it;

	for (size_t i = 0; i < N_OF(conclusion_rows); i++) {
		const struct conclusion_row *row = &conclusion_rows[i];
		cleanup_str struct str conclusion = { 0 }, expected = { 0 };

		conclude_begin(&it, 2);
		conclude_about(&it, row->kind);
		it.contrasts[1] = row->contrast;
		it.contrasts[1].change = row->change;
		it.sides[1].runs_least = 6;
		text_add_conclusion(&conclusion, &it.c, 1, &text);
		str_addf(&expected, "%s, 40 rounds in 9.8 s", row->conclusion);
		row_string(row, str_text(&conclusion), str_text(&expected));
	}
}

/* The formats that mark up the names of the sides join the parts themselves. */
static void a_conclusion_has_two_parts_around_the_reference(void **state)
{
	static struct concluded it;

	for (size_t i = 0; i < N_OF(conclusion_rows); i++) {
		const struct conclusion_row *row = &conclusion_rows[i];
		cleanup_str struct str conclusion = { 0 }, parts = { 0 };

		conclude_begin(&it, 2);
		conclude_about(&it, row->kind);
		it.contrasts[1] = row->contrast;
		it.contrasts[1].change = row->change;
		text_add_conclusion(&conclusion, &it.c, 1, &text);
		str_add(&parts, "new");
		text_add_finding(&parts, &it.c, 1, &numbers);
		str_add(&parts, "old");
		text_add_evidence(&parts, &it.c, 1, &text);
		row_string(row, str_text(&parts), str_text(&conclusion));
	}
}

static void without_counts_on_both_sides_there_is_nothing_to_compare(void **state)
{
	static const char expected[] =
		"new cannot be compared with old: nothing was counted on both sides";
	static struct concluded it;
	cleanup_str struct str absent = { 0 }, none = { 0 };

	conclude_begin(&it, 2);
	conclude_about(&it, FAULTS);
	it.sides[1].n = 0;
	text_add_conclusion(&absent, &it.c, 1, &text);
	assert_string_equal(str_text(&absent), expected);
	it.c.leading = NULL;
	text_add_conclusion(&none, &it.c, 1, &text);
	assert_string_equal(str_text(&none), expected);
}

static void a_conclusion_says_how_much_was_run(void **state)
{
	static const struct {
		int line;
		size_t sides_n, runs_n[SIDES_MAX];
		bool paired;
		double seconds;
		const char *effort;
	} rows[] = {
		{ ROW, 2, { 40, 40 }, true, 0.1225, ", 40 rounds in 9.8 s" },
		{ ROW, 2, { 1, 1 }, true, 0.11, ", 1 round in 0.2 s" },
		{ ROW, 2, { 1000, 1000 }, true, 0.0625, ", 1,000 rounds in 125 s" },
		{ ROW, 2, { 1000, 1000 }, true, 1, ", 1,000 rounds in 2,000 s" },
		{ ROW, 3, { 10, 10, 10 }, true, 1, ", 10 rounds in 30.0 s" },
		/* not 0 */
		{ ROW, 2, { 20, 20 }, true, 0.001, ", 20 rounds in 0.040 s" },
		{ ROW, 2, { 3, 3 }, true, 0.0005, ", 3 rounds in 0.0030 s" },
		/* a round has all sides; the time is that of all runs */
		{ ROW, 2, { 7, 6 }, true, 1, ", 6 rounds in 13.0 s" },
		{ ROW, 2, { 15, 40 }, false, 1, ", 15 and 40 runs" },
		{ ROW, 3, { 15, 40, 1000 }, false, 1, ", 15, 40 and 1,000 runs" },
	};
	static struct concluded it;

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str conclusion = { 0 };
		const char *effort;

		conclude_begin(&it, rows[i].sides_n);
		conclude_about(&it, ELAPSED);
		conclude_after(&it, rows[i].runs_n, rows[i].seconds);
		it.contrasts[1] = (struct contrast)RATIO(1.5, 1.4, 1.6);
		it.contrasts[1].change = CHANGE_MORE;
		it.c.input.paired = rows[i].paired;
		text_add_conclusion(&conclusion, &it.c, 1, &text);
		effort = strrchr(str_text(&conclusion), ']');
		row_true(&rows[i], effort != NULL);
		row_string(&rows[i], effort + 1, rows[i].effort);
	}
}

/* The unit of an event duration_time is ns, and that of pstat's own row is ms. */
static void the_time_of_the_runs_has_the_same_unit_for_all_rows(void **state)
{
	static struct concluded it;
	cleanup_str struct str conclusion = { 0 };

	conclude_begin(&it, 2);
	conclude_about(&it, ELAPSED);
	it.measure.kind = OF_EVENT;
	it.row.unit = it.measure.unit = "ns";
	it.sides[0].summary.mean = it.sides[1].summary.mean = 122500000;
	it.contrasts[1] = (struct contrast)RATIO(1.5, 1.4, 1.6);
	it.contrasts[1].change = CHANGE_MORE;
	text_add_conclusion(&conclusion, &it.c, 1, &text);
	assert_string_equal(
		str_text(&conclusion),
		"new takes 1.50 times as long as old: elapsed time +50 % [+40, +60], 40 "
		"rounds in 9.8 s");
}

/* A program that does not wait, and takes far longer than its CPU time. */
static void a_busy_machine_is_remarked(void **state)
{
	static const struct {
		int line;
		double elapsed_ms, user_ms, system_ms;
		uint64_t waits, preempted;
		const char *factor; /* NULL: no remark */
	} rows[] = {
		{ ROW, 100, 95, 4, 1, 9, NULL },    { ROW, 140, 95, 5, 1, 9, NULL },
		{ ROW, 200, 90, 10, 1, 9, "2.0" },  { ROW, 200, 90, 10, 0, 1, "2.0" },
		{ ROW, 160, 90, 10, 1, 9, "1.60" }, { ROW, 1200, 90, 10, 1, 9, "12" },
		{ ROW, 200, 90, 10, 2, 9, NULL }, /* it waits */
		{ ROW, 200, 90, 10, 2, 16, "2.0" }, /* it is preempted much more often */
		{ ROW, 200, 90, 10, 1, 2, NULL }, /* nothing else runs */
		{ ROW, 1.9, 0.2, 0.1, 1, 9, NULL }, /* the start of a process takes a millisecond */
		{ ROW, 200, 380, 10, 1, 9, NULL }, /* threads */
		{ ROW, 200, 0, 0, 1, 9, NULL }, /* unknown CPU time */
	};
	static struct concluded it;

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str_list struct str_list remarks = { 0 };
		cleanup_str struct str expected = { 0 };

		conclude_begin(&it, 2);
		conclude_about(&it, ELAPSED);
		for (size_t run = 0; run < RUNS_MAX; run++) {
			uint64_t *tool = it.runs[run].tool;

			tool[TOOL_DURATION_TIME] = (uint64_t)(rows[i].elapsed_ms * 1e6);
			tool[TOOL_USER_TIME] = (uint64_t)(rows[i].user_ms * 1e6);
			tool[TOOL_SYSTEM_TIME] = (uint64_t)(rows[i].system_ms * 1e6);
			tool[TOOL_VOLUNTARY_SWITCHES] = rows[i].waits;
			tool[TOOL_INVOLUNTARY_SWITCHES] = rows[i].preempted;
		}
		assert_int_equal(text_remarks(&remarks, &it.c, &text), 0);
		row_int(&rows[i], remarks.n, rows[i].factor != NULL);
		if (!rows[i].factor)
			continue;
		str_addf(&expected,
			 "This machine is busy: the commands took %s times their CPU time, but "
			 "hardly slept",
			 rows[i].factor);
		row_string(&rows[i], remarks.v[0], str_text(&expected));
	}
}

/* One of two sides sleeps: it says nothing about the machine, and does not hide the other side. */
static void each_side_is_busy_by_itself(void **state)
{
	static const struct {
		int line;
		double elapsed_ms[2];
		uint64_t waits[2];
		bool busy;
	} rows[] = {
		{ ROW, { 105, 500 }, { 1, 2 }, false },
		{ ROW, { 200, 500 }, { 1, 2 }, true },
		{ ROW, { 500, 200 }, { 2, 1 }, true },
	};
	static struct concluded it;
	static struct run runs[2][RUNS_MAX];

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str_list struct str_list remarks = { 0 };

		conclude_begin(&it, 2);
		conclude_about(&it, ELAPSED);
		for (size_t side = 0; side < 2; side++) {
			it.tables[side].runs = runs[side];
			for (size_t run = 0; run < RUNS_MAX; run++) {
				uint64_t *tool = runs[side][run].tool;

				tool[TOOL_DURATION_TIME] =
					(uint64_t)(rows[i].elapsed_ms[side] * 1e6);
				tool[TOOL_USER_TIME] = 100000000;
				tool[TOOL_VOLUNTARY_SWITCHES] = rows[i].waits[side];
				tool[TOOL_INVOLUNTARY_SWITCHES] = 9;
			}
		}
		assert_int_equal(text_remarks(&remarks, &it.c, &text), 0);
		row_int(&rows[i], remarks.n, rows[i].busy);
	}
}

/* A command that waits, or uses several CPUs, may use less CPU time and still be slower. So may one
 * on a busy machine. */
static void cpu_time_is_not_always_speed(void **state)
{
	static const struct {
		int line;
		enum row_kind kind;
		double cpu_ms; /* of 100 ms */
		uint64_t waits;
		enum change change;
		const char *finding;
		double elapsed; /* the ratio of the elapsed times; 0: not compared */
	} rows[] = {
		{ ROW, CPU, 95, 1, CHANGE_MORE, " is 3.1 % slower than " },
		{ ROW, CPU, 109, 1, CHANGE_MORE, " is 3.1 % slower than " },
		{ ROW, CPU, 95, 1, CHANGE_MORE, " is 3.1 % slower than ", 1.001 },
		{ ROW, CPU, 95, 1, CHANGE_MORE, " uses 3.1 % more CPU time than ", 0.999 },
		{ ROW, CPU, 95, 1, CHANGE_MORE, " is 3.1 % slower than ", 1 },
		{ ROW, CPU, 95, 1, CHANGE_LESS, " uses 3.1 % less CPU time than ", 1.001 },
		{ ROW, CPU, 95, 1, CHANGE_SAME, " is as fast as ", 0.999 },
		{ ROW, CPU, 95, 2, CHANGE_MORE, " uses 3.1 % more CPU time than " },
		{ ROW, CPU, 111, 1, CHANGE_MORE, " uses 3.1 % more CPU time than " },
		{ ROW, CPU, 190, 9, CHANGE_SAME, " uses as much CPU time as " },
		{ ROW, CPU, 190, 9, CHANGE_UNCLEAR,
		  " does not clearly use more or less CPU time than " },
		{ ROW, TASK_CLOCK, 190, 9, CHANGE_LESS, " uses 3.1 % less CPU time than " },
		{ ROW, ELAPSED, 190, 9, CHANGE_MORE, " is 3.1 % slower than " },
		{ ROW, FAULTS, 190, 9, CHANGE_MORE, " has more page-faults than " },
	};
	static const struct measure elapsed = { .tool = TOOL_DURATION_TIME };
	static struct concluded it;

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct contrast times[2] = { { 0 }, { .ratio.value = rows[i].elapsed } };
		struct comparison_row both[2];
		const double ratio = rows[i].change == CHANGE_LESS ? 0.969 : 1.031;
		cleanup_str struct str finding = { 0 };

		conclude_begin(&it, 2);
		conclude_about(&it, rows[i].kind);
		it.contrasts[1].ratio = (struct estimate){ ratio, ratio - 0.004, ratio + 0.005 };
		it.contrasts[1].change = rows[i].change;
		both[0] = it.row;
		both[1] = (struct comparison_row){ .of = &elapsed,
						   .contrasts = times,
						   .shown = true };
		it.c.rows = both;
		it.c.rows_n = rows[i].elapsed > 0 ? 2 : 1;
		for (size_t run = 0; run < RUNS_MAX; run++) {
			uint64_t *tool = it.runs[run].tool;

			tool[TOOL_DURATION_TIME] = 100000000;
			tool[TOOL_USER_TIME] = (uint64_t)(rows[i].cpu_ms * 1e6);
			tool[TOOL_VOLUNTARY_SWITCHES] = rows[i].waits;
		}
		text_add_finding(&finding, &it.c, 1, &numbers);
		row_string(&rows[i], str_text(&finding), rows[i].finding);
	}
}

static void people_know_the_times_by_other_names(void **state)
{
	static const char *const labels[] = {
		[ELAPSED] = "elapsed time",
		[CPU] = "CPU time",
		[TASK_CLOCK] = "task-clock",
		[FAULTS] = "page-faults",
		[RSS] = "max_rss",
		[FAULTS_OF_CPU0] = "page-faults CPU0",
		[IPC] = "ipc",
		[JOULES] = "power/energy-pkg/",
	};
	static struct concluded it;

	for (enum row_kind kind = ELAPSED; kind <= IPC; kind++) {
		cleanup_str struct str label = { 0 };

		conclude_begin(&it, 2);
		conclude_about(&it, kind);
		text_add_label(&label, &it.row);
		assert_string_equal(str_text(&label), labels[kind]);
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
		cmocka_unit_test(a_limit_on_constant_counts_names_the_count),
		cmocka_unit_test(a_conclusion_is_one_sentence),
		cmocka_unit_test(a_conclusion_has_two_parts_around_the_reference),
		cmocka_unit_test(without_counts_on_both_sides_there_is_nothing_to_compare),
		cmocka_unit_test(a_conclusion_says_how_much_was_run),
		cmocka_unit_test(the_time_of_the_runs_has_the_same_unit_for_all_rows),
		cmocka_unit_test(a_busy_machine_is_remarked),
		cmocka_unit_test(each_side_is_busy_by_itself),
		cmocka_unit_test(cpu_time_is_not_always_speed),
		cmocka_unit_test(people_know_the_times_by_other_names),
	};

	return cmocka_run_group_tests_name("compare_text", tests, NULL, NULL);
}
