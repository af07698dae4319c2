/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program's event rate is modelled as a constant, plus a random process whose correlation falls
 * exponentially with the time between two moments (an Ornstein-Uhlenbeck process), plus noise. A
 * Kalman filter over the windows predicts the count in the gaps, during which the counter was off
 * the PMU, and the variance of this prediction (Jones 1980, Technometrics 22(3): Kalman filters for
 * irregular data). The duration of the correlation and the strength of the noise are unknown, so
 * several values are tried, and the results are weighted by the restricted likelihood of the data
 * (Bayesian model averaging, Hoeting et al. 1999, Statistical Science 14(4)).
 */
#include "stats/estimate.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/math.h"
#include "stats/interval.h"

/* With fewer windows, the models are no better than scaling. With fewer segments, the interval does
 * not contain the true count often enough (tests/bench/multiplex). */
enum { WINDOWS_MIN = 16, SEGMENTS_MIN = 6 };

/* If turns are more uneven than this, the rates before and after a gap say little about the gap. */
#define UNEVEN 0.1

/* A program loads its libraries during this time; the event rate then says nothing about the rest
 * of the run. */
#define START_NS 2e6

/* ---- Functions of libm, see base/math.h. */

/* e to the power of -x; x: at least 0. The relative error is below 1e-12. */
static double exp_minus(double x)
{
	double y, power = 1;
	int halvings = 0;

	if (x > 700)
		return 0;
	for (; x > 0.03125; halvings++)
		x /= 2;
	/* the Padé approximant of order 3 */
	y = x * x;
	power = (120 + 12 * y - x * (60 + y)) / (120 + 12 * y + x * (60 + y));
	while (halvings-- > 0)
		power *= power;
	return power;
}

/* The natural logarithm; x: above 0 and normal. The error is below 1e-10. */
static double natural_log(double x)
{
	uint64_t bits;
	int exponent;
	double y, square;

	memcpy(&bits, &x, sizeof(bits));
	exponent = (int)(bits >> 52) - 1023;
	bits = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52;
	memcpy(&x, &bits, sizeof(x));
	if (x > M_SQRT2) {
		x /= 2;
		exponent++;
	}
	y = (x - 1) / (x + 1);
	square = y * y;
	return exponent * M_LN2 +
	       2 * y *
		       (1 + square * (1.0 / 3 +
				      square * (1.0 / 5 +
						square * (1.0 / 7 +
							  square * (1.0 / 9 + square / 11)))));
}

/* ---- The models. */

/* Widen the interval by this factor, because programs are not random processes as the models
 * assume. */
#define WIDENING 1.1

/* The prior weight of the model in which all rates are independent. This model is the likeliest if
 * there are few windows, and has the scaled count as its estimate. */
#define INDEPENDENT_WEIGHT 7.0

/* How long the correlation lasts, in multiples of the average gap. */
static const double durations[] = { 0.15, 0.5, 1.5, 5, 15, 60 };

/* The variance of the noise in a window, relative to that of the process. */
static const double noises[] = { 0.02, 0.15, 0.8, 4 };

enum {
	DURATIONS = sizeof(durations) / sizeof(durations[0]),
	NOISES = sizeof(noises) / sizeof(noises[0]),
	MODELS = 1 + DURATIONS * NOISES,
};

/* Part of the run: the counter was on the PMU during all of it, or off during all of it. */
struct part {
	double length; /* in average windows */
	double count; /* relative to the average rate; unknown in a gap */
	bool gap;
};

struct parts {
	struct part *v; /* owned */
	size_t n;
	size_t windows_n, segments_n; /* a segment: windows without a gap between them */
	double gap_length; /* of all gaps together */
	double average_gap;
	double rate; /* the average */
	double unit_ns; /* of lengths */
};

/* A model: the correlation lasts for duration; white is the variance of the noise per length. */
struct model {
	double duration; /* 0: rates are independent */
	double white;
};

/* The prediction of a model. */
struct prediction {
	double gaps; /* the sum of the counts in the gaps */
	double variance;
	double log_likelihood;
	double df;
};

/* ---- Windows to parts */

static void add_part(struct parts *parts, bool gap, double length, double count)
{
	struct part *last = parts->n > 0 ? &parts->v[parts->n - 1] : NULL;

	if (length <= 0)
		return;
	if (gap && last && last->gap) {
		last->length += length;
		return;
	}
	parts->segments_n += !gap && (!last || last->gap);
	parts->windows_n += !gap;
	parts->v[parts->n++] = (struct part){ length, count, gap };
}

/* If the counter ran for only part of a window, it is assumed to have been on next to the
 * neighbouring window in which it was on. next: NULL for the last window. */
