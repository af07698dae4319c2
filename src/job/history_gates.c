/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "base/why.h"
#include "document/history_csv.h"
#include "format/terminal/compare_text.h"
#include "job/history_gates.h"
#include "job/jobs.h"
#include "job/loading.h"
#include "output/message.h"
#include "output/notes.h"
#include "output/outputs.h"
#include "result/history.h"

/* ---- Reading the history. */

static int history_gates_is_document(const struct dirent *entry)
{
	return file_name_is_document(entry->d_name);
}

enum left_out { ADDED, FAILED_COMMAND, REMOVED };

/* Whether a file that cannot be opened was removed. A link to a missing file is still there. */
static bool history_gates_is_removed(const char *path, int err)
{
	struct stat st;

	return err == -ENOENT && lstat(path, &st) < 0 && errno == ENOENT;
}

/* Add one document. Returns a value of enum left_out, or -errno with why. */
static int history_gates_add_document(struct history *history, const struct options *o,
				      const char *path, struct why *why)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_with(table_release) struct table table = { 0 };
	const char *trouble;
	int err = loading_file(&saved, "--history", path, why);

	if (history_gates_is_removed(path, err)) {
		why_release(why);
		return REMOVED;
	}
	if (err < 0)
		return err;
	trouble = saved.is_comparison ? "a comparison, not a result of one command" :
					options_history_trouble(saved.documents->series.split);
	if (trouble)
		return why_set(why, -EINVAL, "--history %s: %s", path, trouble);
	if (series_has_failed(&saved.documents->series) && !o->ignore_failure)
		return FAILED_COMMAND;
	err = table_build(&table, &saved.documents->series, NULL);
	if (err == 0)
		err = history_add_table(history, &table);
	return err < 0 ? err : ADDED;
}

static int history_gates_read_folder(struct history *history, const struct options *o,
				     struct why *why)
{
	const char *folder = o->compare_options.history;
	struct dirent **names;
	int n = scandir(folder, &names, history_gates_is_document, alphasort), err = 0;
	int left_out[REMOVED + 1] = { 0 };

	if (n < 0)
		return why_set(why, -errno, "--history %s: %s", folder, strerror(errno));
	for (int i = 0; i < n; i++) {
		cleanup_str struct str path = { 0 };

		str_addf(&path, "%s/%s", folder, names[i]->d_name);
		if (err >= 0)
			err = path.failed ?
				      -ENOMEM :
				      history_gates_add_document(history, o, str_text(&path), why);
		if (err >= 0)
			left_out[err]++;
		free(names[i]);
	}
	free(names);
	if (err < 0)
		return err;
	if (left_out[FAILED_COMMAND] > 0)
		note_print(
			o,
			"--history %s: documents left out because their command failed: %d of %d",
			folder, left_out[FAILED_COMMAND], n);
	if (left_out[REMOVED] > 0)
		note_print(o, "--history %s: documents removed while they were read: %d of %d",
			   folder, left_out[REMOVED], n);
	if (n == left_out[REMOVED])
		return why_set(why, -EINVAL, "--history %s: the folder has no documents (*.json)",
			       folder);
	history_sort(history);
	return 0;
}

static int history_gates_read_csv(FILE *in, void *history, struct why *why)
{
	return history_csv_load(in, history, why);
}

/*
 * Read FILE or all documents of the folder of --history, sorted by time. 0; -errno with why. The
 * caller releases history in any case.
 */
static int history_gates_open(struct history *history, const struct options *o, struct why *why)
{
	const char *path = o->compare_options.history;
	const char *last;
	size_t others = 0;
	struct stat st;
	int err;

	if (stat(path, &st) < 0)
		return why_set(why, -errno, "--history %s: %s", path, strerror(errno));
	err = S_ISDIR(st.st_mode) ?
		      history_gates_read_folder(history, o, why) :
		      loading_read("--history", path, history_gates_read_csv, history, why);
	if (err < 0 || history->n == 0)
		return err;
	last = history->entries[history->n - 1].command;
	for (size_t i = 0; i < history->n; i++)
		others += strcmp(history->entries[i].command, last) != 0;
	if (others > 0)
		note_print(o, "--history %s: %zu of %zu entries are of other commands than '%s'",
			   path, others, history->n, last);
	return 0;
}

