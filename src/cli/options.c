/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "cli/message.h"
#include "cli/options.h"
#include "event/suggest.h"

/* Options without a letter. */
enum {
	OPT_APPEND = 256,
	OPT_PFM_EVENTS,
	OPT_FILTER,
	OPT_EACH_CGROUP,
	OPT_NO_MERGE,
	OPT_LOG_FD,
	OPT_SAVE,
	OPT_SCALE,
	OPT_NO_SCALE,
	OPT_NO_BIG_NUM,
	OPT_ASCII,
	OPT_COLOR,
	OPT_NO_PROGRESS,
	OPT_QUIET,
	OPT_ALL_USER,
	OPT_ALL_KERNEL,
	OPT_STRICT,
	OPT_IGNORE_FAILURE,
	OPT_PER_CORE,
	OPT_PER_CLUSTER,
	OPT_PER_CACHE,
	OPT_PER_DIE,
	OPT_PER_SOCKET,
	OPT_PER_NODE,
	OPT_PER_THREAD,
	OPT_INTERVAL_COUNT,
	OPT_INTERVAL_CLEAR,
	OPT_SUMMARY,
	OPT_NO_CSV_SUMMARY,
	OPT_METRIC_ONLY,
	OPT_TABLE,
	OPT_TIMEOUT,
	OPT_CONTROL,
	OPT_PRE,
	OPT_POST,
	OPT_WARMUP,
	OPT_SETUP,
	OPT_CLEANUP,
	OPT_INPUT,
	OPT_DISCARD,
	OPT_SHOW_OUTPUT,
	OPT_RANDOMIZE_ENV,
	OPT_NO_ASLR,
	OPT_CPU_LIST,
	OPT_ITERATION,
	OPT_BASELINE,
	OPT_SHELL,
	OPT_NAMES,
	OPT_ORDER,
	OPT_SEED,
	OPT_DURATION,
	OPT_PRECISION,
	OPT_CONFIDENCE,
	OPT_FAIL_IF,
	OPT_GATE_SCALED,
	OPT_MIN_EFFECT,
	OPT_HTML,
	OPT_MORE_IS_BETTER,
	OPT_NO_MULTIPLEX,
	OPT_MIN_RUNNING,
	OPT_SYSROOT,
	OPT_EXPLAIN,
	OPT_LIST,
	OPT_SHOW,
	OPT_COMPARE,
	OPT_ALL,
	OPT_FORMAT,
	OPT_HELP,
	OPT_VERSION,
};

/* What an option does with its argument. */
enum effect {
	DO_MORE, /* more than one of the others, see apply() */
	SET_FLAG, /* a bool becomes true */
	SET_TEXT, /* a string becomes the argument */
	SET_NUMBER, /* an unsigned int becomes the argument, from low on */
	ADD_REQUEST, /* one more of the requests, of kind low */
	SET_SPLIT, /* how rows are split: low, an enum place_kind */
	SET_JOB, /* low, an enum job */
};

#define AT(field) offsetof(struct options, field)

