/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strips of runs, in ASCII so that a person can check them, and the same in braille. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/terminal/strip.h"
#include "unit/test.h"

enum { WIDTH = 21, VALUES_MAX = 8, SIDES = 2 };

/* Two sides and their strips; NULL: no strip. Values end with 0 unless all are used. */
static const struct strip_row {
	int line;
	double values[SIDES][VALUES_MAX];
	double half[SIDES];
	const char *runs[SIDES], *means[SIDES];
} rows[] = {
	{ ROW,
	  { { 100, 110, 120 }, { 110, 112, 114 } },
	  { 5, 1 },
	  { ".         .         .", "          . . .      " },
	  { "     [----+----]     ", "           [+]       " } },
	/* several runs in one column; all runs of a side in one column */
	{ ROW,
	  { { 1, 1, 1, 1, 2 }, { 2, 2, 2 } },
	  { 0.2, 0 },
	  { "#                   .", "                    |" },
	  { "[---+---]            ", "                    +" } },
	/* a side with one run has no interval */
	{ ROW,
	  { { 1, 3 }, { 2 } },
	  { 1, 0 },
	  { ".                   .", "          .          " },
	  { "[---------+---------]", NULL } },
	/* no strip for constant sides, for one run of each side, or for no runs */
	{ ROW, { { 1, 1, 1 }, { 2, 2, 2 } }, { 0, 0 }, { NULL }, { NULL } },
	{ ROW, { { 1 }, { 2 } }, { 0, 0 }, { NULL }, { NULL } },
	{ ROW, { { 0 }, { 0 } }, { 0, 0 }, { NULL }, { NULL } },
	/* an outlier: the axis ends before it, and the interval continues */
	{ ROW,
	  { { 10, 11, 12, 13, 14, 1e12 }, { 10, 11, 12, 13, 14 } },
	  { 1e11, 1 },
	  { ".    .   .    .   ."
	    ">1",
	    ".    .   .    .   .  " },
	  { NULL, "     [---+----]    " } },
	{ ROW,
	  { { 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1 }, { 1000, 1003, 1006 } },
	  { 300, 1 },
	  { "1<.  .  .  .  .  .  .", "  .        .        ." },
	  { NULL, NULL } },
};

/* The side's mean as in a comparison. Its quartiles are the second and the second last value. */
static void fill(struct comparison_side *side, const double *values, double half)
{
	long double sorted[VALUES_MAX] = { 0 };

	*side = (struct comparison_side){ .values = (double *)(uintptr_t)values, .half = half };
	while (side->n < VALUES_MAX && values[side->n] > 0) {
		sorted[side->n] = values[side->n];
		side->n++;
	}
	side->summary = summary_of(sorted, side->n);
	if (side->n == 0)
		return;
	side->first_quartile = (double)sorted[side->n / 4];
	side->third_quartile = (double)sorted[side->n - 1 - side->n / 4];
}

static void runs_are_on_an_axis_of_all_sides(void **state)
{
	for (size_t i = 0; i < N_OF(rows); i++) {
		struct comparison_side sides[SIDES];
		struct comparison_row row = { .sides = sides };
		struct strip strip = { .ascii = true };

		for (size_t side = 0; side < SIDES; side++)
			fill(&sides[side], rows[i].values[side], rows[i].half[side]);
		row_int(&rows[i], strip_of(&strip, &row, SIDES, WIDTH), rows[i].runs[0] != NULL);
		for (size_t side = 0; rows[i].runs[0] && side < SIDES; side++) {
			cleanup_str struct str runs = { 0 }, mean = { 0 };

			strip_add_runs(&runs, &strip, &sides[side]);
			strip_add_mean(&mean, &strip, &sides[side]);
			row_int(&rows[i], runs.len, WIDTH);
			row_string(&rows[i], str_text(&runs), rows[i].runs[side]);
			if (rows[i].means[side])
				row_string(&rows[i], str_text(&mean), rows[i].means[side]);
		}
	}
}

static void braille_has_two_columns_of_four_levels(void **state)
{
	static const double one[] = { 1, 2, 2, 3, 3, 3, 20, 0 }, other[] = { 1, 20, 0 };
	struct comparison_side sides[SIDES];
	struct comparison_row row = { .sides = sides };
	cleanup_str struct str runs = { 0 };
	struct strip strip = { .ascii = false };

	fill(&sides[0], one, 1);
	fill(&sides[1], other, 1);
	assert_true(strip_of(&strip, &row, SIDES, 10));
	assert_int_equal(strip.width, 10);
	strip_add_runs(&runs, &strip, &sides[0]);
	assert_string_equal(str_text(&runs), "⣠⡆       ⢀");
}

/* The column with most runs has all its dots; a column with few runs has one. */
static void levels_are_shares_of_the_most(void **state)
{
	double values[110];
	struct comparison_side side = { .values = values, .n = N_OF(values) };
	struct comparison_row row = { .sides = &side };
	cleanup_str struct str runs = { 0 };
	struct strip strip = { .ascii = true };

	for (size_t i = 0; i < N_OF(values); i++)
		values[i] = i < 100 ? 1 : i < 109 ? 5 : 10;
	side.summary = (struct summary){ .n = side.n, .mean = 1.5, .min = 1, .max = 10 };
	side.first_quartile = 1;
	side.third_quartile = 10;
	assert_true(strip_of(&strip, &row, 1, 10));
	strip_add_runs(&runs, &strip, &side);
	assert_string_equal(str_text(&runs), "#   .    .");
}

static void a_narrow_terminal_has_no_drawing(void **state)
{
	static const double values[] = { 1, 2, 0 };
	struct comparison_side side;
	struct comparison_row row = { .sides = &side };
	struct strip strip = { .ascii = true };

	fill(&side, values, 1);
	assert_false(strip_of(&strip, &row, 1, 9));
	assert_false(strip_of(&strip, &row, 1, -5));
	assert_true(strip_of(&strip, &row, 1, 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_are_on_an_axis_of_all_sides),
		cmocka_unit_test(braille_has_two_columns_of_four_levels),
		cmocka_unit_test(levels_are_shares_of_the_most),
		cmocka_unit_test(a_narrow_terminal_has_no_drawing),
	};

	return cmocka_run_group_tests_name("strip", tests, NULL, NULL);
}
