/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing to a file: its links, its group, its old text, and errors. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/output.c" /* for its static functions */
#include "unit/test.h"
#include "unit/tree.h"

enum { NOBODY = 65534, SOME_GROUP = 12345 };

#define NEW_TEXT "the new text, which is longer\n"

static char *root;
static char old_folder[4096];

static int start(void **state)
{
	assert_non_null(getcwd(old_folder, sizeof(old_folder)));
	root = tree_new();
	tree_add(root, "old", "the old text\n");
	return chdir(root);
}

static int finish(void **state)
{
	assert_int_equal(chdir(old_folder), 0);
	tree_remove(root);
	return 0;
}

static size_t count_files(void)
{
	cleanup_dir DIR *dir = opendir(".");
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	return n - 2; /* . and .. */
}

static void check_file(const char *path, const char *expected)
{
	cleanup_free char *text = tree_read(".", path);

	assert_string_equal(text, expected);
}

static struct stat stat_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st;
}

static int replace(const char *path)
{
	return output_replace(path, NEW_TEXT, strlen(NEW_TEXT));
}

static void another_hard_link_keeps_the_old_text(void **state)
{
	assert_int_equal(link("old", "other"), 0);
	assert_int_equal(replace("old"), 0);
	check_file("old", NEW_TEXT);
	check_file("other", "the old text\n");
}

static void a_file_with_the_longest_name_is_replaced(void **state)
{
	char name[256];

	memset(name, 'x', 255);
	name[255] = '\0';
	for (int i = 0; i < 2; i++)
		assert_int_equal(replace(name), 0);
	check_file(name, NEW_TEXT);
	assert_int_equal(count_files(), 2);
}

/* The name may belong to a pstat that was killed, or to another one that runs now. */
static void a_temporary_name_in_use_is_not_touched(void **state)
{
	char name[64];

	snprintf(name, sizeof(name), ".pstat-%d-0", getpid());
	tree_add(".", name, "another's\n");
	assert_int_equal(replace("old"), 0);
	check_file("old", NEW_TEXT);
	check_file(name, "another's\n");
	assert_int_equal(count_files(), 2);
}

static void a_new_file_in_a_set_gid_folder_has_its_group(void **state)
{
	if (geteuid() != 0)
		skip();
	assert_int_equal(chown(".", 0, SOME_GROUP), 0);
	assert_int_equal(chmod(".", 02755), 0);
	assert_int_equal(replace("old"), 0);
	assert_int_equal(replace("new"), 0);
	assert_int_equal(stat_of("old").st_gid, 0);
	assert_int_equal(stat_of("new").st_gid, SOME_GROUP);
}

/* After a rename, the members of the old group could no longer use the file. */
static void a_file_whose_group_cannot_be_given_is_overwritten(void **state)
{
	struct stat before, after;
	int err;

	if (geteuid() != 0)
		skip();
	assert_int_equal(chown(".", NOBODY, NOBODY), 0);
	assert_int_equal(chown("old", NOBODY, SOME_GROUP), 0);
	assert_int_equal(chmod("old", 0660), 0);
	before = stat_of("old");
	assert_int_equal(setegid(NOBODY), 0);
	assert_int_equal(seteuid(NOBODY), 0);
	err = replace("old");
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(setegid(0), 0);
	assert_int_equal(err, 0);
	after = stat_of("old");
	assert_int_equal(after.st_ino, before.st_ino);
	assert_int_equal(after.st_gid, SOME_GROUP);
	assert_int_equal(after.st_mode & 07777, 0660);
	check_file("old", NEW_TEXT);
	assert_int_equal(count_files(), 1);
}

static void a_removed_folder_is_an_error(void **state)
{
	assert_int_equal(replace("gone/file"), -ENOENT);
}

static void a_special_file_is_not_replaced(void **state)
{
	assert_int_equal(symlink("/dev/full", "link"), 0);
	assert_int_equal(replace("link"), -EPERM);
	assert_int_equal(mkdir("folder", 0755), 0);
	assert_int_equal(replace("folder"), -EISDIR);
}

static void an_overwritten_file_has_the_new_text_alone(void **state)
{
	cleanup_fd int fd = open("old", O_RDWR);

	assert_int_equal(output_overwrite(fd, NEW_TEXT, strlen(NEW_TEXT)), 0);
	check_file("old", NEW_TEXT);
	assert_int_equal(output_overwrite(fd, "short\n", 6), 0);
	check_file("old", "short\n");
	assert_int_equal(output_overwrite(fd, "", 0), 0);
	check_file("old", "");
}

static int with_limit(rlim_t size, int (*function)(int, const char *, size_t), int fd)
{
	struct rlimit before, limit;
	int err;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = size;
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	err = function(fd, NEW_TEXT, strlen(NEW_TEXT));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	return err;
}

