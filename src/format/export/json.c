/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format json: the document that --save writes, too. It has the finished numbers besides what
 * load_saved() reads, for other programs and for the page of --html.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/why.h"
#include "document/schema.h"
#include "document/write.h"
#include "format/format.h"
#include "format/terminal/suite_text.h"
#include "result/history.h"
#include "result/process_rows.h"
#include "stats/interval.h"

/* ---- Results. */

static void json_add_distribution(struct json_out *j, const struct summary *s)
{
	json_unsigned(j, "n", s->n);
	json_known(j, "mean", s->n > 0, s->mean);
	json_known(j, "stddev", s->n > 1, (long double)summary_stddev(s));
	json_known(j, "stderr", s->n > 1, (long double)summary_stderr(s));
	json_known(j, "ci_half_width", s->n > 1,
		   (long double)interval_half(NULL, INTERVAL_CONFIDENCE, s, 0));
	json_known(j, "median", s->n > 0, s->median);
	json_known(j, "min", s->n > 0, s->min);
	json_known(j, "max", s->n > 0, s->max);
}

static void json_add_time(struct json_out *j, const char *key, const struct summary *s)
{
	json_object(j, key, JSON_FILL);
	json_add_distribution(j, s);
	json_end(j);
}

/* Write the value of each run; null: there is none. The value of a single run is the mean. */
static void json_add_values(struct json_out *j, const struct table *table, const struct measure *m)
{
	if (table->runs_n < 2)
		return;
	json_array(j, "values", JSON_FILL);
	for (size_t run = 0; run < table->runs_n; run++)
		json_known(j, NULL, reading_has_count(m->runs[run].state), m->runs[run].count);
	json_end(j);
}

