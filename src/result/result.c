/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "metric/expression.h"
#include "result/result.h"
#include "stats/scale.h"

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

int result_shown_decimals(const struct result_row *row)
{
	bool small = row->value > 0 && row->value < 10;

	return small && row->decimals == 0 && row->state != SCALED &&
			       (long double)(uint64_t)row->value != row->value ?
		       2 :
		       row->decimals;
}

long double result_perf_value(const struct result_row *row)
{
	if (row->state != SCALED)
		return row->value;
	return scale_to_unit(row->truncated, row->event->factor);
}

size_t result_floors(const struct result *result)
{
	const uint64_t floor_kib = result->series->max_rss_floor_kib;
	size_t n = 0;

	for (size_t i = 0; floor_kib && i < result->runs_n; i++)
		n += result->runs[i].tool[TOOL_MAX_RSS] <= floor_kib;
	return n;
}

char *result_row_name(const struct event *event, const struct opening *opening)
{
	bool path = event->probed || event->attr.type == PERF_TYPE_BREAKPOINT;
	/* after "pmu/…/" and other modifiers, the letter needs no colon */
	bool colon = !event->has_modifiers && (path || !strchr(event->name, '/'));
	char *name;

	if (!opening->user_only || event_is_clock(event)) /* older documents narrowed clocks */
		return strdup(event->name);
	return asprintf(&name, "%s%su", event->name, colon ? ":" : "") < 0 ? NULL : name;
}

/* Sums and values over the runs of a row. */
struct row_runs {
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
	if (value->estimator > row->estimator)
		row->estimator = value->estimator;
	runs->scaled_n += value->state == SCALED;
	runs->sampled_n += value->sampled;
	if (value->state == SCALED && !isnan((double)value->half_width)) {
		runs->square_errors += value->half_width * value->half_width;
		runs->known_n++;
	}
	runs->values[runs->values_n++] = value->count;
	runs->truncated += value->state == SCALED ? scale_truncate(value->count) : value->count;
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
static double error_of_estimates(const struct result_row *row, const struct row_runs *runs)
{
	const double scaled_n = (double)runs->scaled_n, n = (double)row->count.n;

	if (row->estimator <= ESTIMATOR_EXACT)
		return 0;
	if (row->estimator != ESTIMATOR_MODEL)
		return NAN;
	return sqrt((double)runs->square_errors / (double)runs->known_n * scaled_n) / n;
}

/*
 * The half-width of the 95 % interval around the mean of scaled counts: that of the estimates, or
 * that of the spread of the runs, whichever is wider.
 */
static double half_width_of(const struct result_row *row, const struct row_runs *runs)
{
	const struct summary *count = &row->count;
	double of_runs = 0;

	if (row->estimator <= ESTIMATOR_EXACT)
		return 0;
	if (row->sampled && count->n > 1)
		of_runs = estimate_t((double)count->n - 1) * summary_stderr(count);
	if (isnan(row->estimate_error))
		return runs->scaled_n >= SPREAD_RUNS_MIN && of_runs > 0 ? of_runs : NAN;
	return of_runs > row->estimate_error ? of_runs : row->estimate_error;
}

static bool is_whole(double factor)
{
	return factor >= 1 && factor < 1e15 && (double)(uint64_t)factor == factor;
}

double result_error_percent(const struct result_row *row)
{
	return row->value == 0 ? NAN : (double)(100 * row->half_width / row->value);
}

double result_least_shown(double percent)
{
	const double least = 0.1;

	return percent < least ? least : percent;
}

double result_shown_error(const struct result_row *row)
{
	const double percent = result_error_percent(row);

	return isfinite(percent) ? result_least_shown(percent) : 0;
}

struct series_value result_value(const struct result *result, const struct result_row *row,
				 size_t run)
{
	const struct series *series = result->series;

	if (row->event->tool == TOOL_MAX_RSS && result->max_rss_unknown)
		return (struct series_value){ .state = NOT_COUNTED };
	return series_value(series, row->index, &result->runs[run]);
}

static int build_row(struct result_row *row, const struct result *result, size_t i)
{
	const struct series *series = result->series;
	const struct event *event = &series->events->events[series->rows[i].event];
	cleanup_free long double *values = calloc(result->runs_n + 1, sizeof(*values));
	struct row_runs runs = { .values = values };

	*row = (struct result_row){ .event = event,
				    .index = i,
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
	row->truncated = runs.values_n ? runs.truncated / (long double)runs.values_n : 0;
	row->spread_percent = summary_stderr_percent(&row->count);
	row->sampled = runs.scaled_n > 0 && runs.sampled_n == runs.scaled_n;
	if (row->sampled && runs.known_n > 0)
		row->estimator = ESTIMATOR_MODEL;
	row->estimate_error = error_of_estimates(row, &runs);
	row->half_width = half_width_of(row, &runs) * event->factor;
	row->estimate_error *= event->factor;
	if (row->count.n > 0)
		row->bounds = series_bounds(row->value, row->half_width);
	row->running_ns = row->count.n ? runs.running_ns / row->count.n : 0;
	row->running_percent = scale_running_percent(runs.enabled_ns, runs.running_ns);
	return 0;
}

/*
 * The events that pstat itself measures have no place: they are shown once. A place has no row for
 * an event that is not counted on any CPU of the place.
 */
static bool is_shown(const struct series *series, size_t i)
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

/* perf's order: CPUs and threads are sorted by event, larger places by place. */
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

/* The subject without the quotes that perf puts around a command. */
static char *command_of(const char *subject)
{
	size_t n = strlen(subject);
	bool quoted = n >= 2 && subject[0] == '\'' && subject[n - 1] == '\'';

	return quoted ? strndup(subject + 1, n - 2) : strdup(subject);
}

/* Add the times of the runs from the clock and getrusage(2). 0 or -ENOMEM. */
static int add_times(struct result *result)
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

	result->times = calloc(result->runs_n + 1, sizeof(*result->times));
	if (!result->times || !values)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		for (size_t run = 0; run < result->runs_n; run++)
			values[run] = result->runs[run].tool[times[i].tool];
		*times[i].summary = summary_of(values, result->runs_n);
	}
	for (size_t run = 0; run < result->runs_n; run++) {
		uint64_t elapsed_ns = result->runs[run].tool[TOOL_DURATION_TIME];
		double over_ns = (double)(elapsed_ns - result->elapsed_ns.mean);

		result->times[run] = (struct result_time){
			.elapsed_ns = elapsed_ns,
			.over_ns = over_ns,
			.over_percent = elapsed_ns ? 100 * over_ns / (double)elapsed_ns : 0,
		};
	}
	return 0;
}

