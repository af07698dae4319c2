/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PSTAT_BASE_CLOCK_H
#define PSTAT_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/str.h"

#define NS_OF_S UINT64_C(1000000000)

/* The time on CLOCK_MONOTONIC in nanoseconds; never 0. */
uint64_t clock_ns(void);

/* Less than, equal to or greater than 0: the order of two times in seconds and nanoseconds. */
int clock_compare(time_t a, uint32_t a_ns, time_t b, uint32_t b_ns);

/*
 * Append a date and time as in RFC 3339, "2026-01-31T12:00:00+01:00". before_time stands in place
 * of the "T", and before_zone comes before the zone. zone_s: the offset from UTC in seconds, east
 * is positive; incomplete minutes are ignored.
 */
void clock_add_date(struct str *out, const char *before_time, const char *before_zone, time_t when,
		    int zone_s);

/*
 * Parse a date and time as clock_add_date() writes it; "Z" is also a zone. True if the day exists
 * and the year is one that ctime(3) can print.
 */
bool clock_parse_date(const char *text, time_t *when, int *zone_s);

#endif
