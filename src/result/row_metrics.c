/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "metric/expression.h"
#include "result/row_metrics.h"

/* The events of one place and cgroup with their counts. */
struct place_counts {
	struct result *result; /* NULL: a metric that is withheld is not noted */
	const struct series *series;
	struct result_row *const *rows; /* of each event; NULL: it has no row here */
	struct metric_input *inputs; /* of each event */
	size_t events_n;
	long double elapsed_ns;
};

/* The result's rows by their index among those of its series. To be freed; NULL: out of memory. */
static struct result_row **table_of(const struct result *result)
{
	struct result_row **table = calloc(result->series->rows_n + 1, sizeof(struct result_row *));

	for (size_t i = 0; table && i < result->rows_n; i++)
		table[result->rows[i].row - result->series->rows] = &result->rows[i];
	return table;
}

/* The events are repeated for each cgroup. */
static size_t events_of_cgroup(const struct series *series)
{
	return series->events->n / series->cgroups_n;
}

/* An event without a group, or one that was taken out of it, gets a group of its own. */
static struct metric_input input_of(const struct series *series, const struct result_row *row)
{
	const struct event_list *events = series->events;
	size_t event = row->row->event, group = event_list_group_of(events, event);
	bool grouped = group < events->groups_n;
	size_t pass = series->passes && grouped ? series->passes[group] : SIZE_MAX;

	return (struct metric_input){
		.event = row->event,
		.group = grouped && !row->opening->apart ? group : events->groups_n + event,
		.pass = pass,
		.in_all_passes = pass == SIZE_MAX,
		.known = row->count.n > 0,
		.whole = row->state == COUNTED,
		.count = row->count.mean,
	};
}

/* The inputs of the events at first of the rows of the series. Without a row, a count is not known. */
static void fill_inputs(const struct place_counts *place, size_t first)
{
	const struct series *series = place->series;

	for (size_t i = 0; i < place->events_n; i++)
		place->inputs[i] =
			place->rows[i] ?
				input_of(series, place->rows[i]) :
				(struct metric_input){
					.event = &series->events
							  ->events[series->rows[first + i].event]
				};
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

/* The counts that a metric needs. False if one is missing, or was counted at another time. */
static bool gather(const struct place_counts *place, const struct metric_request *request,
		   const size_t *events, long double *values)
{
	const struct expression *e = &request->expression;

	for (size_t i = 0; i < e->events_n; i++) {
		const struct result_row *row = place->rows[events[i]];
		const struct metric_input *input = &place->inputs[events[i]];

		if (!row)
			return false;
		if (!input->known) {
			withhold(place->result, request, WITHHELD_ABSENT, row);
			return false;
		}
		if (i > 0 && input->event->tool == TOOL_NONE &&
		    !metric_together(&place->inputs[events[0]], input)) {
			withhold(place->result, request, WITHHELD_APART, row);
			return false;
		}
		values[i] = input->count;
	}
	return true;
}

/* events: the metric's events. False if the metric has no value here. */
static bool evaluate(const struct place_counts *place, const struct metric_request *request,
		     const size_t *events, double *value)
{
	long double values[EXPRESSION_EVENTS_MAX], result;

	if (!gather(place, request, events, values))
		return false;
	if (expression_evaluate(&request->expression, values, place->elapsed_ns / 1000000000,
				place->series->cpus, &result) < 0) {
		withhold(place->result, request, WITHHELD_UNDEFINED, NULL);
		return false;
	}
	*value = (double)result;
	return true;
}

/* The derived column may have the requested metric already: ipc, cpus. */
static bool is_shown(const struct metric_result *metrics, const char *unit, double value)
{
	for (size_t i = 0; i < metrics->n; i++)
		if (strcmp(metrics->v[i].unit, unit) == 0 &&
		    fabs(metrics->v[i].value - value) <= 1e-9 * fabs(value))
			return true;
	return false;
}

static void add_requested(const struct place_counts *place, const struct metric_request *request,
			  const size_t *events)
{
	struct metric_result *metrics;
	double value;

	if (!evaluate(place, request, events, &value))
		return;
	metrics = &place->rows[events[0]]->metrics;
	if (metrics->n < METRICS_MAX && !is_shown(metrics, request->unit, value))
		metrics->v[metrics->n++] =
			(struct metric){ .kind = request->kind,
					 .level = metric_level(request->limits, value),
					 .value = value,
					 .unit = request->unit };
}

static void add_to_place(const struct place_counts *place)
{
	const struct metric_request_list *requests = place->series->metrics;
	const size_t *events = place->series->metric_events;

	for (size_t i = 0; i < place->events_n; i++) {
		struct result_row *row = place->rows[i];

		if (!row)
			continue;
		row->metrics =
			metric_derive(place->inputs, place->events_n, i, (double)place->elapsed_ns);
		place->result->ratio_withheld |= row->metrics.withheld;
	}
	for (size_t i = 0; requests && i < requests->n; i++) {
		add_requested(place, &requests->v[i], events);
		events += requests->v[i].expression.events_n;
	}
}

int row_metrics_add(struct result *result)
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

	if (series->metrics)
		result->withheld = calloc(series->metrics->n + 1, sizeof(*result->withheld));
	if (!table || !inputs || (series->metrics && !result->withheld))
		return -ENOMEM;
	for (size_t first = 0; n > 0 && first + n <= series->rows_n; first += n) {
		place.rows = &table[first];
		fill_inputs(&place, first);
		add_to_place(&place);
	}
	return 0;
}

/* ---- By run. */

/* Some run's max_rss may be that of pstat: then it is not known in any run. */
static bool is_known(const struct result *result, const struct result_row *row,
		     const struct series_value *value)
{
	bool is_zero =
		result->series->only_counted && row->event->tool == TOOL_NONE && value->count == 0;
	bool has_floor = row->event->tool == TOOL_MAX_RSS && result_floors(result) > 0;

	return series_has_count(value->state) && !is_zero && !has_floor;
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
	}
}

/* The derived one has precedence, as in the row of a result. */
static double metric_of(const struct place_counts *place, size_t event, const char *unit)
{
	const struct metric_request_list *requests = place->series->metrics;
	const size_t *events = place->series->metric_events;
	const struct metric_result derived =
		metric_derive(place->inputs, place->events_n, event, (double)place->elapsed_ns);
	double value;

	for (size_t i = 0; i < derived.n; i++)
		if (strcmp(derived.v[i].unit, unit) == 0)
			return derived.v[i].value;
	for (size_t i = 0; requests && i < requests->n; i++) {
		if (events[0] == event && strcmp(requests->v[i].unit, unit) == 0 &&
		    evaluate(place, &requests->v[i], events, &value))
			return value;
		events += requests->v[i].expression.events_n;
	}
	return NAN;
}

int row_metrics_by_run(const struct result *result, const struct result_row *row, const char *unit,
		       double *values)
{
	const struct series *series = result->series;
	size_t n = events_of_cgroup(series), index = (size_t)(row->row - series->rows);
	cleanup_free struct result_row **table = table_of(result);
	cleanup_free struct metric_input *inputs = calloc(n + 1, sizeof(*inputs));
	struct place_counts place = { .series = series, .inputs = inputs, .events_n = n };

	if (!table || !inputs)
		return -ENOMEM;
	place.rows = &table[index - index % n];
	fill_inputs(&place, index - index % n);
	for (size_t run = 0; run < result->runs_n; run++) {
		if (!isnan(values[run]))
			continue;
		set_run(&place, result, run);
		values[run] = metric_of(&place, index % n, unit);
	}
	return 0;
}
