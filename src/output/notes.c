/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/opener.h"
#include "event/attr_fields.h"
#include "format/perf/metric_only.h"
#include "machine/host.h"
#include "machine/program.h"
#include "output/message.h"
#include "output/notes.h"

void notes_release(struct notes *t)
{
	for (size_t i = 0; t->noted && i < t->events->n; i++)
		free(t->noted[i]);
	free(t->noted);
	*t = (struct notes){ 0 };
}

int notes_init(struct notes *t, const struct options *o, const struct event_list *events,
	       const struct opening *openings)
{
	notes_release(t);
	*t = (struct notes){ .options = o,
			     .events = events,
			     .openings = openings,
			     .noted = calloc(events->n + 1, sizeof(*t->noted)) };
	return t->noted ? 0 : -ENOMEM;
}

/* Whether the reason of the event was already printed. */
static bool notes_is_noted(const struct notes *t, size_t event)
{
	return str_equal(t->noted[event], t->openings[event].reason.text);
}

/* Keep a copy, because the session replaces the reason if it changes. If memory runs out, the note
 * is printed again. */
static void notes_set_noted(struct notes *t, size_t event)
{
	const char *text = t->openings[event].reason.text;

	free(t->noted[event]);
	t->noted[event] = text ? strdup(text) : NULL;
}

bool notes_share_result(const struct options *o)
{
	struct stat result, messages;
	int err = o->output ? stat(o->output, &result) : fstat(options_result_fd(o), &result);

	return err == 0 && fstat(STDERR_FILENO, &messages) == 0 &&
	       result.st_dev == messages.st_dev && result.st_ino == messages.st_ino;
}

/* Whether people may see a note on standard error, now. */
static bool notes_note_is_shown(const struct options *o)
{
	const struct format *format = options_format(o);

	if (o->verbose || !format)
		return true;
	if (o->as_perf || format->notes == NOTES_VERBOSE)
		return false;
	if (notes_share_result(o))
		return format->notes == NOTES_LINES || format->notes == NOTES_COMMENTS ||
		       (format->notes == NOTES_TERMINAL && isatty(STDERR_FILENO));
	return !options_has_destination(o) || isatty(STDERR_FILENO);
}

bool notes_have_reader(const struct options *o)
{
	return !o->quiet && (notes_note_is_shown(o) || (o->file_notes && !notes_share_result(o)));
}

void note_print(const struct options *o, const char *format, ...)
{
	cleanup_str struct str text = { 0 };
	va_list args;

	if (o->quiet)
		return;
	va_start(args, format);
	str_vaddf(&text, format, args);
	va_end(args);
	if (o->file_notes && !notes_share_result(o)) {
		str_add(o->file_notes, "# pstat: ");
		str_add_escaped(o->file_notes, str_text(&text));
		str_add(o->file_notes, "\n");
	}
	if (notes_note_is_shown(o))
		message("%s", str_text(&text));
}

/* If the result goes to standard error only because commands write to standard output, which a file
 * or a pipe collects: report that. */
static void notes_report_destination(const struct options *o)
{
	cleanup_str struct str text = { 0 };
	struct stat output, messages;

	if (!options_shares_stdout(o) || o->quiet || fstat(STDOUT_FILENO, &output) < 0 ||
	    fstat(STDERR_FILENO, &messages) < 0)
		return;
	if ((!S_ISREG(output.st_mode) && !S_ISFIFO(output.st_mode)) || S_ISREG(messages.st_mode) ||
	    (output.st_dev == messages.st_dev && output.st_ino == messages.st_ino))
		return;
	str_addf(&text, "the result is on standard error: %s standard output; use -o FILE%s",
		 options_is_comparison(o) ? "the commands share" : "the command shares",
		 options_is_comparison(o) ? "" : " or --discard");
	if (isatty(STDERR_FILENO)) /* also for formats that allow no note */
		message("%s", str_text(&text));
	else
		note_print(o, "%s", str_text(&text));
}

