/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/math.h"
#include "stats/contrast.h"
#include "stats/interval.h"
#include "stats/sequential.h"
#include "stats/summary.h"

enum {
	LARGE = 10000, /* from here on, a difference of 1 does not matter */
	RUNS_MIN_MAX = 1000, /* more than the largest confidence needs */
	RUNS_MAX = 1000000, /* larger predictions are not useful */
};

/* The parts of a t interval. */
struct t_estimate {
	double value, error, df; /* the standard error and the degrees of freedom */
	double least_error; /* of multiplexed counts, normally distributed; 0: none */
};

/* The analysed values of both sides: logarithms of the counts, or the counts. */
struct analysed {
	double *reference, *other; /* if paired, the differences are in reference */
	bool by_ratio;
};

static bool contrast_is_constant(const struct contrast_input *in)
{
	return !in->estimated && summary_is_constant(in->reference, in->reference_n) &&
	       summary_is_constant(in->other, in->other_n);
}

static struct summary contrast_summary(const double *v, size_t n)
{
	struct summary s = { 0 };

	for (size_t i = 0; i < n; i++)
		summary_add(&s, v[i]);
	return s;
}

static bool contrast_have_ratios(const struct contrast_input *in)
{
	return !in->exact_reference && contrast_summary(in->reference, in->reference_n).min > 0 &&
	       contrast_summary(in->other, in->other_n).min > 0;
}

static struct analysed contrast_analyse(const struct contrast_input *in, const struct math *math,
					bool by_ratio, double *scratch)
{
	struct analysed a = { scratch, scratch + in->reference_n, by_ratio };

	for (size_t i = 0; i < in->reference_n; i++)
		a.reference[i] = by_ratio ? math->log(in->reference[i]) : in->reference[i];
	for (size_t i = 0; i < in->other_n; i++)
		a.other[i] = by_ratio ? math->log(in->other[i]) : in->other[i];
	if (in->paired)
		for (size_t i = 0; i < in->other_n; i++)
			a.reference[i] = a.other[i] - a.reference[i];
	return a;
}

/* Degrees of freedom by Welch and Satterthwaite. An exact reference has no error, and the other
 * side then has its n - 1. */
static struct t_estimate contrast_welch_estimate(const struct contrast_input *in,
						 const struct analysed *a)
{
	struct summary reference = contrast_summary(a->reference, in->reference_n);
	struct summary other = contrast_summary(a->other, in->other_n);
	double u = summary_stderr(&reference), v = summary_stderr(&other);
	double square = u * u + v * v;
	double below = u * u * u * u / ((double)in->reference_n - 1) +
		       v * v * v * v / ((double)in->other_n - 1);

	return (struct t_estimate){ .value = (double)(other.mean - reference.mean),
				    .error = sqrt(square),
				    .df = below > 0 ? square * square / below :
						      (double)(in->reference_n + in->other_n) - 2 };
}

static bool contrast_can_compare(const struct contrast_input *in)
{
	return (in->reference_n > 1 || in->exact_reference) && in->other_n > 1;
}

/*
 * The standard error of other - share * reference that the errors of multiplexed counts cause. They
 * are independent, because the sides are different runs.
 */
static double contrast_least_error_of(const struct contrast_input *in, double share)
{
	double reference = share * in->reference_error;

	return sqrt(in->other_error * in->other_error + reference * reference) / INTERVAL_NORMAL;
}

/* The same for the difference of the analysed values. If neither the spread nor the errors of
 * estimates are known, nothing is known. */
static double contrast_least_error_of_analysed(const struct contrast_input *in, bool by_ratio,
					       bool spread)
{
	double reference_mean =
		by_ratio ? (double)contrast_summary(in->reference, in->reference_n).mean : 1;
	double other_mean = by_ratio ? (double)contrast_summary(in->other, in->other_n).mean : 1;
	const struct contrast_input relative = { .reference_error =
							 in->reference_error / reference_mean,
						 .other_error = in->other_error / other_mean };
	double error = in->estimated ? contrast_least_error_of(&relative, 1) : 0;

	return in->estimated && !spread && error <= 0 ? INFINITY : error;
}

