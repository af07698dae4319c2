/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text is put into a file: whole or not at all, as far as the file allows it. All return 0 or
 * -errno.
 */
#ifndef PSTAT_BASE_FILE_H
#define PSTAT_BASE_FILE_H

#include <stddef.h>

/* What the umask, or the folder's ACL, leaves of it. */
enum { FILE_NEW_MODE = 0666 };

/*
 * Replace the content of the file at path, links followed, with text. The text is written to
 * another file in the same folder, which is renamed when all of it is on the disk. path is
 * therefore always the old file or the new one, even after a crash of the system. Owner, group,
 * permissions and ACL are those of the old file; its other hard links keep the old text. A user who
 * can change the folder cannot redirect this to another file. A file that cannot be replaced
 * (another user's, or a mount point) is overwritten. Signals are blocked until the end, unless path
 * is not a plain file.
 */
int file_replace(const char *path, const char *text, size_t n);

/*
 * Make text all that is in an open file, or write it to what is no plain file. An error for lack of
 * space comes before the old text is touched, where the file system can tell.
 */
int file_overwrite(int fd, const char *text, size_t n);

/* Write text where the descriptor stands. What was written of it before an error is taken back from a
 * plain file, unless something else follows it there. */
int file_append(int fd, const char *text, size_t n);

/* See that what was written is on the disk, or why it is not. Other than plain files have nothing there. */
int file_sync(int fd);

#endif
