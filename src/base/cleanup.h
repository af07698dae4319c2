/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cleanup attributes release memory, descriptors and folders at the end of their scope. take_*()
 * give the ownership away: they leave the variable empty, so that nothing is released twice.
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

/* The pointer in the variable p, which becomes NULL. The caller now owns the memory. */
#define take_ptr(p)                                                                                \
	({                                                                                         \
		__auto_type take_from_ = &(p);                                                     \
		__auto_type taken_ = *take_from_;                                                  \
		*take_from_ = NULL;                                                                \
		taken_;                                                                            \
	})

/* The descriptor in *fd, which becomes -1. The caller now owns the descriptor. */
static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#endif
