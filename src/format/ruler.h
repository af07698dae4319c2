/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for a terminal and its width in columns: most characters take one, East Asian ones and
 * pictures take two, combining ones take none.
 *
 * Names can hold anything and may be chosen by others: a thread names itself. Control characters
 * and invalid UTF-8 are therefore shown as \xNN, byte by byte.
 */
#ifndef PSTAT_FORMAT_RULER_H
#define PSTAT_FORMAT_RULER_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

struct str;

/* All zero is a valid ruler. */
struct ruler {
	locale_t locale; /* owned: knows all characters; 0: unavailable, or not looked for */
	bool looked;
};

/* Append text as it is shown. Returns its width. */
int ruler_add(struct ruler *ruler, struct str *out, const char *text);

/* The same for the first n bytes of text. */
int ruler_add_n(struct ruler *ruler, struct str *out, const char *text, size_t n);

/* The same for as much text as fits the columns. Cut text ends in the ellipsis. */
int ruler_add_cut(struct ruler *ruler, struct str *out, const char *text, int columns,
		  const char *ellipsis);

/* The width of text. */
int ruler_measure(struct ruler *ruler, const char *text);

void ruler_release(struct ruler *ruler);

#endif
