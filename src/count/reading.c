/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/math.h"
#include "count/reading.h"

void place_release(struct place *place)
{
	free(place->label);
	if (place->process) {
		free(place->process->name);
		free(place->process->command);
	}
	free(place->process);
	*place = (struct place){ 0 };
}

/*
 * Before Linux 6.2, the clock and the hardware events are in different contexts of the task. The
 * kernel switches the contexts one after the other. The second one follows about 0.5 us after the
 * first, or later if an interrupt comes in between (Linux 6.1, arm64). A clock that is ahead by
 * less than CLOCK_AHEAD_NS therefore proves nothing.
 */
#define CLOCK_AHEAD_NS UINT64_C(1000000)
/* If the clock is ahead by more than that plus 1/CLOCK_AHEAD_SHARE of the time, every counter has
 * lost time. Without any sign that a counter was off the PMU, more is needed: frequent switches of
 * tasks may set the clock ahead, too. */
#define CLOCK_AHEAD_SHARE 64
#define CLOCK_AHEAD_SHARE_UNSEEN 4

void reading_share_time(const struct reading *before, struct reading *now, const bool *shares,
			size_t n, const struct enabled_together *together)
{
	uint64_t longest_ns = 0, ahead_ns, true_ns, share;
	bool all_lost, seen_off = false;

	for (size_t i = 0; i < n; i++) {
		uint64_t ns = math_gain(before[i].counts.enabled_ns, now[i].counts.enabled_ns);

		if (!shares[i])
			continue;
		seen_off |= math_gain(before[i].counts.running_ns, now[i].counts.running_ns) < ns;
		if (ns > longest_ns)
			longest_ns = ns;
	}
	share = seen_off ? CLOCK_AHEAD_SHARE : CLOCK_AHEAD_SHARE_UNSEEN;
	ahead_ns = math_gain(longest_ns, together->clock_ns);
	true_ns = ahead_ns > CLOCK_AHEAD_NS ? together->clock_ns : longest_ns;
	all_lost = ahead_ns > CLOCK_AHEAD_NS + together->skew_ns + longest_ns / share;
	for (size_t i = 0; longest_ns > 0 && i < n; i++) {
		const struct counts *from = &before[i].counts;
		struct counts *to = &now[i].counts;
		uint64_t enabled_ns = math_gain(from->enabled_ns, to->enabled_ns);
		bool on_all_the_time = math_gain(from->running_ns, to->running_ns) >= enabled_ns &&
				       longest_ns - enabled_ns <= together->skew_ns && !all_lost;

		if (shares[i] && !on_all_the_time)
			to->enabled_ns = from->enabled_ns + true_ns;
	}
}

struct counts counts_between(const struct counts *from, const struct counts *to)
{
	return (struct counts){ to->raw - from->raw, math_gain(from->enabled_ns, to->enabled_ns),
				math_gain(from->running_ns, to->running_ns) };
}

void counts_add(struct counts *sum, const struct counts *part)
{
	sum->raw += part->raw;
	sum->enabled_ns += part->enabled_ns;
	sum->running_ns += part->running_ns;
}

/* An exact count is an estimate without an error. */
static struct count_estimate reading_estimate(const struct reading *reading)
{
	if (reading->state == SCALED)
		return reading->estimate;
	return (struct count_estimate){ .count = (double)reading->counts.raw };
}

void reading_add(struct reading *sum, const struct reading *part)
{
	const struct count_estimate a = reading_estimate(sum), b = reading_estimate(part);

	counts_add(&sum->counts, &part->counts);
	if (sum->state == FAILED || (!reading_has_count(part->state) && part->state != FAILED))
		return;
	if (part->state == FAILED || !reading_has_count(sum->state)) {
		sum->state = part->state;
		sum->reason = part->reason;
		sum->estimate = part->estimate;
		sum->has_estimate = part->has_estimate;
	} else if (sum->state == SCALED || part->state == SCALED) {
		sum->has_estimate = (sum->has_estimate || sum->state == COUNTED) &&
				    (part->has_estimate || part->state == COUNTED);
		sum->estimate =
			(struct count_estimate){ a.count + b.count, a.half_width + b.half_width };
		sum->state = SCALED;
	}
}
