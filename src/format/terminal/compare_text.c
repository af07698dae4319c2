/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "format/terminal/compare_text.h"
#include "result/history.h"

enum { DECIMALS_MAX = 6, PERCENT_DECIMALS = 2 };

/* A larger change, in percent, is shown as more than this. */
#define PERCENT_MAX 999999.0

/* Units of time, as events name them and as they are shown. */
static const struct {
	const char *name, *shown, *ascii;
	double seconds;
} times[] = {
	{ "sec", "s", "s", 1 },	      { "s", "s", "s", 1 },	    { "msec", "ms", "ms", 1e-3 },
	{ "ms", "ms", "ms", 1e-3 },   { "usec", "µs", "us", 1e-6 }, { "us", "µs", "us", 1e-6 },
	{ "nsec", "ns", "ns", 1e-9 }, { "ns", "ns", "ns", 1e-9 },
};

enum { TIMES_N = sizeof(times) / sizeof(times[0]) };

/* The fewest decimals with which the last digit is worth at most this; 0 for 0. */
static int text_decimals_up_to(int most, double worth)
{
	int decimals = 0;

	if (!(worth > 0))
		return 0;
	for (double unit = 1; unit > worth * (1 + 1e-9) && decimals < most; unit /= 10)
		decimals++;
	return decimals;
}

static int text_decimals(double worth)
{
	return text_decimals_up_to(DECIMALS_MAX, worth);
}

/* ---- The unit and the decimals of a row. */

struct row_style text_row_style_of(const struct comparison_row *row, size_t sides_n,
				   const struct text_style *text)
{
	struct row_style style = {
		.text = text, .unit = row->unit, .factor = 1, .run_decimals = row->decimals
	};
	double largest = 0; /* mean */
	double half = 0; /* the smallest that is not 0 */
	size_t own = 0, shown = 0; /* among the units of time */

	for (size_t i = 0; i < sides_n; i++) {
		const struct comparison_side *side = &row->sides[i];

		if (side->n > 0 && (double)side->summary.mean > largest)
			largest = (double)side->summary.mean;
		if (side->half > 0 && (half == 0 || side->half < half))
			half = side->half;
	}
	while (own < TIMES_N && strcmp(row->unit, times[own].name) != 0)
		own++;
	if (own < TIMES_N) {
		double seconds = (largest > 0 ? largest : 1) * times[own].seconds;

		/* the largest unit in which the time is at least 1; for 0, the row's own */
		while (shown + 1 < TIMES_N && seconds < times[shown].seconds)
			shown++;
		style.unit = text->ascii ? times[shown].ascii : times[shown].shown;
		style.factor = times[own].seconds / times[shown].seconds;
		style.run_decimals = 3;
	}
	style.decimals = style.run_decimals;
	if (half > 0) /* a small value may need more decimals */
		style.decimals = text_decimals_up_to(
			style.run_decimals > 3 ? style.run_decimals + 3 : DECIMALS_MAX,
			half * style.factor / 10);
	if (style.decimals < style.run_decimals)
		style.run_decimals = style.decimals;
	return style;
}

/* The row's own unit and decimals. */
static struct row_style text_row_style_plain(const struct comparison_row *row,
					     const struct text_style *text)
{
	return (struct row_style){ .text = text,
				   .unit = row->unit,
				   .factor = 1,
				   .decimals = row->decimals,
				   .run_decimals = row->decimals };
}

/* The unit of an event as it is shown: "ms" for "msec". */
static const char *text_unit(const char *unit, const struct text_style *text)
{
	for (size_t i = 0; i < TIMES_N; i++)
		if (strcmp(unit, times[i].name) == 0)
			return text->ascii ? times[i].ascii : times[i].shown;
	return unit;
}

/* ---- Numbers. */

static void text_add_mean(struct str *out, const struct row_style *style, double value)
{
	num_add(out, value * style->factor, style->decimals, style->text->numbers);
}

void text_add_run(struct str *out, const struct row_style *style, double value)
{
	num_add(out, value * style->factor, style->run_decimals, style->text->numbers);
}

/* Half of the mean's confidence interval: 0 if all exact runs are equal; "?" if the error of an
 * estimate is unknown; nothing for one exact run. */
static void text_add_half(struct str *out, const struct row_style *style,
			  const struct comparison_side *side)
{
	if (side->unbounded && side->n > 0)
		str_add(out, "?");
	else if (comparison_has_half(side))
		num_add(out, side->half * style->factor, side->half > 0 ? style->decimals : 0,
			style->text->numbers);
}

void text_add_mean_and_half(struct str *out, const struct row_style *style,
			    const struct comparison_side *side)
{
	text_add_mean(out, style, (double)side->summary.mean);
	if (comparison_has_half(side) || side->unbounded)
		str_add(out, " ± ");
	text_add_half(out, style, side);
}

void text_add_runs(struct str *out, size_t n, const struct num_style *numbers)
{
	num_add(out, n, 0, numbers);
	str_add(out, n == 1 ? " run" : " runs");
}

/* The rounds in which every side ran. */
static size_t text_rounds(const struct comparison *c)
{
	size_t rounds = c->tables[0].runs_n;

	for (size_t i = 1; i < c->input.sides_n; i++)
		if (c->tables[i].runs_n < rounds)
			rounds = c->tables[i].runs_n;
	return rounds;
}

