/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment variable that differs from run to run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "count/workload.h"
#include "unit/test.h"

static char a[] = "A=1", b[] = "B=", padding[] = "PSTAT_PADDING=xx", control[] = "PSTAT_CONTROL=c";
static char *own[] = { a, b, padding, control, NULL };

static int set_up(void **state)
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

static const char *value(const struct child_setup *s, const char *name)
{
	size_t n = strlen(name);
	const char *found = NULL;

	for (size_t i = 0; s->environment[i]; i++)
		if (strncmp(s->environment[i], name, n) == 0 && s->environment[i][n] == '=') {
			assert_null(found);
			found = s->environment[i] + n + 1;
		}
	return found;
}

static struct workload workload; /* all zero except its setup */
static struct child_setup *const setup = &workload.child_setup;

static void init(void)
{
	cleanup_why struct why why = { 0 };

	*setup = (struct child_setup){ .pads = true };
	assert_int_equal(workload_init_child(setup, &why), 0);
}

static void each_run_has_its_padding(void **state)
{
	static const size_t paddings[] = { 7, WORKLOAD_PADDING_MAX, 0, 3 };
	init();
	assert_string_equal(value(setup, "PSTAT_PADDING"), "");
	for (size_t i = 0; i < N_OF(paddings); i++) {
		workload_set_padding(setup, paddings[i]);
		assert_int_equal(strlen(value(setup, "PSTAT_PADDING")), paddings[i]);
		assert_int_equal(strspn(value(setup, "PSTAT_PADDING"), "x"), paddings[i]);
	}
	workload_release(&workload);
}

static void only_the_padding_of_an_outer_pstat_is_replaced(void **state)
{
	char **v;

	init();
	workload_set_padding(setup, 3);
	v = setup->environment;
	assert_string_equal(v[0], "A=1");
	assert_string_equal(v[1], "B=");
	assert_string_equal(v[2], "PSTAT_CONTROL=c");
	assert_string_equal(v[3], "PSTAT_PADDING=xxx");
	assert_null(v[4]);
	workload_release(&workload);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_run_has_its_padding, set_up, finish),
		cmocka_unit_test_setup_teardown(only_the_padding_of_an_outer_pstat_is_replaced,
						set_up, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
