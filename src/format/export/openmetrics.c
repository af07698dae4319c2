/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format openmetrics: an exposition that is valid as OpenMetrics 1.0 and as the text format of
 * Prometheus, which the textfile collector of the node exporter reads. Both hold because all
 * families are gauges, and UNIT and EOF are comments in the other format. A missing count has no
 * sample; pstat_event_state has its state.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/format.h"
#include "format/perf/place.h"
#include "result/provenance.h"
#include "result/table.h"

/* A metric family. Its samples have to be consecutive. */
struct family {
	const char *name;
	const char *unit; /* its name ends in this unit; NULL: it has none */
	const char *help;
};

struct exposition {
	const struct table *table;
	size_t *copies; /* for each event: how many events before it have the same labels */
	size_t *process_copies; /* the same for each place that is a process */
	struct str *out;
};

/* labels: the text between the braces so far. */
static void openmetrics_add_label(struct str *labels, const char *name, const char *value)
{
	cleanup_str struct str clean = { 0 };

	if (value[0] == '\0') /* Prometheus treats an empty label as absent */
		return;
	str_add_utf8(&clean, value);
	labels->failed |= clean.failed;
	str_addf(labels, "%s%s=\"", labels->len ? "," : "", name);
	for (const char *p = str_text(&clean); *p; p++) {
		if (*p == '\n')
			str_add(labels, "\\n");
		else if (*p == '"' || *p == '\\')
			str_addf(labels, "\\%c", *p);
		else
			str_add_n(labels, p, 1);
	}
	str_add(labels, "\"");
}

static void openmetrics_add_sample(struct str *text, const struct family *family,
				   const struct str *labels, long double value)
{
	text->failed |= labels->failed;
	str_addf(text, "%s{%s} ", family->name, str_text(labels));
	num_add_exact(text, value);
	str_add(text, "\n");
}

/* A family without samples is omitted. */
static void openmetrics_add_family(const struct exposition *e, const struct family *family,
				   const struct str *samples)
{
	if (samples->len > 0)
		str_addf(e->out, "# HELP %s %s\n# TYPE %s gauge\n", family->name, family->help,
			 family->name);
	if (samples->len > 0 && family->unit)
		str_addf(e->out, "# UNIT %s %s\n", family->name, family->unit);
	str_append(e->out, samples);
}

/* The second of equal names gets number 2, and so on; the first has no number. */
static void openmetrics_add_ordinal(struct str *labels, const char *name, size_t ordinal)
{
	char number[32];

	if (ordinal < 2)
		return;
	snprintf(number, sizeof(number), "%zu", ordinal);
	openmetrics_add_label(labels, name, number);
}

/* A process that executes the same program twice is two places, which differ by a label. */
static void openmetrics_add_process_labels(struct str *labels, const struct exposition *e,
					   const struct measure *row)
{
	const struct process *process = row->place->process;
	char pid[32];

	if (!process)
		return;
	if (process->pid) {
		snprintf(pid, sizeof(pid), "%d", process->pid);
		openmetrics_add_label(labels, "pid", pid);
	}
	openmetrics_add_label(labels, "program", process->name);
	openmetrics_add_label(labels, "with_children", process->with_children ? "1" : "");
	openmetrics_add_ordinal(labels, "process_copy",
				e->process_copies[row->row->place_index] + 1);
}

/* Two events of the same name and place differ by the label "copy". */
static void openmetrics_add_row_labels(struct str *labels, const struct exposition *e,
				       const struct measure *row)
{
	const char *key = place_columns(row->place->kind).key;

	openmetrics_add_label(labels, "command", e->table->command);
	if (key)
		openmetrics_add_label(labels, key, row->place->label);
	openmetrics_add_process_labels(labels, e, row);
	if (row->event->cgroup)
		openmetrics_add_label(labels, "cgroup", row->event->cgroup);
	openmetrics_add_label(labels, "event", row->name);
	openmetrics_add_ordinal(labels, "copy", e->copies[row->row->event] + 1);
}

