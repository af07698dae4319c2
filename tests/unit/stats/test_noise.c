/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limit for changes. The quartiles are those of R: quantile(x, c(0.25, 0.75)). */
#include <math.h>

#include "stats/noise.h"
#include "stats/summary.h"
#include "unit/test.h"

enum { CHANGES_MAX = 12 };

static const struct {
	int line;
	size_t n;
	long double changes[CHANGES_MAX];
	double limit;
} rows[] = {
	{ ROW, 1, { 0.02L }, 0.02 },
	{ ROW, 2, { 0.01L, 0.03L }, 0.055 },
	/* 0.0325 and 0.0775 */
	{ ROW,
	  10,
	  { 0.1L, 0.01L, 0.09L, 0.02L, 0.08L, 0.03L, 0.07L, 0.04L, 0.06L, 0.05L },
	  0.2125 },
	/* a step is a single large change, and hardly raises the limit: 0.01 and 0.02 */
	{ ROW, 9, { 0.01L, 0.02L, 0.01L, 0.02L, 0.01L, 0.02L, 0.01L, 0.02L, 5 }, 0.05 },
	/* counts that hardly ever change */
	{ ROW, 10, { 0 }, NOISE_LIMIT_MIN },
	{ ROW, 10, { 0, 0, 0, 0.5L }, NOISE_LIMIT_MIN },
	{ ROW, 10, { 0.0001L, 0.0001L, 0.0002L }, NOISE_LIMIT_MIN },
};

static void the_limit_is_the_outer_fence_of_the_changes(void **state)
{
	for (size_t i = 0; i < N_OF(rows); i++) {
		long double changes[CHANGES_MAX];

		for (size_t k = 0; k < rows[i].n; k++)
			changes[k] = rows[i].changes[k];
		summary_of(changes, rows[i].n); /* sorts */
		row_true(&rows[i], fabs(noise_limit(changes, rows[i].n) - rows[i].limit) < 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_limit_is_the_outer_fence_of_the_changes),
	};

	return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
