/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "cli/attr.h"
#include "cli/counting.h"
#include "cli/message.h"
#include "machine/cpulist.h"
#include "machine/program.h"
#include "machine/tasks.h"

void counting_release(struct counting *job)
{
	workload_end_writing();
	notes_release(&job->notes);
	free(job->units);
	session_close(&job->session);
	control_release(&job->control);
	output_release(&job->printing.output);
	saving_release(&job->saving);
	message_beside(NULL);
	progress_end(&job->progress);
	target_release(&job->target);
	wanted_release(&job->wanted);
	sides_release(&job->sides);
	child_setup_release(&job->child_setup);
	cpulist_release(&job->cpu_list);
	machine_release(&job->machine);
	workload_release(&job->workload); /* last: until then no signal ends pstat */
}

static int open_control(struct counting *job, struct why *why)
{
	const char *text = job->options->control;
	cleanup_why struct why trouble = { 0 };
	cleanup_str struct str value = { 0 };
	int err = text ? control_open(&job->control, text, &trouble) : 0;

	if (err < 0)
		return why_of_argument(why, err, "--control", text, &trouble);
	if (!text)
		return 0;
	if (control_environment(&job->control, &value) == -ENOTSUP) {
		unsetenv("PSTAT_CONTROL"); /* of a pstat around this one */
		return 0;
	}
	return value.failed || setenv("PSTAT_CONTROL", str_text(&value), 1) < 0 ? -ENOMEM : 0;
}

/* The CPUs of --cpu-list, all of which have to be online. */
static int read_cpu_list(struct counting *job, struct why *why)
{
	const char *text = job->options->cpu_list;
	cleanup_with(cpulist_release) struct cpulist online = { 0 };
	cleanup_why struct why trouble = { 0 };
	int err = text ? cpulist_parse_user(&job->cpu_list, text, &trouble) : 0;

	if (err < 0)
		return why_of_argument(why, err, "--cpu-list", text, &trouble);
	if (!text || cpulist_online(&job->machine, &online) < 0)
		return 0;
	for (size_t i = 0; i < job->cpu_list.n; i++)
		if (!cpulist_has(&online, job->cpu_list.v[i]))
			return why_set(why, -EINVAL, "--cpu-list %s: CPU %d is not online", text,
				       job->cpu_list.v[i]);
	return 0;
}

/* Commands that take turns would each read on where the one before has stopped: they get nothing to read,
 * and print nothing, unless that is asked for. */
static int open_child_setup(struct counting *job, struct why *why)
{
	const struct options *o = job->options;
	bool compares = counting_compares(job);
	const struct child_setup_request request = {
		.input = !o->input && compares ? "/dev/null" : o->input,
		.discard = o->discard || (compares && !o->show_output),
		.no_aslr = o->no_aslr,
		.cpus = o->cpu_list ? &job->cpu_list : NULL,
		.variables = (o->iteration ? CHILD_SETUP_ITERATION : 0) |
			     (o->randomize_env ? CHILD_SETUP_PADDING : 0),
	};

	job->has_child_setup = child_setup_differs(&request);
	return job->has_child_setup ? child_setup_init(&job->child_setup, &request, why) : 0;
}

/* Given, or so that it differs each time. */
static void choose_seed(struct counting *job)
{
	const struct options *o = job->options;

	if (o->compare_options.has_seed)
		job->seed = o->compare_options.seed;
	else if (counting_has_chance(job) &&
		 getrandom(&job->seed, sizeof(job->seed), GRND_NONBLOCK) < 0)
		job->seed = (uint64_t)time(NULL);
	job->random = random_of_seed(~job->seed); /* apart from that of the order */
}

static int open_printing(struct counting *job, struct why *why)
{
	const struct options *o = job->options;

	return printing_open(&job->printing, o,
			     !counting_compares(job) && o->timing.interval_ms != 0, why);
}

/* Whether the programs of the commands have different ABIs. Unknown ABIs do not matter: such a
 * command fails to start. */
static bool have_mixed_abis(const struct sides *sides)
{
	struct program_abi first, abi;
	bool known = false;

	for (size_t i = 0; i < sides->n; i++) {
		const struct str_list *words = &sides->v[i].words;

		if (words->n == 0 || program_abi_of_command(words->v[0], &abi) < 0)
			continue;
		if (known && !program_abi_equal(&first, &abi))
			return true;
		first = abi;
		known = true;
	}
	return false;
}

