/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parsed command line. options/option_table.h has the table of all options,
 * options/options_parse.c reads them, and options/options_check.c checks them.
 */
#ifndef PSTAT_OPTIONS_OPTIONS_H
#define PSTAT_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "count/session.h"
#include "count/target.h"
#include "format/format.h"
#include "result/comparison.h"
#include "result/process_rows.h"
#include "run/runner.h"

/* Exit statuses. STATUS_PSTAT: usage, unknown event, missing permission, lost result. */
enum { STATUS_PSTAT = 125, STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };
/* perf's exit status for a command line that it refuses. */
enum { STATUS_PERF_USAGE = 129 };

/* Exit statuses of --bisect, see git-bisect(1): 125 skips the commit, more than 127 aborts. */
enum { STATUS_BISECT_SKIP = 125, STATUS_BISECT_PSTAT = 255 };

enum job {
	JOB_COUNT,
	JOB_EXPLAIN,
	JOB_LIST,
	JOB_SHOW,
	JOB_COMPARE, /* saved documents */
	JOB_MERGE,
	JOB_HISTORY, /* --history alone */
	JOB_DOCTOR,
	JOB_HELP,
	JOB_HELP_ALL,
	JOB_VERSION,
};

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

enum big_num { BIG_NUM_OF_USER, BIG_NUM_NEVER };

/* An option that names events, or applies to the events before it. */
struct event_request {
	enum request_kind {
		REQUEST_EVENTS,
		REQUEST_PFM_EVENTS,
		REQUEST_METRICS,
		REQUEST_TOPDOWN, /* text is "topdown" and the level, which -M reads as a name */
		REQUEST_FILTER,
		REQUEST_CGROUPS,
	} kind;
	const char *text;
};

/* Words of argv, which argv still owns. */
struct texts {
	const char **v; /* owned */
	size_t n, size;
};

enum row_choice {
	ROWS_AUTO, /* as the document; otherwise ROWS_ASKED */
	ROWS_ASKED,
	ROWS_ALL, /* those that nobody asked for, too */
};

/* The options of comparisons: the sides, their order, and how the result is judged. */
struct compare_options {
	struct texts commands; /* of -c */
	struct texts lists; /* of -L */
	struct texts side_values; /* of --side */
	const char *suite; /* of --suite; NULL: none */
	const char *shell, *names; /* NULL: not given */
	const char *baseline; /* of --baseline; NULL: none */
	const char *history; /* of --history; NULL: none */
	enum round_order order;
	bool has_seed;
	uint64_t seed;
	bool has_confidence;
	double confidence; /* from 0 to 1 */
	double duration_s; /* also of --doctor; 0: not given */
	double precision; /* from 0 to 1; 0: not given */
	struct gate_request *gates; /* owned, with their names */
	size_t gates_n, gates_size;
	struct str_list gate_texts; /* of alternatives, which are parts of an argument */
	bool gate_scaled;
	bool bisect; /* also with bisect_check */
	bool bisect_check; /* the command line had two commands, which are now GOOD, GOOD, BAD */
	struct effect_request *effects; /* owned; effect_names owns their names */
	size_t effects_n, effects_size;
	char **effect_names; /* owned */
	size_t effect_names_n, effect_names_size;
	enum row_choice rows;
};

enum { OPTIONS_MAX = 120 };

