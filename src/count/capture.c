/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "count/capture.h"

/* Fowler, Noll and Vo, 64 bits (RFC 9923). */
#define FNV_BASIS 0xcbf29ce484222325
#define FNV_PRIME 0x100000001b3

void capture_close(struct capture *c)
{
	close(c->read_fd);
	close(c->write_fd);
}

int capture_open(struct capture *c)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	*c = (struct capture){ fds[0], fds[1], { 0, FNV_BASIS } };
	/* only this end: the command expects a pipe whose writes wait */
	if (fcntl(c->read_fd, F_SETFL, O_NONBLOCK) < 0) {
		int err = -errno;

		capture_close(c);
		return err;
	}
	return 0;
}

void capture_read(struct capture *c)
{
	unsigned char buffer[65536];
	ssize_t n;

	while ((n = read(c->read_fd, buffer, sizeof(buffer))) > 0) {
		c->hash.bytes += (uint64_t)n;
		for (ssize_t i = 0; i < n; i++)
			c->hash.value = (c->hash.value ^ buffer[i]) * FNV_PRIME;
	}
}
