/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format markdown: tables for GitHub's Markdown (github.github.com/gfm, "Tables"). A result omits
 * columns without content; all its intervals share one table, so that one has every column. A
 * comparison is for a pull request: the conclusion, one table, the gates as a list, and a block of
 * details that the reader opens. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/format.h"
#include "format/perf/place.h"
#include "format/terminal/history_table.h"
#include "format/terminal/suite_text.h"

/* Characters with a meaning in Markdown or at GitHub. */
static const char special[] = "\\`*_[]<>&|~#$@!";

/* Append a name as code. It cannot mention a user, link an issue or end a table cell. */
static void markdown_add_code(struct str *out, const char *text)
{
	cleanup_str struct str clean = { 0 };
	bool plain = true; /* text between backticks would appear unchanged */
	const char *p;

	str_add_utf8_visible(&clean, text);
	out->failed |= clean.failed;
	p = str_text(&clean);
	if (*p == '\0')
		return;
	for (const char *c = p; *c; c++)
		plain &= *c != '`' && *c != '|' && !iscntrl((unsigned char)*c);
	if (plain && *p != ' ' && p[strlen(p) - 1] != ' ') {
		str_addf(out, "`%s`", p);
		return;
	}
	str_add(out, "<code>");
	for (; *p; p++)
		if (strchr(special, *p) || *p == '\n' || *p == '\t')
			str_addf(out, "&#%d;", *p);
		else if (iscntrl((unsigned char)*p))
			str_add(out, "\xef\xbf\xbd");
		else
			str_add_n(out, p, 1);
	str_add(out, "</code>");
}

/* Append a unit or a sentence. Backslashes escape all characters with a meaning. */
static void markdown_add_escaped(struct str *out, const char *text)
{
	cleanup_str struct str clean = { 0 };

	str_add_utf8_visible(&clean, text);
	out->failed |= clean.failed;
	for (const char *p = str_text(&clean); *p; p++) {
		if (strchr(special, *p))
			str_add(out, "\\");
		str_add_n(out, iscntrl((unsigned char)*p) ? " " : p, 1);
	}
}

/* ---- A result. */

/* The optional columns; event, count and unit are always there. */
struct columns {
	const struct table *table;
	const struct num_style *numbers;
	struct place_columns place;
	bool spread, running, derived;
};

static void markdown_add_percent(struct str *line, double percent, const struct num_style *numbers)
{
	num_add(line, percent, 2, numbers);
	str_add(line, " %");
}

static struct columns markdown_choose_columns(const struct table *table,
					      const struct num_style *numbers)
{
	struct columns columns = {
		.table = table,
		.numbers = numbers,
		.place = place_columns(table->series->split),
		.spread = table->is_series,
		.running = table->interval != NULL,
		.derived = table->interval != NULL,
	};

	for (size_t i = 0; i < table->events_n; i++) {
		columns.running |= table->v[i].state == SCALED;
		columns.derived |= table->v[i].metrics_n > 0;
	}
	return columns;
}

static void markdown_add_header(struct str *text, const struct columns *columns)
{
	const struct table *table = columns->table;
	const struct {
		bool shown;
		const char *name, *rule;
	} all[] = {
		{ table->interval != NULL, "time", " ---: |" },
		{ columns->place.key != NULL, columns->place.key, " :--- |" },
		{ columns->place.has_cpus, "cpus", " ---: |" },
		{ true, "event", " :--- |" },
		{ table->has_cgroups, "cgroup", " :--- |" },
		{ true, "count", " ---: |" },
		{ true, "unit", " :--- |" },
		{ columns->spread, "±", " ---: |" },
		{ table->series->ranks != NULL, "min | median | max | max / mean | largest",
		  " ---: | ---: | ---: | ---: | :--- |" },
		{ columns->running, "running", " ---: |" },
		{ columns->derived, "derived | ", " ---: | :--- |" },
	};

	str_add(text, "|");
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].shown)
			str_addf(text, " %s |", all[i].name);
	str_add(text, "\n|");
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].shown)
			str_add(text, all[i].rule);
	str_add(text, "\n");
}

