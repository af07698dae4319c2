/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which options do not go together, and why. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "cli/message.h"
#include "cli/options.h"

bool options_attach(const struct options *o)
{
	return o->target.pids || o->target.tids || o->target.cpus || o->target.all_cpus;
}

bool options_compare(const struct options *o)
{
	return o->compare_options.commands.n > 0 || o->compare_options.lists.n > 0 ||
	       o->compare_options.baseline;
}

/* Whether a command is to be run otherwise than pstat itself was. */
static bool has_child_setup(const struct options *o)
{
	return o->input || o->discard || o->randomize_env || o->no_aslr || o->cpu_list ||
	       o->iteration;
}

/* Options that only a command makes sense of. */
static const char *needs_command(const struct options *o)
{
	if (o->repeat != 1)
		return "-r repeats a command: there is none";
	if (o->warmup)
		return "--warmup runs a command beforehand: there is none";
	if (o->pre || o->post || o->sync)
		return "--pre, --post and -S are for the runs of a command: there is none";
	if (o->setup || o->cleanup)
		return "--setup and --cleanup are for the runs of a command: there is none";
	if (has_child_setup(o))
		return "--input, --discard, --randomize-env, --no-aslr, --cpu-list and --iteration say how a "
		       "command is run: there is none";
	if (o->control && strcmp(o->control, "region") == 0)
		return "--control region is for a region of the command: there is none";
	return NULL;
}

static const char *check_targets(const struct options *o)
{
	bool tasks = o->target.pids || o->target.tids;
	bool cpus = o->target.cpus || o->target.all_cpus;

	if (o->target.all_cpus && o->target.cpus)
		return "-a counts all CPUs and -C some of them: give one of the two";
	if (tasks && cpus)
		return "-p and -t count tasks wherever they run, -a and -C whatever runs on CPUs: they "
		       "exclude each other";
	if (o->null_run && options_attach(o))
		return "-n counts nothing: it does not go with -p, -t, -a and -C";
	if (o->compare_options.commands.n > 0)
		return NULL; /* see check_sides() */
	if (!o->argv[0] && o->compare_options.baseline)
		return "--baseline needs a COMMAND, or -c, that is run and compared with FILE";
	if (!o->argv[0] && !options_attach(o))
		return "no command to count: pstat [OPTIONS] COMMAND [ARG...]; 'pstat --help' says more";
	return o->argv[0] ? NULL : needs_command(o);
}

/* How no comparison can look. */
static const char *check_comparison_look(const struct options *o)
{
	if (o->separator || o->json)
		return "perf's formats know no comparison: -x and -j do not go with one, --format does";
	if (o->metric_only || o->run_times)
		return "--metric-only and --table are of one command's result: they do not go with a "
		       "comparison";
	return NULL;
}

/* What does not go with commands that are compared. */
static const char *check_sides(const struct options *o)
{
	if (!options_compare(o))
		return NULL;
	if (o->compare_options.commands.n > 0 && o->argv[0])
		return "-c says what is run, and there is a command behind the options, too: give it by "
		       "one more -c";
	if (options_attach(o))
		return "-c, -L and --baseline run commands and compare them: -p, -t, -a and -C do not go "
		       "with them";
	if (o->timing.interval_ms)
		return "-I prints what one command does meanwhile: it does not go with a comparison";
	if (o->control)
		return "--control is for one command: it does not go with a comparison";
	if (o->no_multiplex)
		return "--no-multiplex takes several runs for one measurement: it does not go with a "
		       "comparison";
	if (o->has_repeat &&
	    (o->compare_options.duration_s > 0 || o->compare_options.precision > 0))
		return "-r says how often each command is run, --duration and --precision when it is "
		       "enough: give one of them";
	if (o->has_repeat && o->repeat == 0 && o->compare_options.order == ORDER_SEQUENTIAL)
		return "-r 0 runs the first command until pstat is interrupted: with --order sequential no "
		       "other would have its turn";
	if (o->compare_options.shell && o->compare_options.commands.n == 0)
		return "--shell runs the commands of -c: there are none";
	return check_comparison_look(o);
}

