/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contrasts, and each side's mean and interval, compared with R's results for the same samples
 * (tests/fixtures/stats/contrasts.R). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "result/comparison.h"
#include "stats/contrast.h"
#include "stats/random.h"
#include "stats/summary.h"
#include "unit/result/counted.h"
#include "unit/reference.h"
#include "unit/test.h"

enum { VALUES_MAX = 64, COLUMNS = 26 };

static size_t values_of(char *text, double *values)
{
	char *save = NULL;
	size_t n = 0;

	for (char *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		assert_true(n < VALUES_MAX);
		values[n++] = strtod(word, NULL);
	}
	return n;
}

/* Check got to 1e-9 of the value in R, or of scale, if scale is larger. */
static void check(const char *name, const char *what, double got, const char *wanted, double scale)
{
	double value = strtod(wanted, NULL);

	if (strcmp(wanted, "NA") == 0)
		return;
	if (!(fabs(got - value) <= 1e-9 * fmax(fabs(value), scale)))
		fail_msg("%s: %s is %.17g, and in R %s", name, what, got, wanted);
}

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-9))
		fail_msg("%.17g instead of %.17g", got, wanted);
}

/* A contrast that is judged alone. */
static struct contrast judged(const struct contrast_input *in, double *scratch)
{
	double alpha = 1 - in->confidence;
	struct contrast c = contrast_of(in, &math, scratch);

	contrast_judge(&c, &(struct contrast_family){ alpha, 1, alpha });
	return c;
}

/*
 * Compare with R: the p of the t test, the p of the permutation test, and the larger of both. If
 * the p of the t test is above 0.3, it is used alone.
 */
static void check_beyond(char **column, const struct contrast_input *in, bool above)
{
	const struct contrast_limit limit = { strtod(column[14], NULL), true, above };
	double scratch[4 * VALUES_MAX];
	double p = contrast_p_beyond(in, &math, &limit, scratch);
	double q = contrast_permutation_beyond(in, &math, &limit, 0.05, scratch).p;
	double both = contrast_evidence_beyond(in, &math, &limit, 0.3, 0.05, scratch);

	check(column[0], "p beyond the limit", p, column[above ? 15 : 16], 0);
	check(column[0], "p of permutations beyond it", q, column[above ? 24 : 25], 0);
	if (p > 0.3 || (summary_is_constant(in->reference, in->reference_n) &&
			summary_is_constant(in->other, in->other_n)))
		assert_true(both == p);
	else
		assert_true(both == fmax(p, q));
}

/* There is an estimate, without an interval and without a verdict. */
static void check_without_interval(const struct contrast *c)
{
	assert_true(c->p == 1 && c->permutation.p == 1);
	assert_true(c->difference.low == c->difference.value &&
		    c->difference.high == c->difference.value);
	assert_true(c->ratio.low == c->ratio.value && c->ratio.high == c->ratio.value);
	assert_int_equal(c->change, CHANGE_TOO_FEW);
}

/* p_same is at most 1 - confidence if and only if the interval is within the minimum effect. */
static void check_same(const struct contrast_input *of, double *scratch)
{
	static const double effects[] = { 0, 0.001, 0.01, 0.05, 0.2, 1, 10 };
	struct contrast_input in = *of;

	for (size_t i = 0; i < N_OF(effects); i++) {
		struct contrast c;
		bool within;

		in.minimum_effect = effects[i];
		c = contrast_estimate(&in, &math, scratch);
		if (c.ratio.withheld || in.reference_n < 2 || in.other_n < 2)
			continue;
		within = c.ratio.low >= 1 / (1 + effects[i]) && c.ratio.high <= 1 + effects[i];
		assert_int_equal(c.p_same <= 1 - in.confidence, within);
	}
}

static void check_side(char **column, const char *what, const struct comparison_side *side,
		       const char *mean, const char *half)
{
	check(column[0], what, (double)side->summary.mean, mean, 0);
	check(column[0], "half of its interval", side->half, half, 0);
}

