/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Write a text to a file or a descriptor. If the file allows it, either the whole text is written
 * or the file does not change. The functions that write return 0 or a negative errno.
 */
#ifndef PSTAT_BASE_FILE_H
#define PSTAT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* The mode of a new file. The umask or the default ACL of the folder removes bits from it. */
enum { FILE_NEW_MODE = 0666 };

/*
 * Replace the content of the file at path with text. Symbolic links are followed. The text is
 * written to a new file in the same folder. When all of it is on the disk, the new file is renamed.
 * path is therefore always the old file or the new one, even after a crash of the system.
 *
 * The new file belongs to the caller, and has the group and permissions of the old file; other hard
 * links of the old file keep the old text. A file that cannot be replaced (for example a mount
 * point) is overwritten. Signals are blocked while the new file has a name of its own.
 */
int file_replace(const char *path, const char *text, size_t n);

/*
 * Make text the whole content of an open regular file, or write it to any other kind of file. If
 * the file system can reserve space, -ENOSPC is returned before the old content changes; so is
 * -EFBIG if a resource limit forbids the size.
 */
int file_overwrite(int fd, const char *text, size_t n);

/*
 * Write text at the current offset of the descriptor. After an error, the incomplete text is
 * removed from a regular file, unless other text follows it.
 */
int file_append(int fd, const char *text, size_t n);

/*
 * Write n bytes to fd, in one system call if the kernel accepts them in one. If a non-blocking
 * descriptor is full, wait for it. *written is the number of bytes written before an error; written
 * may be NULL.
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

/*
 * Wait until the content of a regular file is on the disk. Does nothing for other kinds of files.
 */
int file_sync(int fd);

/* The number of bytes before the last component of a path: 2 for "a/b", 0 for "b". */
size_t file_folder_length(const char *path);

/* The folder of the last component: "a/" or ".". The caller frees it. NULL: out of memory. */
char *file_folder(const char *path);

#endif
