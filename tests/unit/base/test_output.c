/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file is replaced only after the whole result is written. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "base/output.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { NOBODY = 65534 };

static char *root;
static char old_folder[4096];

static int start(void **state)
{
	assert_non_null(getcwd(old_folder, sizeof(old_folder)));
	root = tree_new();
	tree_add(root, "old", "the old result\n");
	return chdir(root);
}

static int finish(void **state)
{
	assert_int_equal(chdir(old_folder), 0);
	tree_remove(root);
	return 0;
}

static size_t count_files(const char *folder)
{
	cleanup_dir DIR *dir = opendir(folder);
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

static void open_output(struct output *o, const char *path, enum output_mode mode)
{
	cleanup_why struct why why = { 0 };

	assert_int_equal(output_open(o, path, mode, -1, &why), 0);
	assert_int_equal(output_begin(o, &why), 0);
	assert_true(fputs("the new result\n", o->stream) >= 0);
}

static void file_write(const char *path, enum output_mode mode)
{
	cleanup_with(output_release) struct output o;
	cleanup_why struct why why = { 0 };

	open_output(&o, path, mode);
	assert_int_equal(output_finish(&o, &why), 0);
}

static void a_file_is_replaced_at_the_end(void **state)
{
	cleanup_with(output_release) struct output o;
	cleanup_why struct why why = { 0 };

	open_output(&o, "old", OUTPUT_REPLACE);
	assert_int_equal(fflush(o.stream), 0);
	check_file("old", "the old result\n");
	assert_int_equal(output_finish(&o, &why), 0);
	check_file("old", "the new result\n");
	assert_int_equal(count_files("."), 1);
}

static void an_unfinished_file_is_removed(void **state)
{
	struct output o;

	open_output(&o, "old", OUTPUT_REPLACE);
	output_release(&o);
	check_file("old", "the old result\n");
	open_output(&o, "new", OUTPUT_REPLACE);
	output_release(&o);
	assert_int_equal(count_files("."), 1);
}

static void checking_does_not_change_the_file(void **state)
{
	cleanup_why struct why why = { 0 };
	struct output o;

	assert_int_equal(output_open(&o, "old", OUTPUT_REPLACE, -1, &why), 0);
	output_release(&o);
	check_file("old", "the old result\n");
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void a_mode_is_kept_and_a_new_file_gets_the_umasks(void **state)
{
	mode_t mask = umask(027);

	assert_int_equal(chmod("old", 0604), 0);
	file_write("old", OUTPUT_REPLACE);
	file_write("new", OUTPUT_REPLACE);
	file_write("appended", OUTPUT_APPEND);
	umask(mask);
	assert_int_equal(mode_of("old"), 0604);
	assert_int_equal(mode_of("new"), 0640);
	assert_int_equal(mode_of("appended"), 0640);
}

static void a_link_is_followed(void **state)
{
	struct stat st;

	tree_add(".", "folder/target", "the old result\n");
	assert_int_equal(symlink("folder/target", "link"), 0);
	file_write("link", OUTPUT_REPLACE);
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	check_file("folder/target", "the new result\n");
	assert_int_equal(count_files("folder"), 1);
}

static void a_link_to_a_missing_file_creates_the_file(void **state)
{
	struct stat st;

	tree_add(".", "folder/other", "");
	assert_int_equal(symlink("folder/target", "link"), 0);
	file_write("link", OUTPUT_REPLACE);
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	check_file("folder/target", "the new result\n");
}

static void appending_keeps_the_old_content(void **state)
{
	file_write("old", OUTPUT_APPEND);
	check_file("old", "the old result\nthe new result\n");
	file_write("new", OUTPUT_APPEND);
	check_file("new", "the new result\n");
}

static void a_device_or_pipe_is_written_to_directly(void **state)
{
	struct stat st;

	file_write("/dev/null", OUTPUT_REPLACE);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

static void a_full_disk_is_reported(void **state)
{
	cleanup_with(output_release) struct output o;
	cleanup_why struct why why = { 0 };

	open_output(&o, "/dev/full", OUTPUT_REPLACE);
	assert_int_equal(output_finish(&o, &why), -ENOSPC);
	assert_string_equal(why_text(&why, -ENOSPC),
			    "cannot write the result to /dev/full: No space left on device");
}

static void a_streamed_write_reports_its_error_at_once(void **state)
{
	cleanup_with(output_release) struct output o;

	open_output(&o, "/dev/full", OUTPUT_AS_IT_COMES);
	assert_int_equal(output_flush(&o), -ENOSPC);
}

static void print(struct output *o, const char *text)
{
	assert_true(fputs(text, o->stream) >= 0);
}

static void intervals_are_written_at_once(void **state)
{
	cleanup_with(output_release) struct output o;
	cleanup_why struct why why = { 0 };

	open_output(&o, "old", OUTPUT_AS_IT_COMES);
	check_file("old", "");
	assert_int_equal(output_flush(&o), 0);
	check_file("old", "the new result\n");
	assert_int_equal(output_flush(&o), 0);
	print(&o, "more\n");
	assert_int_equal(output_flush(&o), 0);
	print(&o, "the end\n");
	assert_int_equal(output_finish(&o, &why), 0);
	check_file("old", "the new result\nmore\nthe end\n");
}

static void what_is_replaced_waits_for_its_end_and_may_begin_again(void **state)
{
	cleanup_with(output_release) struct output o;
	cleanup_why struct why why = { 0 };

	open_output(&o, "old", OUTPUT_REPLACE);
	assert_int_equal(output_flush(&o), 0);
	print(&o, "more\n");
	check_file("old", "the old result\n");
	assert_int_equal(output_finish(&o, &why), 0);
	check_file("old", "the new result\nmore\n");
	assert_int_equal(output_begin(&o, &why), 0);
	print(&o, "short\n");
	assert_int_equal(output_finish(&o, &why), 0);
	check_file("old", "short\n");
	assert_int_equal(count_files("."), 1);
}

/* At the current offset of the caller, without replacing the file. */
static void a_path_of_a_descriptor_is_the_descriptor(void **state)
{
	static const char *const folders[] = { "/dev/fd", "/proc/self/fd" };
	cleanup_fd int fd = open("old", O_WRONLY | O_APPEND);

	for (size_t i = 0; i < N_OF(folders); i++) {
		char path[32];

		snprintf(path, sizeof(path), "%s/%d", folders[i], fd);
		file_write(path, OUTPUT_REPLACE);
	}
	check_file("old", "the old result\nthe new result\nthe new result\n");
}

/* Simulate a full disk by a limit of the file size. */
static void a_result_that_is_not_written_whole_leaves_the_old_file(void **state)
{
	cleanup_why struct why why = { 0 };
	struct rlimit before, limit;
	struct output o;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 4;
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	open_output(&o, "old", OUTPUT_REPLACE);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(output_finish(&o, &why), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	output_release(&o);
	assert_string_equal(why_text(&why, -EFBIG),
			    "cannot write the result to old: File too large");
	check_file("old", "the old result\n");
	assert_int_equal(count_files("."), 1);
}

static const struct {
	int line;
	const char *path;
	enum output_mode mode;
	int error;
	const char *why;
} refused[] = {
	{ ROW, "missing/file", OUTPUT_REPLACE, -ENOENT,
	  "cannot write the result to missing/file: No such file or directory" },
	{ ROW, "missing/file", OUTPUT_APPEND, -ENOENT,
	  "cannot write the result to missing/file: No such file or directory" },
	{ ROW, "folder", OUTPUT_REPLACE, -EISDIR,
	  "cannot write the result to folder: Is a directory" },
	{ ROW, "folder", OUTPUT_APPEND, -EISDIR,
	  "cannot write the result to folder: Is a directory" },
	{ ROW, "old/file", OUTPUT_REPLACE, -ENOTDIR,
	  "cannot write the result to old/file: Not a directory" },
	{ ROW, "", OUTPUT_REPLACE, -ENOENT,
	  "cannot write the result to : No such file or directory" },
};

static void an_unwritable_file_is_reported_before_anything_runs(void **state)
{
	tree_add(".", "folder/other", "");
	for (size_t i = 0; i < N_OF(refused); i++) {
		cleanup_with(output_release) struct output o;
		cleanup_why struct why why = { 0 };

		row_int(&refused[i], output_open(&o, refused[i].path, refused[i].mode, -1, &why),
			refused[i].error);
		row_string(&refused[i], why_text(&why, refused[i].error), refused[i].why);
	}
	assert_int_equal(count_files("."), 2);
}

/* A rename would need only a writable folder. Skipped for root, who may write every file. */
static void a_read_only_file_is_not_replaced(void **state)
{
	static const enum output_mode modes[] = { OUTPUT_REPLACE, OUTPUT_APPEND };
	uid_t user = geteuid();

	assert_int_equal(chmod("old", 0444), 0);
	assert_int_equal(chmod(root, 0777), 0);
	for (size_t i = 0; i < N_OF(modes); i++) {
		cleanup_with(output_release) struct output o;
		cleanup_why struct why why = { 0 };
		int err;

		assert_int_equal(user == 0 ? seteuid(NOBODY) : 0, 0);
		err = output_open(&o, "old", modes[i], -1, &why);
		assert_int_equal(seteuid(user), 0);
		assert_int_equal(err, -EACCES);
		assert_string_equal(why_text(&why, err),
				    "cannot write the result to old: Permission denied");
	}
	check_file("old", "the old result\n");
}

/* A file in a folder that may not be written is written to directly. */
static void a_file_in_a_read_only_folder_is_overwritten(void **state)
{
	cleanup_with(output_release) struct output o;
	cleanup_why struct why why = { 0 };
	uid_t user = geteuid();
	int err;

	assert_int_equal(chmod("old", 0666), 0);
	assert_int_equal(chmod(root, 0555), 0);
	assert_int_equal(user == 0 ? seteuid(NOBODY) : 0, 0);
	err = output_open(&o, "old", OUTPUT_REPLACE, -1, &why);
	assert_int_equal(seteuid(user), 0);
	assert_int_equal(err, 0);
	assert_int_equal(output_begin(&o, &why), 0);
	assert_true(fputs("the new result\n", o.stream) >= 0);
	assert_int_equal(output_finish(&o, &why), 0);
	check_file("old", "the new result\n");
	assert_int_equal(chmod(root, 0755), 0);
}

static void check_is_overwritten(const char *path)
{
	struct stat before, after;

	assert_int_equal(stat(path, &before), 0);
	file_write(path, OUTPUT_REPLACE);
	assert_int_equal(stat(path, &after), 0);
	check_file(path, "the new result\n");
	assert_int_equal(after.st_ino, before.st_ino);
	assert_int_equal(after.st_uid, before.st_uid);
	assert_int_equal(after.st_mode, before.st_mode);
	assert_int_equal(count_files("."), 1);
}

static void a_file_of_another_user_is_overwritten(void **state)
{
	if (geteuid() != 0)
		skip();
	assert_int_equal(chown("old", NOBODY, NOBODY), 0);
	check_is_overwritten("old");
}

/* User 12345 may read (acl(5); layout of linux/posix_acl_xattr.h, little-endian on all machines) */
#define ACL_ENTRY(tag, permissions, id)                                                            \
	tag, 0, permissions, 0, (id)&0xff, (id) >> 8 & 0xff, (id) >> 16 & 0xff, (id) >> 24
static const unsigned char acl[] = { 2,
				     0,
				     0,
				     0,
				     ACL_ENTRY(0x01, 6, UINT32_MAX),
				     ACL_ENTRY(0x02, 4, 12345),
				     ACL_ENTRY(0x04, 0, UINT32_MAX),
				     ACL_ENTRY(0x10, 4, UINT32_MAX),
				     ACL_ENTRY(0x20, 0, UINT32_MAX) };

static void a_file_with_an_acl_is_overwritten(void **state)
{
	static const char name[] = "system.posix_acl_access";
	char kept[sizeof(acl) + 1];

	if (setxattr("old", name, acl, sizeof(acl), 0) < 0) {
		assert_int_equal(errno, EOPNOTSUPP);
		skip();
	}
	check_is_overwritten("old");
	assert_int_equal(getxattr("old", name, kept, sizeof(kept)), sizeof(acl));
	assert_memory_equal(kept, acl, sizeof(acl));
}

/* The default ACL of the folder would let others read what they could not read before. */
static void a_replaced_file_gets_no_acl_of_its_folder(void **state)
{
	if (setxattr(".", "system.posix_acl_default", acl, sizeof(acl), 0) < 0) {
		assert_int_equal(errno, EOPNOTSUPP);
		skip();
	}
	file_write("old", OUTPUT_REPLACE);
	check_file("old", "the new result\n");
	assert_true(getxattr("old", "system.posix_acl_access", NULL, 0) < 0);
	assert_int_equal(errno, ENODATA);
}

static void a_descriptor_is_written_to_and_stays_the_callers(void **state)
{
	cleanup_why struct why why = { 0 };
	int fd = open("new", O_WRONLY | O_CREAT, 0666);
	struct output o;

	assert_true(fd >= 0);
	assert_int_equal(output_open(&o, NULL, OUTPUT_REPLACE, fd, &why), 0);
	assert_int_equal(output_begin(&o, &why), 0);
	assert_true(o.fd > 2);
	assert_true(fcntl(o.fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fputs("the new result\n", o.stream) >= 0);
	assert_int_equal(output_finish(&o, &why), 0);
	output_release(&o);
	assert_int_equal(close(fd), 0);
	check_file("new", "the new result\n");
}

static void a_write_error_of_a_descriptor_is_reported(void **state)
{
	cleanup_with(output_release) struct output closed;
	cleanup_with(output_release) struct output read_only;
	cleanup_why struct why why = { 0 };
	int fd = open("old", O_RDONLY);
	char wanted[100];

	snprintf(wanted, sizeof(wanted),
		 "cannot write the result to descriptor %d: Bad file descriptor", fd);
	assert_int_equal(output_open(&read_only, NULL, OUTPUT_REPLACE, fd, &why), -EBADF);
	assert_string_equal(why_text(&why, -EBADF), wanted);
	assert_int_equal(close(fd), 0);
	assert_int_equal(output_open(&closed, NULL, OUTPUT_REPLACE, fd, &why), -EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_is_replaced_at_the_end, start, finish),
		cmocka_unit_test_setup_teardown(an_unfinished_file_is_removed, start, finish),
		cmocka_unit_test_setup_teardown(checking_does_not_change_the_file, start, finish),
		cmocka_unit_test_setup_teardown(a_mode_is_kept_and_a_new_file_gets_the_umasks,
						start, finish),
		cmocka_unit_test_setup_teardown(a_link_is_followed, start, finish),
		cmocka_unit_test_setup_teardown(a_link_to_a_missing_file_creates_the_file, start,
						finish),
		cmocka_unit_test_setup_teardown(appending_keeps_the_old_content, start, finish),
		cmocka_unit_test_setup_teardown(a_device_or_pipe_is_written_to_directly, start,
						finish),
		cmocka_unit_test_setup_teardown(a_full_disk_is_reported, start, finish),
		cmocka_unit_test_setup_teardown(a_streamed_write_reports_its_error_at_once, start,
						finish),
		cmocka_unit_test_setup_teardown(intervals_are_written_at_once, start, finish),
		cmocka_unit_test_setup_teardown(
			what_is_replaced_waits_for_its_end_and_may_begin_again, start, finish),
		cmocka_unit_test_setup_teardown(a_path_of_a_descriptor_is_the_descriptor, start,
						finish),
		cmocka_unit_test_setup_teardown(
			a_result_that_is_not_written_whole_leaves_the_old_file, start, finish),
		cmocka_unit_test_setup_teardown(an_unwritable_file_is_reported_before_anything_runs,
						start, finish),
		cmocka_unit_test_setup_teardown(a_read_only_file_is_not_replaced, start, finish),
		cmocka_unit_test_setup_teardown(a_file_in_a_read_only_folder_is_overwritten, start,
						finish),
		cmocka_unit_test_setup_teardown(a_file_of_another_user_is_overwritten, start,
						finish),
		cmocka_unit_test_setup_teardown(a_file_with_an_acl_is_overwritten, start, finish),
		cmocka_unit_test_setup_teardown(a_replaced_file_gets_no_acl_of_its_folder, start,
						finish),
		cmocka_unit_test_setup_teardown(a_descriptor_is_written_to_and_stays_the_callers,
						start, finish),
		cmocka_unit_test_setup_teardown(a_write_error_of_a_descriptor_is_reported, start,
						finish),
	};

	return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