/* The cells before the count. */
static void markdown_add_place(struct str *line, const struct columns *columns,
			       const struct measure *row)
{
	const struct table *table = columns->table;

	str_add(line, "|");
	if (table->interval) {
		str_add(line, " ");
		num_add_seconds(line, table->interval->at_ns, 0);
		str_add(line, " |");
	}
	if (columns->place.key) {
		str_add(line, " ");
		markdown_add_code(line, row->place->label);
		if (row->place->process && row->place->process->with_children)
			str_add(line, " with children");
		str_add(line, " |");
	}
	if (columns->place.has_cpus)
		str_addf(line, " %zu |", row->counters);
	str_add(line, " ");
	markdown_add_code(line, row->name);
	str_add(line, " |");
	if (!table->has_cgroups)
		return;
	str_add(line, " ");
	markdown_add_code(line, row->event->cgroup ? row->event->cgroup : "");
	str_add(line, " |");
}

/* The distribution over the ranks. An unknown number is negative. */
static void markdown_add_ranks(struct str *line, const struct columns *columns,
			       const struct measure *row)
{
	const struct rank_summary *ranks = row->ranks;

	for (enum rank_number i = RANK_MIN; i <= RANK_IMBALANCE; i++) {
		str_add(line, " ");
		if (ranks->v[i] >= 0)
			num_add(line, (long double)ranks->v[i],
				i == RANK_IMBALANCE ? 2 : row->decimals, columns->numbers);
		str_add(line, " |");
	}
	str_add(line, " ");
	markdown_add_escaped(line, ranks->largest ? ranks->largest : "");
	str_add(line, " |");
}

static void markdown_add_count(struct str *line, const struct columns *columns,
			       const struct measure *row)
{
	double error_percent = measure_shown_error(row);

	str_add(line, " ");
	if (measure_absent(row->state))
		str_add(line, schema_states[row->state]);
	else
		num_add(line, row->value, measure_shown_decimals(row), columns->numbers);
	if (row->shows_error)
		str_add(line, " ± ");
	if (row->shows_error && error_percent > 0) {
		num_add(line, error_percent, MEASURE_ERROR_DECIMALS, columns->numbers);
		str_add(line, " %");
	} else if (row->shows_error) { /* the error is unknown */
		str_add(line, "?");
	}
	str_add(line, " | ");
	markdown_add_escaped(line, row->event->unit);
	str_add(line, " |");
	if (columns->spread) {
		str_add(line, " ");
		if (row->count.n > 1)
			markdown_add_percent(line, row->spread_percent, columns->numbers);
		str_add(line, " |");
	}
	if (columns->table->series->ranks)
		markdown_add_ranks(line, columns, row);
	if (columns->running) {
		str_add(line, " ");
		if (row->state == SCALED)
			markdown_add_percent(line, row->running_percent, columns->numbers);
		str_add(line, " |");
	}
}

/* Each metric but the first has its own line, with the other cells empty. */
static void markdown_add_row(struct str *text, const struct columns *columns,
			     const struct measure *row)
{
	size_t cells = 3u + (columns->table->interval != NULL) + columns->place.has_cpus +
		       columns->spread + (columns->table->series->ranks ? RANK_NUMBERS : 0u) +
		       (columns->place.key != NULL) + columns->running +
		       columns->table->has_cgroups;

	markdown_add_place(text, columns, row);
	markdown_add_count(text, columns, row);
	if (columns->derived && row->metrics_n == 0)
		str_add(text, " | |");
	for (size_t i = 0; i < row->metrics_n; i++) {
		const struct metric *metric = &row->metrics[i];

		if (i > 0)
			str_add(text, "\n|");
		for (size_t cell = 0; i > 0 && cell < cells; cell++)
			str_add(text, " |");
		str_add(text, " ");
		num_add(text, metric->value, metric_decimals(metric), columns->numbers);
		str_add(text, metric_shown_unit(metric)[0] ? " " : "");
		markdown_add_escaped(text, metric_shown_unit(metric));
		str_add(text, " | ");
		markdown_add_escaped(text, metric->unit);
		if (metric->measure && metric->measure->summary.n > 1) {
			str_add(text, " ± ");
			markdown_add_percent(text, measure_spread_percent(metric->measure),
					     columns->numbers);
		}
		str_add(text, " |");
	}
	str_add(text, "\n");
}

/* The decimals of seconds: all of a single run; of a mean, those that show two digits of its
 * standard error. */
