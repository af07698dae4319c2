/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "stats/contrast.h"
#include "stats/summary.h"

/* A limit is a decimal number, and what is just at it may be off by its rounding. */
#define ROUNDING 1e-9
/* So little do logarithms of counts up to 2^53 differ by rounding alone. */
#define LOG_ROUNDING 2e-14

/* One more of so many is less than any difference that matters. */
enum { LARGE = 10000 };

/* More than any confidence that may be asked for needs. */
enum { RUNS_MIN_MAX = 1000 };

/* What a t interval is made of: an estimate, its standard error, and degrees of freedom. */
struct estimate {
	double value, error, df;
};

/* The two sides as they are analysed: logarithms, or the values themselves. */
struct analysed {
	double *reference, *other; /* other of paired ones: the differences are in reference */
	bool by_ratio;
};

/* fmax() would be all that pstat loads libm for. */
static double at_least_0(double x)
{
	return x > 0 ? x : 0;
}

static bool has_zero(const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] <= 0)
			return true;
	return false;
}

static bool has_below_0(const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] < 0)
			return true;
	return false;
}

static bool have_ratios(const struct contrast_input *in)
{
	return !has_zero(in->reference, in->reference_n) && !has_zero(in->other, in->other_n);
}

static bool are_constant(const struct contrast_input *in)
{
	return summary_is_constant(in->reference, in->reference_n) &&
	       summary_is_constant(in->other, in->other_n);
}

static struct summary sum_up(const double *v, size_t n)
{
	struct summary s = { 0 };

	for (size_t i = 0; i < n; i++)
		summary_add(&s, v[i]);
	return s;
}

