/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/cleanup.h"
#include "job/counting.c" /* for its static functions */
#include "unit/test.h"
#include "unit/tree.h"

#define CPU "sys/devices/system/cpu/"

static char *no_words[] = { NULL };

static struct provenance gather(char *root, char **words)
{
	const struct machine m = { .root = root };
	struct provenance p = { 0 };

	assert_int_equal(counting_gather_provenance(&p, words, &m), 0);
	return p;
}

static void the_facts_of_a_machine_are_collected(void **state)
{
	static char word[] = "prog", argument[] = "a\xff";
	char *words[] = { word, argument, NULL };
	char *root = tree_of_machine("intel-hybrid");
	cleanup_with(series_provenance_release) struct provenance p = { 0 };

	tree_add(root, CPU "cpufreq/policy0/scaling_governor", "powersave\n");
	tree_add(root, CPU "intel_pstate/no_turbo", "1\n");
	tree_add(root, "proc/sys/kernel/randomize_va_space", "2\n");
	p = gather(root, words);
	tree_remove(root);
	assert_string_equal(p.pstat, PACKAGE_VERSION);
	assert_int_equal(p.argv.n, 2);
	assert_string_equal(p.argv.v[1], "a\xff");
	assert_string_equal(p.cpu_model, "12th Gen Intel(R) Core(TM) i3-1215U");
	assert_string_equal(p.cpus_online, "0-7");
	assert_true(str_list_has(&p.pmus, "cpu_core") && str_list_has(&p.pmus, "cpu_atom"));
	assert_int_equal(p.governors.n, 1);
	assert_string_equal(p.governors.v[0], "powersave");
	assert_true(p.turbo.known && p.turbo.value == 0);
	assert_true(p.aslr.known && p.aslr.value == 2);
	assert_true(p.paranoid.known);
	assert_true(p.host && p.kernel && p.machine && p.cwd);
}

static void missing_facts_stay_unknown(void **state)
{
	char *root = tree_new();
	cleanup_with(series_provenance_release) struct provenance p = gather(root, no_words);

	tree_remove(root);
	assert_int_equal(p.argv.n, 0);
	assert_null(p.libpfm4);
	assert_null(p.cpu_model);
	assert_null(p.cpus_online);
	assert_int_equal(p.pmus.n, 0);
	assert_int_equal(p.governors.n, 0);
	assert_false(p.turbo.known || p.aslr.known || p.paranoid.known || p.has_seed);
}

static void the_zone_is_that_of_the_moment(void **state)
{
	static const struct {
		int line;
		const char *zone;
		int zone_s;
	} rows[] = {
		{ ROW, "UTC", 0 },
		{ ROW, "XYZ-05:30", 19800 },
		{ ROW, "XYZ03", -10800 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		char *root = tree_new();
		cleanup_with(series_provenance_release) struct provenance p = { 0 };

		assert_int_equal(setenv("TZ", rows[i].zone, 1), 0);
		tzset();
		p = gather(root, no_words);
		row_int(&rows[i], p.zone_s, rows[i].zone_s);
		tree_remove(root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_facts_of_a_machine_are_collected),
		cmocka_unit_test(missing_facts_stay_unknown),
		cmocka_unit_test(the_zone_is_that_of_the_moment),
	};

	return cmocka_run_group_tests_name("provenance", tests, NULL, NULL);
}
