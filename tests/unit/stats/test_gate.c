/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several limits judged together (Holm 1979). */
#include <math.h>

#include "stats/contrast.h"
#include "stats/random.h"
#include "unit/test.h"

enum { GATES_MAX = 6 };

/* With a confidence of 50 %, each side of an interval has 0.25, which a double holds exactly. */
#define HALF 0.5
#define ABOVE(x) ((x) + 0x1p-50)

/* One letter for each gate: kept, crossed, unclear. */
static const char letters[] = { [GATE_KEPT] = 'k', [GATE_CROSSED] = 'c', [GATE_UNCLEAR] = 'u' };

static const struct {
	int line;
	double confidence;
	const char *outcomes;
	double p_crossed[GATES_MAX];
	double p_kept[GATES_MAX]; /* 0 here: 1 - p_crossed */
} rows[] = {
	/* one gate: each side has half of 1 - confidence */
	{ ROW, 0.95, "c", { 0.0249 }, { 0 } },
	{ ROW, 0.95, "u", { 0.0251 }, { 0 } },
	{ ROW, 0.95, "u", { 0.5 }, { 0 } },
	{ ROW, 0.95, "u", { 0.9749 }, { 0 } },
	{ ROW, 0.95, "k", { 0.9751 }, { 0 } },
	{ ROW, 0.99, "u", { 0.0051 }, { 0 } },
	{ ROW, 0.99, "c", { 0.0049 }, { 0 } },
	{ ROW, 0.9, "c", { 0.0499 }, { 0 } },
	/* a p that equals the level is enough */
	{ ROW, HALF, "c", { 0.25 }, { 0.75 } },
	{ ROW, HALF, "u", { ABOVE(0.25) }, { 0.75 } },
	{ ROW, HALF, "k", { 0.75 }, { 0.25 } },
	{ ROW, HALF, "u", { 0.75 }, { ABOVE(0.25) } },
	/* p of 0 and 1 */
	{ ROW, 0.95, "c", { 0 }, { 1 } },
	{ ROW, 0.95, "k", { 1 }, { 1e-300 } },
	{ ROW, 0.95, "u", { 1 }, { 1 } },
	/*
	 * two gates: the smaller p has to be at most half of the level, the other at most the level
	 */
	{ ROW, HALF, "cc", { 0.125, 0.25 }, { 0.9, 0.9 } },
	{ ROW, HALF, "cc", { 0.25, 0.125 }, { 0.9, 0.9 } },
	{ ROW, HALF, "cu", { 0.125, ABOVE(0.25) }, { 0.9, 0.9 } },
	{ ROW, HALF, "uu", { ABOVE(0.125), 0.25 }, { 0.9, 0.9 } },
	{ ROW, HALF, "uu", { ABOVE(0.125), ABOVE(0.125) }, { 0.9, 0.9 } },
	/* The order of the gates does not matter: the smallest p needs a third of the level, the
	 * next a half, the last the whole level. The first gate that is not crossed stops the
	 * procedure. */
	{ ROW, 0.95, "ccc", { 0.0249, 0.0083, 0.0124 }, { 0 } },
	{ ROW, 0.95, "ucc", { 0.0251, 0.0083, 0.0124 }, { 0 } },
	{ ROW, 0.95, "ucu", { 0.0249, 0.0083, 0.0126 }, { 0 } },
	{ ROW, 0.95, "uuu", { 0.0249, 0.0084, 0.0124 }, { 0 } },
	{ ROW, 0.95, "cccccc", { 0.004, 0.004, 0.004, 0.004, 0.004, 0.004 }, { 0 } },
	{ ROW, 0.95, "uuuuuu", { 0.0042, 0.0042, 0.0042, 0.0042, 0.0042, 0.0042 }, { 0 } },
	/* gates with equal p-values get equal outcomes */
	{ ROW, HALF, "cc", { 0.125, 0.125 }, { 0.9, 0.9 } },
	/* whether a limit is kept is decided for each gate alone */
	{ ROW, 0.95, "kkkkkk", { 0.9751, 0.9751, 0.9751, 0.9751, 0.9751, 0.9751 }, { 0 } },
	{ ROW, 0.95, "kcuk", { 0.99, 0.001, 0.5, 0.98 }, { 0 } },
	{ ROW, 0.95, "uk", { 0.02, 0.98 }, { 0 } }, /* the kept gate shares the level, too */
};

