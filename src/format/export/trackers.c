/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format bmf, benchmark-action and influx: the numbers of a result, or of each side of a
 * comparison, for programs that track results over time. A row without a count is left out.
 *
 * bmf is the Bencher Metric Format (bencher.dev). benchmark-action is the input of
 * github-action-benchmark with "tool: customSmallerIsBetter". influx is the line protocol of
 * InfluxDB.
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/num.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/format.h"
#include "result/suite.h"

/* A table with its name: that of a side, or the command. */
struct benchmark {
	const char *name;
	const struct table *table;
};

/* How a format writes a list of benchmarks. */
struct tracker {
	/* Begin the whole text; NULL if it is not JSON. */
	void (*begin)(struct json_out *json, const char *key, enum json_layout layout);
	bool has_objects; /* the measures of each benchmark are in an object */
	void (*add)(struct json_out *json, const struct benchmark *b, const struct measure *m);
};

/* sides: their names; NULL: the only table has the name of its command. */
static int tracker_write_benchmarks(const struct tracker *tracker, const struct table *tables,
				    size_t n, const struct side_input *sides, FILE *out)
{
	struct json_out json = { .out = out };

	if (tracker->begin)
		tracker->begin(&json, NULL, JSON_LINES);
	for (size_t i = 0; i < n; i++) {
		const struct table *table = &tables[i];
		const struct benchmark benchmark = { sides ? sides[i].name : table->command,
						     table };

		if (tracker->has_objects)
			json_object(&json, benchmark.name, JSON_LINES);
		for (size_t k = 0; k < table->n; k++)
			if (table->v[k].listed && measure_is_known(&table->v[k]))
				tracker->add(&json, &benchmark, &table->v[k]);
		if (tracker->has_objects)
			json_end(&json);
	}
	if (tracker->begin)
		json_end(&json);
	return json_finish(&json);
}

static int tracker_write_comparison(const struct tracker *tracker, const struct suite *suite,
				    FILE *out)
{
	const struct comparison *c = suite->cases;

	return tracker_write_benchmarks(tracker, c->tables, c->input.sides_n, c->input.sides, out);
}

/* ---- bmf: { "COMMAND": { "EVENT": { "value": 1, "lower_value": 0, "upper_value": 2 } } } */

static void tracker_add_bmf(struct json_out *json, const struct benchmark *b,
			    const struct measure *m)
{
	const struct series_bounds bounds = measure_interval(m);
	cleanup_str struct str name = { 0 };

	(void)b;
	measure_add_name(&name, m);
	json->text.failed |= name.failed;
	json_object(json, str_text(&name), JSON_LINE);
	json_number(json, "value", measure_mean(m));
	if (bounds.known) {
		json_number(json, "lower_value", bounds.low);
		json_number(json, "upper_value", bounds.high);
	}
	json_end(json);
}

static const struct tracker bmf = { json_object, true, tracker_add_bmf };

static int tracker_bmf_write(const struct table *table, const struct format_style *style, FILE *out)
{
	(void)style;
	return tracker_write_benchmarks(&bmf, table, 1, NULL, out);
}

static int tracker_bmf_write_comparison(const struct suite *suite, const struct format_style *style,
					FILE *out)
{
	(void)style;
	return tracker_write_comparison(&bmf, suite, out);
}

/* ---- benchmark-action: [{ "name": …, "unit": …, "range": "± 1", "value": 2, … }] */

/* The reader treats every increase as a regression, so metrics for which more is better are left
 * out. */
static void tracker_add_entry(struct json_out *json, const struct benchmark *b,
			      const struct measure *m)
{
	const struct series_parameters *labels = b->table->series->labels;
	const struct series_bounds bounds = measure_interval(m);
	cleanup_str struct str name = { 0 }, range = { 0 }, extra = { 0 };

	if (m->better != BETTER_LESS)
		return;
	str_addf(&name, "%s: ", b->name);
	measure_add_name(&name, m);
	str_addf(&extra, "%zu run%s", m->summary.n, m->summary.n == 1 ? "" : "s");
	if (m->kind == OF_EVENT && m->state == SCALED)
		str_add(&extra, "\nscaled: an estimate");
	for (size_t i = 0; labels && i < labels->names.n; i++)
		str_addf(&extra, "\n%s=%s", labels->names.v[i], labels->values.v[i]);
	json_object(json, NULL, JSON_LINE);
	json_string(json, "name", str_text(&name));
	json_string(json, "unit", m->unit);
	if (bounds.known) { /* the reader takes the number after the sign */
		str_addf(&range, "± %.10Lg", bounds.high - measure_mean(m));
		json_string(json, "range", str_text(&range));
	}
	json_string(json, "extra", str_text(&extra));
	json_number(json, "value", measure_mean(m));
	json_end(json);
	json->text.failed |= name.failed || range.failed || extra.failed;
}

static const struct tracker benchmark_action = { json_array, false, tracker_add_entry };

