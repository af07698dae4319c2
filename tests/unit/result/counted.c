/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "unit/resolve.h"
#include "unit/result/counted.h"
#include "unit/test.h"
#include "unit/tree.h"

#define SECOND UINT64_C(1000000000)

enum { COUNT = 1000, MILLISECOND = 1000000 };

static void *room(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	assert_non_null(p);
	return p;
}

static void look_up(struct counted *c, const char *events)
{
	struct machine machine = { .root = tree_new() };

	resolve_on(&machine, events, &c->events);
	tree_remove(machine.root);
	c->openings = room(c->events.n, sizeof(*c->openings));
}

static size_t add_rows(struct counted *c, const char *const *places)
{
	size_t n = 0;

	while (places[c->places_n])
		c->places_n++;
	c->places = room(c->places_n, sizeof(*c->places));
	c->rows = room(c->events.n * c->places_n, sizeof(*c->rows));
	for (size_t place_index = 0; place_index < c->places_n; place_index++) {
		c->places[place_index] = (struct place){ .label = strdup(places[place_index]) };
		for (size_t i = 0; i < c->events.n; i++)
			c->rows[n++] = (struct row){ .event = i,
						     .place_index = place_index,
						     .counters = 1 };
	}
	return n;
}

static void add_run(struct counted *c, struct run *run)
{
	run->readings = room(c->series.rows_n, sizeof(*run->readings));
	run->tool[TOOL_DURATION_TIME] = (uint64_t)COUNT * MILLISECOND;
	run->tool[TOOL_USER_TIME] = (uint64_t)COUNT * MILLISECOND;
	run->tool[TOOL_MAX_RSS] = COUNT;
	for (size_t i = 0; i < c->series.rows_n; i++)
		run->readings[i] = (struct reading){ COUNTED, { COUNT, SECOND, SECOND } };
}

void counted_init(struct counted *c, const char *events, const char *const *places, size_t runs_n)
{
	*c = (struct counted){
		.series = { .subject = "'it'", .min_running = 5, .cgroups_n = 1, .has_usage = true }
	};
	look_up(c, events);
	c->runs = room(runs_n, sizeof(*c->runs));
	c->series.events = &c->events;
	c->series.openings = c->openings;
	c->series.rows_n = add_rows(c, places);
	c->series.places = c->places;
	c->series.rows = c->rows;
	c->series.runs = c->runs;
	c->series.runs_n = runs_n;
	c->series.provenance = &c->provenance;
	for (size_t i = 0; i < runs_n; i++)
		add_run(c, &c->runs[i]);
}

void counted_whole(struct counted *c, const char *events, size_t runs_n)
{
	static const char *const all[] = { "", NULL };

	counted_init(c, events, all, runs_n);
}

void counted_add_metric(struct counted *c, const char *text, const size_t *events)
{
	resolve_metrics(&c->metrics, text, events);
	c->series.metrics = &c->metrics;
}

void counted_set(struct counted *c, size_t row, uint64_t raw)
{
	for (size_t i = 0; i < c->series.runs_n; i++)
		c->runs[i].readings[row].counts.raw = raw;
}

void counted_set_values(struct counted *c, size_t row, const double *values)
{
	double scale = 0x1p120;

	for (size_t i = 0; i < c->series.runs_n; i++)
		while (values[i] * scale >= 0x1p63)
			scale /= 2;
	c->events.events[c->rows[row].event].factor = 1 / scale;
	for (size_t i = 0; i < c->series.runs_n; i++)
		c->runs[i].readings[row].counts.raw = (uint64_t)(values[i] * scale);
}

void counted_release(struct counted *c)
{
	for (size_t i = 0; i < c->series.runs_n; i++)
		free(c->runs[i].readings);
	for (size_t i = 0; i < c->places_n; i++)
		free(c->places[i].label);
	free(c->places);
	free(c->runs);
	free(c->rows);
	free(c->openings);
	metric_list_release(&c->metrics);
	event_list_release(&c->events);
}