static const struct {
	int id; /* its letter, or one of the above */
	const char *name;
	const char *argument; /* NULL for none; with '[' when it may be left away */
	const char *help;
	enum effect effect;
	size_t field;
	unsigned int low;
} table[] = {
	{ 'e', "event", "LIST", "events and {groups} to count, separated by commas; repeatable",
	  ADD_REQUEST, 0, REQUEST_EVENTS },
	{ OPT_PFM_EVENTS, "pfm-events", "LIST", "the same, each name read by libpfm4 alone",
	  ADD_REQUEST, 0, REQUEST_PFM_EVENTS },
	{ 'M', "metrics", "LIST", "metrics such as ipc, or NAME=EXPRESSION over events",
	  ADD_REQUEST, 0, REQUEST_METRICS },
	{ OPT_FILTER, "filter", "EXPR", "count the tracepoints before it only where EXPR holds",
	  DO_MORE, 0, 0 },
	{ 'G', "cgroup", "LIST", "count the events before it in these cgroups, one for each event",
	  DO_MORE, 0, 0 },
	{ OPT_EACH_CGROUP, "for-each-cgroup", "LIST", "count every event in each of these cgroups",
	  SET_TEXT, AT(each_cgroup), 0 },
	{ OPT_NO_MERGE, "no-merge", NULL, "a row for each instance of an uncore PMU", SET_FLAG,
	  AT(no_merge), 0 },
	{ 'd', "detailed", NULL, "add cache events to the default ones; -dd and -ddd add more",
	  DO_MORE, 0, 0 },
	{ 'n', "null", NULL, "no counters, only elapsed, user and system time", SET_FLAG,
	  AT(null_run), 0 },
	{ OPT_ALL_USER, "all-user", NULL, "count user mode only, as :u on every event", SET_FLAG,
	  AT(all_user), 0 },
	{ OPT_ALL_KERNEL, "all-kernel", NULL, "count the kernel only, as :k on every event",
	  SET_FLAG, AT(all_kernel), 0 },
	{ 'p', "pid", "LIST", "count running processes, with all their threads", SET_TEXT,
	  AT(target.pids), 0 },
	{ 't', "tid", "LIST", "count running threads", SET_TEXT, AT(target.tids), 0 },
	{ 'a', "all-cpus", NULL, "count all CPUs, whatever runs there", SET_FLAG,
	  AT(target.all_cpus), 0 },
	{ 'C', "cpu", "LIST", "count these CPUs, such as 0-3,7", SET_TEXT, AT(target.cpus), 0 },
	{ 'i', "no-inherit", NULL, "count the command's first task alone", SET_FLAG, AT(no_inherit),
	  0 },
	{ 'A', "no-aggr", NULL, "a row for each CPU", SET_SPLIT, 0, PLACE_CPU },
	{ OPT_PER_CORE, "per-core", NULL, "a row for each core", SET_SPLIT, 0, PLACE_CORE },
	{ OPT_PER_CLUSTER, "per-cluster", NULL, "a row for each cluster of cores", SET_SPLIT, 0,
	  PLACE_CLUSTER },
	{ OPT_PER_CACHE, "per-cache", "[=LEVEL]", "a row for each cache, the last one or of LEVEL",
	  DO_MORE, 0, 0 },
	{ OPT_PER_DIE, "per-die", NULL, "a row for each die", SET_SPLIT, 0, PLACE_DIE },
	{ OPT_PER_SOCKET, "per-socket", NULL, "a row for each socket", SET_SPLIT, 0, PLACE_SOCKET },
	{ OPT_PER_NODE, "per-node", NULL, "a row for each NUMA node", SET_SPLIT, 0, PLACE_NODE },
	{ OPT_PER_THREAD, "per-thread", NULL, "a row for each thread", SET_SPLIT, 0, PLACE_THREAD },
	{ 'I', "interval-print", "MS", "print what was counted every MS milliseconds", SET_NUMBER,
	  AT(timing.interval_ms), 1 },
	{ OPT_INTERVAL_COUNT, "interval-count", "N", "with -I, stop counting after N intervals",
	  SET_NUMBER, AT(timing.interval_count), 1 },
	{ OPT_INTERVAL_CLEAR, "interval-clear", NULL, "with -I, clear the screen before each block",
	  SET_FLAG, AT(interval_clear), 0 },
	{ OPT_SUMMARY, "summary", NULL, "with -I, print the usual result at the end, too", SET_FLAG,
	  AT(summary), 0 },
	{ OPT_NO_CSV_SUMMARY, "no-csv-summary", NULL,
	  "with -x and --summary, do not print the word summary", SET_FLAG, AT(no_csv_summary), 0 },
	{ 'D', "delay", "MS", "start counting MS milliseconds later; -1: not before --control",
	  DO_MORE, 0, 0 },
	{ OPT_TIMEOUT, "timeout", "MS", "stop counting after MS milliseconds, and end the command",
	  SET_NUMBER, AT(timing.timeout_ms), 1 },
	{ OPT_CONTROL, "control", "HOW",
	  "obey enable, disable, ping, stop: fd:N[,N] fifo:F[,F] region", SET_TEXT, AT(control),
	  0 },
	{ 'r', "repeat", "N", "run N times, show mean and standard error; 0: until interrupted",
	  DO_MORE, 0, 0 },
	{ OPT_WARMUP, "warmup", "N", "run N times before, not counted", SET_NUMBER, AT(warmup), 0 },
	{ OPT_PRE, "pre", "CMD", "run CMD before each run, not counted", SET_TEXT, AT(pre), 0 },
	{ OPT_POST, "post", "CMD", "run CMD after each run, not counted", SET_TEXT, AT(post), 0 },
	{ OPT_SETUP, "setup", "CMD", "run CMD once before all runs of a command, not counted",
	  SET_TEXT, AT(setup), 0 },
	{ OPT_CLEANUP, "cleanup", "CMD", "run CMD once after all runs of a command, not counted",
	  SET_TEXT, AT(cleanup), 0 },
	{ OPT_INPUT, "input", "FILE", "the command's standard input, opened anew for each run",
	  SET_TEXT, AT(input), 0 },
	{ OPT_DISCARD, "discard", NULL, "drop what the command prints (default with -c)", SET_FLAG,
	  AT(discard), 0 },
	{ OPT_SHOW_OUTPUT, "show-output", NULL, "with -c, let the commands print", SET_FLAG,
	  AT(show_output), 0 },
	{ OPT_RANDOMIZE_ENV, "randomize-env", NULL,
	  "an environment of another size in each run, which moves the stack", SET_FLAG,
	  AT(randomize_env), 0 },
	{ OPT_NO_ASLR, "no-aslr", NULL, "run the command at the same addresses each time", SET_FLAG,
	  AT(no_aslr), 0 },
	{ OPT_CPU_LIST, "cpu-list", "LIST", "let the command run on these CPUs only", SET_TEXT,
	  AT(cpu_list), 0 },
	{ OPT_ITERATION, "iteration", NULL, "number the runs in the command's PSTAT_ITERATION",
	  SET_FLAG, AT(iteration), 0 },
	{ 'S', "sync", NULL, "call sync(2) before each run", SET_FLAG, AT(sync), 0 },
	{ 'c', "command", "CMD",
	  "compare CMD with the other -c, the first of which is the reference", DO_MORE, 0, 0 },
	{ OPT_SHELL, "shell", "SHELL", "run each -c as SHELL -c CMD", SET_TEXT,
	  AT(compare_options.shell), 0 },
	{ 'L', "parameter-list", "NAME=V,...",
	  "compare the command with {NAME} in it for each value; repeatable", DO_MORE, 0, 0 },
	{ OPT_BASELINE, "baseline", "FILE",
	  "compare the command, or each -c, with what FILE has saved", SET_TEXT,
	  AT(compare_options.baseline), 0 },
	{ OPT_NAMES, "names", "A,B,...", "what the sides are called in the result", SET_TEXT,
	  AT(compare_options.names), 0 },
	{ OPT_ORDER, "order", "ORDER", "take turns: random (default), alternate or sequential",
	  DO_MORE, 0, 0 },
	{ OPT_SEED, "seed", "N", "for the random order and --randomize-env, to repeat them",
	  DO_MORE, 0, 0 },
	{ OPT_DURATION, "duration", "S", "compare for S seconds (10, or until it is precise)",
	  DO_MORE, 0, 0 },
	{ OPT_PRECISION, "precision", "PCT",
	  "compare until the first event's mean is known to PCT % (1)", DO_MORE, 0, 0 },
	{ OPT_CONFIDENCE, "confidence", "PCT", "of intervals and verdicts (95)", DO_MORE, 0, 0 },
	{ OPT_FAIL_IF, "fail-if", "GATE",
	  "exit with 1 if NAME>+X% or NAME<-X% (2: cannot tell); repeatable", DO_MORE, 0, 0 },
	{ OPT_GATE_SCALED, "gate-scaled", NULL, "--fail-if also on counts that are estimates",
	  SET_FLAG, AT(compare_options.gate_scaled), 0 },
	{ OPT_MIN_EFFECT, "min-effect", "PCT",
	  "a smaller difference is the same; NAME=PCT: of one event", DO_MORE, 0, 0 },
	{ OPT_MORE_IS_BETTER, "more-is-better", "NAME,...", "events and metrics to have more of",
	  DO_MORE, 0, 0 },
	{ OPT_IGNORE_FAILURE, "ignore-failure", NULL, "with -r, go on after a run that fails",
	  SET_FLAG, AT(ignore_failure), 0 },
	{ OPT_STRICT, "strict", NULL, "do not start unless every event can be counted", SET_FLAG,
	  AT(strict), 0 },
	{ OPT_NO_MULTIPLEX, "no-multiplex", NULL,
	  "run as often as it takes to count all events unscaled", SET_FLAG, AT(no_multiplex), 0 },
	{ OPT_MIN_RUNNING, "min-running", "PCT",
	  "what ran for less of its time is <not counted> (5)", DO_MORE, 0, 0 },
	{ OPT_SCALE, "scale", NULL, "scale multiplexed counts (the default)", DO_MORE, 0, 0 },
	{ OPT_NO_SCALE, "no-scale", NULL, "show multiplexed counts as they were read", SET_FLAG,
	  AT(no_scale), 0 },
	{ 'x', "field-separator", "SEP", "print perf stat's CSV, fields separated by SEP", DO_MORE,
	  0, 0 },
	{ 'j', "json-output", NULL, "print perf stat's JSON, one object a line", SET_FLAG, AT(json),
	  0 },
	{ OPT_METRIC_ONLY, "metric-only", NULL, "print no counts, only what is derived from them",
	  SET_FLAG, AT(metric_only), 0 },
	{ OPT_TABLE, "table", NULL, "with -r, print a table of the time of each run, too", SET_FLAG,
	  AT(run_times), 0 },
	{ 'o', "output", "FILE", "write the result to FILE, not to standard error", SET_TEXT,
	  AT(output), 0 },
	{ OPT_APPEND, "append", NULL, "with -o, append to FILE", SET_FLAG, AT(append), 0 },
	{ OPT_LOG_FD, "log-fd", "N", "write the result to descriptor N", DO_MORE, 0, 0 },
	{ OPT_SAVE, "save", "FILE", "write all of it to FILE, too, as --format json does", SET_TEXT,
	  AT(save), 0 },
	{ OPT_HTML, "html", "FILE", "write a comparison to FILE, too, as a page with drawings",
	  SET_TEXT, AT(html), 0 },
	{ 'B', "big-num", NULL, "thousands separators, whatever the locale", DO_MORE, 0, 0 },
	{ OPT_NO_BIG_NUM, "no-big-num", NULL, "no thousands separators", DO_MORE, 0, 0 },
	{ OPT_COLOR, "color", "WHEN", "colour in the table: always, never, or auto (the default)",
	  DO_MORE, 0, 0 },
	{ OPT_ASCII, "ascii", NULL, "draw comparisons by ASCII characters alone", SET_FLAG,
	  AT(ascii), 0 },
	{ OPT_NO_PROGRESS, "no-progress", NULL, "do not show how far a series of runs is", SET_FLAG,
	  AT(no_progress), 0 },
	{ OPT_QUIET, "quiet", NULL, "print no result, and no messages but errors", SET_FLAG,
	  AT(quiet), 0 },
	{ 'v', "verbose", NULL, "print each event as it is opened", SET_FLAG, AT(verbose), 0 },
	{ OPT_SYSROOT, "sysroot", "DIR", "read /sys and /proc below DIR", SET_TEXT, AT(sysroot),
	  0 },
	{ OPT_EXPLAIN, "explain", NULL, "say what the events given as arguments are; count nothing",
	  SET_JOB, 0, JOB_EXPLAIN },
	{ OPT_LIST, "list", NULL, "list the events that match the GLOB given as argument, or all",
	  SET_JOB, 0, JOB_LIST },
	{ OPT_ALL, "all", NULL, "with --list, also events of PMUs that are not here", SET_FLAG,
	  AT(list_all), 0 },
	{ OPT_SHOW, "show", NULL, "print the saved documents given as arguments again; - is stdin",
	  SET_JOB, 0, JOB_SHOW },
	{ OPT_COMPARE, "compare", NULL,
	  "compare the saved documents given as arguments with the first of them", SET_JOB, 0,
	  JOB_COMPARE },
	{ OPT_FORMAT, "format", "FMT",
	  "table, json, csv, csv-summary, markdown, openmetrics, github", SET_TEXT, AT(format), 0 },
	{ 'h', "help", NULL, "print this help", SET_JOB, 0, JOB_HELP },
	{ OPT_VERSION, "version", NULL, "print the version", SET_JOB, 0, JOB_VERSION },
};

