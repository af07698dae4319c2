/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "result/figures.h"
#include "result/report.h"

const struct report_format *const report_formats[] = {
	&report_table,	  &report_json,	       &report_csv, &report_csv_summary,
	&report_markdown, &report_openmetrics, NULL,
};

const struct report_format *report_format_find(const char *name)
{
	for (size_t i = 0; report_formats[i]; i++)
		if (strcmp(report_formats[i]->name, name) == 0)
			return report_formats[i];
	return NULL;
}

const char *report_absent(enum count_state state)
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

static bool has_floor(const struct report_input *input, size_t run)
{
	return input->runs[run].tool[TOOL_MAX_RSS] <= input->max_rss_floor_kib;
}

size_t report_floors(const struct report_input *input)
{
	size_t n = 0;

	for (size_t i = 0; input->max_rss_floor_kib && i < input->runs_n; i++)
		n += has_floor(input, i);
	return n;
}

/* Whether a letter behind the name is a modifier: behind "pmu/…/", or behind others. */
static bool takes_letter(const struct event *event)
{
	bool path = event->probed || event->attr.type == PERF_TYPE_BREAKPOINT;

	return event->has_modifiers || (!path && strchr(event->name, '/'));
}

char *report_row_name(const struct event *event, const struct opening *opening)
{
	const char *between = takes_letter(event) ? "" : ":";
	char *name;

	if (!opening->user_only)
		return strdup(event->name);
	return asprintf(&name, "%s%su", event->name, between) < 0 ? NULL : name;
}

/* What a row's runs come to. */
struct row_runs {
	uint64_t enabled_ns, running_ns; /* the sums */
	long double *values; /* the counts of those that counted it */
	size_t values_n;
};

