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
#include "format/place.h"
#include "result/provenance.h"
#include "result/result.h"

/* A metric family. Its samples have to be consecutive. */
struct family {
	const char *name;
	const char *unit; /* its name ends in this unit; NULL: it has none */
	const char *help;
};

struct exposition {
	const struct result *result;
	size_t *copies; /* for each event: how many events before it have the same labels */
	FILE *out;
};

/* labels: the text between the braces so far. */
static void add_label(struct str *labels, const char *name, const char *value)
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

static void add_sample(struct str *text, const struct family *family, const struct str *labels,
		       long double value)
{
	text->failed |= labels->failed;
	str_addf(text, "%s{%s} ", family->name, str_text(labels));
	num_add_exact(text, value);
	str_add(text, "\n");
}

/* A family without samples is omitted. 0 or -errno. */
static int put_family(const struct family *family, const struct str *samples, FILE *out)
{
	cleanup_str struct str text = { 0 };

	if (samples->len == 0)
		return samples->failed ? -ENOMEM : 0;
	str_addf(&text, "# HELP %s %s\n# TYPE %s gauge\n", family->name, family->help,
		 family->name);
	if (family->unit)
		str_addf(&text, "# UNIT %s %s\n", family->name, family->unit);
	str_add(&text, str_text(samples));
	return samples->failed ? -ENOMEM : str_print(&text, out);
}

/* The second of equal names gets number 2, and so on; the first has no number. */
static void add_ordinal(struct str *labels, const char *name, size_t ordinal)
{
	char number[32];

	if (ordinal < 2)
		return;
	snprintf(number, sizeof(number), "%zu", ordinal);
	add_label(labels, name, number);
}

/* Two events of the same name and place differ by the label "copy". */
static void add_row_labels(struct str *labels, const struct exposition *e,
			   const struct result_row *row)
{
	const char *key = place_columns(row->place->kind).key;

	add_label(labels, "command", e->result->command);
	if (key)
		add_label(labels, key, row->place->label);
	if (row->event->cgroup)
		add_label(labels, "cgroup", row->event->cgroup);
	add_label(labels, "event", row->name);
	add_ordinal(labels, "copy", e->copies[row->row->event] + 1);
}

/* Sets a number of a row. Returns whether it exists. */
typedef bool row_value(const struct result_row *row, long double *value);

static bool mean_of(const struct result_row *row, long double *value)
{
	*value = row->value;
	return row->count.n > 0;
}

static bool stderr_of(const struct result_row *row, long double *value)
{
	*value = summary_stderr(&row->in_unit);
	return row->count.n > 1;
}

static bool runs_of(const struct result_row *row, long double *value)
{
	*value = row->count.n;
	return true;
}

static bool running_of(const struct result_row *row, long double *value)
{
	*value = row->running_percent / 100;
	return row->count.n > 0;
}

static int put_rows(const struct exposition *e)
{
	static const struct {
		struct family family;
		row_value *value;
	} families[] = {
		{ { "pstat_event_value", NULL,
		    "Count of an event, the mean of the runs, in the unit of the label." },
		  mean_of },
		{ { "pstat_event_stderr", NULL,
		    "Standard error of that mean, in the unit of the label." },
		  stderr_of },
		{ { "pstat_event_runs", NULL, "Runs that counted the event." }, runs_of },
		{ { "pstat_event_running_ratio", "ratio",
		    "Part of the time enabled that the event was on a counter; "
		    "below 1 it is scaled." },
		  running_of },
	};
	int err = 0;

	for (size_t i = 0; err == 0 && i < sizeof(families) / sizeof(families[0]); i++) {
		cleanup_str struct str samples = { 0 };

		for (size_t r = 0; r < e->result->rows_n; r++) {
			cleanup_str struct str labels = { 0 };
			long double value;

			if (!families[i].value(&e->result->rows[r], &value))
				continue;
			add_row_labels(&labels, e, &e->result->rows[r]);
			add_label(&labels, "unit", e->result->rows[r].event->unit);
			add_sample(&samples, &families[i].family, &labels, value);
		}
		err = put_family(&families[i].family, &samples, e->out);
	}
	return err;
}

static int put_states(const struct exposition *e)
{
	static const struct family family = {
		"pstat_event_state", NULL,
		"1: the event is counted, scaled, not counted, not supported or failed."
	};
	cleanup_str struct str samples = { 0 };

	for (size_t i = 0; i < e->result->rows_n; i++) {
		cleanup_str struct str labels = { 0 };

		add_row_labels(&labels, e, &e->result->rows[i]);
		add_label(&labels, "state", schema_states[e->result->rows[i].state]);
		add_sample(&samples, &family, &labels, 1);
	}
	return put_family(&family, &samples, e->out);
}

/* -M can request a metric of the same name twice. */
static size_t ordinal_of(const struct metric_result *metrics, size_t i)
{
	size_t ordinal = 1;

	for (size_t j = 0; j < i; j++)
		ordinal += strcmp(metrics->v[j].unit, metrics->v[i].unit) == 0;
	return ordinal;
}

