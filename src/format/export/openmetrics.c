/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format openmetrics: an exposition that is valid as OpenMetrics 1.0 and as the text format of
 * Prometheus, which the textfile collector of the node exporter reads. Both hold because all
 * families are gauges, and UNIT and EOF are comments in the other format. A missing count has no
 * sample; pstat_event_state has its state.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/format.h"
#include "format/perf/place.h"
#include "result/series.h"
#include "result/table.h"

/* A metric family. Its samples have to be consecutive. */
struct family {
	const char *name;
	const char *unit; /* its name ends in this unit; NULL: it has none */
	const char *help;
};

struct exposition {
	const struct table *table;
	/* for each event, and then for each place of --per-process: 0, or its number if earlier
	 * ones have the same labels: 2 for the second */
	const size_t *copies;
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

/* 0: no label */
static void openmetrics_add_whole_label(struct str *labels, const char *name, size_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%zu", value);
	if (value > 0)
		openmetrics_add_label(labels, name, text);
}

/* A process that executes the same program twice is two places, which differ by a label; so do two
 * events of the same name and place. */
static void openmetrics_add_row_labels(struct str *labels, const struct exposition *e,
				       const struct measure *row)
{
	const char *key = place_columns(row->place->kind).key;
	const struct process *process = row->place->process;
	const size_t *process_copies = e->copies + e->table->series->events->n;

	openmetrics_add_label(labels, "command", e->table->command);
	if (key)
		openmetrics_add_label(labels, key, row->place->label);
	if (process) {
		openmetrics_add_whole_label(labels, "pid", (size_t)process->pid);
		openmetrics_add_label(labels, "program", process->name);
		openmetrics_add_whole_label(labels, "with_children", process->with_children);
		openmetrics_add_whole_label(labels, "process_copy",
					    process_copies[row->row->place_index]);
	}
	openmetrics_add_label(labels, "cgroup", row->event->cgroup ? row->event->cgroup : "");
	openmetrics_add_label(labels, "event", row->name);
	openmetrics_add_whole_label(labels, "copy", e->copies[row->row->event]);
}

/* The numbers of an event at a place. */
enum {
	NUMBER_VALUE,
	NUMBER_STDERR,
	NUMBER_HALF_WIDTH,
	NUMBER_RUNS,
	NUMBER_RUNNING,
	NUMBER_RANK_MIN, /* and the other numbers of enum rank_number after RANK_MIN */
	NUMBER_RANK_MAX = NUMBER_RANK_MIN + RANK_MAX - RANK_MIN,
	NUMBER_STATE = NUMBER_RANK_MIN + RANK_NUMBERS - RANK_MIN,
	NUMBERS_N,
};

/* NAN: the number does not exist. */
static void openmetrics_get_numbers(long double numbers[NUMBERS_N], const struct measure *row)
{
	const bool counted = row->count.n > 0;

	numbers[NUMBER_VALUE] = counted ? row->value : NAN;
	numbers[NUMBER_STDERR] = row->count.n > 1 ? summary_stderr(&row->summary) : NAN;
	numbers[NUMBER_HALF_WIDTH] = counted && row->half_width > 0 ? row->half_width : NAN;
	numbers[NUMBER_RUNS] = row->count.n;
	numbers[NUMBER_RUNNING] = counted ? row->running_percent / 100 : NAN;
	for (enum rank_number i = RANK_MIN; i < RANK_NUMBERS; i++)
		numbers[NUMBER_RANK_MIN + i - RANK_MIN] =
			row->ranks && row->ranks->v[i] >= 0 ? row->ranks->v[i] : (double)NAN;
	numbers[NUMBER_STATE] = 1;
}

static void openmetrics_add_rows(const struct exposition *e)
{
	static const struct family families[NUMBERS_N] = {
		[NUMBER_VALUE] = { "pstat_event_value", NULL,
				   "Count of an event, the mean of the runs, in the unit of the label." },
		[NUMBER_STDERR] = { "pstat_event_stderr", NULL,
				    "Standard error of that mean, in the unit of the label." },
		[NUMBER_HALF_WIDTH] = { "pstat_event_half_width", NULL,
					"Half the width of the 95 % confidence interval around an estimated value, in "
					"the unit of the label." },
		[NUMBER_RUNS] = { "pstat_event_runs", NULL, "Runs that counted the event." },
		[NUMBER_RUNNING] = { "pstat_event_running_ratio", "ratio",
				     "Part of the time enabled that the event was on a counter; below 1 it is "
				     "scaled." },
		[NUMBER_RANK_MIN] = { "pstat_rank_min", NULL, "Smallest value of a rank." },
		[NUMBER_RANK_MIN + RANK_MEDIAN -
			RANK_MIN] = { "pstat_rank_median", NULL, "Median over the ranks." },
		[NUMBER_RANK_MAX] = { "pstat_rank_max", NULL,
				      "Largest value of a rank; see the label." },
		[NUMBER_RANK_MIN + RANK_IMBALANCE -
			RANK_MIN] = { "pstat_rank_imbalance", NULL,
				      "Largest value / mean over the ranks." },
		[NUMBER_STATE] = { "pstat_event_state", NULL,
				   "1: the event is counted, scaled, not counted, not supported or failed." },
	};

	for (size_t i = 0; i < NUMBERS_N; i++) {
		cleanup_str struct str samples = { 0 };

		for (size_t r = 0; r < e->table->events_n; r++) {
			const struct measure *row = &e->table->v[r];
			long double numbers[NUMBERS_N];
			cleanup_str struct str labels = { 0 };

			openmetrics_get_numbers(numbers, row);
			if (isnan(numbers[i]))
				continue;
			openmetrics_add_row_labels(&labels, e, row);
			if (i == NUMBER_STATE)
				openmetrics_add_label(&labels, "state", schema_states[row->state]);
			else
				openmetrics_add_label(&labels, "unit", row->event->unit);
			if (i >= NUMBER_RANK_MAX && i < NUMBER_STATE)
				openmetrics_add_label(&labels, "largest",
						      row->ranks->largest ? row->ranks->largest :
									    "");
			openmetrics_add_sample(&samples, &families[i], &labels, numbers[i]);
		}
		openmetrics_add_family(e, &families[i], &samples);
	}
}

static void openmetrics_add_metrics(const struct exposition *e)
{
	static const struct family family = {
		"pstat_metric_value", NULL,
		"Number derived from the counts of events; see the label."
	};
	cleanup_str struct str samples = { 0 };

	for (size_t r = 0; r < e->table->events_n; r++) {
		const struct measure *row = &e->table->v[r];

		for (size_t i = 0; i < row->metrics_n; i++) {
			const struct metric metric = metric_unprefixed(&row->metrics[i]);
			const struct measure *m = metric.measure; /* of -M */
			const char *unit = metric_shown_unit(&metric);
			cleanup_str struct str labels = { 0 };
			size_t copy = 0; /* -M can request a metric of the same name twice */

			for (size_t j = 0; j < i; j++)
				if (strcmp(row->metrics[j].unit, row->metrics[i].unit) == 0)
					copy += copy == 0 ? 2 : 1;
			openmetrics_add_row_labels(&labels, e, row);
			openmetrics_add_label(&labels, "metric", metric.unit);
			openmetrics_add_label(&labels, "unit",
					      strcmp(unit, "%") == 0 ? "percent" : unit);
			openmetrics_add_whole_label(&labels, "metric_copy", copy);
			openmetrics_add_sample(&samples, &family, &labels,
					       m ? (double)measure_mean(m) : metric.value);
		}
	}
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

static void openmetrics_add_whole(const struct exposition *e)
{
	static const char spread[] = "Standard error of that mean.";
	static const struct family start = { "pstat_start_time_seconds", "seconds",
					     "When counting began, since 1970." },
				   end = { "pstat_interval_end_seconds", "seconds",
					   "End of the interval, since the start of the run." },
				   runs = { "pstat_runs", NULL, "Runs that this is made of." };
	/* the mean of the runs and its standard error */
	static const struct family times[][2] = {
		[TOOL_DURATION_TIME] = { { "pstat_elapsed_seconds", "seconds",
					   "Elapsed time, the mean of the runs." },
					 { "pstat_elapsed_stderr_seconds", "seconds", spread } },
		[TOOL_USER_TIME] = { { "pstat_user_seconds", "seconds",
				       "Time in user mode, the mean of the runs." },
				     { "pstat_user_stderr_seconds", "seconds", spread } },
		[TOOL_SYSTEM_TIME] = { { "pstat_system_seconds", "seconds",
					 "Time in the kernel, the mean of the runs." },
				       { "pstat_system_stderr_seconds", "seconds", spread } },
	};
	const struct table *table = e->table;

	openmetrics_add_one(e, &start, table->series->started);
	if (table->interval)
		openmetrics_add_one(e, &end, scale_to_unit(table->interval->at_ns, 1e-9));
	openmetrics_add_one(e, &runs, table->runs_n);
	for (enum tool_event tool = TOOL_DURATION_TIME; tool <= TOOL_SYSTEM_TIME; tool++) {
		const struct measure *m = table_own(table, tool);
		const struct summary seconds = summary_times(&m->summary, 1e-9);

		if (m->state != NOT_SUPPORTED)
			openmetrics_add_one(e, &times[tool][0], seconds.mean);
		if (seconds.n > 1)
			openmetrics_add_one(e, &times[tool][1], summary_stderr(&seconds));
	}
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

/* The text in which the labels of an event or a process have to differ from those of others. */
struct key {
	struct str text;
	size_t index;
};

static int openmetrics_compare_keys(const void *a, const void *b)
{
	const struct key *left = a, *right = b;
	int order = strcmp(str_text(&left->text), str_text(&right->text));

	if (order != 0)
		return order;
	return left->index < right->index ? -1 : 1;
}

/* Two samples with equal labels would make the exposition invalid. The keys are sorted, because a
 * command may have 100,000 processes. See struct exposition; the caller frees the counts. NULL: out
 * of memory. */
static size_t *openmetrics_count_copies(const struct table *table)
{
	const struct series *series = table->series;
	const size_t events_n = series->events->n;
	const size_t n = events_n + (series->split == PLACE_PROCESS ? series_places_n(series) : 0);
	cleanup_free struct key *keys = calloc(n + 1, sizeof(*keys));
	cleanup_free size_t *copies = calloc(n + 1, sizeof(*copies));
	bool failed = !keys || !copies;

	for (size_t i = 0; !failed && i < table->events_n; i++) {
		const struct measure *row = &table->v[i];
		struct str *text = &keys[row->row->event].text;

		if (text->len > 0) /* of an earlier place */
			continue;
		str_add_utf8(text, row->name);
		str_add(text, "\n");
		str_add_utf8(text, row->event->cgroup ? row->event->cgroup : "");
	}
	for (size_t i = events_n; !failed && i < n; i++) {
		const struct place *place = &series->places[i - events_n];
		const bool sum = place->process && place->process->with_children;

		/* does not begin as the name of an event does */
		str_addf(&keys[i].text, "\n%d", sum);
		str_add_utf8(&keys[i].text, place->label ? place->label : "");
	}
	for (size_t i = 0; !failed && i < n; i++) {
		keys[i].index = i;
		failed = keys[i].text.failed;
	}
	if (!failed)
		qsort(keys, n, sizeof(*keys), openmetrics_compare_keys);
	for (size_t i = 1; !failed && i < n; i++)
		if (strcmp(str_text(&keys[i - 1].text), str_text(&keys[i].text)) == 0)
			copies[keys[i].index] =
				copies[keys[i - 1].index] ? copies[keys[i - 1].index] + 1 : 2;
	for (size_t i = 0; keys && i < n; i++)
		str_release(&keys[i].text);
	return failed ? NULL : take_ptr(copies);
}

static int openmetrics_write(const struct table *table, const struct format_style *style, FILE *out)
{
	cleanup_str struct str text = { 0 };
	cleanup_free size_t *copies = openmetrics_count_copies(table);
	const struct exposition e = { table, copies, &text };

	(void)style;
	if (!copies)
		return -ENOMEM;
	openmetrics_add_rows(&e);
	openmetrics_add_metrics(&e);
	openmetrics_add_whole(&e);
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
	.write = openmetrics_write,
};
