/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/compare_text.h"

enum { DECIMALS_MAX = 6, PERCENT_DECIMALS = 2 };

/* A larger change, in percent, is not told from others. */
#define PERCENT_MAX 999999.0

/* Units of time: their names in events, and how many seconds they are. */
static const struct {
	const char *name, *shown, *ascii;
	double seconds;
} times[] = {
	{ "sec", "s", "s", 1 },	      { "s", "s", "s", 1 },	    { "msec", "ms", "ms", 1e-3 },
	{ "ms", "ms", "ms", 1e-3 },   { "usec", "µs", "us", 1e-6 }, { "us", "µs", "us", 1e-6 },
	{ "nsec", "ns", "ns", 1e-9 }, { "ns", "ns", "ns", 1e-9 },
};

enum { TIMES_N = sizeof(times) / sizeof(times[0]) };

int text_decimals(double worth)
{
	int decimals = 0;

	if (!(worth > 0))
		return 0;
	for (double unit = 1; unit > worth * (1 + 1e-9) && decimals < DECIMALS_MAX; unit /= 10)
		decimals++;
	return decimals;
}

/* ---- The unit and the decimals of a row. */

static double largest_mean(const struct comparison_row *row, size_t sides_n)
{
	double largest = 0;

	for (size_t i = 0; i < sides_n; i++)
		if (row->sides[i].n > 0 && (double)row->sides[i].summary.mean > largest)
			largest = (double)row->sides[i].summary.mean;
	return largest;
}

/* The smallest that is not 0; 0: there is none. */
static double smallest_half(const struct comparison_row *row, size_t sides_n)
{
	double smallest = 0;

	for (size_t i = 0; i < sides_n; i++)
		if (row->sides[i].half > 0 && (smallest == 0 || row->sides[i].half < smallest))
			smallest = row->sides[i].half;
	return smallest;
}

/* The largest unit of which the time, in the row's own, has one at least; the row's own for 0. */
static void choose_time(struct row_style *style, double seconds_each, double largest)
{
	double seconds = (largest > 0 ? largest : 1) * seconds_each;

	for (size_t i = 0; i < TIMES_N; i++) {
		if (seconds < times[i].seconds && i + 1 < TIMES_N)
			continue;
		style->unit = style->text->ascii ? times[i].ascii : times[i].shown;
		style->factor = seconds_each / times[i].seconds;
		return;
	}
}

struct row_style row_style_of(const struct comparison_row *row, size_t sides_n,
			      const struct text_style *text)
{
	struct row_style style = {
		.text = text, .unit = row->unit, .factor = 1, .run_decimals = row->decimals
	};
	double half = smallest_half(row, sides_n);

	for (size_t i = 0; i < TIMES_N; i++) {
		if (strcmp(row->unit, times[i].name) != 0)
			continue;
		choose_time(&style, times[i].seconds, largest_mean(row, sides_n));
		style.run_decimals = 3;
		break;
	}
	style.decimals = half > 0 ? text_decimals(half * style.factor / 10) : style.run_decimals;
	if (style.decimals < style.run_decimals)
		style.run_decimals = style.decimals;
	return style;
}

const char *text_unit(const char *unit, const struct text_style *text)
{
	for (size_t i = 0; i < TIMES_N; i++)
		if (strcmp(unit, times[i].name) == 0)
			return text->ascii ? times[i].ascii : times[i].shown;
	return unit;
}

/* ---- Numbers. */

void text_add_mean(struct str *out, const struct row_style *style, double value)
{
	num_add(out, value * style->factor, style->decimals, style->text->numbers);
}

void text_add_run(struct str *out, const struct row_style *style, double value)
{
	num_add(out, value * style->factor, style->run_decimals, style->text->numbers);
}

/* How many rounds have a run of each side. */
static size_t count_rounds(const struct comparison *c)
{
	size_t rounds = c->results[0].input.runs_n;

	for (size_t i = 1; i < c->input.sides_n; i++)
		if (c->results[i].input.runs_n < rounds)
			rounds = c->results[i].input.runs_n;
	return rounds;
}

void text_add_run_order(struct str *out, const struct comparison *c,
			const struct num_style *numbers)
{
	size_t rounds = count_rounds(c);

	if (!c->input.paired) {
		str_add(out, "each side by itself");
		return;
	}
	num_add(out, rounds, 0, numbers);
	str_addf(out, " %s of all sides, seed %llu", rounds == 1 ? "block" : "blocks",
		 (unsigned long long)c->input.seed);
}

