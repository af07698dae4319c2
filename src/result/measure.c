/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/math.h"
#include "base/str.h"
#include "result/measure.h"
#include "stats/interval.h"
#include "stats/scale.h"

const char *measure_absent(enum count_state state)
{
	switch (state) {
	case COUNTED:
	case SCALED:
		return NULL;
	case NOT_SUPPORTED:
		return "<not supported>";
	case NOT_COUNTED:
	case FAILED:
	case ELSEWHERE:
		break;
	}
	return "<not counted>";
}

int measure_shown_decimals(const struct measure *m)
{
	bool small = m->value > 0 && m->value < 10;

	return small && m->decimals == 0 && m->state != SCALED && !math_is_whole(m->value) ?
		       2 :
		       m->decimals;
}

long double measure_perf_value(const struct measure *m)
{
	if (m->state != SCALED)
		return m->value;
	return scale_to_unit(m->truncated, m->factor);
}

double measure_error_percent(const struct measure *m)
{
	return m->value == 0 ? NAN : (double)(100 * m->half_width / m->value);
}

/* A half-width in percent, as it is shown: never rounded down to 0. */
static double least_shown(double percent)
{
	const double least = 0.1;

	return percent < least ? least : percent;
}

double measure_shown_error(const struct measure *m)
{
	const double percent = measure_error_percent(m);

	return isfinite(percent) ? least_shown(percent) : 0;
}

/* ---- Names. */

char *measure_event_name(const struct event *event, const struct opening *opening)
{
	bool path = event->probed || event->attr.type == PERF_TYPE_BREAKPOINT;
	/* after "pmu/…/" and other modifiers, the letter needs no colon */
	bool colon = !event->has_modifiers && (path || !strchr(event->name, '/'));
	char *name;

	if (!opening->user_only || event_is_clock(event)) /* older documents narrowed clocks */
		return strdup(event->name);
	return asprintf(&name, "%s%su", event->name, colon ? ":" : "") < 0 ? NULL : name;
}

void measure_add_name(struct str *out, const struct measure *m)
{
	str_add(out, m->name);
	if (*m->place->label)
		str_addf(out, " %s", m->place->label);
	if (m->cgroup)
		str_addf(out, " %s", m->cgroup);
	if (m->copy > 0)
		str_addf(out, " #%zu", m->copy + 1);
}

/* ---- Numbers over the runs. */

bool measure_is_known(const struct measure *m)
{
	return m->summary.n > 0 && isfinite((double)m->value) &&
	       (m->kind != OF_METRIC || m->defined);
}

struct series_bounds measure_interval(const struct measure *m)
{
	struct series_bounds bounds = { .known = false };

	if (m->summary.n > 1) /* the errors of the estimates are part of the spread of the runs */
		bounds = series_bounds(m->value,
				       (long double)interval_half(NULL, INTERVAL_CONFIDENCE,
								  &m->summary, 0));
	else if (m->state == SCALED)
		bounds = m->bounds;
	bounds.known &= isfinite((double)bounds.low) && isfinite((double)bounds.high);
	return bounds;
}

int measure_sum_up(struct measure *m, size_t n)
{
	cleanup_free long double *values = calloc(n + 1, sizeof(*values));
	size_t known_n = 0;

	if (!values)
		return -ENOMEM;
	for (size_t run = 0; run < n; run++)
		if (reading_has_count(m->runs[run].state))
			values[known_n++] = m->runs[run].count;
	m->summary = summary_of(values, known_n);
	return 0;
}

/* Sums and values over the runs of an event. */
struct event_runs {
	uint64_t enabled_ns, running_ns; /* the sums */
	long double truncated; /* the sum of the counts, of which each scaled one is truncated */
	long double *values; /* the counts of the runs that counted the event */
	size_t values_n;
	size_t scaled_n; /* the number of counts that are scaled */
	size_t sampled_n; /* the number of these that were sampled for an interval */
	long double square_errors; /* the sum of their squared half-widths that are known */
	size_t known_n; /* the number of these half-widths */
};

