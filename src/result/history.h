/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The results of a command over time: one number of each metric in each entry. str_one_line() has
 * converted all texts, because files of older versions contain line breaks. */
#ifndef PSTAT_RESULT_HISTORY_H
#define PSTAT_RESULT_HISTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/str.h"
#include "result/comparison.h"

/* With fewer changes the quartiles say too little. Only the latest changes are used, because
 * the machine and the program change over time. */
enum { HISTORY_CHANGES_MIN = 10, HISTORY_CHANGES_MAX = 100 };

/* Counts that hardly ever change have quartiles of 0. A smaller change than this never matters. */
#define HISTORY_LIMIT_MIN 0.001

/* The limits with too few changes: of counts that a program repeats, and of all other values. */
#define HISTORY_DEFAULT_OF_PROGRAM 0.01
#define HISTORY_DEFAULT_OF_MACHINE 0.05

struct history_entry {
	time_t time;
	uint32_t time_ns; /* nanoseconds to add to time; 0 in a CSV file */
	char *commit; /* owned; "": unknown */
	char *command; /* owned */
	double *values; /* owned: of each metric; NAN: there is none */
	size_t order; /* for history_sort() */
};

/* All zero is an empty history. */
struct history {
	struct str_list metrics; /* the names: see measure_add_name() */
	struct str_list units; /* of each metric; "" for a plain number */
	struct history_entry *entries; /* owned; the oldest first */
	size_t n, size;
};

void history_release(struct history *history);

/*
 * Append an entry without values. If a metric is added later, the earlier entries have no value of
 * it. 0 or -ENOMEM.
 */
int history_add_entry(struct history *history, time_t time, const char *commit,
		      const char *command);

/*
 * Add a metric that is new. Its index is the number of metrics before. unit: NULL if it is unknown;
 * the names of pstat's own rows and clocks imply it. 0 or -ENOMEM.
 */
int history_add_metric(struct history *history, const char *metric, const char *unit);

/* Append an entry for a result. 0 or -ENOMEM. */
int history_add_table(struct history *history, const struct table *table);

/* Sort the entries by their time. Entries of the same time keep their order. */
void history_sort(struct history *history);

/* The index of a metric; history->metrics.n: there is none. */
size_t history_find(const struct history *history, const char *metric);

/*
 * The relative change of a metric from the entry before entry i > 0. False if either has no
 * value, or the change has no percentage because the earlier value is 0.
 */
bool history_change(const struct history *history, size_t metric, size_t i, double *change);

/* history_limits() of all metrics, see history_limits_of(). The caller frees them. NULL: out of
 * memory. */
struct limit *history_all_limits(const struct history *history);

static inline const struct limit *history_limits_of(const struct history *history,
						    const struct limit *all, size_t metric)
{
	return all + metric * (history->n + 1);
}

/* Whether the change to entry i > 0 exceeds its limit, which is one of history_limits(). */
bool history_exceeds(const struct history *history, size_t metric, size_t i,
		     const struct limit *limit, double *change);

/* The number of changes of a metric that have no limit. limits: of history_limits(). */
size_t history_unjudged(const struct history *history, size_t metric, const struct limit *limits);

/*
 * The limit above which a change is not noise: the third quartile and 3 times the interquartile
 * range of the earlier changes, which is the upper outer fence of Tukey (1977). rustc-perf judges
 * the Rust compiler with the same rule. At least HISTORY_LIMIT_MIN.
 *
 * sorted: n > 0 absolute changes as shares, 0.01 for 1 %, the smallest first.
 */
double history_noise_limit(const long double *sorted, size_t n);

/*
 * The limit that follows from the latest changes between the first n entries. metric may be
 * history->metrics.n: there is no change. The source is LIMIT_HISTORY, and the value is positive;
 * or LIMIT_FALLBACK without a value, because there are fewer than HISTORY_CHANGES_MIN changes.
 */
struct limit history_limit(const struct history *history, size_t metric, size_t n);

/*
 * history_limit() for the change to each entry, from the entries before it. If these have too few
 * changes, the limit is that of the whole history. limits: room for one more than all entries. The
 * first entry has no limit, and the last limit is that of the next entry.
 */
void history_limits(const struct history *history, size_t metric, struct limit *limits);

/*
 * The limit of a gate 'EVENT>auto' on a metric, see history_limit(), in the direction of the gate.
 * With too few changes, it is HISTORY_DEFAULT_OF_PROGRAM for an event that a program repeats almost
 * exactly, see event_is_repeatable(), and HISTORY_DEFAULT_OF_MACHINE otherwise. event: NULL for a
 * metric.
 */
struct limit history_gate_limit(const struct history *history, size_t metric,
				const struct gate_request *gate, const struct event *event);

#endif
