/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "cli/message.h"
#include "cli/observer.h"

static bool is_series(const struct counting *job)
{
	return counting_compares(job) || job->options->repeat != 1 || job->runner.warming_up;
}

/* Append the side and the number of the last run, "run 2: ", unless it is the only run. */
static void add_run(const struct counting *job, struct str *text)
{
	const struct runner *r = &job->runner;

	if (counting_compares(job))
		str_addf(text, "'%s': ", r->side->name);
	if (r->warming_up)
		str_add(text, "--warmup: ");
	else if (is_series(job))
		str_addf(text, "run %zu: ", r->side->runs_n);
}

static void report_survivors(const struct counting *job, const char *run)
{
	const struct runner *r = &job->runner;

	if (r->workload.survivors.len)
		note_print(
			job->options,
			"%swhat %s has started and not waited for still runs: %s; what it counts from now "
			"on is %s",
			run, r->side->words.v[0], str_text(&r->workload.survivors),
			is_series(job) ? "added to later runs" : "lost");
}

/* The rest of the message about a run that failed. */
static const char *consequence(const struct counting *job)
{
	if (job->options->ignore_failure)
		return "";
	if (!counting_compares(job))
		return "; the series ends here (--ignore-failure would go on)";
	return job->options->show_output ?
		       "; the series ends here without it (--ignore-failure would go on)" :
		       "; the series ends here without it (--ignore-failure would go on, --show-output "
		       "show what it says)";
}

static void report_end(const struct counting *job, const char *run, int wait_status)
{
	const char *command = job->runner.side->words.v[0];

	if (job->options->quiet)
		return;
	if (WIFSIGNALED(wait_status))
		message("%s%s: killed by signal %d (%s)", run, command, WTERMSIG(wait_status),
			strsignal(WTERMSIG(wait_status)));
	else if (wait_status && is_series(job))
		message("%s%s: exited with status %d%s", run, command, WEXITSTATUS(wait_status),
			consequence(job));
}

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

static int on_opened(const struct session *s, void *data)
{
	struct counting *job = data;
	size_t refused = session_refused(s);

	notes_print_reasons(&job->notes);
	report_separate_reads(s, job);
	if (refused == 0 || !job->options->strict)
		return 0;
	message("--strict: %zu of %zu events cannot be counted; %s", refused, job->wanted.events.n,
		job->runner.side->words.n > 0 ? "the command was not started" :
						"nothing was counted");
	return -ECANCELED;
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

static void on_run_begins(void *data)
{
	struct counting *job = data;

	saving_begin_run(&job->saving);
	progress_run(&job->progress);
}

static void on_run_ended(int wait_status, void *data)
{
	struct counting *job = data;
	cleanup_str struct str run = { 0 };

	progress_ran(&job->progress);
	add_run(job, &run);
	report_survivors(job, str_text(&run));
	report_end(job, str_text(&run), wait_status);
}

static void on_run_interrupted(void *data)
{
	struct counting *job = data;
	const struct side *side = job->runner.side;
	cleanup_str struct str which = { 0 };

	if (counting_compares(job))
		str_addf(&which, "'%s': ", side->name);
	note_print(job->options, "%srun %zu was interrupted; it is left out of the result",
		   str_text(&which), side->runs_n);
	saving_leave_out_run(&job->saving);
}

static void on_step_failed(const struct step_failure *failure, void *data)
{
	static const char *const options[] = {
		[STEP_SETUP] = "--setup",
		[STEP_PRE] = "--pre",
		[STEP_POST] = "--post",
		[STEP_CLEANUP] = "--cleanup",
	};
	const char *option = options[failure->step];
	int status = failure->wait_status;

	(void)data;
	if (failure->text)
		message("%s: %s", option, failure->text);
	else if (WIFSIGNALED(status))
		message("%s: %s was killed by signal %d (%s)", option, failure->program,
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		message("%s: %s exited with status %d", option, failure->program,
			WEXITSTATUS(status));
}

static void on_failed(const char *text, void *data)
{
	(void)data;
	message("%s", text);
}

struct run_observer observer_of(struct counting *job)
{
	return (struct run_observer){
		.counting = {
			.opened = on_opened,
			.cpu = on_cpu,
			.progress = on_progress,
			.unknown_command = on_unknown_command,
			.not_signalled = on_not_signalled,
			.data = job,
		},
		.run_begins = on_run_begins,
		.run_ended = on_run_ended,
		.run_interrupted = on_run_interrupted,
		.step_failed = on_step_failed,
		.failed = on_failed,
	};
}