enum { TABLE_N = sizeof(table) / sizeof(table[0]) };

struct getopt_arrays {
	char letters[2 + 2 * TABLE_N + 1];
	struct option names[TABLE_N + 1];
};

static int has_argument(size_t i)
{
	if (!table[i].argument)
		return no_argument;
	return table[i].argument[0] == '[' ? optional_argument : required_argument;
}

/* "+": options end at the command; ":": an argument that is missing is told from an unknown option. */
static void make_arrays(struct getopt_arrays *arrays)
{
	char *letter = stpcpy(arrays->letters, "+:");

	memset(arrays->names, 0, sizeof(arrays->names));
	for (size_t i = 0; i < TABLE_N; i++) {
		arrays->names[i] = (struct option){
			.name = table[i].name,
			.has_arg = has_argument(i),
			.val = table[i].id,
		};
		if (table[i].id > UCHAR_MAX)
			continue;
		*letter++ = (char)table[i].id;
		if (table[i].argument)
			*letter++ = ':';
	}
	*letter = '\0';
}

static int parse_count(const char *option, const char *text, unsigned int min, unsigned int max,
		       unsigned int *out)
{
	uint64_t value;
	int err = num_parse(text, strlen(text), &value);

	if (err < 0 || value > max || value < min) {
		message("%s %s: not a number from %u to %u", option, text, min, max);
		return -EINVAL;
	}
	*out = (unsigned int)value;
	return 0;
}

