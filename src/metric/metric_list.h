/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The LIST of -M: named metrics, and metrics that the user defines.
 *
 *	LIST = item { ',' item }
 *	item = name [ ':' modifiers ] | name '=' EXPRESSION             (metric/expression.h)
 *	name = ( letter | '_' ) { letter | digit | '_' | '.' | '-' }
 *
 * The name of a metric of a table may have all printable characters except ",='()".
 *
 * A ',' inside quotes or parentheses does not separate items. White space around items and names is
 * ignored. A name is one of pstat itself, or one of perf's tables: a metric, or a group of metrics,
 * whatever its case. Modifiers are those of the events. The name of a defined metric may have them,
 * too, without a meaning.
 */
#ifndef PSTAT_METRIC_METRIC_LIST_H
#define PSTAT_METRIC_METRIC_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "metric/expression.h"
#include "metric/metric.h"

struct topdown_kind;
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

/* The metric with the name of n bytes, in this case or in any case. NULL: there is none. */
const struct metric_definition *metric_definition_find(const char *name, size_t n, bool any_case);

/* A metric of perf's tables. The strings are valid during the visit. */
struct metric_of_table {
	const char *name;
	const char *trouble; /* why it cannot be used; NULL: it can */
	const char *meaning, *groups; /* for the user; NULL: unknown */
	const char *expression;
	const char *scale_unit; /* "100%": a factor and a unit; NULL: none */
	const char
		*threshold; /* an expression that is not 0 if the value is remarkable; NULL: none */
	const char *pmu; /* of events without a PMU; NULL: those of the core */
	bool apart; /* its events are not in a group */
	size_t set; /* the events of metrics of one set are counted in one group; 0: in no set */
	const struct topdown_kind *topdown; /* which part of the slots it is; NULL: none */
	const char *next; /* the arguments that show more, a static string; NULL: none */
};

/* Perf's tables, and the metrics of the topdown method. */
struct metric_tables {
	struct expression_names names;
	/*
	 * Visit the metrics of a name, or of the group of this name. During a visit, names are
	 * those of its metric. 0, also if there are none; -errno with why; or the error of a visit.
	 */
	int (*find)(const void *data, const char *name,
		    int (*visit)(const struct metric_of_table *metric, void *to), void *to,
		    struct why *why);
	/* Whether a core counts the event of this name, which names no PMU. */
	bool (*is_of_core)(const void *data, const char *event);
	/* Whether the user's own file has a metric of this name, which replaces a built-in one. */
	bool (*replaces)(const void *data, const char *name);
	/* Set out to the name of the metric or group that is nearest to this one, if it differs by
	 * fewer letters than *limit, which becomes their number. */
	void (*nearest)(const void *data, const char *name, unsigned int *limit, struct str *out);
};

enum { METRIC_REQUESTS_MAX = 1024 }; /* in one list */

/* A requested metric. */
struct metric_request {
	char *name; /* owned */
	char *text; /* owned: its item of the list, which metric_list_parse() accepts again */
	/*
	 * It has at least one event. Each event has its position in the list of -M, or the position
	 * of the name of a named metric.
	 */
	struct expression expression;
	enum metric_kind kind; /* METRIC_OF_USER for a metric that the user or a table defines */
	enum metric_limits limits; /* LIMITS_NONE for a metric that the user or a table defines */
	const char *derived; /* its unit in perf's column: a static string; NULL: it is not there */
	bool of_table; /* the caller sets text with metric_list_set_text() */
	bool of_group; /* the user named a group of metrics */
	bool apart; /* its events are not in a group */
	size_t set; /* see struct metric_of_table */
	const struct topdown_kind *topdown; /* NULL: not a part of the slots */
	const char *next; /* see struct metric_of_table */
	char *scale; /* owned: the unit of a metric of a table, "%"; NULL: none */
	/* empty: there is none. The caller finds its events, or releases it. */
	struct expression threshold;
	char *threshold_trouble; /* owned: why it is ignored; NULL: it is not */
};

/* The index of the event at whose rows the metric is shown: its first one. */
static inline size_t metric_list_at(const struct metric_request *request)
{
	return request->expression.events[0].index;
}

/* All zero is a valid empty list. */
struct metric_request_list {
	struct metric_request *v;
	size_t n, size;
	/* set by the caller: a metric of a table is not appended if the list has another one of its
	 * name */
	bool keeps_known;
	struct str_list
		left_out; /* owned: the metrics of groups that have no value here, and why */
};

/*
 * Append the metrics of text. A metric that is already in the list is not appended again. A name
 * that another metric of the list has is an error. 0; -EINVAL with why and the position; -ENOMEM.
 * On failure the list is not changed.
 */
int metric_list_parse(struct metric_request_list *list, const char *text, struct why *why);

/* The same with perf's tables, unless they are NULL. */
int metric_list_parse_with(struct metric_request_list *list, const char *text,
			   const struct metric_tables *tables, struct why *why);

/*
 * Append a metric that tables->find() visits. word: what the user wrote for it, or for its group.
 * Nothing is appended if the list has the metric. If the metric cannot be used but belongs to a
 * group, the list's left_out gets it. 0; -EINVAL with why; -ENOMEM.
 */
int metric_list_add_of_table(struct metric_request_list *list, const struct metric_tables *tables,
			     const char *word, const struct metric_of_table *metric,
			     struct why *why);

/* Set the text of a metric of a table after expression_set_sources(). 0 or -ENOMEM. */
int metric_list_set_text(struct metric_request *request);

/* Prepare its threshold for being saved. A threshold that cannot be saved is dropped. 0 or
 * -ENOMEM. */
int metric_list_settle_threshold(struct metric_request *request);

void metric_list_remove(struct metric_request_list *list, size_t i);

void metric_list_release(struct metric_request_list *list);

#endif