/* Record the program whose ABI decides which of several libraries with the same name is probed. */
static int note_program(struct counting *job)
{
	const struct target *target = &job->target;
	const struct str_list *command = &job->sides.v[0].words;
	char **program = &job->machine.program;

	job->machine.mixed_abis = job->sides.n > 1 && have_mixed_abis(&job->sides);
	if (target->kind == TARGET_TASKS && target->scopes_n > 0)
		*program = machine_path(&job->machine, "/proc/%d/exe", (int)target->scopes[0].pid);
	else if (command->n > 0)
		*program = strdup(command->v[0]);
	else
		return 0;
	return *program ? 0 : -ENOMEM;
}

int counting_prepare(struct counting *job, struct why *why)
{
	const struct options *o = job->options;
	int err = open_control(job, why);

	if (err == 0)
		err = machine_init(&job->machine, NULL, why);
	if (err == 0)
		err = sides_of_options(&job->sides, o, job->baseline ? job->baseline->name : NULL,
				       why);
	if (err == 0)
		err = read_cpu_list(job, why);
	if (err == 0)
		err = open_child_setup(job, why);
	if (err == 0 && !o->quiet)
		err = open_printing(job, why);
	if (err == 0)
		err = saving_open(&job->saving, o, why);
	if (err == 0)
		err = target_init(&job->target, &job->machine, &o->target, why);
	if (err == 0)
		err = note_program(job);
	job->side = job->sides.v;
	choose_seed(job);
	return err;
}

int counting_take_over(struct counting *job, const sigset_t *mask, struct why *why)
{
	static char *const none[] = { NULL };
	char *const *argv = counting_compares(job) ? none : job->side->words.v;
	int err = workload_init(&job->workload, argv, mask, why);

	if (job->has_child_setup)
		job->workload.child_setup = &job->child_setup;
	if (job->control.form == CONTROL_REGION)
		job->workload.channel_fd = job->control.command_fd;
	return err;
}

static int open_cgroups(struct counting *job, struct why *why)
{
	cleanup_why struct why trouble = { 0 };
	int err = target_open_cgroups(&job->target, &job->machine, &job->wanted.events, &trouble);

	if (err == 0)
		return 0;
	return why_set(why, err, "%s: %s", job->options->each_cgroup ? "--for-each-cgroup" : "-G",
		       why_text(&trouble, err));
}

/* For the metrics of -M; a plain count does not pay for it. */
static double count_cpus(const struct counting *job)
{
	if (job->wanted.metrics.n == 0)
		return 0;
	return job->target.kind == TARGET_CPUS ? (double)job->target.scopes_n :
						 (double)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Programs that run between the runs would inherit the counters. */
static bool stands_between(const struct options *o)
{
	return options_compare(o) && o->compare_options.order == ORDER_SEQUENTIAL &&
	       (o->setup || o->cleanup);
}

static int open_session(struct counting *job, struct why *why)
{
	const struct options *o = job->options;
	struct session_setup setup = {
		.machine = &job->machine,
		.events = &job->wanted.events,
		.target = &job->target,
		.inherit = o->no_inherit ? PLAN_FIRST_TASK : PLAN_ALL_TASKS,
		.reopens = o->pre || o->post || stands_between(o),
		.has_command = job->sides.v[0].words.n > 0,
		.timing = o->timing,
		.control = o->control ? &job->control : NULL,
		.watch = o->verbose ? attr_show : NULL,
	};
	int err;

	if (job->control.form == CONTROL_REGION && setup.timing.delay_ms == 0)
		setup.timing.delay_ms = -1;
	if (o->no_multiplex) {
		setup.units = job->units = events_units(&job->wanted.events);
		if (!setup.units)
			return -ENOMEM;
	}
	err = session_open(&job->session, &setup, why);
	return err < 0 ? err : notes_init(&job->notes, o, setup.events, job->session.openings);
}

int counting_open(struct counting *job, struct why *why)
{
	int err = open_cgroups(job, why);

	if (err == 0)
		err = saving_begin(&job->saving, job->options, &job->machine);
	if (err == 0)
		err = open_session(job, why);
	job->saving.provenance.has_seed = counting_has_chance(job);
	job->saving.provenance.seed = job->seed;
	job->started = time(NULL);
	job->cpus = count_cpus(job);
	return err;
}

static bool asks_for_max_rss(const struct counting *job)
{
	const struct event_list *events = &job->wanted.events;

	for (size_t i = 0; i < events->n; i++)
		if (events->events[i].tool == TOOL_MAX_RSS)
			return true;
	return false;
}

void counting_see_floor(struct counting *job)
{
	if (job->target.kind == TARGET_COMMAND &&
	    (counting_compares(job) || job->saving.wanted || asks_for_max_rss(job)))
		tasks_own_peak_kib(&job->max_rss_floor_kib);
}
