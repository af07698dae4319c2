/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: one table makes getopt's arrays and --help; completions are checked against it. */
#ifndef PSTAT_CLI_OPTIONS_H
#define PSTAT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "count/target.h"
#include "count/waiting.h"

/* pstat's own failures end with this (CLI.md: usage, unknown event, permission, lost results). */
enum { STATUS_PSTAT = 125, STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

enum job {
	JOB_COUNT,
	JOB_EXPLAIN,
	JOB_LIST,
	JOB_HELP,
	JOB_VERSION,
};

enum big_num { BIG_NUM_OF_USER, BIG_NUM_ALWAYS, BIG_NUM_NEVER };

/* An option that asks for events, or says more of those before it. */
struct event_request {
	enum request_kind {
		REQUEST_EVENTS,
		REQUEST_PFM_EVENTS,
		REQUEST_METRICS,
		REQUEST_FILTER,
		REQUEST_CGROUPS,
	} kind;
	const char *text;
};

struct options {
	enum job job;
	struct event_request *requests; /* owned: what to count, in order */
	size_t requests_n, requests_size;
	bool no_merge;
	bool list_all; /* with --list: also what is not here */
	enum look_format { LOOK_TEXT, LOOK_JSON } format; /* of --list and --explain */
	const char *each_cgroup; /* every event for each of these; NULL: none */
	struct target_request target;
	unsigned int splits; /* how many of -A, --per-core and so on were given */
	struct timing timing;
	bool interval_clear, summary;
	const char *control; /* NULL: none */
	const char *pre, *post; /* command lines; NULL: none */
	bool sync;
	unsigned int warmup;
	bool no_multiplex;
	double min_running; /* percent */
	unsigned int repeat; /* 0: until interrupted */
	const char *separator; /* NULL: a table */
	const char *output; /* NULL: log_fd */
	int log_fd;
	bool append;
	bool null_run;
	unsigned int detail; /* how often -d was given, 3 at most */
	bool no_inherit;
	bool verbose;
	bool no_scale;
	enum big_num big_num;
	bool all_user, all_kernel;
	bool strict;
	bool ignore_failure;
	const char *sysroot; /* NULL: this machine */
	char **argv; /* the command, or the events to explain; ends with NULL */
};

/* 0; -EINVAL after a message: this is no valid command line; -ENOMEM. Strings stay argv's. */
int options_parse(struct options *o, int argc, char **argv);
void options_release(struct options *o);

/* Whether running processes or CPUs are counted, beside a command or without one. */
bool options_attach(const struct options *o);

/* See whether the options go together. 0; -EINVAL after a message. */
int options_check(const struct options *o);

/* Print --help. */
void options_help(FILE *out);

#endif
