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
	ACL_SIZE = 65536, /* XATTR_SIZE_MAX of linux/limits.h */
};

/* The access ACL of a file (acl(5)). The kernel gives a new file the default ACL of its folder. */
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

/* Whether the limit of the shell's `ulimit -f` forbids a file of n bytes. */
static bool is_beyond_limit(size_t n)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	       n > limit.rlim_cur;
}

static int overwrite(int fd, bool plain, const char *text, size_t n)
{
	size_t written;
	int err;

	if (plain && is_beyond_limit(n))
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
 * The file to write. Another user may own its folder and rename files in it at any time. pstat
 * therefore opens the folder and the old file once, and never resolves the whole path again.
 */
struct destination {
	char *target; /* owned: the path without symbolic links */
	const char *name; /* its last component */
	int folder; /* owned, O_PATH */
	int old; /* owned: the old file, if it is a regular file; otherwise -1 */
	bool writable; /* old was opened for writing */
	struct stat st; /* of old */
};

static void destination_release(struct destination *p)
{
	free(p->target);
	if (p->folder >= 0)
		close(p->folder);
	if (p->old >= 0)
		close(p->old);
}

/*
 * Open the old file without following links: a link may have been created after the path was
 * resolved.
 */
static int open_old_file(struct destination *p)
{
	static const int accesses[] = { O_WRONLY, O_RDONLY };
	const int flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

	for (size_t i = 0; p->old < 0 && i < sizeof(accesses) / sizeof(accesses[0]); i++) {
		p->old = openat(p->folder, p->name, accesses[i] | flags);
		p->writable = accesses[i] == O_WRONLY;
	}
	if (p->old < 0)
		return errno == ENOENT || errno == ELOOP ? 0 : -errno;
	return is_plain(p->old, &p->st) ? 0 : -EINVAL;
}

static int destination_find(struct destination *p, const char *path)
{
	cleanup_free char *folder = NULL;
	struct stat st;

	*p = (struct destination){ .folder = -1, .old = -1 };
	p->target = stat(path, &st) == 0 ? realpath(path, NULL) : strdup(path);
	folder = p->target ? file_folder(p->target) : NULL;
	if (!folder)
		return -errno;
	p->name = p->target + file_folder_length(p->target);
	p->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return p->folder < 0 ? -errno : open_old_file(p);
}

static int overwrite_or_create(const struct destination *p, const char *text, size_t n)
{
	cleanup_fd int created = -1;

	if (p->old >= 0)
		return p->writable ? file_overwrite(p->old, text, n) : -EACCES;
	created =
		openat(p->folder, p->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_NEW_MODE);
	return created < 0 ? -errno : file_overwrite(created, text, n);
}

/* Write to a file that is not a regular file. Open it as any program would. */
static int write_special(const char *path, const char *text, size_t n)
{
	cleanup_fd int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd < 0 ? -errno : file_overwrite(fd, text, n);
}

/*
 * Create a file in the same folder. Its name is short, because the name of the target may have the
 * maximum length. The umask or the folder's default ACL limits its permissions, which never exceed
 * those of the old file. Returns its descriptor, or -errno.
 */
static int open_temporary(const struct destination *p, char *name, size_t size)
{
	const mode_t mode = p->old >= 0 ? p->st.st_mode & 0777 : FILE_NEW_MODE;

	for (int i = 0; i < NAMES_TRIED; i++) {
		int fd;

		snprintf(name, size, ".pstat-%d-%d", getpid(), i);
		fd = openat(p->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			return fd < 0 ? -errno : fd;
	}
	return -EEXIST;
}

/* Remove the ACL that the new file may have from its folder, if the old file has no ACL. */
static int copy_acl(int fd, int from)
{
	cleanup_free char *acl = malloc(ACL_SIZE);
	ssize_t n = acl ? fgetxattr(from, acl_name, acl, ACL_SIZE) : -1;
	int err;

	if (!acl)
		return -ENOMEM;
	if (n < 0 && errno != ENODATA)
		return errno == EOPNOTSUPP ? 0 : -errno;
	err = n < 0 ? fremovexattr(fd, acl_name) : fsetxattr(fd, acl_name, acl, (size_t)n, 0);
	return err < 0 && errno != ENODATA ? -errno : 0;
}

/*
 * Copy owner, group, ACL and permissions. Leave out set-user-ID and set-group-ID, because a result
 * is not a program.
 */
static int copy_attributes(int fd, const struct destination *p)
{
	struct stat st;
	int err;

	if (fstat(fd, &st) < 0)
		return -errno;
	if ((st.st_uid != p->st.st_uid || st.st_gid != p->st.st_gid) &&
	    fchown(fd, p->st.st_uid, p->st.st_gid) < 0)
		return -errno;
	err = copy_acl(fd, p->old);
	return err == 0 && fchmod(fd, p->st.st_mode & 0777) < 0 ? -errno : err;
}

static int write_and_rename(const struct destination *p, const char *text, size_t n)
{
	char name[64];
	int fd = open_temporary(p, name, sizeof(name));
	int err;

	if (fd < 0)
		return fd;
	err = p->old >= 0 ? copy_attributes(fd, p) : 0;
	if (err == 0)
		err = file_write(fd, text, n, NULL);
	if (err == 0)
		err = file_sync(fd);
	if (close(fd) < 0 && err == 0)
		err = -errno;
	if (err == 0 && renameat(p->folder, name, p->folder, p->name) < 0)
		err = -errno;
	if (err < 0)
		unlinkat(p->folder, name, 0);
	return err;
}

/* Whether the old file cannot be replaced by another one, although the disk works. */
static bool cannot_be_replaced(int err)
{
	switch (err) {
	case -EACCES: /* the folder is not writable */
	/* also for another user's file in a sticky folder, or an owner that cannot be set */
	case -EPERM:
	case -EINVAL: /* the owner's ID does not exist in this user namespace */
	case -EBUSY: /* a mount point, for example in a container */
	case -EXDEV:
	case -EOPNOTSUPP: /* an ACL that cannot be set */
	case -ENAMETOOLONG: /* the temporary file needs a longer name than the file system allows */
		return true;
	default:
		return false;
	}
}

static int replace_or_overwrite(const char *path, const char *text, size_t n)
{
	cleanup_with(destination_release) struct destination destination;
	int err = destination_find(&destination, path);

	if (err == 0)
		err = write_and_rename(&destination, text, n);
	return cannot_be_replaced(err) && destination.folder >= 0 ?
		       overwrite_or_create(&destination, text, n) :
		       err;
}

int file_replace(const char *path, const char *text, size_t n)
{
	struct stat st;
	sigset_t all, before;
	int err;

	/*
	 * Do not block signals here: the path may be a pipe now, and a write to a pipe may block.
	 */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_special(path, text, n);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	err = replace_or_overwrite(path, text, n);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
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
