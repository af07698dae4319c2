/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sides of a comparison are called. */
#ifndef PSTAT_CLI_NAMES_H
#define PSTAT_CLI_NAMES_H

#include "base/str.h"

/* Append a name; " #2" and so on stands behind one that is in the list already. 0 or -ENOMEM. */
int names_add(struct str_list *names, const char *name);

#endif
