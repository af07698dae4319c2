/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text stays in memory until one write(2) writes all of it, if possible. Results that several
 * processes write to one file therefore do not mix, and an error keeps its errno.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "base/why.h"
#include "base/output.h"

int output_failed(const struct output *o, int err, struct why *why)
{
	if (o->name)
		return why_set(why, err, "cannot write the result to %s: %s", o->name,
			       strerror(-err));
	return why_set(why, err, "cannot write the result to descriptor %d: %s", o->log_fd,
		       strerror(-err));
}

/*
 * The descriptor that the path names, or -1. open(2) of such a path would start at the beginning of
 * a file that the caller has already written to. For a socket, open(2) would fail.
 */
static int named_descriptor(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t fd;

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		const char *number = path + strlen(folders[i]);

		if (strncmp(path, folders[i], strlen(folders[i])) == 0 &&
		    num_parse(number, strlen(number), &fd) == 0 && fd <= INT_MAX)
			return (int)fd;
	}
	return -1;
}

/*
 * Whether rename(2) can replace the file at the path without changing its owner and its ACL
 * (acl(5)). The path may not exist yet.
 */
static bool is_replaceable(const char *path)
{
	cleanup_free char *folder = file_folder(path);
	struct stat st;
	bool there = stat(path, &st) == 0;

	if (there && !S_ISREG(st.st_mode))
		return false; /* a terminal, a pipe, /dev/null */
	if (there &&
	    (st.st_uid != geteuid() || getxattr(path, "system.posix_acl_access", NULL, 0) > 0))
		return false;
	if (!there && lstat(path, &st) == 0)
		return false; /* a dangling link: open(2) creates its target */
	return folder && faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
}

/* Open the file until the output ends, and record whether this created it. */
static int open_now(struct output *o, const char *path)
{
	const int flags =
		O_WRONLY | O_CREAT | O_CLOEXEC | (o->mode == OUTPUT_APPEND ? O_APPEND : 0);

	o->is_ours = true;
	o->fd = open(path, flags | O_EXCL, FILE_NEW_MODE);
	o->created = o->fd >= 0;
	if (o->fd < 0 && errno == EEXIST)
		o->fd = open(path, flags, FILE_NEW_MODE);
	return o->fd < 0 ? -errno : 0;
}

static int open_file(struct output *o, const char *path)
{
	bool there = access(path, F_OK) == 0;
	bool overwritten = o->mode == OUTPUT_OVERWRITE && there;
	bool replaced;

	if (o->mode == OUTPUT_OVERWRITE)
		o->mode = OUTPUT_REPLACE; /* at the end, but into the file that is open */
	replaced = o->mode == OUTPUT_REPLACE && !overwritten && is_replaceable(path);

	if (path[0] == '\0')
		return -ENOENT;
	if (replaced && there) {
		/* rename(2) also replaces a read-only file, so check the write permission */
		cleanup_fd int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

		return fd < 0 ? -errno : 0;
	}
	return replaced ? 0 : open_now(o, path); /* no file is created before the end */
}

/*
 * Write at the current offset of the descriptor; the rest of the file does not change. If it
 * appends to a regular file, reopen the file: all programs that inherited the descriptor would
 * share a lock on it, and would not wait for each other.
 */