static int markdown_time_decimals(const struct summary *ns)
{
	double error = summary_stderr(ns) / 1e9;
	int decimals = 0;

	if (ns->n < 2)
		return 9;
	if (!(error > 0))
		return 6; /* getrusage(2) has microseconds */
	for (; error < 9.5 && decimals < 9; error *= 10)
		decimals++;
	return decimals;
}

static void markdown_add_time(struct str *text, const struct summary *ns, const char *before,
			      const char *what, const struct num_style *numbers)
{
	str_add(text, before);
	num_add(text, ns->mean / 1000000000, markdown_time_decimals(ns), numbers);
	str_add(text, " s");
	if (ns->n > 1) {
		str_add(text, " ± ");
		markdown_add_percent(text, summary_stderr_percent(ns), numbers);
	}
	str_addf(text, " %s", what);
}

static void markdown_add_footer(struct str *text, const struct table *table,
				const struct num_style *numbers)
{
	if (table->events_n > 0)
		str_add(text, "\n");
	if (table->series->passes_n)
		str_addf(text, "%zu passes of the command for each measurement, ",
			 table->series->passes_n);
	markdown_add_time(text, &table_own(table, TOOL_DURATION_TIME)->summary, "", "elapsed",
			  numbers);
	if (table->series->has_usage) {
		markdown_add_time(text, &table_own(table, TOOL_USER_TIME)->summary, ", ", "user",
				  numbers);
		markdown_add_time(text, &table_own(table, TOOL_SYSTEM_TIME)->summary, ", ", "sys",
				  numbers);
	}
	str_add(text, "\n");
}

static int markdown_write(const struct table *table, const struct format_style *style, FILE *out)
{
	const struct columns columns = markdown_choose_columns(table, &style->numbers);
	cleanup_str struct str text = { 0 };

	if (!table->interval || style->header) {
		str_add(&text, "\n");
		markdown_add_code(&text, table->command);
		if (table->is_series)
			str_addf(&text, ", %zu runs", table->runs_n);
		if (table->series->ranks)
			str_addf(&text, ", %zu ranks", table->series->ranks->n);
		str_add(&text, ":\n\n");
		if (table->events_n > 0 || table->interval)
			markdown_add_header(&text, &columns);
	}
	for (size_t i = 0; i < table->events_n; i++)
		markdown_add_row(&text, &columns, &table->v[i]);
	if (!table->interval)
		markdown_add_footer(&text, table, &style->numbers);
	return str_print(&text, out);
}

/* ---- A comparison: the answer, and its details in a block that the reader opens. */

/* A name that is not code, such as "elapsed time", is not shown as code. */
static void markdown_add_label(struct str *text, const struct comparison_row *row)
{
	cleanup_str struct str label = { 0 }, name = { 0 };

	text_add_label(&label, row);
	text_add_name(&name, row);
	text->failed |= label.failed || name.failed;
	if (strcmp(str_text(&label), str_text(&name)) == 0)
		markdown_add_code(text, str_text(&name));
	else
		markdown_add_escaped(text, str_text(&label));
}

static void markdown_add_mean(struct str *text, const struct row_style *style,
			      const struct comparison_side *side)
{
	if (side->n == 0) {
		str_add(text, " not counted |");
		return;
	}
	str_add(text, side->scaled ? " ≈" : " ");
	text_add_mean_and_half(text, style, side);
	if (*style->unit) {
		str_add(text, " ");
		markdown_add_escaped(text, style->unit);
	}
	str_add(text, " |");
}

/* A verdict that needs attention is bold. */
static void markdown_add_contrast(struct str *text, const struct row_style *style,
				  const struct comparison_row *row, size_t side)
{
	const enum verdict verdict = comparison_verdict(row, side);
	bool differs = verdict == VERDICT_BETTER || verdict == VERDICT_WORSE;
	cleanup_str struct str unit = { 0 };
	struct row_style escaped = *style;

	markdown_add_escaped(&unit, style->unit);
	text->failed |= unit.failed;
	escaped.unit = str_text(&unit);
	str_add(text, " ");
	if (verdict != VERDICT_ABSENT)
		text_add_contrast(text, &escaped, &row->contrasts[side]);
	str_addf(text, differs ? " | **%s** |" : " | %s |", comparison_verdict_text(verdict));
}