/* The error of a single value is unknown, even if the other side has many values. */
static struct t_estimate contrast_t_estimate(const struct contrast_input *in,
					     const struct analysed *a)
{
	struct t_estimate e;
	struct summary differences;

	if (in->paired) {
		differences = contrast_summary(a->reference, in->reference_n);
		e = (struct t_estimate){ .value = (double)differences.mean,
					 .error = summary_stderr(&differences),
					 .df = (double)differences.n - 1 };
	} else {
		e = contrast_welch_estimate(in, a);
	}
	if (!contrast_can_compare(in) || (a->by_ratio && e.error < CONTRAST_LOG_ROUNDING))
		e.error = 0;
	e.least_error = contrast_least_error_of_analysed(in, a->by_ratio, e.error > 0);
	return e;
}

/*
 * The one-sided p of a value, which the spread or the errors of multiplexed counts explain. The
 * larger p counts. lower: of a value this small; otherwise of a value this large.
 */
static double contrast_tail_of(const struct t_estimate *e, const struct math *math, bool lower)
{
	double p = 0, least = 0;

	if (e->error > 0)
		p = math->pt(e->value / e->error, e->df, lower, 0);
	if (e->least_error > 0)
		least = math->pt(e->value / e->least_error, INFINITY, lower, 0);
	return math_larger(p, least);
}

static bool contrast_has_error(const struct t_estimate *e)
{
	return e->error > 0 || e->least_error > 0;
}

/*
 * The smallest level at which the difference of constant counts is exact. It is the probability
 * that equal counts are a coincidence; see contrast_of() in the header.
 */
static double contrast_constant_floor(const struct contrast_input *in)
{
	size_t a = in->reference_n, b = in->other_n;
	double share = (double)a / (double)(a + b);
	double of_two_values = 2 * math_power(share, a) * math_power(1 - share, b), of_many;

	if (in->reference[0] < LARGE || in->other[0] < LARGE)
		return of_two_values;
	of_many = sqrt(math_power(1 / sqrt(4 * M_PI * in->reference[0] + 1), a - 1) *
		       math_power(1 / sqrt(4 * M_PI * in->other[0] + 1), b - 1));
	return of_two_values < of_many ? of_two_values : of_many;
}

static double contrast_floor_of(bool paired, size_t reference_n, size_t other_n,
				enum permutation_tail tail)
{
	return paired ? permutation_paired_floor(reference_n, tail) :
			permutation_unpaired_floor(reference_n, other_n, tail);
}

size_t contrast_runs_min_constant(double level)
{
	size_t n = 2;

	while (2 * math_power(0.5, 2 * n) > level)
		n++;
	return n;
}

size_t contrast_runs_least(const struct contrast_input *in, double alpha)
{
	size_t n = 2;

	if (contrast_can_compare(in) && contrast_is_constant(in))
		return contrast_runs_min_constant(alpha);
	while (n < RUNS_MIN_MAX && contrast_floor_of(in->paired, n, n, PERMUTATION_BOTH) > alpha)
		n++;
	return n;
}

/*
 * The smallest level at which these numbers of runs can show a difference. A one-sided test gets
 * half of a level, so its smallest p counts twice.
 */
static double contrast_level_floor(bool paired, size_t reference_n, size_t other_n,
				   enum permutation_tail tail)
{
	double floor = contrast_floor_of(paired, reference_n, other_n, tail);

	if (reference_n < 2 || other_n < 2)
		return 1;
	return tail == PERMUTATION_BOTH ? floor : 2 * floor;
}

