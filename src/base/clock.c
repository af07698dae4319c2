/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int clock_compare(time_t a, uint32_t a_ns, time_t b, uint32_t b_ns)
{
	if (a != b)
		return a < b ? -1 : 1;
	return (a_ns > b_ns) - (a_ns < b_ns);
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

enum { DATE_LENGTH = 19 }; /* of "YYYY-MM-DDThh:mm:ss" */

/* "YYYY-MM-DDThh:mm:ss", followed by "Z" or "+hh:mm". */
static bool clock_has_form(const char *text)
{
	static const char *const forms[] = { "0000-00-00T00:00:00Z", "0000-00-00T00:00:00+00:00",
					     "0000-00-00T00:00:00-00:00" };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t n = 0;

		while (text[n] && (text[n] >= '0' && text[n] <= '9' ? '0' : text[n]) == forms[i][n])
			n++;
		if (!text[n] && !forms[i][n])
			return true;
	}
	return false;
}

bool clock_parse_date(const char *text, time_t *when, int *zone_s)
{
	struct tm date = { 0 }, made;
	int hours = 0, minutes = 0;
	const char *zone;

	if (!clock_has_form(text))
		return false;
	zone = strptime(text, "%Y-%m-%dT%H:%M:%S", &date);
	if (zone != text + DATE_LENGTH) /* of "90" it takes the 9 */
		return false;
	if (*zone != 'Z') { /* "+hh:mm" */
		hours = atoi(zone + 1);
		minutes = atoi(zone + 4);
	}
	if (hours >= 24 || minutes >= 60)
		return false;
	*zone_s = (hours * 60 + minutes) * 60 * (*zone == '-' ? -1 : 1);
	made = date;
	*when = timegm(&made) - *zone_s; /* timegm() turns 30 February into 2 March */
	return date.tm_year >= 1970 - 1900 && date.tm_year < 9999 - 1900 &&
	       made.tm_mday == date.tm_mday && made.tm_sec == date.tm_sec;
}