/* Whether the command is probably meant as a subcommand, as in "perf record true". options_check()
 * has refused the options of perf stat. */
static bool notes_is_subcommand(char *const argv[])
{
	static const char *const names[] = { "record", "report", "list", "top" };

	for (size_t i = 0; argv[0] && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(argv[0], names[i]) == 0)
			return argv[1] && argv[1][0] == '-';
	return false;
}

/* Whether the command is two versions of a program, such as "./old ./new" or "a/prog b/prog". */
static bool notes_are_two_versions(char *const argv[])
{
	const char *slash[2] = { NULL, NULL };

	for (size_t i = 0; i < 2; i++) {
		slash[i] = argv[i] ? strrchr(argv[i], '/') : NULL;
		if (!slash[i] || program_check_file(argv[i]) < 0)
			return false;
	}
	return !argv[2] && (strcmp(slash[0], slash[1]) == 0 ||
			    (slash[0] - argv[0] == slash[1] - argv[1] &&
			     strncmp(argv[0], argv[1], (size_t)(slash[0] - argv[0])) == 0));
}

/* Whether --fail-if is among the arguments of the command. Users put it there by mistake, and pstat
 * then does not check the gate. */
static bool notes_has_gate(char *const argv[])
{
	static const char gate[] = "--fail-if";

	for (size_t i = 1; argv[0] && argv[i]; i++)
		if (strncmp(argv[i], gate, sizeof(gate) - 1) == 0)
			return true;
	return false;
}

static bool notes_is_pstat(const char *program)
{
	const char *slash = strrchr(program, '/');

	return strcmp(slash ? slash + 1 : program, "pstat") == 0;
}

void notes_print_settled(const struct options *o)
{
	static const char *const options[] = { "-o", "--save", "--html" };

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (o->shared_files[i] && !o->quiet)
			message("%s %s: each rank of the job replaces this file; put %%r into its name",
				options[i], o->shared_files[i]);
	if (o->ignored)
		note_print(o, "%s is ignored, because %s names what to count", o->ignored,
			   o->target.pids ? "-p" : "-t");
	notes_report_destination(o);
	if (o->job == JOB_COUNT && notes_is_subcommand(o->argv))
		note_print(o, "'%s' is the command to run, because pstat has no subcommands",
			   o->argv[0]);
	if (o->job == JOB_COUNT && !options_is_comparison(o) && notes_are_two_versions(o->argv))
		note_print(o, "%s is an argument of %s; to compare the two: pstat -c %s -c %s",
			   o->argv[1], o->argv[0], o->argv[0], o->argv[1]);
	if (o->argv && notes_has_gate(o->argv) && !notes_is_pstat(o->argv[0]))
		note_print(
			o,
			"--fail-if is an argument of %s; options of pstat come before the command",
			o->argv[0]);
	if (o->assumes_all_cpus)
		note_print(o, "no command: counting all CPUs (-a)%s",
			   o->timing.interval_count || o->timing.timeout_ms ?
				   "" :
				   " until a signal, such as Ctrl-C");
}

static const char *notes_state_word(const struct opening *opening)
{
	if (opening->refused)
		return "not supported";
	if (opening->uncounted)
		return "not counted";
	if (opening->first_only && !opening->user_only)
		return "new threads and processes are not counted";
	return opening->user_only ? "counted in user mode only" : "not counted";
}

static bool notes_same_reason(const struct notes *t, size_t a, size_t b)
{
	return t->openings[a].reason.text &&
	       str_equal(t->openings[a].reason.text, t->openings[b].reason.text);
}

/* Whether an event before this one, with the same reason, has the same name. */
static bool notes_is_repeated_name(const struct notes *t, size_t first, size_t event)
{
	const struct event *events = t->events->events;

	for (size_t i = first; i < event; i++)
		if (notes_same_reason(t, i, first) &&
		    strcmp(events[i].name, events[event].name) == 0)
			return true;
	return false;
}