size_t contrast_runs_min(bool paired, size_t reference_n, double level, double limit_level)
{
	for (size_t n = 2; n < RUNS_MIN_MAX; n++) {
		size_t first_n = reference_n ? reference_n : n;

		if (contrast_level_floor(paired, first_n, n, PERMUTATION_BOTH) <= level &&
		    (limit_level <= 0 ||
		     contrast_level_floor(paired, first_n, n, PERMUTATION_ABOVE) <= limit_level))
			return n;
	}
	return 0;
}

/* Half the width of an interval in standard errors. */
static double contrast_quantile(const struct contrast_input *in, double df, const struct math *math)
{
	return in->any_time ? sequential_t(math, 1 - in->confidence, in->reference_n) :
			      interval_t(math, in->confidence, df);
}

/* Half the width of the interval that the spread gives. INFINITY: there are too few rounds. */
static double contrast_half_of_spread(const struct contrast_input *in, const struct t_estimate *e,
				      const struct math *math)
{
	return e->error > 0 ? contrast_quantile(in, e->df, math) * e->error : 0;
}

/* Half the width of the interval that the errors of multiplexed counts give. INFINITY: unknown. */
static double contrast_half_of_estimates(const struct contrast_input *in,
					 const struct t_estimate *e, const struct math *math)
{
	return e->least_error > 0 ? interval_t(math, in->confidence, INFINITY) * e->least_error : 0;
}

/* The means, their variances and their covariance. */
struct moments {
	double reference, other;
	double reference_variance, other_variance, covariance;
};

static struct moments contrast_moments_of(const struct contrast_input *in)
{
	struct summary reference = contrast_summary(in->reference, in->reference_n);
	struct summary other = contrast_summary(in->other, in->other_n);
	double u = summary_stderr(&reference), v = summary_stderr(&other);
	struct moments m = { (double)reference.mean, (double)other.mean, u * u, v * v, 0 };
	double n = (double)in->reference_n;

	for (size_t i = 0; in->paired && n > 1 && i < in->reference_n; i++)
		m.covariance +=
			(in->reference[i] - m.reference) * (in->other[i] - m.other) / (n * (n - 1));
	return m;
}

/*
 * The interval contains each ratio r for which other - r * reference does not differ significantly
 * from 0 (Fieller 1954, Journal of the Royal Statistical Society B 16). The interval is unbounded
 * if the reference does not differ significantly from 0. t: the quantile; 0: there is no interval.
 * z: the quantile of the normal distribution, for the errors of multiplexed counts.
 */
static struct estimate contrast_ratio_of_means(const struct contrast_input *in, double t, double z)
{
	struct moments m = contrast_moments_of(in);
	double least_reference = z * in->reference_error / INTERVAL_NORMAL;
	double least_other = z * in->other_error / INTERVAL_NORMAL;
	double reference_square =
		math_larger(t * t * m.reference_variance, least_reference * least_reference);
	double other_square = math_larger(t * t * m.other_variance, least_other * least_other);
	double square = m.reference * m.reference - reference_square;
	double product = m.reference * m.other - t * t * m.covariance;
	double rest = m.other * m.other - other_square;
	double root = sqrt(math_larger(product * product - square * rest, 0));
	struct estimate ratio = { .withheld = !(isfinite(t) && m.reference > 0 && square > 0 &&
						isfinite(other_square)) };

	if (ratio.withheld)
		return ratio;
	ratio.value = ratio.low = ratio.high = m.other / m.reference;
	if (t <= 0)
		return ratio;
	ratio.method = ESTIMATE_FIELLER;
	ratio.low = (product - root) / square;
	if (contrast_summary(in->other, in->other_n).min >= 0)
		ratio.low = math_larger(ratio.low, 0);
	ratio.high = (product + root) / square;
	return ratio;
}

static struct estimate contrast_interval_of(const struct contrast_input *in,
					    const struct t_estimate *e, const struct math *math)
{
	double half = math_larger(contrast_half_of_spread(in, e, math),
				  contrast_half_of_estimates(in, e, math));
	struct estimate estimate = { .value = e->value, .low = e->value, .high = e->value };

	if (!isfinite(half))
		return estimate;
	estimate.low -= half;
	estimate.high += half;
	if (half > 0)
		estimate.method = in->any_time ? ESTIMATE_ANY_TIME :
				  in->paired   ? ESTIMATE_T :
						 ESTIMATE_WELCH;
	return estimate;
}

