/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cgroup hierarchies in folders that the test creates. No cgroups need to be mounted. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/cgroup.h"
#include "unit/test.h"
#include "unit/tree.h"

#define V1_CPU "cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu,cpuacct 0 0\n"
#define V1_PERF "cgroup /sys/fs/cgroup/perf_event cgroup rw,nosuid,perf_event 0 0\n"
#define V2 "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nsdelegate 0 0\n"
#define HYBRID "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n"
#define OTHERS "/dev/sda1 / ext4 rw 0 0\nbroken\n\ncgroup /sys/fs/cgroup tmpfs rw,perf_event 0 0\n"

enum { NOBODY = 65534 }; /* a user who is not root */

static struct machine machine;

static int start(void **state)
{
	machine.root = tree_new();
	return 0;
}

static int finish(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static void mounted(const char *mounts)
{
	tree_add(machine.root, "proc/self/mounts", mounts);
}

/* Create a cgroup with the files that each cgroup has. path is below sys/fs/cgroup/. */
static void add(const char *path)
{
	cleanup_str struct str file = { 0 };

	str_addf(&file, "sys/fs/cgroup/%s/cgroup.procs", path);
	tree_add(machine.root, str_text(&file), "");
}

/* Check that name opens the cgroup at path, which is below sys/fs/cgroup/. */
static void check_opened(int line, const char *name, const char *path)
{
	const struct {
		int line;
	} row = { line };
	cleanup_str struct str full = { 0 };
	cleanup_why struct why why = { 0 };
	cleanup_fd int fd = cgroup_open(&machine, name, &why);
	struct stat opened, expected;

	if (fd < 0)
		fail_msg("line %d: %s", line, why_text(&why, fd));
	str_addf(&full, "%s/sys/fs/cgroup/%s", machine.root, path);
	row_int(&row, stat(str_text(&full), &expected), 0);
	row_int(&row, fstat(fd, &opened), 0);
	row_true(&row, opened.st_ino == expected.st_ino && opened.st_dev == expected.st_dev);
}

static void check_refused(int line, const char *name, int err, const char *text)
{
	const struct {
		int line;
	} row = { line };
	cleanup_why struct why why = { 0 };

	row_int(&row, cgroup_open(&machine, name, &why), err);
	row_string(&row, why_text(&why, err), text);
}

static void a_cgroup_is_found_by_its_path(void **state)
{
	mounted(OTHERS V2);
	add("system.slice/foo.service");
	add("a/b/c");
	check_opened(__LINE__, "/", "");
	check_opened(__LINE__, "", "");
	check_opened(__LINE__, "a", "a");
	check_opened(__LINE__, "/a", "a");
	check_opened(__LINE__, "a/", "a");
	check_opened(__LINE__, "/a/b/c", "a/b/c");
	check_opened(__LINE__, "a/./b//c", "a/b/c");
	check_opened(__LINE__, "system.slice/foo.service", "system.slice/foo.service");
	check_opened(__LINE__, "/sys/fs/cgroup", "");
	check_opened(__LINE__, "/sys/fs/cgroup/a/b", "a/b");
	/* a cgroup below the mount point has precedence */
	add("sys/fs/cgroup/a/b");
	check_opened(__LINE__, "/sys/fs/cgroup/a/b", "sys/fs/cgroup/a/b");
}

static void the_hierarchy_of_perf_event_comes_before_version_2(void **state)
{
	static const struct {
		int line;
		const char *mounts, *opened;
	} rows[] = {
		{ ROW, OTHERS V1_CPU V1_PERF, "perf_event/a" },
		{ ROW, V1_PERF V1_CPU, "perf_event/a" },
		{ ROW, V1_CPU V1_PERF HYBRID, "perf_event/a" },
		{ ROW, HYBRID V1_CPU V1_PERF, "perf_event/a" },
		{ ROW, V1_CPU HYBRID, "unified/a" },
		{ ROW, "n /sys/fs/cgroup/net,perf cgroup rw,net_cls,perf_event 0 0\n",
		  "net,perf/a" },
		{ ROW, HYBRID "n /sys/fs/cgroup/odd\\040\\134name cgroup perf_event,rw 0 0\n",
		  "odd \\name/a" },
		/* the first of two mounts of the same kind */
		{ ROW, HYBRID V2, "unified/a" },
		{ ROW, "n /sys/fs/cgroup/cpu cgroup rw,perf_events 0 0\n" HYBRID, "unified/a" },
	};

	add("cpu/a");
	add("perf_event/a");
	add("unified/a");
	add("net,perf/a");
	add("odd \\name/a");
	for (size_t i = 0; i < N_OF(rows); i++) {
		mounted(rows[i].mounts);
		check_opened(rows[i].line, "a", rows[i].opened);
	}
}

static void any_number_of_mounts_is_read(void **state)
{
	cleanup_str struct str mounts = { 0 };

	for (int i = 0; i < 5000; i++)
		str_addf(&mounts, "overlay /var/lib/containers/%d/merged overlay rw 0 0\n", i);
	str_add(&mounts, V2);
	mounted(str_text(&mounts));
	add("a");
	check_opened(__LINE__, "a", "a");
}

static void a_cgroup_that_cannot_be_opened_is_explained(void **state)
{
	mounted(V1_CPU V1_PERF HYBRID);
	add("cpu/only/here");
	add("perf_event/a");
	add("unified/new");
	check_refused(__LINE__, "gone", -ENOENT,
		      "there is no cgroup 'gone' in /sys/fs/cgroup/perf_event");
	check_refused(__LINE__, "a/gone", -ENOENT,
		      "there is no cgroup 'a/gone' in /sys/fs/cgroup/perf_event");
	check_refused(__LINE__, "only/here", -ENOENT,
		      "cgroup 'only/here' is in /sys/fs/cgroup/cpu, but perf events use the "
		      "cgroups in /sys/fs/cgroup/perf_event");
	check_refused(__LINE__, "/sys/fs/cgroup/cpu/only", -ENOENT,
		      "cgroup '/sys/fs/cgroup/cpu/only' is in /sys/fs/cgroup/cpu, but perf events "
		      "use the cgroups in /sys/fs/cgroup/perf_event");
	check_refused(__LINE__, "/new", -ENOENT,
		      "cgroup '/new' is in /sys/fs/cgroup/unified, but perf events use the "
		      "cgroups in /sys/fs/cgroup/perf_event");
	check_refused(__LINE__, "/sys/fs/cgroup/perf_event_too", -ENOENT,
		      "there is no cgroup '/sys/fs/cgroup/perf_event_too' in "
		      "/sys/fs/cgroup/perf_event");
	check_refused(__LINE__, "a/cgroup.procs", -ENOTDIR,
		      "'a/cgroup.procs' in /sys/fs/cgroup/perf_event is a file, not a cgroup");
	check_refused(__LINE__, "a/../a", -EINVAL,
		      "cgroup 'a/../a': a cgroup name cannot contain '..'");
	check_refused(__LINE__, "..", -EINVAL, "cgroup '..': a cgroup name cannot contain '..'");
	check_refused(__LINE__, "..a", -ENOENT,
		      "there is no cgroup '..a' in /sys/fs/cgroup/perf_event");
}

static void an_unreadable_cgroup_is_explained(void **state)
{
	cleanup_str struct str path = { 0 };

	mounted(V2);
	add("a");
	str_addf(&path, "%s/sys/fs/cgroup/a", machine.root);
	assert_int_equal(chmod(str_text(&path), 0), 0);
	assert_int_equal(chmod(machine.root, 0755), 0);
	if (geteuid() == 0 && seteuid(NOBODY) < 0)
		skip(); /* root may read everything */
	check_refused(__LINE__, "a", -EACCES, "cgroup 'a' in /sys/fs/cgroup: Permission denied");
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod(str_text(&path), 0700), 0);
}

