/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

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

double measure_shown_error(const struct measure *m)
{
	const double percent = measure_error_percent(m), least = 0.1;

	if (!isfinite(percent))
		return 0;
	return percent < least ? least : percent;
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

struct series_bounds measure_bounds_of_mean(const struct measure *m)
{
	const long double mean = measure_mean(m);

	if (mean == m->value || m->value == 0)
		return m->bounds;
	return series_bounds(mean, m->half_width * fabsl(mean / m->value));
}

double measure_spread_percent(const struct measure *m)
{
	if (!m->metric || m->value == 0)
		return summary_stderr_percent(&m->summary);
	return 100 * fabs(summary_stderr(&m->summary) / (double)m->value);
}

struct series_bounds measure_interval(const struct measure *m)
{
	struct series_bounds bounds = { .known = false };

	if (m->summary.n > 1) /* the errors of the estimates are part of the spread of the runs */
		bounds = series_bounds(measure_mean(m),
				       (long double)interval_half(NULL, INTERVAL_CONFIDENCE,
								  &m->summary, 0));
	else if (m->state == SCALED)
		bounds = measure_bounds_of_mean(m);
	bounds.known &= isfinite((double)bounds.low) && isfinite((double)bounds.high);
	return bounds;
}