/*
 * Print a reason: as a note, or as a message, which is always printed. It is a message if pstat
 * exits with 125 because of it, or if the result does not show it: a history has an empty field for
 * each event without a count.
 */
static void notes_show_reason(const struct options *o, const struct opening *opening,
			      const char *text)
{
	const struct format *format = options_format(o);
	bool is_lost = format && format->is_history && (opening->refused || opening->uncounted) &&
		       !o->quiet && !notes_share_result(o);

	if (is_lost || (o->strict && opening->refused))
		message("%s", text);
	else
		note_print(o, "%s", text);
}

/* One line for all the events that share a reason. */
static void notes_report_reason(struct notes *t, size_t first)
{
	const struct opening *opening = &t->openings[first];
	cleanup_str struct str names = { 0 };

	for (size_t i = first; i < t->events->n; i++) {
		if (notes_is_noted(t, i) || !notes_same_reason(t, i, first))
			continue;
		if (!notes_is_repeated_name(t, first, i))
			str_add_listed(&names, t->events->events[i].name);
		notes_set_noted(t, i);
	}
	str_addf(&names, ": %s: %s", notes_state_word(opening), opening->reason.text);
	notes_show_reason(t->options, opening, str_text(&names));
}

/* ---- Footnotes on standard error: brief reasons. Nobody asked for the default events by name, so
 * details only disturb. */

static bool notes_opening_is_forbidden(const struct opening *opening)
{
	const struct reason *reason = &opening->reason;

	return reason->cause == CAUSE_NARROWED ||
	       (reason->cause == CAUSE_OPEN &&
		(reason->error == -EACCES || reason->error == -EPERM));
}

/* Print one note for all events that need CAP_PERFMON, if any of them is counted in user mode. */
static void notes_report_forbidden(struct notes *t)
{
	bool narrowed = false, switches = false;

	for (size_t i = 0; i < t->events->n; i++)
		narrowed |= notes_opening_is_forbidden(&t->openings[i]) && t->openings[i].user_only;
	for (size_t i = 0; narrowed && i < t->events->n; i++) {
		const struct opening *opening = &t->openings[i];

		if (!notes_opening_is_forbidden(opening))
			continue;
		switches |= strcmp(t->events->events[i].name, "context-switches") == 0;
		notes_set_noted(t, i);
	}
	if (!narrowed || t->forbidden_noted)
		return;
	t->forbidden_noted = true;
	if (switches)
		note_print(t->options, "user mode only (PERMISSIONS in pstat(1)); switches: "
				       "voluntary_switches,involuntary_switches");
	else
		note_print(t->options,
			   "only user mode may be counted; see PERMISSIONS in pstat(1)");
}

/*
 * One footnote for all hardware events, without their names, if none is supported. It has the first
 * part of the reason; --explain has all of it, and what can be counted instead.
 */
static void notes_report_no_pmu(struct notes *t)
{
	const struct opening *first = NULL;
	cleanup_str struct str note = { 0 };
	const char *text;

	for (size_t i = 0; i < t->events->n; i++) {
		const struct opening *opening = &t->openings[i];

		if (t->events->events[i].attr.type != PERF_TYPE_HARDWARE)
			continue;
		if (opening->reason.cause != CAUSE_OPEN || opening->reason.error != -ENOENT ||
		    (first && !str_equal(first->reason.text, opening->reason.text)) ||
		    notes_is_noted(t, i))
			return;
		first = first ? first : opening;
	}
	if (!first)
		return;
	text = first->reason.text;
	str_addf(&note, "%.*s; see --explain %s", (int)strcspn(text, ";"), text,
		 t->events->events[first - t->openings].name);
	notes_show_reason(t->options, first, str_text(&note));
	for (size_t i = 0; i < t->events->n; i++)
		if (str_equal(t->openings[i].reason.text, text))
			notes_set_noted(t, i);
}

