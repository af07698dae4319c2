/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several limits at once: which of them are crossed, with one error probability for all together. */
#ifndef PSTAT_STATS_GATE_H
#define PSTAT_STATS_GATE_H

#include <stddef.h>

enum gate_outcome {
	GATE_KEPT, /* proven: the limit is not crossed */
	GATE_CROSSED, /* proven: it is */
	GATE_UNCLEAR, /* the data cannot tell */
};

/* What is known of one limit; see contrast_evidence_beyond(). */
struct gate_evidence {
	double p_crossed; /* of so much beyond the limit by chance; small: it is crossed */
	double p_kept; /* of so much on its good side by chance; small: it is kept */
	enum gate_outcome outcome; /* filled by gates_judge() */
};

/*
 * Judge n limits with this confidence (0 … 1), each side of each interval with half of what is left.
 * That any limit is crossed is claimed by Holm's method (1979, Scandinavian Journal of Statistics 6):
 * the probability to claim it of one or more that are kept is below (1 - confidence) / 2, however many
 * there are. That one is kept is a claim of its own. order: room for n numbers.
 */
void gates_judge(struct gate_evidence *gates, size_t n, double confidence, size_t *order);

/*
 * What has to be reached of gate i, which was judged to be unclear, for it to be decided the way that it
 * leans: the largest p_kept that proves it kept, or the largest p_crossed that proves it crossed whatever
 * becomes of the other gates that are not yet crossed.
 */
double gates_level(const struct gate_evidence *gates, size_t n, double confidence, size_t i);

#endif