void text_add_run_order(struct str *out, const struct comparison *c,
			const struct num_style *numbers)
{
	size_t rounds = text_rounds(c);

	if (!c->input.paired) {
		str_add(out, "each side run separately");
		return;
	}
	num_add(out, rounds, 0, numbers);
	str_addf(out, " %s of %s commands", rounds == 1 ? "round" : "rounds",
		 c->input.sides_n == 2 ? "both" : "all");
}

void text_add_confidence(struct str *out, const struct comparison *c, const struct text_style *text)
{
	const char *at_least = text->ascii ? ">= " : "≥ ";
	bool more = false;

	for (size_t i = 0; i < c->rows_n; i++)
		more |= c->rows[i].shown && c->rows[i].confidence > c->input.confidence;
	str_addf(out, "%s%.6g %%", more ? at_least : "", c->input.confidence * 100);
}

/* With its sign, unless all digits are 0. */
static void text_add_signed(struct str *out, double value, int decimals,
			    const struct num_style *numbers)
{
	cleanup_str struct str digits = { 0 };

	num_add(&digits, fabs(value), decimals, numbers);
	if (strpbrk(str_text(&digits), "123456789"))
		str_add(out, value < 0 ? "-" : "+");
	str_append(out, &digits);
}

void text_add_column(struct str *out, enum text_column column, const struct row_style *style,
		     const struct comparison_side *side)
{
	int decimals;

	switch (column) {
	case COLUMN_MEAN:
		if (side->scaled)
			str_add(out, style->text->ascii ? "~" : "≈");
		text_add_mean(out, style, (double)side->summary.mean);
		break;
	case COLUMN_HALF:
		text_add_half(out, style, side);
		break;
	case COLUMN_MEDIAN:
		text_add_mean(out, style, (double)side->summary.median);
		break;
	case COLUMN_SPREAD:
		if (side->n < 2)
			break;
		/* two decimals, or two digits of a smaller spread */
		decimals = text_decimals(side->spread_percent / 10);
		if (side->spread_percent > 0 && decimals < PERCENT_DECIMALS)
			decimals = PERCENT_DECIMALS;
		num_add(out, side->spread_percent, decimals, style->text->numbers);
		str_add(out, " %");
		break;
	case COLUMN_MIN:
		text_add_run(out, style, (double)side->summary.min);
		break;
	case COLUMN_MAX:
		text_add_run(out, style, (double)side->summary.max);
		break;
	case COLUMN_OUTLIERS:
		if (side->n > 1)
			num_add(out, side->outliers, 0, style->text->numbers);
		break;
	case TEXT_COLUMNS_N:
		break;
	}
}

/* ---- Changes. */

static bool text_has_interval(const struct contrast *contrast)
{
	return contrast->difference.low < contrast->difference.high ||
	       contrast->ratio.low < contrast->ratio.high;
}

static double text_percent(double ratio)
{
	return (ratio - 1) * 100;
}

static void text_add_percent(struct str *out, double value, int decimals,
			     const struct num_style *numbers)
{
	if (value > PERCENT_MAX)
		str_add(out, ">");
	text_add_signed(out, value > PERCENT_MAX ? PERCENT_MAX : value, decimals, numbers);
}

/*
 * The decimals of an interval's ends: one digit of a quarter of the width, or two if the first is a
 * 1. Up to two more are added if an end that is not 0 would otherwise look like 0, because its sign
 * matters.
 */
static int text_interval_decimals(double low, double high)
{
	int decimals = text_decimals((high - low) / 4);
	double least = 0.5;

	for (int i = 0; i < decimals; i++)
		least /= 10;
	for (int more = 0; more < 2; more++, least /= 10)
		if ((low != 0 && fabs(low) < least) || (high != 0 && fabs(high) < least))
			decimals++;
	return decimals;
}

/* An exact change has at least two digits. */
static int text_percent_decimals(const struct contrast *contrast)
{
	int decimals;

	if (text_has_interval(contrast))
		return text_interval_decimals(text_percent(contrast->ratio.low),
					      text_percent(contrast->ratio.high));
	if (contrast->difference.value == 0)
		return 0;
	decimals = text_decimals(fabs(text_percent(contrast->ratio.value)) / 10);
	return decimals > PERCENT_DECIMALS ? decimals : PERCENT_DECIMALS;
}

/* factor: from the row's unit to the one that is shown. */
static int text_difference_decimals(const struct contrast *contrast, double factor, int otherwise)
{
	double low = contrast->difference.low * factor, high = contrast->difference.high * factor;

	return low < high ? text_interval_decimals(low, high) : otherwise;
}

static void text_add_range(struct str *out, double low, double high, int decimals,
			   const struct num_style *numbers,
			   void (*add)(struct str *, double, int, const struct num_style *))
{
	str_add(out, "[");
	add(out, low, decimals, numbers);
	str_add(out, ", ");
	add(out, high, decimals, numbers);
	str_add(out, "]");
}

void text_add_change(struct str *out, const struct row_style *style,
		     const struct contrast *contrast)
{
	const struct num_style *numbers = style->text->numbers;
	int decimals;

	if (!contrast->ratio.withheld) {
		text_add_percent(out, text_percent(contrast->ratio.value),
				 text_percent_decimals(contrast), numbers);
		str_add(out, " %");
		return;
	}
	decimals = contrast->difference.value == 0 && !text_has_interval(contrast) ?
			   0 :
			   text_difference_decimals(contrast, style->factor, style->decimals);
	text_add_signed(out, contrast->difference.value * style->factor, decimals, numbers);
	if (*style->unit)
		str_addf(out, " %s", style->unit);
}

