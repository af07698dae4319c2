/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which options do not go together, and why. */
#include <errno.h>
#include <string.h>

#include "cli/message.h"
#include "cli/options.h"

bool options_attach(const struct options *o)
{
	return o->target.pids || o->target.tids || o->target.cpus || o->target.all_cpus;
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
	if (!o->argv[0] && !options_attach(o))
		return "no command to count: pstat [OPTIONS] COMMAND [ARG...]; 'pstat --help' says more";
	return o->argv[0] ? NULL : needs_command(o);
}

static const char *check_split(const struct options *o)
{
	bool cpus = o->target.cpus || o->target.all_cpus;

	if (o->splits > 1)
		return "rows are split in one way: give one of -A, --per-core, --per-cluster, --per-cache, "
		       "--per-die, --per-socket, --per-node and --per-thread";
	if (o->target.split == WHERE_THREAD && o->target.cpus)
		return "--per-thread splits tasks: it goes with -p, -t or -a, and not with -C";
	if (o->target.split == WHERE_THREAD && !options_attach(o))
		return "--per-thread splits tasks that run already: it goes with -p, -t or -a";
	if (o->target.split != WHERE_TARGET && o->target.split != WHERE_THREAD && !cpus)
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
	if ((some || o->each_cgroup) && o->target.split == WHERE_THREAD)
		return "--per-thread counts threads, and cgroups are counted CPU by CPU";
	return NULL;
}

static const char *check_timing(const struct options *o)
{
	if (!o->timing.interval_ms && o->timing.interval_count)
		return "--interval-count counts the intervals of -I: give that, too";
	if (!o->timing.interval_ms && o->interval_clear)
		return "--interval-clear is for the blocks of -I: give that, too";
	if (!o->timing.interval_ms && o->summary)
		return "--summary is what follows the blocks of -I: give that, too";
	if (o->timing.interval_ms && o->null_run)
		return "-n counts nothing: -I would have no rows to print";
	if (o->interval_clear && o->separator)
		return "--interval-clear is for a screen: it does not go with -x";
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

static const char *check_look(const struct options *o)
{
	if (options_attach(o) || o->splits || o->timing.interval_ms || o->control || o->each_cgroup)
		return "--explain and --list count nothing: whom and when to count does not go with them";
	if (o->job == JOB_EXPLAIN && !o->argv[0])
		return "--explain needs an event: pstat --explain EVENT...";
	if (o->job == JOB_EXPLAIN && (o->requests_n > 0 || o->detail > 0 || o->null_run))
		return "--explain takes its events as arguments: -e, -d and -n do not go with it";
	if (o->job == JOB_LIST && o->argv[0] && o->argv[1])
		return "--list takes one GLOB; quote it, so that the shell does not expand it";
	return NULL;
}

static const char *check_count(const struct options *o)
{
	static const char *(*const checks[])(const struct options *) = {
		check_targets, check_split, check_cgroups, check_timing, check_passes,
	};
	const char *trouble = NULL;

	for (size_t i = 0; !trouble && i < sizeof(checks) / sizeof(checks[0]); i++)
		trouble = checks[i](o);
	if (!trouble && (o->list_all || o->format != LOOK_TEXT))
		trouble = "--all goes with --list, and --format json with --list and --explain";
	if (!trouble && o->sysroot)
		trouble =
			"--sysroot is for looking at events (--list, --explain): another machine's "
			"cannot be counted here";
	return trouble;
}

int options_check(const struct options *o)
{
	const char *trouble = NULL;

	if (o->job == JOB_HELP || o->job == JOB_VERSION)
		return 0;
	if (o->all_user && o->all_kernel)
		trouble =
			"--all-user and --all-kernel exclude each other; leave both away to count both";
	else if (o->null_run && (o->requests_n > 0 || o->detail > 0))
		trouble = "-n counts nothing: it does not go with -e, -M or -d";
	else if (o->output && o->log_fd >= 0)
		trouble = "-o and --log-fd exclude each other: the result goes to one place";
	else
		trouble = o->job == JOB_COUNT ? check_count(o) : check_look(o);
	if (!trouble)
		return 0;
	message("%s", trouble);
	return -EINVAL;
}