static const char *check_child_setup(const struct options *o)
{
	if (o->discard && o->show_output)
		return "--discard and --show-output exclude each other";
	if (o->show_output && !options_compare(o))
		return "--show-output is for comparisons: what one command prints is shown anyway";
	if (o->compare_options.has_seed && !options_compare(o) && !o->randomize_env)
		return "--seed is for --randomize-env and for comparisons: nothing else here is random";
	return NULL;
}

static const char *check_split(const struct options *o)
{
	bool cpus = o->target.cpus || o->target.all_cpus;

	if (o->splits > 1)
		return "rows are split in one way: give one of -A, --per-core, --per-cluster, --per-cache, "
		       "--per-die, --per-socket, --per-node and --per-thread";
	if (o->target.split == PLACE_THREAD && o->target.cpus)
		return "--per-thread splits tasks: it goes with -p, -t or -a, and not with -C";
	if (o->target.split == PLACE_THREAD && !options_attach(o))
		return "--per-thread splits tasks that run already: it goes with -p, -t or -a";
	if (o->target.split != PLACE_TARGET && o->target.split != PLACE_THREAD && !cpus)
		return "-A, --per-core and the like split CPUs: they go with -a or -C";
	return NULL;
}

static bool asks_for_cgroups(const struct options *o)
{
	for (size_t i = 0; i < o->requests_n; i++)
		if (o->requests[i].kind == REQUEST_CGROUPS)
			return true;
	return false;
}

static const char *check_cgroups(const struct options *o)
{
	bool some = asks_for_cgroups(o);

	if (some && o->each_cgroup)
		return "-G and --for-each-cgroup exclude each other";
	if ((some || o->each_cgroup) && !o->target.cpus && !o->target.all_cpus)
		return "cgroups are counted CPU by CPU: -G and --for-each-cgroup go with -a or -C";
	if ((some || o->each_cgroup) && o->target.split == PLACE_THREAD)
		return "--per-thread counts threads, and cgroups are counted CPU by CPU";
	return NULL;
}

static const char *check_timing(const struct options *o)
{
	const struct format *format = options_format(o);

	if (!o->timing.interval_ms && o->timing.interval_count)
		return "--interval-count counts the intervals of -I: give that, too";
	if (!o->timing.interval_ms && o->interval_clear)
		return "--interval-clear is for the blocks of -I: give that, too";
	if (!o->timing.interval_ms && o->summary)
		return "--summary is what follows the blocks of -I: give that, too";
	if (o->timing.interval_ms && o->null_run)
		return "-n counts nothing: -I would have no rows to print";
	if (o->interval_clear && (!format || format->audience != AUDIENCE_TERMINAL))
		return "--interval-clear is for a screen: it goes with the table alone";
	if (o->timing.delay_ms < 0 && !o->control)
		return "-D -1 starts switched off, and without --control nothing would switch it on";
	return NULL;
}

static const char *check_passes(const struct options *o)
{
	if (!o->no_multiplex)
		return NULL;
	if (options_attach(o))
		return "--no-multiplex runs a command several times: it does not go with -p, -t, -a and "
		       "-C";
	if (o->timing.interval_ms || o->timing.delay_ms || o->timing.timeout_ms || o->control)
		return "--no-multiplex takes each event's count from another run: it does not go with -I, "
		       "-D, --timeout and --control";
	if (o->no_inherit)
		return "--no-multiplex does not go with -i";
	return o->null_run ? "--no-multiplex has nothing to do with -n" : NULL;
}

/* What is a whole of its own each time. */
static const char *check_expositions(const struct options *o)
{
	const struct format *format = options_format(o);
	bool appends = o->output && o->append && format && format->appendable == APPENDABLE_NEVER;

	if (appends && format->intervals == INTERVALS_INSIDE)
		return "--append does not go with --format json: a document stands alone in its file";
	if (!format || format->intervals != INTERVALS_REPLACED)
		return NULL;
	if (o->job == JOB_SHOW && o->argv[0] && o->argv[1])
		return "--show with --format openmetrics takes one FILE: nothing may follow its end";
	if (o->timing.interval_ms && !o->output)
		return "--format openmetrics with -I replaces a file in each interval: say which by -o";
	if (appends)
		return "--append does not go with --format openmetrics: nothing may follow its end";
	return NULL;
}