/* A result with the members that need no computation, and room for the rows. */
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

	result.max_rss_unknown = result_floors(&result) > 0;
	result.is_series = result.runs_n > 1 && result.runs_n > series->passes_n;
	for (size_t i = 0; i < series->events->n; i++)
		result.has_cgroups |= series->events->events[i].cgroup != NULL;
	return result;
}

/*
 * ---- Metrics: those of perf's derived column and those of -M. Only counts of the same place and
 * cgroup are combined.
 */

/* The events of one place and cgroup with their counts. */
struct place_counts {
	struct result *result; /* NULL: do not record withheld metrics */
	const struct series *series;
	struct result_row *const *rows; /* of each event; NULL: it has no row here */
	struct metric_input *inputs; /* of each event */
	size_t events_n;
	long double elapsed_ns;
};

/* The rows of the result, indexed like the rows of its series. To be freed; NULL: out of memory. */
static struct result_row **table_of(const struct result *result)
{
	struct result_row **table = calloc(result->series->rows_n + 1, sizeof(struct result_row *));

	for (size_t i = 0; table && i < result->rows_n; i++)
		table[result->rows[i].index] = &result->rows[i];
	return table;
}

/* The number of events of one cgroup: the list repeats all events for each cgroup. */
static size_t events_of_cgroup(const struct series *series)
{
	return series->events->n / series->cgroups_n;
}

static double error_share(enum count_state state, long double half_width, long double value)
{
	if (state != SCALED)
		return 0;
	return value == 0 ? NAN : fabs((double)(half_width / value));
}

/*
 * Fill the inputs of the place. first: the index of the place's first row in the series. An event
 * without a row has no count. An event that is not in a group, or that was opened outside its
 * group, gets a group of its own.
 */
