/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: write-results FOLDER
 *
 * Writes every fixed result and comparison in every look into an existing folder, as RESULT.LOOK
 * and compare-COMPARISON.LOOK, for tests that give them to other programs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "unit/format/looks.h"
#include "unit/test.h"
#include "unit/tree.h"

static char *folder;

static void write_file(const char *kind, const char *name, const char *look, const char *text)
{
	cleanup_str struct str file = { 0 };

	str_addf(&file, "%s%s.%s", kind, name, look);
	tree_add(folder, str_text(&file), text);
}

/* As process_rows_build() does for --by exec. */
static void derive(const struct fixed *f)
{
	for (size_t i = 0; i < f->places_n; i++) {
		struct process *process = f->places[i].process;

		if (!process)
			continue;
		process->elapsed_ns = process_elapsed_ns(process);
		if (process->parent != PLACE_NONE)
			process->parent_pid = f->places[process->parent].process->pid;
	}
}

static void write_results(void **state)
{
	for (const struct fixed_result *result = fixed_result; result->name; result++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };

		fixed_make(&f, result);
		derive(&f);
		for (const struct result_look *look = result_looks; look->name; look++) {
			cleanup_free char *text = look_print_result(look, &f);

			write_file("", result->name, look->name, text);
		}
	}
}

static void write_comparisons(void **state)
{
	for (const struct fixed_comparison *which = fixed_comparisons; which->name; which++) {
		struct fixed_comparison *f = fixed_comparison_new(which);

		for (const struct comparison_look *look = comparison_looks; look->name; look++) {
			cleanup_free char *text = look_print_comparison(look, f);

			write_file("compare-", f->name, look->name, text);
		}
		fixed_comparison_free(f);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(write_results),
		cmocka_unit_test(write_comparisons),
	};

	if (argc != 2) {
		fprintf(stderr, "usage: write-results FOLDER\n");
		return 2;
	}
	folder = argv[1];
	return cmocka_run_group_tests_name("write-results", tests, NULL, NULL);
}
