/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "cli/attr.h"
#include "cli/events.h"
#include "cli/jobs.h"
#include "cli/message.h"
#include "count/session.h"
#include "event/bind.h"
#include "report/output.h"
#include "report/report.h"

/* What one counting job holds. */
struct counting {
	const struct options *options;
	struct machine machine;
	struct event_list events;
	struct output output;
	struct workload workload;
	struct session session;
	const char **told; /* owned: the reason of each row that was told already */
	struct run *runs; /* owned */
	size_t runs_n, runs_size;
	time_t started;
	int status; /* of the first run that failed */
};

static void counting_release(struct counting *job)
{
	for (size_t i = 0; i < job->runs_n; i++)
		run_release(&job->runs[i]);
	free(job->runs);
	free(job->told);
	session_close(&job->session);
	output_release(&job->output);
	event_list_release(&job->events);
	machine_release(&job->machine);
}

static const char *state_word(const struct row *row)
{
	if (row->refused)
		return "not supported";
	return row->user_only ? "counted in user mode only" : "not counted";
}

/* Whether a row before this one, with the same reason, has the same name. */
static bool is_named(const struct counting *job, size_t first, size_t row)
{
	const struct row *rows = job->session.rows;
	const struct event *events = job->events.events;

	for (size_t i = first; i < row; i++)
		if (rows[i].reason && strcmp(rows[i].reason, rows[first].reason) == 0 &&
		    strcmp(events[rows[i].event].name, events[rows[row].event].name) == 0)
			return true;
	return false;
}

/* One line for all the rows that share a reason. */
static void tell_reason(struct counting *job, size_t first)
{
	const struct row *rows = job->session.rows;
	cleanup_str struct str names = { 0 };

	for (size_t i = first; i < job->session.rows_n; i++) {
		if (!rows[i].reason || job->told[i] == rows[i].reason ||
		    strcmp(rows[i].reason, rows[first].reason) != 0)
			continue;
		if (!is_named(job, first, i))
			str_addf(&names, "%s%s", names.len ? ", " : "",
				 job->events.events[rows[i].event].name);
		if (i > first)
			job->told[i] = rows[i].reason;
	}
	message("%s: %s: %s", str_text(&names), state_word(&rows[first]), rows[first].reason);
	job->told[first] = rows[first].reason;
}

static void tell_reasons(struct counting *job)
{
	for (size_t i = 0; i < job->session.rows_n; i++)
		if (job->session.rows[i].reason && job->told[i] != job->session.rows[i].reason)
			tell_reason(job, i);
}

/* All is open, the command is about to start. */
static int before_start(const struct session *s, void *data)
{
	struct counting *job = data;
	size_t refused = session_refused(s);

	tell_reasons(job);
	if (refused == 0 || !job->options->strict)
		return 0;
	message("--strict: %zu of %zu events cannot be counted; %s was not started", refused,
		s->rows_n, job->options->argv[0]);
	return -ECANCELED;
}

