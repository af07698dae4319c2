/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a counting job says beside its result. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/message.h"

static const char *state_word(const struct opening *opening)
{
	if (opening->refused)
		return "not supported";
	if (opening->first_only && !opening->user_only)
		return "counted without the threads and processes that are created meanwhile";
	return opening->user_only ? "counted in user mode only" : "not counted";
}

static const struct opening *opening_of(const struct counting *job, size_t event)
{
	return &job->session.openings[event];
}

static bool same_reason(const struct counting *job, size_t a, size_t b)
{
	const char *reason = opening_of(job, a)->reason;

	return reason && strcmp(reason, opening_of(job, b)->reason) == 0;
}

/* Whether an event before this one, with the same reason, has the same name. */
static bool is_named(const struct counting *job, size_t first, size_t event)
{
	const struct event *events = job->wanted.events.events;

	for (size_t i = first; i < event; i++)
		if (same_reason(job, i, first) && strcmp(events[i].name, events[event].name) == 0)
			return true;
	return false;
}

/* One line for all the events that share a reason. */
static void tell_reason(struct counting *job, size_t first)
{
	const struct opening *opening = opening_of(job, first);
	cleanup_str struct str names = { 0 };

	for (size_t i = first; i < counting_events(job); i++) {
		if (job->told[i] == opening_of(job, i)->reason || !same_reason(job, i, first))
			continue;
		if (!is_named(job, first, i))
			str_addf(&names, "%s%s", names.len ? ", " : "",
				 job->wanted.events.events[i].name);
		if (i > first)
			job->told[i] = opening_of(job, i)->reason;
	}
	message("%s: %s: %s", str_text(&names), state_word(opening), opening->reason);
	job->told[first] = opening->reason;
}

void tell_reasons(struct counting *job)
{
	for (size_t i = 0; i < counting_events(job); i++)
		if (opening_of(job, i)->reason && job->told[i] != opening_of(job, i)->reason)
			tell_reason(job, i);
}

static void tell_survivors(const struct counting *job, const char *which)
{
	bool more_runs = job->options->repeat != 1 || job->warming_up;

	if (job->workload.survivors.len)
		message("%swhat %s has started and not waited for still runs: %s; what it counts from now "
			"on is %s",
			which, job->options->argv[0], str_text(&job->workload.survivors),
			more_runs ? "added to later runs" : "lost");
}

void tell_run(const struct counting *job, int wait_status)
{
	const char *command = job->options->argv[0];
	bool series = job->options->repeat != 1 || job->warming_up;
	cleanup_str struct str which = { 0 };

	if (job->warming_up)
		str_add(&which, "--warmup: ");
	else if (series)
		str_addf(&which, "run %zu: ", job->runs_n);
	tell_survivors(job, str_text(&which));
	if (WIFSIGNALED(wait_status))
		message("%s%s: killed by signal %d (%s)", str_text(&which), command,
			WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	else if (wait_status && series)
		message("%s%s: exited with status %d%s", str_text(&which), command,
			WEXITSTATUS(wait_status),
			job->options->ignore_failure ? "" :
						       "; the series ends here (--ignore-failure "
						       "would go on)");
}

/* perf's CSV quotes nothing: a name that holds the separator looks like two fields. */
static void tell_separators(const struct options *o, const struct report *report)
{
	for (size_t i = 0; o->separator && i < report->rows_n; i++) {
		const struct report_row *row = &report->rows[i];

		if (strstr(row->name, o->separator) && (i == 0 || row->event != row[-1].event))
			message("-x '%s': the name '%s' holds the separator; choose another one, or "
				"name the event by name=",
				o->separator, row->name);
	}
}

static void tell_short(struct counting *job, const struct report *report)
{
	for (size_t i = 0; !job->short_told && i < report->rows_n; i++) {
		if (!report->rows[i].too_short)
			continue;
		message("%s: ran for less than %g %% of its time (--min-running), too little for an "
			"estimate; count fewer events at once, or use --no-multiplex",
			report->rows[i].name, job->options->min_running);
		job->short_told = true;
	}
}

static void tell_withheld(const struct report *report)
{
	for (size_t i = 0; i < report->withheld_n; i++) {
		const struct withheld *w = &report->withheld[i];

		switch (w->reason) {
		case WITHHELD_ABSENT:
			message("-M: %s is left out: %s has no count", w->metric, w->event);
			break;
		case WITHHELD_APART:
			message("-M: %s is left out: %s was not on the PMU together with the "
				"others; --no-multiplex or fewer events would help",
				w->metric, w->event);
			break;
		case WITHHELD_UNDEFINED:
			message("-M: %s is left out: it is a division by zero here", w->metric);
		}
	}
}

void tell_gaps(struct counting *job, const struct report *report)
{
	for (size_t i = 0; !report->is_block && i < report->rows_n; i++) {
		const struct report_row *row = &report->rows[i];

		if (row->count.n > 0 && row->count.n < row->runs_n)
			message("%s: not counted in %zu of %zu runs; the result is of the others",
				row->name, row->runs_n - row->count.n, row->runs_n);
	}
	tell_short(job, report);
	if (report->is_block)
		return;
	tell_withheld(report);
	tell_separators(job->options, report);
	if (report->ratio_withheld)
		message("a ratio of counts that were not on the PMU together is left out; count both in "
			"one {group} to have it");
}
