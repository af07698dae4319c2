/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "document/document.h"

void document_release(struct document *document)
{
	for (size_t i = 0; document->openings && i < document->events.n; i++)
		free(document->openings[i].reason.text);
	for (size_t i = 0; i < document->places_n; i++)
		free(document->places[i].label);
	series_release(&document->series);
	event_list_release(&document->events);
	str_list_release(&document->sources);
	metric_list_release(&document->metrics);
	provenance_release(&document->provenance);
	free(document->openings);
	free(document->passes);
	free(document->places);
	free(document->rows);
	free(document->metric_events);
	*document = (struct document){ 0 };
}

struct comparison_input saved_comparison(const struct saved *saved)
{
	struct comparison_input input = saved->settings;

	input.sides = saved->sides;
	input.sides_n = saved->n;
	input.order = saved->order;
	input.effects = saved->effects;
	input.gates = saved->gates;
	return input;
}

/* The structs of result/ do not own these texts, but struct saved does. */
static void free_text(const char *text)
{
	free((void *)(uintptr_t)text);
}

void saved_release(struct saved *saved)
{
	for (size_t i = 0; i < saved->n; i++) {
		document_release(&saved->documents[i]);
		if (saved->sides)
			free_text(saved->sides[i].name);
	}
	for (size_t i = 0; i < saved->settings.effects_n; i++)
		free_text(saved->effects[i].name);
	for (size_t i = 0; i < saved->settings.gates_n; i++) {
		free_text(saved->gates[i].text);
		free(saved->gates[i].name);
	}
	free(saved->documents);
	free(saved->sides);
	free(saved->order);
	free(saved->effects);
	free(saved->gates);
	*saved = (struct saved){ 0 };
}
