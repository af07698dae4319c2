/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Split a command line into words as sh does (POSIX.1-2017, Shell Command Language, 2.2 and 2.3):
 * blanks, both kinds of quotes, and the backslash. No shell runs and nothing is expanded.
 * Everything else that is special to a shell is refused, because passing it on unchanged would
 * surprise:
 *
 * - unquoted | & ; < > ( ) $ ` * ? [ and newline; but a word that is just '[' is a command
 * - # and ~ at the start of a word
 * - $ and ` between double quotes
 * - NAME=… or a reserved word of the shell as the first word
 */
#ifndef PSTAT_OPTIONS_WORDS_H
#define PSTAT_OPTIONS_WORDS_H

#include "base/str.h"

struct why;

/*
 * Split text into one or more words. The previous content of words is not released. A NULL that is
 * not counted follows the last word, so that words->v can be an argv. 0; -EINVAL with why and the
 * position; -ENOMEM. On failure words is empty.
 */
int words_split(const char *text, struct str_list *words, struct why *why);

/* End the list with a NULL that is not counted, as an argv. 0 or -ENOMEM. */
int words_end(struct str_list *words);

#endif