void text_add_half(struct str *out, const struct row_style *style,
		   const struct comparison_side *side)
{
	if (side->n > 1)
		num_add(out, side->half * style->factor, side->half > 0 ? style->decimals : 0,
			style->text->numbers);
}

/* With its sign, and none where nothing is left of it. */
static void add_signed(struct str *out, double value, int decimals, const struct num_style *numbers)
{
	cleanup_str struct str digits = { 0 };

	num_add(&digits, fabs(value), decimals, numbers);
	out->failed |= digits.failed;
	if (strpbrk(str_text(&digits), "123456789"))
		str_add(out, value < 0 ? "-" : "+");
	str_add(out, str_text(&digits));
}

void text_add_spread(struct str *out, const struct comparison_side *side,
		     const struct num_style *numbers)
{
	int decimals = text_decimals(side->spread_percent / 10);

	if (side->n < 2)
		return;
	if (side->spread_percent > 0 && decimals < PERCENT_DECIMALS)
		decimals = PERCENT_DECIMALS;
	num_add(out, side->spread_percent, decimals, numbers);
	str_add(out, " %");
}

/* ---- Changes. */

static bool has_interval(const struct contrast *contrast)
{
	return contrast->difference.low < contrast->difference.high ||
	       contrast->ratio.low < contrast->ratio.high;
}

static double percent(double ratio)
{
	return (ratio - 1) * 100;
}

static void add_percent(struct str *out, double value, int decimals,
			const struct num_style *numbers)
{
	if (value > PERCENT_MAX)
		str_add(out, ">");
	add_signed(out, value > PERCENT_MAX ? PERCENT_MAX : value, decimals, numbers);
}

/*
 * What half of an interval is worth: one digit, two where that is a 1; and up to two more as long as an end
 * that is not 0 would be shown as 0, on which side of it decides.
 */
static int interval_decimals(double low, double high)
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

/* An exact change has two digits at least. */
static int percent_decimals(const struct contrast *contrast)
{
	int decimals;

	if (has_interval(contrast))
		return interval_decimals(percent(contrast->ratio.low),
					 percent(contrast->ratio.high));
	if (contrast->difference.value == 0)
		return 0;
	decimals = text_decimals(fabs(percent(contrast->ratio.value)) / 10);
	return decimals > PERCENT_DECIMALS ? decimals : PERCENT_DECIMALS;
}

/* Of a difference, of which one unit is factor of the row's. */
static int difference_decimals(const struct contrast *contrast, double factor, int otherwise)
{
	double low = contrast->difference.low * factor, high = contrast->difference.high * factor;

	return low < high ? interval_decimals(low, high) : otherwise;
}

static void add_range(struct str *out, double low, double high, int decimals,
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
		add_percent(out, percent(contrast->ratio.value), percent_decimals(contrast),
			    numbers);
		str_add(out, " %");
		return;
	}
	decimals = contrast->difference.value == 0 && !has_interval(contrast) ?
			   0 :
			   difference_decimals(contrast, style->factor, style->decimals);
	add_signed(out, contrast->difference.value * style->factor, decimals, numbers);
	if (*style->unit)
		str_addf(out, " %s", style->unit);
}

/* The difference of counts that have no chance in them says more than their ratio. */
static void add_exact(struct str *out, const struct row_style *style,
		      const struct contrast *contrast)
{
	if (contrast->difference.value == 0 || contrast->ratio.withheld) {
		str_add(out, "exact");
		return;
	}
	str_add(out, "exactly ");
	add_signed(out, contrast->difference.value * style->factor, style->decimals,
		   style->text->numbers);
}

void text_add_interval(struct str *out, const struct row_style *style,
		       const struct contrast *contrast)
{
	const struct num_style *numbers = style->text->numbers;

	if (contrast->constant)
		add_exact(out, style, contrast);
	else if (!has_interval(contrast))
		return;
	else if (!contrast->ratio.withheld)
		add_range(out, percent(contrast->ratio.low), percent(contrast->ratio.high),
			  percent_decimals(contrast), numbers, add_percent);
	else
		add_range(out, contrast->difference.low * style->factor,
			  contrast->difference.high * style->factor,
			  difference_decimals(contrast, style->factor, style->decimals), numbers,
			  add_signed);
}