/* A row for each measure. */
static void markdown_add_measures(struct str *text, const struct comparison *c,
				  const struct text_style *style)
{
	str_add(text, "| measure |");
	for (size_t i = 0; i < c->input.sides_n; i++) {
		str_add(text, " ");
		markdown_add_code(text, c->input.sides[i].name);
		str_add(text, i == 0 ? " |" : " | change | verdict |");
	}
	str_add(text, "\n| :--- |");
	for (size_t i = 0; i < c->input.sides_n; i++)
		str_add(text, i == 0 ? " ---: |" : " ---: | ---: | :--- |");
	str_add(text, "\n");
	for (size_t row = 0; row < c->rows_n; row++) {
		const struct comparison_row *it = &c->rows[row];
		const struct row_style row_style = text_row_style_of(it, c->input.sides_n, style);

		if (!text_is_shown(it, c->input.sides_n))
			continue;
		str_add(text, "| ");
		markdown_add_label(text, it);
		str_add(text, " |");
		for (size_t i = 0; i < c->input.sides_n; i++) {
			markdown_add_mean(text, &row_style, &it->sides[i]);
			if (i > 0)
				markdown_add_contrast(text, &row_style, it, i);
		}
		str_add(text, "\n");
	}
}

/* A row for each side, the best first, by the leading row. */
static void markdown_add_sides(struct str *text, const struct comparison *c,
			       const struct text_style *style)
{
	const struct comparison_row *row = c->leading ? c->leading : c->rows;
	const struct row_style row_style = text_row_style_of(row, c->input.sides_n, style);

	str_add(text, "| side | ");
	markdown_add_label(text, row);
	str_add(text, " | of best | change | verdict |\n"
		      "| :--- | ---: | ---: | ---: | :--- |\n");
	for (size_t i = 0; i < c->input.sides_n; i++) {
		const size_t side = c->order[i];

		str_add(text, "| ");
		markdown_add_code(text, c->input.sides[side].name);
		str_add(text, " |");
		markdown_add_mean(text, &row_style, &row->sides[side]);
		str_add(text, " ");
		text_add_ratio_to_best(text, c, row, side, style->numbers);
		str_add(text, " |");
		if (side == 0)
			str_add(text, " | reference |");
		else
			markdown_add_contrast(text, &row_style, row, side);
		str_add(text, "\n");
	}
}

/* Paragraphs above the conclusion. */
static void markdown_add_different_work(struct str *text, const struct comparison_input *input)
{
	for (size_t i = 0; i < input->different_work.n; i++) {
		str_add(text, "\n");
		markdown_add_escaped(text, input->different_work.v[i]);
		str_add(text, ".\n");
	}
}

/* Add a sentence about two sides, then the sentences about all sides. */
static void markdown_add_conclusion(struct str *text, const struct comparison *c,
				    const struct text_style *style)
{
	cleanup_str struct str finding = { 0 }, evidence = { 0 };
	cleanup_str_list struct str_list remarks = { 0 };

	if (c->input.sides_n == 2) {
		text_add_finding(&finding, c, 1, style->numbers);
		text_add_evidence(&evidence, c, 1, style);
		markdown_add_code(text, c->input.sides[1].name);
		markdown_add_escaped(text, str_text(&finding));
		markdown_add_code(text, c->input.sides[0].name);
		markdown_add_escaped(text, str_text(&evidence));
		str_add(text, ".\n");
	}
	text->failed |= finding.failed || evidence.failed || text_remarks(&remarks, c, style) < 0;
	for (size_t i = 0; i < remarks.n; i++) {
		markdown_add_escaped(text, remarks.v[i]);
		str_add(text, ".\n");
	}
	str_add(text, "\n");
}

/* A list, so that each gate has its own line. A crossed limit is bold. */
static void markdown_add_gates(struct str *text, const struct comparison *c,
			       const struct text_style *style)
{
	if (c->gates_n > 0)
		str_add(text, "\n");
	for (size_t i = 0; i < c->gates_n; i++) {
		const struct gate *gate = &c->gates[i];
		bool crossed = gate->evidence.outcome == GATE_CROSSED;
		cleanup_str struct str subject = { 0 }, outcome = { 0 };

		text_gate_add_subject(&subject, c, gate);
		text_gate_add_outcome(&outcome, gate, style);
		text->failed |= subject.failed || outcome.failed;
		str_add(text, "- pstat: ");
		markdown_add_code(text, str_text(&subject));
		str_add(text, crossed ? " **" : " ");
		markdown_add_escaped(text, str_text(&outcome)); /* may contain any unit */
		str_add(text, crossed ? "**\n" : "\n");
	}
}

