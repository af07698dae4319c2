/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "count/sampler.h"

void sampler_begin(struct sampler *s, size_t rows_n, uint64_t first_ns)
{
	if (rows_n != s->rows_n)
		free(take_ptr(s->samples));
	*s = (struct sampler){
		.samples = s->samples,
		.rows_n = rows_n,
		.max = s->max,
		.rotation_ns = s->rotation_ns,
		.step_ns = first_ns,
	};
}

/* Keep a sample; if there is no space, drop every second one first. A row that cannot be read now
 * has an empty window. The next window covers both. 0 or -ENOMEM. */
static int sampler_keep(struct sampler *s, const struct reading *before, const struct reading *now)
{
	const size_t size = s->rows_n * sizeof(*s->samples);
	struct counts *sample;

	if (!s->samples) {
		s->max = SAMPLER_READINGS_MAX / s->rows_n;
		if (s->max > SAMPLER_SAMPLES_MAX)
			s->max = SAMPLER_SAMPLES_MAX;
		if (s->max < 2)
			s->max = 2;
		s->samples = calloc(s->max, size);
		if (!s->samples)
			return -ENOMEM;
	}
	if (s->n == s->max) {
		for (size_t i = 1; i < s->n; i += 2)
			memcpy(&s->samples[i / 2 * s->rows_n], &s->samples[i * s->rows_n], size);
		s->n /= 2;
		s->step_ns *= 2;
	}
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

int64_t sampler_add(struct sampler *s, const struct reading *before, const struct reading *now,
		    uint64_t spent_ns)
{
	uint64_t cheap_ns;

	s->taken++;
	s->spent_ns += spent_ns;
	if (!s->multiplexed) {
		for (size_t i = 0; i < s->rows_n && !s->multiplexed; i++) {
			const struct counts so_far =
				counts_between(&before[i].counts, &now[i].counts);

			s->multiplexed = so_far.enabled_ns != so_far.running_ns;
		}
		if (s->multiplexed)
			s->step_ns = s->rotation_ns;
		else if (s->taken <= SAMPLER_DOUBLINGS)
			s->step_ns *= 2;
	}
	if (s->multiplexed && sampler_keep(s, before, now) < 0)
		return -ENOMEM;
	cheap_ns = s->spent_ns / s->taken * SAMPLER_COST;
	return (int64_t)(cheap_ns > s->step_ns ? cheap_ns : s->step_ns);
}

/* The shares of time on the PMU of the rows that take turns. */
struct turns {
	double sum, squares, n;
};

/* If the windows do not add up to the whole run, or one exceeds it, a counter went backwards. Its
 * samples are then useless. */
static void sampler_estimate_row(const struct sampler *s, size_t row, const struct reading *before,
				 const struct reading *after, struct counts *windows, double uneven,
				 struct reading *reading)
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
	backwards |= sum.enabled_ns != run.enabled_ns || sum.running_ns != run.running_ns;
	reading->has_estimate =
		!backwards && estimate_count(windows, s->n + 1, uneven, &reading->estimate);
}

int sampler_estimate(const struct sampler *s, const size_t *rotations, const struct reading *before,
		     const struct reading *after, struct reading *readings)
{
	cleanup_free struct counts *windows = calloc(s->n + 1, sizeof(*windows));
	cleanup_free struct turns *turns = calloc(s->rows_n + 1, sizeof(*turns));

	if (!windows || !turns)
		return -ENOMEM;
	for (size_t i = 0; i < s->rows_n; i++) {
		const struct counts run = counts_between(&before[i].counts, &after[i].counts);
		double share;

		if (readings[i].state != SCALED || rotations[i] == SAMPLER_NO_ESTIMATE)
			continue;
		share = (double)run.running_ns / (double)run.enabled_ns;
		turns[rotations[i]].sum += share;
		turns[rotations[i]].squares += share * share;
		turns[rotations[i]].n++;
	}
	for (size_t i = 0; i < s->rows_n; i++) {
		const struct turns *of;
		double variance;

		if (readings[i].state != SCALED || rotations[i] == SAMPLER_NO_ESTIMATE)
			continue;
		of = &turns[rotations[i]];
		variance = of->squares * of->n / (of->sum * of->sum) - 1;
		sampler_estimate_row(s, i, &before[i], &after[i], windows,
				     variance > 0 ? sqrt(variance) : 0, &readings[i]);
	}
	return 0;
}

void sampler_release(struct sampler *s)
{
	free(s->samples);
	*s = (struct sampler){ 0 };
}