static void without_cgroups_the_message_has_a_remedy(void **state)
{
	static const char none[] =
		"no cgroup hierarchy is mounted; run mount -t cgroup2 none /sys/fs/cgroup";

	add("a");
	check_refused(__LINE__, "a", -ENOENT, none);
	mounted("");
	check_refused(__LINE__, "a", -ENOENT, none);
	mounted(OTHERS);
	check_refused(__LINE__, "a", -ENOENT, none);
	mounted(V1_CPU);
	check_refused(__LINE__, "a", -ENOENT,
		      "no mounted cgroup hierarchy supports perf events; run mount -t cgroup -o "
		      "perf_event none DIR");
}

static void add_nested(void)
{
	mounted(V2);
	add("system.slice/ssh.service");
	add("system.slice/cron.service");
	add("user.slice/user-1000.slice/session-2.scope");
	add("user.slice/user-1000.slice/session-10.scope");
	add("a(b");
	add(".hidden");
}

/* items: separated by blanks */
static int match(const char *text, struct str_list *names, struct why *why)
{
	cleanup_str_list struct str_list items = { 0 }, unmatched = { 0 };

	assert_int_equal(str_list_split(&items, text, ' '), 0);
	return cgroup_match(&machine, &items, names, &unmatched, why);
}

static void patterns_match_parts_of_paths(void **state)
{
	static const struct {
		int line;
		const char *items, *names; /* in the order of the alphabet */
	} rows[] = {
		{ ROW, "service$", "system.slice/cron.service system.slice/ssh.service" },
		{ ROW, "^system",
		  "system.slice system.slice/cron.service "
		  "system.slice/ssh.service" },
		{ ROW, "^system[^/]*$", "system.slice" },
		{ ROW, "session-[0-9]*",
		  "user.slice/user-1000.slice/session-2.scope "
		  "user.slice/user-1000.slice/session-10.scope" },
		{ ROW, "(", "a(b" }, /* a basic regular expression */
		{ ROW, "^a(b$", "a(b" },
		{ ROW, "^\\(a\\|user\\).\\{2,6\\}$", "a(b user.slice" },
		{ ROW, "hid*en", ".hidden" },
		{ ROW, "^[./].*", ".hidden" }, /* not the topmost one */
		/* if one item is a pattern, all are, and each cgroup is selected once */
		{ ROW, "ssh ^system cron",
		  "system.slice system.slice/cron.service "
		  "system.slice/ssh.service" },
		{ ROW, "^gone hid", ".hidden" },
		/* not a pattern: the name itself, even if there is no such cgroup */
		{ ROW, "system.slice", "system.slice" },
		{ ROW, "/system.slice/ssh.service", "/system.slice/ssh.service" },
		{ ROW, "gone", "gone" },
		{ ROW, "b a b", "b a b" },
		{ ROW, "", "/" },
	};

	add_nested();
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str_list struct str_list names = { 0 };
		cleanup_str struct str found = { 0 };
		cleanup_why struct why why = { 0 };
		int err = match(rows[i].items, &names, &why);

		if (err < 0)
			fail_msg("line %d: %s", rows[i].line, why_text(&why, err));
		if (strpbrk(rows[i].items, "^[(*$"))
			str_list_sort(&names);
		for (size_t j = 0; j < names.n; j++)
			str_addf(&found, "%s%s", j ? " " : "", names.v[j]);
		row_string(&rows[i], str_text(&found), rows[i].names);
	}
}

