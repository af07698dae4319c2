/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for a terminal, and how many of its columns it takes: one for most characters, two for those of
 * East Asia and pictures, none for what combines with the character before it. Names may hold
 * anything, and somebody else may have chosen them (a thread names itself): what a terminal would obey
 * is shown as \xNN, byte by byte, and so is what is no UTF-8.
 */
#ifndef PSTAT_FORMAT_RULER_H
#define PSTAT_FORMAT_RULER_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

struct str;

/* All zero is one that has not been used. */
struct ruler {
	locale_t
		locale; /* owned: one that knows all characters; 0: not looked for, or there is none */
	bool looked;
};

/* Append text as it is shown. How many columns that takes. */
int ruler_add(struct ruler *ruler, struct str *out, const char *text);

/* The same for the first n bytes of it. */
int ruler_add_n(struct ruler *ruler, struct str *out, const char *text, size_t n);

/* The same for as much of text as these columns hold; where not all, it ends in the ellipsis. */
int ruler_add_cut(struct ruler *ruler, struct str *out, const char *text, int columns,
		  const char *ellipsis);

/* How many columns text would take. */
int ruler_measure(struct ruler *ruler, const char *text);

void ruler_release(struct ruler *ruler);

#endif