/* ---- --history alone: print how the metrics of earlier results changed. */

int job_history(const struct options *o)
{
	cleanup_with(history_release) struct history history = { 0 };
	cleanup_with(outputs_release) struct outputs out = OUTPUTS_OF(o);
	cleanup_why struct why why = { 0 };
	int err = history_gates_open(&history, o, &why);

	if (err == 0)
		err = outputs_open(&out, PRINT_RESULT, &why);
	if (err == 0)
		outputs_history(&out, &history);
	outputs_lose(&out, err, &why);
	return outputs_close(&out);
}

/* ---- The limits of the gates. */

/* The metric of this name. history->metrics.n: there is none. */
static size_t history_gates_find_match(const struct history *history, const char *name,
				       enum name_match match)
{
	cleanup_free char *line = str_one_line(name);
	size_t i = 0;

	while (i < history->metrics.n &&
	       (!line || !comparison_is_named(history->metrics.v[i], line, match)))
		i++;
	return i;
}

/* The metric of a gate, which is found in the same way as the row of a comparison. */
static size_t history_gates_metric_of_gate(const struct history *history, const char *name)
{
	size_t n = history->metrics.n, found = n;

	for (enum name_match match = NAME_EXACT; found == n && match < NAME_MATCHES_N; match++)
		found = history_gates_find_match(history, name, match);
	return found;
}

static void history_gates_note_limit(const struct options *o, const char *name,
				     const struct limit *limit)
{
	if (limit->source == LIMIT_FALLBACK)
		note_print(o,
			   "--history %s: too little history of '%s' (%zu of %d changes): "
			   "the limit is %g %%",
			   o->compare_options.history, name, limit->changes_n, HISTORY_CHANGES_MIN,
			   100 * limit->value);
}

/* Whether the last entry of the history is the reference. */
static bool history_gates_has_one_command(const struct options *o)
{
	return o->job == JOB_COUNT && !options_is_comparison(o);
}

int history_gates_init(struct history_gates *g, const struct options *o, struct why *why)
{
	const struct compare_options *c = &o->compare_options;
	int err;

	if (!c->history)
		return 0;
	err = history_gates_open(&g->history, o, why);
	if (err < 0 || !history_gates_has_one_command(o))
		return err;
	if (g->history.n == 0)
		return why_set(why, -EINVAL,
			       "--history %s: no entries, so there is nothing to compare with",
			       c->history);
	if (o->repeat > 0 && o->repeat < CONTRAST_RUNS_EXACT_MIN)
		return why_set(why, -EINVAL,
			       "--history needs at least %d runs to judge a gate; give -r 5",
			       CONTRAST_RUNS_EXACT_MIN);
	return rmath_load(&g->math, why);
}

/* The event that a gate on this name is about. NULL: none, for example for a metric. */
static const struct event *history_gates_event_of_gate(const struct event_list *events,
						       const char *name)
{
	for (enum name_match match = NAME_EXACT; match < NAME_MATCHES_N; match++)
		for (size_t i = 0; i < events->n; i++)
			if (comparison_is_named(events->events[i].name, name, match))
				return &events->events[i];
	return NULL;
}

void history_gates_set_limits(const struct history_gates *g, const struct options *o,
			      struct gate_list *gates, const struct event_list *events)
{
	size_t automatic = 0;

	if (!o->compare_options.history || history_gates_has_one_command(o))
		return;
	for (size_t i = 0; i < gates->n; i++) {
		struct gate_request *gate = &gates->v[i];

		if (gate->limit.source == LIMIT_FIXED)
			continue;
		automatic++;
		gate->limit =
			history_gate_limit(&g->history,
					   history_gates_metric_of_gate(&g->history, gate->name),
					   gate, history_gates_event_of_gate(events, gate->name));
		history_gates_note_limit(o, gate->name, &gate->limit);
	}
	if (automatic == 0)
		note_print(o,
			   "--history %s is not used: no --fail-if 'EVENT>auto' takes its limit "
			   "from it",
			   o->compare_options.history);
}

void history_gates_release(struct history_gates *g)
{
	history_release(&g->history);
}

/* ---- The gates of one command. */

