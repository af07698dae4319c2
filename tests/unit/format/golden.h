/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folders of golden files: what is printed, as it stands there. With UPDATE_GOLDEN in the environment
 * they are written anew, and what has changed is shown: to be read before it is committed.
 */
#ifndef PSTAT_UNIT_REPORT_GOLDEN_H
#define PSTAT_UNIT_REPORT_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>

struct golden {
	char *folder; /* owned */
	bool update;
};

/* Those of a folder of tests/unit/format in $TOP_SRCDIR. 0, or -1 where that is not known. */
int golden_open(struct golden *golden, const char *folder);
void golden_close(struct golden *golden);

/* Whether the file of that name holds this text; if not, the difference is shown. */
bool golden_holds(const struct golden *golden, const char *name, const char *text);

/* How many files there are whose name is of nothing that is printed; each is named. */
size_t golden_strays(const struct golden *golden, bool (*is_made)(const char *file));

#endif