static void add_window(struct parts *parts, const struct counts *window, const struct counts *next)
{
	double off = window->enabled_ns > window->running_ns ?
			     (double)(window->enabled_ns - window->running_ns) :
			     0;
	bool was_on = parts->n > 0 && !parts->v[parts->n - 1].gap;
	bool on_first = was_on || !next || next->running_ns == 0;

	if (!on_first)
		add_part(parts, true, off, 0);
	add_part(parts, false, (double)window->running_ns, (double)window->raw);
	if (on_first)
		add_part(parts, true, off, 0);
}

/* False: out of memory. */
static bool make_parts(struct parts *parts, const struct counts *windows, size_t n,
		       const struct counts *sum)
{
	size_t gaps_n = 0;

	*parts = (struct parts){ .v = calloc(2 * n + 1, sizeof(*parts->v)) };
	if (!parts->v)
		return false;
	for (size_t i = 0; i < n; i++)
		add_window(parts, &windows[i], i + 1 < n ? &windows[i + 1] : NULL);
	parts->rate = (double)sum->raw / (double)sum->running_ns;
	parts->unit_ns = (double)sum->running_ns / (double)parts->windows_n;
	for (size_t i = 0; i < parts->n; i++) {
		struct part *part = &parts->v[i];

		part->length /= parts->unit_ns;
		if (parts->rate > 0)
			part->count /= parts->rate * parts->unit_ns;
		gaps_n += part->gap;
		parts->gap_length += part->gap ? part->length : 0;
	}
	parts->average_gap = gaps_n ? parts->gap_length / (double)gaps_n : 0;
	return true;
}

static void parts_release(struct parts *parts)
{
	free(parts->v);
}

/* ---- The Kalman filter */

/* How the process x, with variance 1, advances by a length: x' = decay * x + noise, and its
 * integral is sum * x + noise. */
struct step {
	double decay, sum;
	double var_x, var_sum, covariance; /* of the noises */
};

static struct step step_of(const struct model *model, double length)
{
	double tau = model->duration, r, lost;
	struct step s;

	if (tau == 0)
		return (struct step){ 0 };
	r = length / tau;
	s.decay = exp_minus(r);
	lost = 1 - s.decay;
	s.sum = tau * lost;
	s.var_x = lost * (1 + s.decay);
	s.covariance = tau * lost * lost;
	s.var_sum = tau * tau * (r < 1e-3 ? 2.0 / 3 * r * r * r : 2 * (r - lost) - lost * lost);
	return s;
}

/*
 * The state of the filter. The filter runs on two inputs: the counts, and the counts of a program
 * with the constant rate 1. The mean of the process is the first mean minus the second mean times
 * the average rate, which is still unknown.
 */
struct filter {
	double x[2], gaps[2]; /* means: the process now, and its integral over all gaps */
	double var_x, var_gaps, covariance;
	double squares[3]; /* sums of the products of innovations, divided by their variances */
	double log_variances;
};

static void pass_gap(struct filter *f, const struct step *s)
{
	for (int i = 0; i < 2; i++) {
		f->gaps[i] += s->sum * f->x[i];
		f->x[i] *= s->decay;
	}
	f->var_gaps += 2 * s->sum * f->covariance + s->sum * s->sum * f->var_x + s->var_sum;
	f->covariance = s->decay * f->covariance + s->decay * s->sum * f->var_x + s->covariance;
	f->var_x = s->decay * s->decay * f->var_x + s->var_x;
}

/* Returns the variance of the innovations. */
static double pass_window(struct filter *f, const struct step *s, const struct part *part,
			  double white, double innovations[2])
{
	double x_sum = s->decay * s->sum * f->var_x + s->covariance;
	double gaps_sum = s->sum * f->covariance;
	double variance = s->sum * s->sum * f->var_x + s->var_sum + white * part->length + DBL_MIN;

	innovations[0] = part->count - s->sum * f->x[0];
	innovations[1] = part->length - s->sum * f->x[1];
	for (int i = 0; i < 2; i++) {
		f->x[i] = s->decay * f->x[i] + x_sum / variance * innovations[i];
		f->gaps[i] += gaps_sum / variance * innovations[i];
	}
	f->var_x = s->decay * s->decay * f->var_x + s->var_x - x_sum * x_sum / variance;
	f->covariance = s->decay * f->covariance - gaps_sum * x_sum / variance;
	f->var_gaps -= gaps_sum * gaps_sum / variance;
	for (int i = 0; i < 3; i++)
		f->squares[i] += innovations[i > 0] * innovations[i > 1] / variance;
	f->log_variances += natural_log(variance);
	return variance;
}

/* Windows without a gap between them. */
struct segment {
	double innovations[2]; /* the sums of the standardized innovations */
	size_t windows;
	double residual; /* the innovations of the process */
};

struct segments {
	struct segment *v; /* owned by the caller */
	size_t n;
};

