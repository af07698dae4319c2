/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text stays in memory until one write(2) writes all of it, if possible. Results that several
 * processes write to one file therefore do not mix, and an error keeps its errno.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "base/why.h"
#include "base/output.h"

/* The mode of a new file. The umask or the default ACL of the folder removes bits from it. */
enum { NEW_MODE = 0666 };

enum { NAMES_TRIED = 100 };

/* ---- Writing a text. Each function returns 0 or -errno. */

static bool output_is_plain(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISREG(st->st_mode);
}

/*
 * Wait until the content of a regular file is on the disk. Does nothing for other kinds of files.
 */
static int output_sync(int fd)
{
	struct stat st;

	while (output_is_plain(fd, &st) && fsync(fd) < 0) {
		if (errno == EINVAL || errno == EOPNOTSUPP)
			break; /* a file system that is not on a disk */
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

/*
 * Write text at the current offset of the descriptor. After an error, the incomplete text is
 * removed from a regular file, unless other text follows it.
 */
static int output_append(int fd, const char *text, size_t n)
{
	size_t written;
	int err = file_write(fd, text, n, &written);
	struct stat st;
	off_t end;

	if (err == 0 || written == 0 || !output_is_plain(fd, &st))
		return err;
	end = lseek(fd, 0, SEEK_CUR);
	/* Remove the incomplete text: the error message may fit in its place. */
	if (end == st.st_size && ftruncate(fd, end - (off_t)written) == 0)
		lseek(fd, -(off_t)written, SEEK_CUR);
	return err;
}

/*
 * Make text the whole content of an open regular file, or write it to any other kind of file. If
 * the file system can reserve space, -ENOSPC is returned before the old content changes; so is
 * -EFBIG if a resource limit forbids the size.
 */
static int output_overwrite(int fd, const char *text, size_t n)
{
	struct rlimit limit; /* of the shell's `ulimit -f` */
	struct stat st;
	size_t written;
	int err;

	if (!output_is_plain(fd, &st))
		return file_write(fd, text, n, NULL);
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    n > limit.rlim_cur)
		return -EFBIG;
	file_lock(fd, F_WRLCK, FILE_LOCK_MS);
	if ((n > 0 && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)n) < 0 &&
	     (errno == ENOSPC || errno == EDQUOT || errno == EIO)) ||
	    lseek(fd, 0, SEEK_SET) < 0) {
		err = -errno;
	} else {
		err = file_write(fd, text, n, &written);
		if (ftruncate(fd, (off_t)written) < 0 && err == 0)
			err = -errno;
		if (err == 0)
			err = output_sync(fd);
	}
	file_lock(fd, F_UNLCK, 0);
	return err;
}

/*
 * Create a file next to target. Its name is short, because the name of the target may have the
 * maximum length. *name is owned by the caller, or NULL. Returns the descriptor, or -errno.
 */
static int output_open_temporary(const char *target, mode_t mode, char **name)
{
	for (int i = 0; i < NAMES_TRIED; i++) {
		int fd;

		free(*name);
		if (asprintf(name, "%.*s.pstat-%d-%d", (int)file_folder_length(target), target,
			     getpid(), i) < 0) {
			*name = NULL;
			return -ENOMEM;
		}
		fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			return fd < 0 ? -errno : fd;
	}
	return -EEXIST;
}

/* Write a new file, and give it the name of the old one and its group and permissions. */
static int output_write_and_rename(const char *target, const char *text, size_t n)
{
	cleanup_free char *name = NULL;
	struct stat old;
	bool there = stat(target, &old) == 0;
	/* a result is not a program: no set-user-ID and set-group-ID */
	mode_t mode = there ? old.st_mode & 0777 : NEW_MODE;
	int fd = output_open_temporary(target, mode, &name);
	int err = 0;

	if (fd < 0)
		return fd;
	/* the default ACL of the folder must not let others read what they could not read before */
	if (there && fremovexattr(fd, "system.posix_acl_access") < 0 && errno != ENODATA &&
	    errno != EOPNOTSUPP)
		err = -errno;
	if (err == 0 && there && (fchown(fd, (uid_t)-1, old.st_gid) < 0 || fchmod(fd, mode) < 0))
		err = -errno;
	if (err == 0)
		err = file_write(fd, text, n, NULL);
	if (err == 0)
		err = output_sync(fd);
	if (close(fd) < 0 && err == 0)
		err = -errno;
	if (err == 0 && rename(name, target) < 0)
		err = -errno;
	if (err < 0)
		unlink(name);
	return err;
}

