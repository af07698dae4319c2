/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said beside a result: why a count is missing, and what rests on less than it seems to. */
#ifndef PSTAT_CLI_NOTES_H
#define PSTAT_CLI_NOTES_H

#include <stddef.h>

#include "cli/options.h"
#include "result/comparison.h"

/* Of whose counts, and what of them was told already. */
struct notes {
	const struct options *options;
	const struct event_list *events;
	const struct opening *openings; /* one for each event */
	const char **noted; /* owned: the reason of each event that was told already */
	bool short_noted;
	bool reads_noted; /* that groups are read event by event */
};

/* Print a note. If the result goes to standard error, too, the format decides whether and how the note
 * appears (enum format_notes); -v prints it in any case. */
void note_print(const struct options *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Nothing was told yet. 0 or -ENOMEM. */
int notes_init(struct notes *t, const struct options *o, const struct event_list *events,
	       const struct opening *openings);
void notes_release(struct notes *t);

/* Say, once, why events are not counted, or in user mode only. */
void notes_print_reasons(struct notes *t);

/* Say what of a result is missing or rests on less than it seems to. */
void notes_print_gaps(struct notes *t, const struct result *result);

/* The same of the sides of a comparison, but for what its result says by itself: in how many runs something
 * was counted. */
void notes_print_gaps_of_sides(const struct options *o, const struct comparison *c);

#endif