static void add_to_segment(struct segments *segments, bool begins, double variance,
			   const double innovations[2])
{
	double root = sqrt(variance);
	struct segment *segment;

	if (begins)
		segments->v[segments->n++] = (struct segment){ 0 };
	segment = &segments->v[segments->n - 1];
	for (int i = 0; i < 2; i++)
		segment->innovations[i] += innovations[i] / root;
	segment->windows++;
}

static struct filter run_filter(const struct parts *parts, const struct model *model,
				struct segments *segments)
{
	struct filter f = { .var_x = model->duration > 0 };
	double innovations[2];
	bool begins = true;

	segments->n = 0;
	for (size_t i = 0; i < parts->n; i++) {
		const struct part *part = &parts->v[i];
		const struct step step = step_of(model, part->length);

		if (part->gap) {
			pass_gap(&f, &step);
		} else {
			double variance = pass_window(&f, &step, part, model->white, innovations);

			add_to_segment(segments, begins, variance, innovations);
		}
		begins = part->gap;
	}
	return f;
}

/* ---- From the filter to a prediction */

static void set_residuals(struct segments *segments, double rate)
{
	for (size_t i = 0; i < segments->n; i++) {
		struct segment *it = &segments->v[i];

		it->residual = (it->innovations[0] - rate * it->innovations[1]) /
			       sqrt((double)it->windows);
	}
}

static double product(const struct segments *segments, size_t lag)
{
	double sum = 0;

	for (size_t i = 0; i + lag < segments->n; i++)
		sum += segments->v[i].residual * segments->v[i + lag].residual;
	return sum / (double)segments->n;
}

/*
 * How much more the residuals of the segments vary than the model predicts, as a factor. Segments
 * that are correlated vary together: the covariances are added as long as the sum over each pair of
 * lags is positive (Geyer 1992, Statistical Science 7(4)).
 */
static double excess_variance(const struct segments *segments, double variance)
{
	double sum = product(segments, 0), pair;

	for (size_t lag = 1; lag + 1 < segments->n / 2; lag += 2) {
		pair = product(segments, lag) + product(segments, lag + 1);
		if (pair <= 0)
			break;
		sum += 2 * pair;
	}
	return variance > 0 && sum > variance ? sum / variance : 1;
}

/*
 * The effective number of segments in the variance, minus one. One outlier among equal segments
 * gives a small number, because the kurtosis, which is 3 for a normal variable, is large. Segments
 * whose residuals are below about 0.01 % of the rate count as equal.
 */
static double degrees_of_freedom(const struct segments *segments)
{
	double squares = 0, fourth = 0, effective;

	for (size_t i = 0; i < segments->n; i++) {
		double square = segments->v[i].residual * segments->v[i].residual + 1e-8;

		squares += square;
		fourth += square * square;
	}
	effective = 3 * squares * squares / fourth;
	return (effective < (double)segments->n ? effective : (double)segments->n) - 1;
}

static struct prediction estimate_predict(const struct parts *parts, const struct model *model,
					  struct segments *segments)
{
	const struct filter f = run_filter(parts, model, segments);
	double ones = f.squares[2];
	double rate = f.squares[1] / ones;
	double rest = f.squares[0] - rate * f.squares[1]; /* the sum of squares around the mean */
	double n = (double)parts->windows_n;
	double scale = rest > 1e-12 * n ? rest / (n - 1) : 1e-12;
	double off = parts->gap_length - f.gaps[1];
	struct prediction p;

	set_residuals(segments, rate);
	p.gaps = rate * off + f.gaps[0];
	p.variance = scale * (f.var_gaps + model->white * parts->gap_length + off * off / ones) *
		     excess_variance(segments, scale);
	p.log_likelihood =
		-((n - 1) * natural_log(scale) + f.log_variances + natural_log(ones)) / 2;
	p.df = degrees_of_freedom(segments);
	return p;
}

/* ---- All models */

static struct model model_of(const struct parts *parts, size_t i)
{
	struct model model = { .white = 1 };
	struct step window;

	if (i == 0)
		return model;
	model.duration = durations[(i - 1) / NOISES] * (parts->average_gap + 1);
	window = step_of(&model, 1);
	model.white = noises[(i - 1) % NOISES] * (window.sum * window.sum + window.var_sum);
	return model;
}

/*
 * Whether the program repeats itself within a segment. The rates at the edges of a segment, which
 * the models extend into the gaps, then differ from the average in the opposite direction from the
 * rates between the edges. The models cannot represent this: if the program is also in step with
 * the rotation, they would be wrong in the same direction in each gap.
 */
