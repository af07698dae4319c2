/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/write.h"

int write_whole(int fd, const char *text, size_t n, size_t *written)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	size_t done = 0;
	int err = 0;

	while (done < n && err == 0) {
		ssize_t part = write(fd, text + done, n - done);

		if (part > 0)
			done += (size_t)part;
		else if (part == 0)
			err = -EIO; /* no progress, and no reason: not for ever */
		else if (errno == EAGAIN)
			poll(&room, 1, -1);
		else if (errno != EINTR)
			err = -errno;
	}
	if (written)
		*written = done;
	return err;
}
