/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "base/words.h"
#include "cli/attr.h"
#include "cli/counting.h"
#include "cli/jobs.h"
#include "cli/message.h"
#include "event/bind.h"

static void counting_release(struct counting *job)
{
	for (size_t i = 0; i < job->runs_n; i++)
		run_release(&job->runs[i]);
	free(job->runs);
	free(job->told);
	free(job->units);
	session_close(&job->session);
	control_release(&job->control);
	output_release(&job->output);
	target_release(&job->target);
	wanted_release(&job->wanted);
	str_list_release(&job->pre);
	str_list_release(&job->post);
	machine_release(&job->machine);
}

/* All is open, and nothing has begun. */
static int before_start(const struct session *s, void *data)
{
	struct counting *job = data;
	size_t refused = session_refused(s);

	tell_reasons(job);
	if (refused == 0 || !job->options->strict)
		return 0;
	message("--strict: %zu of %zu events cannot be counted; %s", refused, counting_events(job),
		job->options->argv[0] ? "the command was not started" : "nothing was counted");
	return -ECANCELED;
}

static int on_block(const struct session *s, const struct block *block, void *data)
{
	struct counting *job = data;

	(void)s;
	if (job->warming_up || job->print_error)
		return 0;
	job->print_error = print_block(job, block);
	return 0; /* the command is counted to its end */
}

static void on_cpu(int cpu, enum hotplug_change change, void *data)
{
	(void)data;
	if (change == HOTPLUG_GONE)
		message("CPU %d went offline: it is counted no more", cpu);
	else
		message("CPU %d came online: it is counted from now on", cpu);
}

static void on_misunderstood(const char *line, void *data)
{
	cleanup_str struct str shown = { 0 };

	(void)data;
	str_add_escaped(&shown, line);
	message("--control: '%s' is none of enable, disable, ping and stop", str_text(&shown));
}

static int status_of(const struct counting *job, int wait_status)
{
	if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGTERM && job->workload.ended)
		return 0; /* by --timeout, as it was asked to */
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* As env(1): what was lacking to start any command at all is no fault of this one. */
static int exec_status(int err)
{
	switch (err) {
	case -ENOENT:
		return STATUS_NOT_FOUND;
	case -EAGAIN:
	case -ENOMEM:
	case -EMFILE:
	case -ENFILE:
	case -ECANCELED:
		return STATUS_PSTAT;
	default:
		return STATUS_NOT_EXECUTABLE;
	}
}

/* A run that was cut short says nothing of the others: where there are any, the result is theirs. */
static void leave_out_last_run(struct counting *job)
{
	if (job->runs_n < 2)
		return;
	message("run %zu was interrupted; it is left out of the result", job->runs_n);
	run_release(&job->runs[--job->runs_n]);
}

