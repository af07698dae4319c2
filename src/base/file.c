/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

enum {
	NAMES_TRIED = 100,
	LOCK_PAUSE_MS = 5,
};

static bool is_plain(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISREG(st->st_mode);
}

int file_sync(int fd)
{
	struct stat st;

	while (is_plain(fd, &st) && fsync(fd) < 0) {
		if (errno == EINVAL || errno == EOPNOTSUPP)
			break; /* a file system that is not on a disk */
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

/* Whether a signal that pstat blocks requests that pstat end. */
static bool end_is_pending(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	sigset_t pending;
	bool found = false;

	if (sigpending(&pending) < 0)
		return false;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		found |= sigismember(&pending, signals[i]) == 1;
	return found;
}

void file_lock(int fd, short kind, unsigned int wait_ms)
{
	/* A program that keeps a lock that long keeps it for a reason of its own. Do not wait for
	 * it again at the next write. */
	static bool gave_up;
	struct flock lock = { .l_type = kind, .l_whence = SEEK_SET };
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_MS * 1000000L };
	unsigned int waited_ms = 0;

	while (fcntl(fd, F_OFD_SETLK, &lock) < 0 && (errno == EAGAIN || errno == EACCES)) {
		gave_up |= waited_ms >= wait_ms;
		if (gave_up || end_is_pending())
			return;
		nanosleep(&pause, NULL);
		waited_ms += LOCK_PAUSE_MS;
	}
}

bool file_has_changed(int fd, const struct stat *before)
{
	struct stat st;

	return is_plain(fd, &st) &&
	       (st.st_size != before->st_size || st.st_mtim.tv_sec != before->st_mtim.tv_sec ||
		st.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

int file_append(int fd, const char *text, size_t n)
{
	size_t written;
	int err = file_write(fd, text, n, &written);
	struct stat st;
	off_t end;

	if (err == 0 || written == 0 || !is_plain(fd, &st))
		return err;
	end = lseek(fd, 0, SEEK_CUR);
	/* Remove the incomplete text: the error message may fit in its place. */
	if (end == st.st_size && ftruncate(fd, end - (off_t)written) == 0)
		lseek(fd, -(off_t)written, SEEK_CUR);
	return err;
}

static int overwrite(int fd, bool plain, const char *text, size_t n)
{
	struct rlimit limit; /* of the shell's `ulimit -f` */
	size_t written;
	int err;

	if (plain && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    n > limit.rlim_cur)
		return -EFBIG;
	if (plain && n > 0 && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)n) < 0 &&
	    (errno == ENOSPC || errno == EDQUOT || errno == EIO))
		return -errno;
	if (plain && lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	err = file_write(fd, text, n, &written);
	if (plain && ftruncate(fd, (off_t)written) < 0 && err == 0)
		err = -errno;
	return err < 0 ? err : file_sync(fd);
}

int file_overwrite(int fd, const char *text, size_t n)
{
	struct stat st;
	bool plain = is_plain(fd, &st);
	int err;

	if (plain)
		file_lock(fd, F_WRLCK, FILE_LOCK_MS);
	err = overwrite(fd, plain, text, n);
	if (plain)
		file_lock(fd, F_UNLCK, 0);
	return err;
}

/*
 * Create a file next to target. Its name is short, because the name of the target may have the
 * maximum length. *name is owned by the caller, or NULL. Returns the descriptor, or -errno.
 */
static int open_temporary(const char *target, mode_t mode, char **name)
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
static int write_and_rename(const char *target, const char *text, size_t n)
{
	cleanup_free char *name = NULL;
	struct stat old;
	bool there = stat(target, &old) == 0;
	/* a result is not a program: no set-user-ID and set-group-ID */
	mode_t mode = there ? old.st_mode & 0777 : FILE_NEW_MODE;
	int fd = open_temporary(target, mode, &name);
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
		err = file_sync(fd);
	if (close(fd) < 0 && err == 0)
		err = -errno;
	if (err == 0 && rename(name, target) < 0)
		err = -errno;
	if (err < 0)
		unlink(name);
	return err;
}

/* Whether the old file cannot be replaced by another one, although the disk works. */
static bool cannot_be_replaced(int err)
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
 * Write to the file that the path names now. flags: O_NOFOLLOW | O_NONBLOCK if it was a plain file,
 * for which another user may have put a link or a pipe there; 0: any file.
 */
static int open_and_overwrite(const char *path, int flags, const char *text, size_t n)
{
	cleanup_fd int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_NEW_MODE);
	if (fd < 0)
		return -errno;
	return flags && !is_plain(fd, &st) ? -EPERM : file_overwrite(fd, text, n);
}

int file_replace(const char *path, const char *text, size_t n)
{
	cleanup_free char *target = NULL;
	struct stat st;
	bool there = stat(path, &st) == 0;
	sigset_t all, before;
	int err;

	if (there && !S_ISREG(st.st_mode))
		return open_and_overwrite(path, 0, text, n);
	target = there ? realpath(path, NULL) : strdup(path);
	if (!target)
		return -errno;
	sigfillset(&all); /* no temporary file remains */
	sigprocmask(SIG_BLOCK, &all, &before);
	err = write_and_rename(target, text, n);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!cannot_be_replaced(err))
		return err;
	return open_and_overwrite(target, O_NOFOLLOW | O_NONBLOCK, text, n);
}

int file_write(int fd, const char *text, size_t n, size_t *written)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	size_t done = 0;
	int err = 0;

	while (done < n && err == 0) {
		ssize_t part = write(fd, text + done, n - done);

		if (part > 0)
			done += (size_t)part;
		else if (part == 0)
			err = -EIO; /* no progress and no errno: do not loop forever */
		else if (errno == EAGAIN)
			poll(&room, 1, -1);
		else if (errno != EINTR)
			err = -errno;
	}
	if (written)
		*written = done;
	return err;
}

size_t file_folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

char *file_folder(const char *path)
{
	size_t n = file_folder_length(path);

	return n > 0 ? strndup(path, n) : strdup(".");
}