static int parse_separator(struct options *o, const char *text)
{
	if (text[0] == '\0') {
		message("-x '': the separator is empty; give at least one character, such as -x,");
		return -EINVAL;
	}
	o->separator = strcmp(text, "\\t") == 0 ? "\t" : text;
	return 0;
}

static int parse_log_fd(struct options *o, const char *text)
{
	unsigned int fd;
	int err = parse_count("--log-fd", text, 0, INT_MAX, &fd);

	if (err == 0)
		o->log_fd = (int)fd;
	return err;
}

static int add_request(struct options *o, enum request_kind kind, const char *text)
{
	if (array_grow(&o->requests, o->requests_n, &o->requests_size, sizeof(*o->requests)) < 0)
		return message_no_memory();
	o->requests[o->requests_n++] = (struct event_request){ kind, text };
	return 0;
}

/* What says more of the events before it. */
static int add_remark(struct options *o, enum request_kind kind, const char *option,
		      const char *text)
{
	if (o->requests_n == 0) {
		message("%s '%s': there is no -e before it whose events it could be for", option,
			text);
		return -EINVAL;
	}
	return add_request(o, kind, text);
}

static int parse_delay(struct options *o, const char *text)
{
	unsigned int delay = 0;
	int err = 0;

	if (strcmp(text, "-1") == 0) {
		o->timing.delay_ms = -1;
		return 0;
	}
	err = parse_count("-D", text, 0, INT_MAX, &delay);
	if (err == 0)
		o->timing.delay_ms = (int)delay;
	return err;
}