static bool oscillates(const struct parts *parts)
{
	double products = 0, edge, inner, length;
	size_t first = 0, last;

	for (; first < parts->n; first = last + 1) {
		inner = length = 0;
		last = first;
		while (last + 1 < parts->n && !parts->v[last + 1].gap && !parts->v[first].gap)
			last++;
		if (last < first + 2)
			continue;
		for (size_t i = first + 1; i < last; i++) {
			inner += parts->v[i].count;
			length += parts->v[i].length;
		}
		edge = (parts->v[first].count + parts->v[last].count) /
		       (parts->v[first].length + parts->v[last].length);
		products += (edge - 1) * (inner / length - 1);
	}
	return products < 0;
}

/* The average of the predictions, weighted by how likely the models are. */
static struct prediction average(const struct prediction *p, size_t n)
{
	double best = p[0].log_likelihood, weights[MODELS], sum = 0, mean = 0;
	struct prediction all = { 0 };

	for (size_t i = 1; i < n; i++)
		if (p[i].log_likelihood > best)
			best = p[i].log_likelihood;
	for (size_t i = 0; i < n; i++) {
		weights[i] =
			exp_minus(best - p[i].log_likelihood) * (i == 0 ? INDEPENDENT_WEIGHT : 1);
		sum += weights[i];
		mean += weights[i] * p[i].gaps;
	}
	all.gaps = mean / sum;
	for (size_t i = 0; i < n; i++) {
		double from_mean = p[i].gaps - all.gaps;

		all.variance += weights[i] / sum * (p[i].variance + from_mean * from_mean);
		all.df += weights[i] / sum * p[i].df;
	}
	return all;
}

/* In each gap, the rate may jump at any time from the rate before the gap to the rate after it. */
static double variance_of_jumps(const struct parts *parts)
{
	double sum = 0;

	for (size_t i = 1; i + 1 < parts->n; i++) {
		const struct part *part = &parts->v[i];
		double before = part[-1].count / part[-1].length;
		double after = part[1].count / part[1].length;

		if (part->gap)
			sum += part->length * part->length * (after - before) * (after - before) /
			       4;
	}
	return sum;
}

/* The variance of the rates of the windows, relative to the square of the average rate. */
static double variance_of_rates(const struct parts *parts)
{
	double sum = 0, length = 0;

	for (size_t i = 0; i < parts->n; i++) {
		const struct part *part = &parts->v[i];
		double from_mean = part->count - part->length;

		if (part->gap)
			continue;
		sum += from_mean * from_mean / part->length;
		length += part->length;
	}
	return sum / length;
}

static double half_width(const struct parts *parts, const struct prediction *all, double unevenness)
{
	double of_models, of_jumps, of_turns, of_start;

	if (parts->segments_n < SEGMENTS_MIN)
		return NAN;
	of_models = WIDENING * interval_t(NULL, INTERVAL_CONFIDENCE, all->df) * sqrt(all->variance);
	of_jumps = 1.6 * sqrt(variance_of_jumps(parts));
	of_turns = 3 * unevenness * parts->gap_length * sqrt(variance_of_rates(parts));
	of_start = parts->v[0].gap ? START_NS / parts->unit_ns : 0;
	if (of_models < of_jumps)
		of_models = of_jumps;
	return sqrt(of_models * of_models + of_turns * of_turns + of_start * of_start);
}

static bool predict_all(const struct parts *parts, double unevenness, struct prediction *all)
{
	cleanup_free struct segment *owned = calloc(parts->segments_n, sizeof(*owned));
	struct segments segments = { .v = owned };
	struct prediction predictions[MODELS];

	/* the first model has independent rates */
	size_t n = oscillates(parts) || unevenness > UNEVEN ? 1 : MODELS;

	for (size_t i = 0; owned && i < n; i++) {
		struct model model = model_of(parts, i);

		predictions[i] = estimate_predict(parts, &model, &segments);
	}
	if (owned)
		*all = average(predictions, n);
	return owned != NULL;
}

bool estimate_count(const struct counts *windows, size_t n, double unevenness,
		    struct count_estimate *estimate)
{
	cleanup_with(parts_release) struct parts parts = { 0 };
	struct counts sum = { 0 };
	struct prediction all;
	double unit;

	for (size_t i = 0; i < n; i++) {
		sum.raw += windows[i].raw;
		sum.enabled_ns += windows[i].enabled_ns;
		sum.running_ns += windows[i].running_ns;
	}
	if (sum.running_ns == 0 || !make_parts(&parts, windows, n, &sum))
		return false;
	*estimate = (struct count_estimate){ parts.rate * (double)sum.enabled_ns, NAN };
	if (sum.raw == 0 || parts.windows_n < WINDOWS_MIN)
		return true;
	if (!predict_all(&parts, unevenness, &all))
		return false;
	unit = parts.rate * parts.unit_ns;
	estimate->half_width = half_width(&parts, &all, unevenness) * unit;
	if (all.gaps > 0)
		estimate->count = (double)sum.raw + all.gaps * unit;
	return true;
}
