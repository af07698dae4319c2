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

#include "base/cleanup.h"
#include "base/json.h"
#include "base/num.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/format.h"
#include "result/comparison.h"
#include "result/points.h"

#define NS_OF_S 1000000000ULL

/* A result with its name: that of a side, or the command. */
struct benchmark {
	const char *name;
	const struct result *result;
};

/* How a format writes a list of benchmarks. */
struct tracker {
	/* Begin the whole text; NULL if it is not JSON. */
	void (*begin)(struct json_out *json, const char *key, enum json_layout layout);
	/* Append the known points. */
	void (*add)(struct json_out *json, const struct benchmark *benchmark,
		    const struct points *points);
};

static int write_benchmarks(const struct tracker *tracker, const struct benchmark *benchmarks,
			    size_t n, FILE *out)
{
	struct json_out json = { .out = out };

	if (tracker->begin)
		tracker->begin(&json, NULL, JSON_LINES);
	for (size_t i = 0; json.err == 0 && i < n; i++) {
		cleanup_with(points_release) struct points points = { 0 };

		json.err = points_of(&points, benchmarks[i].result);
		if (json.err == 0)
			tracker->add(&json, &benchmarks[i], &points);
	}
	if (tracker->begin)
		json_end(&json);
	return json_finish(&json);
}

static int write_one(const struct tracker *tracker, const struct result *result, FILE *out)
{
	const struct benchmark benchmark = { result->command, result };

	return write_benchmarks(tracker, &benchmark, 1, out);
}

static int write_sides(const struct tracker *tracker, const struct comparison *c, FILE *out)
{
	cleanup_free struct benchmark *benchmarks = calloc(c->input.sides_n, sizeof(*benchmarks));

	if (!benchmarks)
		return -ENOMEM;
	for (size_t i = 0; i < c->input.sides_n; i++)
		benchmarks[i] = (struct benchmark){ c->input.sides[i].name, &c->results[i] };
	return write_benchmarks(tracker, benchmarks, c->input.sides_n, out);
}

/* ---- bmf: { "COMMAND": { "EVENT": { "value": 1, "lower_value": 0, "upper_value": 2 } } } */

static void add_measure(struct json_out *json, const struct point *point)
{
	cleanup_str struct str name = { 0 };

	point_add_name(&name, point);
	json->text.failed |= name.failed;
	json_object(json, str_text(&name), JSON_LINE);
	json_number(json, "value", point->value);
	if (point->bounds.known) {
		json_number(json, "lower_value", point->bounds.low);
		json_number(json, "upper_value", point->bounds.high);
	}
	json_end(json);
}

static void add_bmf(struct json_out *json, const struct benchmark *benchmark,
		    const struct points *points)
{
	json_object(json, benchmark->name, JSON_LINES);
	for (size_t i = 0; i < points->n; i++)
		if (points->v[i].known)
			add_measure(json, &points->v[i]);
	json_end(json);
}

static const struct tracker bmf = { json_object, add_bmf };

static int bmf_result(const struct result *result, const struct format_style *style, FILE *out)
{
	(void)style;
	return write_one(&bmf, result, out);
}

static int bmf_comparison(const struct comparison *c, const struct format_style *style, FILE *out)
{
	(void)style;
	return write_sides(&bmf, c, out);
}

/* ---- benchmark-action: [{ "name": …, "unit": …, "range": "± 1", "extra": …, "value": 2 }] */

static void add_extra(struct str *extra, const struct point *point, const struct result *result)
{
	const struct series_parameters *labels = result->series->labels;

	str_addf(extra, "%zu run%s", point->runs_n, point->runs_n == 1 ? "" : "s");
	if (point->scaled)
		str_add(extra, "\nscaled: an estimate");
	for (size_t i = 0; labels && i < labels->names.n; i++)
		str_addf(extra, "\n%s=%s", labels->names.v[i], labels->values.v[i]);
}

static void add_entry(struct json_out *json, const struct benchmark *benchmark,
		      const struct point *point)
{
	cleanup_str struct str name = { 0 }, range = { 0 }, extra = { 0 };

	str_addf(&name, "%s: ", benchmark->name);
	point_add_name(&name, point);
	add_extra(&extra, point, benchmark->result);
	json_object(json, NULL, JSON_LINE);
	json_string(json, "name", str_text(&name));
	json_string(json, "unit", point->unit);
	if (point->bounds.known) { /* the reader takes the number after the sign */
		str_addf(&range, "± %.10Lg", point->bounds.high - point->value);
		json_string(json, "range", str_text(&range));
	}
	json_string(json, "extra", str_text(&extra));
	json_number(json, "value", point->value);
	json_end(json);
	json->text.failed |= name.failed || range.failed || extra.failed;
}

