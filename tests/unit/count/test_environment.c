/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment that tells a command's runs apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count/environment.h"
#include "unit/test.h"

static char a[] = "A=1", iteration[] = "PSTAT_ITERATION=99",
	    b[] = "B=", padding[] = "PSTAT_PADDING=xx", control[] = "PSTAT_CONTROL=c";
static char *own[] = { a, iteration, b, padding, control, NULL };

static int start(void **state)
{
	*state = environ;
	environ = own;
	return 0;
}

static int finish(void **state)
{
	environ = *state;
	return 0;
}

static const char *value(const struct environment *e, const char *name)
{
	size_t n = strlen(name);
	const char *found = NULL;

	for (size_t i = 0; e->v[i]; i++)
		if (strncmp(e->v[i], name, n) == 0 && e->v[i][n] == '=') {
			assert_null(found);
			found = e->v[i] + n + 1;
		}
	return found;
}

static void the_number_and_the_padding_are_those_of_the_run(void **state)
{
	static const size_t paddings[] = { 7, ENVIRONMENT_PADDING_MAX, 0, 3 };
	struct environment e;
	char largest[32];

	assert_int_equal(environment_init(&e, ENVIRONMENT_ITERATION | ENVIRONMENT_PADDING), 0);
	assert_string_equal(value(&e, "PSTAT_ITERATION"), "0");
	assert_string_equal(value(&e, "PSTAT_PADDING"), "");
	for (size_t i = 0; i < N_OF(paddings); i++) {
		environment_set(&e, i + 1, paddings[i]);
		assert_int_equal(value(&e, "PSTAT_ITERATION")[0], '1' + (int)i);
		assert_int_equal(strlen(value(&e, "PSTAT_PADDING")), paddings[i]);
		assert_int_equal(strspn(value(&e, "PSTAT_PADDING"), "x"), paddings[i]);
	}
	environment_set(&e, SIZE_MAX, 0);
	snprintf(largest, sizeof(largest), "%zu", SIZE_MAX);
	assert_string_equal(value(&e, "PSTAT_ITERATION"), largest);
	environment_release(&e);
}

static void what_was_not_asked_for_is_not_there_and_the_rest_is(void **state)
{
	struct environment e;

	assert_int_equal(environment_init(&e, ENVIRONMENT_ITERATION), 0);
	environment_set(&e, 5, 100);
	assert_string_equal(e.v[0], "A=1");
	assert_string_equal(e.v[1], "B=");
	assert_string_equal(e.v[2], "PSTAT_CONTROL=c");
	assert_string_equal(e.v[3], "PSTAT_ITERATION=5");
	assert_null(e.v[4]);
	environment_release(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_number_and_the_padding_are_those_of_the_run,
						start, finish),
		cmocka_unit_test_setup_teardown(what_was_not_asked_for_is_not_there_and_the_rest_is,
						start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
