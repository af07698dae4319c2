/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading the mathematics of comparisons. */
#ifndef PSTAT_CLI_MATH_H
#define PSTAT_CLI_MATH_H

#include "stats/contrast.h"

struct why;

/* Load libm and libRmath, for as long as the program runs. 0; -ELIBACC with why. */
int math_load(struct math *math, struct why *why);

#endif