void text_add_interval(struct str *out, const struct row_style *style,
		       const struct contrast *contrast)
{
	const struct num_style *numbers = style->text->numbers;
	const double factor = style->factor;
	double low = text_percent(contrast->ratio.low), high = text_percent(contrast->ratio.high);

	if (contrast->constant && (contrast->difference.value == 0 || contrast->ratio.withheld)) {
		str_add(out, "exact");
	} else if (contrast->constant) {
		/* without random variation the difference is more useful than the ratio */
		str_add(out, "exactly ");
		text_add_signed(out, contrast->difference.value * factor, style->decimals, numbers);
	} else if (!text_has_interval(contrast)) {
		return;
	} else if (contrast->ratio.withheld) {
		text_add_range(out, contrast->difference.low * factor,
			       contrast->difference.high * factor,
			       text_difference_decimals(contrast, factor, style->decimals), numbers,
			       text_add_signed);
	} else if (low < 0 && high > PERCENT_MAX) {
		str_add(out, "[unknown]");
	} else {
		text_add_range(out, low, high, text_percent_decimals(contrast), numbers,
			       text_add_percent);
	}
}

void text_add_contrast(struct str *out, const struct row_style *style,
		       const struct contrast *contrast)
{
	cleanup_str struct str interval = { 0 };

	text_add_change(out, style, contrast);
	text_add_interval(&interval, style, contrast);
	if (interval.len > 0)
		str_add(out, " ");
	str_append(out, &interval);
}

/* ---- Verdicts. */

#define LIMITED_BY_ESTIMATES "limited by the errors of the estimates"

/* More runs are not worth a prediction. */
enum { SECONDS_MAX = 3600 };

static bool text_is_within_reach(const struct runs_needed *needed)
{
	return needed->n > 0 && needed->seconds <= SECONDS_MAX;
}

/* "-r 360, about 12 min": rounded up, the runs to two digits. Their number has no separators, so
 * that it can be copied. */
static void text_add_runs_needed(struct str *out, const struct runs_needed *needed,
				 const struct num_style *numbers)
{
	bool minutes = needed->seconds > 99;
	double time = minutes ? needed->seconds / 60 : needed->seconds;
	unsigned int whole = (unsigned int)time;
	size_t unit = 1;

	while (needed->n / unit >= 100)
		unit *= 10;
	str_addf(out, "-r %zu", (needed->n + unit - 1) / unit * unit);
	if (needed->seconds <= 0)
		return;
	str_add(out, ", about ");
	num_add(out, whole < time ? whole + 1 : whole, 0, numbers);
	str_add(out, minutes ? " min" : " s");
}

/* The larger spread of both sides. */
static void text_add_noise(struct str *out, const struct comparison_row *row, size_t side,
			   const struct num_style *numbers)
{
	bool first = row->sides[0].spread_percent > row->sides[side].spread_percent;
	double spread = row->sides[first ? 0 : side].spread_percent;

	num_add(out, spread, text_decimals(spread / 10), numbers);
	str_add(out, " %");
}

/* A minimum effect, which is a share: "1 %". */
static void text_add_effect(struct str *out, double effect, const struct num_style *numbers)
{
	num_add(out, effect * 100, text_decimals(effect * 100), numbers);
	str_add(out, " %");
}

static bool text_is_unbounded(const struct comparison_row *row, size_t side)
{
	return row->sides[0].unbounded || row->sides[side].unbounded;
}

static void text_add_unclear(struct str *out, const struct comparison_row *row, size_t side,
			     const struct text_style *text)
{
	const struct contrast *contrast = &row->contrasts[side];
	const struct runs_needed *needed = &row->sides[side].runs_needed;

	if (contrast->disagree)
		str_add(out, "the two statistical tests disagree");
	else if (contrast->corrected)
		str_add(out, "too weak among so many rows");
	else if (contrast->by_estimates && text_is_unbounded(row, side))
		str_add(out, "the error of the estimates is unknown");
	else if (contrast->by_estimates)
		str_add(out, LIMITED_BY_ESTIMATES);
	if (contrast->by_estimates && text_is_unbounded(row, side))
		return;
	if (!contrast->by_ratio || row->minimum_effect <= 0 ||
	    (needed->n > 0 && needed->n <= row->sides[side].n &&
	     contrast->ratio.method != ESTIMATE_ANY_TIME))
		return;
	if (out->len > 0)
		str_add(out, "; ");
	if (text_is_within_reach(needed)) {
		str_add(out, "to resolve ");
		text_add_effect(out, row->minimum_effect, text->numbers);
		str_add(out, ": ");
		text_add_runs_needed(out, needed, text->numbers);
	} else {
		text_add_effect(out, row->minimum_effect, text->numbers);
		str_add(out, " is not within reach");
		if (!contrast->by_estimates) {
			str_add(out, "; noise is ");
			text_add_noise(out, row, side, text->numbers);
		}
	}
}

