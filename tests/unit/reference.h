/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libRmath, and tables of numbers that R has computed. */
#ifndef PSTAT_UNIT_REFERENCE_H
#define PSTAT_UNIT_REFERENCE_H

#include <stddef.h>

#include "stats/rmath.h"

/* Loaded by load_math(). */
extern struct math math;

/* A set-up function of cmocka. It fails if libRmath is not installed. */
int load_math(void **state);

/* Call check for each row of the table tests/fixtures/stats/NAME, which has this number of columns.
 * Returns the number of rows. */
size_t reference_rows(const char *name, size_t columns, void (*check)(char **column));

#endif