/* The mean is an estimate if one run is scaled. Runs without a count are left out. */
static void add_run_of_event(struct measure *m, const struct series_value *value,
			     struct event_runs *runs)
{
	if (value->state == ELSEWHERE)
		return;
	m->too_short |= value->too_short;
	runs->enabled_ns += value->counts.enabled_ns;
	runs->running_ns += value->counts.running_ns;
	m->runs_n++;
	if (!reading_has_count(value->state)) {
		if (runs->values_n == 0)
			m->state = value->state;
		return;
	}
	if (runs->values_n == 0 || value->state == SCALED)
		m->state = value->state;
	if (value->estimator > m->estimator)
		m->estimator = value->estimator;
	runs->scaled_n += value->state == SCALED;
	runs->sampled_n += value->sampled;
	if (value->state == SCALED && !isnan((double)value->half_width)) {
		runs->square_errors += value->half_width * value->half_width;
		runs->known_n++;
	}
	runs->values[runs->values_n++] = value->count;
	runs->truncated += value->state == SCALED ? math_truncate(value->count) : value->count;
}

/* If no estimate has an interval, the spread of at least this many scaled runs gives one. The
 * spread of fewer runs says too little about the errors. */
enum { SPREAD_RUNS_MIN = 6 };

/*
 * The half-width of the 95 % interval around the mean that the errors of the scaled counts cause.
 * The errors of the runs are independent, because the kernel starts with a different group in each
 * run (session_run.c). A scaled run without an interval is assumed to be as uncertain as the
 * average of the scaled runs that have one. NAN: no scaled run has an interval.
 */
static double error_of_estimates(const struct measure *m, const struct event_runs *runs)
{
	const double scaled_n = (double)runs->scaled_n, n = (double)m->count.n;

	if (m->estimator <= ESTIMATOR_EXACT)
		return 0;
	if (m->estimator != ESTIMATOR_MODEL)
		return NAN;
	return sqrt((double)runs->square_errors / (double)runs->known_n * scaled_n) / n;
}

/*
 * The half-width of the 95 % interval around the mean of scaled counts: that of the estimates, or
 * that of the spread of the runs, whichever is wider.
 */
static double half_width_of_event(const struct measure *m, const struct event_runs *runs)
{
	const struct summary *count = &m->count;
	double of_runs = 0;

	if (m->estimator <= ESTIMATOR_EXACT)
		return 0;
	if (m->sampled)
		of_runs = interval_half(NULL, INTERVAL_CONFIDENCE, count, 0);
	if (isnan(m->estimate_error))
		return runs->scaled_n >= SPREAD_RUNS_MIN && of_runs > 0 ? of_runs : NAN;
	return math_larger(of_runs, m->estimate_error);
}

int measure_sum_up_event(struct measure *m, size_t n)
{
	cleanup_free long double *counts = calloc(n + 1, sizeof(*counts));
	struct event_runs runs = { .values = counts };

	if (!counts)
		return -ENOMEM;
	for (size_t run = 0; run < n; run++)
		add_run_of_event(m, &m->runs[run], &runs);
	m->count = summary_of(counts, runs.values_n);
	m->summary = summary_times(&m->count, m->factor);
	m->value = m->summary.mean;
	m->truncated = runs.values_n ? runs.truncated / (long double)runs.values_n : 0;
	m->spread_percent = summary_stderr_percent(&m->count);
	m->sampled = runs.scaled_n > 0 && runs.sampled_n == runs.scaled_n;
	if (m->sampled && runs.known_n > 0)
		m->estimator = ESTIMATOR_MODEL;
	m->estimate_error = error_of_estimates(m, &runs);
	m->half_width = half_width_of_event(m, &runs) * m->factor;
	m->estimate_error *= m->factor;
	if (m->count.n > 0)
		m->bounds = series_bounds(m->value, m->half_width);
	m->running_ns = m->count.n ? runs.running_ns / m->count.n : 0;
	m->running_percent = scale_running_percent(runs.enabled_ns, runs.running_ns);
	return 0;
}