/* Report the modifiers that do not affect a count. */
static void notes_report_modifiers(struct notes *t)
{
	const struct event_list *list = t->events;
	cleanup_str struct str clocks = { 0 }, idle = { 0 };

	for (size_t i = 0; !t->modifiers_noted && i < list->n; i++) {
		const struct event *event = &list->events[i];

		if (event_is_clock(event) &&
		    (event->attr.exclude_user || event->attr.exclude_kernel))
			str_add_listed(&clocks, event->name);
		if (event->attr.exclude_idle)
			str_add_listed(&idle, event->name);
	}
	if (clocks.len > 0)
		note_print(t->options, "%s: a clock counts all modes%s", str_text(&clocks),
			   options_has_target(t->options) ? "" : "; use user_time and system_time");
	if (idle.len > 0)
		note_print(t->options, "%s: modifier I does not affect counts", str_text(&idle));
	t->modifiers_noted = true;
}

bool notes_are_footnotes(const struct options *o)
{
	return o->job == JOB_COUNT && o->requests_n == 0 && !o->compare_options.baseline &&
	       !o->file_notes && !o->verbose && !o->strict;
}

void notes_print_reasons(struct notes *t)
{
	if (notes_are_footnotes(t->options)) {
		notes_report_forbidden(t);
		notes_report_no_pmu(t);
	}
	notes_report_modifiers(t);
	for (size_t i = 0; i < t->events->n; i++)
		if (t->openings[i].reason.text && !notes_is_noted(t, i))
			notes_report_reason(t, i);
}

static bool notes_holds_separator(const struct options *o, const char *name)
{
	return name && o->separator[0] && strstr(name, o->separator);
}

/*
 * perf's CSV has no quotes, so a name that contains the separator looks like two fields. Users
 * cannot rename places, cgroups and units, so one note is enough for each of these.
 */
static void notes_report_separators(const struct options *o, const struct table *table)
{
	const char *name = NULL, *unit = NULL; /* the first of these that holds the separator */

	for (size_t i = 0; o->separator && i < table->events_n; i++) {
		const struct measure *row = &table->v[i];

		if (notes_holds_separator(o, row->name) && (i == 0 || row->event != row[-1].event))
			note_print(
				o,
				"-x '%s': the name '%s' holds the separator; choose another one, or "
				"name the event by name=",
				o->separator, row->name);
		if (!name && notes_holds_separator(o, row->place->label))
			name = row->place->label;
		if (!name && notes_holds_separator(o, row->event->cgroup))
			name = row->event->cgroup;
		for (size_t j = 0; !unit && j < row->metrics_n; j++)
			if (notes_holds_separator(o, row->metrics[j].unit))
				unit = row->metrics[j].unit;
	}
	if (name)
		note_print(o, "-x '%s': the name '%s' holds the separator; choose another one",
			   o->separator, name);
	if (unit)
		note_print(o, "-x '%s': '%s' holds the separator; choose another one", o->separator,
			   unit);
}

/*
 * Report the first row that was counted for too short a time. which: "'SIDE': " or nothing. Returns
 * whether there is such a row.
 */
static bool notes_report_short(const struct options *o, const char *which,
			       const struct table *table)
{
	for (size_t i = 0; i < table->events_n; i++) {
		if (!table->v[i].too_short)
			continue;
		note_print(o,
			   "%s%s: counted for less than %g %% of its time (%s); count fewer events "
			   "or use --no-multiplex",
			   which, table->v[i].name, table->series->min_running,
			   o->strict_scaling ? "--strict-scaling" : "--min-running");
		return true;
	}
	return false;
}

/* The number of counters that a metric needs; the parts of slots need none. */
static size_t notes_counters_of(const struct series *series, const char *metric)
{
	size_t n = 0;

	for (size_t i = 0; i < series->metrics->n; i++) {
		const struct metric_request *request = &series->metrics->v[i];
		const struct expression *e = &request->expression;

		for (size_t k = 0; strcmp(request->name, metric) == 0 && k < e->events_n; k++) {
			const struct event *event = &series->events->events[e->events[k].index];

			n += opener_needs_counter(event) && event->slots != SLOTS_PART;
		}
	}
	return n;
}

