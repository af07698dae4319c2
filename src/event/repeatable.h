/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which events a program repeats almost exactly from run to run. */
#ifndef PSTAT_EVENT_REPEATABLE_H
#define PSTAT_EVENT_REPEATABLE_H

#include "event/event.h"

/*
 * True for retired instructions and branches, page faults, calls and breakpoints. False for all
 * others: cycles, times, misses, switches. Instructions and branches are recognised as generic
 * events, by their names in sysfs and libpfm4, and by their numbers on a core PMU.
 */
bool repeatable_is(const struct event *event);

#endif
