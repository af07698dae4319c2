/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what was counted to reports, and what is said beside them. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "cli/counting.h"
#include "cli/message.h"

void counting_add_command(struct str *subject, char *const *words)
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
		counting_add_command(subject, o->argv);
}

struct result_input counting_input(const struct counting *job, const struct side *side,
				   const char *subject)
{
	const struct options *o = job->options;
	const struct session *s = &job->session;

	return (struct result_input){
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
		.runs = side->runs,
		.runs_n = side->runs_n,
		.scaling = o->no_scale ? SCALE_NOT : SCALE_BY_TIME,
		.min_running = o->min_running,
		.metrics = &job->wanted.metrics,
		.metric_events = job->wanted.metric_events,
		.cgroups_n = job->wanted.copies ? job->wanted.copies : 1,
		.cpus = job->cpus,
		.has_usage = job->target.kind == TARGET_COMMAND,
		.max_rss_floor_kib = job->max_rss_floor_kib,
		.null_run = o->null_run,
		.interval_ms = o->timing.interval_ms,
		.summary_asked = o->summary,
		.provenance = &job->saving.provenance,
	};
}

int job_output_begin(struct counting *job, struct why *why)
{
	return job->printing.streams ? printing_begin(&job->printing, job->started, why) : 0;
}

static int print_interval(struct counting *job, const struct interval *interval, struct why *why)
{
	cleanup_str struct str subject = { 0 };
	cleanup_with(result_release) struct result result = { 0 };
	struct result_input input;
	int err;

	add_subject(&subject, job->options);
	input = counting_input(job, job->side, str_text(&subject));
	input.runs = &interval->run;
	input.runs_n = 1;
	input.interval = interval;
	err = subject.failed ? -ENOMEM : result_build(&result, &input);
	if (err == 0)
		err = printing_interval(&job->printing, &result, why);
	notes_print_reasons(&job->notes);
	if (err == 0)
		notes_print_gaps(&job->notes, &result);
	return err;
}

void job_output_interval(struct counting *job, const struct interval *counted)
{
	cleanup_why struct why why = { 0 };
	struct interval interval = *counted;
	int err = session_explain_interval(&job->session, &interval.run);

	interval.of_run = job->side->runs_n;
	if (err == 0)
		err = saving_keep(&job->saving, &interval, job->session.rows_n);
	job->late += interval.missed;
	if (job->print_error)
		return; /* which was told, and this one would go the same way */
	if (err == 0)
		err = print_interval(job, &interval, &why);
	if (err < 0)
		message_of_loss(why_text(&why, err));
	job->print_error = err;
}

/* Behind the intervals it is printed only when it is asked for. */
static int print_result(struct counting *job, const struct result *result, struct why *why)
{
	int err = 0;

	if (job->options->quiet || job->print_error ||
	    (job->printing.streams && !job->options->summary))
		return 0;
	if (!job->printing.streams)
		err = printing_begin(&job->printing, job->started, why);
	return err < 0 ? err : printing_result(&job->printing, result, why);
}

/* Whatever became of what is shown. */
static void save_result(struct counting *job, const struct result *result)
{
	cleanup_why struct why why = { 0 };
	int err = saving_write(&job->saving, result, &why);

	if (err < 0 && err != job->saving.err)
		message_of_loss(why_text(&why, err));
	job->saving.err = err;
}

int job_output_result(struct counting *job, struct why *why)
{
	cleanup_str struct str subject = { 0 };
	cleanup_with(result_release) struct result result = { 0 };
	struct result_input input;
	int err = session_explain(&job->session, job->side->runs, job->side->runs_n);

	counting_see_floor(job);
	add_subject(&subject, job->options);
	if (err < 0 || subject.failed)
		return err < 0 ? err : -ENOMEM;
	input = counting_input(job, job->side, str_text(&subject));
	input.intervals = job->saving.intervals;
	input.intervals_n = job->saving.intervals_n;
	err = result_build(&result, &input);
	if (err < 0)
		return err;
	notes_print_reasons(&job->notes);
	notes_print_gaps(&job->notes, &result);
	err = print_result(job, &result, why);
	save_result(job, &result);
	return err;
}

int job_output_end(struct counting *job, struct why *why)
{
	if (job->late)
		note_print(
			job->options,
			"-I: %zu tick%s came too late; what %s would have shown is part of the block "
			"behind",
			job->late, job->late == 1 ? "" : "s", job->late == 1 ? "it" : "they");
	return printing_end(&job->printing, why);
}