static void add_metric(struct str *samples, const struct family *family, const struct exposition *e,
		       const struct result_row *row, size_t i)
{
	const struct metric metric = metric_unprefixed(&row->metrics.v[i]);
	bool percent = metric.kind == METRIC_PERCENT || metric.kind == METRIC_PERCENT_FINE;
	cleanup_str struct str labels = { 0 };

	add_row_labels(&labels, e, row);
	add_label(&labels, "metric", metric.unit);
	add_label(&labels, "unit", percent ? "percent" : "");
	add_ordinal(&labels, "metric_copy", ordinal_of(&row->metrics, i));
	add_sample(samples, family, &labels, metric.value);
}

static int put_metrics(const struct exposition *e)
{
	static const struct family family = {
		"pstat_metric_value", NULL,
		"Number derived from the counts of events; see the label."
	};
	cleanup_str struct str samples = { 0 };

	for (size_t i = 0; i < e->result->rows_n; i++)
		for (size_t j = 0; j < e->result->rows[i].metrics.n; j++)
			add_metric(&samples, &family, e, &e->result->rows[i], j);
	return put_family(&family, &samples, e->out);
}

/* A number of the whole result, if it is known. */
static int put_one(const struct exposition *e, const struct family *family, bool known,
		   long double value)
{
	cleanup_str struct str samples = { 0 };
	cleanup_str struct str labels = { 0 };

	if (!known)
		return 0;
	add_label(&labels, "command", e->result->command);
	add_sample(&samples, family, &labels, value);
	return put_family(family, &samples, e->out);
}

/* A time: the mean of the runs and its standard error. */
static int put_time(const struct exposition *e, const struct family families[2],
		    const struct summary *ns)
{
	const struct summary seconds = summary_times(ns, 1e-9);
	int err = put_one(e, &families[0], true, seconds.mean);

	return err < 0 ? err : put_one(e, &families[1], ns->n > 1, summary_stderr(&seconds));
}

static int put_times(const struct exposition *e)
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
	bool usage = e->result->series->has_usage && !e->result->interval;
	int err = put_time(e, elapsed, &e->result->elapsed_ns);

	if (err == 0 && usage)
		err = put_time(e, user, &e->result->user_ns);
	if (err == 0 && usage)
		err = put_time(e, system, &e->result->system_ns);
	return err;
}

static int put_whole(const struct exposition *e)
{
	static const struct family start = { "pstat_start_time_seconds", "seconds",
					     "When counting began, since 1970." };
	static const struct family end = { "pstat_interval_end_seconds", "seconds",
					   "End of the interval, since the start of the run." };
	static const struct family runs = { "pstat_runs", NULL, "Runs that this is made of." };
	const struct result *r = e->result;
	int err = put_one(e, &start, true, r->series->started);

	if (err == 0)
		err = put_one(e, &end, r->interval,
			      r->interval ? scale_to_unit(r->interval->at_ns, 1e-9) : 0);
	if (err == 0)
		err = put_one(e, &runs, true, r->runs_n);
	return err;
}

static int put_info(const struct exposition *e)
{
	static const struct family family = { "pstat_info", NULL, "What made this." };
	const struct provenance *p = e->result->series->provenance;
	cleanup_str struct str samples = { 0 };
	cleanup_str struct str labels = { 0 };

	add_label(&labels, "version", p && p->pstat ? p->pstat : PACKAGE_VERSION);
	if (p && p->kernel)
		add_label(&labels, "kernel", p->kernel);
	if (p && p->cpu_model)
		add_label(&labels, "cpu_model", p->cpu_model);
	add_sample(&samples, &family, &labels, 1);
	return put_family(&family, &samples, e->out);
}

/* Add the text in which rows of one place have to differ, as their labels show it. NULL adds an
 * empty one. 0 or -ENOMEM. */
static int add_key(struct str_list *keys, const struct result_row *row)
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
static int count_copies(const struct exposition *e)
{
	size_t n = e->result->series->events->n;
	cleanup_free const struct result_row **rows = calloc(n + 1, sizeof(*rows));
	cleanup_str_list struct str_list keys = { 0 };
	int err = rows ? 0 : -ENOMEM;

	for (size_t i = 0; rows && i < e->result->rows_n; i++)
		rows[e->result->rows[i].row->event] = &e->result->rows[i];
	for (size_t i = 0; err == 0 && i < n; i++) {
		err = add_key(&keys, rows[i]);
		for (size_t j = 0; err == 0 && j < i; j++)
			e->copies[i] += rows[i] && strcmp(keys.v[i], keys.v[j]) == 0;
	}
	return err;
}

static int write_result(const struct result *result, const struct format_style *style, FILE *out)
{
	static int (*const parts[])(const struct exposition *) = {
		put_rows, put_states, put_metrics, put_whole, put_times, put_info,
	};
	cleanup_free size_t *copies = calloc(result->series->events->n + 1, sizeof(*copies));
	const struct exposition e = { result, copies, out };
	int err = copies ? count_copies(&e) : -ENOMEM;

	(void)style;
	for (size_t i = 0; err == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
		err = parts[i](&e);
	return err == 0 && fputs("# EOF\n", out) == EOF ? -errno : err;
}

const struct format format_openmetrics = {
	.name = "openmetrics",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_NEVER,
	.intervals = INTERVALS_REPLACED,
	.appendable = APPENDABLE_NEVER,
	.locale = LOCALE_C,
	.write_result = write_result,
};
