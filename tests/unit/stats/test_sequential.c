/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sequential t test: its formulas against numbers that were computed apart, and its use in a
 * contrast. */
#include <math.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "stats/contrast.h"
#include "stats/sequential.h"
#include "unit/reference.h"
#include "unit/test.h"

static bool is_near(double got, double wanted)
{
	return fabs(got - wanted) <= 1e-12 * fabs(wanted);
}

static void p_is_that_of_the_formula(void **state)
{
	assert_true(is_near(sequential_p(&math, 4, 12), 0.03755570216990178));
	assert_true(is_near(sequential_p(&math, -3, 50), 0.0897675857058091));
	assert_true(is_near(sequential_p(&math, 2, 10), 0.556855584699593));
	assert_true(sequential_p(&math, 0, 10) == 1);
	assert_true(sequential_p(&math, 9, 1) == 1);
	assert_true(sequential_p(&math, INFINITY, 13) == sequential_floor(&math, 13));
}

static void the_interval_is_that_of_the_formula(void **state)
{
	assert_true(is_near(sequential_t(&math, 0.05, 12), 3.7763719382153433));
	assert_true(is_near(sequential_t(&math, 0.05, 50), 3.2311508476721778));
	assert_true(is_near(sequential_t(&math, 0.025, 200), 3.5254233840882856));
	assert_true(isinf(sequential_t(&math, 0.05, 5)));
	assert_true(isinf(sequential_t(&math, 0.05, 1)));
	for (size_t n = 20; n < 2000; n += 37)
		assert_true(fabs(sequential_p(&math, sequential_t(&math, 0.01, n), n) - 0.01) <
			    1e-12);
}

static void few_rounds_prove_nothing(void **state)
{
	assert_true(is_near(sequential_floor(&math, 12), 2.2488515083550135e-05));
	assert_true(sequential_floor(&math, 1) == 1);
	for (size_t n = 2; n < 40; n++)
		assert_true((sequential_floor(&math, n) < 0.05) ==
			    isfinite(sequential_t(&math, 0.05, n)));
}

enum { ROUNDS = 40 };

/* The other side is slower by share; the noise of a round is about 2 %. */
static struct contrast contrast_at_any_time(double share, size_t n, double effect, double alpha)
{
	double reference[ROUNDS], other[ROUNDS], scratch[4 * ROUNDS];
	const struct contrast_family alone = { alpha, 1, alpha };
	struct contrast_input in;
	struct contrast c;

	for (size_t i = 0; i < n; i++) {
		reference[i] = 1000 + (double)(i * 7919 % 41);
		other[i] = (1000 + (double)(i * 104729 % 37)) * (1 + share);
	}
	in = (struct contrast_input){ .reference = reference,
				      .other = other,
				      .reference_n = n,
				      .other_n = n,
				      .paired = true,
				      .any_time = true,
				      .confidence = 1 - alpha,
				      .minimum_effect = effect };
	c = contrast_of(&in, &math, scratch);
	contrast_judge(&c, &alone);
	return c;
}

static void a_verdict_agrees_with_the_interval(void **state)
{
	struct contrast c;

	for (double share = 0; share < 0.05; share += 0.002) {
		c = contrast_at_any_time(share, ROUNDS, 0, 0.05);
		assert_int_equal(c.ratio.method, ESTIMATE_ANY_TIME);
		assert_int_equal(c.ratio.low > 1, c.p <= 0.05);
		assert_int_equal(c.change, c.ratio.low > 1 ? CHANGE_MORE : CHANGE_UNCLEAR);
	}
	c = contrast_at_any_time(0, ROUNDS, 0.05, 0.05);
	assert_int_equal(c.change, CHANGE_SAME);
	/* a permutation test alone would accept five rounds: its smallest p is 2 / 32 */
	c = contrast_at_any_time(0.5, 5, 0.01, 0.07);
	assert_int_equal(c.change, CHANGE_TOO_FEW);
	assert_int_equal(c.ratio.method, ESTIMATE_POINT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p_is_that_of_the_formula),
		cmocka_unit_test(the_interval_is_that_of_the_formula),
		cmocka_unit_test(few_rounds_prove_nothing),
		cmocka_unit_test(a_verdict_agrees_with_the_interval),
	};

	return cmocka_run_group_tests(tests, load_math, NULL);
}
