/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "machine/program.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { NOBODY = 65534 };

static char *root;
static char old_folder[4096];
static char *old_path;

/* Several folders have a "prog". In all but one, it cannot be executed, each for another reason. */
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
	const char *folder; /* the current folder */
	const char *name;
	int error;
	const char *found; /* or the message */
} rows[] = {
	{ ROW, "good:later", ".", "prog", 0, "good/prog" },
	{ ROW, "later:good", ".", "prog", 0, "later/prog" },
	{ ROW, "missing:empty:good", ".", "prog", 0, "good/prog" },
	{ ROW, "plain:good", ".", "prog", 0, "good/prog" },
	{ ROW, "folder:good", ".", "prog", 0, "good/prog" },
	{ ROW, "good/prog:good", ".", "prog", 0, "good/prog" }, /* a file in place of a folder */
	/* an empty element is the current folder */
	{ ROW, "", "good", "prog", 0, "./prog" },
	{ ROW, ":../later", "good", "prog", 0, "./prog" },
	{ ROW, "../empty:", "good", "prog", 0, "./prog" },
	{ ROW, "../empty::../later", "good", "prog", 0, "./prog" },
	/* a name with a slash is a path */
	{ ROW, "later", ".", "good/prog", 0, "good/prog" },
	{ ROW, "later", "good", "./prog", 0, "./prog" },
	{ ROW, NULL, ".", "sh", 0, "/bin/sh" },
	/* missing files, and files that are not programs */
	{ ROW, "good", ".", "nosuch", -ENOENT, "nosuch: command not found" },
	{ ROW, "good", ".", "prog -v", -ENOENT,
	  "prog -v: command not found; the quotes make one word of it: remove them, or use -c" },
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

/* Root may read everything, so a test that runs as root changes to another user ID. */
static enum program_guard ask(const char *path)
{
	const uid_t user = geteuid();
	enum program_guard guard;

	if (user == 0)
		assert_int_equal(seteuid(NOBODY), 0);
	guard = program_guard(path);
	assert_int_equal(seteuid(user), 0);
	return guard;
}

static void a_program_that_may_not_be_read_is_guarded(void **state)
{
	assert_int_equal(chmod(root, 0755), 0);
	assert_int_equal(ask("good/prog"), PROGRAM_OPEN);
	assert_int_equal(chmod("good/prog", 0711), 0);
	assert_int_equal(ask("good/prog"), geteuid() == 0 ? PROGRAM_UNREADABLE : PROGRAM_OPEN);
	assert_int_equal(chmod("good/prog", 0111), 0);
	assert_int_equal(ask("good/prog"), PROGRAM_UNREADABLE);
	assert_int_equal(chmod("good/prog", 0755), 0);
	assert_int_equal(ask("missing"), PROGRAM_OPEN);
}

static void a_program_of_another_user_or_group_is_guarded_by_its_bits(void **state)
{
	static const struct {
		int line;
		mode_t mode;
		uid_t user;
		gid_t group;
		enum program_guard guard;
	} cases[] = {
		{ ROW, 04755, NOBODY, 0, PROGRAM_SET_ID },
		{ ROW, 02755, 0, NOBODY, PROGRAM_SET_ID },
		{ ROW, 04755, 0, NOBODY, PROGRAM_OPEN },
		{ ROW, 02755, NOBODY, 0, PROGRAM_OPEN },
		{ ROW, 02745, 0, NOBODY, PROGRAM_OPEN },
		{ ROW, 0755, NOBODY, NOBODY, PROGRAM_OPEN },
	};
	struct statvfs fs;

	if (geteuid() != 0 || getegid() != 0 || statvfs(root, &fs) < 0 || fs.f_flag & ST_NOSUID) {
		print_message("not root, or the temporary folder is mounted with nosuid\n");
		skip();
	}
	for (size_t i = 0; i < N_OF(cases); i++) {
		assert_int_equal(chown("good/prog", cases[i].user, cases[i].group), 0);
		assert_int_equal(chmod("good/prog", cases[i].mode), 0);
		row_int(&cases[i], program_guard("good/prog"), cases[i].guard);
	}
	assert_int_equal(chown("good/prog", 0, 0), 0);
	assert_int_equal(chmod("good/prog", 04111), 0); /* as sudo of some distributions */
	assert_int_equal(ask("good/prog"), PROGRAM_SET_ID);
	assert_int_equal(chmod("good/prog", 0755), 0);
}

/* Run in a user namespace that has only user 0 and no group. Returns a wait status. */
static int ask_in_namespace(const char *path)
{
	static const char map[] = "0 0 1";
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		int fd = -1;

		if (unshare(CLONE_NEWUSER) == 0)
			fd = open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
		if (write(fd, map, strlen(map)) < 0)
			_exit(99);
		_exit((int)program_guard(path));
	}
	waitpid(child, &status, 0);
	return status;
}

static void the_bits_are_ignored_in_a_user_namespace_without_the_owner(void **state)
{
	int status;

	if (geteuid() != 0)
		skip();
	assert_int_equal(chown("good/prog", NOBODY, 0), 0);
	assert_int_equal(chmod("good/prog", 04755), 0);
	status = ask_in_namespace("good/prog");
	assert_int_equal(chown("good/prog", 0, 0), 0);
	assert_int_equal(chmod("good/prog", 0755), 0);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 99) {
		print_message("user namespaces cannot be made here\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), PROGRAM_OPEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_found_as_execvp_finds_them),
		cmocka_unit_test(a_program_that_may_not_be_read_is_guarded),
		cmocka_unit_test(a_program_of_another_user_or_group_is_guarded_by_its_bits),
		cmocka_unit_test(the_bits_are_ignored_in_a_user_namespace_without_the_owner),
	};

	return cmocka_run_group_tests_name("program", tests, set_up, tear_down);
}
