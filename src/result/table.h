/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of a series, or of one of its intervals: all its measures. series_value() is the only
 * way from readings to a number; table_build() calls it once for each row and run, and computes the
 * metrics of each run, too.
 */
#ifndef PSTAT_RESULT_TABLE_H
#define PSTAT_RESULT_TABLE_H

#include "result/measure.h"

/* A metric of -M without a value at some place. */
struct withheld {
	const char *metric;
	enum { WITHHELD_ABSENT, WITHHELD_APART, WITHHELD_MODE, WITHHELD_UNDEFINED } reason;
	const char *event; /* the event that is the cause; NULL: none */
	bool is_part; /* of the slots: the table shows "?" */
};

struct table {
	const struct series *series; /* has to outlive the table */
	const struct interval *interval; /* of -I: only this interval; NULL: the whole series */
	const struct run *runs; /* of the series, or the run of the interval */
	size_t runs_n;
	char *command; /* owned: the command with its arguments, or another target */
	/* The events in perf's order; the metrics of -M, also those without a value, so that the
	 * tables of equal commands and options have equal lists; what pstat itself measures. */
	struct measure *v; /* owned */
	size_t n;
	size_t events_n; /* the first ones, which are OF_EVENT */
	struct series_value *values; /* owned: of all measures */
	struct measure **rows; /* owned: the event of each row of the series; NULL: not shown */
	struct measure *
		*sorted; /* owned: all measures, by name, place, cgroup, kind and position */
	bool has_cgroups; /* some event is counted in a cgroup */
	/* The number of runs whose max_rss may be that of pstat, see max_rss_floor_kib. If not 0,
	 * max_rss is unknown in every run, because leaving out only the low values would bias the
	 * mean. */
	size_t max_rss_unknown;
	bool is_series; /* there are several measurements, so counts have a spread */
	bool ratio_withheld; /* a ratio was left out: its two events were not counted together */
	struct withheld *withheld; /* owned: the metrics of -M that were left out, each once */
	size_t withheld_n;
};

/* interval: the part of the series; NULL: all of it. 0 or -ENOMEM. */
int table_build(struct table *table, const struct series *series, const struct interval *interval);
void table_release(struct table *table);

/* What pstat itself measures; the unit is that of enum tool_event. tool: not TOOL_NONE. */
const struct measure *table_own(const struct table *table, enum tool_event tool);

/* Whether one of the events is this one, which pstat itself measures. */
bool table_counts(const struct table *table, enum tool_event tool);

/*
 * The measure of the same kind, name, place and cgroup as one of another table. An event may have
 * two of them, one from -e and one for a metric. The one at position is then preferred. NULL: there
 * is none.
 */
const struct measure *table_find(const struct table *table, const struct measure *like,
				 size_t position);

#endif
