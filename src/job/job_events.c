/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --explain describes events, and --list lists them. Neither counts. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/session.h"
#include "event/resolve.h"
#include "event/source.h"
#include "format/terminal/describe.h"
#include "format/terminal/terminal.h"
#include "job/events.h"
#include "job/jobs.h"
#include "job/table_metrics.h"
#include "machine/host.h"
#include "machine/perf_tables.h"
#include "machine/tracing.h"
#include "metric/metric_list.h"
#include "metric/topdown.h"
#include "output/message.h"
#include "output/notes.h"

static bool job_events_wants_json(const struct options *o)
{
	return o->json || options_format(o)->is_document;
}

/* ---- --explain. */

static enum describe_format job_events_explanation_format(const struct options *o)
{
	if (job_events_wants_json(o))
		return DESCRIBE_JSON;
	return o->verbose ? DESCRIBE_ALL : DESCRIBE_TEXT;
}

/* Why new tasks do not inherit the event. NULL if they do, or if s is NULL. */
static const char *job_events_why_first_only(const struct session *s, size_t i)
{
	const struct opening *opening = s ? &s->openings[i] : NULL;

	return opening && opening->first_only && !opening->user_only ? opening->reason.text : NULL;
}

/* The kernel's answer to opening the event. s: NULL if the kernel was not asked. */
static const char *job_events_kernel_says(const struct session *s, size_t i,
					  const struct event *event)
{
	if (event->tool != TOOL_NONE)
		return "not tried: pstat itself measures this event";
	if (!s)
		return "not tried: --sysroot describes another machine";
	if (events_lack_address(event))
		return event->relocated ? "not tried: the address differs in each run" :
					  "not tried: the address depends on the program; "
					  "write its path after the events";
	if (!s->openings[i].reason.text || job_events_why_first_only(s, i))
		return "accepts it";
	return s->openings[i].reason.text;
}

/* Whether the event cannot be counted here. A part of slots that is refused alone can still be
 * counted in the group of slots. */
static bool job_events_is_refused(const struct session *s, size_t i, const struct event *event)
{
	return s && s->openings[i].refused && !events_lack_address(event) &&
	       !(event->slots == SLOTS_PART && s->openings[i].reason.error == -EINVAL);
}

static int job_events_explain_group(const struct machine *m, const struct event_list *events,
				    const struct event_group *group, const struct session *s,
				    enum describe_format format, FILE *out)
{
	int err = 0;

	for (size_t i = group->first; err == 0 && i < group->first + group->n; i++) {
		const struct event *event = &events->events[i];
		cleanup_str struct str partners = { 0 }, meaning = { 0 };
		struct explanation e = { .event = event,
					 .kernel = job_events_kernel_says(s, i, event),
					 .refused = job_events_is_refused(s, i, event),
					 .first_only = job_events_why_first_only(s, i),
					 .columns = isatty(STDOUT_FILENO) ?
							    terminal_columns(STDOUT_FILENO) :
							    0 };

		for (size_t j = group->first; j < group->first + group->n; j++)
			if (j != i)
				str_add_listed(&partners, events->events[j].name);
		if (resolve_meaning(m, event, &meaning) < 0 || meaning.failed || partners.failed)
			return -ENOMEM;
		e.meaning = str_text(&meaning);
		e.group = partners.len ? str_text(&partners) : NULL;
		e.attr =
			counter_attr(event, i == group->first ? COUNTER_LEADER : COUNTER_MEMBER,
				     group->n, event->cpus ? COUNTER_FIRST_TASK : COUNTER_ALL_TASKS,
				     event->cpus ? COUNTER_AT_ONCE : COUNTER_BY_EXEC);
		if (i > 0 && format != DESCRIBE_JSON && putc('\n', out) == EOF)
			return -errno;
		err = describe_event(&e, format, out);
	}
	return err;
}

static int job_events_explain_events(const struct wanted *wanted, FILE *out, struct why *why)
{
	cleanup_with(target_release) struct target target = { 0 };
	cleanup_with(session_close) struct session session = { 0 };
	const struct options *o = wanted->options;
	const struct event_list *events = &wanted->events;
	cleanup_why struct why trouble = { 0 };
	enum describe_format format = job_events_explanation_format(o);
	bool tries = machine_is_here(wanted->machine);
	int err = 0;

	if (tries)
		err = events_try(wanted, events, &target, &session, &trouble);
	for (size_t i = 0; err == 0 && i < events->groups_n; i++)
		err = job_events_explain_group(wanted->machine, events, &events->groups[i],
					       tries ? &session : NULL, format, out);
	return err < 0 ? why_set(why, err, "--explain: %s", why_text(&trouble, err)) : 0;
}

