/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why something failed: one sentence for a person, and where in the given string the trouble is.
 * Functions below cli/ fill one and return a negative errno; cli/ prints it.
 */
#ifndef PSTAT_BASE_WHY_H
#define PSTAT_BASE_WHY_H

#include <stdbool.h>
#include <stddef.h>

struct why {
	char *text; /* owned; NULL: nothing was said (then the errno has to do) */
	bool has_position; /* place counts bytes from the start of the string that was given */
	size_t position;
};

/* Say why, replacing what was said before. Returns error, so that a caller can return it on. */
int why_set(struct why *why, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same, with the position in the string, in bytes from 0. */
int why_at(struct why *why, int error, size_t position, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Say of an option's argument what trouble says of its text: "OPTION 'TEXT', column N: …". Returns error. */
int why_of_argument(struct why *why, int error, const char *option, const char *text,
		    const struct why *trouble);

/* The sentence; where nothing was said, the text of the errno. Owned by why or by libc. */
const char *why_text(const struct why *why, int error);

void why_release(struct why *why);
#define cleanup_why cleanup_with(why_release)

#endif