/* --pre or --post. Whether the series goes on. */
static bool run_aside(struct counting *job, const char *option, const struct str_list *words)
{
	cleanup_why struct why why = { 0 };
	int status = 0;
	int err = words->n ? workload_aside(&job->workload, words->v, &status, &why) : 0;

	if (err == 0 && status == 0)
		return true;
	if (err < 0)
		message("%s: %s", option, why_text(&why, err));
	else if (WIFSIGNALED(status))
		message("%s: %s was killed by signal %d (%s)", option, words->v[0],
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		message("%s: %s exited with status %d", option, words->v[0], WEXITSTATUS(status));
	job->status = STATUS_PSTAT;
	return false;
}

/* The run itself, between --pre and --post. 0; -errno after a message. */
static int run_command(struct counting *job, struct run *run)
{
	const struct session_hooks hooks = {
		.opened = before_start,
		.block = on_block,
		.cpu = on_cpu,
		.misunderstood = on_misunderstood,
		.data = job,
	};
	cleanup_why struct why why = { 0 };
	int err;

	if (job->control.form == CONTROL_REGION)
		control_renew(&job->control);
	job->workload.ended = false;
	if (job->options->sync)
		sync();
	err = session_run(&job->session, &job->workload, run, &hooks, &why);
	if (err < 0) {
		if (err != -ECANCELED)
			message("%s", why_text(&why, err));
		job->status = exec_status(err);
	}
	return err;
}

/* What the run's end means for the series. Whether it goes on. */
static bool judge_run(struct counting *job, int wait_status)
{
	int status = status_of(job, wait_status);

	tell_run(job, status ? wait_status : 0);
	if (job->status == 0)
		job->status = status;
	if (workload_interrupted(&job->workload)) {
		if (wait_status && !job->warming_up)
			leave_out_last_run(job);
		return false;
	}
	return status == 0 || job->options->ignore_failure;
}

/* While --pre ran: the command, which no signal has reached, is not started any more. */
static bool interrupted_before(struct counting *job)
{
	if (job->pre.n == 0 || !workload_interrupted(&job->workload))
		return false;
	if (job->runs_n == 0) {
		message("interrupted during --pre: the command was not started");
		job->status = STATUS_PSTAT;
	}
	return true;
}

/* One run. Whether the series goes on. */
static bool run_once(struct counting *job)
{
	struct run run;
	int wait_status;
	bool post_went;

	if (array_grow(&job->runs, job->runs_n, &job->runs_size, sizeof(*job->runs)) < 0) {
		job->status = STATUS_PSTAT;
		return false;
	}
	if (!run_aside(job, "--pre", &job->pre) || interrupted_before(job) ||
	    run_command(job, &run) < 0)
		return false;
	wait_status = run.wait_status;
	if (job->warming_up)
		run_release(&run);
	else
		job->runs[job->runs_n++] = run;
	post_went = run_aside(job, "--post", &job->post);
	return judge_run(job, wait_status) && post_went;
}

/* The runs of one measurement: one, or a pass after the other, each time beginning with the next one. */
static bool measure_once(struct counting *job, size_t number)
{
	struct session *s = &job->session;

	for (size_t i = 0; i < s->passes_n; i++) {
		s->opener.pass = (number + i) % s->passes_n;
		if (!run_once(job))
			return false;
	}
	return true;
}

static void run_all(struct counting *job)
{
	const struct options *o = job->options;
	bool goes_on = true;

	job->warming_up = true;
	for (unsigned int i = 0; goes_on && i < o->warmup; i++)
		goes_on = run_once(job);
	job->warming_up = false;
	for (unsigned int i = 0; goes_on && (o->repeat == 0 || i < o->repeat); i++)
		goes_on = measure_once(job, i);
}

static int split_words(const char *option, const char *text, struct str_list *words,
		       struct why *why)
{
	cleanup_why struct why trouble = { 0 };
	int err = text ? words_split(text, words, &trouble) : 0;

	if (err == 0)
		return 0;
	return why_set(why, err, "%s '%s', column %zu: %s", option, text, trouble.place + 1,
		       why_text(&trouble, err));
}

static int open_control(struct counting *job, struct why *why)
{
	const char *text = job->options->control;
	cleanup_why struct why trouble = { 0 };
	cleanup_str struct str value = { 0 };
	int err = text ? control_open(&job->control, text, &trouble) : 0;

	if (err < 0)
		return why_set(why, err, "--control '%s', column %zu: %s", text, trouble.place + 1,
			       why_text(&trouble, err));
	if (!text)
		return 0;
	if (control_environment(&job->control, &value) == -ENOTSUP) {
		unsetenv("PSTAT_CONTROL"); /* of a pstat around this one */
		return 0;
	}
	return value.failed || setenv("PSTAT_CONTROL", str_text(&value), 1) < 0 ? -ENOMEM : 0;
}

static int open_session(struct counting *job, struct why *why)
{
	const struct options *o = job->options;
	struct session_setup setup = {
		.machine = &job->machine,
		.events = &job->wanted.events,
		.target = &job->target,
		.inherit = o->no_inherit ? PLAN_FIRST_TASK : PLAN_ALL_TASKS,
		.anew = o->pre || o->post,
		.has_command = o->argv[0] != NULL,
		.timing = o->timing,
		.control = o->control ? &job->control : NULL,
		.watch = o->verbose ? attr_show : NULL,
	};

	if (job->control.form == CONTROL_REGION && setup.timing.delay_ms == 0)
		setup.timing.delay_ms = -1;
	if (o->no_multiplex) {
		setup.units = job->units = events_units(&job->wanted.events);
		if (!setup.units)
			return -ENOMEM;
	}
	job->told = calloc(counting_events(job) + 1, sizeof(*job->told));
	return job->told ? session_open(&job->session, &setup, why) : -ENOMEM;
}

/* What has to be there before the events are looked at: the machine, a place for the result. */
static int prepare(struct counting *job, struct why *why)
{
	const struct options *o = job->options;
	enum output_mode mode = o->timing.interval_ms ? OUTPUT_AS_IT_COMES : OUTPUT_REPLACE;
	int err = open_control(job, why);

	if (err == 0)
		err = machine_init(&job->machine, NULL, why);
	if (err == 0)
		err = split_words("--pre", o->pre, &job->pre, why);
	if (err == 0)
		err = split_words("--post", o->post, &job->post, why);
	if (err == 0)
		err = output_open(&job->output, o->output, o->append ? OUTPUT_APPEND : mode,
				  o->log_fd >= 0 ? o->log_fd : STDERR_FILENO, why);
	if (err == 0)
		err = target_init(&job->target, &job->machine, &o->target, why);
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

/* From the events to the printed result. 0; -errno with why. */
static int count_and_print(struct counting *job, struct why *why)
{
	int err = 0;

	if (job->workload.path)
		err = event_bind(&job->wanted.events, job->workload.path, why);
	if (err == 0)
		err = open_cgroups(job, why);
	if (err == 0)
		err = open_session(job, why);
	job->started = time(NULL);
	job->cpus = job->target.kind == TARGET_CPUS ? (double)job->target.spots_n :
						      (double)sysconf(_SC_NPROCESSORS_ONLN);
	if (err == 0)
		err = print_begin(job, why);
	if (err == 0)
		run_all(job);
	workload_release(&job->workload);
	if (job->print_error)
		return err; /* which was told, and the rest would go the same way */
	if (err == 0 && job->runs_n > 0)
		err = print_result(job, why);
	return err == 0 ? print_end(job, why) : err;
}

static int count(struct counting *job, const sigset_t *mask)
{
	cleanup_why struct why why = { 0 };
	int err;

	if (events_of_options(job->options, &job->machine, &job->wanted) < 0)
		return STATUS_PSTAT;
	err = workload_init(&job->workload, job->options->argv, mask, &why);
	if (err < 0) {
		workload_release(&job->workload);
		message("%s", why_text(&why, err));
		return exec_status(err);
	}
	err = count_and_print(job, &why);
	if (err < 0)
		message("%s", why_text(&why, err));
	return err < 0 || job->print_error < 0 ? STATUS_PSTAT : job->status;
}

int job_count(const struct options *o, const sigset_t *mask)
{
	cleanup_with(counting_release) struct counting job = { .options = o,
							       .output = { .fd = -1 } };
	cleanup_why struct why why = { 0 };
	int err = prepare(&job, &why);

	if (err < 0) {
		message("%s", why_text(&why, err));
		return STATUS_PSTAT;
	}
	return count(&job, mask);
}
