/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "document/document.h"

struct result_input document_input(const struct document *document)
{
	struct result_input input = document->settings;

	input.subject = document->subject;
	input.events = &document->events;
	input.openings = document->openings;
	input.rows = document->rows;
	input.passes = document->passes;
	input.runs = document->runs;
	input.intervals = document->intervals;
	input.metrics = &document->metrics;
	input.metric_events = document->metric_events;
	input.provenance = &document->provenance;
	return input;
}

struct result_input document_interval_input(const struct document *document, size_t i)
{
	struct result_input input = document_input(document);

	input.interval = &document->intervals[i];
	input.runs = &document->intervals[i].run;
	input.runs_n = 1;
	input.intervals = NULL;
	input.intervals_n = 0;
	return input;
}

void document_release(struct document *document)
{
	const struct result_input *settings = &document->settings;

	for (size_t i = 0; document->openings && i < document->events.n; i++)
		free(document->openings[i].reason.text);
	for (size_t i = 0; i < settings->rows_n; i++)
		free(document->rows[i].place.label);
	for (size_t i = 0; i < settings->runs_n; i++)
		free(document->runs[i].readings);
	for (size_t i = 0; i < settings->intervals_n; i++)
		free(document->intervals[i].run.readings);
	event_list_release(&document->events);
	str_list_release(&document->sources);
	metric_list_release(&document->metrics);
	provenance_release(&document->provenance);
	free(document->subject);
	free(document->openings);
	free(document->passes);
	free(document->rows);
	free(document->runs);
	free(document->intervals);
	free(document->metric_events);
	*document = (struct document){ 0 };
}