/* ---- The details of a comparison. */

/* What is known of the machine, the same text for all sides that ran there: "Xeon, x86_64, CPUs
 * 0-3, Linux 6.1.0". */
static void markdown_describe_machine(struct str *out, const struct provenance *p)
{
	const struct {
		const char *before, *text;
	} facts[] = { { "", p ? p->cpu_model : NULL },
		      { "", p ? p->machine : NULL },
		      { "CPUs ", p ? p->cpus_online : NULL },
		      { "Linux ", p ? p->kernel : NULL } };

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (facts[i].text && *facts[i].text)
			str_addf(out, "%s%s%s", out->len ? ", " : "", facts[i].before,
				 facts[i].text);
}

/* A line with the machine of the side, unless the side before it has the same. */
static void markdown_add_machine(struct str *text, const struct comparison *c, size_t side)
{
	cleanup_str struct str machine = { 0 }, before = { 0 };

	markdown_describe_machine(&machine, c->tables[side].series->provenance);
	if (side > 0)
		markdown_describe_machine(&before, c->tables[side - 1].series->provenance);
	text->failed |= machine.failed || before.failed;
	if (strcmp(str_text(&machine), str_text(&before)) == 0)
		return;
	str_add(text, "- machine: ");
	markdown_add_escaped(text, machine.len ? str_text(&machine) : "unknown");
	str_add(text, "\n");
}

/* The rest of a line with the command, the runs and the labels of the side. */
static void markdown_add_side(struct str *text, const struct comparison *c, size_t side,
			      const struct text_style *style)
{
	const char *name = c->input.sides[side].name, *command = c->tables[side].command;
	const struct series_parameters *labels = c->tables[side].series->labels;

	markdown_add_code(text, name);
	str_add(text, ": ");
	if (*command && strcmp(command, name) != 0) {
		markdown_add_code(text, command);
		str_add(text, ", ");
	}
	text_add_runs(text, c->tables[side].runs_n, style->numbers);
	for (size_t i = 0; labels && i < labels->names.n; i++) {
		str_add(text, ", ");
		markdown_add_escaped(text, labels->names.v[i]);
		str_add(text, " ");
		markdown_add_code(text, labels->values.v[i]);
	}
	str_add(text, "\n");
}

/* above: the notes that are above. */
static void markdown_add_details(struct str *text, const struct comparison *c,
				 const struct text_style *style, const struct str_list *above)
{
	cleanup_str_list struct str_list notes = { 0 };

	text->failed |= text_notes(&notes, c, style) < 0;
	str_add(text, "\n<details>\n<summary>Commands, machine and method</summary>\n\n");
	for (size_t i = 0; i < c->input.sides_n; i++) {
		markdown_add_machine(text, c, i);
		str_add(text, "- ");
		markdown_add_side(text, c, i, style);
	}
	str_add(text, "- ");
	text_add_run_order(text, c, style->numbers);
	str_add(text, "; ± and [ ]: ");
	text_add_confidence(text, c, style);
	str_add(text, " confidence intervals\n");
	for (size_t i = 0; i < notes.n; i++) {
		if (str_list_has(above, notes.v[i]))
			continue;
		str_add(text, "- ");
		markdown_add_escaped(text, notes.v[i]);
		str_add(text, "\n");
	}
	if (c->input.sides_n > 2) {
		str_add(text, "\n");
		markdown_add_measures(text, c, style);
	}
	str_add(text, "\n</details>\n");
}

static int markdown_write_sides(const struct comparison *c, const struct format_style *style,
				FILE *out)
{
	const struct text_style plain = { .numbers = &style->numbers };
	cleanup_str_list struct str_list warnings = { 0 };
	cleanup_str struct str text = { 0 };
	int err = text_warnings(&warnings, c, &plain);

	markdown_add_different_work(&text, &c->input);
	str_add(&text, "\n");
	markdown_add_conclusion(&text, c, &plain);
	(c->input.sides_n == 2 ? markdown_add_measures : markdown_add_sides)(&text, c, &plain);
	for (size_t i = 0; i < warnings.n; i++) {
		str_add(&text, "\n");
		markdown_add_escaped(&text, warnings.v[i]);
		str_add(&text, ".\n");
	}
	markdown_add_gates(&text, c, &plain);
	markdown_add_details(&text, c, &plain, &warnings);
	return err < 0 ? err : str_print(&text, out);
}