static void notes_report_withheld(const struct options *o, const char *which,
				  const struct table *table)
{
	for (size_t i = 0; i < table->withheld_n; i++) {
		const struct withheld *w = &table->withheld[i];

		switch (w->reason) {
		case WITHHELD_ABSENT:
			if (w->is_part) /* another note says why the event was not counted */
				break;
			note_print(o, "%s-M: %s is left out: %s has no count", which, w->metric,
				   w->event);
			break;
		case WITHHELD_APART:
			note_print(
				o,
				"%s-M: %s is left out: it needs %zu counters at once, but %s was "
				"counted separately%s",
				which, w->metric, notes_counters_of(table->series, w->metric),
				w->event,
				o->no_multiplex || table->series->passes_n > 1 ?
					"" :
					"; use --no-multiplex");
			break;
		case WITHHELD_MODE:
			note_print(
				o,
				"%s-M: %s is left out: %s counts one mode, but task-clock counts all time",
				which, w->metric, w->event);
			break;
		case WITHHELD_UNDEFINED:
			note_print(o, "%s-M: %s is left out: it is a division by zero or too large",
				   which, w->metric);
		}
	}
}

static const struct measure *notes_find_max_rss(const struct table *table)
{
	for (size_t i = 0; i < table->events_n; i++)
		if (table->v[i].event->tool == TOOL_MAX_RSS)
			return &table->v[i];
	return NULL;
}

/* A max_rss that is a row: it may be that of pstat itself. */
static void notes_report_floor(const struct options *o, const struct table *table)
{
	uint64_t kib = table->series->max_rss_floor_kib;
	const struct measure *row = notes_find_max_rss(table);
	size_t floors = table->max_rss_unknown;

	if (row && floors)
		note_print(
			o,
			"%s is unknown in %zu of %zu runs, which did not exceed pstat's own %llu KiB",
			row->name, floors, table->runs_n, (unsigned long long)kib);
}

static void notes_report_no_columns(const struct options *o, const struct table *table)
{
	cleanup_with(metric_only_release) struct metric_only m = { 0 };

	if (!o->metric_only || table->events_n == 0 || metric_only_init(&m, table) < 0)
		return;
	if (m.columns_n == 0)
		note_print(
			o,
			"--metric-only: the events have no ratio; count cycles and instructions, or "
			"use -M");
}

/* What a hit of a uprobe costs: a trap, and often a step of the instruction below it. */
#define UPROBE_HIT_NS_MIN 1e3
#define UPROBE_HIT_NS_MAX 10e3 /* in a virtual machine */
/* Less than this time, or than this share of a run, is not worth a note. */
#define UPROBE_NS_NOTED 10e6
#define UPROBE_SHARE_NOTED 0.05

static double notes_percent_of_run(double part, double whole)
{
	return part < whole ? 100 * part / whole : 100;
}

/* The uprobes took a noticeable part of the run, which nobody sees in the counts. */
static void notes_report_uprobes(const struct options *o, const struct table *table)
{
	double elapsed_ns = (double)table_own(table, TOOL_DURATION_TIME)->value, hits = 0;

	for (size_t i = 0; i < table->events_n; i++)
		if (event_is_uprobe(table->v[i].event))
			hits += (double)table->v[i].count.mean;
	if (hits * UPROBE_HIT_NS_MIN >= UPROBE_NS_NOTED &&
	    hits * UPROBE_HIT_NS_MAX >= UPROBE_SHARE_NOTED * elapsed_ns)
		note_print(
			o,
			"uprobes: %.0f hits in a run; at 1 to 10 us each, %.0f to %.0f %% of the run",
			hits, notes_percent_of_run(hits * UPROBE_HIT_NS_MIN, elapsed_ns),
			notes_percent_of_run(hits * UPROBE_HIT_NS_MAX, elapsed_ns));
}

