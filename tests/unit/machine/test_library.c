/* SPDX-License-Identifier: GPL-2.0-or-later */
/* That the loader's own cache is read is test_symbol's, which asks the loader. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "machine/library.h"
#include "unit/test.h"
#include "unit/tree.h"

static char *root;

static int set_up(void **state)
{
	root = tree_new();
	tree_add(root, "one/libtest-pstat.so.1", "");
	tree_add(root, "two/libtest-pstat.so.1", "");
	tree_add(root, "two/libtest-pstat.so.2", "");
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(unsetenv("LD_LIBRARY_PATH"), 0);
	tree_remove(root);
	return 0;
}

static void the_folders_of_the_environment_come_first(void **state)
{
	static const struct {
		int line;
		const char *folders[3]; /* below the tree; "" is an empty element */
		const char *name, *found; /* NULL: nowhere */
	} rows[] = {
		{ ROW, { "one", "two" }, "libtest-pstat.so.1", "one" },
		{ ROW, { "two", "one" }, "libtest-pstat.so.1", "two" },
		{ ROW, { "one", "two" }, "libtest-pstat.so.2", "two" },
		{ ROW, { "missing", "", "two" }, "libtest-pstat.so.2", "two" },
		{ ROW, { "one" }, "libtest-pstat.so.2", NULL },
		{ ROW, { "one", "two" }, "libtest-pstat.so", NULL },
		{ ROW, { NULL }, "libtest-pstat.so.1", NULL },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str folders = { 0 };
		cleanup_str struct str expected = { 0 };
		cleanup_free char *path = NULL;

		for (size_t j = 0; j < N_OF(rows[i].folders) && rows[i].folders[j]; j++)
			str_addf(&folders, "%s%s%s%s", j ? ":" : "",
				 rows[i].folders[j][0] ? root : "",
				 rows[i].folders[j][0] ? "/" : "", rows[i].folders[j]);
		row_int(&rows[i], setenv("LD_LIBRARY_PATH", str_text(&folders), 1), 0);
		row_int(&rows[i], library_find(rows[i].name, &path), rows[i].found ? 0 : -ENOENT);
		if (!rows[i].found)
			continue;
		str_addf(&expected, "%s/%s/%s", root, rows[i].found, rows[i].name);
		row_string(&rows[i], path, str_text(&expected));
	}
}

static void without_the_environment_a_library_is_still_searched(void **state)
{
	cleanup_free char *path = NULL;

	assert_int_equal(unsetenv("LD_LIBRARY_PATH"), 0);
	assert_int_equal(library_find("libtest-pstat.so.1", &path), -ENOENT);
	assert_null(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_folders_of_the_environment_come_first),
		cmocka_unit_test(without_the_environment_a_library_is_still_searched),
	};

	return cmocka_run_group_tests_name("library", tests, set_up, tear_down);
}
