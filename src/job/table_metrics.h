/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of perf's tables on the machine that counts: what the names in their expressions
 * mean there. */
#ifndef PSTAT_JOB_TABLE_METRICS_H
#define PSTAT_JOB_TABLE_METRICS_H

#include "machine/machine.h"
#include "metric/metric_list.h"
#include "options/options.h"

struct why;

/* Start with the machine of the options, and the tables of --metrics-file. 0; -errno with why. The
 * caller releases the machine in any case. */
int table_metrics_machine(struct machine *m, const struct options *o, struct why *why);

struct table_metrics {
	const struct machine *machine;
	const struct target_request *target; /* what is counted; NULL: nothing */
	bool whole_cores; /* each result is about whole cores */
	bool of_result; /* a saved result: whether whole cores were counted is unknown */
	size_t sets; /* the number of sets so far, see struct metric_of_table */
	const char *pmu; /* of the metric that is read; NULL: any */
};

/* What metric_list_parse_with() needs; it points to t. */
struct metric_tables table_metrics_of(struct table_metrics *t);

/* The end of a message about an event that the machine does not have: the likely cause in
 * parentheses, or "". */
const char *table_metrics_hint(const struct machine *m);

#endif
