/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: one table makes getopt's arrays and --help; completions are checked against it. */
#ifndef PSTAT_CLI_OPTIONS_H
#define PSTAT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/compare_options.h"
#include "count/session.h"
#include "count/target.h"
#include "format/format.h"
#include "result/result.h"

/* pstat's own failures end with this (CLI.md: usage, unknown event, permission, lost results). */
enum { STATUS_PSTAT = 125, STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

enum job {
	JOB_COUNT,
	JOB_EXPLAIN,
	JOB_LIST,
	JOB_SHOW,
	JOB_COMPARE, /* saved documents */
	JOB_HELP,
	JOB_VERSION,
};

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

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
	const char *each_cgroup; /* every event for each of these; NULL: none */
	struct target_request target;
	unsigned int splits; /* how many of -A, --per-core and so on were given */
	struct timing timing;
	bool interval_clear, summary;
	const char *control; /* NULL: none */
	const char *pre, *post; /* command lines; NULL: none */
	const char *setup, *cleanup; /* the same */
	const char *input; /* of --input; NULL: pstat's own */
	bool discard, show_output;
	bool randomize_env, no_aslr, iteration;
	const char *cpu_list; /* of --cpu-list; NULL: none */
	bool sync;
	unsigned int warmup;
	bool no_multiplex;
	double min_running; /* percent */
	unsigned int repeat; /* 0: until interrupted */
	bool has_repeat; /* it was given */
	const char *format; /* of --format; NULL: not given */
	const char *separator; /* of -x; NULL: not given */
	bool json; /* of -j */
	bool metric_only;
	bool no_csv_summary;
	bool run_times; /* of --table */
	const char *output; /* NULL: log_fd */
	const char *save; /* of --save; NULL: none */
	const char *html; /* of --html; NULL: none */
	int log_fd;
	bool append;
	bool null_run;
	unsigned int detail; /* how often -d was given, 3 at most */
	bool no_inherit;
	bool verbose;
	bool no_scale;
	enum big_num big_num;
	enum when colour;
	bool ascii;
	bool no_progress;
	bool quiet;
	bool all_user, all_kernel;
	bool strict;
	bool ignore_failure;
	const char *sysroot; /* NULL: this machine */
	struct compare_options compare_options;
	const char *compares; /* the first option that is for comparisons alone; NULL: none */
	/* the first option that does not go with --show, or --compare, which count nothing; NULL: none */
	const char *not_of_show, *not_of_compare;
	char **argv; /* the command, or what to explain, list, show or compare; ends with NULL */
};

/* 0; -EINVAL after a message: this is no valid command line; -ENOMEM. Strings stay argv's. */
int options_parse(struct options *o, int argc, char **argv);
void options_release(struct options *o);

/* Whether running processes or CPUs are counted, beside a command or without one. */
bool options_attach(const struct options *o);

/* Whether commands are run and compared, with each other or with what was saved. */
bool options_compare(const struct options *o);

/* The format of the result or comparison. */
const struct format *options_format(const struct options *o);

/* The descriptor that the result goes to, unless -o names a file. */
int options_result_fd(const struct options *o);

/* Whether a document is to be written, as the result or beside it. */
bool options_want_document(const struct options *o);

/* Whether --list and --explain are to print JSON. */
bool options_look_json(const struct options *o);

/* See whether the options go together. 0; -EINVAL after a message. */
int options_check(const struct options *o);

/* What --show can only tell when it has read the documents: whether they, comparisons or not, can be
 * printed as the options want it. 0; -EINVAL after a message. */
int options_check_kind(const struct options *o, bool are_comparisons);

/* Print --help. */
void options_help(FILE *out);

#endif
