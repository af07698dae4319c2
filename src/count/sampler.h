/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of multiplexed counters: readings during a run. They are used to estimate the counts
 * while a counter was off the PMU (stats/estimate.h). The counters are read about as often as the
 * kernel rotates them. While nothing is multiplexed, they are read less often.
 */
#ifndef PSTAT_COUNT_SAMPLER_H
#define PSTAT_COUNT_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count/reading.h"

/* The time from the start of a run to the first sample. Until something is multiplexed, the time to
 * the next sample doubles. */
#define SAMPLER_FIRST_NS UINT64_C(10000000)

/* How often the time to the next sample is doubled. */
enum { SAMPLER_DOUBLINGS = 4 };

/* The same if whole CPUs are counted. The counts then include what pstat executes for a sample. */
#define SAMPLER_FIRST_OF_CPUS_NS UINT64_C(100000000)

/* The minimum time between two samples, as a multiple of the average time that one sample takes:
 * sampling uses at most 0.33 % of a CPU, and about as much for the switches to pstat. */
enum { SAMPLER_COST = 300 };

/* The maximum numbers of samples and of readings that are kept of one run. When either limit is
 * reached, every second sample is dropped. */
enum { SAMPLER_SAMPLES_MAX = 1024, SAMPLER_READINGS_MAX = 262144 };

/* All zero: no samples. */
struct sampler {
	struct counts *samples; /* owned: the readings of all rows, sample by sample */
	size_t rows_n;
	size_t n, max; /* samples */
	size_t taken; /* in this run, including samples that were dropped or not kept */
	uint64_t rotation_ns; /* the period of the kernel's rotation; 0: unknown */
	uint64_t step_ns; /* from one sample to the next */
	uint64_t spent_ns; /* for the samples of this run */
	bool multiplexed; /* some counter was off the PMU in this run */
};

/* Begin a run. first_ns: the time until the first sample. rotation_ns has to be set before the
 * first sample. */
void sampler_begin(struct sampler *s, size_t rows_n, uint64_t first_ns);

/*
 * Add a sample. before, now: the readings of all rows at the start of the run and now. spent_ns:
 * how long it took to read the rows now. Returns the time until the next sample in nanoseconds, or
 * -ENOMEM.
 */
int64_t sampler_add(struct sampler *s, const struct reading *before, const struct reading *now,
		    uint64_t spent_ns);

/* The rotation of a row that gets no estimate. */
#define SAMPLER_NO_ESTIMATE SIZE_MAX

/*
 * Estimate each reading of the run whose state is SCALED. rotations: for each row, the number of
 * its rotation, less than the number of rows. The events of a rotation take turns on the same
 * counters. before, after: the readings of all rows at the start and at the end of the run.
 * Readings of runs that were too short for samples get an estimate without an interval. 0 or
 * -ENOMEM. A reading gets no estimate if its samples do not add up to the run, or if
 * estimate_count() has no memory.
 */
int sampler_estimate(const struct sampler *s, const size_t *rotations, const struct reading *before,
		     const struct reading *after, struct reading *readings);

void sampler_release(struct sampler *s);

#endif
