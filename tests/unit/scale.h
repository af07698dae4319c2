/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Count on machines with many CPUs and the fake kernel, step by step from their sysfs to the
 * finished result. A unit test checks the numbers, and a benchmark measures the time.
 */
#ifndef PSTAT_UNIT_SCALE_H
#define PSTAT_UNIT_SCALE_H

#include "base/why.h"
#include "count/session.h"
#include "format/format.h"
#include "result/table.h"

enum {
	SCALE_EVENTS_N = 16,
	CPUS_PER_SOCKET = 32,
	SCALE_NS = 1000, /* the duration of the run */
};

/* One machine, and the events that are counted on it. */
struct scale {
	struct machine machine;
	struct event_list events;
	struct target target;
	struct session session;
	struct reading *before, *after; /* owned */
	struct run run;
	struct series series;
	struct table result;
};

/* The /sys of n CPUs in sockets of 32, two CPUs to a core: only the files that the steps read. */
void scale_make_machine(struct scale *s, int n);
void scale_remove_machine(struct scale *s);

/* The steps, to be called in this order. The test fails if a step fails. */
void scale_find_cpus(struct scale *s, enum place_kind split);
void scale_open(struct scale *s, const char *events);
void scale_switch(struct scale *s, bool on);
void scale_read(struct scale *s, struct reading *readings);
void scale_aggregate(struct scale *s);
void scale_format(struct scale *s, const struct format *format, FILE *out);
void scale_close(struct scale *s);

/* 16 events, each on its own (scale_singles) or in groups of four (scale_groups). */
extern const char scale_singles[], scale_groups[];

#endif
