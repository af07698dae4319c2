/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The saved documents that are named on the command line. */
#ifndef PSTAT_CLI_LOADING_H
#define PSTAT_CLI_LOADING_H

#include "document/document.h"

/* All zero is none. */
struct loading {
	const char *const *paths; /* the command line's, of each */
	struct saved *v; /* owned */
	size_t n;
};

/* How a file is called: by its path, but for "-". */
const char *loading_name(const char *path);

/* Read one; "-" is standard input. 0; -errno after a message, which begins with option. */
int loading_file(struct saved *saved, const char *option, const char *path);

/* Read all that paths, which ends with NULL, names; standard input may be one of them. 0; -errno after a
 * message. To be released in any case. */
int loading_all(struct loading *loading, const char *option, char *const *paths);

void loading_release(struct loading *loading);

#endif
