/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The saved reference of --baseline, and what is counted now because it was counted then. */
#ifndef PSTAT_CLI_BASELINE_H
#define PSTAT_CLI_BASELINE_H

#include "cli/events.h"
#include "document/document.h"

/* All zero is none. */
struct baseline {
	const char *option; /* "--baseline", for messages */
	const char *path;
	struct saved saved;
	const struct document
		*document; /* of saved: of a comparison that of its reference; NULL: none */
	const char *name; /* its file, or the name of that reference; saved's or the path */
};

/* Read it. 0; -errno after a message. To be released in any case. */
int baseline_load(struct baseline *b, const struct options *o);

/* Whether the options leave it to the baseline what is counted. */
bool baseline_decides(const struct options *o);

/*
 * Append its events and metrics to what is wanted, each looked up by its name on this machine, in its group,
 * and in the modes that it was counted in. 0; -errno after a message.
 */
int baseline_events(const struct baseline *b, const struct machine *m, struct wanted *wanted);

/* Whether it has an event or a metric of that name. */
bool baseline_has(const struct baseline *b, const char *name);

/* Append their names, and those that any comparison has, with commas between them. */
void baseline_add_names(const struct baseline *b, struct str *names);

void baseline_release(struct baseline *b);

#endif
