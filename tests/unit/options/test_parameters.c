/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of -L, and what texts become for their values. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "job/sides.c" /* for its static functions */
#include "unit/test.h"

static struct parameters parameters;

static int finish(void **state)
{
	sides_release_parameters(&parameters);
	return 0;
}

static void add(const char *text)
{
	cleanup_why struct why why = { 0 };

	assert_int_equal(sides_add_parameter(&parameters, text, &why), 0);
}

static void lists_are_read(void **state)
{
	static const struct {
		int line;
		const char *text, *name, *values; /* each with a '|' after it */
	} rows[] = {
		{ ROW, "n=1,2,3", "n", "1|2|3|" },
		{ ROW, "level=fast", "level", "fast|" },
		{ ROW, "a_b-9=", "a_b-9", "|" },
		{ ROW, "n=1,", "n", "1||" },
		{ ROW, "n=a=b,{n}", "n", "a=b|{n}|" },
		{ ROW, "n=a\\,b,c\\\\,d\\e,\\", "n", "a,b|c\\|d\\e|\\|" },
		{ ROW, "n= a b , c", "n", " a b | c|" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str values = { 0 };
		const struct parameter *p;

		add(rows[i].text);
		p = &parameters.v[0];
		for (size_t v = 0; v < p->values.n; v++)
			str_addf(&values, "%s|", p->values.v[v]);
		row_string(&rows[i], p->name, rows[i].name);
		row_string(&rows[i], str_text(&values), rows[i].values);
		sides_release_parameters(&parameters);
	}
}

static void an_invalid_list_is_refused_with_its_position(void **state)
{
	static const char no_name[] = "the name of a parameter is missing here";
	static const char no_equals[] = "a '=' is missing here: a parameter is NAME=VALUE,VALUE...";
	static const struct refused rows[] = {
		{ ROW, "", 0, no_name },
		{ ROW, "=1", 0, no_name },
		{ ROW, " n=1", 0, no_name },
		{ ROW, "n", 1, no_equals },
		{ ROW, "n,m=1", 1, no_equals },
		{ ROW, "{n}=1", 0, no_name },
		{ ROW, "there=1", 0, "parameter 'there' is given twice" },
	};

	add("there=x");
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_why struct why why = { 0 };

		row_int(&rows[i], sides_add_parameter(&parameters, rows[i].text, &why), -EINVAL);
		row_why(&rows[i], &why);
		row_int(&rows[i], parameters.n, 1);
	}
}

static void a_value_takes_the_place_of_its_name_in_braces(void **state)
{
	static const struct {
		int line;
		const char *text, *becomes;
	} rows[] = {
		{ ROW, "", "" },
		{ ROW, "{n}", "1" },
		{ ROW, "a{n}b{n}{m}", "a1b1{n}" },
		{ ROW, "{x} {} {n {n}} {{n}", "{x} {} {n 1} {1" },
		{ ROW, "{nn}", "{nn}" },
	};

	add("n=1,2");
	add("m={n}");
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str text = { 0 };

		sides_replace_parameters(&parameters, rows[i].text, &text);
		row_string(&rows[i], str_text(&text), rows[i].becomes);
	}
}

static void combinations_are_all_of_them_the_last_list_fastest(void **state)
{
	static const bool varies[] = { true, false, true };
	cleanup_str struct str all = { 0 };

	add("a=1,2");
	add("b=x,y");
	add("c=3,4,5");
	do
		sides_replace_parameters(&parameters, "{a}{b}{c} ", &all);
	while (sides_choose_next_values(&parameters, varies));
	sides_replace_parameters(&parameters, "{a}{b}{c}", &all);
	assert_string_equal(str_text(&all), "1x3 1x4 1x5 2x3 2x4 2x5 1x3");
}

static void a_text_has_a_parameter_or_has_not(void **state)
{
	add("n=1");
	assert_true(sides_parameter_is_in(&parameters.v[0], "a{n}b"));
	assert_false(sides_parameter_is_in(&parameters.v[0], "n {N} {n"));
	assert_false(sides_parameter_is_in(&parameters.v[0], NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(lists_are_read, finish),
		cmocka_unit_test_teardown(an_invalid_list_is_refused_with_its_position, finish),
		cmocka_unit_test_teardown(a_value_takes_the_place_of_its_name_in_braces, finish),
		cmocka_unit_test_teardown(combinations_are_all_of_them_the_last_list_fastest,
					  finish),
		cmocka_unit_test_teardown(a_text_has_a_parameter_or_has_not, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
