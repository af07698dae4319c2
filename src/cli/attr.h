/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For -v: every call of perf_event_open(2) as it happens. */
#ifndef PSTAT_CLI_ATTR_H
#define PSTAT_CLI_ATTR_H

#include "count/attempt.h"

/* A counters_watch. Prints the fields of the attr that are not 0 and the result of the call to
 * standard error, in the layout of perf stat -vv. */
void attr_show(const struct open_call *call);

#endif