static int parse_percent(struct options *o, const char *text)
{
	double value;

	if (num_parse_decimal(text, strlen(text), &value) < 0 || value > 100) {
		message("--min-running %s: not a percentage from 0 to 100", text);
		return -EINVAL;
	}
	o->min_running = value;
	return 0;
}

static int parse_colour(struct options *o, const char *text)
{
	static const char *const words[] = {
		[WHEN_AUTO] = "auto",
		[WHEN_ALWAYS] = "always",
		[WHEN_NEVER] = "never",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i]) == 0) {
			o->colour = (enum when)i;
			return 0;
		}
	}
	message("--color '%s': it is one of auto, always and never", text);
	return -EINVAL;
}

static void set_split(struct options *o, enum place_kind split)
{
	o->splits += o->target.split != split;
	o->target.split = split;
}

static int split_by_cache(struct options *o, const char *level)
{
	const char *digit = level && (level[0] == 'L' || level[0] == 'l') ? level + 1 : level;

	if (digit && (digit[0] < '1' || digit[0] > '9' || digit[1] != '\0')) {
		message("--per-cache=%s: not a level from L1 to L9", level);
		return -EINVAL;
	}
	o->target.cache_level = digit ? digit[0] - '0' : 0;
	set_split(o, PLACE_CACHE);
	return 0;
}

