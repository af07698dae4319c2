/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf's table of the time of each run (--table). */
#ifndef PSTAT_FORMAT_RUN_TIMES_H
#define PSTAT_FORMAT_RUN_TIMES_H

#include "result/result.h"

/* In seconds with so many decimals; it ends in the line above the final result. 0 or -errno. */
int run_times_write(const struct result *result, int decimals, const struct num_style *numbers,
		    FILE *out);

#endif
