/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compare the formats for programs byte by byte. Each file in the folder golden is one fixed result
 * or comparison in one look. There are only as many files as are needed to show everything that the
 * look can show. Formats for people, and the documents, which pstat itself reads, have no golden
 * files: see test_well_formed.c, test_same_numbers.c, test_compare_numbers.c and test_round_trip.c.
 *
 * `make update-golden` writes the files again and shows the changes. Read these before you commit
 * them.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "unit/format/looks.h"
#include "unit/test.h"
#include "unit/tree.h"

/*
 * The fixed results that together cover counts, repeated runs, states, units, times, metrics,
 * names, places and intervals.
 */
#define EVERYTHING                                                                                                   \
	"one-run five-runs some-runs-without-a-count multiplexed estimated estimated-runs "                          \
	"not-counted large-counts null-run units tool-events passes derived hostile-names unicode-names per-socket " \
	"per-thread cgroups-per-cpu intervals intervals-per-core"
#define WITH_SUMMARY " intervals-and-summary"

static const struct {
	const char *look;
	const char *names; /* of results; those of comparisons begin with "compare-" */
} golden[] = {
	{ "table", EVERYTHING WITH_SUMMARY },
	{ "perf-csv", EVERYTHING WITH_SUMMARY " processes" },
	{ "perf-json", EVERYTHING " processes" },
	{ "csv", EVERYTHING " processes" },
	{ "csv-summary", EVERYTHING " compare-wide-sides" },
	{ "openmetrics", EVERYTHING " processes" },
	{ "markdown", EVERYTHING WITH_SUMMARY
	  " processes compare-by-default compare-two-sides compare-three-sides compare-not-counted "
	  "compare-metrics compare-scaled compare-estimated compare-long-and-wide-names "
	  "compare-zero-reference compare-apart" },
	{ "bmf", "estimated-runs compare-two-sides" },
	{ "benchmark-action", "estimated-runs compare-two-sides" },
	{ "influx", "estimated-runs compare-two-sides" },
	{ "table-metric-only", "derived cgroups-per-cpu intervals-per-core" },
	{ "table-times", "five-runs" },
};

static char *folder;
static struct str_list files; /* the names of all golden files */

static char *print(const char *name, const char *look)
{
	static const char prefix[] = "compare-";
	cleanup_with(fixed_release) struct fixed f = { 0 };

	if (strncmp(name, prefix, strlen(prefix)) == 0) {
		struct fixed_comparison *c =
			fixed_comparison_new(find_fixed_comparison(name + strlen(prefix)));
		char *text = look_print_comparison(find_comparison_look(look), c);

		fixed_comparison_free(c);
		return text;
	}
	fixed_make(&f, find_fixed_result(name));
	return look_print_result(find_report_look(look), &f);
}

/* Show the difference between the file at path and the text. */
static void show_difference(const char *path, const char *text)
{
	cleanup_str struct str command = { 0 };
	char *tree = tree_new();

	tree_add(tree, "printed", text);
	str_addf(&command, "diff -u --label '%s' --label printed '%s' '%s/printed'", path,
		 access(path, F_OK) == 0 ? path : "/dev/null", tree);
	fflush(stdout);
	if (system(str_text(&command)) < 0)
		fail_msg("diff does not run");
	tree_remove(tree);
}

static bool is_as_in_its_file(const char *file, const char *text)
{
	cleanup_str struct str path = { 0 };
	cleanup_free char *golden_text = NULL;

	str_addf(&path, "%s/%s", folder, file);
	if (access(str_text(&path), F_OK) == 0)
		golden_text = tree_read(folder, file);
	if (golden_text && strcmp(golden_text, text) == 0)
		return true;
	show_difference(str_text(&path), text);
	if (getenv("UPDATE_GOLDEN"))
		tree_add(folder, file, text);
	return getenv("UPDATE_GOLDEN") != NULL;
}

static void every_output_equals_its_golden_file(void **state)
{
	size_t different = 0;

	for (size_t i = 0; i < N_OF(golden); i++) {
		cleanup_str_list struct str_list names = { 0 };

		assert_int_equal(str_list_split(&names, golden[i].names, ' '), 0);
		for (size_t k = 0; k < names.n; k++) {
			cleanup_free char *text = print(names.v[k], golden[i].look);
			cleanup_str struct str file = { 0 };

			str_addf(&file, "%s.%s", names.v[k], golden[i].look);
			assert_int_equal(str_list_add(&files, str_text(&file)), 0);
			different += !is_as_in_its_file(str_text(&file), text);
		}
	}
	if (different)
		fail_msg(
			"%zu golden files differ; if the change is meant, run `make update-golden`",
			different);
}

static bool is_golden(const char *file)
{
	for (size_t i = 0; i < files.n; i++)
		if (strcmp(files.v[i], file) == 0)
			return true;
	return false;
}

static void no_other_file_is_in_the_folder(void **state)
{
	cleanup_dir DIR *dir = opendir(folder);
	struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && !is_golden(entry->d_name))
			fail_msg("%s/%s: no test uses this golden file; remove it", folder,
				 entry->d_name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_output_equals_its_golden_file),
		cmocka_unit_test(no_other_file_is_in_the_folder),
	};
	struct str path = { 0 };
	int failed;

	if (!getenv("TOP_SRCDIR"))
		return 99;
	str_addf(&path, "%s/tests/unit/format/golden", getenv("TOP_SRCDIR"));
	folder = path.text;
	failed = cmocka_run_group_tests_name("golden", tests, NULL, NULL);
	str_list_release(&files);
	free(folder);
	return failed;
}