/* Constant counts are divided directly, because logarithms would round their ratio. */
static struct estimate contrast_ratio_of(const struct contrast *c, const struct contrast_input *in,
					 const struct t_estimate *e, const struct math *math)
{
	bool vary = contrast_can_compare(in) && !c->constant;
	struct estimate ratio;

	if (c->constant || !c->by_ratio)
		return contrast_ratio_of_means(in, vary ? contrast_quantile(in, e->df, math) : 0,
					       vary ? interval_t(math, in->confidence, INFINITY) :
						      0);
	ratio = contrast_interval_of(in, e, math);
	ratio.value = math->exp(ratio.value);
	ratio.low = math->exp(ratio.low);
	ratio.high = math->exp(ratio.high);
	return ratio;
}

static double contrast_p_same_of(const struct contrast *c, const struct contrast_input *in,
				 const struct math *math, double *scratch)
{
	double effect = in->minimum_effect * (1 + CONTRAST_ROUNDING);
	const struct contrast_limit high = { effect, true, false };
	const struct contrast_limit low = { 1 / (1 + effect) - 1, true, true };
	double p, q;

	if (c->ratio.withheld)
		return !in->estimated && c->difference.low == 0 && c->difference.high == 0 ? 0 : 1;
	if (in->any_time && !c->constant &&
	    !isfinite(sequential_t(math, 1 - in->confidence, in->reference_n)))
		return 1; /* there are too few rounds for an interval */
	if (in->any_time || (!in->estimated && c->ratio.low >= c->ratio.high))
		return c->ratio.low >= 1 / (1 + effect) && c->ratio.high <= 1 + effect ? 0 : 1;
	p = contrast_p_beyond(in, math, &low, scratch);
	q = contrast_p_beyond(in, math, &high, scratch);
	return 2 * math_larger(p, q);
}

static struct permutation contrast_permute(const struct contrast_input *in,
					   const struct analysed *a, enum permutation_tail tail,
					   double level, double *scratch)
{
	const struct permutation_test test = { tail, level, in->seed };

	if (in->paired)
		return permutation_paired(a->reference, in->reference_n, &test);
	return permutation_unpaired(a->reference, in->reference_n, a->other, in->other_n, &test,
				    scratch);
}

static void contrast_set_floors(struct contrast *c, const struct contrast_input *in,
				const struct math *math)
{
	size_t a = in->reference_n, b = in->other_n;

	if (in->exact_reference) {
		c->floor = c->limit_floor = b < CONTRAST_RUNS_EXACT_MIN;
		return;
	}
	c->floor = contrast_level_floor(in->paired, a, b, PERMUTATION_BOTH);
	c->limit_floor = contrast_level_floor(in->paired, a, b, PERMUTATION_ABOVE);
	if (in->any_time) {
		c->floor = math_larger(c->floor, sequential_floor(math, a));
		c->limit_floor = math_larger(c->limit_floor, sequential_floor(math, a));
	}
	if (!contrast_can_compare(in) || !contrast_is_constant(in) ||
	    contrast_constant_floor(in) > 1 - in->confidence)
		return;
	c->constant = true;
	c->floor = c->limit_floor = contrast_constant_floor(in);
}

/* The two-sided p of the hypothesis that the true value is 0. */
static double contrast_p_of_zero(const struct contrast_input *in, const struct t_estimate *e,
				 const struct math *math)
{
	struct t_estimate least = { .value = e->value, .least_error = e->least_error };
	double p = 0;

	if (!contrast_has_error(e))
		return e->value == 0;
	if (!in->any_time)
		return 2 * contrast_tail_of(e, math, e->value < 0);
	if (e->error > 0)
		p = sequential_p(math, e->value / e->error, in->reference_n);
	return math_larger(p, 2 * contrast_tail_of(&least, math, e->value < 0));
}

