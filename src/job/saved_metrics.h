/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -M with --show or --compare: metrics of saved counts. */
#ifndef PSTAT_JOB_SAVED_METRICS_H
#define PSTAT_JOB_SAVED_METRICS_H

#include "job/loading.h"
#include "options/options.h"

struct why;

/*
 * Add the metrics of the options to all documents. A metric of a group is left out, with a note, if
 * one of its events was not counted. 0; -errno with why.
 */
int saved_metrics_add(const struct options *o, struct loading *loading, struct why *why);

#endif