/* What the history knows of a measure. */
struct tracked {
	size_t metric; /* history->metrics.n: there is none */
	double last; /* in the last entry; NAN: there is none */
};

/* 0 or -ENOMEM. */
static int history_gates_find_tracked(struct tracked *it, const struct history *history,
				      const struct measure *m)
{
	cleanup_str struct str name = { 0 };
	size_t n = history->metrics.n;

	measure_add_name(&name, m);
	it->metric = history_find(history, str_text(&name));
	if (it->metric == n)
		it->metric = history_gates_find_match(history, str_text(&name), NAME_ALIAS);
	it->last = it->metric < n ? history->entries[history->n - 1].values[it->metric] : NAN;
	return name.failed ? -ENOMEM : 0;
}

static void history_gates_note_reference(const struct history_gates *g, const struct options *o,
					 const char *command)
{
	const struct history_entry *last = &g->history.entries[g->history.n - 1];
	cleanup_free char *line = str_one_line(command);

	if (line && strcmp(last->command, line) != 0)
		note_print(o, "--history %s: the last entry is of another command, '%s'",
			   o->compare_options.history, last->command);

	note_print(o,
		   "compared with the last entry of %s%s%s, which is one number: "
		   "the intervals are those of these runs alone",
		   o->compare_options.history, last->commit[0] ? ", commit " : "", last->commit);
}

/*
 * Print why the gate has the fixed limit, why it has no reference, and its outcome. Kept gates are
 * notes, the others are messages, as after a comparison. 0 or -ENOMEM.
 */
static int history_gates_print(const struct history_gates *g, const struct options *o,
			       const struct comparison *c, const struct gate *gate)
{
	static const struct text_style style = { .numbers = &num_plain, .ascii = true };
	cleanup_str struct str name = { 0 }, text = { 0 };
	struct tracked it;
	int err = history_gates_find_tracked(&it, &g->history, gate->row->of);

	measure_add_name(&name, gate->row->of);
	text_gate_add_sentence(&text, c, gate, &style);
	if (err < 0 || name.failed || text.failed)
		return -ENOMEM;
	history_gates_note_limit(o, str_text(&name), &gate->limit);
	if (isnan(it.last))
		note_print(o, "--history %s: the last entry has no '%s'",
			   o->compare_options.history, str_text(&name));
	else if (it.last <= 0)
		note_print(o, "'%s' is not above 0 in the last entry: a change has no percentage",
			   str_text(&name));
	if (gate->evidence.outcome == GATE_KEPT)
		note_print(o, "%s", str_text(&text));
	else
		message("%s", str_text(&text));
	return 0;
}

int history_gates_judge(struct history_gates *g, const struct options *o,
			const struct gate_list *gates, const struct table *table)
{
	const struct comparison_input input = { .confidence = o->compare_options.confidence,
						.gates = gates->v,
						.gates_n = gates->n,
						.gate_scaled = true,
						.math = &g->math };
	cleanup_with(comparison_release) struct comparison c = { 0 };
	cleanup_free double *references = calloc(table->n + 1, sizeof(*references));
	struct tracked it;
	int err = references ? 0 : -ENOMEM;

	for (size_t i = 0; err == 0 && i < table->n; i++) {
		err = history_gates_find_tracked(&it, &g->history, &table->v[i]);
		references[i] = it.last > 0 ? it.last : NAN;
	}
	if (err == 0)
		err = comparison_begin_exact(&c, &input, table, references);
	for (size_t i = 0; err == 0 && i < c.gates_n; i++) {
		struct gate *gate = &c.gates[i];
		const struct measure *m = gate->row->of;

		err = history_gates_find_tracked(&it, &g->history, m);
		if (gate->limit.source != LIMIT_FIXED)
			gate->limit = history_gate_limit(&g->history, it.metric, gate->request,
							 m->kind == OF_EVENT ? m->event : NULL);
	}
	if (err == 0)
		err = comparison_judge_gates(&c);
	if (err == 0)
		history_gates_note_reference(g, o, table->command);
	for (size_t i = 0; err == 0 && i < c.gates_n; i++)
		err = history_gates_print(g, o, &c, &c.gates[i]);
	g->outcome = comparison_outcome(&c, 0);
	return err;
}
