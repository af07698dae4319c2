/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sides of a comparison of saved documents: a result is one, and a comparison brings all of its own. */
#ifndef PSTAT_CLI_SAVED_SIDES_H
#define PSTAT_CLI_SAVED_SIDES_H

#include "cli/loading.h"

/* All zero is none. */
struct saved_sides {
	struct side_input *v; /* owned; what they hold is the documents' */
	size_t n;
	struct str_list names; /* of each */
	size_t *of; /* owned: of each, the index of its document */
};

/*
 * Those of all the documents, which have to outlive them, in their order. A result is named as its file is,
 * unless given, the list of --names, has one for each side. 0; -EINVAL with why; -ENOMEM. To be released in any
 * case.
 */
int saved_sides_gather(struct saved_sides *sides, const struct loading *loading, const char *given,
		       struct why *why);

void saved_sides_release(struct saved_sides *sides);

#endif