/* One scaled run makes the mean an estimate; a run without a count is left out of it. */
static void add_value(struct report_row *row, const struct series_value *value,
		      struct row_runs *runs)
{
	if (value->state == ELSEWHERE)
		return;
	row->too_short |= value->too_short;
	runs->enabled_ns += value->counts.enabled_ns;
	runs->running_ns += value->counts.running_ns;
	row->runs_n++;
	if (report_absent(value->state)) {
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

struct series report_series(const struct report_input *input)
{
	return (struct series){ .events = input->events,
				.openings = input->openings,
				.rows = input->rows,
				.rows_n = input->rows_n,
				.runs = input->runs,
				.runs_n = input->runs_n,
				.scaling = input->scaling,
				.min_running = input->min_running };
}

struct series_value report_value(const struct report *report, const struct report_row *row,
				 size_t run)
{
	const struct series series = report_series(&report->input);

	return series_value(&series, (size_t)(row->row - series.rows), run);
}

static int build_row(struct report_row *row, const struct report_input *input, size_t i)
{
	const struct event *event = &input->events->events[input->rows[i].event];
	const struct series series = report_series(input);
	cleanup_free long double *values = calloc(input->runs_n + 1, sizeof(*values));
	struct row_runs runs = { .values = values };

	*row = (struct report_row){ .event = event,
				    .row = &input->rows[i],
				    .opening = &input->openings[input->rows[i].event],
				    .state = NOT_COUNTED,
				    .decimals = is_whole(event->factor) ? 0 : 2 };
	row->name = report_row_name(event, row->opening);
	if (!row->name || !values)
		return -ENOMEM;
	for (size_t run = 0; run < input->runs_n; run++) {
		const struct series_value value = series_value(&series, i, run);

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
static bool is_shown(const struct report_input *input, size_t i)
{
	const struct series series = report_series(input);
	const struct row *row = &input->rows[i];
	const struct event *event = &input->events->events[row->event];
	bool counted = series_is_counted_there(&series, i);

	if (series_is_merged(&series, i) || !row->where.label)
		return false;
	if (event->tool != TOOL_NONE)
		return row->place == 0;
	for (i++; series_is_merged(&series, i); i++)
		counted |= series_is_counted_there(&series, i);
	return counted || input->split == WHERE_TARGET || input->split == WHERE_THREAD;
}

static int add_row(struct report *report, const struct report_input *input, size_t i)
{
	struct report_row *row = &report->rows[report->rows_n];
	int err;

	if (!is_shown(input, i))
		return 0;
	err = build_row(row, input, i);
	if (err == 0 && input->only_counted && row->event->tool == TOOL_NONE && row->value == 0)
		free(take_ptr(row->name));
	else
		report->rows_n++;
	return err;
}

/* perf's order of threads: the greatest count first. */
static int compare_rows(const void *a, const void *b)
{
	const struct report_row *left = a, *right = b;

	if (left->value != right->value)
		return left->value < right->value ? 1 : -1;
	return (left->row->place > right->row->place) - (left->row->place < right->row->place);
}

/* As perf: CPUs and threads event by event, larger places one after the other. */
static int build_rows(struct report *report, const struct report_input *input)
{
	size_t events = input->events->n;
	size_t places = events ? input->rows_n / events : 0;
	bool by_event = input->split == WHERE_TARGET || input->split == WHERE_CPU ||
			input->split == WHERE_THREAD;
	int err = 0;

	for (size_t i = 0; err == 0 && !by_event && i < input->rows_n; i++)
		err = add_row(report, input, i);
	for (size_t event = 0; by_event && event < events; event++) {
		size_t first = report->rows_n;

		for (size_t place = 0; err == 0 && place < places; place++)
			err = add_row(report, input, place * events + event);
		if (input->split == WHERE_THREAD && report->rows_n > first)
			qsort(&report->rows[first], report->rows_n - first, sizeof(*report->rows),
			      compare_rows);
	}
	return err;
}

/* What the clock and getrusage(2) say of the runs. 0 or -ENOMEM. */
static int sum_up_times(struct report *report, const struct report_input *input)
{
	const struct {
		struct summary *summary;
		enum tool_event tool;
	} times[] = {
		{ &report->elapsed_ns, TOOL_DURATION_TIME },
		{ &report->user_ns, TOOL_USER_TIME },
		{ &report->system_ns, TOOL_SYSTEM_TIME },
	};
	cleanup_free long double *values = calloc(input->runs_n + 1, sizeof(*values));

	for (size_t i = 0; values && i < sizeof(times) / sizeof(times[0]); i++) {
		for (size_t run = 0; run < input->runs_n; run++)
			values[run] = input->runs[run].tool[times[i].tool];
		*times[i].summary = summary_of(values, input->runs_n);
	}
	return values ? 0 : -ENOMEM;
}

/* The subject without the quotes that perf has around a command. */
static char *command_of(const char *subject)
{
	size_t n = strlen(subject);
	bool quoted = n >= 2 && subject[0] == '\'' && subject[n - 1] == '\'';

	return quoted ? strndup(subject + 1, n - 2) : strdup(subject);
}

/* 0 or -ENOMEM. */
static int add_times(struct report *report, const struct report_input *input)
{
	report->times = calloc(input->runs_n + 1, sizeof(*report->times));
	if (!report->times)
		return -ENOMEM;
	for (size_t i = 0; i < input->runs_n; i++) {
		uint64_t elapsed_ns = input->runs[i].tool[TOOL_DURATION_TIME];
		double over_ns = (double)(elapsed_ns - report->elapsed_ns.mean);

		report->times[i] = (struct report_time){
			.elapsed_ns = elapsed_ns,
			.over_ns = over_ns,
			.over_percent = elapsed_ns ? 100 * over_ns / (double)elapsed_ns : 0,
		};
	}
	return 0;
}

int report_build(struct report *report, const struct report_input *input)
{
	int err;

	*report =
		(struct report){ .input = *input,
				 .is_series = input->runs_n > 1 && input->runs_n > input->passes_n,
				 .is_block = input->block != NULL,
				 .at_ns = input->block ? input->block->at_ns : 0,
				 .rows = calloc(input->rows_n + 1, sizeof(*report->rows)) };
	report->command = command_of(input->subject);
	if (!report->rows || !report->command) {
		report_release(report);
		return -ENOMEM;
	}
	for (size_t i = 0; i < input->events->n; i++)
		report->has_cgroups |= input->events->events[i].cgroup != NULL;
	err = sum_up_times(report, input);
	if (err == 0)
		err = add_times(report, input);
	if (err == 0)
		err = build_rows(report, input);
	if (err == 0)
		err = figures_add(report, input);
	if (err < 0)
		report_release(report);
	return err;
}

void report_release(struct report *report)
{
	for (size_t i = 0; i < report->rows_n; i++)
		free(report->rows[i].name);
	free(report->rows);
	free(report->command);
	free(report->times);
	free(report->withheld);
	*report = (struct report){ 0 };
}
