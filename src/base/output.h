/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The destination of a result: standard error, a descriptor, or a file. An existing file does not
 * change until the result is complete, except with OUTPUT_AS_IT_COMES.
 */
#ifndef PSTAT_BASE_OUTPUT_H
#define PSTAT_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct why;

enum output_mode {
	OUTPUT_REPLACE, /* write a new file and rename it at the end */
	/* write into an existing file at the end: it keeps its inode, for programs that have it
	 * open */
	OUTPUT_OVERWRITE,
	OUTPUT_APPEND,
	/* empty the file at the start, and write each text immediately, so that the text
	 * survives if pstat is killed */
	OUTPUT_AS_IT_COMES,
};

struct output {
	FILE *stream; /* owned: keeps the text; NULL before output_begin() */
	char *text; /* owned: the text that is not written yet */
	size_t len;
	int fd; /* owned: the destination; -1: a file that will be replaced */
	enum output_mode mode;
	bool is_ours; /* fd was opened here; otherwise fd is a copy of the caller's descriptor */
	bool created; /* the file was created here; it is removed if nothing is written to it */
	const char *name; /* the caller's path, for messages; NULL: the destination is log_fd */
	int log_fd;
};

/*
 * Check that the result can be written, before any command runs. path: a file, or NULL for fd. A
 * copy of fd is used; the caller still owns fd. A path such as /dev/fd/N or /dev/stdout means the
 * descriptor itself. 0; -errno with why.
 */
int output_open(struct output *o, const char *path, enum output_mode mode, int fd, struct why *why);

/* Whether a path means a descriptor, such as /dev/stdout. */
bool output_names_descriptor(const char *path);

/*
 * Open o->stream. With OUTPUT_REPLACE, output_begin() can be called again after output_finish(), to
 * write the next version of the file. 0; -errno with why.
 */
int output_begin(struct output *o, struct why *why);

/*
 * With OUTPUT_APPEND to a file: wait until no other process appends to it, and lock it.
 * output_flush() and output_finish() release the lock. If the file was replaced or removed after
 * output_open(), open the new file. A file system without locks is not an error. wait_ms: see
 * file_lock(). 0 or -errno.
 */
int output_lock(struct output *o, unsigned int wait_ms);

/* Whether the output continues a text that is already in the file. */
bool output_is_continued(const struct output *o);

/*
 * Write the text so far in one piece, so that no interval or line is cut. With OUTPUT_REPLACE,
 * nothing is written before output_finish(). 0 or -errno.
 */
int output_flush(struct output *o);

/* Write the rest of the text and put the file in its place. 0; -errno with why, and an old file is
 * unchanged. */
int output_finish(struct output *o, struct why *why);

/* Set why: the result could not be written. Returns error. */
int output_failed(const struct output *o, int error, struct why *why);

/* Discard the text that is not written yet, and remove a file that was created for it. */
void output_release(struct output *o);

#endif