void text_add_difference(struct str *out, const struct comparison_row *row,
			 const struct contrast *contrast, int decimals_min,
			 const struct text_style *text)
{
	int decimals = difference_decimals(contrast, 1, row->decimals);

	if (decimals < decimals_min)
		decimals = decimals_min;
	add_signed(out, contrast->difference.value, decimals, text->numbers);
	if (*row->unit)
		str_addf(out, " %s", text_unit(row->unit, text));
	if (contrast->constant) {
		str_add(out, " exactly");
	} else if (has_interval(contrast)) {
		str_add(out, " ");
		add_range(out, contrast->difference.low, contrast->difference.high, decimals,
			  text->numbers, add_signed);
	}
}

/* ---- Words. */

static void add_unclear(struct str *out, const struct comparison_row *row, size_t side,
			const struct text_style *text)
{
	const struct comparison_side *it = &row->sides[side];

	if (row->contrasts[side].disagree) {
		str_add(out, "t and permutation test disagree");
	} else if (it->runs_needed > it->n) {
		str_add(out, "about ");
		num_add(out, it->runs_needed, 0, text->numbers);
		str_add(out, " runs needed");
	} else if (it->runs_needed == 0 && row->contrasts[side].by_ratio) {
		str_add(out, "over a million runs needed");
	}
}

void text_add_hint(struct str *out, const struct comparison_row *row, size_t side,
		   const struct text_style *text)
{
	const struct contrast *contrast = &row->contrasts[side];

	switch (comparison_verdict(row, side)) {
	case VERDICT_UNCLEAR:
		add_unclear(out, row, side, text);
		break;
	case VERDICT_TOO_FEW:
		str_addf(out, "it takes %zu", contrast->runs_min);
		break;
	case VERDICT_BETTER:
	case VERDICT_WORSE:
		if (row->sides[0].summary.mean == 0)
			str_add(out, "from 0");
		break;
	case VERDICT_SAME:
	case VERDICT_ABSENT:
		break;
	}
}

void text_add_name(struct str *out, const struct comparison_row *row)
{
	str_add(out, row->name);
	if (*row->place)
		str_addf(out, " %s", row->place);
	if (row->cgroup)
		str_addf(out, " %s", row->cgroup);
}

bool text_has_counts(const struct comparison_row *row, size_t sides_n)
{
	for (size_t i = 0; i < sides_n; i++)
		if (row->sides[i].n > 0)
			return true;
	return false;
}

/* ---- Notes. */

static int add_note(struct str_list *notes, const struct str *note)
{
	return note->failed ? -ENOMEM : str_list_add(notes, str_text(note));
}

/* The rows that are left out. */
static int note_absent(struct str_list *notes, const struct comparison *c)
{
	cleanup_str struct str note = { 0 };

	for (size_t i = 0; i < c->rows_n; i++) {
		if (text_has_counts(&c->rows[i], c->input.sides_n))
			continue;
		str_add(&note, note.len ? ", " : "Left out, for no side has counts: ");
		text_add_name(&note, &c->rows[i]);
	}
	return note.len ? add_note(notes, &note) : 0;
}

/* Runs without a count, where others have one. */
static int note_missing(struct str_list *notes, const struct comparison *c,
			const struct comparison_row *row, const struct text_style *text)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++) {
		const struct comparison_side *side = &row->sides[i];
		cleanup_str struct str note = { 0 };

		if (side->n == 0 || side->n == side->runs_n)
			continue;
		text_add_name(&note, row);
		str_add(&note, ": counted in ");
		num_add(&note, side->n, 0, text->numbers);
		str_add(&note, " of ");
		num_add(&note, side->runs_n, 0, text->numbers);
		str_addf(&note, " runs of %s", c->input.sides[i].name);
		err = add_note(notes, &note);
	}
	return err;
}

static bool is_scaled(const struct comparison *c, const struct comparison_row *row)
{
	for (size_t i = 0; i < c->input.sides_n; i++)
		if (row->sides[i].n > 0 && row->sides[i].scaled)
			return true;
	return false;
}

int text_notes(struct str_list *notes, const struct comparison *c, const struct text_style *text)
{
	bool scaled = false;
	int err = 0;

	for (size_t i = 0; err == 0 && i < c->rows_n; i++) {
		scaled |= is_scaled(c, &c->rows[i]);
		err = note_missing(notes, c, &c->rows[i], text);
	}
	if (err == 0 && scaled)
		err = str_list_add(
			notes,
			text->ascii ?
				"~ scaled: estimates, since the counter ran for part of the time" :
				"≈ scaled: estimates, since the counter ran for part of the time");
	return err < 0 ? err : note_absent(notes, c);
}