void text_add_hint(struct str *out, const struct comparison_row *row, size_t side,
		   const struct text_style *text)
{
	switch (comparison_verdict(row, side)) {
	case VERDICT_UNCLEAR:
		text_add_unclear(out, row, side, text);
		break;
	case VERDICT_TOO_FEW:
		str_addf(out, "%zu needed", row->sides[side].runs_least);
		break;
	case VERDICT_BETTER:
	case VERDICT_WORSE:
		if (row->sides[0].summary.mean == 0)
			str_add(out, "from 0");
		break;
	case VERDICT_SAME:
	case VERDICT_ABSENT:
	case VERDICT_NONE:
		break;
	}
}

void text_add_name(struct str *out, const struct comparison_row *row)
{
	str_add(out, row->of->name);
	if (*row->of->place->label)
		str_addf(out, " %s", row->of->place->label);
	if (row->of->cgroup)
		str_addf(out, " %s", row->of->cgroup);
}

bool text_has_counts(const struct comparison_row *row, size_t sides_n)
{
	for (size_t i = 0; i < sides_n; i++)
		if (row->sides[i].n > 0)
			return true;
	return false;
}

bool text_is_shown(const struct comparison_row *row, size_t sides_n)
{
	return row->shown && (row->claim != CLAIM_NONE || text_has_counts(row, sides_n));
}

/* The ratio of a side's values to those of the reference, as the sentences have it; without such a
 * ratio, the mean. */
static double text_amount_of(const struct comparison_row *row, size_t sides_n, size_t side)
{
	for (size_t i = 1; i < sides_n; i++)
		if (row->contrasts[i].ratio.withheld)
			return (double)row->sides[side].summary.mean;
	return side > 0 ? row->contrasts[side].ratio.value : 1;
}

void text_add_ratio_to_best(struct str *out, const struct comparison *c,
			    const struct comparison_row *row, size_t side,
			    const struct num_style *numbers)
{
	const double best = text_amount_of(row, c->input.sides_n, c->order[0]);

	if (c->best.row && row->sides[side].n > 0 && best > 0)
		num_add(out, text_amount_of(row, c->input.sides_n, side) / best, 2, numbers);
}

/* ---- The conclusion. */

/* A factor from which on "1.1 times as fast" is clearer than a percentage. */
#define FACTOR_MIN 1.1

static int text_factor_decimals(double factor)
{
	return factor < 2 ? 2 : factor < 10 ? 1 : 0;
}

void text_add_label(struct str *out, const struct comparison_row *row)
{
	if (row->of->tool == TOOL_DURATION_TIME)
		str_add(out, "elapsed time");
	else if (comparison_is_time(row) && row->of->event->implied)
		str_add(out, "CPU time");
	else
		text_add_name(out, row);
}

/* The size of a change without its sign, with a blank after it: "3.1 % "; nothing if there is no
 * ratio. */
static void text_add_size(struct str *out, const struct contrast *contrast,
			  const struct num_style *numbers)
{
	if (contrast->ratio.withheld)
		return;
	num_add(out, fabs(text_percent(contrast->ratio.value)), text_percent_decimals(contrast),
		numbers);
	str_add(out, " % ");
}

/* " uses 3.1 % more CPU time than " */
static void text_add_usage(struct str *out, const struct comparison_row *row, size_t side,
			   const struct num_style *numbers)
{
	const enum verdict verdict = comparison_verdict(row, side);
	const struct contrast *contrast = &row->contrasts[side];

	if (verdict == VERDICT_SAME) {
		str_add(out, " uses as much CPU time as ");
	} else if (verdict == VERDICT_UNCLEAR) {
		str_add(out, " does not clearly use more or less CPU time than ");
	} else {
		str_add(out, " uses ");
		text_add_size(out, contrast, numbers);
		str_add(out, contrast->change == CHANGE_LESS ? "less CPU time than " :
							       "more CPU time than ");
	}
}

/* " is 3.1 % slower than ", " takes 1.9 times as long as " */
static void text_add_speed(struct str *out, const struct contrast *contrast,
			   const struct num_style *numbers)
{
	bool faster = contrast->change == CHANGE_LESS;
	double ratio = contrast->ratio.value, factor = faster && ratio > 0 ? 1 / ratio : ratio;

	if (contrast->ratio.withheld || factor < FACTOR_MIN) {
		str_add(out, " is ");
		text_add_size(out, contrast, numbers);
		str_add(out, faster ? "faster than " : "slower than ");
		return;
	}
	str_add(out, faster ? " is " : " takes ");
	num_add(out, factor, text_factor_decimals(factor), numbers);
	str_add(out, faster ? " times as fast as " : " times as long as ");
}

/* " has more instructions than ", " has a lower ipc than " */
static void text_add_amount(struct str *out, const struct comparison_row *row, size_t side)
{
	bool plain = row->of->kind == OF_EVENT && !*row->unit;
	bool more = row->contrasts[side].change == CHANGE_MORE;

	if (plain)
		str_add(out, more ? " has more " : " has fewer ");
	else
		str_add(out, more ? " has a higher " : " has a lower ");
	text_add_label(out, row);
	str_add(out, " than ");
}

/* Whether the elapsed time is shown and changed in the opposite direction to the CPU time. */
static bool text_elapsed_contradicts(const struct comparison *c,
				     const struct comparison_row *cpu_time, size_t side)
{
	const struct comparison_row *elapsed = comparison_elapsed(c);
	const double cpu = cpu_time->contrasts[side].ratio.value;

	return elapsed && elapsed->shown && !elapsed->contrasts[side].ratio.withheld &&
	       (cpu - 1) * (elapsed->contrasts[side].ratio.value - 1) < 0;
}