static void fill_inputs(const struct place_counts *place, size_t first)
{
	const struct series *series = place->series;
	const struct event_list *events = series->events;

	for (size_t i = 0; i < place->events_n; i++) {
		const struct result_row *row = place->rows[i];
		size_t event = series->rows[first + i].event;
		size_t group = event_list_group_of(events, event);
		bool grouped = group < events->groups_n;
		size_t pass = series->passes && grouped ? series->passes[group] : SIZE_MAX;

		place->inputs[i] = (struct metric_input){ .event = &events->events[event] };
		if (!row)
			continue;
		place->inputs[i] = (struct metric_input){
			.event = row->event,
			.group = grouped && !row->opening->apart ? group : events->groups_n + event,
			.pass = pass,
			.in_all_passes = pass == SIZE_MAX,
			.known = row->count.n > 0,
			.whole = row->state == COUNTED,
			.user_only = row->opening->user_only,
			.count = row->count.mean,
			.error = error_share(row->state, row->half_width, row->value),
		};
	}
}

static void withhold(struct result *result, const struct metric_request *request, int reason,
		     const struct result_row *row)
{
	for (size_t i = 0; result && i < result->withheld_n; i++)
		if (strcmp(result->withheld[i].metric, request->name) == 0)
			return;
	if (result)
		result->withheld[result->withheld_n++] = (struct withheld){
			.metric = request->name, .reason = reason, .event = row ? row->name : NULL
		};
}

/*
 * Get the counts that a metric needs. False if a count is missing, or was not counted together with
 * the others.
 */
static bool gather(const struct place_counts *place, const struct metric_request *request,
		   long double *values)
{
	const struct expression *e = &request->expression;

	for (size_t i = 0; i < e->events_n; i++) {
		const struct result_row *row = place->rows[e->events[i].index];
		const struct metric_input *input = &place->inputs[e->events[i].index];

		if (!row)
			return false;
		if (!input->known) {
			withhold(place->result, request, WITHHELD_ABSENT, row);
			return false;
		}
		if (request->kind == METRIC_RATE && metric_is_restricted(input)) {
			withhold(place->result, request, WITHHELD_MODE, row);
			return false;
		}
		if (i > 0 && input->event->tool == TOOL_NONE &&
		    !metric_together(&place->inputs[e->events[0].index], input)) {
			withhold(place->result, request, WITHHELD_APART, row);
			return false;
		}
		values[i] = input->count;
	}
	return true;
}

static bool adds_counts(const struct expression *e)
{
	for (size_t i = 0; i < e->steps_n; i++)
		if (e->steps[i].op == EXPRESSION_ADD || e->steps[i].op == EXPRESSION_SUBTRACT)
			return true;
	return false;
}

/*
 * The error of a metric with this value. Scaled counts are combined only within a group, and the
 * events of a group are off the PMU at the same times. So the error of a product or a quotient is
 * that of its least certain count. With sums and differences, the changes that the error of each
 * count causes are added. NAN: unknown.
 */
static double error_of_metric(const struct place_counts *place, const struct expression *e,
			      const long double *values, long double value)
{
	long double changed[EXPRESSION_EVENTS_MAX], other;
	double largest = 0, sum = 0;

	for (size_t i = 0; i < e->events_n; i++) {
		double error = place->inputs[e->events[i].index].error;

		if (isnan(error))
			return NAN;
		if (error > largest)
			largest = error;
		memcpy(changed, values, e->events_n * sizeof(*changed));
		changed[i] *= 1 + (long double)error;
		if (expression_evaluate(e, changed, place->elapsed_ns / 1000000000,
					place->series->cpus, &other) < 0)
			return NAN;
		sum += fabs((double)(other - value));
	}
	if (!adds_counts(e) || largest == 0)
		return largest;
	return value == 0 ? NAN : sum / fabs((double)value);
}

/* False if the metric has no value here. */
static bool evaluate(const struct place_counts *place, const struct metric_request *request,
		     struct metric_value *value)
{
	long double values[EXPRESSION_EVENTS_MAX], result;

	if (!gather(place, request, values))
		return false;
	if (expression_evaluate(&request->expression, values, place->elapsed_ns / 1000000000,
				place->series->cpus, &result) < 0) {
		withhold(place->result, request, WITHHELD_UNDEFINED, NULL);
		return false;
	}
	value->value = (double)result;
	value->error = error_of_metric(place, &request->expression, values, result);
	return true;
}

static int add_metric(struct result_metrics *metrics, const struct metric *metric)
{
	if (array_grow(&metrics->v, metrics->n, &metrics->size, sizeof(*metrics->v)) < 0)
		return -ENOMEM;
	metrics->v[metrics->n++] = *metric;
	return 0;
}

