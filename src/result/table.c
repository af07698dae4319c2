/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/math.h"
#include "base/str.h"
#include "metric/expression.h"
#include "metric/topdown.h"
#include "result/table.h"
#include "stats/interval.h"
#include "stats/scale.h"

const struct measure *table_own(const struct table *table, enum tool_event tool)
{
	return &table->v[table->n - TOOL_N + tool];
}

bool table_counts(const struct table *table, enum tool_event tool)
{
	for (size_t i = 0; i < table->events_n; i++)
		if (table->v[i].tool == tool)
			return true;
	return false;
}

/* The order of table->sorted. NULL is like "". */
static int table_compare_names(const struct measure *a, const struct measure *b)
{
	int order = strcmp(a->name, b->name);

	if (order == 0)
		order = strcmp(a->place->label, b->place->label);
	return order ? order : strcmp(a->cgroup ? a->cgroup : "", b->cgroup ? b->cgroup : "");
}

static int table_compare_kinds(const struct measure *a, const struct measure *b)
{
	int order = table_compare_names(a, b);

	return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

static int table_compare_measures(const void *a, const void *b)
{
	const struct measure *left = *(struct measure *const *)a;
	const struct measure *right = *(struct measure *const *)b;
	int order = table_compare_kinds(left, right);

	return order ? order : (left > right) - (left < right);
}

const struct measure *table_find(const struct table *table, const struct measure *like,
				 size_t position)
{
	size_t first = 0, end = table->n;

	if (position < table->n && table_compare_kinds(&table->v[position], like) == 0)
		return &table->v[position];
	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (table_compare_kinds(table->sorted[middle], like) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first < table->n && table_compare_kinds(table->sorted[first], like) == 0 ?
		       table->sorted[first] :
		       NULL;
}

/* ---- Numbers over the runs of a measure. */

/* Fill in m->summary from the values of n runs. 0 or -ENOMEM. */
static int table_sum_up(struct measure *m, size_t n)
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
	size_t sampled_n; /* the number of these that were sampled in turns */
	long double square_errors; /* the sum of their squared half-widths that are known */
	size_t known_n; /* the number of these half-widths */
};

/* The mean is an estimate if one run is scaled. Runs without a count are left out. */
static void table_add_run_of_event(struct measure *m, const struct series_value *value,
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
	m->shows_error |= value->shows_error;
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
 * The errors of the runs are independent, because pstat draws the turns of each run at random
 * (count/turns.h). A scaled run without an interval is assumed to be as uncertain as the average of
 * the scaled runs that have one. NAN: no scaled run has an interval.
 */
static double table_error_of_estimates(const struct measure *m, const struct event_runs *runs)
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
 * that of the spread of the runs, whichever is wider. NAN, also if the kernel rotated the events in
 * some run: the errors of such runs may have the same cause.
 */
static double table_half_width_of_event(const struct measure *m, const struct event_runs *runs)
{
	const struct summary *count = &m->count;
	double of_runs = 0;

	if (m->estimator <= ESTIMATOR_EXACT)
		return 0;
	if (runs->sampled_n == runs->scaled_n)
		of_runs = interval_half(NULL, INTERVAL_CONFIDENCE, count, 0);
	if (isnan(m->estimate_error))
		return runs->scaled_n >= SPREAD_RUNS_MIN && of_runs > 0 ? of_runs : NAN;
	return math_larger(of_runs, m->estimate_error);
}

/* Fill in the summary and everything that follows from the values of n runs. 0 or -ENOMEM. */
static int table_sum_up_event(struct measure *m, size_t n)
{
	cleanup_free long double *counts = calloc(n + 1, sizeof(*counts));
	struct event_runs runs = { .values = counts };

	if (!counts)
		return -ENOMEM;
	for (size_t run = 0; run < n; run++)
		table_add_run_of_event(m, &m->runs[run], &runs);
	m->count = summary_of(counts, runs.values_n);
	m->summary = summary_times(&m->count, m->factor);
	m->value = m->summary.mean;
	m->truncated = runs.values_n ? runs.truncated / (long double)runs.values_n : 0;
	m->spread_percent = summary_stderr_percent(&m->count);
	if (runs.known_n > 0 && runs.sampled_n == runs.scaled_n)
		m->estimator = ESTIMATOR_MODEL;
	m->estimate_error = table_error_of_estimates(m, &runs);
	m->half_width = table_half_width_of_event(m, &runs) * m->factor;
	m->estimate_error *= m->factor;
	if (m->count.n > 0)
		m->bounds = series_bounds(m->value, m->half_width);
	m->running_ns = m->count.n ? runs.running_ns / m->count.n : 0;
	m->running_percent = scale_running_percent(runs.enabled_ns, runs.running_ns);
	return 0;
}

/* ---- Events. */

static int table_build_event(struct measure *m, const struct table *table, size_t i)
{
	const struct series *series = table->series;
	const struct row *row = &series->rows[i];
	const struct event *event = &series->events->events[row->event];
	const bool whole =
		event->factor >= 1 && event->factor < 1e15 && math_is_whole(event->factor);

	*m = (struct measure){ .kind = OF_EVENT,
			       .name = measure_event_name(event, &series->openings[row->event]),
			       .unit = event->unit,
			       .factor = event->factor,
			       .place = &series->places[row->place_index],
			       .cgroup = event->cgroup,
			       .runs = m->runs,
			       .state = NOT_COUNTED,
			       .ranks = series->ranks ? &series->ranks->v[i] : NULL,
			       .decimals = whole ? 0 : 2,
			       .listed = true,
			       .tool = event->tool,
			       .event = event,
			       .index = i,
			       .row = row,
			       .counters = series_counters(series, i),
			       .opening = &series->openings[row->event] };
	if (!m->name)
		return -ENOMEM;
	for (size_t run = 0; run < table->runs_n; run++)
		if (m->tool == TOOL_MAX_RSS && table->max_rss_unknown)
			m->runs[run] = (struct series_value){ .state = NOT_COUNTED };
		else
			m->runs[run] = series_value(series, i, &table->runs[run]);
	return table_sum_up_event(m, table->runs_n);
}

static int table_add_event(struct table *table, size_t i)
{
	struct measure *m = &table->v[table->n];
	int err;

	if (!series_is_shown(table->series, i))
		return 0;
	err = table_build_event(m, table, i);
	if (err == 0 && table->series->only_counted && m->tool == TOOL_NONE && m->value == 0)
		free(take_ptr(m->name));
	else
		table->events_n = ++table->n;
	return err;
}

/* perf's order of threads: the greatest count first. */
static int table_compare_threads(const void *a, const void *b)
{
	const struct measure *left = a, *right = b;

	if (left->value != right->value)
		return left->value < right->value ? 1 : -1;
	return (left->row->place_index > right->row->place_index) -
	       (left->row->place_index < right->row->place_index);
}

/* perf's order: CPUs and threads are sorted by event, larger places by place. */
static int table_add_events(struct table *table)
{
	const struct series *series = table->series;
	size_t events = series->events->n;
	size_t places = events ? series->rows_n / events : 0;
	bool by_event = !place_sums_cpus(series->split);
	int err = 0;

	for (size_t i = 0; err == 0 && !by_event && i < series->rows_n; i++)
		err = table_add_event(table, i);
	for (size_t event = 0; by_event && event < events; event++) {
		size_t first = table->n;

		for (size_t place_index = 0; err == 0 && place_index < places; place_index++)
			err = table_add_event(table, place_index * events + event);
		if (series->split == PLACE_THREAD && table->n > first)
			qsort(&table->v[first], table->n - first, sizeof(*table->v),
			      table_compare_threads);
	}
	for (size_t i = 0; i < table->events_n; i++)
		table->rows[table->v[i].index] = &table->v[i];
	return err;
}

/* ---- Metrics: those of perf's column, and those of -M, also in each run. */

/* The events of one place and cgroup with their counts: means, or those of a run. */
struct place_counts {
	struct table *table;
	struct measure *const *events; /* NULL: the event has no measure here */
	struct metric_input *inputs; /* of each event */
	size_t events_n;
	long double elapsed_ns;
	bool notes_withheld; /* record the metrics that have no value, and why */
};

static double table_error_share(enum count_state state, long double half_width, long double value)
{
	if (state != SCALED)
		return 0;
	return value == 0 ? NAN : fabs((double)(half_width / value));
}

/* Slots and its parts stay in one group when their weak group is broken up. */
static size_t table_leader_of(const struct event_list *events, size_t event)
{
	while (event > 0 && events->events[event].slots == SLOTS_PART)
		event--;
	return event;
}

/*
 * Fill the inputs of the place with the mean counts. first: the index of the place's first row in
 * the series. An event without a measure has no count. An event that is not in a group, or that was
 * opened outside its group, gets a group of its own.
 */
static void table_use_means(const struct place_counts *place, size_t first)
{
	const struct series *series = place->table->series;
	const struct event_list *events = series->events;

	for (size_t i = 0; i < place->events_n; i++) {
		const struct measure *m = place->events[i];
		size_t event = series->rows[first + i].event;
		size_t group = event_list_group_of(events, event);
		bool grouped = group < events->groups_n;
		size_t pass = series->passes && grouped ? series->passes[group] : SIZE_MAX;

		place->inputs[i] = (struct metric_input){ .event = &events->events[event] };
		if (!m)
			continue;
		place->inputs[i] = (struct metric_input){
			.event = m->event,
			.group = grouped && !m->opening->apart ?
					 group :
					 events->groups_n + table_leader_of(events, event),
			.pass = pass,
			.in_all_passes = pass == SIZE_MAX,
			.known = m->count.n > 0,
			.whole = m->state == COUNTED,
			.user_only = m->opening->user_only,
			.count = m->count.mean,
			.error = table_error_share(m->state, m->half_width, m->value),
		};
	}
}

/* Replace the counts of the inputs by those of a run. */
static void table_use_run(struct place_counts *place, size_t run)
{
	place->elapsed_ns = place->table->runs[run].tool[TOOL_DURATION_TIME];
	for (size_t i = 0; i < place->events_n; i++) {
		const struct measure *m = place->events[i];
		struct metric_input *input = &place->inputs[i];
		const struct series_value *value = m ? &m->runs[run] : NULL;

		if (!m)
			continue;
		input->known = reading_has_count(value->state) &&
			       !(place->table->series->only_counted && m->tool == TOOL_NONE &&
				 value->count == 0);
		input->whole = value->state == COUNTED;
		input->count = value->count;
		input->error =
			table_error_share(value->state, (double)value->half_width, value->count);
	}
}

static void table_withhold(const struct place_counts *place, const struct metric_request *request,
			   int reason, const struct measure *event)
{
	struct table *table = place->table;

	for (size_t i = 0; i < table->withheld_n; i++)
		if (strcmp(table->withheld[i].metric, request->name) == 0)
			return;
	if (place->notes_withheld)
		table->withheld[table->withheld_n++] = (struct withheld){
			.metric = request->name,
			.reason = reason,
			.event = event ? event->name : NULL,
			.is_part = request->topdown,
		};
}

/* The count of an event that an expression uses. All places have the same elapsed time. False:
 * there is no count. */
static bool table_input(const struct place_counts *place, const struct expression_event *e,
			long double *value)
{
	const struct metric_input *input = &place->inputs[e->index];
	const bool elapsed = !place->events[e->index] && input->event->tool == TOOL_DURATION_TIME;

	*value = elapsed ? place->elapsed_ns : input->count;
	return elapsed || input->known;
}

/* pstat itself measures tool events in every run. */
static bool table_may_combine(const struct metric_input *a, const struct metric_input *b)
{
	return a->event->tool != TOOL_NONE || b->event->tool != TOOL_NONE ||
	       metric_may_combine(a, b);
}

/*
 * Get the counts that a metric needs. False if a count is missing, or was not counted together with
 * the others and has an unknown error.
 */
static bool table_gather(const struct place_counts *place, const struct metric_request *request,
			 long double *values)
{
	const struct expression *e = &request->expression;

	for (size_t i = 0; i < e->events_n; i++) {
		const struct measure *event = place->events[e->events[i].index];
		const struct metric_input *input = &place->inputs[e->events[i].index];

		if (!table_input(place, &e->events[i], &values[i])) {
			if (event)
				table_withhold(place, request, WITHHELD_ABSENT, event);
			return false;
		}
		if (!event)
			continue;
		if (request->kind == METRIC_RATE && metric_is_restricted(input)) {
			table_withhold(place, request, WITHHELD_MODE, event);
			return false;
		}
		for (size_t k = 0; k < i; k++)
			if (!table_may_combine(&place->inputs[e->events[k].index], input)) {
				table_withhold(place, request, WITHHELD_APART, event);
				return false;
			}
	}
	return true;
}

static int table_evaluate(const struct place_counts *place, const struct expression *e,
			  const long double *values, long double *result)
{
	return expression_evaluate(e, values, place->elapsed_ns / 1000000000,
				   place->table->series->cpus, result);
}

/* Whether scaled counts of several groups are combined. */
static bool table_combines_groups(const struct place_counts *place, const struct expression *e)
{
	const struct metric_input *first = NULL;

	for (size_t i = 0; i < e->events_n; i++) {
		const struct metric_input *input = &place->inputs[e->events[i].index];

		if (input->error == 0)
			continue;
		if (first && input->group != first->group)
			return true;
		first = input;
	}
	return false;
}

/*
 * The error of a metric with this value, as a share of the value. The events of a group are off the
 * PMU at the same times. So the error of a product or a quotient of one group is that of its least
 * certain count. With other operators, and with several groups, the changes that the error of
 * each count causes are added: one group is on when another one is off, so their errors may have
 * opposite signs. NAN: unknown.
 */
static double table_error_of_metric(const struct place_counts *place, const struct expression *e,
				    const long double *values, long double value)
{
	long double changed[EXPRESSION_EVENTS_MAX], other;
	double largest = 0, sum = 0;
	bool adds = table_combines_groups(place, e);

	for (size_t i = 0; i < e->steps_n; i++)
		adds |= !expression_scales(e->steps[i].op);
	for (size_t i = 0; i < e->events_n; i++) {
		double error = place->inputs[e->events[i].index].error, change = 0;

		if (isnan(error) || (adds && error >= 1))
			return NAN;
		if (error > largest)
			largest = error;
		memcpy(changed, values, e->events_n * sizeof(*changed));
		for (int sign = -1; sign <= 1; sign += 2) {
			changed[i] = values[i] * (1 + sign * (long double)error);
			if (table_evaluate(place, e, changed, &other) < 0)
				return NAN;
			change = math_larger(fabs((double)(other - value)), change);
		}
		sum += change;
	}
	if (!adds || largest == 0)
		return largest;
	return value == 0 ? NAN : sum / fabs((double)value);
}

/* A value that is not a reading, in the unit of its measure. */
static struct series_value table_value_of(enum count_state state, long double value,
					  double half_width)
{
	return (struct series_value){ .state = state,
				      .count = value,
				      .in_unit = value,
				      .half_width = half_width,
				      .estimator = measure_estimator(state, half_width),
				      .bounds = series_bounds(value, half_width) };
}

/* The value of a metric; without a count if it has none here. */
static struct series_value table_evaluate_metric(const struct place_counts *place,
						 const struct metric_request *request)
{
	long double values[EXPRESSION_EVENTS_MAX], result;
	double value, error;

	if (!table_gather(place, request, values))
		return (struct series_value){ .state = NOT_COUNTED };
	if (table_evaluate(place, &request->expression, values, &result) < 0) {
		table_withhold(place, request, WITHHELD_UNDEFINED, NULL);
		return (struct series_value){ .state = NOT_COUNTED };
	}
	value = (double)result;
	error = table_error_of_metric(place, &request->expression, values, result);
	return table_value_of(error == 0 ? COUNTED : SCALED, value, fabs(value * error));
}

static int table_add_to_column(struct measure *event, const struct metric *metric)
{
	if (array_grow(&event->metrics, event->metrics_n, &event->metrics_size,
		       sizeof(*event->metrics)) < 0)
		return -ENOMEM;
	event->metrics[event->metrics_n++] = *metric;
	return 0;
}

/* How remarkable a metric of perf's tables is: its threshold decides. */
static enum metric_level table_level(const struct place_counts *place,
				     const struct metric_request *request, double value)
{
	const struct expression *e = &request->threshold;
	long double values[EXPRESSION_EVENTS_MAX], result;

	if (request->topdown)
		return request->topdown->is_good ||
				       !topdown_is_remarkable(request->topdown, value) ?
			       LEVEL_USUAL :
			       LEVEL_SEVERE;
	if (e->steps_n == 0)
		return metric_level(request->limits, value);
	for (size_t i = 0; i < e->events_n; i++)
		if (!table_input(place, &e->events[i], &values[i]))
			return LEVEL_USUAL;
	return table_evaluate(place, e, values, &result) == 0 && result != 0 ? LEVEL_SEVERE :
									       LEVEL_USUAL;
}

/* Show a metric of -M at its event. One that perf's column has already is not shown again, but gets
 * the name of -M. */
static int table_show_in_column(struct measure *event, const struct measure *m)
{
	const struct metric_request *request = m->metric;
	const double value = (double)m->value;
	const struct metric metric = { .kind = request->kind,
				       .level = m->level,
				       .value = value,
				       .unit = request->name,
				       .scale = request->scale,
				       .measure = m };

	for (size_t i = 0; request->derived && i < event->metrics_n; i++) {
		struct metric *known = &event->metrics[i];

		if (!str_equal(known->unit, request->derived) ||
		    fabs(known->value - value) > 1e-9 * fabs(value))
			continue;
		*known = metric;
		return 0;
	}
	return table_add_to_column(event, &metric);
}

/* The metric of the mean counts, also shown at its event. 0 or -ENOMEM. */
static int table_evaluate_means(const struct place_counts *place, struct measure *m)
{
	const struct series_value value = table_evaluate_metric(place, m->metric);

	m->defined = reading_has_count(value.state);
	if (!m->defined)
		return 0;
	m->value = value.count;
	m->state = value.state;
	/* with the sign of the value, so that it is a positive share of the value */
	m->half_width = value.count < 0 ? -value.half_width : value.half_width;
	m->estimator = value.estimator;
	m->bounds = value.bounds;
	m->level = table_level(place, m->metric, (double)m->value);
	m->decimals = metric_decimals(
		&(struct metric){ .kind = METRIC_OF_USER, .value = (double)m->value });
	return table_show_in_column(place->events[metric_list_at(m->metric)], m);
}

/* The numbers of a metric over the runs. */
static int table_sum_up_metric(const struct place_counts *place, struct measure *m)
{
	const struct expression *e = &m->metric->expression;
	const struct measure *scaled = NULL; /* the last scaled event */
	size_t scaled_n = 0;
	int err = table_sum_up(m, place->table->runs_n);

	for (size_t i = 0; i < e->events_n; i++) {
		const struct measure *event = place->events[e->events[i].index];

		if (!event || event->state != SCALED)
			continue;
		scaled = event;
		scaled_n++;
	}
	m->runs_n = place->table->runs_n;
	if (!m->defined &&
	    m->summary.n > 0) /* some runs have a value, but the mean counts do not */
		m->state = scaled_n > 0 ? SCALED : COUNTED;
	if (scaled_n == 1)
		m->estimate_error = fabs(scaled->estimate_error / (double)scaled->value *
					 (double)m->summary.mean);
	return err;
}

static enum better table_better_of(const char *metric)
{
	/* the last ones are parts of the slots (metric/topdown.h) */
	static const char *const more[] = {
		"ipc", "ghz", "cpus", "retiring", "light_operations", "not_stalled"
	};
	static const char prefix[] = "tma_";
	const char *name = metric;
	size_t n;

	if (strncmp(metric, prefix, strlen(prefix)) == 0)
		name += strlen(prefix);
	n = strcspn(name, ".:");
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		if (strlen(more[i]) == n && memcmp(name, more[i], n) == 0)
			return BETTER_MORE;
	return BETTER_LESS;
}

/* One block for each place and cgroup: the measures of its events and of its metrics. */
struct blocks {
	size_t n;
	size_t events_n, metrics_n; /* of each block */
	struct measure **metrics; /* owned: block by block; NULL: there is none */
};

static void table_blocks_release(struct blocks *b)
{
	free(b->metrics);
}

/* Append the metrics, in the order of their events, and sort all into blocks. 0 or -ENOMEM. */
static int table_blocks_fill(struct blocks *b, struct table *table)
{
	const struct metric_request_list *requests = table->series->metrics;

	b->events_n = table->series->events->n / table->series->cgroups_n;
	b->metrics_n = requests ? requests->n : 0;
	b->n = b->events_n ? table->series->rows_n / b->events_n : 0;
	b->metrics = calloc(b->n * b->metrics_n + 1, sizeof(*b->metrics));
	if (!b->metrics)
		return -ENOMEM;
	for (size_t i = 0; i < table->events_n; i++) {
		struct measure *event = &table->v[i];
		const size_t block = event->index / b->events_n;

		for (size_t k = 0; k < b->metrics_n; k++) {
			struct measure *m = &table->v[table->n];

			if (metric_list_at(&requests->v[k]) != event->index % b->events_n)
				continue;
			*m = (struct measure){ .kind = OF_METRIC,
					       .name = strdup(requests->v[k].name),
					       .unit = metric_shown_unit(&(struct metric){
						       .kind = requests->v[k].kind,
						       .scale = requests->v[k].scale }),
					       .factor = 1,
					       .place = event->place,
					       .cgroup = event->cgroup,
					       .runs = m->runs,
					       .state = NOT_COUNTED,
					       .decimals = 3,
					       .better = table_better_of(requests->v[k].name),
					       .listed = true,
					       .metric = &requests->v[k],
					       .event = event->event,
					       .index = event->index,
					       .row = event->row,
					       .opening = event->opening };
			b->metrics[block * b->metrics_n + k] = m;
			table->n++;
			if (!m->name)
				return -ENOMEM;
		}
	}
	return 0;
}

/* The numbers of one block: perf's column, then the metrics. mean_ns: of the elapsed time. */
static int table_fill_block(struct place_counts *place, const struct blocks *b, size_t block,
			    long double mean_ns)
{
	struct measure **metrics = &b->metrics[block * b->metrics_n];
	int err = 0;

	place->events = &place->table->rows[block * b->events_n];
	place->elapsed_ns = mean_ns;
	place->notes_withheld = true;
	table_use_means(place, block * b->events_n);
	for (size_t i = 0; err == 0 && i < b->events_n; i++)
		if (place->events[i]) {
			const struct metric_result derived =
				metric_derive(place->inputs, place->events_n, i, (double)mean_ns);

			place->table->ratio_withheld |= derived.withheld;
			for (size_t j = 0; err == 0 && j < derived.n; j++)
				err = table_add_to_column(place->events[i], &derived.v[j]);
		}
	for (size_t k = 0; err == 0 && k < b->metrics_n; k++)
		if (metrics[k])
			err = table_evaluate_means(place, metrics[k]);
	place->notes_withheld = false;
	for (size_t run = 0; b->metrics_n > 0 && run < place->table->runs_n; run++) {
		table_use_run(place, run);
		for (size_t k = 0; k < b->metrics_n; k++)
			if (metrics[k])
				metrics[k]->runs[run] =
					table_evaluate_metric(place, metrics[k]->metric);
	}
	for (size_t k = 0; err == 0 && k < b->metrics_n; k++)
		if (metrics[k])
			err = table_sum_up_metric(place, metrics[k]);
	return err;
}

/* Give the events the metrics of perf's column, and append the metrics of -M. Only counts of the
 * same place and cgroup are combined. 0 or -ENOMEM. */
static int table_add_metrics(struct table *table)
{
	cleanup_with(table_blocks_release) struct blocks b = { 0 };
	cleanup_free struct metric_input *inputs = NULL;
	struct place_counts place = { .table = table };
	struct summary elapsed = { 0 };
	int err = table_blocks_fill(&b, table);

	if (err < 0)
		return err;
	inputs = calloc(b.events_n + 1, sizeof(*inputs));
	table->withheld = calloc(b.metrics_n + 1, sizeof(*table->withheld));
	if (!inputs || !table->withheld)
		return -ENOMEM;
	place.inputs = inputs;
	place.events_n = b.events_n;
	for (size_t run = 0; run < table->runs_n; run++)
		summary_add(&elapsed, table->runs[run].tool[TOOL_DURATION_TIME]);
	for (size_t block = 0; err == 0 && block < b.n; block++)
		err = table_fill_block(&place, &b, block, elapsed.mean);
	return err;
}

/* ---- What pstat itself measures. */

static const struct place whole_target = { .kind = PLACE_TARGET, .label = (char[]){ "" } };

/* An interval has only its duration. */
static int table_add_own(struct table *table, enum tool_event tool)
{
	bool measured =
		tool == TOOL_DURATION_TIME || (table->series->has_usage && !table->interval);
	bool unknown = tool == TOOL_MAX_RSS && table->max_rss_unknown;
	struct measure *m = &table->v[table->n++];
	int err;

	*m = (struct measure){ .kind = OF_RUN,
			       .name = strdup(event_tool_names[tool]),
			       .unit = tool <= TOOL_SYSTEM_TIME ? "ns" :
				       tool == TOOL_MAX_RSS	? "KiB" :
								  "",
			       .factor = 1,
			       .place = &whole_target,
			       .runs = m->runs,
			       .runs_n = measured ? table->runs_n : 0,
			       .state = measured ? NOT_COUNTED : NOT_SUPPORTED,
			       .tool = tool,
			       .listed = measured && tool <= TOOL_MAX_RSS &&
					 !table_counts(table, tool) };
	if (table->series->ranks && tool <= TOOL_MAX_RSS)
		m->ranks = &table->series->ranks->v[table->series->rows_n + tool - 1];
	if (!m->name)
		return -ENOMEM;
	for (size_t run = 0; run < table->runs_n; run++)
		if (measured && !unknown)
			m->runs[run] = table_value_of(COUNTED, table->runs[run].tool[tool], 0);
		else
			m->runs[run] = (struct series_value){ .state = m->state };
	err = table_sum_up(m, table->runs_n);
	m->value = m->summary.mean;
	if (m->summary.n > 0) {
		m->state = COUNTED;
		m->estimator = ESTIMATOR_EXACT;
		m->bounds = series_bounds(m->value, 0);
	}
	return err;
}

/*
 * Sort the measures by name, and number the listed ones with equal names: programs of one process
 * (--by exec), or an event that was given twice. A command may have 100,000 processes.
 */
static int table_sort(struct table *table)
{
	table->sorted = calloc(table->n + 1, sizeof(*table->sorted));
	if (!table->sorted)
		return -ENOMEM;
	for (size_t i = 0; i < table->n; i++)
		table->sorted[i] = &table->v[i];
	qsort(table->sorted, table->n, sizeof(struct measure *), table_compare_measures);
	for (size_t i = 1; i < table->n; i++)
		if (table->sorted[i]->listed &&
		    table_compare_names(table->sorted[i - 1], table->sorted[i]) == 0)
			table->sorted[i]->copy = table->sorted[i - 1]->copy + 1;
	return 0;
}

/* ---- The table. */

/* The subject without the quotes that perf puts around a command. */
static char *table_command_of(const char *subject)
{
	size_t n = strlen(subject);
	bool quoted = n >= 2 && subject[0] == '\'' && subject[n - 1] == '\'';

	return quoted ? strndup(subject + 1, n - 2) : strdup(subject);
}

/* The members that need no computation, and room for all measures. 0 or -ENOMEM. */
static int table_begin(struct table *table, const struct series *series,
		       const struct interval *interval)
{
	size_t places_n = series_places_n(series) * series->cgroups_n;
	size_t size =
		series->rows_n + places_n * (series->metrics ? series->metrics->n : 0) + TOOL_N;

	*table = (struct table){
		.series = series,
		.interval = interval,
		.runs = interval ? &interval->run : series->runs,
		.runs_n = interval ? 1 : series->runs_n,
		.command = table_command_of(series->subject),
		.v = calloc(size, sizeof(*table->v)),
		.rows = calloc(series->rows_n + 1, sizeof(*table->rows)),
	};
	table->values = calloc(size * table->runs_n + 1, sizeof(*table->values));
	if (!table->command || !table->v || !table->rows || !table->values)
		return -ENOMEM;
	for (size_t i = 0; i < size; i++)
		table->v[i].runs = &table->values[i * table->runs_n];
	for (size_t i = 0; series->max_rss_floor_kib && i < table->runs_n; i++)
		table->max_rss_unknown +=
			table->runs[i].tool[TOOL_MAX_RSS] <= series->max_rss_floor_kib;
	table->is_series = table->runs_n > 1 && table->runs_n > series->passes_n;
	for (size_t i = 0; i < series->events->n; i++)
		table->has_cgroups |= series->events->events[i].cgroup != NULL;
	return 0;
}

int table_build(struct table *table, const struct series *series, const struct interval *interval)
{
	int err = table_begin(table, series, interval);

	if (err == 0)
		err = table_add_events(table);
	if (err == 0)
		err = table_add_metrics(table);
	for (enum tool_event tool = TOOL_NONE + 1; err == 0 && tool < TOOL_N; tool++)
		err = table_add_own(table, tool);
	if (err == 0)
		err = table_sort(table);
	if (err < 0)
		table_release(table);
	return err;
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		free(table->v[i].name);
		free(table->v[i].metrics);
	}
	free(table->v);
	free(table->values);
	free(table->rows);
	free(table->sorted);
	free(table->command);
	free(table->withheld);
	*table = (struct table){ 0 };
}
