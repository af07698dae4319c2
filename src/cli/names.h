/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sides of a comparison are called. */
#ifndef PSTAT_CLI_NAMES_H
#define PSTAT_CLI_NAMES_H

#include "base/str.h"

struct why;

/* Append a name; " #2" and so on stands behind one that is in the list already. 0 or -ENOMEM. */
int names_add(struct str_list *names, const char *name);

/* Append those of --names, a list with commas. 0; -EINVAL with why: one is empty, or two are
 * the same; -ENOMEM. */
int names_read(struct str_list *names, const char *list, struct why *why);

/* Refuse list, which has given names, for n of what one is called ("command"), and what stands before them ("the
 * baseline and ", or nothing). -EINVAL with why. */
int names_refuse(const char *list, size_t given, const char *before, size_t n, const char *one,
		 struct why *why);

#endif
