/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading the mathematics of comparisons. */
#ifndef PSTAT_CLI_SPECIAL_H
#define PSTAT_CLI_SPECIAL_H

#include "stats/special.h"

struct why;

/* Load libm and libRmath, for as long as the program runs. 0; -ELIBACC with why. */
int special_load(struct special *special, struct why *why);

#endif