static struct analysed analyse(const struct contrast_input *in, const struct math *math,
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

static struct estimate paired_estimate(const double *differences, size_t n)
{
	struct summary s = sum_up(differences, n);

	return (struct estimate){ (double)s.mean, summary_stderr(&s), (double)n - 1 };
}

/* Degrees of freedom by Welch and Satterthwaite. */
static struct estimate welch_estimate(const struct contrast_input *in, const struct analysed *a)
{
	struct summary reference = sum_up(a->reference, in->reference_n);
	struct summary other = sum_up(a->other, in->other_n);
	double u = summary_stderr(&reference), v = summary_stderr(&other);
	double square = u * u + v * v;
	double below = u * u * u * u / ((double)in->reference_n - 1) +
		       v * v * v * v / ((double)in->other_n - 1);

	return (struct estimate){ (double)(other.mean - reference.mean), sqrt(square),
				  below > 0 ? square * square / below :
					      (double)(in->reference_n + in->other_n) - 2 };
}

static bool can_compare(const struct contrast_input *in)
{
	return in->reference_n > 1 && in->other_n > 1;
}

/* How far a single value may be off is not known, however many the other side has. */
static struct estimate estimate_of(const struct contrast_input *in, const struct analysed *a)
{
	struct estimate e =
		in->paired ? paired_estimate(a->reference, in->reference_n) : welch_estimate(in, a);

	if (!can_compare(in) || (a->by_ratio && e.error < LOG_ROUNDING))
		e.error = 0;
	return e;
}

/* Two-sided, of the estimate's being 0. */
static double p_of(const struct estimate *e, const struct math *math)
{
	if (e->error > 0)
		return 2 * math->pt(-fabs(e->value) / e->error, e->df, 1, 0);
	return e->value == 0 ? 1 : 0;
}

/* p to the n */
static double power(double p, size_t n)
{
	double product = 1;

	for (; n > 0; n--)
		product *= p;
	return product;
}

/* Whether equal counts are the rule here and no accident, see the header. */
static bool is_exact(const struct contrast_input *in)
{
	double alpha = 1 - in->confidence;
	size_t a = in->reference_n, b = in->other_n;
	double share = (double)a / (double)(a + b);
	double of_two_values, of_many;

	if (!can_compare(in) || !are_constant(in))
		return false;
	of_two_values = 2 * power(share, a) * power(1 - share, b);
	if (in->reference[0] < LARGE || in->other[0] < LARGE)
		return of_two_values <= alpha;
	of_many = power(1 / sqrt(4 * M_PI * in->reference[0] + 1), a - 1) *
		  power(1 / sqrt(4 * M_PI * in->other[0] + 1), b - 1);
	return of_two_values <= alpha || of_many <= alpha * alpha;
}

static double floor_of(bool paired, size_t reference_n, size_t other_n, enum permutation_tail tail)
{
	return paired ? permutation_paired_floor(reference_n, tail) :
			permutation_unpaired_floor(reference_n, other_n, tail);
}

/* Of each side, for a two-sided p of at most alpha, of such as vary. */
static size_t runs_for_p(bool paired, double alpha)
{
	size_t n = 2;

	while (n < RUNS_MIN_MAX && floor_of(paired, n, n, PERMUTATION_BOTH) > alpha)
		n++;
	return n;
}

size_t contrast_runs_min_constant(double confidence)
{
	size_t n = 2;

	while (2 * power(0.5, 2 * n) > 1 - confidence)
		n++;
	return n;
}

size_t contrast_runs_least(const struct contrast_input *in, double alpha)
{
	if (can_compare(in) && are_constant(in))
		return contrast_runs_min_constant(in->confidence);
	return runs_for_p(in->paired, alpha);
}

/* For a p of at most alpha, or, of one tail, half of it. */
static bool have_enough(bool paired, size_t reference_n, size_t other_n, double alpha,
			enum permutation_tail tail)
{
	return reference_n > 1 && other_n > 1 &&
	       floor_of(paired, reference_n, other_n, tail) <=
		       (tail == PERMUTATION_BOTH ? alpha : alpha / 2);
}

static bool enough_beside(bool paired, size_t reference_n, size_t other_n, double alpha,
			  size_t limits_n)
{
	return have_enough(paired, reference_n, other_n, alpha, PERMUTATION_BOTH) &&
	       (limits_n == 0 || have_enough(paired, reference_n, other_n, alpha / (double)limits_n,
					     PERMUTATION_ABOVE));
}

size_t contrast_runs_min(bool paired, size_t reference_n, double confidence, size_t limits_n)
{
	size_t n = 2;

	while (n < RUNS_MIN_MAX &&
	       !enough_beside(paired, reference_n ? reference_n : n, n, 1 - confidence, limits_n))
		n++;
	return n < RUNS_MIN_MAX ? n : 0;
}

static bool are_enough(const struct contrast_input *in, enum permutation_tail tail)
{
	return have_enough(in->paired, in->reference_n, in->other_n, 1 - in->confidence, tail);
}

/* So many standard errors to each side is the interval. */
static double quantile_of(const struct estimate *e, double confidence, const struct math *math)
{
	return math->qt((1 - confidence) / 2, e->df, 0, 0);
}

/* Half of the interval's width. */
static double half_width(const struct estimate *e, double confidence, const struct math *math)
{
	return e->error > 0 ? quantile_of(e, confidence, math) * e->error : 0;
}

/* The means, and the variances and the covariance of these. */
struct moments {
	double reference, other;
	double reference_variance, other_variance, covariance;
};

static struct moments moments_of(const struct contrast_input *in)
{
	struct summary reference = sum_up(in->reference, in->reference_n);
	struct summary other = sum_up(in->other, in->other_n);
	double u = summary_stderr(&reference), v = summary_stderr(&other);
	struct moments m = { (double)reference.mean, (double)other.mean, u * u, v * v, 0 };
	double n = (double)in->reference_n;

	for (size_t i = 0; in->paired && n > 1 && i < in->reference_n; i++)
		m.covariance +=
			(in->reference[i] - m.reference) * (in->other[i] - m.other) / (n * (n - 1));
	return m;
}

/*
 * The ratio of two means, and all ratios r for which other - r * reference is not proven to differ from
 * 0 (Fieller 1954, Journal of the Royal Statistical Society B 16). With a reference that is not proven to
 * differ from 0 itself they have no end.
 */
static void set_ratio_of_means(struct contrast *c, const struct contrast_input *in, double t)
{
	struct moments m = moments_of(in);
	double square = m.reference * m.reference - t * t * m.reference_variance;
	double product = m.reference * m.other - t * t * m.covariance;
	double rest = m.other * m.other - t * t * m.other_variance;
	double root = sqrt(at_least_0(product * product - square * rest));

	c->has_ratio = m.reference > 0 && square > 0;
	if (!c->has_ratio)
		return;
	c->ratio = m.other / m.reference;
	c->ratio_low = t > 0 ? (product - root) / square : c->ratio;
	if (!has_below_0(in->other, in->other_n))
		c->ratio_low = at_least_0(c->ratio_low);
	c->ratio_high = t > 0 ? (product + root) / square : c->ratio;
}

static void set_ratio(struct contrast *c, const struct contrast_input *in, const struct estimate *e,
		      const struct math *math)
{
	bool vary = can_compare(in) && !c->constant;
	double half = half_width(e, in->confidence, math);

	if (c->constant || !c->by_ratio) { /* logarithms would round what is exact */
		set_ratio_of_means(c, in, vary ? quantile_of(e, in->confidence, math) : 0);
		return;
	}
	c->has_ratio = true;
	c->ratio = math->exp(e->value);
	c->ratio_low = math->exp(e->value - half);
	c->ratio_high = math->exp(e->value + half);
}

/* The same for the difference of the means, which has an interval of its own. */
static void set_difference(struct contrast *c, const struct contrast_input *in,
			   const struct math *math, double *scratch)
{
	struct analysed a = analyse(in, math, false, scratch);
	struct estimate e = estimate_of(in, &a);
	double half = half_width(&e, in->confidence, math);

	c->difference = e.value;
	c->difference_low = e.value - half;
	c->difference_high = e.value + half;
}

static enum verdict direction(const struct contrast *c)
{
	return c->difference < 0 ? VERDICT_LESS : VERDICT_MORE;
}

static bool is_within(const struct contrast *c, double effect)
{
	effect *= 1 + ROUNDING;
	if (!c->has_ratio)
		return c->difference_low == 0 && c->difference_high == 0;
	return c->ratio_low >= 1 / (1 + effect) && c->ratio_high <= 1 + effect;
}

static enum verdict judge(struct contrast *c, const struct contrast_input *in)
{
	double alpha = 1 - in->confidence;
	bool differ = c->p <= alpha;

	c->can_pass_limit = c->constant || are_enough(in, PERMUTATION_ABOVE);
	if (!c->constant && !are_enough(in, PERMUTATION_BOTH))
		return VERDICT_NONE;
	if (is_within(c, in->minimum_effect))
		return VERDICT_SAME;
	if (c->constant)
		return direction(c);
	c->disagree = differ != (c->permutation.p <= alpha);
	if (!differ || c->disagree)
		return VERDICT_UNCLEAR;
	if (c->by_ratio)
		return c->ratio < 1 ? VERDICT_LESS : VERDICT_MORE;
	return direction(c);
}

static struct permutation permute(const struct contrast_input *in, const struct analysed *a,
				  enum permutation_tail tail, double level, double *scratch)
{
	const struct permutation_test test = { tail, level, in->seed };

	if (in->paired)
		return permutation_paired(a->reference, in->reference_n, &test);
	return permutation_unpaired(a->reference, in->reference_n, a->other, in->other_n, &test,
				    scratch);
}

struct contrast contrast_of(const struct contrast_input *in, const struct math *math,
			    double *scratch)
{
	struct contrast c = { .p = 1,
			      .permutation = { 1, true },
			      .runs_min = contrast_runs_least(in, 1 - in->confidence) };
	double *rest = scratch + in->reference_n + in->other_n;
	struct analysed a;
	struct estimate e;

	if (in->reference_n == 0 || in->other_n == 0)
		return c;
	set_difference(&c, in, math, scratch);
	c.by_ratio = have_ratios(in);
	c.constant = is_exact(in);
	a = analyse(in, math, c.by_ratio, scratch);
	e = estimate_of(in, &a);
	if (c.constant) /* logarithms would round it */
		e.value = c.difference;
	if (can_compare(in)) {
		c.p = p_of(&e, math);
		if (!in->estimate_only)
			c.permutation = permute(in, &a, PERMUTATION_BOTH, 1 - in->confidence, rest);
	}
	set_ratio(&c, in, &e, math);
	c.verdict = in->estimate_only ? VERDICT_NONE : judge(&c, in);
	return c;
}

/* A prediction for more runs of each side, if they continue like the runs so far. All values are
 * logarithms. */
struct plan {
	bool paired;
	double deviation; /* of a difference; unpaired, of both sides together */
	double effect; /* the true change */
	double same; /* a change up to this does not matter; 0: every change matters */
};

/* The probability that the interval of n runs ends before a point at this distance from the effect.
 * It follows from the noncentral t distribution, as in R's power.t.test(). */
static double power_at(const struct plan *plan, double distance, size_t n, double alpha,
		       const struct math *math)
{
	double df = plan->paired ? (double)n - 1 : 2 * ((double)n - 1);
	double ncp = distance / (plan->deviation / sqrt((double)n));
	double t = math->qt(alpha / 2, df, 0, 0);

	return ncp > 37 ? 1 : math->pnt(t, df, ncp, 0, 0);
}

/* The probability that the interval excludes 0, or that both of its ends are within plan->same. */
static double power_of(const struct plan *plan, size_t n, double alpha, const struct math *math)
{
	double differs = power_at(plan, plan->effect, n, alpha, math), same = 0;

	if (plan->same > plan->effect)
		same = power_at(plan, plan->same - plan->effect, n, alpha, math) +
		       power_at(plan, plan->same + plan->effect, n, alpha, math) - 1;
	return differs > same ? differs : same;
}

enum { RUNS_MAX = 1000000 };

static size_t runs_for(const struct plan *plan, double alpha, double wanted, size_t low,
		       const struct math *math)
{
	size_t high = low;

	while (power_of(plan, high, alpha, math) < wanted) {
		if (high > RUNS_MAX)
			return 0;
		low = high;
		high *= 2;
	}
	while (low + 1 < high) {
		size_t middle = (low + high) / 2;

		if (power_of(plan, middle, alpha, math) < wanted)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static double variance_of(const double *v, size_t n)
{
	struct summary s = sum_up(v, n);
	double deviation = summary_stddev(&s);

	return deviation * deviation;
}

static double deviation_of(const struct contrast_input *in, const struct analysed *a,
			   const struct math *math)
{
	double df = estimate_of(in, a).df;
	double variance = variance_of(a->reference, in->reference_n);

	if (!in->paired)
		variance += variance_of(a->other, in->other_n);
	return sqrt(variance * df / math->qchisq(0.2, df, 1, 0));
}

size_t contrast_runs_needed(const struct contrast_input *in, const struct math *math, double effect,
			    double alpha, double power, double *scratch)
{
	struct plan plan = { .paired = in->paired };
	struct analysed a;

	if (!can_compare(in) || !have_ratios(in) || effect <= 0)
		return 0;
	a = analyse(in, math, true, scratch);
	plan.deviation = deviation_of(in, &a, math);
	plan.effect = math->log(1 + effect);
	if (!(plan.deviation > 0))
		return contrast_runs_least(in, alpha);
	return runs_for(&plan, alpha, power, contrast_runs_least(in, alpha), math);
}

size_t contrast_runs_for_verdict(const struct contrast_input *in, const struct math *math,
				 double power, double *scratch)
{
	double alpha = 1 - in->confidence;
	struct plan plan = { .paired = in->paired };
	struct analysed a;

	if (!can_compare(in) || !have_ratios(in))
		return 0;
	a = analyse(in, math, true, scratch);
	plan.deviation = deviation_of(in, &a, math);
	plan.effect = fabs(estimate_of(in, &a).value);
	plan.same = math->log(1 + in->minimum_effect);
	if (!(plan.deviation > 0))
		return contrast_runs_least(in, alpha);
	return runs_for(&plan, alpha, power, contrast_runs_least(in, alpha), math);
}

/* The standard error of other - r * reference. */
static double error_of_share(const struct contrast_input *in, double r)
{
	struct moments m = moments_of(in);

	return sqrt(
		at_least_0(m.other_variance - 2 * r * m.covariance + r * r * m.reference_variance));
}

/* Of the reference, what a relative limit is at: beyond it on the side of 0 that it has itself. */
static double share_of(const struct contrast_input *in, const struct contrast_limit *limit)
{
	bool negative = sum_up(in->reference, in->reference_n).mean < 0;

	return 1 + (negative ? -limit->value : limit->value);
}

double contrast_p_beyond(const struct contrast_input *in, const struct math *math,
			 const struct contrast_limit *limit, double *scratch)
{
	bool by_ratio = limit->relative && !are_constant(in) && have_ratios(in);
	double at = limit->value; /* on the scale of the estimate */
	struct analysed a;
	struct estimate e;

	if (!can_compare(in))
		return 1;
	if (by_ratio)
		at = math->log(1 + limit->value);
	else if (limit->relative)
		at *= fabs((double)sum_up(in->reference, in->reference_n).mean);
	a = analyse(in, math, by_ratio, scratch);
	e = estimate_of(in, &a);
	e.value -= at;
	if (limit->relative && !by_ratio)
		e.error = error_of_share(in, share_of(in, limit));
	if (e.error > 0)
		return math->pt(e.value / e.error, e.df, !limit->above, 0);
	return (limit->above ? e.value : -e.value) > ROUNDING * fabs(at) ? 0 : 1;
}

struct permutation contrast_permutation_beyond(const struct contrast_input *in,
					       const struct math *math,
					       const struct contrast_limit *limit, double level,
					       double *scratch)
{
	struct contrast_input moved = *in;
	struct analysed a;
	double share;

	if (!can_compare(in))
		return (struct permutation){ 1, true };
	share = share_of(in, limit);
	for (size_t i = 0; i < in->reference_n; i++)
		scratch[i] = limit->relative ? in->reference[i] * share :
					       in->reference[i] + limit->value;
	moved.reference = scratch;
	a = analyse(&moved, math, limit->relative && have_ratios(in), scratch); /* in place */
	return permute(&moved, &a, limit->above ? PERMUTATION_ABOVE : PERMUTATION_BELOW, level,
		       scratch + in->reference_n + in->other_n);
}

double contrast_evidence_beyond(const struct contrast_input *in, const struct math *math,
				const struct contrast_limit *limit, double highest, double lowest,
				double *scratch)
{
	double p = contrast_p_beyond(in, math, limit, scratch);
	struct permutation permutation;

	if (p > highest || are_constant(in))
		return p;
	permutation = contrast_permutation_beyond(in, math, limit, lowest, scratch);
	return p > permutation.p ? p : permutation.p;
}
