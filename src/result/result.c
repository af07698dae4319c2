/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "result/row_metrics.h"
#include "result/result.h"

const char *result_absent(enum count_state state)
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

size_t result_floors(const struct result *result)
{
	const uint64_t floor_kib = result->series->max_rss_floor_kib;
	size_t n = 0;

	for (size_t i = 0; floor_kib && i < result->runs_n; i++)
		n += result->runs[i].tool[TOOL_MAX_RSS] <= floor_kib;
	return n;
}

/* Whether a letter appended to the name is a modifier: after "pmu/…/" or other modifiers. */
static bool takes_letter(const struct event *event)
{
	bool path = event->probed || event->attr.type == PERF_TYPE_BREAKPOINT;

	return event->has_modifiers || (!path && strchr(event->name, '/'));
}

char *result_row_name(const struct event *event, const struct opening *opening)
{
	const char *between = takes_letter(event) ? "" : ":";
	char *name;

	if (!opening->user_only)
		return strdup(event->name);
	return asprintf(&name, "%s%su", event->name, between) < 0 ? NULL : name;
}

/* The runs of a row. */
struct row_runs {
	uint64_t enabled_ns, running_ns; /* the sums */
	long double *values; /* the counts of those that counted it */
	size_t values_n;
};

/* The mean is an estimate if one run is scaled. Runs without a count are left out. */
static void add_value(struct result_row *row, const struct series_value *value,
		      struct row_runs *runs)
{
	if (value->state == ELSEWHERE)
		return;
	row->too_short |= value->too_short;
	runs->enabled_ns += value->counts.enabled_ns;
	runs->running_ns += value->counts.running_ns;
	row->runs_n++;
	if (result_absent(value->state)) {
		if (runs->values_n == 0)
			row->state = value->state;
		return;
	}
	if (runs->values_n == 0 || value->state == SCALED)
		row->state = value->state;
	runs->values[runs->values_n++] = value->count;
}

static bool is_whole(double factor)
{
	return factor >= 1 && factor < 1e15 && (double)(uint64_t)factor == factor;
}

struct series_value result_value(const struct result *result, const struct result_row *row,
				 size_t run)
{
	const struct series *series = result->series;

	return series_value(series, (size_t)(row->row - series->rows), &result->runs[run]);
}

static int build_row(struct result_row *row, const struct result *result, size_t i)
{
	const struct series *series = result->series;
	const struct event *event = &series->events->events[series->rows[i].event];
	cleanup_free long double *values = calloc(result->runs_n + 1, sizeof(*values));
	struct row_runs runs = { .values = values };

	*row = (struct result_row){ .event = event,
				    .row = &series->rows[i],
				    .place = &series->places[series->rows[i].place_index],
				    .opening = &series->openings[series->rows[i].event],
				    .state = NOT_COUNTED,
				    .decimals = is_whole(event->factor) ? 0 : 2 };
	row->name = result_row_name(event, row->opening);
	if (!row->name || !values)
		return -ENOMEM;
	for (size_t run = 0; run < result->runs_n; run++) {
		const struct series_value value = result_value(result, row, run);

		add_value(row, &value, &runs);
	}
	row->count = summary_of(values, runs.values_n);
	row->in_unit = summary_times(&row->count, event->factor);
	row->value = row->in_unit.mean;
	row->spread_percent = summary_stderr_percent(&row->count);
	row->running_ns = row->count.n ? runs.running_ns / row->count.n : 0;
	row->running_percent = scale_running_percent(runs.enabled_ns, runs.running_ns);
	return 0;
}

/* pstat's own events have no place: they are shown once. A place has no row for an event that is
 * counted on none of its CPUs. */
static bool is_shown(const struct series *series, size_t i)
{
	const struct row *row = &series->rows[i];
	const struct event *event = &series->events->events[row->event];
	bool counted = series_is_counted_there(series, i);

	if (series_is_merged(series, i) || !series->places[row->place_index].label)
		return false;
	if (event->tool != TOOL_NONE)
		return row->place_index == 0;
	for (i++; series_is_merged(series, i); i++)
		counted |= series_is_counted_there(series, i);
	return counted || series->split == PLACE_TARGET || series->split == PLACE_THREAD;
}

static int add_row(struct result *result, size_t i)
{
	struct result_row *row = &result->rows[result->rows_n];
	int err;

	if (!is_shown(result->series, i))
		return 0;
	err = build_row(row, result, i);
	if (err == 0 && result->series->only_counted && row->event->tool == TOOL_NONE &&
	    row->value == 0)
		free(take_ptr(row->name));
	else
		result->rows_n++;
	return err;
}