/* Whether the old file cannot be replaced by another one, although the disk works. */
static bool output_cannot_be_replaced(int err)
{
	switch (err) {
	case -EACCES: /* the folder is not writable */
	case -EPERM: /* another user's file in a sticky folder, or a group that cannot be set */
	case -EINVAL: /* the group's ID does not exist in this user namespace */
	case -EBUSY: /* a mount point, for example in a container */
	case -EXDEV:
	case -ENAMETOOLONG: /* the temporary file needs a longer name than the file system allows */
		return true;
	default:
		return false;
	}
}

/*
 * Replace the content of the file at path with text. Symbolic links are followed. The text is
 * written to a new file in the same folder. When all of it is on the disk, the new file is renamed.
 * path is therefore always the old file or the new one, even after a crash of the system.
 *
 * The new file belongs to the caller, and has the group and permissions of the old file; other hard
 * links of the old file keep the old text. A file that cannot be replaced (for example a mount
 * point) is overwritten. Signals are blocked while the new file has a name of its own.
 */
static int output_replace(const char *path, const char *text, size_t n)
{
	cleanup_free char *target = NULL;
	cleanup_fd int fd = -1;
	struct stat st;
	bool there = stat(path, &st) == 0;
	sigset_t all, before;
	int err = -EPERM; /* if something else has taken the place of the file */

	target = there ? realpath(path, NULL) : strdup(path);
	if (!target)
		return -errno;
	if (!there || S_ISREG(st.st_mode)) {
		sigfillset(&all); /* no temporary file remains */
		sigprocmask(SIG_BLOCK, &all, &before);
		err = output_write_and_rename(target, text, n);
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	if (!output_cannot_be_replaced(err))
		return err;
	/* another user may have put a link or a pipe there */
	fd = open(target, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 && errno == ENOENT)
		fd = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_MODE);
	if (fd < 0)
		return -errno;
	return output_is_plain(fd, &st) ? output_overwrite(fd, text, n) : -EPERM;
}

/* ---- The destination. */

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
static int output_named_descriptor(const char *path)
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
static bool output_is_replaceable(const char *path)
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
static int output_open_now(struct output *o, const char *path)
{
	const int flags =
		O_WRONLY | O_CREAT | O_CLOEXEC | (o->mode == OUTPUT_APPEND ? O_APPEND : 0);

	o->is_ours = true;
	o->fd = open(path, flags | O_EXCL, NEW_MODE);
	o->created = o->fd >= 0;
	if (o->fd < 0 && errno == EEXIST) {
		const bool dangles = access(path, F_OK) < 0 && errno == ENOENT;

		o->fd = open(path, flags, NEW_MODE);
		o->created = o->fd >= 0 && dangles; /* the target of a symbolic link */
	}
	return o->fd < 0 ? -errno : 0;
}

static int output_open_file(struct output *o, const char *path)
{
	bool there = access(path, F_OK) == 0;
	bool overwritten = o->mode == OUTPUT_OVERWRITE && there;
	bool replaced;

	if (o->mode == OUTPUT_OVERWRITE)
		o->mode = OUTPUT_REPLACE; /* at the end, but into the file that is open */
	replaced = o->mode == OUTPUT_REPLACE && !overwritten && output_is_replaceable(path);

	if (path[0] == '\0')
		return -ENOENT;
	if (replaced && there) {
		/* rename(2) also replaces a read-only file, so check the write permission */
		cleanup_fd int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

		return fd < 0 ? -errno : 0;
	}
	return replaced ? 0 : output_open_now(o, path); /* no file is created before the end */
}