const struct format *options_format(const struct options *o)
{
	if (o->separator)
		return &format_perf_csv;
	if (o->json)
		return &format_perf_json;
	return o->format ? format_find(o->format) : &format_table;
}

int options_result_fd(const struct options *o)
{
	if (o->log_fd >= 0)
		return o->log_fd;
	return o->job == JOB_SHOW || o->job == JOB_COMPARE ? STDOUT_FILENO : STDERR_FILENO;
}

bool options_want_document(const struct options *o)
{
	return o->save || options_format(o) == &format_json;
}

bool options_look_json(const struct options *o)
{
	return o->json || (o->format && strcmp(o->format, "json") == 0);
}

enum kind { RESULTS, COMPARISONS };

/* Whether --format may name the format for that kind of output. */
static bool is_format_of(const struct format *format, enum kind kind)
{
	if (!format || format->destination == DESTINATION_FILE)
		return false;
	return kind == RESULTS ? format->write_result != NULL : format->write_comparison != NULL;
}

/* 0; -EINVAL after a message. */
static int check_format_of(const struct options *o, enum kind kind)
{
	const struct format *format = format_find(o->format);
	const char *wrong = kind == RESULTS ? "it is of comparisons" : "no comparison has it";
	cleanup_str struct str names = { 0 };

	if (is_format_of(format, kind))
		return 0;
	for (size_t i = 0; formats[i]; i++)
		if (is_format_of(formats[i], kind))
			str_add_listed(&names, formats[i]->name);
	message("--format %s: %s; there are %s", o->format, format ? wrong : "no such format",
		str_text(&names));
	return -EINVAL;
}

int options_check_kind(const struct options *o, bool are_comparisons)
{
	if (are_comparisons && (o->separator || o->json || o->metric_only || o->run_times)) {
		message("--show: perf's formats, --metric-only and --table know no comparison, which is "
			"what was saved: give a --format");
		return -EINVAL;
	}
	if (!o->format)
		return 0;
	return check_format_of(o, are_comparisons ? COMPARISONS : RESULTS);
}

/* 0; -EINVAL after a message. */
static int check_format(const struct options *o)
{
	if (!o->format || (o->job == JOB_SHOW && is_format_of(format_find(o->format), COMPARISONS)))
		return 0; /* see options_check_kind() */
	if (o->job == JOB_COMPARE || (o->job == JOB_COUNT && options_compare(o)))
		return check_format_of(o, COMPARISONS);
	if (o->job == JOB_COUNT || o->job == JOB_SHOW)
		return check_format_of(o, RESULTS);
	if (options_look_json(o) || strcmp(o->format, "table") == 0)
		return 0;
	message("--format %s: --list and --explain know table and json", o->format);
	return -EINVAL;
}

static const char *check_look(const struct options *o)
{
	if (options_attach(o) || o->splits || o->timing.interval_ms || o->control ||
	    o->each_cgroup || options_compare(o))
		return "--explain and --list count nothing: whom and when to count does not go with them";
	if (o->quiet)
		return "--explain and --list are there to print something: --quiet does not go with them";
	if (o->save)
		return "--explain and --list count nothing: there is nothing to --save";
	if (o->job == JOB_EXPLAIN && !o->argv[0])
		return "--explain needs an event: pstat --explain EVENT...";
	if (o->job == JOB_EXPLAIN && (o->requests_n > 0 || o->detail > 0 || o->null_run))
		return "--explain takes its events as arguments: -e, -d and -n do not go with it";
	if (o->job == JOB_LIST && o->argv[0] && o->argv[1])
		return "--list takes one GLOB; quote it, so that the shell does not expand it";
	return NULL;
}