/* perf's order of threads: the greatest count first. */
static int compare_rows(const void *a, const void *b)
{
	const struct result_row *left = a, *right = b;

	if (left->value != right->value)
		return left->value < right->value ? 1 : -1;
	return (left->row->place_index > right->row->place_index) -
	       (left->row->place_index < right->row->place_index);
}

/* As perf: CPUs and threads event by event, larger places one after the other. */
static int build_rows(struct result *result)
{
	const struct series *series = result->series;
	size_t events = series->events->n;
	size_t places = events ? series->rows_n / events : 0;
	bool by_event = !place_sums_cpus(series->split);
	int err = 0;

	for (size_t i = 0; err == 0 && !by_event && i < series->rows_n; i++)
		err = add_row(result, i);
	for (size_t event = 0; by_event && event < events; event++) {
		size_t first = result->rows_n;

		for (size_t place_index = 0; err == 0 && place_index < places; place_index++)
			err = add_row(result, place_index * events + event);
		if (series->split == PLACE_THREAD && result->rows_n > first)
			qsort(&result->rows[first], result->rows_n - first, sizeof(*result->rows),
			      compare_rows);
	}
	return err;
}

/* What the clock and getrusage(2) say of the runs. 0 or -ENOMEM. */
static int sum_up_times(struct result *result)
{
	const struct {
		struct summary *summary;
		enum tool_event tool;
	} times[] = {
		{ &result->elapsed_ns, TOOL_DURATION_TIME },
		{ &result->user_ns, TOOL_USER_TIME },
		{ &result->system_ns, TOOL_SYSTEM_TIME },
	};
	cleanup_free long double *values = calloc(result->runs_n + 1, sizeof(*values));

	for (size_t i = 0; values && i < sizeof(times) / sizeof(times[0]); i++) {
		for (size_t run = 0; run < result->runs_n; run++)
			values[run] = result->runs[run].tool[times[i].tool];
		*times[i].summary = summary_of(values, result->runs_n);
	}
	return values ? 0 : -ENOMEM;
}

/* The subject without the quotes that perf puts around a command. */
static char *command_of(const char *subject)
{
	size_t n = strlen(subject);
	bool quoted = n >= 2 && subject[0] == '\'' && subject[n - 1] == '\'';

	return quoted ? strndup(subject + 1, n - 2) : strdup(subject);
}

/* 0 or -ENOMEM. */
static int add_times(struct result *result)
{
	result->times = calloc(result->runs_n + 1, sizeof(*result->times));
	if (!result->times)
		return -ENOMEM;
	for (size_t i = 0; i < result->runs_n; i++) {
		uint64_t elapsed_ns = result->runs[i].tool[TOOL_DURATION_TIME];
		double over_ns = (double)(elapsed_ns - result->elapsed_ns.mean);

		result->times[i] = (struct result_time){
			.elapsed_ns = elapsed_ns,
			.over_ns = over_ns,
			.over_percent = elapsed_ns ? 100 * over_ns / (double)elapsed_ns : 0,
		};
	}
	return 0;
}

/* What is known without a computation, and room for the rest. */
static struct result begin_result(const struct series *series, const struct interval *interval)
{
	struct result result = {
		.series = series,
		.interval = interval,
		.runs = interval ? &interval->run : series->runs,
		.runs_n = interval ? 1 : series->runs_n,
		.rows = calloc(series->rows_n + 1, sizeof(*result.rows)),
		.command = command_of(series->subject),
	};

	result.is_series = result.runs_n > 1 && result.runs_n > series->passes_n;
	for (size_t i = 0; i < series->events->n; i++)
		result.has_cgroups |= series->events->events[i].cgroup != NULL;
	return result;
}

int result_build(struct result *result, const struct series *series,
		 const struct interval *interval)
{
	int err;

	*result = begin_result(series, interval);
	err = result->rows && result->command ? sum_up_times(result) : -ENOMEM;
	if (err == 0)
		err = add_times(result);
	if (err == 0)
		err = build_rows(result);
	if (err == 0)
		err = row_metrics_add(result);
	if (err < 0)
		result_release(result);
	return err;
}

void result_release(struct result *result)
{
	for (size_t i = 0; i < result->rows_n; i++)
		free(result->rows[i].name);
	free(result->rows);
	free(result->command);
	free(result->times);
	free(result->withheld);
	*result = (struct result){ 0 };
}
