/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was read: the rows, and the readings of runs and intervals by row. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "document/load_parts.h"
#include "document/schema.h"

/* Place by place one for each event. */
static void load_row(const struct load_value *value, size_t i, struct document *document)
{
	const struct load_value event = load_member(value, "event");
	const struct load_value place_index = load_member(value, "place");
	size_t events = document->events.n;
	struct row *row = &document->rows[i];

	*row = (struct row){
		.event = load_size(event),
		.place_index = load_size(place_index),
		.place.kind = document->settings.split,
		.place.label = load_text_or_null(load_member(value, "label")),
		.counters = load_size(load_member(value, "counters")),
	};
	document->settings.rows_n = i + 1;
	if (row->event != i % events)
		load_refuse(&event, "not %zu: each place has a row for each event in turn",
			    i % events);
	if (row->place_index != i / events)
		load_refuse(&place_index, "not %zu: the places are counted from 0 on", i / events);
}

void load_rows(const struct load_value *top, struct document *document)
{
	const struct load_value rows = load_member(top, "rows");
	size_t n = load_length(rows), events = document->events.n;

	if (events ? n % events != 0 : n > 0) {
		load_refuse(&rows, "not a row for each of %zu events at each place", events);
		return;
	}
	document->rows = calloc(n + 1, sizeof(*document->rows));
	if (!document->rows) {
		load_no_memory(top->load);
		return;
	}
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value row = load_element(&rows, i);

		load_row(&row, i, document);
	}
}

static bool has_rows(const struct load_value *array, size_t n)
{
	if (load_length(*array) != n)
		load_refuse(array, "its length is not %zu, the number of rows", n);
	return array->load->err == 0;
}

/* One for each row; NULL after a trouble. */
static struct reading *load_readings(const struct load_value *value, size_t n)
{
	const struct load_value state = load_member(value, "state");
	const struct load_value raw = load_member(value, "raw");
	const struct load_value enabled_ns = load_member(value, "enabled_ns");
	const struct load_value running_ns = load_member(value, "running_ns");
	struct reading *readings;

	if (!has_rows(&state, n) || !has_rows(&raw, n) || !has_rows(&enabled_ns, n) ||
	    !has_rows(&running_ns, n))
		return NULL;
	readings = calloc(n + 1, sizeof(*readings));
	if (!readings)
		load_no_memory(value->load);
	for (size_t i = 0; readings && value->load->err == 0 && i < n; i++)
		readings[i] = (struct reading){
			.state = (enum count_state)load_word(load_element(&state, i), schema_states,
							     ELSEWHERE + 1),
			.counts = { .raw = load_unsigned(load_element(&raw, i)),
				    .enabled_ns = load_unsigned(load_element(&enabled_ns, i)),
				    .running_ns = load_unsigned(load_element(&running_ns, i)) },
		};
	return readings;
}

/* As waitpid(2) gives it; 0 without a command. */
static int load_wait_status(const struct load_value *value)
{
	const struct load_value exit_status = load_member(value, "exit_status");
	const struct load_value signal = load_member(value, "signal");

	if (!load_is_there(signal))
		return load_is_there(exit_status) ? (int)load_integer(exit_status, 0, 255) << 8 : 0;
	if (load_is_there(exit_status))
		load_refuse(&exit_status, "not null, after a signal");
	return (int)load_integer(signal, 1, NSIG - 1);
}

void load_runs(const struct load_value *top, struct document *document)
{
	const struct load_value runs = load_member(top, "runs");
	size_t n = load_length(runs);

	if (n == 0)
		load_refuse(&runs, "there is none");
	document->runs = calloc(n + 1, sizeof(*document->runs));
	if (!document->runs)
		load_no_memory(top->load);
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value value = load_element(&runs, i);
		struct run *run = &document->runs[i];

		for (enum tool_event tool = TOOL_NONE + 1; tool < TOOL_N; tool++)
			run->tool[tool] =
				load_unsigned(load_member(&value, event_tool_names[tool]));
		run->wait_status = load_wait_status(&value);
		run->readings = load_readings(&value, document->settings.rows_n);
		document->settings.runs_n = i + 1;
	}
}

void load_intervals(const struct load_value *top, struct document *document)
{
	const struct load_value intervals = load_member(top, "intervals");
	size_t n = load_is_there(intervals) ? load_length(intervals) : 0;

	document->intervals = calloc(n + 1, sizeof(*document->intervals));
	if (!document->intervals)
		load_no_memory(top->load);
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value value = load_element(&intervals, i);
		struct interval *interval = &document->intervals[i];

		interval->of_run = load_size(load_member(&value, "run"));
		interval->at_ns = load_unsigned(load_member(&value, "at_ns"));
		interval->missed = load_size(load_member(&value, "late"));
		interval->run.tool[TOOL_DURATION_TIME] =
			load_unsigned(load_member(&value, "duration_time"));
		interval->run.readings = load_readings(&value, document->settings.rows_n);
		document->settings.intervals_n = i + 1;
	}
}