/* The metrics of perf's column. */
static int add_derived(const struct place_counts *place, size_t i)
{
	const struct metric_result derived =
		metric_derive(place->inputs, place->events_n, i, (double)place->elapsed_ns);
	int err = 0;

	place->result->ratio_withheld |= derived.withheld;
	for (size_t j = 0; err == 0 && j < derived.n; j++)
		err = add_metric(&place->rows[i]->metrics, &derived.v[j]);
	return err;
}

/* The metric of perf's column that is the requested one: ipc, cpus. NULL: there is none. */
static struct metric *find_derived(const struct result_metrics *metrics,
				   const struct metric_request *request, double value)
{
	for (size_t i = 0; i < metrics->n; i++)
		if (str_equal(metrics->v[i].unit, request->derived) &&
		    fabs(metrics->v[i].value - value) <= 1e-9 * fabs(value))
			return &metrics->v[i];
	return NULL;
}

/* A metric that perf's column has already is not shown again, but has the name of -M. */
static int add_requested(const struct place_counts *place, const struct metric_request *request)
{
	struct metric metric = { .kind = request->kind, .unit = request->name, .request = request };
	struct result_metrics *metrics;
	struct metric *derived;
	struct metric_value value;

	if (!evaluate(place, request, &value))
		return 0;
	metric.value = value.value;
	metric.error = value.error;
	metric.level = metric_level(request->limits, metric.value);
	metrics = &place->rows[metric_at(request)]->metrics;
	derived = request->derived ? find_derived(metrics, request, metric.value) : NULL;
	if (!derived)
		return add_metric(metrics, &metric);
	*derived = metric;
	return 0;
}

static int add_to_place(const struct place_counts *place)
{
	const struct metric_request_list *requests = place->series->metrics;
	int err = 0;

	for (size_t i = 0; err == 0 && i < place->events_n; i++)
		if (place->rows[i])
			err = add_derived(place, i);
	for (size_t i = 0; requests && err == 0 && i < requests->n; i++)
		err = add_requested(place, &requests->v[i]);
	return err;
}

static int add_metrics(struct result *result)
{
	const struct series *series = result->series;
	size_t n = events_of_cgroup(series);
	cleanup_free struct result_row **table = table_of(result);
	cleanup_free struct metric_input *inputs = calloc(n + 1, sizeof(*inputs));
	struct place_counts place = { .result = result,
				      .series = series,
				      .inputs = inputs,
				      .events_n = n,
				      .elapsed_ns = result->elapsed_ns.mean };
	int err = 0;

	if (series->metrics)
		result->withheld = calloc(series->metrics->n + 1, sizeof(*result->withheld));
	if (!table || !inputs || (series->metrics && !result->withheld))
		return -ENOMEM;
	for (size_t first = 0; err == 0 && n > 0 && first + n <= series->rows_n; first += n) {
		place.rows = &table[first];
		fill_inputs(&place, first);
		err = add_to_place(&place);
	}
	return err;
}

/* ---- By run. */

static bool is_known(const struct result *result, const struct result_row *row,
		     const struct series_value *value)
{
	bool is_zero =
		result->series->only_counted && row->event->tool == TOOL_NONE && value->count == 0;

	return series_has_count(value->state) && !is_zero;
}

static void set_run(struct place_counts *place, const struct result *result, size_t run)
{
	place->elapsed_ns = result->runs[run].tool[TOOL_DURATION_TIME];
	for (size_t i = 0; i < place->events_n; i++) {
		const struct result_row *row = place->rows[i];
		struct series_value value;

		if (!row)
			continue;
		value = result_value(result, row, run);
		place->inputs[i].known = is_known(result, row, &value);
		place->inputs[i].whole = value.state == COUNTED;
		place->inputs[i].count = value.count;
		place->inputs[i].error = error_share(value.state, value.half_width, value.count);
	}
}

static struct metric_value metric_of(const struct place_counts *place, size_t event,
				     const char *name)
{
	const struct metric_request_list *requests = place->series->metrics;
	struct metric_value value;

	for (size_t i = 0; requests && i < requests->n; i++)
		if (metric_at(&requests->v[i]) == event &&
		    strcmp(requests->v[i].name, name) == 0 &&
		    evaluate(place, &requests->v[i], &value))
			return value;
	return (struct metric_value){ .value = NAN };
}