/* Whether all events of a metric of the whole target were counted in each run. */
static bool notes_has_all_counts(const struct table *table, const struct measure *m)
{
	const struct expression *e = &m->metric->expression;
	bool counted = m->place->kind == PLACE_TARGET && !m->cgroup && !table->series->passes;

	for (size_t i = 0; counted && i < e->events_n; i++) {
		const struct measure *event = table->rows[e->events[i].index];

		counted = event && event->count.n == table->runs_n;
	}
	return counted;
}

/* The runs in which an expression was not defined, although its events were counted. */
static void notes_report_gaps_of_metrics(const struct options *o, const struct table *table)
{
	for (size_t i = table->events_n; !table->interval && i < table->n; i++) {
		const struct measure *m = &table->v[i];

		if (m->metric && m->defined && m->summary.n < m->runs_n &&
		    notes_has_all_counts(table, m))
			note_print(o, "%s: no value in %zu of %zu runs", m->name,
				   m->runs_n - m->summary.n, m->runs_n);
	}
}

void notes_print_gaps(struct notes *t, const struct table *table)
{
	for (size_t i = 0; !table->interval && i < table->events_n; i++) {
		const struct measure *row = &table->v[i];

		if (row->count.n > 0 && row->count.n < row->runs_n)
			note_print(
				t->options,
				"%s: not counted in %zu of %zu runs; the result covers the other runs",
				row->name, row->runs_n - row->count.n, row->runs_n);
	}
	notes_report_gaps_of_metrics(t->options, table);
	t->short_time_noted = t->short_time_noted || notes_report_short(t->options, "", table);
	if (table->interval)
		return;
	notes_report_withheld(t->options, "", table);
	notes_report_floor(t->options, table);
	notes_report_uprobes(t->options, table);
	notes_report_no_columns(t->options, table);
	notes_report_separators(t->options, table);
	if (table->ratio_withheld)
		note_print(
			t->options,
			"ratios are left out: their events were not on the PMU together; count both in one {group}");
}

void notes_print_samples(const struct options *o, const struct sampler *sampler,
			 uint64_t elapsed_ns)
{
	if (o->verbose && sampler->taken > 0 && elapsed_ns > 0)
		note_print(
			o,
			"the multiplexed counters were read %zu times, which took %.2f %% of the time",
			sampler->taken,
			notes_percent_of_run((double)sampler->spent_ns, (double)elapsed_ns));
}

static bool notes_has_floor(const struct table *table, uint64_t kib)
{
	return table->series->max_rss_floor_kib == kib && table->max_rss_unknown > 0;
}

/* Whether a missing max_rss has to be reported: it was requested, or is a row that is shown. */
static bool notes_misses_max_rss(const struct comparison *c)
{
	for (size_t i = 0; i < c->gates_n; i++)
		if (c->gates[i].row->of->tool == TOOL_MAX_RSS)
			return true;
	for (size_t i = 0; i < c->input.sides_n; i++)
		if (notes_find_max_rss(&c->tables[i]))
			return true;
	for (size_t i = 0; i < c->rows_n; i++)
		if (c->rows[i].shown && c->rows[i].of->tool == TOOL_MAX_RSS)
			return true;
	return false;
}

/* Report each unknown max_rss, in one line for all sides that the same pstat has run. which: the
 * case, "case n=1: ". */
static void notes_report_floors(const struct options *o, const char *which,
				const struct comparison *c)
{
	for (size_t i = 0; notes_misses_max_rss(c) && i < c->input.sides_n; i++) {
		uint64_t kib = c->tables[i].series->max_rss_floor_kib;
		cleanup_str struct str names = { 0 };
		bool is_noted_before = false;

		for (size_t j = 0; j < i; j++)
			is_noted_before |= notes_has_floor(&c->tables[j], kib);
		if (is_noted_before || !notes_has_floor(&c->tables[i], kib))
			continue;
		for (size_t j = i; j < c->input.sides_n; j++)
			if (notes_has_floor(&c->tables[j], kib))
				str_add_listed(&names, c->input.sides[j].name);
		note_print(
			o,
			"%smax_rss of %s is unknown: some runs did not exceed pstat's own %llu KiB, "
			"which every child inherits",
			which, str_text(&names), (unsigned long long)kib);
	}
}

