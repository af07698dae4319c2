/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The LIST of -M: named metrics, and metrics that the user defines.
 *
 *	LIST = item { ',' item }
 *	item = name | name '=' EXPRESSION             (metric/expression.h)
 *	name = ( letter | '_' ) { letter | digit | '_' | '.' | '-' }
 *
 * A ',' inside quotes or parentheses does not separate items. White space around items and names is
 * ignored.
 */
#ifndef PSTAT_METRIC_METRIC_LIST_H
#define PSTAT_METRIC_METRIC_LIST_H

#include <stddef.h>

#include "metric/expression.h"
#include "metric/metric.h"

struct why;

/* A named metric. All strings are static. */
struct metric_definition {
	const char *name;
	const char *expression;
	enum metric_kind kind;
	enum metric_limits limits;
	const char *derived; /* its unit in perf's column */
};

/* The last one has no name. */
extern const struct metric_definition metric_definitions[];

/* The metric with the name of n bytes. NULL: there is none. */
const struct metric_definition *metric_definition_find(const char *name, size_t n);

enum { METRIC_REQUESTS_MAX = 256 }; /* in one list */

/* A requested metric. */
struct metric_request {
	char *name; /* owned */
	char *text; /* owned: its item of the list, which metric_list_parse() accepts again */
	/*
	 * It has at least one event. Each event has its position in the list of -M, or the position
	 * of the name of a named metric.
	 */
	struct expression expression;
	enum metric_kind kind; /* METRIC_OF_USER for a metric that the user defined */
	enum metric_limits limits; /* LIMITS_NONE for a metric that the user defined */
	const char *derived; /* its unit in perf's column: a static string; NULL: it is not there */
};

/* The index of the event at whose rows the metric is shown: its first one. */
static inline size_t metric_at(const struct metric_request *request)
{
	return request->expression.events[0].index;
}

/* All zero is a valid empty list. */
struct metric_request_list {
	struct metric_request *v;
	size_t n, size;
};

/*
 * Append the metrics of text. A metric that is already in the list is not appended again. A name
 * that another metric of the list has is an error. 0; -EINVAL with why and the position; -ENOMEM.
 * On failure the list is not changed.
 */
int metric_list_parse(struct metric_request_list *list, const char *text, struct why *why);

void metric_list_release(struct metric_request_list *list);

#endif