/* The relation of a side with a verdict to the reference. */
static void text_add_relation(struct str *out, const struct comparison *c, size_t side,
			      const struct num_style *numbers)
{
	const struct comparison_row *row = c->leading;
	const enum verdict verdict = comparison_verdict(row, side);
	const bool time = comparison_is_time(row);
	const bool changed = verdict != VERDICT_SAME && verdict != VERDICT_UNCLEAR;

	if (time && row->of->tool != TOOL_DURATION_TIME &&
	    (!comparison_cpu_time_is_speed(c) ||
	     (changed && text_elapsed_contradicts(c, row, side)))) {
		text_add_usage(out, row, side, numbers);
	} else if (!changed) {
		bool same = verdict == VERDICT_SAME;

		if (time) {
			str_add(out, same ? " is as fast as " :
					    " is not clearly faster or slower than ");
			return;
		}
		str_add(out, same ? " has the same " : " does not clearly differ in ");
		text_add_label(out, row);
		str_add(out, same ? " as " : " from ");
	} else if (time) {
		text_add_speed(out, &row->contrasts[side], numbers);
	} else {
		text_add_amount(out, row, side);
	}
}

/* ", 40 rounds in 9.8 s", or ", 10 and 12 runs" */
static void text_add_effort(struct str *out, const struct comparison *c,
			    const struct num_style *numbers)
{
	double seconds = 0;

	str_add(out, ", ");
	for (size_t i = 0; i < c->input.sides_n; i++) {
		seconds += comparison_run_seconds(c, i) * (double)c->tables[i].runs_n;
		if (!c->input.paired && i > 0)
			str_add(out, i + 1 == c->input.sides_n ? " and " : ", ");
		if (!c->input.paired)
			num_add(out, c->tables[i].runs_n, 0, numbers);
	}
	if (!c->input.paired) {
		str_add(out, " runs");
		return;
	}
	num_add(out, text_rounds(c), 0, numbers);
	str_add(out, text_rounds(c) == 1 ? " round in " : " rounds in ");
	/* one decimal from 0.1 to 100 s; a shorter time has two digits, so that it is not 0 */
	num_add(out, seconds,
		seconds >= 100 ? 0 :
		seconds >= 0.1 ? 1 :
				 text_decimals(seconds / 10),
		numbers);
	str_add(out, " s");
}

void text_add_finding(struct str *out, const struct comparison *c, size_t side,
		      const struct num_style *numbers)
{
	const enum verdict verdict =
		c->leading ? comparison_verdict(c->leading, side) : VERDICT_ABSENT;

	if (verdict == VERDICT_ABSENT)
		str_add(out, " cannot be compared with ");
	else if (verdict == VERDICT_TOO_FEW)
		str_add(out, " has too few runs for a verdict against ");
	else
		text_add_relation(out, c, side, numbers);
}

void text_add_evidence(struct str *out, const struct comparison *c, size_t side,
		       const struct text_style *text)
{
	const struct comparison_row *row = c->leading;
	struct row_style style;

	if (!row || comparison_verdict(row, side) == VERDICT_ABSENT) {
		str_add(out, ": nothing was counted on both sides");
		return;
	}
	if (comparison_verdict(row, side) == VERDICT_TOO_FEW)
		str_addf(out, " (%zu needed)", row->sides[side].runs_least);
	style = text_row_style_of(row, c->input.sides_n, text);
	str_add(out, ": ");
	if (comparison_is_time(row) || comparison_verdict(row, side) == VERDICT_TOO_FEW) {
		text_add_label(out, row);
		str_add(out, " ");
	}
	text_add_contrast(out, &style, &row->contrasts[side]);
	text_add_effort(out, c, text->numbers);
}

void text_add_conclusion(struct str *out, const struct comparison *c, size_t side,
			 const struct text_style *text)
{
	str_add(out, c->input.sides[side].name);
	text_add_finding(out, c, side, text->numbers);
	str_add(out, c->input.sides[0].name);
	text_add_evidence(out, c, side, text);
}

static int text_add_note(struct str_list *notes, const struct str *note)
{
	return note->failed ? -ENOMEM : str_list_add(notes, str_text(note));
}

enum { BEST_NAMES_MAX = 3 };

/* "; the next, b, takes 2.8 times as long", or "; the next, b: +8 % [+5, +11]" */
static void text_add_next(struct str *out, const struct comparison *c,
			  const struct text_style *text)
{
	const struct best_sides *best = &c->best;
	const struct row_style style = text_row_style_of(best->row, c->input.sides_n, text);
	const double factor = best->contrast.ratio.value;

	str_addf(out, "; the next, %s", c->input.sides[best->next].name);
	if (comparison_is_time(best->row) && !best->contrast.ratio.withheld &&
	    factor >= FACTOR_MIN) {
		str_add(out, ", takes ");
		num_add(out, factor, text_factor_decimals(factor), text->numbers);
		str_add(out, " times as long");
	} else {
		str_add(out, ": ");
		text_add_contrast(out, &style, &best->contrast);
	}
}