static int status_of(int wait_status)
{
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

static void tell_run(const struct counting *job, int wait_status)
{
	const char *command = job->options->argv[0];
	cleanup_str struct str which = { 0 };

	if (job->options->repeat != 1)
		str_addf(&which, "run %zu: ", job->runs_n);
	if (job->workload.survivors.len)
		message("%swhat %s has started and not waited for still runs: %s; what it counts from now "
			"on is %s",
			str_text(&which), command, str_text(&job->workload.survivors),
			job->options->repeat != 1 ? "added to later runs" : "lost");
	if (WIFSIGNALED(wait_status))
		message("%s%s: killed by signal %d (%s)", str_text(&which), command,
			WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	else if (wait_status && job->options->repeat != 1)
		message("%s%s: exited with status %d%s", str_text(&which), command,
			WEXITSTATUS(wait_status),
			job->options->ignore_failure ? "" :
						       "; the series ends here (--ignore-failure "
						       "would go on)");
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

/* One run. Whether the series goes on. */
static bool run_once(struct counting *job)
{
	cleanup_why struct why why = { 0 };
	struct run run;
	int err = array_grow(&job->runs, job->runs_n, &job->runs_size, sizeof(*job->runs));

	if (err == 0)
		err = session_run(&job->session, &job->workload, &run, before_start, job, &why);
	if (err < 0) {
		if (err != -ECANCELED)
			message("%s", why_text(&why, err));
		job->status = exec_status(err);
		return false;
	}
	job->runs[job->runs_n++] = run;
	tell_run(job, run.wait_status);
	if (job->status == 0)
		job->status = status_of(run.wait_status);
	if (workload_interrupted(&job->workload)) {
		if (run.wait_status)
			leave_out_last_run(job);
		return false;
	}
	return run.wait_status == 0 || job->options->ignore_failure;
}

static void run_all(struct counting *job)
{
	const struct options *o = job->options;

	job->started = time(NULL);
	while ((o->repeat == 0 || job->runs_n < o->repeat) && run_once(job))
		;
}

static struct report_style style_of(const struct options *o, const struct output *output)
{
	struct report_style style = { .separator = o->separator };

	if (o->separator)
		return style;
	style.numbers = num_style_of_user();
	if (o->big_num == BIG_NUM_NEVER)
		style.numbers.thousands[0] = '\0';
	else if (style.numbers.thousands[0] == '\0' &&
		 (o->big_num == BIG_NUM_ALWAYS || isatty(fileno(output->stream))))
		strcpy(style.numbers.thousands, ",");
	return style;
}

static int write_report(const struct counting *job, const struct report *report,
			const struct output *output)
{
	const struct report_style style = style_of(job->options, output);
	const struct report_format *format =
		job->options->separator ? &report_perf_csv : &report_table;
	char started[32];

	if (job->options->output &&
	    fprintf(output->stream, "# started on %s\n", ctime_r(&report->started, started)) < 0)
		return -errno;
	return format->write(report, &style, output->stream);
}

static char *join_words(char *const *words)
{
	struct str joined = { 0 };

	for (; *words; words++)
		str_addf(&joined, "%s%s", joined.len ? " " : "", *words);
	if (joined.failed)
		str_release(&joined);
	return joined.text;
}

/* perf's CSV quotes nothing: a name that holds the separator looks like two fields. */
static void tell_separators(const struct options *o, const struct report *report)
{
	for (size_t i = 0; o->separator && i < report->rows_n; i++)
		if (strstr(report->rows[i].name, o->separator))
			message("-x '%s': the name '%s' holds the separator; choose another one, or "
				"name the event by name=",
				o->separator, report->rows[i].name);
}

/* A mean is of the runs that have a count: say so when that is not all of them. */
static void tell_gaps(const struct report *report)
{
	for (size_t i = 0; i < report->rows_n; i++) {
		const struct report_row *row = &report->rows[i];

		if (row->count.n > 0 && row->count.n < report->runs_n)
			message("%s: not counted in %zu of %zu runs; the result is of the others",
				row->name, report->runs_n - row->count.n, report->runs_n);
	}
}

/* Print what was counted. 0; -errno with why. */
static int print_result(struct counting *job, struct why *why)
{
	cleanup_free char *command = join_words(job->options->argv);
	const struct report_input input = {
		.command = command,
		.started = job->started,
		.events = &job->events,
		.rows = job->session.rows,
		.rows_n = job->session.rows_n,
		.runs = job->runs,
		.runs_n = job->runs_n,
		.scaling = job->options->no_scale ? SCALE_NOT : SCALE_BY_TIME,
		.null_run = job->options->null_run,
	};
	cleanup_with(report_release) struct report report = { 0 };
	int err = session_explain(&job->session, job->runs, job->runs_n);

	if (err == 0)
		err = command ? report_build(&report, &input) : -ENOMEM;
	if (err < 0)
		return err;
	tell_reasons(job);
	tell_gaps(&report);
	tell_separators(job->options, &report);
	err = output_begin(&job->output, why);
	if (err < 0)
		return err;
	err = write_report(job, &report, &job->output);
	if (err < 0)
		return output_failed(&job->output, err, why);
	err = output_finish(&job->output, why);
	if (err == 0 && report.ratio_withheld)
		message("a ratio of counts that were not on the PMU together is left out; count both in "
			"one {group} to have it");
	return err;
}

static int open_all(struct counting *job)
{
	const struct options *o = job->options;
	int err = session_open(&job->session, &job->machine, &job->events,
			       o->no_inherit ? PLAN_FIRST_TASK : PLAN_ALL_TASKS,
			       o->verbose ? attr_show : NULL);

	if (err == 0) {
		job->told = calloc(job->session.rows_n + 1, sizeof(*job->told));
		err = job->told ? 0 : -ENOMEM;
	}
	return err;
}

/* What has to be there before the events are looked at: the machine, a place for the result. */
static int prepare(struct counting *job, struct why *why)
{
	const struct options *o = job->options;
	int err = machine_init(&job->machine, NULL, why);

	if (err == 0)
		err = output_open(&job->output, o->output,
				  o->append ? OUTPUT_APPEND : OUTPUT_REPLACE,
				  o->log_fd >= 0 ? o->log_fd : STDERR_FILENO, why);
	return err;
}

static int count(struct counting *job, const sigset_t *mask)
{
	cleanup_why struct why why = { 0 };
	int err;

	if (events_of_options(job->options, &job->machine, &job->events) < 0)
		return STATUS_PSTAT;
	err = workload_init(&job->workload, job->options->argv, mask, &why);
	if (err < 0) {
		workload_release(&job->workload);
		message("%s", why_text(&why, err));
		return exec_status(err);
	}
	err = event_bind(&job->events, job->workload.path, &why);
	if (err == 0)
		err = open_all(job);
	if (err == 0)
		run_all(job);
	workload_release(&job->workload);
	if (err == 0 && job->runs_n > 0)
		err = print_result(job, &why);
	if (err < 0) {
		message("%s", why_text(&why, err));
		return STATUS_PSTAT;
	}
	return job->status;
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