int result_metric_by_run(const struct result *result, const struct result_row *row,
			 const char *name, struct metric_value *values)
{
	const struct series *series = result->series;
	size_t n = events_of_cgroup(series), first = row->index - row->index % n;
	cleanup_free struct result_row **table = table_of(result);
	cleanup_free struct metric_input *inputs = calloc(n + 1, sizeof(*inputs));
	struct place_counts place = { .series = series, .inputs = inputs, .events_n = n };

	if (!table || !inputs)
		return -ENOMEM;
	place.rows = &table[first];
	fill_inputs(&place, first);
	for (size_t run = 0; run < result->runs_n; run++) {
		if (!isnan(values[run].value))
			continue;
		set_run(&place, result, run);
		values[run] = metric_of(&place, row->index % n, name);
	}
	return 0;
}

static void add_estimate(struct metric_estimates *estimates, const struct result *result,
			 const struct row *of)
{
	for (size_t i = 0; i < result->rows_n; i++) {
		const struct result_row *row = &result->rows[i];

		if (row->row != of || row->state != SCALED)
			continue;
		estimates->n++;
		estimates->unbounded |= !row->bounds.known;
		estimates->error = row->estimate_error / (double)row->value;
	}
}

void result_metric_estimates(const struct result *result, const struct result_row *row,
			     const char *name, struct metric_estimates *estimates)
{
	const struct series *series = result->series;
	const struct metric_request_list *requests = series->metrics;
	size_t n = events_of_cgroup(series), first = row->index - row->index % n;

	for (size_t i = 0; requests && i < requests->n; i++) {
		const struct expression *e = &requests->v[i].expression;

		for (size_t j = 0; j < e->events_n; j++)
			if (metric_at(&requests->v[i]) == row->index % n &&
			    strcmp(requests->v[i].name, name) == 0)
				add_estimate(estimates, result,
					     &series->rows[first + e->events[j].index]);
	}
}

struct series_bounds result_metric_bounds(double value, double error)
{
	return series_bounds(value, value * error);
}

enum estimator result_metric_estimator(double error)
{
	if (error == 0)
		return ESTIMATOR_EXACT;
	return isnan(error) ? ESTIMATOR_SCALING : ESTIMATOR_MODEL;
}

static int summarize_metric(const struct result *result, const struct result_row *row,
			    struct metric *metric)
{
	cleanup_free struct metric_value *by_run = calloc(result->runs_n + 1, sizeof(*by_run));
	cleanup_free long double *values = calloc(result->runs_n + 1, sizeof(*values));
	size_t n = 0;
	int err;

	if (!by_run || !values)
		return -ENOMEM;
	for (size_t run = 0; run < result->runs_n; run++)
		by_run[run].value = NAN;
	err = result_metric_by_run(result, row, metric->unit, by_run);
	for (size_t run = 0; run < result->runs_n; run++)
		if (!isnan(by_run[run].value))
			values[n++] = by_run[run].value;
	metric->by_run = summary_of(values, n);
	return err;
}

/* The metrics of -M over the runs. */
static int summarize_metrics(struct result *result)
{
	int err = 0;

	for (size_t i = 0; i < result->rows_n; i++) {
		const struct result_row *row = &result->rows[i];

		for (size_t j = 0; err == 0 && j < row->metrics.n; j++)
			if (row->metrics.v[j].request)
				err = summarize_metric(result, row, &row->metrics.v[j]);
	}
	return err;
}

/* ---- */

int result_build(struct result *result, const struct series *series,
		 const struct interval *interval)
{
	int err;

	*result = begin_result(series, interval);
	err = result->rows && result->command ? add_times(result) : -ENOMEM;
	if (err == 0)
		err = build_rows(result);
	if (err == 0)
		err = add_metrics(result);
	if (err == 0)
		err = summarize_metrics(result);
	if (err < 0)
		result_release(result);
	return err;
}

static void row_release(struct result_row *row)
{
	free(row->name);
	free(row->metrics.v);
}

void result_release(struct result *result)
{
	for (size_t i = 0; i < result->rows_n; i++)
		row_release(&result->rows[i]);
	free(result->rows);
	free(result->command);
	free(result->times);
	free(result->withheld);
	*result = (struct result){ 0 };
}