struct options {
	bool given[OPTIONS_MAX]; /* by position in the option table */
	enum job job;
	struct event_request *requests; /* owned; in the order of the command line */
	size_t requests_n, requests_size;
	bool no_merge, no_hybrid_merge;
	struct str_list metrics_files; /* perf's tables */
	bool skip_unknown; /* all events are optional */
	bool list_all; /* of --all */
	const char *each_cgroup; /* of --for-each-cgroup; NULL: none */
	struct target_request target;
	struct process_view processes; /* the rows of --per-process */
	bool full_commands; /* in these rows */
	const char *ignored; /* "-a" or "-C", because of -p or -t; NULL: none */
	bool assumes_all_cpus; /* -a was not given, but there is no command and no target */
	/* an option that needs -a or -C was given with only a command: all events must count whole
	 * CPUs anyway, see options_check_split() */
	bool assumes_whole_cpus;
	struct timing timing;
	bool interval_clear, summary;
	const char *control; /* NULL: none */
	const char *pre, *post; /* command lines; NULL: none */
	const char *setup, *cleanup; /* command lines; NULL: none */
	const char *input; /* of --input; NULL: pstat's standard input */
	bool discard, show_output;
	bool same_output, no_output_check; /* see job/same_work.h */
	bool randomize_env, no_aslr;
	const char *cpu_list; /* of --cpu-list; NULL: none */
	bool sync;
	unsigned int warmup;
	bool no_multiplex;
	bool strict_scaling;
	bool no_error; /* no confidence intervals for multiplexed counts */
	double min_running; /* percent; 100 with --strict-scaling */
	unsigned int repeat; /* 0: until interrupted */
	bool has_repeat; /* -r was given */
	const char *format; /* of --format; NULL: not given */
	const char *separator; /* of -x; NULL: not given */
	bool json; /* of -j */
	bool metric_only; /* --topdown sets it, too, unless --format is for programs */
	bool no_csv_summary;
	bool run_times; /* of --table */
	const char *output; /* NULL: log_fd */
	struct str *file_notes; /* owned: the notes for the end of that file; NULL: it has none */
	const char *save; /* of --save; NULL: none */
	const char *html; /* of --html; NULL: none */
	char *file_names[3]; /* owned: the last three, if they had to be expanded */
	const char *shared_files[3]; /* as given: those that each rank replaces; NULL: none */
	int log_fd;
	bool append;
	bool null_run;
	unsigned int detail; /* number of -d, at most 3 */
	bool no_inherit;
	bool verbose;
	bool no_scale;
	enum big_num big_num;
	enum when colour;
	enum when draw;
	bool details; /* of comparisons */
	bool ascii;
	bool no_progress;
	bool quiet;
	bool all_user, all_kernel;
	bool strict;
	bool ignore_failure;
	struct series_parameters labels; /* owned: of --label */
	bool names_bisect; /* --bisect or --bisect-check was given, even abbreviated or misused */
	/* The version of the perf whose JSON is expected, from the environment; NULL: unknown. */
	const char *perf_version;
	bool as_perf; /* pstat was executed as perf, by perf-stat-shim: behave like perf stat */
	const char *sysroot; /* NULL: this machine */
	struct compare_options compare_options;
	/* The command, or the arguments of --explain, --list, --show or --compare; ends with
	 * NULL. */
	char **argv;
};

/* Read the command line, up to the command. argv still owns the strings. 0; -EINVAL with why;
 * -ENOMEM. names_bisect is set even after an error. The caller releases o in any case. */
int options_read(struct options *o, int argc, char **argv, struct why *why);

/* Check whether the options fit together, with the argv of options_read(). 0; -EINVAL with why;
 * -ENOMEM. */
int options_check(struct options *o, int argc, char *const argv[], struct why *why);

/* The exit status if the command line is refused: STATUS_PSTAT, or perf's. */
int options_usage_status(const struct options *o);

/* As in perf, a split by CPUs does not need -a or -C if each event counts whole CPUs anyway. 0;
 * -EINVAL with why. */
int options_check_split(const struct options *o, const struct event_list *events, struct why *why);

void options_release(struct options *o);

/* Print --help. 0; -errno of the write; -ENOMEM. */
int options_help(FILE *out);

/* Print --help-all, likewise. */
int options_help_all(FILE *out);

/* Whether running processes or CPUs are counted, with or without a command. */
bool options_has_target(const struct options *o);

/* Whether commands are run and compared, with each other or with a saved result. */
bool options_is_comparison(const struct options *o);

/* Whether --topdown is given. */
bool options_has_topdown(const struct options *o);

/* Whether events that do not fit on the PMU at once are refused: --strict-scaling, or --min-running
 * 100. */
bool options_is_strict_scaling(const struct options *o);

/* What a document holds. */
enum document_kind { KIND_RESULT, KIND_COMPARISON, KIND_HISTORY };

/* --show calls this after it has read the documents: can the options print this kind of document?
 * 0; -EINVAL with why. */
int options_check_kind(const struct options *o, enum document_kind kind, struct why *why);

/* The long name of a given option that needs the rows of --per-process: "top". NULL: none is
 * given. */
const char *options_of_processes(const struct options *o);

/* Why a result that is split in this way cannot be part of a history. NULL: it can. */
const char *options_history_trouble(enum place_kind split);

/* The format of the result or comparison. NULL: --format names no format. */
const struct format *options_format(const struct options *o);

/* The part of a comparison's input that options determine; the rest is zero. Valid as long as c. */
struct comparison_input options_comparison_input(const struct compare_options *c);

/* Whether programs expect the output of perf stat: with -x, -j or perf-stat-shim. */
bool options_prints_as_perf(const struct options *o);

/* Whether -o or --log-fd says where the result goes. */
bool options_has_destination(const struct options *o);

/* Whether the result is on standard error only because commands write to standard output. */
bool options_shares_stdout(const struct options *o);

/* The descriptor for the result, unless -o names a file. */
int options_result_fd(const struct options *o);

#endif
