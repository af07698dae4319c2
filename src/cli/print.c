/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what was counted to the output: the blocks of -I as they come, and the result. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "cli/counting.h"
#include "cli/message.h"

enum { LINES_OF_A_SCREEN = 25 }; /* where there is no screen to ask */

#define CLEAR_SCREEN "\033[H\033[2J"

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

static const struct report_format *format_of(const struct options *o)
{
	return o->separator ? &report_perf_csv : &report_table;
}

static void add_command(struct str *subject, char *const *words)
{
	str_add(subject, "'");
	for (size_t i = 0; words[i]; i++)
		str_addf(subject, "%s%s", i ? " " : "", words[i]);
	str_add(subject, "'");
}

/* In perf's words. */
static void add_subject(struct str *subject, const struct options *o)
{
	const struct target_request *target = &o->target;

	if (target->all_cpus)
		str_add(subject, "'system wide'");
	else if (target->cpus)
		str_addf(subject, "'CPU(s) %s'", target->cpus);
	if (target->pids)
		str_addf(subject, "process id '%s'", target->pids);
	if (target->tids)
		str_addf(subject, "%sthread id '%s'", target->pids ? ", " : "", target->tids);
	if (!options_attach(o))
		add_command(subject, o->argv);
}

static struct report_input input_of(const struct counting *job, const char *subject)
{
	const struct options *o = job->options;
	const struct session *s = &job->session;

	return (struct report_input){
		.subject = subject,
		.started = job->started,
		.events = &job->wanted.events,
		.openings = s->openings,
		.rows = s->rows,
		.rows_n = s->rows_n,
		.split = o->target.split,
		.only_counted = job->target.all_tasks,
		.passes = s->passes,
		.passes_n = o->no_multiplex ? s->passes_n : 0,
		.runs = job->runs,
		.runs_n = job->runs_n,
		.scaling = o->no_scale ? SCALE_NOT : SCALE_BY_TIME,
		.min_running = o->min_running,
		.metrics = &job->wanted.metrics,
		.metric_events = job->wanted.metric_events,
		.cgroups_n = job->wanted.copies ? job->wanted.copies : 1,
		.cpus = job->cpus,
		.has_usage = job->target.kind == TARGET_COMMAND,
		.null_run = o->null_run,
	};
}

static int write_start(const struct counting *job)
{
	char started[32];

	if (job->options->output &&
	    fprintf(job->output.stream, "# started on %s\n", ctime_r(&job->started, started)) < 0)
		return -errno;
	return 0;
}

int print_begin(struct counting *job, struct why *why)
{
	int err;

	if (!job->options->timing.interval_ms)
		return 0;
	job->lines = SIZE_MAX;
	err = output_begin(&job->output, why);
	if (err < 0)
		return err;
	err = write_start(job);
	return err < 0 ? output_failed(&job->output, err, why) : 0;
}

static size_t screen_lines(FILE *stream)
{
	struct winsize size;

	if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_row > 2)
		return size.ws_row - 1U;
	return LINES_OF_A_SCREEN;
}

/* At the top of each screenful. */
static bool needs_header(const struct counting *job, const struct report *report)
{
	return job->lines == SIZE_MAX || job->options->interval_clear ||
	       job->lines + report->rows_n > screen_lines(job->output.stream);
}

static int write_block(struct counting *job, const struct report *report)
{
	struct report_style style = style_of(job->options, &job->output);
	FILE *out = job->output.stream;
	int err;

	if (!style.separator) {
		style.header = needs_header(job, report);
		job->lines = style.header ? 1 : job->lines;
		job->lines += report->rows_n;
	}
	if (job->options->interval_clear && isatty(fileno(out)) && fputs(CLEAR_SCREEN, out) == EOF)
		return -errno;
	err = format_of(job->options)->write(report, &style, out);
	return err == 0 && fflush(out) == EOF ? -errno : err;
}

int print_block(struct counting *job, const struct block *block)
{
	struct report_input input = input_of(job, "");
	cleanup_with(report_release) struct report report = { 0 };
	cleanup_why struct why why = { 0 };
	int err;

	job->late += block->late;
	input.runs = &block->run;
	input.runs_n = 1;
	input.block = block;
	err = report_build(&report, &input);
	if (err < 0)
		return err;
	err = write_block(job, &report);
	if (err < 0) {
		output_failed(&job->output, err, &why);
		message("%s", why_text(&why, err));
		return err;
	}
	tell_gaps(job, &report);
	return 0;
}

static int write_result(struct counting *job, const struct report *report, struct why *why)
{
	struct report_style style;
	int err = 0;

	if (!job->options->timing.interval_ms) {
		err = output_begin(&job->output, why);
		if (err == 0 && write_start(job) < 0)
			err = output_failed(&job->output, -errno, why);
		if (err < 0)
			return err;
	}
	style = style_of(job->options, &job->output);
	style.is_summary = job->options->timing.interval_ms != 0;
	err = format_of(job->options)->write(report, &style, job->output.stream);
	return err < 0 ? output_failed(&job->output, err, why) : 0;
}

int print_result(struct counting *job, struct why *why)
{
	cleanup_str struct str subject = { 0 };
	cleanup_with(report_release) struct report report = { 0 };
	struct report_input input;
	int err = session_explain(&job->session, job->runs, job->runs_n);

	add_subject(&subject, job->options);
	if (err < 0 || subject.failed)
		return err < 0 ? err : -ENOMEM;
	input = input_of(job, str_text(&subject));
	err = report_build(&report, &input);
	if (err < 0)
		return err;
	tell_reasons(job);
	tell_gaps(job, &report);
	if (job->options->timing.interval_ms && !job->options->summary)
		return 0;
	return write_result(job, &report, why);
}

int print_end(struct counting *job, struct why *why)
{
	if (job->late)
		message("-I: %zu tick%s came too late; what %s would have shown is part of the block "
			"behind",
			job->late, job->late == 1 ? "" : "s", job->late == 1 ? "it" : "they");
	return job->output.stream ? output_finish(&job->output, why) : 0;
}