struct contrast contrast_estimate(const struct contrast_input *in, const struct math *math,
				  double *scratch)
{
	struct contrast c = { .ratio.withheld = true,
			      .p = 1,
			      .p_same = 1,
			      .permutation = { 1, true },
			      .floor = 1,
			      .limit_floor = 1 };
	struct analysed a;
	struct t_estimate e;

	if (in->reference_n == 0 || in->other_n == 0)
		return c;
	c.by_ratio = contrast_have_ratios(in);
	contrast_set_floors(&c, in, math);
	a = contrast_analyse(in, math, false, scratch); /* the difference does not use logarithms */
	e = contrast_t_estimate(in, &a);
	c.difference = contrast_interval_of(in, &e, math);
	a = contrast_analyse(in, math, c.by_ratio, scratch);
	e = contrast_t_estimate(in, &a);
	if (c.constant) /* logarithms would round the difference */
		e.value = c.difference.value;
	c.ratio = contrast_ratio_of(&c, in, &e, math);
	c.by_estimates =
		contrast_half_of_estimates(in, &e, math) > contrast_half_of_spread(in, &e, math);
	if (!contrast_can_compare(in))
		return c;
	c.log_ratio.value = c.constant ? math->log(c.ratio.value) : e.value;
	c.log_ratio.error = math_larger(e.error, e.least_error);
	c.log_ratio.known =
		c.by_ratio && isfinite(e.least_error) && (c.constant || c.log_ratio.error > 0);
	c.log_ratio.df = e.error >= e.least_error ? e.df : INFINITY;
	c.p = contrast_p_of_zero(in, &e, math);
	c.p_same = contrast_p_same_of(&c, in, math, scratch);
	return c;
}

struct contrast contrast_of(const struct contrast_input *in, const struct math *math,
			    double *scratch)
{
	struct contrast c = contrast_estimate(in, math, scratch);
	struct analysed a;

	if (!contrast_can_compare(in) || in->exact_reference)
		return c;
	a = contrast_analyse(in, math, c.by_ratio, scratch);
	c.permutation = contrast_permute(in, &a, PERMUTATION_BOTH, 1 - in->confidence,
					 scratch + in->reference_n + in->other_n);
	return c;
}

static enum change contrast_direction(const struct contrast *c)
{
	if (c->by_ratio && !c->constant)
		return c->ratio.value < 1 ? CHANGE_LESS : CHANGE_MORE;
	return c->difference.value < 0 ? CHANGE_LESS : CHANGE_MORE;
}

/* ---- A family of contrasts. */

/* Both tests have to agree. The difference of constant counts is exact, unless the counts are equal
 * by coincidence. */
static double contrast_p_of_change(const struct contrast *c)
{
	if (c->constant)
		return c->floor;
	return math_larger(c->p, c->permutation.p);
}

