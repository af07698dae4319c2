/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures beside the counts: perf's derived column and the metrics of -M, place by place. */
#ifndef PSTAT_RESULT_FIGURES_H
#define PSTAT_RESULT_FIGURES_H

#include "result/result.h"

/* Fill the metrics of the result's rows, which are built. 0 or -ENOMEM. */
int figures_add(struct result *result, const struct result_input *input);

#endif
