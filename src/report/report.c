/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/report.h"

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
		break;
	}
	return "<not counted>";
}

/* Whether a letter behind the name is a modifier: behind "pmu/…/", or behind others. */
static bool takes_letter(const struct event *event)
{
	bool path = event->probed || event->attr.type == PERF_TYPE_BREAKPOINT;

	return event->has_modifiers || (!path && strchr(event->name, '/'));
}

/* perf's name for an event that was narrowed to user mode. */
static char *row_name(const struct event *event, const struct row *row)
{
	const char *between = takes_letter(event) ? "" : ":";
	char *name;

	if (!row->user_only)
		return strdup(event->name);
	return asprintf(&name, "%s%su", event->name, between) < 0 ? NULL : name;
}

/* One scaled run makes the mean an estimate; a run without a count is left out of it. */
static void add_sample(struct report_row *row, const struct sample *sample, enum scaling scaling,
		       uint64_t *enabled_ns, uint64_t *running_ns)
{
	if (report_absent(sample->state)) {
		*enabled_ns += sample->counts.enabled_ns;
		if (row->count.n == 0)
			row->state = sample->state;
		return;
	}
	if (row->count.n == 0 || sample->state == SCALED)
		row->state = sample->state;
	summary_add(&row->count, scale_count(&sample->counts, scaling));
	*enabled_ns += sample->counts.enabled_ns;
	*running_ns += sample->counts.running_ns;
}

static bool is_whole(double factor)
{
	return factor >= 1 && factor < 1e15 && (double)(uint64_t)factor == factor;
}

static bool is_merged(const struct report_input *input, size_t i)
{
	return i < input->rows_n && input->events->events[input->rows[i].event].merged;
}

/* The counts of a row and of the instances that are merged into it; absent when any of them is. */
static struct sample merge_samples(const struct report_input *input, const struct run *run,
				   size_t i)
{
	struct sample sum = run->samples[i];

	for (i++; !report_absent(sum.state) && is_merged(input, i); i++) {
		const struct sample *more = &run->samples[i];

		if (report_absent(more->state))
			return *more;
		if (more->state == SCALED)
			sum.state = SCALED;
		sum.counts.raw += more->counts.raw;
		sum.counts.enabled_ns += more->counts.enabled_ns;
		sum.counts.running_ns += more->counts.running_ns;
	}
	return sum;
}

static int build_row(struct report_row *row, const struct report_input *input, size_t i)
{
	const struct event *event = &input->events->events[input->rows[i].event];
	uint64_t enabled_ns = 0, running_ns = 0;

	*row = (struct report_row){ .event = event,
				    .row = &input->rows[i],
				    .where = input->rows[i].where,
				    .name = row_name(event, &input->rows[i]),
				    .state = NOT_COUNTED,
				    .decimals = is_whole(event->factor) ? 0 : 2 };
	if (!row->name)
		return -ENOMEM;
	for (size_t run = 0; run < input->runs_n; run++) {
		const struct sample sample = merge_samples(input, &input->runs[run], i);

		add_sample(row, &sample, input->scaling, &enabled_ns, &running_ns);
	}
	row->value = row->count.mean * (long double)event->factor;
	row->spread_percent = summary_stderr_percent(&row->count);
	row->running_ns = row->count.n ? running_ns / row->count.n : 0;
	row->running_percent = scale_running_percent(enabled_ns, running_ns);
	return 0;
}

/* What is in no group, or was taken out of it, is a group of its own. */
static size_t group_of(const struct event_list *events, const struct row *row)
{
	size_t event = row->event;

	for (size_t i = 0; i < events->groups_n; i++)
		if (!row->apart && event >= events->groups[i].first &&
		    event < events->groups[i].first + events->groups[i].n)
			return i;
	return events->groups_n + event;
}

static int build_metrics(struct report *report, const struct report_input *input)
{
	cleanup_free struct metric_input *inputs = calloc(report->rows_n + 1, sizeof(*inputs));

	if (!inputs)
		return -ENOMEM;
	for (size_t i = 0; i < report->rows_n; i++)
		inputs[i] = (struct metric_input){
			.event = report->rows[i].event,
			.group = group_of(input->events, report->rows[i].row),
			.known = report->rows[i].count.n > 0,
			.whole = report->rows[i].state == COUNTED,
			.count = report->rows[i].count.mean,
		};
	for (size_t i = 0; i < report->rows_n; i++) {
		struct report_row *row = &report->rows[i];

		row->metrics =
			metric_derive(inputs, report->rows_n, i, (double)report->elapsed_ns.mean);
		report->ratio_withheld |= row->metrics.withheld;
	}
	return 0;
}

int report_build(struct report *report, const struct report_input *input)
{
	int err = 0;

	*report = (struct report){ .command = input->command,
				   .started = input->started,
				   .runs = input->runs,
				   .runs_n = input->runs_n,
				   .null_run = input->null_run,
				   .rows = calloc(input->rows_n + 1, sizeof(*report->rows)) };
	if (!report->rows)
		return -ENOMEM;
	for (size_t run = 0; run < input->runs_n; run++) {
		summary_add(&report->elapsed_ns, input->runs[run].tool[TOOL_DURATION_TIME]);
		summary_add(&report->user_ns, input->runs[run].tool[TOOL_USER_TIME]);
		summary_add(&report->system_ns, input->runs[run].tool[TOOL_SYSTEM_TIME]);
	}
	for (size_t i = 0; err == 0 && i < input->rows_n; i++)
		if (!is_merged(input, i))
			err = build_row(&report->rows[report->rows_n++], input, i);
	if (err == 0)
		err = build_metrics(report, input);
	if (err < 0)
		report_release(report);
	return err;
}

void report_release(struct report *report)
{
	for (size_t i = 0; i < report->rows_n; i++)
		free(report->rows[i].name);
	free(report->rows);
	*report = (struct report){ 0 };
}
