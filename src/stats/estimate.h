/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A number with its uncertainty. */
#ifndef PSTAT_STATS_ESTIMATE_H
#define PSTAT_STATS_ESTIMATE_H

#include <stdbool.h>

enum estimate_method {
	ESTIMATE_POINT, /* no interval: low = high = value */
	ESTIMATE_T, /* Student's t interval of a mean, or of the differences of pairs */
	ESTIMATE_WELCH, /* Welch's t interval of two unpaired samples */
	ESTIMATE_FIELLER, /* Fieller's interval of the ratio of two means */
};

struct estimate {
	double value, low, high;
	enum estimate_method method;
	bool withheld; /* there is no value; the other members mean nothing */
};

#endif