static int contrast_compare_p(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct contrast_family contrast_family_of(const struct contrast *const *contrasts, size_t n,
					  double alpha, double *scratch)
{
	struct contrast_family family = { .alpha = alpha };
	size_t changed = 1;

	for (size_t i = 0; i < n; i++)
		if (contrasts[i]->floor <= alpha && /* it may show a change */
		    !(contrasts[i]->constant && contrasts[i]->difference.value == 0))
			scratch[family.n++] = contrast_p_of_change(contrasts[i]);
	qsort(scratch, family.n, sizeof(*scratch), contrast_compare_p);
	for (size_t k = 2; k <= family.n; k++)
		if (scratch[k - 1] <= (double)k * alpha / (double)family.n)
			changed = k;
	if (family.n == 0)
		family.n = 1;
	family.level = (double)changed * alpha / (double)family.n;
	return family;
}

void contrast_judge(struct contrast *c, const struct contrast_family *family)
{
	bool differ = c->p <= family->level;

	c->disagree = c->corrected = false;
	c->change = CHANGE_TOO_FEW;
	if (c->floor > family->alpha)
		return;
	if (c->p_same <= family->alpha) {
		c->change = CHANGE_SAME;
	} else if (c->floor > family->level) {
		return;
	} else if (c->constant) {
		c->change = contrast_direction(c);
	} else {
		c->disagree = differ != (c->permutation.p <= family->level);
		c->change = differ && !c->disagree ? contrast_direction(c) : CHANGE_UNCLEAR;
		/* the permutation test does not know the errors of estimates */
		c->disagree &= differ || !c->by_estimates;
		c->corrected =
			c->change == CHANGE_UNCLEAR && contrast_p_of_change(c) <= family->alpha;
	}
}

/* ---- Predictions. */

/* More runs of each side, if they continue like the runs so far. All values are logarithms. */
struct plan {
	bool paired;
	double deviation; /* of a difference; unpaired, of both sides together */
	double effect; /* the true change */
};

/* The probability that the interval of n runs excludes 0. It follows from the noncentral t
 * distribution, as in R's power.t.test(). */
static double contrast_power_of(const struct plan *plan, size_t n, double alpha,
				const struct math *math)
{
	double df = plan->paired ? (double)n - 1 : 2 * ((double)n - 1);
	double ncp = plan->effect / (plan->deviation / sqrt((double)n));
	double t = interval_t(math, 1 - alpha, df);

	return ncp > 37 ? 1 : math->pnt(t, df, ncp, 0, 0);
}

static double contrast_variance_of(const double *v, size_t n)
{
	struct summary s = contrast_summary(v, n);
	double deviation = summary_stddev(&s);

	return deviation * deviation;
}

/* The smallest number of runs with the power of the goal. The effect of the plan is set. */
static size_t contrast_runs_for(struct plan plan, const struct contrast_input *in,
				const struct analysed *a, const struct contrast_goal *goal,
				const struct math *math)
{
	const struct t_estimate e = contrast_t_estimate(in, a);
	double alpha = goal->alpha / (double)goal->family, df = e.df;
	size_t runs_n = in->reference_n < in->other_n ? in->reference_n : in->other_n;
	double variance = contrast_variance_of(a->reference, in->reference_n) +
			  (in->paired ? 0 : contrast_variance_of(a->other, in->other_n));
	size_t low = contrast_runs_least(in, alpha), high = low;

	plan.paired = in->paired;
	plan.deviation = math_larger(sqrt(variance * df / math->qchisq(0.2, df, 1, 0)),
				     e.least_error * sqrt((double)runs_n));
	if (!(plan.deviation > 0))
		return low;
	while (contrast_power_of(&plan, high, alpha, math) < goal->power) {
		if (high > RUNS_MAX)
			return 0;
		low = high;
		high *= 2;
	}
	while (low + 1 < high) {
		size_t middle = (low + high) / 2;

		if (contrast_power_of(&plan, middle, alpha, math) < goal->power)
			low = middle;
		else
			high = middle;
	}
	return high;
}

size_t contrast_runs_needed(const struct contrast_input *in, const struct math *math, double effect,
			    const struct contrast_goal *goal, double *scratch)
{
	struct plan plan = { 0 };
	struct analysed a;

	if (!contrast_can_compare(in) || !contrast_have_ratios(in) || effect <= 0)
		return 0;
	a = contrast_analyse(in, math, true, scratch);
	plan.effect = math->log(1 + effect);
	return contrast_runs_for(plan, in, &a, goal, math);
}

/*
 * The factor of the reference that equals a relative limit. If the reference is negative, a higher
 * value is closer to 0, so the factor is smaller.
 */
static double contrast_share(const struct contrast_input *in, const struct contrast_limit *limit)
{
	bool negative = contrast_summary(in->reference, in->reference_n).mean < 0;

	return 1 + (negative ? -limit->value : limit->value);
}

double contrast_p_beyond(const struct contrast_input *in, const struct math *math,
			 const struct contrast_limit *limit, double *scratch)
{
	bool by_ratio = limit->relative && !contrast_is_constant(in) && contrast_have_ratios(in);
	double at = limit->value; /* on the scale of the estimate */
	struct analysed a;
	struct t_estimate e;

	if (!contrast_can_compare(in))
		return 1;
	if (by_ratio)
		at = math->log(1 + limit->value);
	else if (limit->relative)
		at *= fabs((double)contrast_summary(in->reference, in->reference_n).mean);
	a = contrast_analyse(in, math, by_ratio, scratch);
	e = contrast_t_estimate(in, &a);
	e.value -= at;
	if (limit->relative && !by_ratio) {
		double share = contrast_share(in, limit);
		struct moments m = contrast_moments_of(in);

		e.error = sqrt(math_larger(m.other_variance - 2 * share * m.covariance +
						   share * share * m.reference_variance,
					   0));
		e.least_error = math_larger(e.least_error, contrast_least_error_of(in, share));
	}
	if (contrast_has_error(&e)) {
		double p = contrast_tail_of(&e, math, !limit->above);

		if (in->any_time && e.error > 0) /* one side of a symmetric test */
			p = math_larger(p,
					sequential_p(math, e.value / e.error, in->reference_n) / 2);
		return p;
	}
	return (limit->above ? e.value : -e.value) > CONTRAST_ROUNDING * fabs(at) ? 0 : 1;
}

struct permutation contrast_permutation_beyond(const struct contrast_input *in,
					       const struct math *math,
					       const struct contrast_limit *limit, double level,
					       double *scratch)
{
	struct contrast_input moved = *in;
	struct analysed a;
	double share;

	if (!contrast_can_compare(in))
		return (struct permutation){ 1, true };
	share = contrast_share(in, limit);
	for (size_t i = 0; i < in->reference_n; i++)
		scratch[i] = limit->relative ? in->reference[i] * share :
					       in->reference[i] + limit->value;
	moved.reference = scratch;
	a = contrast_analyse(&moved, math, limit->relative && contrast_have_ratios(in),
			     scratch); /* in place */
	return contrast_permute(&moved, &a, limit->above ? PERMUTATION_ABOVE : PERMUTATION_BELOW,
				level, scratch + in->reference_n + in->other_n);
}

double contrast_evidence_beyond(const struct contrast_input *in, const struct math *math,
				const struct contrast_limit *limit, double highest, double lowest,
				double *scratch)
{
	double p = contrast_p_beyond(in, math, limit, scratch);
	struct permutation permutation;

	if (p > highest || contrast_is_constant(in) || in->exact_reference)
		return p;
	permutation = contrast_permutation_beyond(in, math, limit, lowest, scratch);
	return math_larger(p, permutation.p);
}

void contrast_judge_gates(struct gate_evidence *gates, size_t n, double confidence, size_t *order)
{
	const double alpha = (1 - confidence) / 2;
	size_t crossed_n = 0;

	for (size_t i = 0; i < n; i++) {
		size_t j = i;

		gates[i].outcome = gates[i].p_kept <= alpha ? GATE_KEPT : GATE_UNCLEAR;
		/* the smallest p_crossed first; insertion sort, because there are few gates */
		for (; j > 0 && gates[order[j - 1]].p_crossed > gates[i].p_crossed; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	while (crossed_n < n &&
	       gates[order[crossed_n]].p_crossed <= alpha / (double)(n - crossed_n))
		gates[order[crossed_n++]].outcome = GATE_CROSSED;
	for (size_t i = 0; i < n; i++)
		if (gates[i].outcome == GATE_UNCLEAR)
			gates[i].level = gates[i].p_kept <= gates[i].p_crossed ?
						 alpha :
						 alpha / (double)(n - crossed_n);
}