/* ---- Several cases. */

/* The geometric mean of a row, unless it is unknown. */
static void markdown_add_geomean(struct str *text, const struct suite *suite,
				 const struct suite_row *row, size_t side,
				 const struct text_style *style)
{
	const struct suite_side *it = &row->sides[side];
	const struct row_style row_style = text_row_style_of(row->cases[0], suite->sides_n, style);
	const struct contrast mean = suite_text_contrast_of(it);
	const bool differs = it->verdict == VERDICT_BETTER || it->verdict == VERDICT_WORSE;

	if (it->ratio.withheld)
		return;
	str_add(text, "| geometric mean of ");
	markdown_add_label(text, row->cases[0]);
	str_add(text, " | | | ");
	text_add_contrast(text, &row_style, &mean);
	str_addf(text, differs ? " | **%s** |\n" : " | %s |\n",
		 comparison_verdict_text(it->verdict));
}

/* A row for each case, the largest ratio first, then the geometric means. */
static void markdown_add_cases(struct str *text, const struct suite *suite, size_t side,
			       const struct text_style *style)
{
	const struct suite_row *leading = suite->leading;

	str_add(text, "| ");
	markdown_add_label(text, leading->cases[0]);
	for (size_t i = 0; i < 2; i++) {
		str_add(text, " | ");
		markdown_add_code(text, suite->input.sides[i ? side : 0].name);
	}
	str_add(text, " | change | verdict |\n| :--- | ---: | ---: | ---: | :--- |\n");
	for (size_t i = 0; i < suite->n; i++) {
		const size_t k = leading->sides[side].order[i];
		const struct comparison_row *row = leading->cases[k];
		const struct row_style row_style = text_row_style_of(row, suite->sides_n, style);

		str_add(text, "| ");
		markdown_add_code(text, suite->input.cases[k].name);
		str_add(text, " |");
		markdown_add_mean(text, &row_style, &row->sides[0]);
		markdown_add_mean(text, &row_style, &row->sides[side]);
		markdown_add_contrast(text, &row_style, row, side);
		str_add(text, "\n");
	}
	markdown_add_geomean(text, suite, leading, side, style);
	for (size_t i = 0; i < suite->rows_n; i++)
		if (&suite->rows[i] != leading)
			markdown_add_geomean(text, suite, &suite->rows[i], side, style);
}

static void markdown_add_suite_details(struct str *text, const struct suite *suite,
				       const struct text_style *style)
{
	str_add(text, "\n<details>\n<summary>Commands, machine and method</summary>\n\n");
	markdown_add_machine(text, suite->cases, 0);
	for (size_t i = 0; i < suite->input.sides_n; i++) {
		const size_t of_case = i / suite->sides_n;

		str_add(text, "- ");
		markdown_add_code(text, suite->input.cases[of_case].name);
		str_add(text, ": ");
		markdown_add_side(text, &suite->cases[of_case], i % suite->sides_n, style);
	}
	str_addf(text, "- confidence intervals [ ]: of the cases %.6g %% together",
		 suite->input.confidence * 100);
	if (suite->leading)
		str_addf(text, ", of the first geometric mean %.6g %%",
			 suite->leading->confidence * 100);
	str_add(text, "\n\n</details>\n");
}

static int markdown_write_cases(const struct suite *suite, const struct format_style *style,
				FILE *out)
{
	const struct text_style plain = { .numbers = &style->numbers };
	cleanup_str_list struct str_list sentences = { 0 };
	cleanup_str struct str text = { 0 };
	int err = 0;

	markdown_add_different_work(&text, &suite->input);
	for (size_t side = 1; side < suite->sides_n; side++) {
		cleanup_str struct str conclusion = { 0 };

		suite_text_add_conclusion(&conclusion, suite, side, &plain);
		str_add(&conclusion, "; ");
		suite_text_add_rounds(&conclusion, suite, plain.numbers);
		text.failed |= conclusion.failed;
		str_add(&text, "\n");
		markdown_add_escaped(&text, str_text(&conclusion));
		str_add(&text, ".\n\n");
		if (suite->leading)
			markdown_add_cases(&text, suite, side, &plain);
	}
	err = suite_text_warnings(&sentences, suite, &plain);
	if (err == 0)
		err = suite_text_gates(&sentences, suite, &plain);
	str_add(&text, sentences.n > 0 ? "\n" : "");
	for (size_t i = 0; i < sentences.n; i++) {
		str_add(&text, "- ");
		markdown_add_escaped(&text, sentences.v[i]);
		str_add(&text, "\n");
	}
	markdown_add_suite_details(&text, suite, &plain);
	return err < 0 ? err : str_print(&text, out);
}