/* ": these are not distinguishable (b: +1.2 % [-0.3, +2.7])"; only two sides have an interval. */
static void text_add_alike(struct str *out, const struct comparison *c,
			   const struct text_style *text)
{
	const struct best_sides *best = &c->best;
	const struct row_style style = text_row_style_of(best->row, c->input.sides_n, text);

	str_add(out, ": these are not distinguishable");
	if (best->n > 2)
		return;
	str_addf(out, " (%s: ", c->input.sides[best->next].name);
	text_add_contrast(out, &style, &best->contrast);
	str_add(out, ")");
}

/* Name the best side, or the sides that may be the best: "a, b or c", or the first names and the
 * number of the others. */
static int text_remark_best(struct str_list *remarks, const struct comparison *c,
			    const struct text_style *text)
{
	const struct best_sides *best = &c->best;
	cleanup_str struct str remark = { 0 };

	if (!best->row)
		return 0;
	str_add(&remark, best->n == c->input.sides_n ? "Best: unknown" : "Best: ");
	for (size_t i = 0; best->n < c->input.sides_n && i < best->n && i < BEST_NAMES_MAX; i++) {
		if (i > 0)
			str_add(&remark, i + 1 == best->n ? " or " : ", ");
		str_add(&remark, c->input.sides[best->sides[i]].name);
	}
	if (best->n < c->input.sides_n && best->n > BEST_NAMES_MAX)
		str_addf(&remark, " or %zu more", best->n - BEST_NAMES_MAX);
	str_add(&remark, " (");
	text_add_label(&remark, best->row);
	str_add(&remark, ")");
	if (best->n == c->input.sides_n)
		str_add(&remark, ": the sides are not distinguishable");
	else if (best->n > 1)
		text_add_alike(&remark, c, text);
	else
		text_add_next(&remark, c, text);
	text_add_effort(&remark, c, text->numbers);
	return text_add_note(remarks, &remark);
}

/* Whether the commands of some side, which hardly wait, took far longer than they used a CPU, and
 * were preempted. The start of a process takes part of the first millisecond. */
static bool text_is_busy(const struct comparison *c, double *factor)
{
	*factor = 0;
	for (size_t i = 0; i < c->input.sides_n; i++) {
		const struct time_spent spent = comparison_time_spent(c, i);
		const double ratio = spent.cpu > 0 ? spent.elapsed / spent.cpu : 0;

		if (ratio > 1.5 && ratio > *factor &&
		    spent.elapsed - spent.cpu > (double)spent.runs * 2e6 &&
		    comparison_hardly_waits(&spent) && spent.preempted > 2 * spent.waits)
			*factor = ratio;
	}
	return *factor > 0;
}

int text_remarks(struct str_list *remarks, const struct comparison *c,
		 const struct text_style *text)
{
	int err = text_remark_best(remarks, c, text);
	cleanup_str struct str busy = { 0 };
	double factor;
	bool drifts = false; /* a change that the conclusion reports may come from the machine */

	for (size_t i = 0; !c->input.paired && i < c->rows_n; i++)
		for (size_t side = 1; side < c->input.sides_n; side++) {
			enum verdict verdict = comparison_verdict(&c->rows[i], side);

			drifts |= c->rows[i].drifts &&
				  (verdict == VERDICT_BETTER || verdict == VERDICT_WORSE);
		}
	if (err == 0 && text_is_busy(c, &factor)) {
		str_add(&busy, "This machine is busy: the commands took ");
		num_add(&busy, factor, text_factor_decimals(factor), text->numbers);
		str_add(&busy, " times their CPU time, but hardly slept");
		err = text_add_note(remarks, &busy);
	}
	if (err == 0 && drifts)
		err = str_list_add(
			remarks,
			"The sides were measured at different times: a change in the machine looks "
			"like a difference (-c OLD -c NEW runs both in turn)");
	if (err == 0 && c->input.any_time && !c->input.paired)
		err = str_list_add(
			remarks,
			"The runs ended when somebody interrupted them: if the result was watched, "
			"the verdicts are wrong more often than planned (-r N)");
	return err;
}

/* ---- Notes. */

/* The rows that would be shown if they had counts. */
static int text_note_absent(struct str_list *notes, const struct comparison *c)
{
	cleanup_str struct str note = { 0 };

	for (size_t i = 0; i < c->rows_n; i++) {
		if (!c->rows[i].shown || text_is_shown(&c->rows[i], c->input.sides_n))
			continue;
		str_add(&note, note.len ? ", " : "Not shown (no counts on any side): ");
		text_add_name(&note, &c->rows[i]);
		if (c->tables[0].max_rss_unknown && c->rows[i].of->tool == TOOL_MAX_RSS)
			str_add(&note, " (below pstat's own)");
	}
	return note.len ? text_add_note(notes, &note) : 0;
}

/* A difference between two percentages that a reader notices. */
#define VISIBLE_PERCENT 0.5

/* How a change is computed, if the means that are shown suggest a visibly different change. */
static int text_note_change(struct str_list *notes, const struct comparison *c)
{
	bool departs = false;

	for (size_t i = 0; i < c->rows_n; i++) {
		const struct comparison_side *sides = c->rows[i].sides;
		const long double reference = sides[0].summary.mean;

		for (size_t side = 1; c->rows[i].shown && side < c->input.sides_n; side++) {
			const struct estimate *ratio = &c->rows[i].contrasts[side].ratio;
			double shown;

			if (sides[0].n == 0 || sides[side].n == 0 || ratio->withheld ||
			    !(reference > 0))
				continue;
			shown = text_percent((double)(sides[side].summary.mean / reference));
			departs |= fabs(shown - text_percent(ratio->value)) > VISIBLE_PERCENT;
		}
	}
	if (!departs)
		return 0;
	return str_list_add(notes,
			    c->input.paired ?
				    "Change: from the pairs of each round, not from the means" :
				    "Change: from the geometric means, not from the means");
}

