/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up series: events, counted at places, in several runs. */
#ifndef PSTAT_UNIT_RESULT_COUNTED_H
#define PSTAT_UNIT_RESULT_COUNTED_H

#include "metric/metric_list.h"
#include "result/series.h"
#include "result/table.h"

struct counted {
	struct event_list events;
	struct metric_request_list metrics;
	struct opening *openings;
	struct place *places;
	size_t places_n;
	struct row *rows;
	struct run *runs;
	struct provenance provenance; /* its strings are not owned */
	struct series series;
};

/*
 * Make a series. events: a list of -e, resolved on a machine without any PMU. places ends with
 * NULL. Each count is 1000; each run took 1000 ms and 1000 KiB. The test fails if an error occurs.
 * The caller releases c, and must not move it.
 */
void counted_init(struct counted *c, const char *events, const char *const *places, size_t runs_n);

/* counted_init() with one place: the whole target. */
void counted_whole(struct counted *c, const char *events, size_t runs_n);

/* Add a metric. text: an item of the list of -M; events: the indices of its events. */
void counted_add_metric(struct counted *c, const char *text, const size_t *events);

/* Set the count of a row, which is an event at a place, in all runs. */
void counted_set(struct counted *c, size_t row, uint64_t raw);

/* Set the value of a row in each run: from 0 to 2^62. The factor of the row's event becomes the power
 * of 2 with which the values lose the fewest bits. */
void counted_set_values(struct counted *c, size_t row, const double *values);

void counted_release(struct counted *c);

#endif
