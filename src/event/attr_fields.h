/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of perf_event_attr (perf_event_open(2)) that pstat uses, in one table. The output of
 * -v and --explain, the documents, and the check whether two results counted the same events all
 * use this table.
 */
#ifndef PSTAT_EVENT_ATTR_FIELDS_H
#define PSTAT_EVENT_ATTR_FIELDS_H

#include <stdint.h>

#include "event/event.h"

/* What a field determines. Documents hold the fields of all roles except ATTR_OPENING. */
enum attr_role {
	ATTR_TYPE, /* which PMU */
	ATTR_CONFIG, /* which event of the PMU: config, config1 and so on, in this order */
	ATTR_BREAKPOINT, /* which kind of access */
	ATTR_PRECISION,
	ATTR_MODE, /* a flag: exclude a mode */
	ATTR_SCHEDULING, /* a flag: when the event may be on the PMU */
	ATTR_OPENING, /* how the counter is opened and read */
};

struct attr_field {
	const char *name; /* in struct perf_event_attr */
	enum attr_role role;
	uint64_t max; /* the largest value */
	size_t attr_size; /* the size of the smallest attr that has the field, in bytes */
	const char *since; /* the first Linux that has it, "6.3"; NULL: 4.4 or older has it */
	uint64_t (*get)(const struct event *event);
	void (*set)(struct event *event, uint64_t value); /* value: at most max */
};

/* --explain and --list show a field that is 0 only if an attr of this size has the field. */
enum { ATTR_SIZE_SHOWN = 136 };

/* In the order of struct perf_event_attr. A NULL name ends the table. */
extern const struct attr_field attr_fields[];

/* The next field of a role after this field, or the first one if field is NULL. NULL: no more. */
const struct attr_field *attr_fields_next(const struct attr_field *field, enum attr_role role);

/* The newest field that an event uses; NULL: Linux 4.14 has all of them. */
const struct attr_field *attr_fields_newest(const struct event *event);

#endif
