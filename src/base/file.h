/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files and descriptors. base/output.h has the destination of a result. */
#ifndef PSTAT_BASE_FILE_H
#define PSTAT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/*
 * Write n bytes to fd, in one system call if the kernel accepts them in one. If a non-blocking
 * descriptor is full, wait for it. *written is the number of bytes written before an error; written
 * may be NULL. 0 or -errno.
 */
int file_write(int fd, const char *text, size_t n, size_t *written);

enum {
	FILE_LOCK_MS = 30000, /* every write and read of pstat is much shorter */
	FILE_LOCK_INTERVAL_MS = 1000, /* while a command is counted */
};

/*
 * Lock a whole file: F_WRLCK to append or overwrite, F_RDLCK to read, F_UNLCK to release the lock.
 * The lock belongs to the open file description of fd and ends with it. pstat holds a lock only for
 * a short read or write. pstat continues without the lock if the file system does not support
 * locks, if some other program holds the lock for wait_ms, or if a signal that ends pstat is
 * pending. After one vain wait, pstat no longer waits for any lock.
 */
void file_lock(int fd, short kind, unsigned int wait_ms);

/* Whether a regular file was modified after fstat(2) filled in `before`. */
bool file_has_changed(int fd, const struct stat *before);

/* The number of bytes before the last component of a path: 2 for "a/b", 0 for "b". */
size_t file_folder_length(const char *path);

/* The folder of the last component: "a/" or ".". The caller frees it. NULL: out of memory. */
char *file_folder(const char *path);

/* The name of an input for messages: its path, or "standard input" for "-". */
const char *file_name_shown(const char *path);

/* Whether a file of this name is a document, if it is in the folder of --history. */
bool file_name_is_document(const char *name);

#endif