/* The reader treats every increase as a regression, so metrics for which more is better are left
 * out. */
static void add_entries(struct json_out *json, const struct benchmark *benchmark,
			const struct points *points)
{
	for (size_t i = 0; i < points->n; i++)
		if (points->v[i].known && comparison_better_of(points->v[i].name) == BETTER_LESS)
			add_entry(json, benchmark, &points->v[i]);
}

static const struct tracker benchmark_action = { json_array, add_entries };

static int action_result(const struct result *result, const struct format_style *style, FILE *out)
{
	(void)style;
	return write_one(&benchmark_action, result, out);
}

static int action_comparison(const struct comparison *c, const struct format_style *style,
			     FILE *out)
{
	(void)style;
	return write_sides(&benchmark_action, c, out);
}

/* ---- influx: pstat,command=COMMAND,event=EVENT value=1,lower=0,upper=2,runs=5i TIMESTAMP */

/*
 * Append a key or a value with a '\' before the characters that end it. The protocol has no escape
 * for a newline, and its parsers disagree about two backslashes, so U+FFFD stands for control
 * characters and backslashes.
 */
static void add_escaped(struct str *text, const char *value)
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
static void add_tag(struct str *text, const char *key, const char *value)
{
	if (!key[0] || !value[0])
		return;
	str_add(text, ",");
	add_escaped(text, key);
	str_add(text, "=");
	add_escaped(text, value);
}

static void add_tags(struct str *text, const struct benchmark *benchmark, const struct point *point)
{
	const struct series_parameters *labels = benchmark->result->series->labels;
	cleanup_str struct str name = { 0 };

	str_add(&name, point->name);
	if (point->copy > 0)
		str_addf(&name, " #%zu", point->copy + 1);
	text->failed |= name.failed;
	add_tag(text, "command", benchmark->name);
	add_tag(text, "event", str_text(&name));
	add_tag(text, "unit", point->unit);
	if (point->place) {
		add_tag(text, "place_kind", schema_splits[point->place->kind]);
		add_tag(text, "place", point->place->label);
	}
	if (point->cgroup)
		add_tag(text, "cgroup", point->cgroup);
	for (size_t i = 0; labels && i < labels->names.n; i++)
		add_tag(text, labels->names.v[i], labels->values.v[i]);
}

static void add_field(struct str *text, const char *key, long double value)
{
	str_addf(text, "%s=", key);
	num_add_exact(text, value);
	str_add(text, ",");
}

static void add_lines(struct json_out *json, const struct benchmark *benchmark,
		      const struct points *points)
{
	const struct result *result = benchmark->result;
	struct str *text = &json->text;
	uint64_t ns = (uint64_t)result->series->started * NS_OF_S + result->series->started_ns +
		      (result->interval ? result->interval->at_ns : 0);

	for (size_t i = 0; i < points->n; i++) {
		const struct point *point = &points->v[i];

		if (!point->known)
			continue;
		str_add(text, "pstat");
		add_tags(text, benchmark, point);
		str_add(text, " ");
		add_field(text, "value", point->value);
		if (point->bounds.known) {
			add_field(text, "lower", point->bounds.low);
			add_field(text, "upper", point->bounds.high);
		}
		str_addf(text, "runs=%zui ", point->runs_n);
		num_add_unsigned(text, ns);
		str_add(text, "\n");
	}
}

static const struct tracker influx = { NULL, add_lines };

static int influx_result(const struct result *result, const struct format_style *style, FILE *out)
{
	(void)style;
	return write_one(&influx, result, out);
}

static int influx_comparison(const struct comparison *c, const struct format_style *style,
			     FILE *out)
{
	(void)style;
	return write_sides(&influx, c, out);
}

const struct format format_bmf = {
	.name = "bmf",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_NEVER,
	.intervals = INTERVALS_INSIDE,
	.appendable = APPENDABLE_NEVER,
	.locale = LOCALE_C,
	.has_max_rss = true,
	.is_history = true,
	.has_no_sums = true,
	.write_result = bmf_result,
	.write_comparison = bmf_comparison,
};

const struct format format_benchmark_action = {
	.name = "benchmark-action",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_NEVER,
	.intervals = INTERVALS_INSIDE,
	.appendable = APPENDABLE_NEVER,
	.locale = LOCALE_C,
	.has_max_rss = true,
	.is_history = true,
	.has_no_sums = true,
	.write_result = action_result,
	.write_comparison = action_comparison,
};

const struct format format_influx = {
	.name = "influx",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_TERMINAL,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_TEXT,
	.locale = LOCALE_C,
	.has_max_rss = true,
	.is_history = true,
	.has_no_sums = true,
	.write_result = influx_result,
	.write_comparison = influx_comparison,
};
