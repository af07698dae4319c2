/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"

uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void clock_add_date(struct str *out, const char *before_time, const char *before_zone, time_t when,
		    int zone_s)
{
	int minutes = zone_s / 60;
	time_t local = when + (time_t)minutes * 60;
	char date[32], time[16];
	struct tm tm;

	gmtime_r(&local, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	strftime(time, sizeof(time), "%H:%M:%S", &tm);
	str_addf(out, "%s%s%s%s%c%02d:%02d", date, before_time, time, before_zone,
		 minutes < 0 ? '-' : '+', abs(minutes) / 60, abs(minutes) % 60);
}