/* An incomplete row is removed, so the next text follows the row before it. */
static void an_incomplete_append_is_undone(void **state)
{
	static const int flags[] = { O_APPEND, 0 };

	for (size_t i = 0; i < N_OF(flags); i++) {
		cleanup_fd int fd = open("old", O_WRONLY | O_TRUNC | flags[i]);

		assert_int_equal(output_append(fd, "before\n", 7), 0);
		assert_int_equal(with_limit(12, output_append, fd), -EFBIG);
		check_file("old", "before\n");
		assert_int_equal(output_append(fd, "behind\n", 7), 0);
		check_file("old", "before\nbehind\n");
	}
}

/* Text of other programs stays. */
static void an_incomplete_append_before_other_text_stays(void **state)
{
	cleanup_fd int fd = open("old", O_WRONLY);

	assert_int_equal(with_limit(5, output_append, fd), -EFBIG);
	check_file("old", "the nld text\n");
}

static void only_regular_files_are_synced(void **state)
{
	cleanup_fd int null = open("/dev/null", O_WRONLY);
	cleanup_fd int old = open("old", O_WRONLY);
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(output_sync(ends[1]), 0);
	assert_int_equal(output_sync(null), 0);
	assert_int_equal(output_sync(old), 0);
	close(ends[0]);
	close(ends[1]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

enum { MORE_THAN_A_PIPE_HOLDS = 300000 };

static size_t read_all(int fd)
{
	char part[4096];
	size_t all = 0;
	ssize_t n;

	while ((n = read(fd, part, sizeof(part))) > 0)
		all += (size_t)n;
	return all;
}

/* Standard error does not block if another program has changed the pipe or terminal. */
static void a_full_nonblocking_descriptor_is_waited_for(void **state)
{
	cleanup_free char *text = calloc(1, MORE_THAN_A_PIPE_HOLDS);
	int ends[2], status;
	size_t written;
	pid_t reader;

	assert_non_null(text);
	assert_int_equal(pipe(ends), 0);
	reader = fork();
	if (reader == 0) {
		close(ends[1]);
		usleep(50000);
		_exit(read_all(ends[0]) != MORE_THAN_A_PIPE_HOLDS);
	}
	close(ends[0]);
	assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(file_write(ends[1], text, MORE_THAN_A_PIPE_HOLDS, &written), 0);
	assert_int_equal(written, MORE_THAN_A_PIPE_HOLDS);
	close(ends[1]);
	assert_int_equal(waitpid(reader, &status, 0), reader);
	assert_int_equal(status, 0);
}

static void an_error_has_the_number_of_bytes_written(void **state)
{
	cleanup_fd int full = open("/dev/full", O_WRONLY);
	size_t written = 1;
	int ends[2];

	assert_int_equal(file_write(full, "text", 4, &written), -ENOSPC);
	assert_int_equal(written, 0);
	assert_int_equal(file_write(-1, "text", 4, NULL), -EBADF);
	assert_int_equal(file_write(-1, "", 0, &written), 0);

	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	assert_true(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	assert_int_equal(file_write(ends[1], "text", 4, &written), -EPIPE);
	close(ends[1]);
}

static void the_folder_precedes_the_last_component(void **state)
{
	static const struct {
		const char *path;
		const char *folder;
		const char *word;
	} cases[] = {
		{ "a", ".", "a" },	    { "./a", "./", "a" },   { "/a", "/", "a" },
		{ "a/b/c", "a/b/", "c" },   { "a//b", "a//", "b" }, { "a/", "a/", "" },
		{ "../a.b", "../", "a.b" }, { "", ".", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_free char *folder = file_folder(cases[i].path);

		assert_string_equal(folder, cases[i].folder);
		assert_string_equal(cases[i].path + file_folder_length(cases[i].path),
				    cases[i].word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(another_hard_link_keeps_the_old_text),
		TEST(a_file_with_the_longest_name_is_replaced),
		TEST(a_temporary_name_in_use_is_not_touched),
		TEST(a_new_file_in_a_set_gid_folder_has_its_group),
		TEST(a_file_whose_group_cannot_be_given_is_overwritten),
		TEST(a_removed_folder_is_an_error),
		TEST(a_special_file_is_not_replaced),
		TEST(an_overwritten_file_has_the_new_text_alone),
		TEST(an_incomplete_append_is_undone),
		TEST(an_incomplete_append_before_other_text_stays),
		TEST(only_regular_files_are_synced),
		cmocka_unit_test(a_full_nonblocking_descriptor_is_waited_for),
		cmocka_unit_test(an_error_has_the_number_of_bytes_written),
		cmocka_unit_test(the_folder_precedes_the_last_component),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
