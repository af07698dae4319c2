/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For -v: every perf_event_open(2) as it happens. */
#ifndef PSTAT_CLI_ATTR_H
#define PSTAT_CLI_ATTR_H

#include "count/open_event.h"

/* A open_call_observer: print the attr's fields that are not 0, and the call's result, in the layout of
 * perf stat -vv, to standard error. */
void attr_show(const struct open_call *call);

#endif