static void limits_are_judged_together(void **state)
{
	for (size_t i = 0; i < N_OF(rows); i++) {
		struct gate_evidence gates[GATES_MAX] = { 0 };
		char outcomes[GATES_MAX + 1] = "";
		size_t order[GATES_MAX], n = 0;

		for (; rows[i].outcomes[n]; n++) {
			gates[n].p_crossed = rows[i].p_crossed[n];
			gates[n].p_kept = rows[i].p_kept[n] > 0 ? rows[i].p_kept[n] :
								  1 - rows[i].p_crossed[n];
		}
		contrast_judge_gates(gates, n, rows[i].confidence, order);
		for (size_t k = 0; k < n; k++)
			outcomes[k] = letters[gates[k].outcome];
		row_string(&rows[i], outcomes, rows[i].outcomes);
	}
}

static void an_empty_list_of_gates_is_valid(void **state)
{
	contrast_judge_gates(NULL, 0, 0.95, NULL);
}

/*
 * The level that an unclear gate has to reach. A gate that is more likely kept than crossed is
 * judged alone.
 */
static void unclear_gates_have_a_level_to_reach(void **state)
{
	static const struct {
		int line;
		size_t n, i;
		double p_crossed[GATES_MAX], level;
	} levels[] = {
		{ ROW, 1, 0, { 0.4 }, 0.25 },
		{ ROW, 1, 0, { 0.6 }, 0.25 },
		{ ROW, 1, 0, { 0.5 }, 0.25 },
		{ ROW, 2, 0, { 0.4, 0.5 }, 0.125 },
		{ ROW, 2, 1, { 0.4, 0.6 }, 0.25 },
		{ ROW, 4, 1, { 0.4, 0.3, 0.9, 0.6 }, 0.0625 }, /* kept gates count, too */
		{ ROW, 4, 1, { 0.01, 0.3, 0.9, 0.6 }, 0.25 / 3 }, /* crossed gates do not count */
		{ ROW, 4, 1, { 0.01, 0.3, 0.02, 0.01 }, 0.25 },
	};

	for (size_t i = 0; i < N_OF(levels); i++) {
		struct gate_evidence gates[GATES_MAX] = { 0 };
		size_t order[GATES_MAX];

		for (size_t k = 0; k < levels[i].n; k++) {
			gates[k].p_crossed = levels[i].p_crossed[k];
			gates[k].p_kept = 1 - gates[k].p_crossed;
		}
		contrast_judge_gates(gates, levels[i].n, HALF, order);
		row_int(&levels[i], gates[levels[i].i].outcome, GATE_UNCLEAR);
		row_true(&levels[i], gates[levels[i].i].level == levels[i].level);
	}
}

/*
 * The first "beyond" gates are far beyond their limits. The values of the other gates are exactly
 * at their limits, so every p-value is equally likely. At most 1 in 40 families may report one of
 * these other gates as crossed.
 */
static void wrong_outcomes_are_rare(void **state)
{
	enum { FAMILIES = 40000 };

	for (size_t beyond = 0; beyond < GATES_MAX; beyond++) {
		struct random r = random_of_seed(beyond);
		size_t wrong = 0;

		for (size_t i = 0; i < FAMILIES; i++) {
			struct gate_evidence gates[GATES_MAX] = { 0 };
			size_t order[GATES_MAX];
			int claimed = 0;

			for (size_t k = beyond; k < GATES_MAX; k++)
				gates[k].p_crossed = (double)(random_next(&r) >> 11) * 0x1p-53;
			contrast_judge_gates(gates, GATES_MAX, 0.95, order);
			for (size_t k = 0; k < GATES_MAX; k++)
				if (k < beyond)
					assert_int_equal(gates[k].outcome, GATE_CROSSED);
				else
					claimed |= gates[k].outcome == GATE_CROSSED;
			wrong += (size_t)claimed;
		}
		/* three standard errors */
		assert_true((double)wrong < 0.025 * FAMILIES + 3 * sqrt(0.025 * FAMILIES));
		assert_true((double)wrong > 0.024 * FAMILIES - 3 * sqrt(0.025 * FAMILIES));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_judged_together),
		cmocka_unit_test(an_empty_list_of_gates_is_valid),
		cmocka_unit_test(unclear_gates_have_a_level_to_reach),
		cmocka_unit_test(wrong_outcomes_are_rare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
