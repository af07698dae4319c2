/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command line in one string, split into words as sh does it (POSIX.1-2017, Shell Command Language,
 * 2.2 and 2.3): blanks, the two quotes, the backslash. No shell is run and nothing is expanded, so
 * whatever a shell would do more than that with is refused instead of handed on as if it were a letter:
 * unquoted | & ; < > ( ) $ ` * ? [ and newline, # and ~ at the start of a word, $ and ` between double
 * quotes, and as the first word NAME=… or a word of the shell's own grammar. Not refused is a '[' that
 * is a word, which is a command's name.
 */
#ifndef PSTAT_BASE_WORDS_H
#define PSTAT_BASE_WORDS_H

struct str_list;
struct why;

/*
 * The words of text, at least one; what words held before is not released. words->v ends in a NULL that
 * is not counted, so that it may be an argv. 0; -EINVAL with why and the position; -ENOMEM. On failure
 * words is empty.
 */
int words_split(const char *text, struct str_list *words, struct why *why);

#endif
