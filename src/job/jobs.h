/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs of pstat, in the files job/job_*.c. A job prints its messages and returns the exit
 * status, or the negative number of the signal that pstat has to end by.
 */
#ifndef PSTAT_JOB_JOBS_H
#define PSTAT_JOB_JOBS_H

#include <signal.h>
#include <stdio.h>

#include "options/options.h"

/* Count a command, or running tasks and CPUs. mask: the signal mask of the command. */
int job_count(const struct options *o, const sigset_t *mask);

/* Run commands in turn, and compare their counts, with each other or with a saved reference. */
int job_compare(const struct options *o, const sigset_t *mask);

/* Print to out what each event is, and whether the kernel counts it. */
int job_explain(const struct options *o, FILE *out);

/* List the events of this machine to out. */
int job_list(const struct options *o, FILE *out);

/* Print to out what limits and disturbs measurements on this machine. */
int job_doctor(const struct options *o, FILE *out);

/* Compare saved documents. */
int job_compare_files(const struct options *o);

/* Add up the saved results of the ranks of a job. */
int job_merge(const struct options *o);
/* Print a table of earlier results. */
int job_history(const struct options *o);

/* Print saved documents again. */
int job_show(const struct options *o);

#endif