static int markdown_write_comparison(const struct suite *suite, const struct format_style *style,
				     FILE *out)
{
	return suite_has_cases(suite) ? markdown_write_cases(suite, style, out) :
					markdown_write_sides(suite->cases, style, out);
}

/* ---- --history alone. */

enum { MARKDOWN_CURVE = 40 };

static void markdown_add_metric_history(struct str *text, const struct history *history,
					size_t metric, const struct limit *limits,
					const struct format_style *style)
{
	size_t values_n = 0;
	double change;

	for (size_t i = 0; i < history->n; i++)
		values_n += !isnan(history->entries[i].values[metric]);
	str_add(text, "| ");
	markdown_add_code(text, history->metrics.v[metric]);
	str_addf(text, " | %zu | ", values_n);
	if (history->n > 0)
		history_table_add_value(text, history, metric, &style->numbers);
	str_add(text, " | ");
	if (history->n > 1 && history_change(history, metric, history->n - 1, &change))
		history_table_add_percent(text, change, &style->numbers);
	str_add(text, " | ");
	history_table_add_limit(text, &limits[history->n], style);
	str_add(text, " | ");
	history_table_add_curve(text, history, metric,
				(struct history_curve){ MARKDOWN_CURVE, false });
	str_add(text, " |\n");
}

/* A list item for an entry, if a change exceeded its limit. */
static void markdown_add_changed_entry(struct str *text, const struct history *history, size_t i,
				       const struct limit *limits, const struct format_style *style)
{
	bool begun = false;

	for (size_t k = 0; k < history->metrics.n; k++) {
		const struct limit *limit = history_limits_of(history, limits, k) + i;
		double change;

		if (!history_exceeds(history, k, i, limit, &change))
			continue;
		if (!begun) {
			str_add(text, "- ");
			clock_add_date(text, " ", " ", history->entries[i].time, 0);
			str_add(text, " ");
			markdown_add_code(text, history->entries[i].commit);
		}
		str_add(text, begun ? ", " : ": ");
		begun = true;
		markdown_add_code(text, history->metrics.v[k]);
		str_add(text, " **");
		history_table_add_percent(text, change, &style->numbers);
		str_add(text, "** (limit ");
		history_table_add_limit(text, limit, style);
		str_add(text, ")");
	}
	str_add(text, begun ? "\n" : "");
}

static int markdown_write_history(const struct history *history, const struct format_style *style,
				  FILE *out)
{
	cleanup_free struct limit *limits = history_all_limits(history);
	const struct format_style plain = { .numbers = style->numbers };
	cleanup_str struct str text = { 0 }, changed = { 0 };

	if (!limits)
		return -ENOMEM;
	str_add(&text, "\n| metric | entries | last value | change | limit | latest values |\n"
		       "| :--- | ---: | ---: | ---: | ---: | :--- |\n");
	for (size_t k = 0; k < history->metrics.n; k++)
		markdown_add_metric_history(&text, history, k,
					    history_limits_of(history, limits, k), &plain);
	for (size_t i = 1; i < history->n; i++)
		markdown_add_changed_entry(&changed, history, i, limits, &plain);
	str_add(&text, changed.len ? "\nChanges beyond their limits:\n\n" :
				     "\nNo change exceeded a limit.\n");
	str_append(&text, &changed);
	return str_print(&text, out);
}

const struct format format_markdown = {
	.name = "markdown",
	.audience = AUDIENCE_READERS,
	.notes = NOTES_LINES,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_TEXT,
	.locale = LOCALE_GROUPED,
	.shows_provenance = true,
	.write = markdown_write,
	.write_comparison = markdown_write_comparison,
	.has_cases = true,
	.write_history = markdown_write_history,
};