/* A row of a comparison has the same numbers for these samples. */
static void check_compared(char **column, const struct contrast_input *in)
{
	cleanup_with(counted_release) struct counted reference = { 0 }, other = { 0 };
	cleanup_with(comparison_release) struct comparison comparison = { 0 };
	cleanup_why struct why why = { 0 };
	const struct side_input sides[] = { { "old", &reference.series },
					    { "new", &other.series } };
	const struct comparison_input input = { .sides = sides,
						.sides_n = 2,
						.paired = in->paired,
						.confidence = in->confidence,
						.math = &math };
	const struct comparison_row *row;

	counted_whole(&reference, "cs", in->reference_n);
	counted_set_values(&reference, 0, in->reference);
	counted_whole(&other, "cs", in->other_n);
	counted_set_values(&other, 0, in->other);
	assert_int_equal(comparison_build(&comparison, &input, &why), 0);
	row = &comparison.rows[1];
	check_side(column, "the reference's mean", &row->sides[0], column[17], column[18]);
	check_side(column, "the other's mean", &row->sides[1], column[19], column[20]);
	check(column[0], "first quartile", row->sides[1].first_quartile, column[21], 0);
	check(column[0], "median", (double)row->sides[1].summary.median, column[22], 0);
	check(column[0], "third quartile", row->sides[1].third_quartile, column[23], 0);
	check(column[0], "p in the row", row->contrasts[1].p, column[12], 0);
}

static void check_row(char **column)
{
	double reference[VALUES_MAX], other[VALUES_MAX], scratch[4 * VALUES_MAX];
	struct contrast_input in = { .paired = column[1][0] == '1',
				     .confidence = strtod(column[2], NULL),
				     .minimum_effect = 0.001,
				     .seed = 1 };
	struct contrast c;

	in.reference_n = values_of(column[3], reference);
	in.other_n = values_of(column[4], other);
	in.reference = reference;
	in.other = other;
	c = judged(&in, scratch);
	assert_int_equal(c.by_ratio, column[5][0] == '1');
	check(column[0], "ratio", c.ratio.value, column[6], 0);
	check(column[0], "ratio_low", c.ratio.low, column[7], 0);
	check(column[0], "ratio_high", c.ratio.high, column[8], 0);
	check(column[0], "difference", c.difference.value, column[9], 0);
	check(column[0], "difference_low", c.difference.low, column[10], fabs(c.difference.value));
	check(column[0], "difference_high", c.difference.high, column[11],
	      fabs(c.difference.value));
	check(column[0], "p", c.p, column[12], 0);
	check(column[0], "p of permutations", c.permutation.p, column[13], 0);
	assert_int_equal(c.permutation.exact,
			 strcmp(column[13], "NA") != 0 || in.reference_n < 2 || in.other_n < 2);
	if (in.reference_n < 2 || in.other_n < 2)
		check_without_interval(&c);
	check_same(&in, scratch);
	check_beyond(column, &in, true);
	check_beyond(column, &in, false);
	check_compared(column, &in);
}

static void numbers_agree_with_r(void **state)
{
	assert_in_range(reference_rows("contrasts.tsv", COLUMNS, check_row), 40, 1000);
}

/* The result for two sides with one constant count each. */
struct constant_row {
	int line;
	double reference, other;
	size_t n;
	double minimum_effect;
	enum change change;
	bool constant;
};

static const struct constant_row constant_rows[] = {
	{ ROW, 2000000, 2001000, 2, 0, CHANGE_MORE, true },
	{ ROW, 2001000, 2000000, 2, 0, CHANGE_LESS, true },
	{ ROW, 2000000, 2001000, 2, 0.001, CHANGE_SAME, true },
	{ ROW, 2000000, 2000000, 2, 0, CHANGE_SAME, true },
	/* a change of exactly the minimum effect, and one more */
	{ ROW, 2000000, 2001000, 2, 0.0005, CHANGE_SAME, true },
	{ ROW, 2000000, 2001001, 2, 0.0005, CHANGE_MORE, true },
	{ ROW, 2001000, 2000000, 2, 0.0005, CHANGE_SAME, true },
	{ ROW, 2001001, 2000000, 2, 0.0005, CHANGE_LESS, true },
	{ ROW, 1e15, 1e15 + 1, 2, 0, CHANGE_MORE, true },
	{ ROW, 2000000, 2001000, 1, 0, CHANGE_TOO_FEW, false },
	/* small counts may be equal by chance: two runs prove nothing */
	{ ROW, 3, 4, 2, 0.01, CHANGE_TOO_FEW, false },
	{ ROW, 3, 4, 3, 0.01, CHANGE_MORE, true },
	{ ROW, 97, 98, 2, 0.001, CHANGE_TOO_FEW, false },
	{ ROW, 97, 98, 3, 0.001, CHANGE_MORE, true },
	{ ROW, 10000, 10001, 2, 0.001, CHANGE_SAME, true },
	{ ROW, 10000, 9985, 2, 0.001, CHANGE_TOO_FEW, false },
	{ ROW, 10015, 10000, 2, 0.001, CHANGE_LESS, true },
	{ ROW, 0, 0, 2, 0.01, CHANGE_TOO_FEW, false },
	{ ROW, 0, 0, 3, 0.01, CHANGE_SAME, true },
	{ ROW, 0, 7, 3, 0.01, CHANGE_MORE, true },
	{ ROW, 7, 0, 6, 0.01, CHANGE_LESS, true },
};

