/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/str.h"
#include "result/series.h"

int series_extend(struct series *series, const struct place *places, const struct row *rows,
		  size_t rows_n)
{
	for (size_t i = 0; rows_n > series->rows_n && i < series->runs_n; i++) {
		struct run *run = &series->runs[i];
		struct reading *readings = realloc(run->readings, (rows_n + 1) * sizeof(*readings));

		if (!readings)
			return -ENOMEM;
		run->readings = readings;
		for (size_t row = series->rows_n; row < rows_n; row++)
			readings[row] = (struct reading){
				.state = series->openings[rows[row].event].refused ? NOT_SUPPORTED :
										     COUNTED
			}; /* nothing ran in this place, see run_readings_fill() */
	}
	series->places = places;
	series->rows = rows;
	series->rows_n = rows_n;
	return 0;
}

void series_add_run(struct series *series, const struct run *run)
{
	series->runs[series->runs_n++] = *run;
	if (series->max_rss_floor_kib < run->max_rss_floor_kib)
		series->max_rss_floor_kib = run->max_rss_floor_kib;
}

void series_drop_run(struct series *series)
{
	size_t last = --series->runs_n;

	free(series->runs[last].readings);
	while (series->intervals_n > 0 && series->intervals[series->intervals_n - 1].of_run >= last)
		free(series->intervals[--series->intervals_n].run.readings);
}

bool series_has_failed(const struct series *series)
{
	for (size_t i = 0; i < series->runs_n; i++) {
		const struct run *run = &series->runs[i];
		bool is_ended = run->timed_out && WIFSIGNALED(run->wait_status) &&
				WTERMSIG(run->wait_status) == SIGTERM;

		if (run->wait_status != 0 && !is_ended)
			return true;
	}
	return false;
}

int series_keep_interval(struct series *series, const struct interval *interval)
{
	struct interval copy = *interval;

	copy.run.readings = calloc(series->rows_n + 1, sizeof(*copy.run.readings));
	if (!copy.run.readings || array_grow(&series->intervals, series->intervals_n,
					     &series->intervals_size, sizeof(copy)) < 0) {
		free(copy.run.readings);
		return -ENOMEM;
	}
	memcpy(copy.run.readings, interval->run.readings,
	       series->rows_n * sizeof(*copy.run.readings));
	series->intervals[series->intervals_n++] = copy;
	return 0;
}

void series_release(struct series *series)
{
	for (size_t i = 0; i < series->runs_n; i++)
		free(series->runs[i].readings);
	for (size_t i = 0; i < series->intervals_n; i++)
		free(series->intervals[i].run.readings);
	free(series->runs);
	free(series->intervals);
	free((void *)(uintptr_t)series->subject);
	*series = (struct series){ 0 };
}

const char *series_parameter(const struct series_parameters *p, const char *name)
{
	for (size_t i = 0; p && i < p->names.n; i++)
		if (strcmp(p->names.v[i], name) == 0)
			return p->values.v[i];
	return NULL;
}

void series_parameters_release(struct series_parameters *parameters)
{
	str_list_release(&parameters->names);
	str_list_release(&parameters->values);
}

void series_provenance_release(struct provenance *p)
{
	char *const texts[] = { p->pstat,   p->libpfm4,	  p->cwd,	  p->host, p->kernel,
				p->machine, p->cpu_model, p->cpus_online, p->job };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(texts[i]);
	str_list_release(&p->argv);
	str_list_release(&p->pmus);
	str_list_release(&p->governors);
	*p = (struct provenance){ 0 };
}

void series_ranks_release(struct series_ranks *ranks)
{
	for (size_t i = 0; i < ranks->v_n; i++)
		free(ranks->v[i].largest);
	free(ranks->v);
	*ranks = (struct series_ranks){ 0 };
}

bool series_is_merged(const struct series *series, size_t row)
{
	return row < series->rows_n && series->events->events[series->rows[row].event].merged;
}

/* The next row after `row` that is merged into the row `first`. SIZE_MAX: there is none. Begin with
 * `row` equal to `first`. */
static size_t series_next_instance(const struct series *series, size_t first, size_t row)
{
	const struct event *events = series->events->events;
	const struct event *event = &events[series->rows[first].event];
	const size_t end = first - series->rows[first].event + series->events->n;

	while (++row < end) {
		const struct event *other = &events[series->rows[row].event];

		if (other->merged && other->name_index == event->name_index &&
		    str_equal(other->cgroup, event->cgroup))
			return row;
	}
	return SIZE_MAX;
}