static void openmetrics_add_rows(const struct exposition *e)
{
	enum { HALF_WIDTH = 2 };
	static const struct {
		struct family family;
		size_t runs_n; /* the number does not exist with fewer runs */
	} families[] = {
		{ { "pstat_event_value", NULL,
		    "Count of an event, the mean of the runs, in the unit of the label." },
		  1 },
		{ { "pstat_event_stderr", NULL,
		    "Standard error of that mean, in the unit of the label." },
		  2 },
		{ { "pstat_event_half_width", NULL,
		    "Half the width of the 95 % confidence interval around an estimated "
		    "value, in the unit of the label." },
		  1 },
		{ { "pstat_event_runs", NULL, "Runs that counted the event." }, 0 },
		{ { "pstat_event_running_ratio", "ratio",
		    "Part of the time enabled that the event was on a counter; "
		    "below 1 it is scaled." },
		  1 },
	};

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		cleanup_str struct str samples = { 0 };

		for (size_t r = 0; r < e->table->events_n; r++) {
			const struct measure *row = &e->table->v[r];
			const long double numbers[] = { row->value, summary_stderr(&row->summary),
							row->half_width, row->count.n,
							row->running_percent / 100 };
			bool exact = i == HALF_WIDTH && !(row->half_width > 0);
			cleanup_str struct str labels = { 0 };

			if (row->count.n < families[i].runs_n || exact)
				continue;
			openmetrics_add_row_labels(&labels, e, row);
			openmetrics_add_label(&labels, "unit", row->event->unit);
			openmetrics_add_sample(&samples, &families[i].family, &labels, numbers[i]);
		}
		openmetrics_add_family(e, &families[i].family, &samples);
	}
}

/* The distributions over the ranks of a job. An unknown number is negative. */
static void openmetrics_add_ranks(const struct exposition *e)
{
	static const struct family families[RANK_NUMBERS] = {
		[RANK_MIN] = { "pstat_rank_min", NULL, "Smallest value of a rank." },
		[RANK_MEDIAN] = { "pstat_rank_median", NULL, "Median over the ranks." },
		[RANK_MAX] = { "pstat_rank_max", NULL, "Largest value of a rank; see the label." },
		[RANK_IMBALANCE] = { "pstat_rank_imbalance", NULL,
				     "Largest value / mean over the ranks." },
	};

	for (enum rank_number i = RANK_MIN; i < RANK_NUMBERS; i++) {
		cleanup_str struct str samples = { 0 };

		for (size_t r = 0; r < e->table->events_n; r++) {
			const struct measure *row = &e->table->v[r];
			const struct rank_summary *ranks = row->ranks;
			cleanup_str struct str labels = { 0 };

			if (!ranks || ranks->v[i] < 0)
				continue;
			openmetrics_add_row_labels(&labels, e, row);
			openmetrics_add_label(&labels, "unit", row->event->unit);
			if (i >= RANK_MAX)
				openmetrics_add_label(&labels, "largest",
						      ranks->largest ? ranks->largest : "");
			openmetrics_add_sample(&samples, &families[i], &labels,
					       (long double)ranks->v[i]);
		}
		openmetrics_add_family(e, &families[i], &samples);
	}
}

static void openmetrics_add_states(const struct exposition *e)
{
	static const struct family family = {
		"pstat_event_state", NULL,
		"1: the event is counted, scaled, not counted, not supported or failed."
	};
	cleanup_str struct str samples = { 0 };

	for (size_t i = 0; i < e->table->events_n; i++) {
		cleanup_str struct str labels = { 0 };

		openmetrics_add_row_labels(&labels, e, &e->table->v[i]);
		openmetrics_add_label(&labels, "state", schema_states[e->table->v[i].state]);
		openmetrics_add_sample(&samples, &family, &labels, 1);
	}
	openmetrics_add_family(e, &family, &samples);
}

/* -M can request a metric of the same name twice. */
static void openmetrics_add_metric(struct str *samples, const struct family *family,
				   const struct exposition *e, const struct measure *row, size_t i)
{
	const struct metric metric = metric_unprefixed(&row->metrics[i]);
	bool percent = metric_is_percentage(&metric);
	cleanup_str struct str labels = { 0 };
	size_t ordinal = 1;

	for (size_t j = 0; j < i; j++)
		ordinal += strcmp(row->metrics[j].unit, row->metrics[i].unit) == 0;
	openmetrics_add_row_labels(&labels, e, row);
	openmetrics_add_label(&labels, "metric", metric.unit);
	openmetrics_add_label(&labels, "unit", percent ? "percent" : "");
	openmetrics_add_ordinal(&labels, "metric_copy", ordinal);
	openmetrics_add_sample(samples, family, &labels, metric.value);
}

