/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Terms that the events of every PMU have, "name[=value]" between the slashes. */
#ifndef PSTAT_EVENT_TERMS_H
#define PSTAT_EVENT_TERMS_H

#include <stdint.h>

#include "event/spec.h"

/* The number of a term, 1 without "=value". 0; -EINVAL or -ERANGE with why. */
int term_number(const struct spec_term *term, uint64_t *value, struct why *why);

/*
 * Apply a term that events of every PMU have: name=, config=, config1= and so on, rHEX, period=,
 * freq=, percore or metric-id=. 0; -ENOENT: it is another term; another -errno with why.
 */
int term_apply(const struct spec_term *term, struct event *event, struct why *why);

/* Apply all terms of an event that has no PMU of sysfs. 0; -errno with why. */
int terms_apply(const struct event_spec *spec, struct event *event, struct why *why);

#endif