static int tracker_action_write(const struct table *table, const struct format_style *style,
				FILE *out)
{
	(void)style;
	return tracker_write_benchmarks(&benchmark_action, table, 1, NULL, out);
}

static int tracker_action_write_comparison(const struct suite *suite,
					   const struct format_style *style, FILE *out)
{
	(void)style;
	return tracker_write_comparison(&benchmark_action, suite, out);
}

/* ---- influx: pstat,command=COMMAND,event=EVENT value=1,lower=0,upper=2,runs=5i TIMESTAMP */

/*
 * Append a key or a value with a '\' before the characters that end it. The protocol has no escape
 * for a newline, and its parsers disagree about two backslashes, so U+FFFD stands for control
 * characters and backslashes.
 */
static void tracker_add_escaped(struct str *text, const char *value)
{
	cleanup_str struct str clean = { 0 };

	str_add_utf8_visible(&clean, value);
	text->failed |= clean.failed;
	for (const char *p = str_text(&clean); *p; p++)
		if (strchr(",= ", *p))
			str_addf(text, "\\%c", *p);
		else if (iscntrl((unsigned char)*p) || *p == '\\')
			str_add(text, "\xef\xbf\xbd");
		else
			str_add_n(text, p, 1);
}

/* The protocol has no empty keys and values. */
static void tracker_add_tag(struct str *text, const char *key, const char *value)
{
	if (!key[0] || !value[0])
		return;
	str_add(text, ",");
	tracker_add_escaped(text, key);
	str_add(text, "=");
	tracker_add_escaped(text, value);
}

static void tracker_add_field(struct str *text, const char *key, long double value)
{
	str_addf(text, "%s=", key);
	num_add_exact(text, value);
	str_add(text, ",");
}

static void tracker_add_line(struct json_out *json, const struct benchmark *b,
			     const struct measure *m)
{
	const struct table *table = b->table;
	const struct series_parameters *labels = table->series->labels;
	const struct series_bounds bounds = measure_interval(m);
	struct str *text = &json->text;
	cleanup_str struct str name = { 0 };

	str_add(&name, m->name);
	if (m->copy > 0)
		str_addf(&name, " #%zu", m->copy + 1);
	text->failed |= name.failed;
	str_add(text, "pstat");
	tracker_add_tag(text, "command", b->name);
	tracker_add_tag(text, "event", str_text(&name));
	tracker_add_tag(text, "unit", m->unit);
	if (*m->place->label) {
		tracker_add_tag(text, "place_kind", schema_splits[m->place->kind]);
		tracker_add_tag(text, "place", m->place->label);
	}
	tracker_add_tag(text, "cgroup", m->cgroup ? m->cgroup : "");
	for (size_t i = 0; labels && i < labels->names.n; i++)
		tracker_add_tag(text, labels->names.v[i], labels->values.v[i]);
	str_add(text, " ");
	tracker_add_field(text, "value", measure_mean(m));
	if (bounds.known) {
		tracker_add_field(text, "lower", bounds.low);
		tracker_add_field(text, "upper", bounds.high);
	}
	str_addf(text, "runs=%zui ", m->summary.n);
	num_add_unsigned(text, (uint64_t)table->series->started * NS_OF_S +
				       table->series->started_ns +
				       (table->interval ? table->interval->at_ns : 0));
	str_add(text, "\n");
}

static const struct tracker influx = { NULL, false, tracker_add_line };

static int tracker_influx_write(const struct table *table, const struct format_style *style,
				FILE *out)
{
	(void)style;
	return tracker_write_benchmarks(&influx, table, 1, NULL, out);
}

static int tracker_influx_write_comparison(const struct suite *suite,
					   const struct format_style *style, FILE *out)
{
	(void)style;
	return tracker_write_comparison(&influx, suite, out);
}

/* What the three formats have in common. */
#define TRACKER_TRAITS                                                                             \
	.audience = AUDIENCE_PROGRAMS, .locale = LOCALE_C, .is_history = true, .has_no_sums = true

const struct format format_bmf = {
	.name = "bmf",
	TRACKER_TRAITS,
	.notes = NOTES_NEVER,
	.intervals = INTERVALS_INSIDE,
	.appendable = APPENDABLE_NEVER,
	.write = tracker_bmf_write,
	.write_comparison = tracker_bmf_write_comparison,
};

const struct format format_benchmark_action = {
	.name = "benchmark-action",
	TRACKER_TRAITS,
	.notes = NOTES_NEVER,
	.intervals = INTERVALS_INSIDE,
	.appendable = APPENDABLE_NEVER,
	.write = tracker_action_write,
	.write_comparison = tracker_action_write_comparison,
};

const struct format format_influx = {
	.name = "influx",
	TRACKER_TRAITS,
	.notes = NOTES_TERMINAL,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_TEXT,
	.write = tracker_influx_write,
	.write_comparison = tracker_influx_write_comparison,
};