static bool is_below(const char *name, const char *ancestor)
{
	size_t n = strlen(ancestor);

	return strncmp(name, ancestor, n) == 0 && name[n] == '/';
}

/* A cgroup is followed by all its descendants. */
static void a_cgroup_stands_before_its_descendants(void **state)
{
	cleanup_str_list struct str_list names = { 0 };
	cleanup_why struct why why = { 0 };
	size_t below = 0;

	add_nested();
	assert_int_equal(match(".*", &names, &why), 0);
	for (size_t i = 0; i < names.n; i++) {
		size_t end = i + 1;

		while (end < names.n && is_below(names.v[end], names.v[i]))
			end++;
		below += end - i - 1;
		for (size_t j = 0; j < names.n; j++)
			assert_true((j > i && j < end) || !is_below(names.v[j], names.v[i]));
	}
	assert_true(below > 4);
}

static void a_pattern_that_matches_nothing_is_refused(void **state)
{
	static const struct {
		int line;
		const char *item;
		int err;
		const char *why;
	} rows[] = {
		{ ROW, "^gone$", -ENOENT, "no cgroup in /sys/fs/cgroup matches '^gone$'" },
		{ ROW, "^gone$ also", -ENOENT,
		  "no cgroup in /sys/fs/cgroup matches '^gone$' or 'also'" },
		{ ROW, "procs$", -ENOENT, "no cgroup in /sys/fs/cgroup matches 'procs$'" },
		{ ROW, "a[", -EINVAL, "'a[' is not a regular expression: " },
		{ ROW, "\\(\\(\\(a\\{255\\}\\)\\{255\\}\\)\\{255\\}\\)", -E2BIG,
		  "this regular expression is too long: more than 4096 characters" },
		{ ROW, "\\(a\\{1,255\\}\\)\\{,255\\}", -E2BIG,
		  "this regular expression is too long: more than 4096 characters" },
		{ ROW, "a\\{99999999999999999999\\}", -E2BIG,
		  "this regular expression is too long: more than 4096 characters" },
	};

	add_nested();
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str_list struct str_list names = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i], match(rows[i].item, &names, &why), rows[i].err);
		row_int(&rows[i], names.n, 0);
		if (strncmp(why_text(&why, 0), rows[i].why, strlen(rows[i].why)) != 0)
			row_string(&rows[i], why_text(&why, 0), rows[i].why);
	}
}