/* Write what a metric is, and append its events. */
static int job_events_explain_metric(struct wanted *wanted, const struct metric_definition *metric,
				     FILE *out, struct why *why)
{
	cleanup_with(metric_list_release) struct metric_request_list list = { 0 };
	cleanup_str struct str here = { 0 };
	cleanup_why struct why trouble = { 0 };
	enum describe_format format = job_events_explanation_format(wanted->options);
	size_t counters = 0;
	int err = metric_list_parse(&list, metric->name, &trouble);

	if (err == 0)
		err = events_try_metric(wanted, &list.v[0], &counters, &here);
	if (err == 0)
		err = describe_metric(&(struct described_metric){ .name = metric->name,
								  .expression = metric->expression,
								  .counters = counters,
								  .here = str_text(&here) },
				      format, out);
	if (err < 0)
		return why_set(why, err, "--explain: %s", why_text(&trouble, err));
	for (size_t i = 0; err == 0 && i < list.v[0].expression.events_n; i++)
		err = events_add(wanted, RESOLVE_BY_ALL, "--explain",
				 list.v[0].expression.events[i].text, why);
	return err;
}

/* The explanation of a word as metrics. */
struct explained {
	struct wanted *wanted;
	const struct metric_tables *tables;
	const char *word;
	bool as_group; /* the metrics of the group of this name, not those of the name itself */
	struct str_list events; /* owned: the names of the events that are explained */
	struct metric_request_list metrics; /* owned */
	FILE *out;
	size_t n; /* metrics */
	struct why *why;
};

static void job_events_release_explained(struct explained *e)
{
	str_list_release(&e->events);
	metric_list_release(&e->metrics);
}

/* Append the events of a metric, except those that an earlier metric has. */
static int job_events_explain_events_of(struct explained *e, const struct metric_request *metric)
{
	struct wanted *wanted = e->wanted;
	int err = 0;

	for (size_t i = 0; err == 0 && i < metric->expression.events_n; i++) {
		const char *name = metric->expression.events[i].text;
		cleanup_why struct why trouble = { 0 };

		if (str_list_has(&e->events, name))
			continue;
		err = resolve_events(wanted->machine, RESOLVE_BY_ALL, name, &wanted->events,
				     &trouble);
		if (err == 0)
			err = str_list_add(&e->events, name);
		else if (err != -ENOMEM)
			why_set(e->why, err, "--explain: metric %s: %s%s", metric->name,
				why_text(&trouble, err),
				err == -ENOENT ? table_metrics_hint(wanted->machine) : "");
	}
	return err;
}

/* Write what a metric of perf's tables is, and append its events. */
static int job_events_explain_visited(const struct metric_of_table *metric, void *data)
{
	struct explained *e = data;
	const struct options *o = e->wanted->options;
	const struct metric_request_list *list = &e->metrics;
	const size_t before = list->n, left_out = list->left_out.n;
	cleanup_str struct str expression = { 0 }, reason = { 0 }, here = { 0 };
	cleanup_why struct why trouble = { 0 };
	struct metric_request *request;
	size_t counters;
	int err;

	if ((strcasecmp(metric->name, e->word) != 0) != e->as_group)
		return 0;
	e->n++;
	err = metric_list_add_of_table(&e->metrics, e->tables, e->word, metric, &trouble);
	if (err < 0)
		return why_set(e->why, err, "--explain: %s", why_text(&trouble, err));
	if (list->left_out.n > left_out)
		note_print(o, "%s", list->left_out.v[left_out]);
	if (list->n == before) /* left out, or a second one of this name */
		return 0;
	request = &list->v[before];
	err = events_find_unknown(e->wanted->machine, request, &reason);
	if (err == -ENOMEM)
		return err;
	if (err < 0) {
		note_print(o, "%s", str_text(&reason));
		metric_list_remove(&e->metrics, before);
		return 0;
	}
	expression_add_text(&expression, &request->expression);
	err = events_try_metric(e->wanted, request, &counters, &here);
	if (err < 0)
		return err;
	err = describe_metric(
		&(struct described_metric){
			.name = request->name,
			.meaning = metric->topdown ? metric->topdown->title : metric->meaning,
			.groups = metric->groups,
			.expression = str_text(&expression),
			.threshold = metric->threshold,
			.counters = counters,
			.here = str_text(&here),
		},
		job_events_explanation_format(o), e->out);
	events_note_threshold(e->wanted, request, NULL);
	return err < 0 ? err : job_events_explain_events_of(e, request);
}

