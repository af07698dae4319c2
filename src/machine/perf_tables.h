/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Perf's tables of metrics and events for a CPU (tools/perf/pmu-events in Linux): JSON arrays of
 * objects whose members are strings. An object with a MetricName is a metric, one with an EventName
 * is an event. Names are compared without regard to case.
 */
#ifndef PSTAT_MACHINE_PERF_TABLES_H
#define PSTAT_MACHINE_PERF_TABLES_H

#include <stdbool.h>
#include <stddef.h>

struct perf_file;
struct str;
struct why;

/* Its text is parsed when one of its members is needed: to parse all objects would take most of the
 * time of a start. */
struct perf_object {
	const char *name; /* a copy, owned by the file */
	const char *groups; /* of a metric, the same: its MetricGroup; NULL: none */
	const char *text; /* in the file: n bytes, from '{' to '}' */
	size_t n;
	bool given; /* by the user: it is not of the file for this CPU */
	const struct perf_file *file;
	struct perf_json *json; /* owned: the parsed text; NULL: not parsed so far */
};

/* All zero is empty. */
struct perf_tables {
	struct perf_file *files; /* owned: a list, the newest first */
	size_t files_n;
	struct perf_object *metrics; /* owned: sorted by name */
	size_t metrics_n, metrics_size;
	struct perf_object *events; /* owned: sorted by name */
	size_t events_n, events_size;
	bool complete; /* perf_tables_complete() was called */
	char *trouble; /* owned: why the file of this CPU cannot be read; NULL: there is none */
};

/*
 * Add the objects of a file. 0; -EINVAL with why: it is not an array of objects; -ELIBACC or
 * -ENOSYS with why: JSON cannot be read; -ENOMEM; another -errno with why. In any case the caller
 * releases the tables.
 */
int perf_tables_read(struct perf_tables *t, const char *path, struct why *why);

/*
 * Once, add the file for this CPU, if there is one: metrics/CPU.json in the folder of pstat's data,
 * or in /usr/share/pstat. cpu: what host_cpu_id() returns; the file may lack its stepping. Returns
 * as perf_tables_read().
 */
int perf_tables_complete(struct perf_tables *t, const char *cpu, struct why *why);

void perf_tables_release(struct perf_tables *t);

/* The first event of this name, which others may follow, one for each PMU. All of them are valid.
 * NULL: there is none, or one of them is not valid, with why. */
const struct perf_object *perf_tables_find_event(const struct perf_tables *t, const char *name,
						 struct why *why);

/* The same for metrics. */
const struct perf_object *perf_tables_find_metric(const struct perf_tables *t, const char *name,
						  struct why *why);

/*
 * Take the next name from a list such as a MetricGroup, "Mem;Both". *name points to it, and *list
 * moves after it. Returns its length. 0: there is no other name. *list: NULL is empty.
 */
size_t perf_tables_next_name(const char **list, const char **name);

/* Whether such a list has this name. */
bool perf_tables_has_name(const char *list, const char *name);

/* Whether a file that the user gave has a metric of this name, in this case. */
bool perf_tables_gives_metric(const struct perf_tables *t, const char *name);

/* Whether the object, and the event that its ArchStdEvent names, are valid. 0; -EINVAL with why;
 * -ENOMEM. */
int perf_tables_check(const struct perf_tables *t, const struct perf_object *object,
		      struct why *why);

/* A member of an object, or of the event that its ArchStdEvent names. NULL: there is none, or the
 * object is not valid. */
const char *perf_tables_member(const struct perf_tables *t, const struct perf_object *object,
			       const char *key);

/*
 * Append the terms of an event, as they are written in "cpu/TERMS/". The sampling period is left
 * out.
 */
void perf_tables_add_terms(struct str *out, const struct perf_tables *t,
			   const struct perf_object *event);

/* The terms of Intel's events with a counter of their own, whose names are known without a table.
 * NULL: it is another event. */
const char *perf_tables_fixed(const char *name);

/*
 * The name of the PMUs that an object is for, as for pmu_matches(): "cpu_core", "uncore_cbox" for
 * its numbered instances, or the pattern "hisi_sicl*_cpa*". The caller frees *pmu. *pmu is NULL if
 * the object has no Unit: it is for every core PMU. 0 or -ENOMEM.
 */
int perf_tables_pmu(const struct perf_tables *t, const struct perf_object *object, char **pmu);

#endif
