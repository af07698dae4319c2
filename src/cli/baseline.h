/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The saved reference of --baseline, and the events of a comparison. */
#ifndef PSTAT_CLI_BASELINE_H
#define PSTAT_CLI_BASELINE_H

#include "cli/events.h"
#include "document/load.h"

/* All zero: there is no baseline. */
struct baseline {
	const char *option; /* "--baseline", for messages */
	const char *path;
	struct saved saved;
	const struct document *document; /* of the reference, in saved; NULL: none */
	const char *name; /* of the reference, in saved, or the path */
};

/* Read the baseline. 0; -errno after a message. The caller releases b in any case. */
int baseline_load(struct baseline *b, const struct options *o);

void baseline_release(struct baseline *b);

/*
 * The events of a comparison: those of events_of_options(), or those of the baseline if the options
 * name none, and the events of --fail-if. Refuses breakpoints on symbols, and names that nothing
 * here or in the baseline has. baseline: NULL for none. 0; -errno after a message.
 */
int events_of_comparison(const struct options *o, const struct machine *m,
			 const struct baseline *baseline, struct wanted *wanted);

#endif
