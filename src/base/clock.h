/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PSTAT_BASE_CLOCK_H
#define PSTAT_BASE_CLOCK_H

#include <stdint.h>

/* The time on CLOCK_MONOTONIC, in nanoseconds; never 0. */
uint64_t clock_ns(void);

#endif
