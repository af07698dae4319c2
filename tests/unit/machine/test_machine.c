/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/machine.h"
#include "unit/test.h"
#include "unit/tree.h"

static char *root;

static int set_up(void **state)
{
	root = tree_new();
	tree_add(root, "sys/number", "42\n");
	tree_add(root, "sys/spaces", "  text \t\n\n");
	tree_add(root, "sys/empty", "");
	tree_add(root, "sys/folder/b", "");
	tree_add(root, "sys/folder/a", "");
	tree_add(root, "sys/folder/.hidden", "");
	tree_add(root, "file", "no folder");
	tree_add(root, "without/proc/file", "");
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(root);
	return 0;
}

static void without_a_root_it_is_this_machine(void **state)
{
	cleanup_with(machine_release) struct machine m = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(machine_init(&m, NULL, &why), 0);
	assert_true(machine_is_here(&m));
	assert_true(machine_has(&m, "/proc/self/stat"));
}

static void a_root_is_another_machine(void **state)
{
	cleanup_with(machine_release) struct machine m = { 0 };
	cleanup_why struct why why = { 0 };
	cleanup_free char *text = NULL;

	assert_int_equal(machine_init(&m, root, &why), 0);
	assert_false(machine_is_here(&m));
	assert_false(machine_has(&m, "/proc/self/stat"));
	assert_int_equal(machine_read(&m, &text, "/sys/%s", "number"), 0);
	assert_string_equal(text, "42");
}

static void a_path_is_below_the_root(void **state)
{
	struct machine here = { .root = (char[]){ "" } };
	struct machine there = { .root = (char[]){ "/mnt" } };
	cleanup_free char *on_this = machine_path(&here, "/proc/%d", 7);
	cleanup_free char *on_that = machine_path(&there, "/proc/%d", 7);

	assert_string_equal(on_this, "/proc/7");
	assert_string_equal(on_that, "/mnt/proc/7");
}

static void a_root_without_sys_is_refused(void **state)
{
	static const struct {
		int line;
		const char *path; /* below the tree */
		int error;
		const char *part;
	} rows[] = {
		{ ROW, "missing", -ENOENT, "missing: No such file or directory; use a folder" },
		{ ROW, "file", -ENOTDIR, "file: Not a directory; use a folder" },
		{ ROW, "without", -ENOENT, "without/sys: No such file or directory" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(machine_release) struct machine m = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str path = { 0 };

		str_addf(&path, "%s/%s", root, rows[i].path);
		row_int(&rows[i], machine_init(&m, str_text(&path), &why), rows[i].error);
		if (!strstr(why_text(&why, 0), rows[i].part))
			row_string(&rows[i], why_text(&why, 0), rows[i].part);
	}
}

static void files_are_read_without_trailing_space(void **state)
{
	const struct machine m = { .root = root };
	cleanup_free char *spaces = NULL;
	cleanup_free char *empty = NULL;
	char *text = NULL;

	assert_int_equal(machine_read(&m, &spaces, "/sys/spaces"), 0);
	assert_string_equal(spaces, "  text");
	assert_int_equal(machine_read(&m, &empty, "/sys/empty"), 0);
	assert_string_equal(empty, "");
	assert_int_equal(machine_read(&m, &text, "/sys/missing"), -ENOENT);
	assert_int_equal(machine_read(&m, &text, "/sys/folder"), -EISDIR);
	assert_null(text);
}

/*
 * open(2) of a FIFO without a writer blocks, and reading a device may never end. alarm(2) ends a
 * test that hangs.
 */
static void a_fifo_and_a_device_are_refused(void **state)
{
	const struct machine m = { .root = root };
	cleanup_free char *fifo = machine_path(&m, "/sys/fifo");
	cleanup_free char *device = machine_path(&m, "/sys/device");
	char *text = NULL;

	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink("/dev/zero", device), 0);
	alarm(20);
	assert_int_equal(machine_read(&m, &text, "/sys/fifo"), -EINVAL);
	assert_int_equal(machine_read(&m, &text, "/sys/device"), -EINVAL);
	alarm(0);
	assert_null(text);
}

static void the_first_64_kib_of_a_file_are_read(void **state)
{
	const struct machine m = { .root = root };
	cleanup_free char *long_text = malloc(70000);
	cleanup_free char *text = NULL;

	memset(long_text, 'x', 69999);
	long_text[69999] = '\0';
	tree_add(root, "sys/long", long_text);
	assert_int_equal(machine_read(&m, &text, "/sys/long"), 0);
	assert_int_equal(strlen(text), 65536);
}

static void a_folder_is_listed_sorted_without_hidden_names(void **state)
{
	const struct machine m = { .root = root };
	cleanup_str_list struct str_list names = { 0 };

	assert_int_equal(machine_list(&m, &names, "/sys/%s", "folder"), 0);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.v[0], "a");
	assert_string_equal(names.v[1], "b");
	assert_int_equal(machine_list(&m, &names, "/sys/missing"), -ENOENT);
	assert_int_equal(names.n, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_root_it_is_this_machine),
		cmocka_unit_test(a_root_is_another_machine),
		cmocka_unit_test(a_path_is_below_the_root),
		cmocka_unit_test(a_root_without_sys_is_refused),
		cmocka_unit_test(files_are_read_without_trailing_space),
		cmocka_unit_test(a_fifo_and_a_device_are_refused),
		cmocka_unit_test(the_first_64_kib_of_a_file_are_read),
		cmocka_unit_test(a_folder_is_listed_sorted_without_hidden_names),
	};

	return cmocka_run_group_tests_name("machine", tests, set_up, tear_down);
}