/* glibc's regcomp() would run out of stack. */
static void a_pattern_with_many_groups_is_refused(void **state)
{
	cleanup_str_list struct str_list names = { 0 };
	cleanup_str struct str pattern = { 0 };
	cleanup_why struct why why = { 0 };

	add_nested();
	for (int i = 0; i < 50000; i++)
		str_add(&pattern, "\\(");
	assert_int_equal(match(str_text(&pattern), &names, &why), -E2BIG);
	assert_int_equal(names.n, 0);
}

static void names_are_appended(void **state)
{
	cleanup_str_list struct str_list names = { 0 };
	cleanup_why struct why why = { 0 };

	add_nested();
	assert_int_equal(match("x", &names, &why), 0);
	assert_int_equal(match("^system.slice$", &names, &why), 0);
	assert_int_equal(match("^gone", &names, &why), -ENOENT);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.v[0], "x");
	assert_string_equal(names.v[1], "system.slice");
}

static void links_are_not_followed_and_depth_has_no_limit(void **state)
{
	cleanup_str struct str deep = { 0 };
	cleanup_str struct str link = { 0 };
	cleanup_str_list struct str_list names = { 0 };
	cleanup_why struct why why = { 0 };

	mounted(V2);
	str_add(&deep, "d");
	for (int i = 0; i < 200; i++)
		str_addf(&deep, "/%d", i);
	add(str_text(&deep));
	str_addf(&link, "%s/sys/fs/cgroup/d/round", machine.root);
	assert_int_equal(symlink("..", str_text(&link)), 0);
	assert_int_equal(match(".*", &names, &why), 0);
	assert_int_equal(names.n, 201);
	assert_string_equal(names.v[0], "d");
	assert_string_equal(names.v[200], str_text(&deep));
}

static void without_cgroups_no_pattern_matches(void **state)
{
	cleanup_str_list struct str_list names = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(match(".*", &names, &why), -ENOENT);
	assert_string_equal(
		why_text(&why, 0),
		"no cgroup hierarchy is mounted; run mount -t cgroup2 none /sys/fs/cgroup");
	mounted(V2);
	assert_int_equal(match(".*", &names, &why), -ENOENT);
	assert_string_equal(why_text(&why, 0), "/sys/fs/cgroup: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_cgroup_is_found_by_its_path, start, finish),
		cmocka_unit_test_setup_teardown(the_hierarchy_of_perf_event_comes_before_version_2,
						start, finish),
		cmocka_unit_test_setup_teardown(any_number_of_mounts_is_read, start, finish),
		cmocka_unit_test_setup_teardown(a_cgroup_that_cannot_be_opened_is_explained, start,
						finish),
		cmocka_unit_test_setup_teardown(an_unreadable_cgroup_is_explained, start, finish),
		cmocka_unit_test_setup_teardown(without_cgroups_the_message_has_a_remedy, start,
						finish),
		cmocka_unit_test_setup_teardown(patterns_match_parts_of_paths, start, finish),
		cmocka_unit_test_setup_teardown(a_cgroup_stands_before_its_descendants, start,
						finish),
		cmocka_unit_test_setup_teardown(a_pattern_that_matches_nothing_is_refused, start,
						finish),
		cmocka_unit_test_setup_teardown(a_pattern_with_many_groups_is_refused, start,
						finish),
		cmocka_unit_test_setup_teardown(names_are_appended, start, finish),
		cmocka_unit_test_setup_teardown(links_are_not_followed_and_depth_has_no_limit,
						start, finish),
		cmocka_unit_test_setup_teardown(without_cgroups_no_pattern_matches, start, finish),
	};

	return cmocka_run_group_tests_name("cgroup", tests, NULL, NULL);
}
