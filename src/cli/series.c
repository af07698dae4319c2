/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "cli/message.h"
#include "cli/series.h"

/*
 * If the kernel refused to read inherited groups at once, say so when counts are read while the
 * tasks run. At the end of a command it makes no difference.
 */
static void report_separate_reads(const struct session *s, struct counting *job)
{
	const struct session_setup *setup = &s->setup;

	if (!s->opener.event_opener.no_group_read || job->notes.reads_noted)
		return;
	if (setup->target->kind == TARGET_COMMAND && !setup->timing.interval_ms)
		return;
	job->notes.reads_noted = true;
	note_print(job->options,
		   "groups are read event by event, moments apart: one read needs Linux 4.13");
}

/* All is open, and nothing has begun. */
static int before_start(const struct session *s, void *data)
{
	struct counting *job = data;
	size_t refused = session_refused(s);

	notes_print_reasons(&job->notes);
	report_separate_reads(s, job);
	if (refused == 0 || !job->options->strict)
		return 0;
	message("--strict: %zu of %zu events cannot be counted; %s", refused, counting_events(job),
		job->side->words.n > 0 ? "the command was not started" : "nothing was counted");
	return -ECANCELED;
}

static int on_interval(const struct session *s, const struct interval *interval, void *data)
{
	struct counting *job = data;

	(void)s;
	if (!job->warming_up)
		job_output_interval(job, interval);
	return 0; /* the command is counted to its end */
}

static void on_cpu(int cpu, enum cpu_change change, void *data)
{
	const struct counting *job = data;

	if (change == CPU_GONE)
		note_print(job->options, "CPU %d went offline: it is counted no more", cpu);
	else
		note_print(job->options, "CPU %d came online: it is counted from now on", cpu);
}

static void on_unknown_command(const char *line, void *data)
{
	const struct counting *job = data;
	cleanup_str struct str shown = { 0 };

	str_add_escaped(&shown, line);
	note_print(job->options, "--control: '%s' is none of enable, disable, ping and stop",
		   str_text(&shown));
}

static void on_not_signalled(int error, void *data)
{
	(void)data;
	message("cannot send a signal to the command: %s; waiting until it ends", strerror(error));
}

static void on_progress(void *data)
{
	struct counting *job = data;

	progress_tick(&job->progress);
}

static int status_of(const struct counting *job, int wait_status)
{
	if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGTERM && job->workload.ended)
		return 0; /* by --timeout, as it was asked to */
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* As env(1): what was lacking to start any command at all is no fault of this one. */
int series_exec_status(int err)
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
	cleanup_str struct str which = { 0 };

	if (!counting_compares(job) && job->side->runs_n < 2)
		return;
	if (counting_compares(job))
		str_addf(&which, "'%s': ", job->side->name);
	note_print(job->options, "%srun %zu was interrupted; it is left out of the result",
		   str_text(&which), job->side->runs_n);
	side_drop_run(job->side);
	saving_leave_out_run(&job->saving);
}

/* A command of an option, beside those that are counted. Whether it went well; if not, it was told. */
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
	return false;
}

/*
 * As run_aside(), but a failure also sets job->trouble: to 128+n if signal n interrupted pstat,
 * which a comparison reports in its own way.
 */
static bool run_step(struct counting *job, const char *option, const struct str_list *words)
{
	if (run_aside(job, option, words))
		return true;
	if (!workload_interrupted(&job->workload))
		job->trouble = STATUS_PSTAT;
	else if (!counting_compares(job))
		job->trouble = 128 + job->workload.interrupted;
	return false;
}

bool series_setup(struct counting *job, struct side *side)
{
	side->is_set_up = run_step(job, "--setup", &side->setup);
	return side->is_set_up && !workload_interrupted(&job->workload);
}

bool series_cleanup(struct counting *job, struct side *side)
{
	bool due = side->is_set_up;

	side->is_set_up = false;
	return !due || run_step(job, "--cleanup", &side->cleanup);
}

/* Warmups are run 0. */
static void prepare_environment(struct counting *job)
{
	const struct child_environment *environment = &job->child_setup.environment;
	size_t padding_n = 0;

	if (environment->padding)
		padding_n = random_below(&job->random, CHILD_SETUP_PADDING_MAX + 1);
	if (environment->v)
		child_setup_begin_run(&job->child_setup,
				      job->warming_up ? 0 : job->side->runs_n + 1, padding_n);
}

/* Why a run was not started, as pstat's exit status. */
static int status_of_failure(const struct workload *w, int err)
{
	if (w->killed_by)
		return 128 + w->killed_by;
	return w->exec_failed ? series_exec_status(err) : STATUS_PSTAT;
}

/* The run itself, between --pre and --post. 0; -errno after a message. */
static int run_command(struct counting *job, struct run *run)
{
	const struct session_hooks hooks = {
		.opened = before_start,
		.interval = on_interval,
		.cpu = on_cpu,
		.progress = on_progress,
		.unknown_command = on_unknown_command,
		.not_signalled = on_not_signalled,
		.data = job,
	};
	cleanup_why struct why why = { 0 };
	int err;

	if (job->control.form == CONTROL_REGION)
		control_renew(&job->control);
	job->workload.ended = false;
	saving_begin_run(&job->saving);
	prepare_environment(job);
	if (job->options->sync)
		sync();
	progress_run(&job->progress);
	err = session_run(&job->session, &job->workload, run, &hooks, &why);
	if (err < 0) {
		if (err != -ECANCELED)
			message("%s", why_text(&why, err));
		job->trouble = status_of_failure(&job->workload, err);
	}
	return err;
}

/* What the run's end means for the series. Whether it goes on. */
static bool judge_run(struct counting *job, int wait_status)
{
	int status = status_of(job, wait_status);

	report_run(job, status ? wait_status : 0);
	if (job->status == 0)
		job->status = status;
	if (workload_interrupted(&job->workload)) {
		if (wait_status && !job->warming_up)
			leave_out_last_run(job);
		return false;
	}
	if (status == 0 || job->options->ignore_failure)
		return true;
	job->run_failed = true;
	if (counting_compares(job) && !job->warming_up)
		side_drop_run(job->side);
	return false;
}

bool series_run(struct counting *job, struct side *side)
{
	struct run run;
	int wait_status;
	bool post_went;

	job->side = side;
	if (counting_compares(job))
		workload_use(&job->workload, side->words.v, side->path);
	if (array_grow(&side->runs, side->runs_n, &side->runs_size, sizeof(*side->runs)) < 0) {
		message_no_memory();
		job->trouble = STATUS_PSTAT;
		return false;
	}
	if (!run_step(job, "--pre", &side->pre) || workload_interrupted(&job->workload) ||
	    run_command(job, &run) < 0)
		return false;
	progress_ran(&job->progress);
	wait_status = run.wait_status;
	if (job->warming_up)
		run_release(&run);
	else
		side->runs[side->runs_n++] = run;
	post_went = run_step(job, "--post", &side->post);
	return judge_run(job, wait_status) && post_went;
}