/* Below this mean, in milliseconds, a few scheduler ticks of up to 10 ms matter. */
enum { ROUGH_MSEC = 1000 };

/* Times of a mode that the kernel may derive from its scheduler ticks. */
static int text_note_ticks(struct str_list *notes, const struct comparison *c)
{
	cleanup_str struct str note = { 0 };

	for (size_t i = 0; i < c->rows_n; i++) {
		const struct comparison_row *row = &c->rows[i];
		bool rough = false;

		if (!row->shown ||
		    (row->of->tool != TOOL_USER_TIME && row->of->tool != TOOL_SYSTEM_TIME))
			continue;
		for (size_t side = 0; side < c->input.sides_n; side++)
			rough |= row->sides[side].n > 0 &&
				 (double)row->sides[side].summary.mean < ROUGH_MSEC;
		if (rough)
			str_addf(&note, "%s%s", note.len ? ", " : "", row->of->name);
	}
	if (note.len)
		str_add(&note, ": rough, because the kernel divides a time below 1 s "
			       "by its scheduler ticks");
	return note.len ? text_add_note(notes, &note) : 0;
}

int text_row_warnings(struct str_list *notes, const struct comparison *c,
		      const struct text_style *text)
{
	bool scaled = false;
	int err = 0;

	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t k = 0; c->rows[i].shown && err == 0 && k < c->input.sides_n; k++) {
			const struct comparison_side *side = &c->rows[i].sides[k];
			cleanup_str struct str note = { 0 };

			scaled |= side->n > 0 && side->scaled;
			if (side->n == 0 || side->n == side->runs_n)
				continue;
			text_add_name(&note, &c->rows[i]);
			str_add(&note, ": counted in ");
			num_add(&note, side->n, 0, text->numbers);
			str_add(&note, " of ");
			num_add(&note, side->runs_n, 0, text->numbers);
			str_addf(&note, " runs of %s", c->input.sides[k].name);
			err = text_add_note(notes, &note);
		}
	if (err == 0 && scaled)
		err = str_list_add(
			notes,
			text->ascii ?
				"~ scaled: an estimate, because the counter ran only part of the time" :
				"≈ scaled: an estimate, because the counter ran only part of the time");
	return err;
}

int text_warn_any_time(struct str_list *notes, size_t n, size_t cases_n)
{
	cleanup_str struct str note = { 0 };

	if (n == 0)
		return 0;
	str_add(&note, "[ ] and verdicts are valid at any time");
	if (n < cases_n)
		str_addf(&note, " in %zu of %zu cases and for the geometric mean", n, cases_n);
	return text_add_note(notes, &note);
}

int text_warnings(struct str_list *notes, const struct comparison *c, const struct text_style *text)
{
	const int err = text_row_warnings(notes, c, text);

	return err < 0 ? err : text_warn_any_time(notes, c->input.any_time && c->input.paired, 1);
}

int text_notes(struct str_list *notes, const struct comparison *c, const struct text_style *text)
{
	int err = text_note_change(notes, c);

	if (err == 0)
		err = text_warnings(notes, c, text);
	if (err == 0)
		err = text_note_ticks(notes, c);
	return err < 0 ? err : text_note_absent(notes, c);
}

/* ---- Gates. */

void text_gate_add_subject(struct str *out, const struct comparison *c, const struct gate *gate)
{
	if (c->input.sides_n > 2)
		str_addf(out, "%s: ", c->input.sides[gate->side].name);
	text_add_name(out, gate->row);
}

/* The number of the limit, as the user wrote it. */
static const char *text_number_of(const struct gate *gate, size_t *n)
{
	const char *number = gate->request->text + strlen(gate->request->text);

	while (number > gate->request->text && !strchr("<>", number[-1]))
		number--;
	number += strspn(number, " ");
	*n = strcspn(number, " %");
	return number;
}

/* "+0.5 %", "+1000 KiB", "+1.80 % (from 34 changes)" */
static void text_add_limit(struct str *out, const struct gate *gate, const struct text_style *text)
{
	const struct limit *limit = &gate->limit;
	size_t n;
	const char *number = text_number_of(gate, &n);

	if (limit->source == LIMIT_HISTORY)
		text_add_signed(out, 100 * limit->value, 2, text->numbers);
	else if (strncmp(number, "auto", n) == 0)
		text_add_signed(out, 100 * limit->value, 0, text->numbers);
	else
		str_add_n(out, number, n);
	if (gate->request->relative)
		str_add(out, " %");
	else if (*gate->row->unit)
		str_addf(out, " %s", text_unit(gate->row->unit, text));
	if (limit->source == LIMIT_HISTORY) /* there is no source without --history */
		str_addf(out, " (from %zu changes)", limit->changes_n);
	else if (limit->source == LIMIT_FALLBACK)
		str_addf(out, " (too little history: %zu of %d changes)", limit->changes_n,
			 HISTORY_CHANGES_MIN);
}