static int copy_descriptor(struct output *o, int fd)
{
	int flags = fcntl(fd, F_GETFL);
	char path[32];
	struct stat st;

	o->mode = OUTPUT_APPEND;
	if (flags >= 0 && (flags & O_APPEND) && (flags & O_ACCMODE) != O_RDONLY &&
	    fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		o->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	}
	if (o->fd < 0)
		o->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (o->fd >= 0 && (flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	return o->fd < 0 ? -errno : 0;
}

bool output_names_descriptor(const char *path)
{
	return named_descriptor(path) >= 0;
}

int output_open(struct output *o, const char *path, enum output_mode mode, int fd, struct why *why)
{
	int named = path ? named_descriptor(path) : -1;
	int err;

	*o = (struct output){ .fd = -1, .mode = mode, .log_fd = fd, .name = path };
	if (!path && fd == STDERR_FILENO)
		o->name = "standard error";
	if (!path && fd == STDOUT_FILENO)
		o->name = "standard output";
	if (path && named < 0)
		err = open_file(o, path);
	else
		err = copy_descriptor(o, path ? named : fd);
	return err < 0 ? output_failed(o, err, why) : 0;
}

int output_begin(struct output *o, struct why *why)
{
	if (o->mode == OUTPUT_AS_IT_COMES && ftruncate(o->fd, 0) < 0 &&
	    errno != EINVAL) /* a device cannot be truncated */
		return output_failed(o, -errno, why);
	o->stream = open_memstream(&o->text, &o->len);
	return o->stream ? 0 : output_failed(o, -errno, why);
}

/* ---- Several processes that append to one file. */

/* Whether the path still names the open file. */
static bool is_in_place(const struct output *o)
{
	struct stat opened, named;

	return fstat(o->fd, &opened) == 0 && stat(o->name, &named) == 0 &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

enum { REPLACED_MAX = 10 }; /* attempts to lock a file that others replace or remove */

int output_lock(struct output *o, unsigned int wait_ms)
{
	struct stat st;
	int err = 0;

	if (o->mode != OUTPUT_APPEND || fstat(o->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	for (size_t i = 0; err == 0 && i < REPLACED_MAX; i++) {
		file_lock(o->fd, F_WRLCK, wait_ms);
		if (!o->is_ours || is_in_place(o))
			break;
		close(take_fd(&o->fd));
		err = open_now(o, o->name);
	}
	return err;
}

bool output_is_continued(const struct output *o)
{
	struct stat st;

	return o->fd >= 0 && fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	       (fcntl(o->fd, F_GETFL) & O_APPEND);
}

/* If open_now() created the file and it is still empty, remove it. A process that has opened it by
 * then notices in output_lock() that the path no longer names it. */
static void remove_unused(struct output *o)
{
	struct stat st;

	if (!o->created || output_lock(o, FILE_LOCK_MS) < 0)
		return;
	if (is_in_place(o) && fstat(o->fd, &st) == 0 && st.st_size == 0)
		unlink(o->name);
	o->created = false;
}

/* ---- The text. */

/* Make o->text complete. */
static int collect(struct output *o)
{
	if (fflush(o->stream) == EOF)
		return -errno;
	return ferror(o->stream) ? -ENOMEM : 0;
}

static int flush_within(struct output *o, unsigned int wait_ms)
{
	int err;

	if (o->mode == OUTPUT_REPLACE)
		return 0;
	err = collect(o);
	if (err == 0)
		err = output_lock(o, wait_ms);
	if (err == 0)
		err = file_append(o->fd, o->text, o->len);
	if (err == 0 && o->len > 0)
		o->created = false;
	if (o->mode == OUTPUT_APPEND)
		file_lock(o->fd, F_UNLCK, 0);
	rewind(o->stream);
	return err;
}

int output_flush(struct output *o)
{
	return flush_within(o, FILE_LOCK_INTERVAL_MS);
}

static void drop_text(struct output *o)
{
	if (o->stream)
		fclose(take_ptr(o->stream));
	free(take_ptr(o->text));
}

int output_finish(struct output *o, struct why *why)
{
	int err = o->mode == OUTPUT_REPLACE ? collect(o) : flush_within(o, FILE_LOCK_MS);

	if (o->mode == OUTPUT_REPLACE && err == 0)
		err = o->fd < 0 ? file_replace(o->name, o->text, o->len) :
				  file_overwrite(o->fd, o->text, o->len);
	drop_text(o);
	if (o->mode != OUTPUT_REPLACE) {
		int synced = o->is_ours ? file_sync(o->fd) : 0;

		if (err == 0)
			err = synced;
		remove_unused(o);
		/* a network file system may report a write error only now */
		if (close(take_fd(&o->fd)) < 0 && err == 0)
			err = -errno;
	}
	return err < 0 ? output_failed(o, err, why) : 0;
}

void output_release(struct output *o)
{
	drop_text(o);
	remove_unused(o);
	if (o->fd >= 0)
		close(o->fd);
	*o = (struct output){ .fd = -1 };
}
