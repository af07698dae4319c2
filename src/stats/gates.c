/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/gates.h"

void gates_judge(struct gate_evidence *gates, size_t n, double confidence, size_t *order)
{
	double alpha = (1 - confidence) / 2;

	for (size_t i = 0; i < n; i++) {
		size_t j = i;

		gates[i].outcome = gates[i].p_kept <= alpha ? GATE_KEPT : GATE_UNCLEAR;
		/* the smallest p_crossed first; insertion sort, because there are few gates */
		for (; j > 0 && gates[order[j - 1]].p_crossed > gates[i].p_crossed; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	for (size_t i = 0; i < n; i++) {
		if (gates[order[i]].p_crossed > alpha / (double)(n - i))
			return;
		gates[order[i]].outcome = GATE_CROSSED;
	}
}

double gates_level(const struct gate_evidence *gates, size_t n, double confidence, size_t i)
{
	double alpha = (1 - confidence) / 2;
	size_t left = 0;

	if (gates[i].p_kept <= gates[i].p_crossed)
		return alpha;
	for (size_t k = 0; k < n; k++)
		left += gates[k].outcome != GATE_CROSSED;
	return alpha / (double)left;
}