static void constant_counts_are_exact(void **state)
{
	for (size_t i = 0; i < sizeof(constant_rows) / sizeof(constant_rows[0]); i++) {
		const struct constant_row *row = &constant_rows[i];
		double reference[8], other[8], scratch[32];
		struct contrast c;

		for (size_t run = 0; run < row->n; run++) {
			reference[run] = row->reference;
			other[run] = row->other;
		}
		c = judged(&(struct contrast_input){ reference, other, row->n, row->n, true, 0.95,
						     row->minimum_effect, 1 },
			   scratch);
		if (c.change != row->change || c.constant != row->constant)
			fail_msg("row of line %d: verdict %d, constant %d", row->line, c.change,
				 c.constant);
		assert_true(c.difference.value == row->other - row->reference);
		assert_true(c.difference.low == c.difference.value);
		assert_true(c.difference.high == c.difference.value);
	}
}

/* A contrast of a family needs a smaller p than a single contrast. */
static void a_family_is_judged_at_a_smaller_level(void **state)
{
	static const double reference[] = { 100, 101, 99, 100, 102, 98, 100, 101 };
	static const double other[] = { 102, 104, 101, 103, 105, 101, 103, 103 };
	const struct contrast_input in = { reference, other, 8, 8, true, 0.95, 0.01, 1 };
	static const struct {
		int line;
		double level;
		enum change change;
		bool disagree;
	} rows[] = {
		{ ROW, 0.05, CHANGE_MORE, false },
		{ ROW, 0.05 / 6, CHANGE_MORE, false },
		{ ROW, 0.05 / 7, CHANGE_TOO_FEW, false }, /* the p of 8 pairs is at least 2 / 2^8 */
		{ ROW, 0.05 / 1000, CHANGE_TOO_FEW, false },
	};
	double scratch[32];
	struct contrast c = contrast_of(&in, &math, scratch);

	for (size_t i = 0; i < N_OF(rows); i++) {
		contrast_judge(&c, &(struct contrast_family){ 0.05, 1, rows[i].level });
		row_int(&rows[i], c.change, rows[i].change);
		row_int(&rows[i], c.disagree, rows[i].disagree);
	}
	c.floor = 0; /* as if there were more runs: now only the permutation test disagrees */
	contrast_judge(&c, &(struct contrast_family){ 0.05, 7, 0.05 / 7 });
	assert_int_equal(c.change, CHANGE_UNCLEAR);
	assert_true(c.disagree);
	assert_true(c.corrected);
}

