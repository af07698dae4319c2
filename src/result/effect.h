/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The default minimum effect: the smallest change of a count that matters. */
#ifndef PSTAT_RESULT_EFFECT_H
#define PSTAT_RESULT_EFFECT_H

#include "event/event.h"

/* As a share, for metrics, times and other values that depend on the machine. */
#define EFFECT_OF_MACHINE 0.01

/*
 * The minimum effect of an event, as a share. It is 0.001 for events that a program repeats almost
 * exactly: retired instructions and branches, page faults, calls. It is EFFECT_OF_MACHINE for all
 * others: cycles, times, misses, switches. Instructions and branches are recognised as generic
 * events, by their names in sysfs and libpfm4, and by their numbers on a core PMU.
 */
double effect_minimum(const struct event *event);

#endif
