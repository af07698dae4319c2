/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes: why a count is missing, and which numbers come from fewer runs or less time than expected.
 */
#ifndef PSTAT_OUTPUT_NOTES_H
#define PSTAT_OUTPUT_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "count/opener.h"
#include "count/passes.h"
#include "count/sampler.h"
#include "options/options.h"
#include "result/suite.h"

/* The events that notes are about, and which notes were printed already. */
struct notes {
	const struct options *options;
	const struct event_list *events;
	const struct opening *openings; /* one for each event */
	char **noted; /* owned: for each event, a copy of the reason that was printed, or NULL */
	bool short_time_noted;
	bool forbidden_noted; /* the brief note about permissions */
	bool modifiers_noted; /* modifiers that have no effect on a count */
};

/*
 * Print a note. The format decides whether it may appear with the result (enum format_notes). If -o
 * or --log-fd says where the result goes, notes appear on standard error only if it is a terminal.
 */
void note_print(const struct options *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether note_print() prints or keeps notes. */
bool notes_have_reader(const struct options *o);

/* Whether the result and the messages go to the same file, even if under different names. */
bool notes_share_result(const struct options *o);

/* Print decisions of options_check() that users may not expect, and where the result goes if that
 * is not standard output. */
void notes_print_settled(const struct options *o);

/* Begin without any printed note. t: all zero, or used before. 0 or -ENOMEM. */
int notes_init(struct notes *t, const struct options *o, const struct event_list *events,
	       const struct opening *openings);
void notes_release(struct notes *t);

/* Whether the reasons are brief and follow the result, because only default events are counted. */
bool notes_are_footnotes(const struct options *o);

/* Print, once for each event, why it is not counted, or why it is counted only in user mode. */
void notes_print_reasons(struct notes *t);

/* After the runs of --per-process: print which processes have no rows of their own, and why. */
void notes_print_followed(const struct options *o, const struct session *s);

/*
 * Print that the PMU cannot count the events at once, and the remedy. With --no-multiplex, print
 * how many times the command runs.
 */
void notes_print_budget(const struct options *o, const struct machine *m,
			const struct budget *budget);

/* Set why to the reason for which --strict-scaling refuses the run: the events do not fit. Returns
 * -EBUSY. */
struct why;
int notes_refuse_budget(const struct options *o, const struct machine *m,
			const struct budget *budget, struct why *why);

/*
 * Print which counts of a result are missing, or come from fewer runs or less time than expected.
 */
void notes_print_gaps(struct notes *t, const struct table *table);

/* With -v, print how many times the multiplexed counters of the last run were read. elapsed_ns: the
 * time of that run. */
void notes_print_samples(const struct options *o, const struct sampler *sampler,
			 uint64_t elapsed_ns);

/*
 * Like notes_print_gaps(), for all sides of a comparison, or of all cases. There is no note about
 * the number of runs that counted an event: the comparison shows it.
 */
void notes_print_gaps_of_sides(const struct options *o, const struct suite *suite);

/* With -v, print perf's lines about the counts of a run: each event with its value, and the times
 * in nanoseconds that it was enabled and running. */
void notes_print_counts(const struct options *o, const struct series *series,
			const struct run *run);

/*
 * An open_call_observer for -v: print the fields of the attr that are not 0, and the result of
 * perf_event_open(2), in the layout of perf stat -vv.
 */
void notes_print_call(const struct open_call *call);

#endif
