/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pstat can be asked to do, one file each. A job prints its own messages and returns the exit
 * status. */
#ifndef PSTAT_CLI_JOBS_H
#define PSTAT_CLI_JOBS_H

#include <signal.h>
#include <stdio.h>

#include "cli/options.h"

/* Count a command. mask: the signal mask it is to have. */
int job_count(const struct options *o, const sigset_t *mask);

/* Run commands in turn, count and compare them, with each other or a saved reference. mask: as above. */
int job_compare(const struct options *o, const sigset_t *mask);

/* Say to out what events are, and what the kernel says to them. */
int job_explain(const struct options *o, FILE *out);

/* List to out the events there are. */
int job_list(const struct options *o, FILE *out);

/* Compare saved documents. */
int job_compare_files(const struct options *o);

/* Print saved documents again. */
int job_show(const struct options *o);

#endif
