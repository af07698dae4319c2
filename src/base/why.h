/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why something failed: one sentence for a person, and the position of the problem in the user's
 * string. Functions below output/ and job/ fill it and return a negative errno; those print it.
 */
#ifndef PSTAT_BASE_WHY_H
#define PSTAT_BASE_WHY_H

#include <stdbool.h>
#include <stddef.h>

struct why {
	char *text; /* owned; NULL: there is only the errno */
	bool has_position; /* position is valid: bytes from the start of the user's string */
	size_t position;
};

/* Set the sentence and replace an earlier one. Returns error, for the caller to return. */
int why_set(struct why *why, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* why_set() with the position in the user's string, in bytes from 0. */
int why_at(struct why *why, int error, size_t position, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Set "OPTION 'TEXT', column N: SENTENCE", with the sentence and position of trouble, which may be
 * why itself. Returns error.
 */
int why_of_argument(struct why *why, int error, const char *option, const char *text,
		    const struct why *trouble);

/* The sentence, or the text of the errno if there is none. Owned by why or by libc. */
const char *why_text(const struct why *why, int error);

void why_release(struct why *why);
#define cleanup_why cleanup_with(why_release)

#endif
