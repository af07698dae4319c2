/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of several limits are crossed, with one error probability for all of them. */
#ifndef PSTAT_STATS_GATES_H
#define PSTAT_STATS_GATES_H

#include <stddef.h>

enum gate_outcome {
	GATE_KEPT, /* proven: the limit is not crossed */
	GATE_CROSSED, /* proven: the limit is crossed */
	GATE_UNCLEAR, /* neither is proven */
};

/* The evidence for one limit, see contrast_evidence_beyond(). */
struct gate_evidence {
	double p_crossed; /* small if the limit is crossed */
	double p_kept; /* small if the limit is kept */
	enum gate_outcome outcome; /* filled by gates_judge() */
};

/*
 * Judge n limits. confidence: between 0 and 1. Holm's method (1979, Scandinavian Journal of
 * Statistics 6) decides which limits are crossed: the probability that one or more kept limits are
 * called crossed is at most (1 - confidence) / 2, for any n. Each limit is tested on its own for
 * being kept, with the same error probability. order: room for n numbers.
 */
void gates_judge(struct gate_evidence *gates, size_t n, double confidence, size_t *order);

/*
 * The largest p that would decide gate i, which is unclear. If p_kept is the smaller p, this is the
 * largest p_kept that proves a kept limit. Otherwise, it is the largest p_crossed that proves a
 * crossed limit, even if no other unclear gate is crossed.
 */
double gates_level(const struct gate_evidence *gates, size_t n, double confidence, size_t i);

#endif
