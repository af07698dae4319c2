/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of several limits are crossed, with one error probability for all of them. */
#ifndef PSTAT_STATS_GATE_H
#define PSTAT_STATS_GATE_H

#include <stddef.h>

enum gate_outcome {
	GATE_KEPT, /* proven: the limit is not crossed */
	GATE_CROSSED, /* proven: it is */
	GATE_UNCLEAR, /* neither is proven */
};

/* The evidence for one limit, see contrast_evidence_beyond(). */
struct gate_evidence {
	double p_crossed; /* small: the limit is crossed */
	double p_kept; /* small: the limit is kept */
	enum gate_outcome outcome; /* filled by gates_judge() */
};

/*
 * Judge n limits. confidence: between 0 and 1. Holm's method (1979, Scandinavian Journal of
 * Statistics 6) decides which limits are crossed: the probability that one or more kept limits are
 * called crossed is at most (1 - confidence) / 2, for any n. Each limit is proven to be kept on its
 * own, with the same probability of error. order: room for n numbers.
 */
void gates_judge(struct gate_evidence *gates, size_t n, double confidence, size_t *order);

/*
 * The p that would decide gate i, which is unclear. If it leans to kept: the largest p_kept that
 * proves it. Otherwise: the largest p_crossed that proves it, even if no other unclear gate turns
 * out to be crossed.
 */
double gates_level(const struct gate_evidence *gates, size_t n, double confidence, size_t i);

#endif
