/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "machine/program.h"
#include "unit/test.h"
#include "unit/tree.h"

static char *root;
static char old_folder[4096];
static char *old_path;

/* One and the same name, "prog", in folders of which each has another reason not to be it. */
static int set_up(void **state)
{
	assert_non_null(getcwd(old_folder, sizeof(old_folder)));
	old_path = strdup(getenv("PATH") ? getenv("PATH") : "");
	root = tree_new();
	tree_add(root, "good/prog", "#!/bin/sh\n");
	tree_add(root, "later/prog", "#!/bin/sh\n");
	tree_add(root, "plain/prog", "not executable\n");
	tree_add(root, "folder/prog/inside", "");
	tree_add(root, "empty/other", "");
	assert_int_equal(chdir(root), 0);
	assert_int_equal(chmod("good/prog", 0755), 0);
	assert_int_equal(chmod("later/prog", 0755), 0);
	assert_int_equal(chmod("plain/prog", 0644), 0);
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(setenv("PATH", old_path, 1), 0);
	assert_int_equal(chdir(old_folder), 0);
	free(old_path);
	tree_remove(root);
	return 0;
}

static const struct {
	int line;
	const char *path; /* $PATH, relative to the tree; NULL: unset */
	const char *folder; /* the current one */
	const char *name;
	int error;
	const char *found; /* or the message */
} rows[] = {
	{ ROW, "good:later", ".", "prog", 0, "good/prog" },
	{ ROW, "later:good", ".", "prog", 0, "later/prog" },
	{ ROW, "missing:empty:good", ".", "prog", 0, "good/prog" },
	{ ROW, "plain:good", ".", "prog", 0, "good/prog" },
	{ ROW, "folder:good", ".", "prog", 0, "good/prog" },
	{ ROW, "good/prog:good", ".", "prog", 0, "good/prog" }, /* a file as a folder */
	/* an empty element is the current folder */
	{ ROW, "", "good", "prog", 0, "./prog" },
	{ ROW, ":../later", "good", "prog", 0, "./prog" },
	{ ROW, "../empty:", "good", "prog", 0, "./prog" },
	{ ROW, "../empty::../later", "good", "prog", 0, "./prog" },
	/* a name with a slash is a path */
	{ ROW, "later", ".", "good/prog", 0, "good/prog" },
	{ ROW, "later", "good", "./prog", 0, "./prog" },
	{ ROW, NULL, ".", "sh", 0, "/bin/sh" },
	/* what is not there, or is no program */
	{ ROW, "good", ".", "nosuch", -ENOENT, "nosuch: command not found" },
	{ ROW, "empty:missing", "good", "prog", -ENOENT, "prog: command not found" },
	{ ROW, "good", ".", "", -ENOENT, ": command not found" },
	{ ROW, "good", ".", "missing/prog", -ENOENT, "missing/prog: command not found" },
	{ ROW, "good", ".", "good/prog/x", -ENOENT, "good/prog/x: command not found" },
	{ ROW, "folder", ".", "prog", -ENOENT, "prog: command not found" },
	{ ROW, "good", ".", "folder/prog", -EISDIR, "folder/prog: is a directory, not a command" },
	{ ROW, "good", ".", "/", -EISDIR, "/: is a directory, not a command" },
	{ ROW, "plain:empty", ".", "prog", -EACCES, "prog: found, but not executable" },
	{ ROW, "good/prog:plain/prog", ".", "prog", -ENOENT, "prog: command not found" },
	{ ROW, "empty:plain:folder", ".", "prog", -EACCES, "prog: found, but not executable" },
	{ ROW, "good", ".", "plain/prog", -EACCES, "plain/prog: found, but not executable" },
};

static void programs_are_found_as_execvp_finds_them(void **state)
{
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_why struct why why = { 0 };
		cleanup_free char *path = NULL;

		row_int(&rows[i], rows[i].path ? setenv("PATH", rows[i].path, 1) : unsetenv("PATH"),
			0);
		row_int(&rows[i], chdir(root), 0);
		row_int(&rows[i], chdir(rows[i].folder), 0);
		row_int(&rows[i], program_find(rows[i].name, &path, &why), rows[i].error);
		if (rows[i].error == 0)
			row_string(&rows[i], path, rows[i].found);
		else
			row_string(&rows[i], why_text(&why, rows[i].error), rows[i].found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_found_as_execvp_finds_them),
	};

	return cmocka_run_group_tests_name("program", tests, set_up, tear_down);
}