/* Explain the metrics of perf's tables that have this name, or that are in the group of this name.
 * Returns their number; for 0, *reason may say why there is none. -errno with why. */
static ssize_t job_events_explain_metrics(struct wanted *wanted, const char *word, bool as_group,
					  FILE *out, struct str *reason, struct why *why)
{
	/* nothing is counted, so no row has a part of a core */
	struct table_metrics of_tables = { .machine = wanted->machine, .whole_cores = true };
	const struct metric_tables tables = table_metrics_of(&of_tables);
	cleanup_with(job_events_release_explained) struct explained e = { .wanted = wanted,
									  .tables = &tables,
									  .word = word,
									  .as_group = as_group,
									  .out = out,
									  .why = why };
	cleanup_why struct why trouble = { 0 };
	int err = tables.find(&of_tables, word, job_events_explain_visited, &e, &trouble);

	if (err < 0 && err != -ENOMEM && e.n == 0) { /* the word may be an event */
		str_release(reason);
		str_addf(reason, " (%s)", why_text(&trouble, err));
		return 0;
	}
	if (err < 0 && !why->text)
		why_set(why, err, "--explain: %s", why_text(&trouble, err));
	if (err == 0 && e.n > 0 && e.metrics.n == 0)
		err = why_set(why, -ENOENT,
			      "--explain '%s': this machine cannot count any of these metrics",
			      word);
	return err < 0 ? err : (ssize_t)e.n;
}

/* Whether the last word after the events is the path of a program. The name of an event never looks
 * like a path. */
static bool job_events_is_program(char *const argv[], size_t i)
{
	return i > 0 && !argv[i + 1] &&
	       (argv[i][0] == '/' || strncmp(argv[i], "./", 2) == 0 ||
		strncmp(argv[i], "../", 3) == 0);
}

/* Explain a word after --explain, or keep its events for job_events_explain_events(). */
static int job_events_explain_word(struct wanted *wanted, size_t i, FILE *out, struct why *why)
{
	char *const *argv = wanted->options->argv;
	const char *name = argv[i];
	const struct metric_definition *metric = metric_definition_find(name, strlen(name), false);
	cleanup_str struct str reason = { 0 };
	cleanup_why struct why trouble = { 0 };
	ssize_t n;
	int err;

	if (metric && !perf_tables_gives_metric(wanted->machine->tables, name))
		return job_events_explain_metric(wanted, metric, out, why);
	n = job_events_explain_metrics(wanted, name, false, out, &reason, why);
	if (n != 0)
		return n < 0 ? (int)n : 0;
	metric = metric_definition_find(name, strlen(name), true);
	if (metric)
		return job_events_explain_metric(wanted, metric, out, why);
	if (job_events_is_program(argv, i)) /* look up the symbols of breakpoints in the program */
		return source_breakpoint_bind(&wanted->events, "--explain", name, why);
	err = events_add(wanted, RESOLVE_BY_ALL, "--explain", name, &trouble);
	n = err == -ENOENT ? job_events_explain_metrics(wanted, name, true, out, &reason, why) : 0;
	if (n != 0)
		return n < 0 ? (int)n : 0;
	return err < 0 ? why_set(why, err, "%s%s", why_text(&trouble, err), str_text(&reason)) : 0;
}

int job_explain(const struct options *o, FILE *out)
{
	cleanup_with(machine_release) struct machine machine = { 0 };
	cleanup_with(wanted_release) struct wanted wanted = { .options = o, .machine = &machine };
	cleanup_why struct why why = { 0 };
	int err = table_metrics_machine(&machine, o, &why);

	for (size_t i = 0; err == 0 && o->argv[i]; i++)
		err = job_events_explain_word(&wanted, i, out, &why);
	events_choose_modes(&wanted);
	if (err == 0)
		err = job_events_explain_events(&wanted, out, &why);
	if (err < 0)
		message("%s", why_text(&why, err));
	return err < 0 ? STATUS_PSTAT : 0;
}

/* ---- --list. */

struct search {
	const struct machine *machine;
	const char *pattern; /* NULL for all */
	bool encodings;
	struct listing listing;
};

/* A pattern has to match the whole name; a word without wildcards may occur anywhere in it. */
static bool job_events_matches(const char *pattern, const char *name)
{
	if (!pattern)
		return true;
	return strpbrk(pattern, "*?[") ? fnmatch(pattern, name, FNM_CASEFOLD) == 0 :
					 strcasestr(name, pattern) != NULL;
}

