/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The saved reference of --baseline, and the events that it makes pstat count. */
#ifndef PSTAT_CLI_BASELINE_H
#define PSTAT_CLI_BASELINE_H

#include "cli/events.h"
#include "document/document.h"

/* All zero is none. */
struct baseline {
	const char *option; /* "--baseline", for messages */
	const char *path;
	struct saved saved;
	const struct document *document; /* of the reference, in saved; NULL: none */
	const char *name; /* of the reference, in saved, or the path */
};

/* Read the baseline. 0; -errno after a message. The caller releases b in any case. */
int baseline_load(struct baseline *b, const struct options *o);

/* Whether the baseline decides what is counted, because the options do not. */
bool baseline_decides(const struct options *o);

/*
 * Append the events and metrics of the baseline. Each event is resolved by its name on this
 * machine, and keeps its group and the modes that it was counted in. 0; -errno after a message.
 */
int baseline_events(const struct baseline *b, const struct machine *m, struct wanted *wanted);

/* Whether the baseline has an event or a metric of that name. */
bool baseline_has(const struct baseline *b, const char *name);

/* Append these names and those that every comparison has, separated by commas. */
void baseline_add_names(const struct baseline *b, struct str *names);

void baseline_release(struct baseline *b);

#endif
