/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

enum { LOCK_PAUSE_MS = 5 };

/* Whether a signal that pstat blocks requests that pstat end. */
static bool file_end_is_pending(void)
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
		if (gave_up || file_end_is_pending())
			return;
		nanosleep(&pause, NULL);
		waited_ms += LOCK_PAUSE_MS;
	}
}

bool file_has_changed(int fd, const struct stat *before)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_size != before->st_size || st.st_mtim.tv_sec != before->st_mtim.tv_sec ||
		st.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
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

const char *file_name_shown(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool file_name_is_document(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && strcmp(name + n - 5, ".json") == 0;
}
