/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write(2) until all is written. */
#ifndef PSTAT_BASE_WRITE_H
#define PSTAT_BASE_WRITE_H

#include <stddef.h>

/*
 * Write n bytes to fd, in one call where the kernel takes them in one. A descriptor that is full and
 * does not block is waited for. 0, or -errno of the write that failed; *written, unless written is
 * NULL, is how many bytes were written before it.
 */
int write_whole(int fd, const char *text, size_t n, size_t *written);

#endif