static int apply_comparing(struct compare_options *c, int id, const char *argument)
{
	switch (id) {
	case 'c':
		return compare_options_add_command(c, argument);
	case 'L':
		return compare_options_add_list(c, argument);
	case OPT_ORDER:
		return compare_options_add_order(c, argument);
	case OPT_SEED:
		return compare_options_add_seed(c, argument);
	case OPT_DURATION:
		return compare_options_add_duration(c, argument);
	case OPT_PRECISION:
		return compare_options_add_precision(c, argument);
	case OPT_CONFIDENCE:
		return compare_options_add_confidence(c, argument);
	case OPT_FAIL_IF:
		return compare_options_add_gate(c, argument);
	case OPT_MIN_EFFECT:
		return compare_options_add_effect(c, argument);
	default:
		return compare_options_add_more(c, argument);
	}
}

/* An option that does more than to set a field. */
static int apply_other(struct options *o, int id, const char *argument)
{
	switch (id) {
	case OPT_FILTER:
		return add_remark(o, REQUEST_FILTER, "--filter", argument);
	case 'G':
		return add_remark(o, REQUEST_CGROUPS, "-G", argument);
	case 'd':
		o->detail += o->detail < 3;
		return 0;
	case OPT_PER_CACHE:
		return split_by_cache(o, argument);
	case 'D':
		return parse_delay(o, argument);
	case OPT_MIN_RUNNING:
		return parse_percent(o, argument);
	case OPT_SCALE:
		o->no_scale = false;
		return 0;
	case 'x':
		return parse_separator(o, argument);
	case OPT_LOG_FD:
		return parse_log_fd(o, argument);
	case OPT_COLOR:
		return parse_colour(o, argument);
	case 'B':
		o->big_num = BIG_NUM_ALWAYS;
		return 0;
	case OPT_NO_BIG_NUM:
		o->big_num = BIG_NUM_NEVER;
		return 0;
	case 'r':
		o->has_repeat = true;
		return parse_count("-r", argument, 0, UINT_MAX, &o->repeat);
	default:
		return apply_comparing(&o->compare_options, id, argument);
	}
}

static int apply_number(size_t i, const char *argument, unsigned int *field)
{
	char name[64];

	if (table[i].id > UCHAR_MAX)
		snprintf(name, sizeof(name), "--%s", table[i].name);
	else
		snprintf(name, sizeof(name), "-%c", table[i].id);
	return parse_count(name, argument, table[i].low, UINT_MAX, field);
}

/* Only comparisons make sense of these; -c, -L, --baseline and --compare make one. */
static bool is_of_comparing(int id)
{
	return id >= OPT_SHELL && id <= OPT_MORE_IS_BETTER && id != OPT_SEED;
}

/* What goes with the jobs that read documents: options that say how a result is printed, and where; and how
 * sides are compared. */
enum { OF_SHOW = 1, OF_COMPARE = 2 };

