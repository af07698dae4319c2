/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "cli/message.h"
#include "cli/options.h"

/* Options without a letter. */
enum {
	OPT_APPEND = 256,
	OPT_PFM_EVENTS,
	OPT_FILTER,
	OPT_NO_MERGE,
	OPT_LOG_FD,
	OPT_SCALE,
	OPT_NO_SCALE,
	OPT_NO_BIG_NUM,
	OPT_ALL_USER,
	OPT_ALL_KERNEL,
	OPT_STRICT,
	OPT_IGNORE_FAILURE,
	OPT_SYSROOT,
	OPT_EXPLAIN,
	OPT_LIST,
	OPT_ALL,
	OPT_FORMAT,
	OPT_HELP,
	OPT_VERSION,
};

static const struct {
	int id; /* its letter, or one of the above */
	const char *name;
	const char *argument; /* NULL for none */
	const char *help;
} table[] = {
	{ 'e', "event", "LIST", "events and {groups} to count, separated by commas; repeatable" },
	{ OPT_PFM_EVENTS, "pfm-events", "LIST", "the same, each name read by libpfm4 alone" },
	{ OPT_FILTER, "filter", "EXPR", "count the tracepoints before it only where EXPR holds" },
	{ OPT_NO_MERGE, "no-merge", NULL, "a row for each instance of an uncore PMU" },
	{ 'd', "detailed", NULL, "add cache events to the default ones; -dd and -ddd add more" },
	{ 'n', "null", NULL, "no counters, only elapsed, user and system time" },
	{ OPT_ALL_USER, "all-user", NULL, "count user mode only, as :u on every event" },
	{ OPT_ALL_KERNEL, "all-kernel", NULL, "count the kernel only, as :k on every event" },
	{ 'i', "no-inherit", NULL, "count the command's first task alone" },
	{ 'r', "repeat", "N", "run N times, show mean and standard error; 0: until interrupted" },
	{ OPT_IGNORE_FAILURE, "ignore-failure", NULL, "with -r, go on after a run that fails" },
	{ OPT_STRICT, "strict", NULL, "do not start unless every event can be counted" },
	{ OPT_SCALE, "scale", NULL, "scale multiplexed counts (the default)" },
	{ OPT_NO_SCALE, "no-scale", NULL, "show multiplexed counts as they were read" },
	{ 'x', "field-separator", "SEP", "print perf stat's CSV, fields separated by SEP" },
	{ 'o', "output", "FILE", "write the result to FILE, not to standard error" },
	{ OPT_APPEND, "append", NULL, "with -o, append to FILE" },
	{ OPT_LOG_FD, "log-fd", "N", "write the result to descriptor N" },
	{ 'B', "big-num", NULL, "thousands separators, whatever the locale" },
	{ OPT_NO_BIG_NUM, "no-big-num", NULL, "no thousands separators" },
	{ 'v', "verbose", NULL, "print each event as it is opened" },
	{ OPT_SYSROOT, "sysroot", "DIR", "read /sys and /proc below DIR" },
	{ OPT_EXPLAIN, "explain", NULL,
	  "say what the events given as arguments are; count nothing" },
	{ OPT_LIST, "list", NULL, "list the events that match the GLOB given as argument, or all" },
	{ OPT_ALL, "all", NULL, "with --list, also events of PMUs that are not here" },
	{ OPT_FORMAT, "format", "FMT", "of --list and --explain: table or json" },
	{ 'h', "help", NULL, "print this help" },
	{ OPT_VERSION, "version", NULL, "print the version" },
};

enum { TABLE_N = sizeof(table) / sizeof(table[0]) };

struct getopt_arrays {
	char letters[2 + 2 * TABLE_N + 1];
	struct option names[TABLE_N + 1];
};