static void openmetrics_add_metrics(const struct exposition *e)
{
	static const struct family family = {
		"pstat_metric_value", NULL,
		"Number derived from the counts of events; see the label."
	};
	cleanup_str struct str samples = { 0 };

	for (size_t i = 0; i < e->table->events_n; i++)
		for (size_t j = 0; j < e->table->v[i].metrics_n; j++)
			openmetrics_add_metric(&samples, &family, e, &e->table->v[i], j);
	openmetrics_add_family(e, &family, &samples);
}

/* A number of the whole result. */
static void openmetrics_add_one(const struct exposition *e, const struct family *family,
				long double value)
{
	cleanup_str struct str samples = { 0 };
	cleanup_str struct str labels = { 0 };

	openmetrics_add_label(&labels, "command", e->table->command);
	openmetrics_add_sample(&samples, family, &labels, value);
	openmetrics_add_family(e, family, &samples);
}

/* A time: the mean of the runs and its standard error. */
static void openmetrics_add_time(const struct exposition *e, const struct family families[2],
				 enum tool_event tool)
{
	const struct summary seconds = summary_times(&table_own(e->table, tool)->summary, 1e-9);

	openmetrics_add_one(e, &families[0], seconds.mean);
	if (seconds.n > 1)
		openmetrics_add_one(e, &families[1], summary_stderr(&seconds));
}

static void openmetrics_add_times(const struct exposition *e)
{
	static const char spread[] = "Standard error of that mean.";
	static const struct family elapsed[] = {
		{ "pstat_elapsed_seconds", "seconds", "Elapsed time, the mean of the runs." },
		{ "pstat_elapsed_stderr_seconds", "seconds", spread },
	};
	static const struct family user[] = {
		{ "pstat_user_seconds", "seconds", "Time in user mode, the mean of the runs." },
		{ "pstat_user_stderr_seconds", "seconds", spread },
	};
	static const struct family system[] = {
		{ "pstat_system_seconds", "seconds", "Time in the kernel, the mean of the runs." },
		{ "pstat_system_stderr_seconds", "seconds", spread },
	};

	openmetrics_add_time(e, elapsed, TOOL_DURATION_TIME);
	if (!e->table->series->has_usage || e->table->interval)
		return;
	openmetrics_add_time(e, user, TOOL_USER_TIME);
	openmetrics_add_time(e, system, TOOL_SYSTEM_TIME);
}

static void openmetrics_add_whole(const struct exposition *e)
{
	static const struct family start = { "pstat_start_time_seconds", "seconds",
					     "When counting began, since 1970." };
	static const struct family end = { "pstat_interval_end_seconds", "seconds",
					   "End of the interval, since the start of the run." };
	static const struct family runs = { "pstat_runs", NULL, "Runs that this is made of." };
	const struct table *r = e->table;

	openmetrics_add_one(e, &start, r->series->started);
	if (r->interval)
		openmetrics_add_one(e, &end, scale_to_unit(r->interval->at_ns, 1e-9));
	openmetrics_add_one(e, &runs, r->runs_n);
}

static void openmetrics_add_info(const struct exposition *e)
{
	static const struct family family = { "pstat_info", NULL, "What made this." };
	const struct provenance *p = e->table->series->provenance;
	cleanup_str struct str samples = { 0 };
	cleanup_str struct str labels = { 0 };

	openmetrics_add_label(&labels, "version", p && p->pstat ? p->pstat : PACKAGE_VERSION);
	if (p && p->kernel)
		openmetrics_add_label(&labels, "kernel", p->kernel);
	if (p && p->cpu_model)
		openmetrics_add_label(&labels, "cpu_model", p->cpu_model);
	openmetrics_add_sample(&samples, &family, &labels, 1);
	openmetrics_add_family(e, &family, &samples);
}

/* Add the text in which rows of one place have to differ, as their labels show it. NULL adds an
 * empty one. 0 or -ENOMEM. */
static int openmetrics_add_key(struct str_list *keys, const struct measure *row)
{
	cleanup_str struct str key = { 0 };

	if (row) {
		str_add_utf8(&key, row->name);
		str_add(&key, "\n");
		str_add_utf8(&key, row->event->cgroup ? row->event->cgroup : "");
	}
	return key.failed ? -ENOMEM : str_list_add(keys, str_text(&key));
}

