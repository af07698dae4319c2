/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of files: the parts that differ between the ranks of a job (%h, %p, %r, %j), and how
 * messages show them. */
#ifndef PSTAT_OPTIONS_FILE_NAME_H
#define PSTAT_OPTIONS_FILE_NAME_H

#include <stdbool.h>

struct str;
struct why;

/*
 * Append the name: %h becomes the host, %p the number of this process, %r the rank, %j the job, and
 * %% a percent sign. The values never add a folder: each character other than letters, digits and
 * "._-" becomes '_'. 0; -EINVAL with why and the position: another letter, or a value that is
 * unknown here.
 */
int file_name_expand(struct str *out, const char *name, struct why *why);

/* The name of an input for messages: its path, or "standard input" for "-". */
const char *file_name_shown(const char *path);

/* Whether a file of this name is a document, if it is in the folder of --history. */
bool file_name_is_document(const char *name);

#endif