/* "+": options end at the command; ":": an argument that is missing is told from an unknown option. */
static void make_arrays(struct getopt_arrays *arrays)
{
	char *letter = stpcpy(arrays->letters, "+:");

	memset(arrays->names, 0, sizeof(arrays->names));
	for (size_t i = 0; i < TABLE_N; i++) {
		arrays->names[i] = (struct option){
			.name = table[i].name,
			.has_arg = table[i].argument ? required_argument : no_argument,
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

static int parse_count(const char *option, const char *text, unsigned int max, unsigned int *out)
{
	uint64_t value;
	int err = num_parse(text, strlen(text), &value);

	if (err < 0 || value > max) {
		message("%s %s: not a number from 0 to %u", option, text, max);
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

static int parse_format(struct options *o, const char *text)
{
	if (strcmp(text, "table") != 0 && strcmp(text, "json") != 0) {
		message("--format %s: there are table and json", text);
		return -EINVAL;
	}
	o->format = text[0] == 'j' ? LOOK_JSON : LOOK_TEXT;
	return 0;
}

static int parse_log_fd(struct options *o, const char *text)
{
	unsigned int fd;
	int err = parse_count("--log-fd", text, INT_MAX, &fd);

	if (err == 0)
		o->log_fd = (int)fd;
	return err;
}

static int add_request(struct options *o, enum request_kind kind, const char *text)
{
	if (array_grow(&o->requests, o->requests_n, &o->requests_size, sizeof(*o->requests)) < 0)
		return -ENOMEM;
	o->requests[o->requests_n++] = (struct event_request){ kind, text };
	return 0;
}

static int add_filter(struct options *o, const char *text)
{
	if (o->requests_n == 0) {
		message("--filter '%s': there is no -e before it whose tracepoint it could filter",
			text);
		return -EINVAL;
	}
	return add_request(o, REQUEST_FILTER, text);
}

static int apply(struct options *o, int id, const char *argument)
{
	switch (id) {
	case 'e':
		return add_request(o, REQUEST_EVENTS, argument);
	case OPT_PFM_EVENTS:
		return add_request(o, REQUEST_PFM_EVENTS, argument);
	case OPT_FILTER:
		return add_filter(o, argument);
	case OPT_NO_MERGE:
		o->no_merge = true;
		break;
	case 'd':
		o->detail += o->detail < 3;
		break;
	case 'n':
		o->null_run = true;
		break;
	case OPT_ALL_USER:
		o->all_user = true;
		break;
	case OPT_ALL_KERNEL:
		o->all_kernel = true;
		break;
	case 'i':
		o->no_inherit = true;
		break;
	case 'r':
		return parse_count("-r", argument, UINT_MAX, &o->repeat);
	case OPT_IGNORE_FAILURE:
		o->ignore_failure = true;
		break;
	case OPT_STRICT:
		o->strict = true;
		break;
	case OPT_SCALE:
	case OPT_NO_SCALE:
		o->no_scale = id == OPT_NO_SCALE;
		break;
	case 'x':
		return parse_separator(o, argument);
	case 'o':
		o->output = argument;
		break;
	case OPT_APPEND:
		o->append = true;
		break;
	case OPT_LOG_FD:
		return parse_log_fd(o, argument);
	case 'B':
		o->big_num = BIG_NUM_ALWAYS;
		break;
	case OPT_NO_BIG_NUM:
		o->big_num = BIG_NUM_NEVER;
		break;
	case 'v':
		o->verbose = true;
		break;
	case OPT_SYSROOT:
		o->sysroot = argument;
		break;
	case OPT_EXPLAIN:
		o->job = JOB_EXPLAIN;
		break;
	case OPT_LIST:
		o->job = JOB_LIST;
		break;
	case OPT_ALL:
		o->list_all = true;
		break;
	case OPT_FORMAT:
		return parse_format(o, argument);
	case 'h':
		o->job = JOB_HELP;
		break;
	default:
		o->job = JOB_VERSION;
	}
	return 0;
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
		message("unknown option '%s'; 'pstat --help' lists all", argument);
	return -EINVAL;
}

static bool is_id(int id)
{
	for (size_t i = 0; i < TABLE_N; i++)
		if (table[i].id == id)
			return true;
	return false;
}

/* optopt: an unknown letter, or the option that is wrongly used; 0 for an unknown name. Only behind a
 * letter that ends its word is optind past that word. */
static int refuse(int code, char **argv)
{
	const char *argument = argv[optind - 1];

	if (code == ':')
		message("option '%s' needs an argument", argument);
	else if (optopt && !is_id(optopt))
		message("unknown option '-%c'; 'pstat --help' lists all", optopt);
	else if (strncmp(argument, "--", 2) == 0)
		return refuse_name(argument);
	return -EINVAL;
}

static int check(const struct options *o)
{
	const char *trouble = NULL;

	if (o->job == JOB_HELP || o->job == JOB_VERSION)
		return 0;
	if (o->all_user && o->all_kernel)
		trouble =
			"--all-user and --all-kernel exclude each other; leave both away to count both";
	else if (o->null_run && (o->requests_n > 0 || o->detail > 0))
		trouble = "-n counts nothing: it does not go with -e or -d";
	else if (o->output && o->log_fd >= 0)
		trouble = "-o and --log-fd exclude each other: the result goes to one place";
	else if (o->job == JOB_EXPLAIN && !o->argv[0])
		trouble = "--explain needs an event: pstat --explain EVENT...";
	else if (o->job == JOB_EXPLAIN && (o->requests_n > 0 || o->detail > 0 || o->null_run))
		trouble =
			"--explain takes its events as arguments: -e, -d and -n do not go with it";
	else if (o->job == JOB_COUNT && !o->argv[0])
		trouble =
			"no command to count: pstat [OPTIONS] COMMAND [ARG...]; 'pstat --help' says more";
	else if (o->job == JOB_LIST && o->argv[0] && o->argv[1])
		trouble = "--list takes one GLOB; quote it, so that the shell does not expand it";
	else if (o->job == JOB_COUNT && (o->list_all || o->format != LOOK_TEXT))
		trouble = "--all goes with --list, and --format json with --list and --explain";
	else if (o->job == JOB_COUNT && o->sysroot)
		trouble =
			"--sysroot is for looking at events (--list, --explain): another machine's cannot be "
			"counted here";
	if (!trouble)
		return 0;
	message("%s", trouble);
	return -EINVAL;
}

int options_parse(struct options *o, int argc, char **argv)
{
	struct getopt_arrays arrays;
	int id, err;

	*o = (struct options){ .repeat = 1, .log_fd = -1 };
	make_arrays(&arrays);
	opterr = 0;
	while ((id = getopt_long(argc, argv, arrays.letters, arrays.names, NULL)) != -1) {
		err = id == '?' || id == ':' ? refuse(id, argv) : apply(o, id, optarg);
		if (err < 0)
			return err;
	}
	o->argv = argv + optind;
	return check(o);
}

void options_release(struct options *o)
{
	free(o->requests);
}

void options_help(FILE *out)
{
	fputs("Usage: pstat [OPTIONS] [--] COMMAND [ARG...]\n"
	      "       pstat [OPTIONS] --explain EVENT...\n"
	      "       pstat [OPTIONS] --list [GLOB]\n"
	      "Count events of the hardware and the kernel while COMMAND runs.\n\n",
	      out);
	for (size_t i = 0; i < TABLE_N; i++) {
		char name[64];

		snprintf(name, sizeof(name), "--%s%s%s", table[i].name,
			 table[i].argument ? " " : "", table[i].argument ? table[i].argument : "");
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
