/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of the sides of a comparison. */
#ifndef PSTAT_CLI_NAMES_H
#define PSTAT_CLI_NAMES_H

#include "base/str.h"

struct why;

/* Append a name, with " #2" and so on if the list already has it. 0 or -ENOMEM. */
int names_add(struct str_list *names, const char *name);

/* Append the names of --names, separated by commas. 0; -EINVAL with why if a name is empty or
 * repeated; -ENOMEM. */
int names_read(struct str_list *names, const char *list, struct why *why);

/* Report that list has the wrong number of names. given: its number of names; n: the number needed;
 * one: what has a name ("command"); before: text before n ("the baseline and ", or ""). Returns
 * -EINVAL with why. */
int names_refuse(const char *list, size_t given, const char *before, size_t n, const char *one,
		 struct why *why);

#endif
