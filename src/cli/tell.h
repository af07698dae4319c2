/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said beside a result: why a count is missing, and what rests on less than it seems to. */
#ifndef PSTAT_CLI_TELL_H
#define PSTAT_CLI_TELL_H

#include <stddef.h>

#include "cli/options.h"
#include "result/comparison.h"

/* Of whose counts, and what of them was told already. */
struct telling {
	const struct options *options;
	const struct event_list *events;
	const struct opening *openings; /* one for each event */
	const char **told; /* owned: the reason of each event that was told already */
	bool short_told;
	bool reads_told; /* that groups are read event by event */
};

/* Say something about the counts. Where result and messages share standard error it is a comment with
 * -x; with -j, whose lines are JSON and nothing else, and with the documents json and openmetrics, it is
 * said only with -v. */
void remark(const struct options *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Nothing was told yet. 0 or -ENOMEM. */
int telling_init(struct telling *t, const struct options *o, const struct event_list *events,
		 const struct opening *openings);
void telling_release(struct telling *t);

/* Say, once, why events are not counted, or in user mode only. */
void tell_reasons(struct telling *t);

/* Say what of a result is missing or rests on less than it seems to. */
void tell_gaps(struct telling *t, const struct report *report);

/* The same of the sides of a comparison, but for what its result says by itself: in how many runs something
 * was counted. */
void tell_gaps_of_sides(const struct options *o, const struct comparison *c);

#endif
