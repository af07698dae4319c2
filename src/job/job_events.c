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
#include "output/message.h"
#include "output/notes.h"

static bool wants_json(const struct options *o)
{
	return o->json || options_format(o)->is_document;
}

/* ---- --explain. */

static enum describe_format explanation_format(const struct options *o)
{
	if (wants_json(o))
		return DESCRIBE_JSON;
	return o->verbose ? DESCRIBE_ALL : DESCRIBE_TEXT;
}

/* Why new tasks do not inherit the event. NULL if they do, or if s is NULL. */
static const char *why_first_only(const struct session *s, size_t i)
{
	const struct opening *opening = s ? &s->openings[i] : NULL;

	return opening && opening->first_only && !opening->user_only ? opening->reason.text : NULL;
}

/* The kernel's answer to opening the event. s: NULL if the kernel was not asked. */
static const char *kernel_says(const struct session *s, size_t i, const struct event *event)
{
	if (event->tool != TOOL_NONE)
		return "not tried: pstat itself measures this event";
	if (!s)
		return "not tried: --sysroot describes another machine";
	if (events_lack_address(event))
		return event->relocated ? "not tried: the address differs in each run" :
					  "not tried: the address depends on the program; "
					  "write its path after the events";
	if (!s->openings[i].reason.text || why_first_only(s, i))
		return "accepts it";
	return s->openings[i].reason.text;
}

static int explain_group(const struct machine *m, const struct event_list *events,
			 const struct event_group *group, const struct session *s,
			 enum describe_format format, FILE *out)
{
	int err = 0;

