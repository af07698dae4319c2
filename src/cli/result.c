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

struct report_input counting_input(const struct counting *job, const struct side *side,
				   const char *subject)
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

int result_begin(struct counting *job, struct why *why)
{
	return job->printing.streams ? printing_begin(&job->printing, job->started, why) : 0;
}

static int print_block(struct counting *job, const struct block *block, struct why *why)
{
	cleanup_str struct str subject = { 0 };
	cleanup_with(report_release) struct report report = { 0 };
	struct report_input input;
	int err;

	add_subject(&subject, job->options);
	input = counting_input(job, job->side, str_text(&subject));
	input.runs = &block->run;
	input.runs_n = 1;
	input.block = block;
	err = subject.failed ? -ENOMEM : report_build(&report, &input);
	if (err == 0)
		err = printing_block(&job->printing, &report, why);
	tell_reasons(&job->telling);
	if (err == 0)
		tell_gaps(&job->telling, &report);
	return err;
}

void result_block(struct counting *job, const struct block *counted)
{
	cleanup_why struct why why = { 0 };
	struct block block = *counted;
	int err = session_explain_block(&job->session, &block.run);

	block.of_run = job->side->runs_n;
	if (err == 0)
		err = saving_keep(&job->saving, &block, job->session.rows_n);
	job->late += block.late;
	if (job->print_error)
		return; /* which was told, and this one would go the same way */
	if (err == 0)
		err = print_block(job, &block, &why);
	if (err < 0)
		message_of_loss(why_text(&why, err));
	job->print_error = err;
}

/* Behind the blocks it is printed only when it is asked for. */
static int print_result(struct counting *job, const struct report *report, struct why *why)
{
	int err = 0;

	if (job->options->quiet || job->print_error ||
	    (job->printing.streams && !job->options->summary))
		return 0;
	if (!job->printing.streams)
		err = printing_begin(&job->printing, job->started, why);
	return err < 0 ? err : printing_result(&job->printing, report, why);
}

/* Whatever became of what is shown. */
static void save_result(struct counting *job, const struct report *report)
{
	cleanup_why struct why why = { 0 };
	int err = saving_write(&job->saving, report, &why);

	if (err < 0 && err != job->saving.err)
		message_of_loss(why_text(&why, err));
	job->saving.err = err;
}

int result_all(struct counting *job, struct why *why)
{
	cleanup_str struct str subject = { 0 };
	cleanup_with(report_release) struct report report = { 0 };
	struct report_input input;
	int err = session_explain(&job->session, job->side->runs, job->side->runs_n);

	counting_see_floor(job);
	add_subject(&subject, job->options);
	if (err < 0 || subject.failed)
		return err < 0 ? err : -ENOMEM;
	input = counting_input(job, job->side, str_text(&subject));
	input.blocks = job->saving.blocks;
	input.blocks_n = job->saving.blocks_n;
	err = report_build(&report, &input);
	if (err < 0)
		return err;
	tell_reasons(&job->telling);
	tell_gaps(&job->telling, &report);
	err = print_result(job, &report, why);
	save_result(job, &report);
	return err;
}

int result_end(struct counting *job, struct why *why)
{
	if (job->late)
		remark(job->options,
		       "-I: %zu tick%s came too late; what %s would have shown is part of the block "
		       "behind",
		       job->late, job->late == 1 ? "" : "s", job->late == 1 ? "it" : "they");
	return printing_end(&job->printing, why);
}
