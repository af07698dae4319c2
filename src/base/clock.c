/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "base/clock.h"

uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
