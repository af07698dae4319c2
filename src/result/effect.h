/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From which difference on a count matters, when nobody said so. */
#ifndef PSTAT_RESULT_EFFECT_H
#define PSTAT_RESULT_EFFECT_H

#include "event/event.h"

/* The minimum effect, as a share, of what the machine adds to: metrics, times and the like. */
#define EFFECT_OF_MACHINE 0.01

/*
 * The minimum effect of an event, as a share: 0.001 for what a program does itself and repeats almost
 * exactly (instructions and branches that retire, page faults, calls), else EFFECT_OF_MACHINE (cycles,
 * times, misses, switches). Instructions and branches are known by the kernel's generalised
 * events, by the names that sysfs and libpfm4 have for them on any machine, and by their numbers on a core
 * PMU.
 */
double effect_minimum(const struct event *event);

#endif