/* How the result looks, that of --show too. */
static const char *check_style(const struct options *o)
{
	if ((o->format != NULL) + (o->separator != NULL) + o->json > 1)
		return "-x, -j and --format exclude each other: the result has one format";
	if (o->metric_only && o->format && strcmp(o->format, "table") != 0)
		return "--metric-only is for the table, -x and -j: the other formats have all";
	if (o->job == JOB_COUNT && o->run_times && o->repeat == 1)
		return "--table is of the runs of -r: give that, too";
	return NULL;
}

static const char *check_count(const struct options *o)
{
	static const char *(*const checks[])(const struct options *) = {
		check_sides,   check_targets, check_child_setup, check_split,
		check_cgroups, check_timing,  check_passes,	 check_expositions,
	};
	const char *trouble = NULL;

	for (size_t i = 0; !trouble && i < sizeof(checks) / sizeof(checks[0]); i++)
		trouble = checks[i](o);
	if (!trouble && o->list_all)
		trouble = "--all goes with --list";
	if (!trouble && o->sysroot)
		trouble =
			"--sysroot is for looking at events (--list, --explain): another machine's "
			"cannot be counted here";
	return trouble;
}

/* 0; -EINVAL after a message. */
static int check_show(const struct options *o)
{
	if (o->not_of_show)
		message("--show prints what was counted before: --%s does not go with it",
			o->not_of_show);
	else if (!o->argv[0])
		message("--show needs a FILE: pstat --show FILE... [--format FMT]");
	return o->not_of_show || !o->argv[0] ? -EINVAL : 0;
}

/* 0; -EINVAL after a message. */
static int check_compare(const struct options *o)
{
	if (o->not_of_compare)
		message("--compare compares what was counted before: --%s does not go with it",
			o->not_of_compare);
	else if (!o->argv[0])
		message("--compare needs FILEs: pstat --compare OLD.json NEW.json");
	return o->not_of_compare || !o->argv[0] ? -EINVAL : 0;
}

/* 0; -EINVAL after a message. */
static int check_compares(const struct options *o)
{
	if (!o->compares || options_compare(o) || o->job == JOB_COMPARE)
		return 0;
	message("--%s is for comparisons: there is one command; give several by -c, or -L",
		o->compares);
	return -EINVAL;
}

/* What is wrong with the job's own options. */
static const char *check_job(const struct options *o)
{
	const char *trouble;

	switch (o->job) {
	case JOB_COUNT:
		return check_count(o);
	case JOB_COMPARE:
		trouble = check_comparison_look(o);
		return trouble ? trouble : check_expositions(o);
	case JOB_SHOW:
		return check_expositions(o);
	default:
		return check_look(o);
	}
}

int options_check(const struct options *o)
{
	const char *trouble = NULL;

	if (o->job == JOB_HELP || o->job == JOB_VERSION)
		return 0;
	if ((o->job == JOB_SHOW && check_show(o) < 0) ||
	    (o->job == JOB_COMPARE && check_compare(o) < 0) || check_compares(o) < 0)
		return -EINVAL;
	if (o->all_user && o->all_kernel)
		trouble =
			"--all-user and --all-kernel exclude each other; leave both away to count both";
	else if (o->null_run && (o->requests_n > 0 || o->detail > 0))
		trouble = "-n counts nothing: it does not go with -e, -M or -d";
	else if (str_equal(o->output, "") || str_equal(o->save, "") || str_equal(o->html, ""))
		trouble = "-o, --save and --html need the name of a file: it is empty";
	else if (str_equal(o->html, "-"))
		trouble = "--html - would be a file of that name: standard output is /dev/stdout";
	else if (o->output && o->log_fd >= 0)
		trouble = "-o and --log-fd exclude each other: the result goes to one place";
	else if (o->quiet && o->verbose)
		trouble = "--quiet and -v exclude each other";
	else
		trouble = check_style(o);
	if (!trouble)
		trouble = check_job(o);
	if (!trouble)
		return check_format(o);
	message("%s", trouble);
	return -EINVAL;
}
