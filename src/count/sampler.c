/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/math.h"
#include "base/str.h"
#include "count/sampler.h"

void sampler_begin(struct sampler *s, size_t rows_n, size_t turns_n, uint64_t now_ns,
		   uint64_t first_ns)
{
	if (rows_n != s->rows_n) {
		free(take_ptr(s->samples));
		s->max = 0;
	}
	*s = (struct sampler){
		.samples = s->samples,
		.times_ns = s->times_ns,
		.began_ns = now_ns,
		.rows_n = rows_n,
		.turns_n = turns_n,
		.max = s->max,
		.times_max = s->times_max,
		.step_ns = first_ns,
	};
}

/* If a row cannot be read now, its window is empty, and its next one covers the time of both. */
int sampler_add(struct sampler *s, uint64_t now_ns, const struct reading *before,
		const struct reading *now)
{
	struct counts *sample;

	s->waited_ns += s->step_ns;
	s->taken++;
	if (array_grow(&s->samples, s->n, &s->max, s->rows_n * sizeof(*s->samples)) < 0 ||
	    array_grow(&s->times_ns, s->n, &s->times_max, sizeof(*s->times_ns)) < 0)
		return -ENOMEM;
	s->times_ns[s->n] = now_ns;
	sample = &s->samples[s->n * s->rows_n];
	for (size_t i = 0; i < s->rows_n; i++) {
		if (now[i].state != FAILED)
			sample[i] = now[i].counts;
		else
			sample[i] = s->n ? (sample - s->rows_n)[i] : before[i].counts;
	}
	s->n++;
	return 0;
}

/* The minimum step, as a divisor of the time since the start. */
static size_t sampler_divisor(size_t rows_n)
{
	if (rows_n <= SAMPLER_ROWS)
		return SAMPLER_DIVISOR;
	if (rows_n >= SAMPLER_ROWS * SAMPLER_DIVISOR / SAMPLER_DIVISOR_MIN)
		return SAMPLER_DIVISOR_MIN;
	return (size_t)SAMPLER_ROWS * SAMPLER_DIVISOR / rows_n;
}

/* The minimum step, as a multiple of the time that a sample takes. */
static uint64_t sampler_cost(const struct sampler *s)
{
	const uint64_t cost = s->waited_ns * SAMPLER_COST_PER_S / NS_OF_S;

	if (s->taken <= SAMPLER_FIRST && s->waited_ns <= NS_OF_S)
		return SAMPLER_COST_FIRST;
	if (cost < SAMPLER_COST_SHORT)
		return SAMPLER_COST_SHORT;
	return cost < SAMPLER_COST ? cost : SAMPLER_COST;
}

uint64_t sampler_next(struct sampler *s, uint64_t turn_ns, uint64_t spent_ns)
{
	uint64_t cheap_ns, rare_ns;

	s->spent_ns += spent_ns;
	cheap_ns = s->spent_ns / s->taken * sampler_cost(s);
	rare_ns = s->waited_ns / sampler_divisor(s->rows_n);
	s->step_ns = turn_ns;
	if (s->step_ns < cheap_ns)
		s->step_ns = cheap_ns;
	if (s->step_ns < rare_ns)
		s->step_ns = rare_ns;
	return s->step_ns;
}

/* The windows between the samples of a row. False if they do not add up to the whole run, or one
 * exceeds it: a counter went backwards, and its samples are useless. */
static bool sampler_windows(const struct sampler *s, size_t row, const struct reading *before,
			    const struct reading *after, struct counts *windows)
{
	const struct counts run = counts_between(&before->counts, &after->counts);
	const struct counts *last = &before->counts;
	struct counts sum = { 0 };
	bool backwards = false;

	for (size_t i = 0; i <= s->n; i++) {
		const struct counts *next =
			i < s->n ? &s->samples[i * s->rows_n + row] : &after->counts;

		windows[i] = counts_between(last, next);
		backwards |= windows[i].raw > run.raw;
		counts_add(&sum, &windows[i]);
		last = next;
	}
	return !backwards && sum.enabled_ns == run.enabled_ns && sum.running_ns == run.running_ns;
}

int sampler_estimate(const struct sampler *s, const ssize_t *companions, uint64_t end_ns,
		     const struct reading *before, const struct reading *after,
		     struct reading *readings, struct estimate_spread *spreads)
{
	cleanup_free struct counts *windows = calloc(2 * (s->n + 1), sizeof(*windows));
	cleanup_free uint64_t *lengths_ns = calloc(s->n + 1, sizeof(*lengths_ns));
	struct counts *others;

	if (!windows || !lengths_ns || s->n < s->taken)
		return -ENOMEM;
	others = windows + s->n + 1;
	for (size_t i = 0; i <= s->n; i++)
		lengths_ns[i] = math_gain(i > 0 ? s->times_ns[i - 1] : s->began_ns,
					  i < s->n ? s->times_ns[i] : end_ns);
	for (size_t i = 0; i < s->rows_n; i++) {
		ssize_t other = companions[i];
		bool has_other;

		if (readings[i].state != SCALED || other == SAMPLER_NO_ESTIMATE)
			continue;
		has_other = other >= 0 && sampler_windows(s, (size_t)other, &before[other],
							  &after[other], others);
		readings[i].has_estimate =
			sampler_windows(s, i, &before[i], &after[i], windows) &&
			estimate_count(windows, has_other ? others : NULL, lengths_ns, s->n + 1,
				       s->turns_n, &readings[i].estimate, &spreads[i]);
	}
	return 0;
}

void sampler_release(struct sampler *s)
{
	free(s->samples);
	free(s->times_ns);
	*s = (struct sampler){ 0 };
}
