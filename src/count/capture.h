/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read what a command writes to its standard output, and keep only a hash of it. */
#ifndef PSTAT_COUNT_CAPTURE_H
#define PSTAT_COUNT_CAPTURE_H

#include <stdint.h>

struct output_hash {
	uint64_t bytes;
	uint64_t value; /* FNV-1a of the bytes; a difference is certain, equality is very likely */
};

/* The pipe between a command and pstat. */
struct capture {
	int read_fd, write_fd; /* owned; close-on-exec */
	struct output_hash hash; /* so far */
};

/* 0 or -errno; then nothing is open. */
int capture_open(struct capture *c);

/* Read what is there, without waiting. */
void capture_read(struct capture *c);

void capture_close(struct capture *c);

#endif