/* Two samples with equal labels would make the exposition invalid. 0 or -ENOMEM. */
static int openmetrics_count_copies(const struct exposition *e)
{
	size_t n = e->table->series->events->n;
	cleanup_free const struct measure **rows = calloc(n + 1, sizeof(*rows));
	cleanup_str_list struct str_list keys = { 0 };
	int err = rows ? 0 : -ENOMEM;

	for (size_t i = 0; rows && i < e->table->events_n; i++)
		rows[e->table->v[i].row->event] = &e->table->v[i];
	for (size_t i = 0; err == 0 && i < n; i++) {
		err = openmetrics_add_key(&keys, rows[i]);
		for (size_t j = 0; err == 0 && j < i; j++)
			e->copies[i] += rows[i] && strcmp(keys.v[i], keys.v[j]) == 0;
	}
	return err;
}

/* A place, and the text in which its labels have to differ from those of other places. */
struct place_key {
	char *text; /* owned */
	size_t place_index;
};

static int compare_keys(const void *a, const void *b)
{
	const struct place_key *left = a, *right = b;
	int order = strcmp(left->text, right->text);

	if (order != 0)
		return order;
	return left->place_index < right->place_index ? -1 : 1;
}

/* The place may be unused. 0 or -ENOMEM. */
static int openmetrics_make_key(struct place_key *key, const struct place *place,
				size_t place_index)
{
	cleanup_str struct str text = { 0 };

	str_add(&text, place->process && place->process->with_children ? "1" : "0");
	str_add_utf8(&text, place->label ? place->label : "");
	*key = (struct place_key){ text.failed ? NULL : take_ptr(text.text), place_index };
	return key->text ? 0 : -ENOMEM;
}

/* Sorted, because a command may have 100,000 processes. 0 or -ENOMEM. */
static int openmetrics_count_process_copies(const struct exposition *e)
{
	const struct series *series = e->table->series;
	size_t n = series_places_n(series);
	cleanup_free struct place_key *keys = calloc(n + 1, sizeof(*keys));
	int err = keys ? 0 : -ENOMEM;

	for (size_t i = 0; err == 0 && i < n; i++)
		err = openmetrics_make_key(&keys[i], &series->places[i], i);
	if (err == 0)
		qsort(keys, n, sizeof(*keys), compare_keys);
	for (size_t i = 1; err == 0 && i < n; i++)
		if (strcmp(keys[i - 1].text, keys[i].text) == 0)
			e->process_copies[keys[i].place_index] =
				e->process_copies[keys[i - 1].place_index] + 1;
	for (size_t i = 0; keys && i < n; i++)
		free(keys[i].text);
	return err;
}

static int openmetrics_write(const struct table *table, const struct comparison *c,
			     const struct format_style *style, FILE *out)
{
	cleanup_free size_t *copies = calloc(table->series->events->n + 1, sizeof(*copies));
	cleanup_free size_t *process_copies =
		calloc(table->series->rows_n + 1, sizeof(*process_copies));
	cleanup_str struct str text = { 0 };
	struct exposition e = { .table = table, .out = &text };
	int err;

	(void)style, (void)c;
	e.copies = copies;
	e.process_copies = process_copies;
	err = copies && process_copies ? openmetrics_count_copies(&e) : -ENOMEM;
	if (err == 0 && table->series->split == PLACE_PROCESS)
		err = openmetrics_count_process_copies(&e);
	if (err < 0)
		return err;
	openmetrics_add_rows(&e);
	openmetrics_add_ranks(&e);
	openmetrics_add_states(&e);
	openmetrics_add_metrics(&e);
	openmetrics_add_whole(&e);
	openmetrics_add_times(&e);
	openmetrics_add_info(&e);
	str_add(&text, "# EOF\n");
	return str_print(&text, out);
}

const struct format format_openmetrics = {
	.name = "openmetrics",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_NEVER,
	.intervals = INTERVALS_REPLACED,
	.appendable = APPENDABLE_NEVER,
	.locale = LOCALE_C,
	.shows_provenance = true,
	.has_results = true,
	.write = openmetrics_write,
};
