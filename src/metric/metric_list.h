/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The LIST of -M: figures by name, or as the user puts them together.
 *
 *	LIST = item { ',' item }
 *	item = name | name '=' EXPRESSION             (metric/expression.h)
 *	name = ( letter | '_' ) { letter | digit | '_' | '.' | '-' }
 *
 * A ',' between quotes or parentheses separates nothing; white space around items and names is passed
 * over.
 */
#ifndef PSTAT_METRIC_METRIC_LIST_H
#define PSTAT_METRIC_METRIC_LIST_H

#include <stddef.h>

#include "metric/expression.h"
#include "metric/metric.h"

struct why;

/* A metric that has a name of its own. All are static strings. */
struct metric_definition {
	const char *name;
	const char *expression;
	enum metric_kind kind;
	enum metric_limits limits;
	const char *unit;
};

/* Ends in one whose name is NULL. */
extern const struct metric_definition metric_definitions[];

enum { METRIC_REQUESTS_MAX = 256 }; /* in one list */

/* A metric that was asked for. */
struct metric_request {
	char *name; /* owned */
	char *text; /* owned: its item of the list, which metric_list_parse() makes the same of */
	struct expression
		expression; /* has an event at least; each event's place is that in the list
				       * of -M, of a metric by name that of the name */
	enum metric_kind kind; /* METRIC_RATE for the user's own */
	enum metric_limits limits; /* LIMITS_NONE for the user's own */
	const char *unit; /* static, or for the user's own its name: valid as long as the request */
};

/* All zero is a valid empty list. */
struct metric_request_list {
	struct metric_request *v;
	size_t n, size;
};

/*
 * Append what text asks for. A name that is in the list already is an error, also where another text
 * brought it there. 0; -EINVAL with why and the position; -ENOMEM. On failure the list holds what it held
 * before.
 */
int metric_list_parse(struct metric_request_list *list, const char *text, struct why *why);

void metric_list_release(struct metric_request_list *list);

#endif
