/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/scale.h"

long double scale_count(const struct counts *counts, enum scaling scaling)
{
	if (scaling == SCALE_NOT || counts->running_ns == counts->enabled_ns ||
	    counts->running_ns == 0)
		return counts->raw;
	return (long double)counts->raw * counts->enabled_ns / counts->running_ns;
}

double scale_running_percent(uint64_t enabled_ns, uint64_t running_ns)
{
	if (enabled_ns == 0 || running_ns >= enabled_ns)
		return 100;
	return (double)(uint64_t)(10000.0L * running_ns / enabled_ns) / 100;
}

long double scale_to_unit(long double count, double factor)
{
	const double inverse = 1 / factor;
	const double divisor =
		inverse > 0 && inverse < 1e18 ? (double)(uint64_t)(inverse + 0.5) : 0;

	return divisor >= 1 && (double)(1 / divisor) == factor ? count / divisor : count * factor;
}
