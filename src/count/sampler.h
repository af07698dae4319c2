/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of multiplexed counters: readings during a run, each at the end of a turn
 * (count/turns.h). They are used to estimate the counts while a counter was off the PMU
 * (stats/estimate.h).
 */
#ifndef PSTAT_COUNT_SAMPLER_H
#define PSTAT_COUNT_SAMPLER_H

#include <stddef.h>
#include <stdint.h>

#include "count/reading.h"

/*
 * The minimum time between two samples, as a multiple of the average time that one sample takes:
 * sampling uses at most 0.33 % of a CPU, and about as much for the switches to pstat. It may use
 * more at the start of a run, because short runs also need many samples: 10 % for the first ones
 * of the first second, then 0.67 % until 1.5 s, and less and less until 3 s.
 */
enum {
	SAMPLER_COST_FIRST = 10,
	SAMPLER_FIRST = 32, /* samples */
	SAMPLER_COST_SHORT = 150,
	SAMPLER_COST = 300,
	SAMPLER_COST_PER_S = 100, /* the multiple grows with the time */
};

/*
 * The minimum time between two samples is the time since the start, divided by this. So the number
 * of samples grows only with the logarithm of the length of a run. The divisor is smaller if a
 * sample has more readings than SAMPLER_ROWS.
 */
enum { SAMPLER_DIVISOR = 1024, SAMPLER_DIVISOR_MIN = 64, SAMPLER_ROWS = 64 };

/* All zero: no samples. */
struct sampler {
	struct counts *samples; /* owned: the counts of all rows, sample by sample */
	uint64_t *times_ns; /* owned: when each sample was taken */
	uint64_t began_ns; /* when the run began, by the same clock */
	size_t rows_n;
	size_t turns_n; /* in a round */
	size_t n, max, times_max; /* samples */
	size_t taken; /* in this run, including samples that were not kept */
	uint64_t step_ns; /* from one sample to the next */
	uint64_t waited_ns; /* the sum of the steps */
	uint64_t spent_ns; /* for the samples of this run */
};

/* Begin a run at now_ns. turns_n: how many turns a round has. first_ns: the time until the first
 * sample. */
void sampler_begin(struct sampler *s, size_t rows_n, size_t turns_n, uint64_t now_ns,
		   uint64_t first_ns);

/*
 * Add a sample that was taken at now_ns. before: the readings of all rows at the start of the run.
 * now: their last readings; rows that were off need not be read again. 0 or -ENOMEM.
 */
int sampler_add(struct sampler *s, uint64_t now_ns, const struct reading *before,
		const struct reading *now);

/*
 * The time until the next sample in nanoseconds. turn_ns: the length of a turn; the result may be
 * longer. spent_ns: how long the last sample took.
 */
uint64_t sampler_next(struct sampler *s, uint64_t turn_ns, uint64_t spent_ns);

/* In place of the row of a companion: there is none; the row gets no estimate. */
enum { SAMPLER_ALONE = -1, SAMPLER_NO_ESTIMATE = -2 };

/*
 * Estimate each reading of the run whose state is SCALED. companions: for each row, the row that is
 * its companion (estimate_count()), SAMPLER_ALONE, or SAMPLER_NO_ESTIMATE. end_ns: when the run
 * ended. before, after: the readings of all rows at its start and at its end. spreads: one for each
 * row, set if the row gets an estimate. A reading gets no estimate if its samples do not add up to
 * the run. 0; -ENOMEM: there is no memory now, or there was none for a sample; no reading gets an
 * estimate then.
 */
int sampler_estimate(const struct sampler *s, const ssize_t *companions, uint64_t end_ns,
		     const struct reading *before, const struct reading *after,
		     struct reading *readings, struct estimate_spread *spreads);

void sampler_release(struct sampler *s);

#endif
