/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A result that is made up: some events, counted at some places in some runs. */
#ifndef PSTAT_UNIT_REPORT_COUNTED_H
#define PSTAT_UNIT_REPORT_COUNTED_H

#include "result/provenance.h"
#include "result/result.h"

struct counted {
	struct event_list events;
	struct metric_request_list metrics;
	struct opening *openings;
	struct place *places;
	size_t places_n;
	struct row *rows;
	struct run *runs;
	size_t metric_events[8];
	struct provenance provenance; /* nothing in it is owned */
	struct series series;
};

/*
 * events, a list of -e, are looked up on a machine without any PMU; places ends with NULL. Each
 * run has counted 1000 of everything, and taken as many milliseconds and KiB. The test fails where
 * it cannot be made. It must not be moved; to be released.
 */
void counted_init(struct counted *c, const char *events, const char *const *places, size_t runs_n);

/* The same at one place, that of all. */
void counted_whole(struct counted *c, const char *events, size_t runs_n);

/* Let it have a metric, an item of -M's list, which is made of these of its events. */
void counted_add_metric(struct counted *c, const char *text, const size_t *events);

/* What a row, an event at a place, came to in each run. */
void counted_set(struct counted *c, size_t row, uint64_t raw);

void counted_release(struct counted *c);

#endif
