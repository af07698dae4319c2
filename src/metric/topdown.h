/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The topdown method (A. Yasin, "A Top-Down Method for Performance Analysis and Counters
 * Architecture", ISPASS 2014): which part of the slots of a core did useful work, and what happened
 * in the other slots. In each cycle, each slot can take one operation. The nodes of a level divide
 * the slots of the node above them.
 */
#ifndef PSTAT_METRIC_TOPDOWN_H
#define PSTAT_METRIC_TOPDOWN_H

#include <stdbool.h>
#include <stddef.h>

enum { TOPDOWN_LEVELS_MAX = 6 };

/* What happened to slots. All strings are static. */
struct topdown_kind {
	const char *title; /* "memory bound" */
	double limit; /* in percent: a larger part is remarkable; 100: none is */
	const char *meaning; /* of a remarkable part */
	const char *next; /* the arguments that show more; NULL: none. See topdown_next() */
	const struct topdown_kind *parent; /* NULL: on level 1 */
	bool is_good; /* useful work */
};

/* A part of the slots as a metric. */
struct topdown_node {
	const struct topdown_kind *kind;
	const char *name; /* of the metric, without the prefix of its form */
	const char *expression; /* with a value from 0 to 1; in the syntax of perf's tables */
};

enum { TOPDOWN_NODES_MAX = 12 };

/* How the nodes are counted on some cores. All their events have to be in one group. */
struct topdown_form {
	const char *cpu; /* a pattern as for strcmp_cpuid_str() (expression.h); NULL: any CPU */
	const char *events; /* the PMU has all these events in sysfs, separated by blanks */
	/* With SMT, the events count the slots of whole cores, so all CPUs have to be counted. */
	bool of_cores;
	const char *prefix; /* of the names */
	/* As a tree: the children follow their parent. The last one has no kind. */
	struct topdown_node nodes[TOPDOWN_NODES_MAX + 1];
};

/* The first one that fits is used. The last one has no events. */
extern const struct topdown_form topdown_forms[];

/* NULL: there is no kind with this title. */
const struct topdown_kind *topdown_find(const char *title);

/* From 1. */
unsigned int topdown_level(const struct topdown_kind *kind);

/* The number of levels of a form. */
unsigned int topdown_levels(const struct topdown_form *form);

#define TOPDOWN_LEVEL_2 "--topdown=2" /* the arguments that show the parts of a node */

/* The arguments that show more about a node, if the levels from 1 to level are shown. NULL: there
 * are none. */
const char *topdown_next(const struct topdown_node *node, unsigned int level);

/* Whether a part of this size, in percent, is worth a look. */
bool topdown_is_remarkable(const struct topdown_kind *kind, double percent);

#endif
