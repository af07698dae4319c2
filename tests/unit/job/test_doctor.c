/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "job/job_doctor.c" /* for its static functions */
#include "unit/test.h"

/* n changes, of 1 % up and down in turn, that took so many seconds. */
static struct noise noise_of(size_t n, double seconds)
{
	struct noise noise = { .took_ns = (uint64_t)(seconds * NS_OF_S) };

	for (size_t i = 0; i < n; i++)
		summary_add(&noise.changes[ELAPSED], i % 2 ? 0.01 : -0.01);
	return noise;
}

/*
 * In R, with the rounds that fit into 10 s:
 * 100 * (qnorm(1 - 0.025 / 2) + qnorm(0.9)) * sd(rep(c(-0.01, 0.01), n / 2)) / sqrt(10 * n / seconds)
 */
static void the_smallest_change_is_that_of_ten_seconds(void **state)
{
	static const struct {
		int line;
		size_t n;
		double seconds, percent;
	} rows[] = {
		{ ROW, 100, 20, 0.500731 },
		{ ROW, 100, 5, 0.250365 },
		{ ROW, 400, 20, 0.249422 },
		{ ROW, 2, 10, 3.522954 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct noise noise = noise_of(rows[i].n, rows[i].seconds);

		row_true(&rows[i],
			 fabs(job_doctor_smallest_change(&noise, ELAPSED) / rows[i].percent - 1) <
				 1e-4);
	}
}

static void one_round_shows_no_change(void **state)
{
	const struct noise noise = noise_of(1, 5);

	assert_true(isnan(job_doctor_smallest_change(&noise, ELAPSED)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_smallest_change_is_that_of_ten_seconds),
		cmocka_unit_test(one_round_shows_no_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