static void json_add_row(struct json_out *j, const struct table *table, const struct measure *row)
{
	json_object(j, NULL, JSON_FILL);
	json_unsigned(j, "row", row->index);
	json_text(j, "name", row->name);
	json_text(j, "unit", row->event->unit);
	json_string(j, "state", schema_states[row->state]);
	json_known(j, "value", row->count.n > 0, row->value);
	json_known(j, "value_low", row->bounds.known, row->bounds.low);
	json_known(j, "value_high", row->bounds.known, row->bounds.high);
	json_string(j, "estimator", schema_estimators[row->estimator]);
	json_add_distribution(j, &row->count);
	json_add_values(j, table, row);
	json_unsigned(j, "running_ns", row->running_ns);
	json_number(j, "running_percent", (long double)row->running_percent);
	json_array(j, "metrics", JSON_FILL);
	for (size_t i = 0; i < row->metrics_n; i++) {
		const struct metric *metric = &row->metrics[i];
		const struct measure *m = metric->measure;

		json_object(j, NULL, JSON_FILL);
		json_number(j, "value", (long double)metric->value);
		json_text(j, "unit", metric->unit);
		if (m) {
			if (m->unit[0])
				json_text(j, "value_unit", m->unit);
			json_int(j, "decimals", m->decimals);
			json_string(j, "state", schema_states[m->state]);
			json_known(j, "value_low", m->bounds.known, m->bounds.low);
			json_known(j, "value_high", m->bounds.known, m->bounds.high);
			json_add_distribution(j, &m->summary);
			json_add_values(j, table, m);
		}
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

/* The counts of each program by its name: for each, one value of each event. 0 or -errno. */
static int json_add_programs(struct json_out *j, const struct series *series)
{
	const struct process_view view = { .by = PROCESS_BY_NAME };
	const size_t events_n = series->events->n;
	cleanup_with(process_rows_release) struct process_rows programs = { 0 };
	cleanup_with(table_release) struct table table = { 0 };
	cleanup_why struct why why = { 0 };
	int err = process_rows_build(&programs, series, &view, &why);

	if (err == 0)
		err = table_build(&table, &programs.series, NULL);
	if (err < 0)
		return err;
	json_array(j, "programs", JSON_LINES);
	for (size_t place = 0; place < series_places_n(&programs.series); place++) {
		const struct process *process = programs.places[place].process;

		json_object(j, NULL, JSON_FILL);
		json_text(j, "name", process->name);
		json_unsigned(j, "processes", process->processes_n);
		json_array(j, "values", JSON_FILL);
		for (size_t i = 0; i < events_n; i++) {
			const struct measure *m = table.rows[place * events_n + i];

			json_object(j, NULL, JSON_FILL);
			json_string(j, "state", schema_states[m ? m->state : NOT_COUNTED]);
			json_known(j, "value", m && m->count.n > 0, m ? m->value : 0);
			json_end(j);
		}
		json_end(j);
		json_end(j);
	}
	json_end(j);
	return 0;
}

static void json_add_summary(struct json_out *j, const char *key, const struct table *table,
			     const struct format_style *style)
{
	const struct series *series = table->series;

	json_object(j, key, JSON_LINES);
	json_unsigned(j, "runs", series->runs_n);
	json_add_time(j, "duration_time", &table_own(table, TOOL_DURATION_TIME)->summary);
	if (series->has_usage) {
		json_add_time(j, "user_time", &table_own(table, TOOL_USER_TIME)->summary);
		json_add_time(j, "system_time", &table_own(table, TOOL_SYSTEM_TIME)->summary);
	} else {
		json_null(j, "user_time");
		json_null(j, "system_time");
	}
	if (series->has_usage && !table->max_rss_unknown)
		json_add_time(j, "max_rss", &table_own(table, TOOL_MAX_RSS)->summary);
	json_array(j, "rows", JSON_LINES);
	for (size_t i = 0; i < table->events_n; i++) {
		const struct process *process = table->v[i].place->process;

		if (!style->only_sums || !process || process->pid == 0)
			json_add_row(j, table, &table->v[i]);
	}
	json_end(j);
	if (series->split == PLACE_PROCESS && !process_rows_are_names(series) && j->err == 0)
		j->err = json_add_programs(j, series);
	json_end(j);
}

/* Write the numbers of a result, and close its object, which write_series() has begun. */
static void json_add_numbers(struct json_out *j, const struct table *table,
			     const struct format_style *style)
{
	const struct series *series = table->series;
	cleanup_with(table_release) struct table of_intervals = { 0 };
	cleanup_free struct run *runs = NULL;
	struct series intervals = *series; /* as if each interval were a run */

	json_add_summary(j, "summary", table, style);
	if (series->intervals_n > 0) {
		runs = calloc(series->intervals_n, sizeof(*runs));
		for (size_t i = 0; runs && i < series->intervals_n; i++)
			runs[i] = series->intervals[i].run;
		intervals.runs = runs;
		intervals.runs_n = series->intervals_n;
		intervals.has_usage = false; /* pstat itself knows only the duration */
		if (runs && table_build(&of_intervals, &intervals, NULL) == 0)
			json_add_summary(j, "interval_summary", &of_intervals, style);
		else
			j->err = -ENOMEM;
	}
	json_end(j);
}

/* ---- Comparisons. */

/* The texts are the same in every locale, like the rest of the document. */
static const struct num_style json_numbers = { .thousands = ",", .point = "." };
static const struct text_style json_style = { .numbers = &json_numbers };

/* Write a text that was built, and release it. Nothing if it is an empty member of an object. */
static void json_take_text(struct json_out *j, const char *key, struct str *text)
{
	if (text->failed)
		j->err = -ENOMEM;
	else if (text->len > 0 || !key)
		json_text(j, key, str_text(text));
	str_release(text);
}

/* Write the sentences that a function with the result err has added. */
static void json_add_sentences(struct json_out *j, const char *key,
			       const struct str_list *sentences, int err)
{
	if (err < 0)
		j->err = -ENOMEM;
	json_array(j, key, JSON_FILL);
	for (size_t i = 0; i < sentences->n; i++)
		json_text(j, NULL, sentences->v[i]);
	json_end(j);
}

/* runs_n: the number of runs of the side, also those without a value. */
static void json_add_side(struct json_out *j, const struct comparison_side *side, size_t runs_n)
{
	const struct summary *s = &side->summary;

	json_object(j, NULL, JSON_FILL);
	json_unsigned(j, "n", side->n);
	json_string(j, "state", schema_states[side->state]);
	json_known(j, "mean", side->n > 0, s->mean);
	json_known(j, "ci_half_width", comparison_has_half(side), (long double)side->half);
	json_known(j, "median", side->n > 0, s->median);
	json_known(j, "stddev", side->n > 1, (long double)summary_stddev(s));
	json_known(j, "min", side->n > 0, s->min);
	json_known(j, "max", side->n > 0, s->max);
	json_unsigned(j, "outliers", side->outliers);
	json_array(j, "values", JSON_FILL);
	for (size_t run = 0, i = 0; run < runs_n; run++) {
		bool known = i < side->n && side->runs[i] == run;

		json_known(j, NULL, known, known ? (long double)side->values[i++] : 0);
	}
	json_end(j);
	json_end(j);
}

static void json_add_contrast(struct json_out *j, const struct comparison *c,
			      const struct comparison_row *row, size_t side)
{
	const struct row_style style = text_row_style_of(row, c->input.sides_n, &json_style);
	const struct contrast *contrast = &row->contrasts[side];
	bool counted = row->sides[0].n > 0 && row->sides[side].n > 0;
	bool ratio = counted && !contrast->ratio.withheld;
	struct str change = { 0 }, hint = { 0 };

	json_object(j, NULL, JSON_FILL);
	json_unsigned(j, "side", side);
	json_string(j, "verdict",
		    row->claim == CLAIM_NONE && counted ?
			    "none" :
			    comparison_verdict_text(comparison_verdict(row, side)));
	json_known(j, "ratio", ratio, (long double)contrast->ratio.value);
	json_known(j, "ratio_low", ratio, (long double)contrast->ratio.low);
	json_known(j, "ratio_high", ratio, (long double)contrast->ratio.high);
	json_known(j, "difference", counted, (long double)contrast->difference.value);
	json_known(j, "difference_low", counted, (long double)contrast->difference.low);
	json_known(j, "difference_high", counted, (long double)contrast->difference.high);
	json_known(j, "p", counted, (long double)contrast->p);
	json_known(j, "p_permutation", counted && row->claim != CLAIM_NONE,
		   (long double)contrast->permutation.p);
	if (comparison_verdict(row, side) != VERDICT_ABSENT) {
		text_add_contrast(&change, &style, contrast);
		json_take_text(j, "text", &change);
		text_add_hint(&hint, row, side, &json_style);
		json_take_text(j, "hint", &hint);
	}
	json_end(j);
}

/* Write the number of the case. Without cases, nothing. */
static void json_add_case(struct json_out *j, const struct suite *suite, const struct comparison *c)
{
	if (suite_has_cases(suite))
		json_unsigned(j, "case", (uint64_t)(c - suite->cases));
}

static void json_add_comparison_row(struct json_out *j, const struct suite *suite,
				    const struct comparison *c, const struct comparison_row *row)
{
	json_object(j, NULL, JSON_LINES);
	json_add_case(j, suite, c);
	json_text(j, "name", row->of->name);
	json_text(j, "place", row->of->place->label);
	json_text(j, "cgroup", row->of->cgroup);
	json_text(j, "unit", row->unit);
	json_int(j, "decimals", row->decimals);
	json_bool(j, "asked", row->claim != CLAIM_NONE);
	json_bool(j, "first", row->claim == CLAIM_FIRST);
	json_bool(j, "shown", row->shown);
	json_number(j, "confidence", (long double)row->confidence);
	json_bool(j, "more_is_better", row->better == BETTER_MORE);
	json_number(j, "minimum_effect", (long double)row->minimum_effect);
	json_array(j, "sides", JSON_LINES);
	for (size_t side = 0; side < c->input.sides_n; side++)
		json_add_side(j, &row->sides[side], c->tables[side].runs_n);
	json_end(j);
	json_array(j, "contrasts", JSON_LINES);
	for (size_t side = 1; side < c->input.sides_n; side++)
		json_add_contrast(j, c, row, side);
	json_end(j);
	json_end(j);
}

/* first: the number of the first row of this comparison. */
static void json_add_outcome(struct json_out *j, const struct suite *suite,
			     const struct comparison *c, const struct gate *gate, size_t first)
{
	struct str sentence = { 0 };

	json_object(j, NULL, JSON_FILL);
	json_add_case(j, suite, c);
	json_unsigned(j, "gate", (uint64_t)(gate->request - c->input.gates));
	json_unsigned(j, "row", first + (uint64_t)(gate->row - c->rows));
	json_unsigned(j, "side", gate->side);
	json_string(j, "outcome", comparison_outcome_text(gate->evidence.outcome));
	text_gate_add_sentence(&sentence, c, gate, &json_style);
	json_take_text(j, "text", &sentence);
	json_end(j);
}

static void json_add_geomean(struct json_out *j, const struct suite *suite,
			     const struct suite_row *row, size_t side)
{
	const struct comparison_row *of = row->cases[0];
	const struct suite_side *it = &row->sides[side];
	const bool known = !it->ratio.withheld;
	const struct row_style style = text_row_style_of(of, suite->sides_n, &json_style);
	const struct contrast mean = suite_text_contrast_of(it);
	struct str change = { 0 };

	json_object(j, NULL, JSON_FILL);
	json_text(j, "name", of->of->name);
	json_text(j, "place", of->of->place->label);
	json_text(j, "cgroup", of->of->cgroup);
	json_unsigned(j, "side", side);
	json_bool(j, "leading", row == suite->leading);
	json_number(j, "confidence", (long double)row->confidence);
	json_known(j, "ratio", known, (long double)it->ratio.value);
	json_known(j, "ratio_low", known, (long double)it->ratio.low);
	json_known(j, "ratio_high", known, (long double)it->ratio.high);
	json_string(j, "verdict",
		    it->verdict == VERDICT_NONE ? "none" : comparison_verdict_text(it->verdict));
	json_unsigned(j, "better", it->verdicts[VERDICT_BETTER]);
	json_unsigned(j, "worse", it->verdicts[VERDICT_WORSE]);
	json_unsigned(j, "same", it->verdicts[VERDICT_SAME]);
	json_unsigned(j, "unclear", it->verdicts[VERDICT_UNCLEAR]);
	json_unsigned(j, "too_few_runs", it->verdicts[VERDICT_TOO_FEW]);
	json_unsigned(j, "not_counted", it->verdicts[VERDICT_ABSENT]);
	if (known)
		text_add_contrast(&change, &style, &mean);
	json_take_text(j, "text", &change);
	json_end(j);
}

/* Write the geometric means, and the outcomes of the gates on them. */
static void json_add_geomeans(struct json_out *j, const struct suite *suite)
{
	json_array(j, "geometric_means", JSON_LINES);
	for (size_t i = 0; i < suite->rows_n; i++)
		for (size_t side = 1; side < suite->sides_n; side++)
			json_add_geomean(j, suite, &suite->rows[i], side);
	json_end(j);
	json_array(j, "geometric_mean_outcomes", JSON_LINES);
	for (size_t i = 0; i < suite->gates_n; i++) {
		const struct suite_gate *gate = &suite->gates[i];
		const size_t row = (size_t)(gate->row - suite->rows);
		struct str sentence = { 0 };

		json_object(j, NULL, JSON_FILL);
		json_unsigned(j, "gate", (uint64_t)(gate->request - suite->input.gates));
		json_unsigned(j, "mean", row * (suite->sides_n - 1) + gate->side - 1);
		json_unsigned(j, "side", gate->side);
		json_string(j, "outcome", comparison_outcome_text(gate->evidence.outcome));
		suite_text_add_gate_sentence(&sentence, suite, gate, &json_style);
		json_take_text(j, "text", &sentence);
		json_end(j);
	}
	json_end(j);
}

/* Write the sentences about each side except the reference, and about all sides. */
static void json_add_conclusions(struct json_out *j, const struct suite *suite)
{
	cleanup_str_list struct str_list remarks = { 0 }, notes = { 0 };
	struct str conclusion = { 0 };

	json_array(j, "conclusions", JSON_FILL);
	for (size_t side = 1; side < suite->sides_n; side++) {
		if (suite_has_cases(suite))
			suite_text_add_conclusion(&conclusion, suite, side, &json_style);
		else
			text_add_conclusion(&conclusion, suite->cases, side, &json_style);
		json_take_text(j, NULL, &conclusion);
	}
	json_end(j);
	if (suite_has_cases(suite)) {
		json_add_sentences(j, "notes", &notes,
				   suite_text_warnings(&notes, suite, &json_style));
		return;
	}
	json_add_sentences(j, "remarks", &remarks,
			   text_remarks(&remarks, suite->cases, &json_style));
	json_add_sentences(j, "notes", &notes, text_notes(&notes, suite->cases, &json_style));
}

static int json_write_comparison(const struct suite *suite, const struct format_style *style,
				 FILE *out)
{
	struct json_out j = { .out = out };
	size_t rows_n = 0;

	write_comparison(&j, &suite->input);
	json_array(&j, "sides", JSON_LINES);
	for (size_t i = 0; i < suite->input.sides_n; i++) {
		const struct comparison *c = &suite->cases[i / suite->sides_n];

		write_side(&j, &suite->input.sides[i]);
		json_add_numbers(&j, &c->tables[i % suite->sides_n], style);
		json_end(&j);
	}
	json_end(&j);
	json_array(&j, "rows", JSON_LINES);
	for (size_t i = 0; i < suite->n; i++)
		for (size_t row = 0; row < suite->cases[i].rows_n; row++)
			json_add_comparison_row(&j, suite, &suite->cases[i],
						&suite->cases[i].rows[row]);
	json_end(&j);
	json_array(&j, "outcomes", JSON_LINES);
	for (size_t i = 0; i < suite->n; i++) {
		const struct comparison *c = &suite->cases[i];

		for (size_t gate = 0; gate < c->gates_n; gate++)
			json_add_outcome(&j, suite, c, &c->gates[gate], rows_n);
		rows_n += c->rows_n;
	}
	json_end(&j);
	if (suite_has_cases(suite))
		json_add_geomeans(&j, suite);
	json_add_conclusions(&j, suite);
	json_end(&j);
	return json_finish(&j);
}

static int json_write(const struct table *table, const struct format_style *style, FILE *out)
{
	struct json_out j = { .out = out };

	write_series(&j, NULL, table->series);
	json_add_numbers(&j, table, style);
	return json_finish(&j);
}

/* ---- --history alone. */

static void json_add_entries(struct json_out *j, const struct history *history)
{
	json_array(j, "entries", JSON_LINES);
	for (size_t i = 0; i < history->n; i++) {
		const struct history_entry *entry = &history->entries[i];
		struct str time = { 0 };

		clock_add_date(&time, "T", "", entry->time, 0);
		json_object(j, NULL, JSON_FILL);
		json_take_text(j, "time", &time);
		json_text(j, "commit", entry->commit[0] ? entry->commit : NULL);
		json_text(j, "command", entry->command);
		json_end(j);
	}
	json_end(j);
}

static void json_add_limit(struct json_out *j, const char *key, const struct limit *limit)
{
	json_known(j, key, limit->source == LIMIT_HISTORY, (long double)limit->value);
}

/* The arrays have a member for each entry. */
static void json_add_metric_history(struct json_out *j, const struct history *history,
				    size_t metric, const struct limit *limits)
{
	double change = NAN;

	json_object(j, NULL, JSON_LINES);
	json_text(j, "name", history->metrics.v[metric]);
	json_text(j, "unit", history->units.v[metric]);
	json_add_limit(j, "next_limit", &limits[history->n]);
	json_unsigned(j, "changes_n", limits[history->n].changes_n);
	json_array(j, "values", JSON_FILL);
	for (size_t i = 0; i < history->n; i++)
		json_number(j, NULL, (long double)history->entries[i].values[metric]);
	json_end(j);
	json_array(j, "changes", JSON_FILL);
	for (size_t i = 0; i < history->n; i++) {
		bool known = i > 0 && history_change(history, metric, i, &change);

		json_known(j, NULL, known, (long double)change);
	}
	json_end(j);
	json_array(j, "limits", JSON_FILL);
	for (size_t i = 0; i < history->n; i++)
		json_add_limit(j, NULL, &limits[i]);
	json_end(j);
	json_array(j, "exceeded", JSON_FILL);
	for (size_t i = 0; i < history->n; i++)
		json_bool(j, NULL,
			  i > 0 && history_exceeds(history, metric, i, &limits[i], &change));
	json_end(j);
	json_end(j);
}

static int json_write_history(const struct history *history, const struct format_style *style,
			      FILE *out)
{
	struct json_out j = { .out = out };
	cleanup_free struct limit *limits = history_all_limits(history);

	(void)style;
	if (!limits)
		return -ENOMEM;
	json_object(&j, NULL, JSON_LINES);
	json_string(&j, "schema", "pstat-history");
	json_unsigned(&j, "version", 1);
	json_add_entries(&j, history);
	json_array(&j, "metrics", JSON_LINES);
	for (size_t i = 0; i < history->metrics.n; i++)
		json_add_metric_history(&j, history, i, history_limits_of(history, limits, i));
	json_end(&j);
	json_end(&j);
	return json_finish(&j);
}

const struct format format_json = {
	.name = "json",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_NEVER,
	.intervals = INTERVALS_INSIDE,
	.appendable = APPENDABLE_NEVER,
	.locale = LOCALE_C,
	.is_document = true,
	.write = json_write,
	.write_comparison = json_write_comparison,
	.has_cases = true,
	.write_history = json_write_history,
};