void notes_print_gaps_of_sides(const struct options *o, const struct suite *suite)
{
	for (size_t k = 0; k < suite->n; k++) {
		const struct comparison *c = &suite->cases[k];
		cleanup_str struct str of_case = { 0 };

		if (suite_has_cases(suite))
			str_addf(&of_case, "case %s: ", suite->input.cases[k].name);
		notes_report_floors(o, str_text(&of_case), c);
		for (size_t i = 0; i < c->input.sides_n; i++) {
			cleanup_str struct str which = { 0 };

			str_addf(&which, "%s'%s': ", str_text(&of_case), c->input.sides[i].name);
			notes_report_short(o, str_text(&which), &c->tables[i]);
			notes_report_withheld(o, str_text(&which), &c->tables[i]);
		}
	}
}

/* ---- The counters of the PMU, before the first run. */

/* Append why the events do not fit. */
static void notes_add_shortage(const struct machine *m, const struct budget *budget,
			       struct str *out)
{
	if (budget->counters == 0) {
		str_addf(out, "no counter is free for %zu event%s", budget->events,
			 budget->events == 1 ? "" : "s");
	} else if (budget->counters < budget->events) {
		str_addf(out, "%zu events share %zu counter%s", budget->events, budget->counters,
			 budget->counters == 1 ? "" : "s");
		if (host_nmi_watchdog(m))
			str_add(out, " (NMI watchdog: 1)");
	} else {
		str_addf(out, "%zu events do not fit the PMU at once", budget->events);
	}
}

/* Append the remedies, the cheapest first, if there are any. */
static void notes_add_remedy(const struct options *o, const struct budget *budget, struct str *out)
{
	const struct timing *timing = &o->timing;
	size_t dropped = budget->events - budget->counters;
	bool passes = !options_is_comparison(o) && !timing->interval_ms && !timing->delay_ms &&
		      !timing->timeout_ms && !o->control && !o->no_inherit && !o->no_multiplex &&
		      o->target.split < PLACE_THREAD && !budget->too_large;

	if (budget->counters == 0) {
		str_add(out, "; another user may hold the PMU");
		return;
	}
	if (dropped)
		str_addf(out, "; drop %zu", dropped);
	if (passes)
		str_addf(out, "%s use --no-multiplex", dropped ? " or" : ";");
	if (passes && !options_is_strict_scaling(o))
		str_addf(out, " (%zu runs)", budget->passes);
}

/* Append why the events do not fit, what that means for the counts, and the remedies. */
static void notes_add_budget(const struct options *o, const struct machine *m,
			     const struct budget *budget, struct str *out)
{
	notes_add_shortage(m, budget, out);
	if (!o->no_multiplex || budget->passes <= 1 || budget->counters == 0) {
		/* if the line also mentions the NMI watchdog, there is room for only one word */
		if (budget->counters > 0)
			str_addf(out, ": %s%s", host_nmi_watchdog(m) ? "" : "counts are ",
				 o->no_scale ? "incomplete" : "estimates");
		notes_add_remedy(o, budget, out);
	} else if (budget->too_large) {
		str_addf(out, ": %zu runs each; the weak group's events still take turns",
			 budget->passes);
	} else {
		str_addf(out, ": each measurement runs the command %zu times", budget->passes);
	}
}

void notes_print_budget(const struct options *o, const struct machine *m,
			const struct budget *budget)
{
	cleanup_str struct str text = { 0 };

	notes_add_budget(o, m, budget, &text);
	note_print(o, "%s", str_text(&text));
}

int notes_refuse_budget(const struct options *o, const struct machine *m,
			const struct budget *budget, struct why *why)
{
	cleanup_str struct str text = { 0 };

	str_add(&text, o->strict_scaling ? "--strict-scaling: " : "--min-running 100: ");
	notes_add_shortage(m, budget, &text);
	notes_add_remedy(o, budget, &text);
	return why_set(why, -EBUSY, "%s", str_text(&text));
}