/*
 * Write at the current offset of the descriptor; the rest of the file does not change. If it
 * appends to a regular file, reopen the file: all programs that inherited the descriptor would
 * share a lock on it, and would not wait for each other.
 */
static int output_copy_descriptor(struct output *o, int fd)
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
	return output_named_descriptor(path) >= 0;
}

int output_open(struct output *o, const char *path, enum output_mode mode, int fd, struct why *why)
{
	int named = path ? output_named_descriptor(path) : -1;
	int err;

	*o = (struct output){ .fd = -1, .mode = mode, .log_fd = fd, .name = path };
	if (!path && fd == STDERR_FILENO)
		o->name = "standard error";
	if (!path && fd == STDOUT_FILENO)
		o->name = "standard output";
	if (path && named < 0)
		err = output_open_file(o, path);
	else
		err = output_copy_descriptor(o, path ? named : fd);
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
static bool output_is_in_place(const struct output *o)
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
		if (!o->is_ours || output_is_in_place(o))
			break;
		close(take_fd(&o->fd));
		err = output_open_now(o, o->name);
	}
	return err;
}

bool output_is_continued(const struct output *o)
{
	struct stat st;

	return o->fd >= 0 && fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	       (fcntl(o->fd, F_GETFL) & O_APPEND);
}

/* If output_open_now() created the file and it is still empty, remove it. A process that has
 * opened it by then notices in output_lock() that the path no longer names it. */
static void output_remove_unused(struct output *o)
{
	cleanup_free char *target = NULL;
	struct stat st;

	if (!o->created || output_lock(o, FILE_LOCK_MS) < 0)
		return;
	target = realpath(o->name, NULL); /* not the symbolic link */
	if (target && output_is_in_place(o) && fstat(o->fd, &st) == 0 && st.st_size == 0)
		unlink(target);
	o->created = false;
}

/* ---- The text. */

/* Make o->text complete. */
static int output_collect(struct output *o)
{
	if (fflush(o->stream) == EOF)
		return -errno;
	return ferror(o->stream) ? -ENOMEM : 0;
}

static int output_flush_within(struct output *o, unsigned int wait_ms)
{
	int err;

	if (o->mode == OUTPUT_REPLACE)
		return 0;
	err = output_collect(o);
	if (err == 0)
		err = output_lock(o, wait_ms);
	if (err == 0)
		err = output_append(o->fd, o->text, o->len);
	if (err == 0 && o->len > 0)
		o->created = false;
	if (o->mode == OUTPUT_APPEND)
		file_lock(o->fd, F_UNLCK, 0);
	rewind(o->stream);
	return err;
}

int output_flush(struct output *o)
{
	return output_flush_within(o, FILE_LOCK_INTERVAL_MS);
}

static void output_drop_text(struct output *o)
{
	if (o->stream)
		fclose(take_ptr(o->stream));
	free(take_ptr(o->text));
}

int output_finish(struct output *o, struct why *why)
{
	int err = o->mode == OUTPUT_REPLACE ? output_collect(o) :
					      output_flush_within(o, FILE_LOCK_MS);

	if (o->mode == OUTPUT_REPLACE && err == 0)
		err = o->fd < 0 ? output_replace(o->name, o->text, o->len) :
				  output_overwrite(o->fd, o->text, o->len);
	output_drop_text(o);
	if (o->mode != OUTPUT_REPLACE) {
		int synced = o->is_ours ? output_sync(o->fd) : 0;

		if (err == 0)
			err = synced;
		output_remove_unused(o);
		/* a network file system may report a write error only now */
		if (close(take_fd(&o->fd)) < 0 && err == 0)
			err = -errno;
	}
	return err < 0 ? output_failed(o, err, why) : 0;
}

void output_release(struct output *o)
{
	output_drop_text(o);
	output_remove_unused(o);
	if (o->fd >= 0)
		close(o->fd);
	*o = (struct output){ .fd = -1 };
}