	for (size_t i = group->first; err == 0 && i < group->first + group->n; i++) {
		const struct event *event = &events->events[i];
		cleanup_str struct str partners = { 0 }, meaning = { 0 };
		struct explanation e = {
			.event = event,
			.kernel = kernel_says(s, i, event),
			.refused = s && s->openings[i].refused && !events_lack_address(event),
			.first_only = why_first_only(s, i),
			.columns = isatty(STDOUT_FILENO) ? terminal_columns(STDOUT_FILENO) : 0
		};

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

static int explain_events(const struct wanted *wanted, FILE *out, struct why *why)
{
	cleanup_with(target_release) struct target target = { 0 };
	cleanup_with(session_close) struct session session = { 0 };
	const struct options *o = wanted->options;
	const struct event_list *events = &wanted->events;
	cleanup_why struct why trouble = { 0 };
	enum describe_format format = explanation_format(o);
	bool tries = machine_is_here(wanted->machine);
	int err = 0;

	if (tries)
		err = events_try(wanted, events, &target, &session, &trouble);
	for (size_t i = 0; err == 0 && i < events->groups_n; i++)
		err = explain_group(wanted->machine, events, &events->groups[i],
				    tries ? &session : NULL, format, out);
	return err < 0 ? why_set(why, err, "--explain: %s", why_text(&trouble, err)) : 0;
}

/* Write what a metric is, and append its events. */
static int explain_metric(struct wanted *wanted, const struct metric_definition *metric, FILE *out,
			  struct why *why)
{
	cleanup_with(expression_release) struct expression e = { 0 };
	cleanup_why struct why trouble = { 0 };
	enum describe_format format = explanation_format(wanted->options);
	int err = expression_parse(&e, metric->expression, strlen(metric->expression), 0, NULL,
				   &trouble);

	if (err == 0)
		err = describe_metric(&(struct described_metric){ .name = metric->name,
								  .expression =
									  metric->expression },
				      format, out);
	if (err < 0)
		return why_set(why, err, "--explain: %s", why_text(&trouble, err));
	for (size_t i = 0; err == 0 && i < e.events_n; i++)
		err = events_add(wanted, RESOLVE_BY_ALL, "--explain", e.events[i].text, why);
	return err;
}

/* Print a note if the machine does not know an event of the threshold. */
static void note_threshold(const struct wanted *wanted, const struct metric_request *metric)
{
	const struct expression *threshold = &metric->threshold;
	cleanup_with(event_list_release) struct event_list events = { .no_suggestions = true };
	cleanup_why struct why why = { 0 };
	int err = 0;

	for (size_t i = 0; err == 0 && i < threshold->events_n; i++)
		err = resolve_events(wanted->machine, RESOLVE_BY_ALL, threshold->events[i].text,
				     &events, &why);
	if (err < 0)
		note_print(wanted->options, "metric %s: its MetricThreshold is ignored: %s",
			   metric->name, why_text(&why, err));
}

/* Write what a metric of perf's tables is, one for each PMU, and append its events. */
static int explain_table_metric(struct wanted *wanted, const struct perf_object *object, FILE *out,
				struct why *why)
{
	const struct perf_tables *tables = wanted->machine->tables;
	cleanup_with(metric_list_release) struct metric_request_list list = { 0 };
	struct table_metrics of_tables = { .machine = wanted->machine };
	const struct metric_tables known = table_metrics_of(&of_tables);
	cleanup_why struct why trouble = { 0 };
	int err = metric_list_parse_with(&list, object->name, &known, &trouble);

	if (err < 0)
		return why_set(why, err, "--explain: %s", why_text(&trouble, err));
	for (size_t i = 0; i < list.notes.n; i++)
		note_print(wanted->options, "%s", list.notes.v[i]);
	for (size_t i = 0; err == 0 && i < list.n; i++) {
		const struct metric_request *metric = &list.v[i];
		cleanup_str struct str expression = { 0 };

		expression_add_text(&expression, &metric->expression);
		err = describe_metric(
			&(struct described_metric){
				.name = metric->name,
				.meaning = perf_tables_member(tables, object, "BriefDescription"),
				.groups = perf_tables_member(tables, object, "MetricGroup"),
				.expression = str_text(&expression),
				.threshold = perf_tables_member(tables, object, "MetricThreshold"),
			},
			explanation_format(wanted->options), out);
		note_threshold(wanted, metric);
		for (size_t k = 0; err == 0 && k < metric->expression.events_n; k++)
			err = resolve_events(wanted->machine, RESOLVE_BY_ALL,
					     metric->expression.events[k].text, &wanted->events,
					     &trouble);
		if (err < 0)
			why_set(why, err, "--explain: metric %s: %s%s", metric->name,
				why_text(&trouble, err),
				err == -ENOENT ? table_metrics_hint(wanted->machine) : "");
	}
	return err;
}

/* Whether the last word after the events is the path of a program. The name of an event never looks
 * like a path. */
static bool is_program(char *const argv[], size_t i)
{
	return i > 0 && !argv[i + 1] &&
	       (argv[i][0] == '/' || strncmp(argv[i], "./", 2) == 0 ||
		strncmp(argv[i], "../", 3) == 0);
}

/* The first metric of perf's tables with this name that is for this machine. NULL: there is none, or
 * with why. */
static const struct perf_object *find_table_metric(const struct machine *m, const char *name,
						   struct why *why)
{
	const struct perf_object *end = m->tables->metrics + m->tables->metrics_n;
	const struct perf_object *it = perf_tables_find_metric(m->tables, name, why);

	for (; it && it < end && strcasecmp(it->name, name) == 0; it++)
		if (host_suits_object(m, it))
			return it;
	return NULL;
}

static int keep_name(const struct metric_of_table *metric, void *names)
{
	return str_list_add(names, metric->name);
}

/* Explain the metrics of perf's tables with this name, or of this group, and add their number to
 * *n. */
static int explain_table_metrics(struct wanted *wanted, const char *name, FILE *out, size_t *n,
				 struct why *why)
{
	struct table_metrics of_tables = { .machine = wanted->machine };
	const struct metric_tables known = table_metrics_of(&of_tables);
	cleanup_str_list struct str_list names = { 0 };
	cleanup_why struct why trouble = { 0 };
	int err = known.find(&of_tables, name, keep_name, &names, &trouble);

	if (err < 0)
		return why_set(why, err, "--explain: %s", why_text(&trouble, err));
	for (size_t i = 0; err == 0 && i < names.n; i++) {
		const struct perf_object *object =
			find_table_metric(wanted->machine, names.v[i], &trouble);

		if (!object || (i > 0 && strcmp(names.v[i], names.v[i - 1]) == 0))
			continue; /* built in, or the same on another PMU */
		err = explain_table_metric(wanted, object, out, why);
		++*n;
	}
	return err;
}

/* Explain a word after --explain, or keep its events for explain_events(). */
static int explain_word(struct wanted *wanted, size_t i, FILE *out, struct why *why)
{
	char *const *argv = wanted->options->argv;
	const char *name = argv[i];
	const struct metric_definition *metric = metric_definition_find(name, strlen(name), false);
	cleanup_why struct why trouble = { 0 };
	size_t explained = 0;
	int err = 0;

	if (metric && !perf_tables_gives_metric(wanted->machine->tables, name))
		return explain_metric(wanted, metric, out, why);
	err = explain_table_metrics(wanted, name, out, &explained, why);
	if (err < 0 || explained > 0)
		return err;
	metric = metric_definition_find(name, strlen(name), true);
	if (metric)
		return explain_metric(wanted, metric, out, why);
	if (!is_program(argv, i))
		return events_add(wanted, RESOLVE_BY_ALL, "--explain", name, why);
	/* look up the symbols of breakpoints in the program */
	err = source_breakpoint_bind(&wanted->events, name, &trouble);
	return err < 0 ? why_set(why, err, "--explain: %s", why_text(&trouble, err)) : 0;
}

int job_explain(const struct options *o, FILE *out)
{
	cleanup_with(machine_release) struct machine machine = { 0 };
	cleanup_with(wanted_release) struct wanted wanted = { .options = o, .machine = &machine };
	cleanup_why struct why why = { 0 };
	int err = table_metrics_machine(&machine, o, &why);

	for (size_t i = 0; err == 0 && o->argv[i]; i++)
		err = explain_word(&wanted, i, out, &why);
	events_choose_modes(&wanted);
	if (err == 0)
		err = explain_events(&wanted, out, &why);
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
static bool matches(const char *pattern, const char *name)
{
	if (!pattern)
		return true;
	return strpbrk(pattern, "*?[") ? fnmatch(pattern, name, FNM_CASEFOLD) == 0 :
					 strcasestr(name, pattern) != NULL;
}

static int list_event(const struct event_info *info, void *data)
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

	if (!matches(search->pattern, info->name))
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
static bool is_for_metrics(const char *pattern)
{
	return pattern && strcasecmp(pattern, "metric") == 0;
}

static int list_metrics(struct search *search)
{
	const struct perf_tables *tables = search->machine->tables;
	int err = 0;

	for (const struct metric_definition *d = metric_definitions; err == 0 && d->name; d++) {
		const struct listed listed = { .name = d->name,
					       .source = "metric",
					       .pmu = "-M",
					       .description = d->expression,
					       .present = true };

		if (matches(search->pattern, d->name))
			err = describe_list_add(&search->listing, &listed);
	}
	for (size_t i = 0; err == 0 && i < tables->metrics_n; i++) {
		const struct perf_object *object = &tables->metrics[i];
		const char *meaning = perf_tables_member(tables, object, "BriefDescription");
		cleanup_why struct why ignored = { 0 };
		const struct listed listed = { .name = object->name,
					       .source = "table",
					       .pmu = "-M",
					       .description = meaning ? meaning : "",
					       .present = true };

		if (perf_tables_check(tables, object, &ignored) == 0 &&
		    (matches(search->pattern, object->name) ||
		     (object->groups && matches(search->pattern, object->groups))) &&
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
	describe_list_begin(&search.listing, out, wants_json(o) ? DESCRIBE_JSON : DESCRIBE_TEXT);
	if (is_for_metrics(o->argv[0])) {
		search.pattern = NULL;
		host_complete_tables(&machine);
	} else {
		err = resolve_list(&(struct event_listing){ &machine,
							    o->list_all ? LIST_ALL : LIST_USABLE,
							    list_event, &search, &why });
	}
	metrics_err = list_metrics(&search);
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