/* The difference and its interval in the row's own unit. It must not be rounded to the limit. */
static void text_add_difference(struct str *out, const struct gate *gate,
				const struct text_style *text)
{
	const struct comparison_row *row = gate->row;
	const struct contrast *contrast = &gate->contrast;
	int decimals = text_difference_decimals(contrast, 1, row->decimals);
	size_t n;
	const char *number = text_number_of(gate, &n);
	const char *point = gate->request->relative ? NULL : memchr(number, '.', n);

	if (contrast->constant && contrast->difference.value == 0)
		decimals = 0;
	if (point && (int)(number + n - point) - 1 > decimals)
		decimals = (int)(number + n - point) - 1;
	text_add_signed(out, contrast->difference.value, decimals, text->numbers);
	if (*row->unit)
		str_addf(out, " %s", text_unit(row->unit, text));
	if (contrast->constant) {
		str_add(out, " exactly");
	} else if (text_has_interval(contrast)) {
		str_add(out, " ");
		text_add_range(out, contrast->difference.low, contrast->difference.high, decimals,
			       text->numbers, text_add_signed);
	}
}

/*
 * The observed change, relative or absolute as the limit is. If nothing varies, it is "+1,697
 * exactly (+3,327 %)".
 */
static void text_add_seen(struct str *out, const struct gate *gate, const struct text_style *text)
{
	const struct row_style plain = text_row_style_plain(gate->row, text);
	const struct contrast *contrast = &gate->contrast;
	double mean = (double)gate->row->sides[0].summary.mean;
	bool has_percent = gate->request->relative && !contrast->ratio.withheld;

	if (!gate->request->relative || contrast->constant)
		text_add_difference(out, gate, text);
	else
		text_add_contrast(out, &plain, contrast);
	if (has_percent && contrast->constant && contrast->difference.value != 0) {
		const double change = text_percent(contrast->ratio.value);

		str_add(out, " (");
		text_add_percent(out, change, text_decimals(fabs(change) / 10), text->numbers);
		str_add(out, " %)");
	} else if (gate->request->relative && !has_percent) { /* name the reference */
		str_add(out, " from ");
		num_add(out, mean, mean > 0 ? gate->row->decimals + 2 : 0, text->numbers);
	}
}

/* The reason for an unclear outcome if the interval does not show it, and the runs needed. */
static void text_add_doubt(struct str *doubt, const struct gate *gate,
			   const struct text_style *text)
{
	const struct contrast *contrast = &gate->contrast;
	const size_t n = gate->row->sides[gate->side].n;
	/* a test for a planned number of runs needs fewer than one that is valid at any time */
	const bool needs_runs =
		gate->runs_needed.n > (contrast->ratio.method == ESTIMATE_ANY_TIME ? 0 : n);

	if (gate->disagree)
		str_add(doubt, "the two statistical tests disagree");
	else if (gate->limits_n)
		str_addf(doubt, "corrected for %zu limits", gate->limits_n);
	else if (contrast->by_estimates)
		str_add(doubt, LIMITED_BY_ESTIMATES);
	if (doubt->len && (needs_runs || gate->runs_least > n))
		str_add(doubt, "; ");
	if (needs_runs && !text_is_within_reach(&gate->runs_needed)) {
		str_add(doubt, "a decision is not within reach");
		if (!contrast->by_estimates) {
			str_add(doubt, "; noise is ");
			text_add_noise(doubt, gate->row, gate->side, text->numbers);
		}
	} else if (needs_runs) {
		str_add(doubt, "to decide: ");
		text_add_runs_needed(doubt, &gate->runs_needed, text->numbers);
	} else if (gate->runs_least > n) {
		str_addf(doubt, "at least %zu runs of each side needed", gate->runs_least);
	}
	if (gate->cpu_time_varies_less)
		str_addf(doubt, "%stask-clock varies less", doubt->len ? "; " : "");
	/* identical commands with varying counts never prove a limit of 0 */
	if (gate->limit.value == 0)
		str_addf(doubt, "%sa count that varies needs a margin: %s%s1%%",
			 doubt->len ? "; " : "", gate->request->name,
			 gate->request->above ? ">+" : "<-");
}

void text_gate_add_outcome(struct str *out, const struct gate *gate, const struct text_style *text)
{
	cleanup_str struct str detail = { 0 };
	const char *outcome = comparison_outcome_text(gate->evidence.outcome);

	if (gate->state == GATE_ABSENT)
		str_add(out, "not counted");
	else
		text_add_seen(out, gate, text);
	str_add(out, ", limit ");
	text_add_limit(out, gate, text);
	if (gate->state != GATE_JUDGED) {
		outcome = "not judged";
		if (gate->state == GATE_UNBOUNDED)
			str_add(&detail, "scaled counts without a confidence interval");
		else if (gate->state == GATE_TOO_FEW)
			str_addf(&detail, "too few runs: %zu needed", gate->runs_least);
	} else if (gate->evidence.outcome == GATE_UNCLEAR) {
		text_add_doubt(&detail, gate, text);
	} else if (gate->evidence.outcome == GATE_CROSSED && gate->drifts) {
		str_add(&detail, "measured at different times");
	}
	str_addf(out, detail.len ? ": %s (%s)" : ": %s", outcome, str_text(&detail));
	out->failed |= detail.failed;
}

void text_gate_add_sentence(struct str *out, const struct comparison *c, const struct gate *gate,
			    const struct text_style *text)
{
	text_gate_add_subject(out, c, gate);
	str_add(out, " ");
	text_gate_add_outcome(out, gate, text);
}
