/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a scope owns is released when the scope ends: cleanup attributes for memory, descriptors and
 * streams, and take_*() to give ownership away (the variable is left empty, so nothing is released
 * twice).
 */
#ifndef PSTAT_BASE_CLEANUP_H
#define PSTAT_BASE_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define cleanup_with(function) __attribute__((cleanup(function)))

static inline void cleanup_ptr(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_fd_value(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_dir_value(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

#define cleanup_free cleanup_with(cleanup_ptr)
#define cleanup_fd cleanup_with(cleanup_fd_value)
#define cleanup_dir cleanup_with(cleanup_dir_value)

/* The pointer held by the variable p, which is left NULL: the caller of the function owns it now. */
#define take_ptr(p)                                                                                \
	({                                                                                         \
		__auto_type take_from_ = &(p);                                                     \
		__auto_type taken_ = *take_from_;                                                  \
		*take_from_ = NULL;                                                                \
		taken_;                                                                            \
	})

/* The descriptor held by *fd, which is left -1. */
static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#endif