static unsigned int documents_jobs(int id)
{
	static const struct {
		int id;
		unsigned int jobs;
	} options[] = {
		{ 'x', OF_SHOW | OF_COMPARE },
		{ 'j', OF_SHOW | OF_COMPARE },
		{ 'o', OF_SHOW | OF_COMPARE },
		{ 'B', OF_SHOW | OF_COMPARE },
		{ OPT_APPEND, OF_SHOW | OF_COMPARE },
		{ OPT_LOG_FD, OF_SHOW | OF_COMPARE },
		{ OPT_FORMAT, OF_SHOW | OF_COMPARE },
		{ OPT_NO_BIG_NUM, OF_SHOW | OF_COMPARE },
		{ OPT_METRIC_ONLY, OF_SHOW | OF_COMPARE },
		{ OPT_TABLE, OF_SHOW | OF_COMPARE },
		{ OPT_ASCII, OF_SHOW | OF_COMPARE },
		{ OPT_COLOR, OF_SHOW | OF_COMPARE },
		{ OPT_NO_PROGRESS, OF_SHOW | OF_COMPARE },
		{ OPT_SHOW, OF_SHOW },
		{ OPT_SUMMARY, OF_SHOW },
		{ OPT_NO_CSV_SUMMARY, OF_SHOW },
		{ OPT_COMPARE, OF_COMPARE },
		{ OPT_NAMES, OF_COMPARE },
		{ OPT_SEED, OF_COMPARE },
		{ OPT_CONFIDENCE, OF_COMPARE },
		{ OPT_FAIL_IF, OF_COMPARE },
		{ OPT_GATE_SCALED, OF_COMPARE },
		{ OPT_MIN_EFFECT, OF_COMPARE },
		{ OPT_MORE_IS_BETTER, OF_COMPARE },
		{ OPT_SAVE, OF_COMPARE },
		{ OPT_HTML, OF_COMPARE },
		{ OPT_QUIET, OF_COMPARE },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (options[i].id == id)
			return options[i].jobs;
	return 0;
}

/* The first option of each kind, for messages. */
static void remember_first(struct options *o, size_t i)
{
	unsigned int jobs = documents_jobs(table[i].id);

	if (!o->compares && is_of_comparing(table[i].id))
		o->compares = table[i].name;
	if (!o->not_of_show && !(jobs & OF_SHOW))
		o->not_of_show = table[i].name;
	if (!o->not_of_compare && !(jobs & OF_COMPARE))
		o->not_of_compare = table[i].name;
}

static int apply(struct options *o, size_t i, const char *argument)
{
	void *field = (char *)o + table[i].field;

	remember_first(o, i);
	switch (table[i].effect) {
	case SET_FLAG:
		*(bool *)field = true;
		return 0;
	case SET_TEXT:
		*(const char **)field = argument;
		return 0;
	case SET_NUMBER:
		return apply_number(i, argument, field);
	case ADD_REQUEST:
		return add_request(o, (enum request_kind)table[i].low, argument);
	case SET_SPLIT:
		set_split(o, (enum place_kind)table[i].low);
		return 0;
	case SET_JOB:
		o->job = (enum job)table[i].low;
		return 0;
	case DO_MORE:
		break;
	}
	return apply_other(o, table[i].id, argument);
}

/* The option whose name is nearest to these n letters; NULL where none is near. */
static const char *nearest_option(const char *name, size_t n)
{
	unsigned int best =
		n < 5 ? 5 * (unsigned int)n : 25; /* tenths: every second letter, or two */
	const char *nearest = NULL;

	for (size_t i = 0; i < TABLE_N; i++) {
		unsigned int distance =
			suggest_distance(name, n, table[i].name, strlen(table[i].name), best);

		if (distance < best) {
			best = distance;
			nearest = table[i].name;
		}
	}
	return nearest;
}

static void refuse_unknown(const char *argument, size_t n)
{
	const char *nearest = nearest_option(argument + 2, n);

	if (nearest)
		message("unknown option '%s'; did you mean '--%s'? 'pstat --help' lists all",
			argument, nearest);
	else
		message("unknown option '%s'; 'pstat --help' lists all", argument);
}

/* The long option that was meant by an argument that getopt_long() did not take. */
static int refuse_name(const char *argument)
{
	size_t n = strcspn(argument + 2, "=");
	size_t matches = 0;

	for (size_t i = 0; i < TABLE_N; i++) {
		if (strncmp(table[i].name, argument + 2, n) != 0)
			continue;
		matches++;
		if (table[i].id == optopt) {
			message("option '--%s' takes no argument", table[i].name);
			return -EINVAL;
		}
	}
	if (matches > 1)
		message("option '%s' is ambiguous: write more of it; 'pstat --help' lists all",
			argument);
	else
		refuse_unknown(argument, n);
	return -EINVAL;
}

/* TABLE_N where there is none. */
static size_t index_of(int id)
{
	size_t i = 0;

	while (i < TABLE_N && table[i].id != id)
		i++;
	return i;
}

/* optopt: an unknown letter, or the option that is wrongly used; 0 for an unknown name. Only behind a
 * letter that ends its word is optind past that word. */
static int refuse(int code, char **argv)
{
	const char *argument = argv[optind - 1];

	if (code == ':')
		message("option '%s' needs an argument", argument);
	else if (optopt && index_of(optopt) == TABLE_N)
		message("unknown option '-%c'; 'pstat --help' lists all", optopt);
	else if (strncmp(argument, "--", 2) == 0)
		return refuse_name(argument);
	return -EINVAL;
}

static bool reads_documents(const struct options *o)
{
	return o->job == JOB_SHOW || o->job == JOB_COMPARE;
}

/* getopt_long(), but with --show and --compare, which have no command, options may stand behind the arguments:
 * those are moved to where argv begins, and *n counts them. */
static int next_option(const struct options *o, const struct getopt_arrays *arrays, int argc,
		       char **argv, int *n)
{
	for (;;) {
		int before = optind;
		int id = getopt_long(argc, argv, arrays->letters, arrays->names, NULL);

		if (id != -1 || !reads_documents(o) || optind == argc)
			return id;
		if (optind > before) /* behind "--" */
			break;
		argv[++*n] = argv[optind++];
	}
	while (optind < argc)
		argv[++*n] = argv[optind++];
	return -1;
}

int options_parse(struct options *o, int argc, char **argv)
{
	struct getopt_arrays arrays;
	int id, err, moved = 0;

	*o = (struct options){
		.repeat = 1, .log_fd = -1, .min_running = 5, .compare_options.confidence = 0.95
	};
	make_arrays(&arrays);
	opterr = 0;
	while ((id = next_option(o, &arrays, argc, argv, &moved)) != -1) {
		err = id == '?' || id == ':' ? refuse(id, argv) : apply(o, index_of(id), optarg);
		if (err < 0)
			return err;
	}
	o->argv = argv + optind;
	if (moved) {
		argv[moved + 1] = NULL;
		o->argv = argv + 1;
	}
	return options_check(o);
}

void options_release(struct options *o)
{
	free(o->requests);
	compare_options_release(&o->compare_options);
}

void options_help(FILE *out)
{
	fputs("Usage: pstat [OPTIONS] [--] COMMAND [ARG...]\n"
	      "       pstat [OPTIONS] -a | -C CPUS | -p PID | -t TID [COMMAND [ARG...]]\n"
	      "       pstat [OPTIONS] -c 'CMD A' -c 'CMD B' ...\n"
	      "       pstat [OPTIONS] --baseline FILE COMMAND [ARG...]\n"
	      "       pstat [OPTIONS] --compare FILE...\n"
	      "       pstat [OPTIONS] --explain EVENT...\n"
	      "       pstat [OPTIONS] --list [GLOB]\n"
	      "       pstat [OPTIONS] --show FILE...\n"
	      "Count events of the hardware and the kernel while COMMAND runs, or compare commands.\n\n",
	      out);
	for (size_t i = 0; i < TABLE_N; i++) {
		char name[64];

		snprintf(name, sizeof(name), "--%s%s%s", table[i].name,
			 has_argument(i) == required_argument ? " " : "",
			 has_argument(i) ? table[i].argument : "");
		if (table[i].id <= UCHAR_MAX)
			fprintf(out, "  -%c, %-24s %s\n", table[i].id, name, table[i].help);
		else
			fprintf(out, "      %-24s %s\n", name, table[i].help);
	}
	fputs("\nEvents: cycles, page-faults, L1-dcache-load-misses (generic); INST_RETIRED:u (libpfm4);\n"
	      "cpu/event=0x3c,umask=0x1/ (sysfs); r1a2b and 4:0x3c (raw); duration_time (the tool's own).\n"
	      "{a,b} is a group. Exit status: the command's; 125 pstat failed, 126 and 127 the command\n"
	      "could not be executed or found, 128+n it was killed by signal n. See pstat(1).\n",
	      out);
}
