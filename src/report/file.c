/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/write.h"
#include "report/file.h"

enum {
	NAMES_TRIED = 100,
	ACL_SIZE = 65536, /* XATTR_SIZE_MAX of linux/limits.h */
};

/* acl(5): one for the file itself; what new files of a folder get is part of theirs from the start. */
static const char acl_name[] = "system.posix_acl_access";

static bool is_plain(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISREG(st->st_mode);
}

int file_sync(int fd)
{
	struct stat st;

	while (is_plain(fd, &st) && fsync(fd) < 0) {
		if (errno == EINVAL || errno == EOPNOTSUPP)
			break; /* a file system without a disk */
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

int file_append(int fd, const char *text, size_t n)
{
	size_t written;
	int err = write_whole(fd, text, n, &written);
	struct stat st;
	off_t end;

	if (err == 0 || written == 0 || !is_plain(fd, &st))
		return err;
	end = lseek(fd, 0, SEEK_CUR);
	/* The message behind it is to follow the text before it, and may find room there. */
	if (end == st.st_size && ftruncate(fd, end - (off_t)written) == 0)
		lseek(fd, -(off_t)written, SEEK_CUR);
	return err;
}

int file_overwrite(int fd, const char *text, size_t n)
{
	struct stat st;
	bool plain = is_plain(fd, &st);
	size_t written;
	int err;

	if (plain && n > 0 && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)n) < 0 &&
	    (errno == ENOSPC || errno == EDQUOT || errno == EIO))
		return -errno;
	if (plain && lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	err = write_whole(fd, text, n, &written);
	if (plain && ftruncate(fd, (off_t)written) < 0 && err == 0)
		err = -errno;
	return err < 0 ? err : file_sync(fd);
}

static int overwrite_at(const char *path, const char *text, size_t n)
{
	cleanup_fd int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, FILE_NEW_MODE);

	return fd < 0 ? -errno : file_overwrite(fd, text, n);
}

/*
 * A new file in target's folder, under a short name, since target's may be as long as names can be. The
 * kernel gives it what the umask or the folder's default ACL leaves, and never more than old allows.
 * Its descriptor, or -errno; name is the caller's to free.
 */
static int open_beside(const char *target, const struct stat *old, char **name)
{
	int folder = (int)path_folder_length(target);
	int fd;

	for (int i = 0; i < NAMES_TRIED; i++) {
		if (asprintf(name, "%.*s.pstat-%d-%d", folder, target, getpid(), i) < 0) {
			*name = NULL;
			return -ENOMEM;
		}
		fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			  old ? old->st_mode & 0777 : FILE_NEW_MODE);
		if (fd >= 0 || errno != EEXIST)
			return fd < 0 ? -errno : fd;
		free(*name);
		*name = NULL;
	}
	return -EEXIST;
}

/* None is an ACL, too: the new file may have one by the folder's default. */
static int copy_acl(int fd, const char *from)
{
	cleanup_free char *acl = malloc(ACL_SIZE);
	ssize_t n = acl ? getxattr(from, acl_name, acl, ACL_SIZE) : -1;
	int err;

	if (!acl)
		return -ENOMEM;
	if (n < 0 && errno != ENODATA)
		return errno == EOPNOTSUPP ? 0 : -errno;
	err = n < 0 ? fremovexattr(fd, acl_name) : fsetxattr(fd, acl_name, acl, (size_t)n, 0);
	return err < 0 && errno != ENODATA ? -errno : 0;
}

static int be_like(int fd, const char *target, const struct stat *old)
{
	struct stat st;
	int err;

	if (fstat(fd, &st) < 0)
		return -errno;
	if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
	    fchown(fd, old->st_uid, old->st_gid) < 0)
		return -errno;
	err = copy_acl(fd, target);
	return err == 0 && fchmod(fd, old->st_mode & 07777) < 0 ? -errno : err;
}

static int write_beside(const char *target, const struct stat *old, const char *text, size_t n)
{
	cleanup_free char *name = NULL;
	int fd = open_beside(target, old, &name);
	int err;

	if (fd < 0)
		return fd;
	err = old ? be_like(fd, target, old) : 0;
	if (err == 0)
		err = write_whole(fd, text, n, NULL);
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

/* Whether it is the file that no other one can replace, and nothing is wrong with the disk. */
static bool has_to_stay(int err)
{
	switch (err) {
	case -EACCES: /* its folder cannot be written to */
	case -EPERM: /* the same; somebody else's in a sticky folder; an owner that cannot be given */
	case -EINVAL: /* the same, of another user namespace */
	case -EBUSY: /* a mount point, as in a container */
	case -EXDEV:
	case -EOPNOTSUPP: /* an ACL that cannot be given */
	case -ENAMETOOLONG: /* there is no room for a file beside it */
		return true;
	default:
		return false;
	}
}

static int replace(const char *path, const char *text, size_t n)
{
	struct stat old;
	bool there = stat(path, &old) == 0;
	cleanup_free char *target = there ? realpath(path, NULL) : strdup(path);
	int err;

	if (!target)
		return -errno;
	err = write_beside(target, there ? &old : NULL, text, n);
	return has_to_stay(err) ? overwrite_at(target, text, n) : err;
}

int file_replace(const char *path, const char *text, size_t n)
{
	struct stat st;
	sigset_t all, before;
	int err;

	/* what the command has made of it: a pipe may have to be waited for */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return overwrite_at(path, text, n);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	err = replace(path, text, n);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}