/* The rule of Benjamini and Hochberg: k p values are at most k * alpha / n. */
static void the_level_of_a_family_depends_on_all_p(void **state)
{
	enum { MAX = 4 };
	static const struct {
		int line;
		double p[MAX];
		size_t n;
		double permutation; /* the p of this test, if it is larger */
		double level;
	} rows[] = {
		{ ROW, { 0.04 }, 1, 0, 0.05 },
		{ ROW, { 0.04, 0.9 }, 2, 0, 0.025 },
		{ ROW, { 0.04, 0.05 }, 2, 0, 0.05 },
		{ ROW, { 0.04, 0.051 }, 2, 0, 0.025 },
		{ ROW, { 0.9, 0.001, 0.024, 0.8 }, 4, 0, 0.025 },
		{ ROW, { 0.9, 0.001, 0.026, 0.8 }, 4, 0, 0.0125 },
		{ ROW, { 0.037, 0.001, 0.03, 0.8 }, 4, 0, 0.0375 }, /* the third decides for both */
		{ ROW, { 0.001, 0.001, 0.001, 0.001 }, 4, 0.03, 0.05 },
		{ ROW, { 0.001, 0.001, 0.001, 0.001 }, 4, 0.06, 0.0125 },
		{ ROW, { 0 }, 0, 0, 0.05 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct contrast contrasts[MAX + 2] = { 0 };
		const struct contrast *all[MAX + 2];
		double scratch[MAX + 2];
		struct contrast_family family;
		size_t n = rows[i].n;

		for (size_t k = 0; k < n; k++) {
			contrasts[k].p = rows[i].p[k];
			contrasts[k].permutation.p = rows[i].permutation;
		}
		contrasts[n].constant = true; /* equal counts cannot change */
		contrasts[n + 1].floor = 0.06; /* too few runs */
		for (size_t k = 0; k < n + 2; k++)
			all[k] = &contrasts[k];
		family = contrast_family_of(all, n + 2, 0.05, scratch);
		row_true(&rows[i], fabs(family.level - rows[i].level) < 1e-12);
		row_int(&rows[i], family.n, n ? n : 1);
	}
}

/* Limits of counts that do not vary: a count that equals a limit is not beyond it. */
struct limit_row {
	int line;
	double reference, other, limit;
	bool relative, above, beyond;
};

static const struct limit_row limit_rows[] = {
	{ ROW, 2000000, 2001000, 1000, false, true, false },
	{ ROW, 2000000, 2001001, 1000, false, true, true },
	{ ROW, 2000000, 2001000, 0.0005, true, true, false },
	{ ROW, 2000000, 2001001, 0.0005, true, true, true },
	{ ROW, 2000000, 1999000, -0.0005, true, false, false },
	{ ROW, 2000000, 1998999, -0.0005, true, false, true },
	{ ROW, 2000000, 2000000, 0, true, true, false },
	{ ROW, 1e15, 1e15 + 1, 0, true, true, true },
	{ ROW, 0.3, 0.4, 0.1, false, true, false },
	{ ROW, 0, 0, 0.005, true, true, false },
	{ ROW, 0, 1, 0.005, true, true, true },
	{ ROW, 1, 0, -0.5, true, false, true },
	{ ROW, 4, 0, -4, false, false, false },
};

static void a_value_at_the_limit_is_not_beyond_it(void **state)
{
	for (size_t i = 0; i < N_OF(limit_rows); i++) {
		const struct limit_row *row = &limit_rows[i];
		double reference[3] = { row->reference, row->reference, row->reference };
		double other[3] = { row->other, row->other, row->other };
		double scratch[12];

		for (int paired = 0; paired < 2; paired++) {
			struct contrast_input in = { reference, other, 3, 3, paired, 0.95, 0, 1 };
			const struct contrast_limit limit = { row->limit, row->relative,
							      row->above };

			row_true(row, contrast_p_beyond(&in, &math, &limit, scratch) ==
					      (row->beyond ? 0 : 1));
			row_true(row, contrast_evidence_beyond(&in, &math, &limit, 0.025, 0.025,
							       scratch) == (row->beyond ? 0 : 1));
		}
	}
}

/* If a limit is an end of the interval, its one-sided p is (1 - confidence) / 2. */
static void limits_agree_with_the_interval(void **state)
{
	static const struct {
		int line;
		bool paired;
		double confidence;
		double reference[8], other[8];
	} rows[] = {
		{ ROW,
		  true,
		  0.95,
		  { 90, 91, 95, 93, 92, 99, 90, 91 },
		  { 94, 90, 99, 95, 96, 99, 93, 95 } },
		{ ROW,
		  false,
		  0.95,
		  { 90, 91, 95, 93, 92, 99, 90, 91 },
		  { 94, 90, 99, 95, 96, 99, 93, 95 } },
		{ ROW, true, 0.99, { 4, 1, 0, 8, 3, 5, 3, 6 }, { 21, 11, 20, 22, 30, 17, 43, 36 } },
		{ ROW, false, 0.9, { 4, 1, 0, 8, 3, 5, 3, 6 }, { 21, 11, 20, 22, 30, 17, 43, 36 } },
		{ ROW, true, 0.9, { 4, 1, 5, 8, 3, 5, 3, 6 }, { 1, 1, 2, 0, 3, 1, 4, 3 } },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct contrast_input in = { rows[i].reference, rows[i].other,	    8, 8,
					     rows[i].paired,	rows[i].confidence, 0, 1 };
		double alpha = (1 - rows[i].confidence) / 2, scratch[32];
		struct contrast c = judged(&in, scratch);
		const struct contrast_limit ends[] = {
			{ c.ratio.low - 1, true, true },
			{ c.ratio.high - 1, true, false },
			{ c.difference.low, false, true },
			{ c.difference.high, false, false },
		};

		row_true(&rows[i], !c.ratio.withheld);
		for (size_t j = 0; j < N_OF(ends); j++)
			row_true(&rows[i], fabs(contrast_p_beyond(&in, &math, &ends[j], scratch) -
						alpha) < 1e-9);
	}
}

/* R: t.test(x, mu = 92), and for the limits t.test(x, mu = 92 * 1.01, "greater"), t.test(x, mu = 93,
 * "less") */
static void an_exact_reference_has_no_error(void **state)
{
	static const double reference[] = { 92 };
	static const double other[] = { 94, 90, 99, 95, 96, 99, 93, 95 };
	const struct contrast_limit above = { 0.01, true, true }, below = { 1, false, false };
	struct contrast_input in = { reference,	  other, 1,
				     N_OF(other), false, 0.95,
				     0,		  1,	 .exact_reference = true };
	double scratch[2 * (1 + N_OF(other))];
	struct contrast c = contrast_of(&in, &math, scratch);

	assert_false(c.by_ratio || c.constant || c.ratio.withheld);
	assert_near(c.difference.value, 3.125);
	assert_near(c.difference.low, 0.61942662804675308);
	assert_near(c.difference.high, 5.63057337195324692);
	assert_near(c.ratio.value, 95.125 / 92);
	assert_near(c.ratio.low, 1 + 0.61942662804675308 / 92);
	assert_near(c.ratio.high, 1 + 5.63057337195324692 / 92);
	assert_near(c.p, 0.021431046122759517);
	assert_near(contrast_evidence_beyond(&in, &math, &above, 0.025, 0.025, scratch),
		    0.037988720657237109);
	assert_near(contrast_evidence_beyond(&in, &math, &below, 1, 0.025, scratch),
		    0.95753367309622839);

	in.estimated = true;
	in.other_error = 10; /* more than the spread */
	c = contrast_of(&in, &math, scratch);
	assert_true(c.by_estimates);
	assert_near(c.difference.low, 3.125 - 10);
}

static void a_limit_of_an_exact_reference_needs_three_runs(void **state)
{
	static const double reference[] = { 100 }, equal[] = { 101, 101, 101 };
	const struct contrast_limit limits[] = { { 0.02, true, true },
						 { 0.01, true, true },
						 { 0.005, true, true } };

	for (size_t n = 1; n <= 3; n++) {
		const struct contrast_input in = { reference, equal, 1,
						   n,	      false, 0.95,
						   0,	      1,     .exact_reference = true };
		double scratch[8];
		struct contrast c = contrast_of(&in, &math, scratch);

		assert_true(c.limit_floor == (n < 3 ? 1 : 0));
		for (size_t i = 0; n > 1 && i < N_OF(limits); i++)
			assert_true(contrast_evidence_beyond(&in, &math, &limits[i], 0.025, 0.025,
							     scratch) == (i == 2 ? 0 : 1));
	}
}

/*
 * Limits in the unit of the event, and limits in percent of data with a count of 0. The expected p
 * is the share of all ways, found by trying each: the signs of the paired differences from the
 * moved reference, or the labels of unpaired values.
 */
struct moved_row {
	int line;
	bool paired;
	struct contrast_limit limit;
	double reference[6], other[6];
};

static const struct moved_row moved_rows[] = {
	{ ROW, true, { 3, false, true }, { 10, 12, 11, 15, 9, 10 }, { 14, 18, 13, 20, 12, 17 } },
	{ ROW, true, { 3, false, false }, { 10, 12, 11, 15, 9, 10 }, { 11, 18, 13, 17, 12, 9 } },
	{ ROW, false, { 3, false, true }, { 10, 12, 11, 15, 9, 10 }, { 14, 18, 13, 20, 12, 17 } },
	{ ROW, false, { -4, false, false }, { 10, 12, 11, 15, 9, 10 }, { 7, 4, 3, 9, 8, 5 } },
	{ ROW, true, { 0.5, true, true }, { 0, 2, 4, 6, 2, 2 }, { 1, 8, 9, 9, 2, 7 } },
	{ ROW, false, { 0.5, true, true }, { 0, 2, 4, 6, 2, 2 }, { 1, 8, 9, 9, 2, 7 } },
	{ ROW, false, { -0.5, true, false }, { 20, 12, 14, 16, 12, 8 }, { 1, 0, 3, 6, 2, 5 } },
	/* equal differences: few rounds have only few combinations of signs */
	{ ROW, true, { 3, false, true }, { 10, 12, 11, 15, 9, 10 }, { 14, 16, 15, 19, 13, 14 } },
};

static double moved(const struct moved_row *row, size_t i)
{
	const struct contrast_limit *limit = &row->limit;

	return limit->relative ? row->reference[i] * (1 + limit->value) :
				 row->reference[i] + limit->value;
}

/*
 * The distance of the other side beyond the moved reference. Each bit of way is a sign or a label.
 * The arithmetic is exact.
 */
static double beyond(const struct moved_row *row, size_t way)
{
	double sum = 0;

	for (size_t i = 0; i < 6; i++) {
		double reference = moved(row, i), other = row->other[i];

		if (row->paired)
			sum += way >> i & 1 ? reference - other : other - reference;
		else
			sum += (way >> i & 1 ? reference : -reference) +
			       (way >> (i + 6) & 1 ? other : -other);
	}
	return row->limit.above ? sum : -sum;
}

static double share_of_ways(const struct moved_row *row)
{
	size_t seen = row->paired ? 0 : 077 << 6, n = row->paired ? 1 << 6 : 1 << 12;
	size_t ways = 0, as_large = 0;

	for (size_t way = 0; way < n; way++) {
		if (!row->paired && __builtin_popcountll(way) != 6)
			continue;
		ways++;
		as_large += beyond(row, way) >= beyond(row, seen);
	}
	return (double)as_large / (double)ways;
}

static void limits_are_judged_by_permutations_too(void **state)
{
	for (size_t i = 0; i < N_OF(moved_rows); i++) {
		const struct moved_row *row = &moved_rows[i];
		const struct contrast_input in = { row->reference, row->other, 6, 6,
						   row->paired,	   0.95,       0, 1 };
		double scratch[24], q = share_of_ways(row);
		double p = contrast_p_beyond(&in, &math, &row->limit, scratch);

		row_true(row,
			 contrast_permutation_beyond(&in, &math, &row->limit, 0.025, scratch).p ==
				 q);
		row_true(row, contrast_evidence_beyond(&in, &math, &row->limit, 0.5, 0.025,
						       scratch) == fmax(p, q));
	}
}

/*
 * Metrics may be below 0. A relative limit is then a share of the absolute value of the reference.
 */
static void a_relative_limit_is_a_share_of_the_absolute_reference(void **state)
{
	static const double reference[] = { -551, -552, -550, -551, -549, -553 };
	static const double worse[] = { -500, -501, -499, -502, -500, -498 };
	double scratch[4 * N_OF(reference)];
	struct contrast_input in = {
		reference, reference, N_OF(reference), N_OF(reference), true, 0.95, 0.01, 1
	};
	const struct contrast_limit above = { 0.05, true, true }, below = { -0.05, true, false };
	const struct contrast_limit kept = { 0.05, true, false };

	assert_true(contrast_evidence_beyond(&in, &math, &above, 0.5, 0.025, scratch) > 0.5);
	assert_true(contrast_evidence_beyond(&in, &math, &below, 0.5, 0.025, scratch) > 0.5);
	assert_true(contrast_evidence_beyond(&in, &math, &kept, 0.5, 0.025, scratch) < 0.025);
	in.other = worse;
	assert_true(contrast_evidence_beyond(&in, &math, &above, 0.5, 0.025, scratch) < 0.025);
	assert_true(contrast_evidence_beyond(&in, &math, &below, 0.5, 0.025, scratch) > 0.5);
}

/*
 * All counts of the other side are 1.1 times the reference. Their ratios differ only by the
 * rounding of logarithms.
 */
static void rounding_of_logarithms_is_not_a_spread(void **state)
{
	static const double reference[] = { 100, 200, 300, 400, 500, 600 };
	static const double other[] = { 110, 220, 330, 440, 550, 660 };
	double scratch[4 * N_OF(reference)];
	const struct contrast_input in = { reference,	other, N_OF(reference),
					   N_OF(other), true,  0.95,
					   0.01,	1 };
	const struct contrast_limit above = { 0.1, true, true }, below = { 0.1, true, false };
	struct contrast c = judged(&in, scratch);

	assert_true(c.ratio.low == c.ratio.value && c.ratio.value == c.ratio.high);
	assert_true(fabs(c.ratio.value - 1.1) < 1e-12);
	assert_true(contrast_p_beyond(&in, &math, &above, scratch) == 1);
	assert_true(contrast_p_beyond(&in, &math, &below, scratch) == 1);
}

/* The interval of the ratio of means is cut at 0. */
static void no_ratio_is_below_0(void **state)
{
	static const double reference[] = { 9, 11, 10, 12, 8, 10 }, other[] = { 0, 0, 20, 0, 0, 1 };
	double scratch[4 * N_OF(reference)];
	const struct contrast_input in = { reference,	other, N_OF(reference),
					   N_OF(other), true,  0.95,
					   0.01,	1 };
	struct contrast c = judged(&in, scratch);

	assert_false(c.by_ratio);
	assert_true(!c.ratio.withheld);
	assert_true(c.difference.low < -10);
	assert_true(c.ratio.low == 0);
	assert_true(c.ratio.value > 0.34 && c.ratio.value < 0.36 && c.ratio.high > 1);
}

/* Few runs of constant sides: counts with only two possible values may be equal by chance. */
static void few_equal_counts_do_not_prove_a_difference(void **state)
{
	double reference[] = { 3, 3, 3, 3 }, other[] = { 4, 4, 4, 4 }, scratch[16];
	static const struct {
		int line;
		size_t reference_n, other_n;
		bool constant;
	} rows[] = {
		{ ROW, 2, 3, false }, { ROW, 3, 2, false }, { ROW, 3, 3, true },
		{ ROW, 2, 4, true },  { ROW, 1, 4, false },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct contrast_input in = { reference,	      other, rows[i].reference_n,
					     rows[i].other_n, false, 0.95,
					     0.001,	      1 };

		row_int(&rows[i], judged(&in, scratch).constant, rows[i].constant);
	}
}

/* Fill v with n counts whose logarithms are, in turn, this far below and above their mean. */
static void fill_even(double *v, size_t n, double far)
{
	for (size_t i = 0; i < n; i++)
		v[i] = 1e6 * exp(i % 2 ? far : -far);
}

/*
 * By R, of sides with the same number of runs:
 *	df <- if (paired) n - 1 else 2 * (n - 1)
 *	sd <- 0.02 * sqrt(n / (n - 1)) * sqrt(df / qchisq(0.2, df))
 *	ceiling(power.t.test(delta = log(1 + effect), sd = sd, sig.level = alpha, power = power,
 *		type = if (paired) "paired" else "two.sample")$n)
 * though no fewer than a verdict needs. Of 6 runs and 20: sd² is the mean of both sides', and df
 * Welch's.
 */
static void runs_needed_agree_with_r(void **state)
{
	static const struct {
		int line;
		size_t reference_n, other_n;
		bool paired;
		double effect, alpha, power;
		size_t needed;
	} rows[] = {
		{ ROW, 6, 6, true, 0.01, 0.05, 0.9, 111 },
		{ ROW, 6, 6, true, 0.01, 0.01, 0.9, 158 },
		{ ROW, 6, 6, true, 0.05, 0.05, 0.9, 7 },
		{ ROW, 6, 6, true, 0.05, 0.01, 0.9, 10 },
		/*
		 * the t test needs fewer runs, but no permutation test has a p of this level: 2 /
		 * 2^11
		 */
		{ ROW, 6, 6, true, 0.5, 0.001, 0.9, 11 },
		{ ROW, 6, 6, false, 0.5, 0.001, 0.9, 7 },
		{ ROW, 6, 6, true, 0.01, 0.05, 0.5, 42 },
		{ ROW, 10, 10, true, 0.01, 0.05, 0.9, 81 },
		{ ROW, 20, 20, true, 0.01, 0.05, 0.9, 64 },
		{ ROW, 20, 20, true, 0.01, 0.01, 0.9, 91 },
		{ ROW, 20, 20, true, 0.05, 0.05, 0.9, 6 }, /* 5 have no verdict */
		{ ROW, 6, 6, false, 0.01, 0.05, 0.9, 166 },
		{ ROW, 10, 10, false, 0.01, 0.01, 0.9, 189 },
		{ ROW, 20, 20, false, 0.01, 0.05, 0.9, 113 },
		{ ROW, 6, 20, false, 0.01, 0.05, 0.9, 169 },
		{ ROW, 20, 6, false, 0.01, 0.05, 0.9, 169 },
		{ ROW, 20, 20, true, 0.000001, 0.05, 0.9, 0 }, /* more than a million */
		{ ROW, 20, 20, true, 0, 0.05, 0.9, 0 },
		{ ROW, 1, 20, false, 0.01, 0.05, 0.9, 0 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		double reference[20], other[20], scratch[80];
		struct contrast_input in = { reference,
					     other,
					     rows[i].reference_n,
					     rows[i].other_n,
					     rows[i].paired,
					     0.95,
					     0.01,
					     1 };

		const struct contrast_goal goal = { rows[i].alpha, 1, rows[i].power };
		const struct contrast_goal of_four = { 4 * rows[i].alpha, 4, rows[i].power };

		fill_even(reference, rows[i].reference_n, rows[i].paired ? 0 : 0.02);
		fill_even(other, rows[i].other_n, 0.02);
		row_int(&rows[i],
			contrast_runs_needed(&in, &math, rows[i].effect, &of_four, scratch),
			rows[i].needed);
		row_int(&rows[i], contrast_runs_needed(&in, &math, rows[i].effect, &goal, scratch),
			rows[i].needed);
	}
}

/* A normally distributed number (Box and Muller). */
static double noise(struct random *source)
{
	double u = (double)(random_next(source) >> 11) * 0x1p-53 + 0x1p-54;
	double v = (double)(random_next(source) >> 11) * 0x1p-53;

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* Draw runs with this effect and the spread of the runs that the prediction uses. */
static bool is_more(struct contrast_input *in, double *other, double effect, struct random *source,
		    double *scratch)
{
	for (size_t i = 0; i < in->other_n; i++)
		other[i] = 1e6 * (1 + effect) * exp(0.02 * noise(source));
	in->seed = random_next(source);
	return judged(in, scratch).change == CHANGE_MORE;
}

/* Whatever change the pilot runs have. */
static void the_predicted_runs_show_the_effect(void **state)
{
	enum { PILOT = 20, RUNS_MAX = 256, COMPARISONS = 200 };
	static const double effects[] = { 0.01, 0.02 };
	static double reference[RUNS_MAX], other[RUNS_MAX], scratch[4 * RUNS_MAX];
	struct random source = random_of_seed(1);

	fill_even(reference, RUNS_MAX, 0);
	for (size_t i = 0; i < N_OF(effects); i++) {
		struct contrast_input in = { .reference = reference,
					     .other = other,
					     .reference_n = PILOT,
					     .other_n = PILOT,
					     .paired = true,
					     .confidence = 0.95,
					     .minimum_effect = 0.001 };
		size_t found = 0;

		fill_even(other, PILOT, 0.02);
		in.reference_n = in.other_n =
			contrast_runs_needed(&in, &math, effects[i],
					     &(struct contrast_goal){ 1 - in.confidence, 1, 0.9 },
					     scratch);
		assert_in_range(in.other_n, 6, RUNS_MAX);
		for (size_t j = 0; j < COMPARISONS; j++)
			found += is_more(&in, other, effects[i], &source, scratch);
		assert_in_range(found, 0.9 * COMPARISONS, COMPARISONS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_agree_with_r),
		cmocka_unit_test(constant_counts_are_exact),
		cmocka_unit_test(a_family_is_judged_at_a_smaller_level),
		cmocka_unit_test(the_level_of_a_family_depends_on_all_p),
		cmocka_unit_test(a_value_at_the_limit_is_not_beyond_it),
		cmocka_unit_test(limits_agree_with_the_interval),
		cmocka_unit_test(an_exact_reference_has_no_error),
		cmocka_unit_test(a_limit_of_an_exact_reference_needs_three_runs),
		cmocka_unit_test(limits_are_judged_by_permutations_too),
		cmocka_unit_test(a_relative_limit_is_a_share_of_the_absolute_reference),
		cmocka_unit_test(rounding_of_logarithms_is_not_a_spread),
		cmocka_unit_test(no_ratio_is_below_0),
		cmocka_unit_test(few_equal_counts_do_not_prove_a_difference),
		cmocka_unit_test(runs_needed_agree_with_r),
		cmocka_unit_test(the_predicted_runs_show_the_effect),
	};

	return cmocka_run_group_tests(tests, load_math, NULL);
}