static int job_events_list_event(const struct event_info *info, void *data)
{
	cleanup_with(event_list_release) struct event_list events = { 0 };
	cleanup_why struct why why = { 0 };
	struct search *search = data;
	struct listed listed = { .name = info->name,
				 .source = info->source,
				 .pmu = info->pmu,
				 .description = info->description,
				 .present = info->present };
	int err = 0;

	if (!job_events_matches(search->pattern, info->name))
		return 0;
	if (search->encodings && info->present)
		err = resolve_events(search->machine, RESOLVE_BY_ALL, info->name, &events, &why);
	if (err == -ENOMEM)
		return err;
	if (err == 0 && events.n > 0 && events.events[0].tool == TOOL_NONE)
		listed.encoded = &events.events[0];
	return describe_list_add(&search->listing, &listed);
}

/* Whether a pattern asks for all metrics. */
static bool job_events_is_for_metrics(const char *pattern)
{
	return pattern && strcasecmp(pattern, "metric") == 0;
}

static int job_events_list_metrics(struct search *search)
{
	const struct perf_tables *tables = search->machine->tables;
	int err = 0;

	for (const struct metric_definition *d = metric_definitions; err == 0 && d->name; d++) {
		const struct listed listed = { .name = d->name,
					       .source = "metric",
					       .pmu = "-M",
					       .description = d->expression,
					       .present = true };

		if (job_events_matches(search->pattern, d->name) &&
		    !perf_tables_gives_metric(tables, d->name))
			err = describe_list_add(&search->listing, &listed);
	}
	for (size_t i = 0; err == 0 && i < tables->metrics_n; i++) {
		const struct perf_object *object = &tables->metrics[i];
		const char *expression = perf_tables_member(tables, object, "MetricExpr");
		const char *meaning = perf_tables_member(tables, object, "BriefDescription");
		cleanup_why struct why ignored = { 0 };
		const struct listed listed = { .name = object->name,
					       .source = "table",
					       .pmu = "-M",
					       .description = meaning ? meaning : expression,
					       .present = true };

		if (perf_tables_check(tables, object, &ignored) == 0 && expression &&
		    (job_events_matches(search->pattern, object->name) ||
		     perf_tables_has_name(object->groups, search->pattern)) &&
		    host_suits_object(search->machine, object))
			err = describe_list_add(&search->listing, &listed);
	}
	return err;
}

/* Report that the list lacks tracepoints, if the pattern could match one. */
int job_list(const struct options *o, FILE *out)
{
	cleanup_free char *tracepoints = NULL;
	cleanup_why struct why tracing_why = { 0 };
	cleanup_with(machine_release) struct machine machine = { 0 };
	struct search search = { .machine = &machine,
				 .pattern = o->argv[0],
				 .encodings = o->verbose };
	cleanup_why struct why why = { 0 };
	int err, metrics_err, end;

	err = table_metrics_machine(&machine, o, &why);
	if (err < 0) {
		message("%s", why_text(&why, err));
		return STATUS_PSTAT;
	}
	describe_list_begin(&search.listing, out,
			    job_events_wants_json(o) ? DESCRIBE_JSON : DESCRIBE_TEXT);
	if (job_events_is_for_metrics(o->argv[0])) {
		search.pattern = NULL;
		host_complete_tables(&machine);
	} else {
		err = resolve_list(&(struct event_listing){ &machine,
							    o->list_all ? LIST_ALL : LIST_USABLE,
							    job_events_list_event, &search, &why });
	}
	metrics_err = job_events_list_metrics(&search);
	end = describe_list_end(&search.listing);
	if (tracing_events(&machine, &tracepoints, &tracing_why) == -EACCES &&
	    (!o->argv[0] || strchr(o->argv[0], ':')))
		message("--list: no tracepoints: %s", why_text(&tracing_why, -EACCES));
	if (err == 0)
		err = metrics_err < 0 ? metrics_err : end;
	if (err < 0 && !ferror(out)) /* main.c reports a failed write to standard output */
		message("--list: the list is incomplete: %s", why_text(&why, err));
	if (err == -ELIBACC || ferror(out))
		return 0; /* without libpfm4, all other events are still listed */
	if (err == 0 && search.listing.n == 0 && o->argv[0]) {
		message("--list: no event matches '%s'%s", o->argv[0],
			o->list_all ? "" : "; --all also lists events of absent PMUs");
		return STATUS_PSTAT;
	}
	return err < 0 ? STATUS_PSTAT : 0;
}
