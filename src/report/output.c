/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "report/output.h"

enum { NEW_FILE_MODE = 0666 };

int output_failed(const struct output *o, int err, struct why *why)
{
	if (o->name)
		return why_set(why, err, "cannot write the result to %s: %s", o->name,
			       strerror(-err));
	return why_set(why, err, "cannot write the result to descriptor %d: %s", o->log_fd,
		       strerror(-err));
}

/*
 * Whether path, a file or nothing yet, can be replaced by renaming another one over it, which will
 * have the same owner.
 */
static bool is_replaceable(const char *path)
{
	cleanup_free char *folder = NULL;
	const char *slash = strrchr(path, '/');
	struct stat st;

	/* a terminal, a pipe, /dev/null; a link to nothing, which open(2) makes */
	if (stat(path, &st) == 0 ? !S_ISREG(st.st_mode) : lstat(path, &st) == 0)
		return false;
	if (stat(path, &st) == 0 && st.st_uid != geteuid() && geteuid() != 0)
		return false;
	folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	return folder && faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
}

/* A file that is there has to be writable, though a rename would not ask. */
static int open_file(struct output *o, const char *path, enum output_mode mode)
{
	bool there = access(path, F_OK) == 0;

	if (path[0] == '\0')
		return -ENOENT;
	if (mode == OUTPUT_REPLACE && is_replaceable(path) &&
	    (!there || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0)) {
		o->path = there ? realpath(path, NULL) : strdup(path);
		return o->path ? 0 : -errno;
	}
	o->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (mode == OUTPUT_APPEND ? O_APPEND : 0),
		     NEW_FILE_MODE);
	o->truncate = mode != OUTPUT_APPEND;
	return o->fd < 0 ? -errno : 0;
}

int output_open(struct output *o, const char *path, enum output_mode mode, int fd, struct why *why)
{
	int err;

	*o = (struct output){ .fd = -1, .log_fd = fd, .name = path };
	if (path) {
		err = open_file(o, path, mode);
		return err < 0 ? output_failed(o, err, why) : 0;
	}
	if (fd == STDERR_FILENO)
		o->name = "standard error";
	o->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (o->fd >= 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
		errno = EBADF;
	else if (o->fd >= 0)
		return 0;
	return output_failed(o, -errno, why);
}

/* The new file gets the mode of the one it replaces, or what open(2) would have given it. */
static int open_temporary(struct output *o)
{
	struct stat st;
	mode_t mask;
	int fd;

	if (asprintf(&o->temporary, "%s.XXXXXX", o->path) < 0) {
		o->temporary = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(o->temporary, O_CLOEXEC);
	if (fd < 0) {
		int err = -errno;

		free(take_ptr(o->temporary));
		return err;
	}
	mask = umask(0);
	umask(mask);
	if (stat(o->path, &st) < 0)
		st.st_mode = NEW_FILE_MODE & ~mask;
	else if (fchown(fd, st.st_uid, st.st_gid) < 0)
		st.st_mode &= 0777; /* set-ID bits are for the old owner and group */
	fchmod(fd, st.st_mode & 07777);
	o->fd = fd;
	return 0;
}

int output_begin(struct output *o, struct why *why)
{
	int err = o->path ? open_temporary(o) : 0;

	if (o->truncate && ftruncate(o->fd, 0) < 0 &&
	    errno != EINVAL) /* a device: nothing to empty */
		err = -errno;

	if (err < 0)
		return output_failed(o, err, why);
	o->stream = fdopen(o->fd, "w");
	if (!o->stream)
		return output_failed(o, -errno, why);
	o->fd = -1;
	return 0;
}

int output_finish(struct output *o, struct why *why)
{
	int err = ferror(o->stream) ? -EIO : 0;

	if (fflush(o->stream) == EOF)
		err = -errno;
	if (fclose(take_ptr(o->stream)) == EOF && err == 0)
		err = -errno;
	if (err == 0 && o->path && rename(o->temporary, o->path) < 0)
		err = -errno;
	if (err < 0)
		return output_failed(o, err, why);
	free(take_ptr(o->temporary));
	return 0;
}

void output_release(struct output *o)
{
	if (o->stream)
		fclose(o->stream);
	if (o->fd >= 0)
		close(o->fd);
	if (o->temporary)
		unlink(o->temporary);
	free(o->temporary);
	free(o->path);
	*o = (struct output){ .fd = -1 };
}
