/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "metric/expression.h"
#include "result/figures.h"

/* The rows of one place, which alone may be divided by one another. */
struct place_rows {
	struct result *result;
	const struct result_input *input;
	struct result_row **rows; /* by event; NULL: it has none here */
	struct metric_input *inputs; /* those that there are, in order */
	struct result_row **of_input;
	size_t n;
};

/* What is in no group, or was taken out of it, is in one of its own. */
static struct metric_input input_of(const struct place_rows *p, const struct result_row *row)
{
	const struct event_list *events = p->input->events;
	size_t event = row->row->event, group = event_list_group_of(events, event);
	bool grouped = group < events->groups_n;
	bool has_pass = p->input->passes && grouped;
	size_t pass = has_pass ? p->input->passes[group] : SIZE_MAX;

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

static void add_derived(struct place_rows *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct result_row *row = p->of_input[i];

		row->metrics =
			metric_derive(p->inputs, p->n, i, (double)p->result->elapsed_ns.mean);
		p->result->ratio_withheld |= row->metrics.withheld;
	}
}

static void withhold(struct result *result, const struct metric_request *request, int reason,
		     const struct result_row *row)
{
	for (size_t i = 0; i < result->withheld_n; i++)
		if (strcmp(result->withheld[i].metric, request->name) == 0)
			return;
	result->withheld[result->withheld_n++] = (struct withheld){
		.metric = request->name, .reason = reason, .event = row ? row->name : NULL
	};
}

/* The counts that a metric needs, of this place; whether all are there, and were taken together. */
static bool gather(const struct place_rows *p, const struct metric_request *request,
		   const size_t *events, size_t first_event, long double *values)
{
	const struct expression *e = &request->expression;
	struct metric_input first = { 0 };

	for (size_t i = 0; i < e->events_n; i++) {
		const struct result_row *row = p->rows[first_event + events[i]];
		struct metric_input input;

		if (!row)
			return false;
		input = input_of(p, row);
		if (!input.known) {
			withhold(p->result, request, WITHHELD_ABSENT, row);
			return false;
		}
		if (i == 0)
			first = input;
		if (i > 0 && input.event->tool == TOOL_NONE && !metric_together(&first, &input)) {
			withhold(p->result, request, WITHHELD_APART, row);
			return false;
		}
		values[i] = input.count;
	}
	return true;
}

/* What -M asks for may be what the event shows anyway: ipc, cpus. */
static bool is_shown(const struct metric_result *metrics, const char *unit, double value)
{
	for (size_t i = 0; i < metrics->n; i++)
		if (strcmp(metrics->v[i].unit, unit) == 0 &&
		    fabs(metrics->v[i].value - value) <= 1e-9 * fabs(value))
			return true;
	return false;
}

static void add_requested(const struct place_rows *p, const struct metric_request *request,
			  const size_t *events, size_t first)
{
	long double values[EXPRESSION_EVENTS_MAX];
	struct metric_result *metrics;
	long double value;

	if (!gather(p, request, events, first, values))
		return;
	if (expression_evaluate(&request->expression, values,
				p->result->elapsed_ns.mean / 1000000000, p->input->cpus,
				&value) < 0) {
		withhold(p->result, request, WITHHELD_UNDEFINED, NULL);
		return;
	}
	metrics = &p->rows[first + events[0]]->metrics;
	if (metrics->n < METRICS_MAX && !is_shown(metrics, request->unit, (double)value))
		metrics->v[metrics->n++] =
			(struct metric){ .kind = request->kind,
					 .level = metric_level(request->limits, (double)value),
					 .value = (double)value,
					 .unit = request->unit };
}

/* Of the events as they stand for one cgroup, first being where they begin. */
static void add_all_requested(const struct place_rows *p, size_t first)
{
	const struct metric_request_list *metrics = p->input->metrics;
	const size_t *events = p->input->metric_events;

	for (size_t i = 0; metrics && i < metrics->n; i++) {
		add_requested(p, &metrics->v[i], events, first);
		events += metrics->v[i].expression.events_n;
	}
}

/* The n events from first on: all, or those of one cgroup, which no other's counts are divided by. */
static void add_to_events(struct place_rows *p, size_t first, size_t n)
{
	p->n = 0;
	for (size_t i = first; i < first + n; i++) {
		if (!p->rows[i])
			continue;
		p->inputs[p->n] = input_of(p, p->rows[i]);
		p->of_input[p->n++] = p->rows[i];
	}
	add_derived(p);
	add_all_requested(p, first);
}

int figures_add(struct result *result, const struct result_input *input)
{
	size_t n = input->events->n;
	cleanup_free struct result_row **table =
		calloc(input->rows_n + 1, sizeof(struct result_row *));
	cleanup_free struct metric_input *inputs = calloc(n + 1, sizeof(*inputs));
	cleanup_free struct result_row **of_input = calloc(n + 1, sizeof(struct result_row *));
	struct place_rows place_rows = { result, input, NULL, inputs, of_input, 0 };

	if (input->metrics)
		result->withheld = calloc(input->metrics->n + 1, sizeof(*result->withheld));
	if (!table || !inputs || !of_input || (input->metrics && !result->withheld))
		return -ENOMEM;
	for (size_t i = 0; i < result->rows_n; i++)
		table[result->rows[i].row - input->rows] = &result->rows[i];
	for (size_t i = 0; n > 0 && i < input->rows_n / n; i++) {
		place_rows.rows = &table[i * n];
		for (size_t copy = 0; copy < input->cgroups_n; copy++)
			add_to_events(&place_rows, copy * (n / input->cgroups_n),
				      n / input->cgroups_n);
	}
	return 0;
}