void notes_print_followed(const struct options *o, const struct session *s)
{
	const struct follow *f = &s->follow;

	if (f->first_trace_error && f->by_process)
		note_print(o, "all processes are one row, because the command cannot be traced: %s",
			   strerror(-f->first_trace_error));
	if (f->untraced.len)
		note_print(
			o,
			"these processes cannot be traced, so their rows include their children: %s",
			str_text(&f->untraced));
	if (f->deprived.len)
		note_print(
			o,
			"these programs got no privileges, because they were traced: %s; run pstat as root",
			str_text(&f->deprived));
	if (f->faults_error)
		note_print(o, "tasks that hide from tracers (CLONE_UNTRACED) cannot be noticed: %s",
			   f->faults_error == -EMFILE ? "too few descriptors (ulimit -n)" :
							strerror(-f->faults_error));
}

/* ---- The counts and calls of -v. */

/* As in perf, each instance of an event is printed, not their sum. */
void notes_print_counts(const struct options *o, const struct series *series, const struct run *run)
{
	cleanup_str struct str text = { 0 };

	for (size_t i = 0; o->verbose && series->split == PLACE_TARGET && i < series->rows_n; i++) {
		const size_t index = series->rows[i].event;
		const struct reading *reading = &run->readings[i];
		struct event event = series->events->events[index];
		cleanup_free char *name = NULL;

		if (event.tool != TOOL_NONE || reading->state == ELSEWHERE)
			continue;
		event.name = event.kind_name ? event.kind_name : event.name;
		name = measure_event_name(&event, &series->openings[index]);
		if (!name)
			text.failed = true;
		if (reading->state > NOT_COUNTED)
			str_add(&text, "failed to read counter ");
		str_add_escaped(&text, name ? name : "");
		if (reading->state <= NOT_COUNTED)
			str_addf(&text, ": %.0Lf %llu %llu",
				 series_value_of_one(series, i, run).count,
				 (unsigned long long)reading->counts.enabled_ns,
				 (unsigned long long)reading->counts.running_ns);
		str_add(&text, "\n");
	}
	if (text.failed)
		message("out of memory");
	else if (text.len)
		message_text(str_text(&text));
}

#define RULE "------------------------------------------------------------\n"

static void notes_add_read_format(struct str *out, uint64_t format)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} bits[] = {
		{ PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
		{ PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
		{ PERF_FORMAT_ID, "ID" },
		{ PERF_FORMAT_GROUP, "GROUP" },
	};
	const char *between = "";

	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (format & bits[i].bit) {
			str_addf(out, "%s%s", between, bits[i].name);
			between = "|";
		}
}

void notes_print_call(const struct open_call *call)
{
	struct event event = { .name = NULL };
	cleanup_str struct str text = { 0 };

	/* with config3 and config4, which the struct of older kernel headers lacks */
	memcpy((char *)&event + offsetof(struct event, attr), call->attr, call->attr->size);
	str_add(&text, RULE "perf_event_attr:\n");
	for (const struct attr_field *field = attr_fields; field->name; field++) {
		uint64_t value = field->get(&event);

		if (value == 0)
			continue;
		str_addf(&text, "  %-32s ", field->name);
		if (strcmp(field->name, "read_format") == 0)
			notes_add_read_format(&text, value);
		else
			str_addf(&text, field->role == ATTR_CONFIG ? "0x%llx" : "%llu",
				 (unsigned long long)value);
		str_add(&text, "\n");
	}
	str_addf(&text, RULE "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx",
		 call->pid, call->cpu, call->group_fd, call->flags);
	if (call->result >= 0)
		str_addf(&text, " = %d\n", call->result);
	else
		str_addf(&text, "\nsys_perf_event_open failed, error %d (%s)\n", call->result,
			 strerror(-call->result));
	message_text(str_text(&text));
}