/* Whether the row's event belongs to the row's place: it is counted there, or the kernel refused
 * the event. An instance of an uncore PMU counts only its own package. */
static bool series_is_counted_there(const struct series *series, size_t row)
{
	const struct row *it = &series->rows[row];

	return it->counters > 0 || series->openings[it->event].refused;
}

size_t series_counters(const struct series *series, size_t row)
{
	size_t n = series->rows[row].counters;

	for (size_t i = row; (i = series_next_instance(series, row, i)) != SIZE_MAX;)
		if (!series->events->events[series->rows[i].event].cpus)
			n += series->rows[i].counters;
	return n;
}

bool series_is_shown(const struct series *series, size_t i)
{
	const struct row *row = &series->rows[i];
	const struct event *event = &series->events->events[row->event];
	bool counted = series_is_counted_there(series, i);

	if (series_is_merged(series, i) || !series->places[row->place_index].label)
		return false;
	if (event->tool != TOOL_NONE)
		return row->place_index == 0;
	for (size_t j = i; (j = series_next_instance(series, i, j)) != SIZE_MAX;)
		counted |= series_is_counted_there(series, j);
	return counted || series->split == PLACE_TARGET || series->split >= PLACE_THREAD;
}

/* Whether the reading is that of a kind of core on which no task was seen, and so adds nothing to
 * the sum over all kinds. */
static bool series_is_of_idle_kind(const struct event *event, const struct reading *reading)
{
	return !event->cpus && reading->state == NOT_COUNTED && reading->counts.enabled_ns == 0;
}

/*
 * The sum of a row and of the instances that are merged into it. The sum has no count if an
 * instance has no count, except an instance for a kind of core on which no task was seen.
 */
static struct reading series_merge(const struct series *series, size_t row, const struct run *run)
{
	const struct event *event = &series->events->events[series->rows[row].event];
	struct reading sum = run->readings[row];
	bool begun = series_is_counted_there(series, row) && !series_is_of_idle_kind(event, &sum);

	for (size_t i = row; (i = series_next_instance(series, row, i)) != SIZE_MAX;) {
		const struct reading *more = &run->readings[i];

		if (!series_is_counted_there(series, i) || series_is_of_idle_kind(event, more))
			continue;
		if (begun && !reading_has_count(sum.state))
			break;
		if (!begun || !reading_has_count(more->state)) {
			sum = *more;
			begun = true;
			continue;
		}
		reading_add(&sum, more);
	}
	return sum;
}

struct series_bounds series_bounds(long double value, long double half_width)
{
	const long double half = half_width < 0 ? -half_width : half_width;
	const long double low = value - half;

	if (isnan((double)half_width))
		return (struct series_bounds){ .known = false };
	return (struct series_bounds){ true, low < 0 && value >= 0 ? 0 : low, value + half };
}

static struct series_value series_value_of_reading(const struct series *series, size_t row,
						   const struct reading reading)
{
	const struct event *event = &series->events->events[series->rows[row].event];
	struct series_value value = { .state = reading.state, .counts = reading.counts };

	value.running_percent =
		scale_running_percent(reading.counts.enabled_ns, reading.counts.running_ns);
	value.too_short = reading.state == SCALED && value.running_percent < series->min_running;
	if (value.too_short)
		value.state = NOT_COUNTED;
	if (!reading_has_count(value.state))
		return value;
	value.count = scale_count(&reading.counts, series->scaling);
	value.half_width = reading.state == SCALED ? NAN : 0;
	value.shows_error =
		reading.state == SCALED && series->scaling == SCALE_BY_TIME && !series->no_error;
	value.sampled = value.shows_error && reading.has_estimate;
	if (reading.state == COUNTED) {
		value.estimator = ESTIMATOR_EXACT;
	} else if (series->scaling == SCALE_NOT) {
		value.estimator = ESTIMATOR_UNSCALED;
	} else if (reading.has_estimate && !isnan(reading.estimate.half_width)) {
		value.estimator = ESTIMATOR_MODEL;
		value.count = reading.estimate.count;
		value.half_width = reading.estimate.half_width;
	} else {
		value.estimator = ESTIMATOR_SCALING;
	}
	value.in_unit = scale_to_unit(value.count, event->factor);
	value.bounds = series_bounds(value.in_unit, value.half_width * event->factor);
	return value;
}

struct series_value series_value(const struct series *series, size_t row, const struct run *run)
{
	return series_value_of_reading(series, row, series_merge(series, row, run));
}

struct series_value series_value_of_one(const struct series *series, size_t row,
					const struct run *run)
{
	return series_value_of_reading(series, row, run->readings[row]);
}
