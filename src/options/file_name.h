/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a file name that differ between the ranks of a job: %h, %p, %r, %j. */
#ifndef PSTAT_OPTIONS_FILE_NAME_H
#define PSTAT_OPTIONS_FILE_NAME_H

struct str;
struct why;

/*
 * Append the name: %h becomes the host, %p the number of this process, %r the rank, %j the job, and
 * %% a percent sign. The values never add a folder: each character other than letters, digits and
 * "._-" becomes '_'. 0; -EINVAL with why and the position: another letter, or a value that is
 * unknown here.
 */
int file_name_expand(struct str *out, const char *name, struct why *why);

#endif
