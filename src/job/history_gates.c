/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/why.h"
#include "document/history_csv.h"
#include "format/terminal/compare_text.h"
#include "job/history_gates.h"
#include "job/loading.h"
#include "options/file_name.h"
#include "output/message.h"
#include "output/notes.h"
#include "stats/estimate.h"
#include "stats/noise.h"

/* ---- Reading the history. */

static int is_history_document(const struct dirent *entry)
{
	return file_name_is_document(entry->d_name);
}

enum left_out { ADDED, FAILED_COMMAND, REMOVED };

/* Whether the file was removed from the folder. A link to a missing file is still there. */
static bool is_removed(const char *path)
{
	struct stat st;

	return errno == ENOENT && lstat(path, &st) < 0 && errno == ENOENT;
}

/* Add one document. Returns a value of enum left_out, or -errno after a message. */
static int add_document(struct history *history, const struct options *o, const char *path)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_with(table_release) struct table result = { 0 };
	const char *trouble;
	FILE *in = fopen(path, "re");
	int err = -errno;

	if (!in && is_removed(path))
		return REMOVED;
	if (!in) {
		message("--history %s: %s", path, strerror(-err));
		return err;
	}
	err = loading_stream(&saved, "--history", path, in);
	fclose(in);
	if (err < 0)
		return err;
	trouble = saved.is_comparison ? "a comparison, not a result of one command" :
					options_history_trouble(saved.documents->series.split);
	if (trouble) {
		message("--history %s: %s", path, trouble);
		return -EINVAL;
	}
	if (series_has_failed(&saved.documents->series) && !o->ignore_failure)
		return FAILED_COMMAND;
	err = table_build(&result, &saved.documents->series, NULL);
	if (err == 0)
		err = history_add_table(history, &result);
	return err < 0 ? message_no_memory() : ADDED;
}

static int read_folder(struct history *history, const struct options *o)
{
	const char *folder = o->compare_options.history;
	struct dirent **names;
	int n = scandir(folder, &names, is_history_document, alphasort), err = 0;
	int left_out[REMOVED + 1] = { 0 };

	if (n < 0) {
		err = -errno;
		message("--history %s: %s", folder, strerror(-err));
		return err;
	}
	for (int i = 0; i < n; i++) {
		cleanup_str struct str path = { 0 };

		str_addf(&path, "%s/%s", folder, names[i]->d_name);
		if (err >= 0)
			err = path.failed ? message_no_memory() :
					    add_document(history, o, str_text(&path));
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
	if (n == left_out[REMOVED]) {
		message("--history %s: the folder has no documents (*.json)", folder);
		return -EINVAL;
	}
	history_sort(history);
	return 0;
}

static int read_csv(struct history *history, const char *path)
{
	cleanup_why struct why why = { 0 };
	struct stat before;
	FILE *in = fopen(path, "re");
	int err = in ? 0 : -errno;

	if (in) {
		loading_begin(in, &before);
		err = history_csv_load(in, history, &why);
		if (loading_end(in, &before, "--history", path) < 0) {
			fclose(in);
			return -EAGAIN;
		}
		fclose(in);
	}
	if (err < 0)
		message("--history %s: %s", path, why_text(&why, err));
	return err;
}

/* The number of entries whose command differs from that of the last entry. */
static size_t count_other_commands(const struct history *history)
{
	size_t n = 0;

	for (size_t i = 0; i + 1 < history->n; i++)
		n += strcmp(history->entries[i].command,
			    history->entries[history->n - 1].command) != 0;
	return n;
}

int history_open(struct history *history, const struct options *o)
{
	const char *path = o->compare_options.history;
	struct stat st;
	int err = stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? read_folder(history, o) :
								read_csv(history, path);
	size_t others = err == 0 ? count_other_commands(history) : 0;

	if (others > 0)
		note_print(o, "--history %s: %zu of %zu entries are of other commands than '%s'",
			   path, others, history->n, history->entries[history->n - 1].command);
	return err;
}

/* ---- The limits of the gates. */

/* The metric of this name. history->metrics.n: there is none. */
static size_t find_match(const struct history *history, const char *name, enum name_match match)
{
	cleanup_free char *line = str_one_line(name);
	size_t i = 0;

	while (i < history->metrics.n &&
	       (!line || !comparison_is_named(history->metrics.v[i], line, match)))
		i++;
	return i;
}

/* The metric of a gate, which is found in the same way as the row of a comparison. */
static size_t history_metric_of_gate(const struct history *history, const char *name)
{
	size_t n = history->metrics.n, found = n;

	for (enum name_match match = NAME_EXACT; found == n && match < NAME_MATCHES_N; match++)
		found = find_match(history, name, match);
	return found;
}

/* The metric of a row of the new result. */
static size_t find_metric_of_row(const struct history *history, const char *name)
{
	size_t found = history_find(history, name);

	return found < history->metrics.n ? found : find_match(history, name, NAME_ALIAS);
}

static void note_limit(const struct options *o, const char *name, const struct limit *limit)
{
	if (limit->source == LIMIT_FALLBACK)
		note_print(
			o,
			"--history %s: too little history of '%s' (%zu of %d changes): the fixed limit applies",
			o->compare_options.history, name, limit->changes_n, NOISE_CHANGES_MIN);
}

/* With fewer runs, equal counts prove nothing. */
enum { RUNS_LEAST = 3 };

int history_gates_init(struct history_gates *g, const struct options *o)
{
	const struct compare_options *c = &o->compare_options;
	cleanup_why struct why why = { 0 };
	bool one_command = o->job == JOB_COUNT && !options_is_comparison(o);
	int err;

	if (!c->history)
		return 0;
	for (size_t i = 0; i < c->gates_n; i++)
		if (!c->gates[i].relative) {
			message("--history needs limits in percent, not --fail-if '%s'",
				c->gates[i].text);
			return -EINVAL;
		}
	err = history_open(&g->history, o);
	if (err < 0)
		return err;
	if (one_command && g->history.n == 0) {
		message("--history %s: no entries, so there is nothing to compare with",
			c->history);
		return -EINVAL;
	}
	if (one_command && o->repeat > 0 && o->repeat < RUNS_LEAST) {
		message("--history needs at least %d runs to judge a gate; give -r 5", RUNS_LEAST);
		return -EINVAL;
	}
	g->requests = calloc(c->gates_n + 1, sizeof(*g->requests));
	if (!g->requests)
		return message_no_memory();
	for (size_t i = 0; i < c->gates_n; i++) {
		struct gate_request *gate = &g->requests[i];

		*gate = c->gates[i];
		if (one_command)
			continue;
		history_set_limit(&g->history, history_metric_of_gate(&g->history, gate->name),
				  gate);
		note_limit(o, gate->name, &gate->limit);
	}
	err = one_command ? rmath_load(&g->math, &why) : 0;
	if (err < 0)
		message("%s", why_text(&why, err));
	return err;
}

void history_gates_release(struct history_gates *g)
{
	history_release(&g->history);
	free(g->requests);
}

/* ---- The gates of one command. */

/* A gate on one row of the result. The texts of comparisons need a row with two sides. */
struct tracked_gate {
	struct gate_request request;
	struct comparison_side sides[2]; /* the last entry, and the new runs */
	struct contrast contrasts[2];
	struct comparison_row row;
	struct str name;
	struct gate gate;
	const struct measure *measure;
};

struct tracked_gates {
	struct tracked_gate *v; /* owned */
	size_t n;
};

static void tracked_gates_release(struct tracked_gates *gates)
{
	for (size_t i = 0; i < gates->n; i++)
		str_release(&gates->v[i].name);
	free(gates->v);
}

/* Whether a gate with this name is on the measure. */
static bool is_gated(const struct table *table, const struct measure *m, const char *name)
{
	for (enum name_match match = NAME_EXACT; match < NAME_MATCHES_N; match++)
		for (size_t i = 0; i < table->n; i++)
			if (table->v[i].listed &&
			    comparison_is_named(table->v[i].name, name, match))
				return comparison_is_named(m->name, name, match);
	return false;
}

/*
 * The change of the new mean from the value of the last entry, which is a single number: the
 * interval is that of the new runs alone.
 */
static struct estimate change_of(const struct measure *m, double reference)
{
	const size_t n = m->summary.n;
	double half = n > 1 ? estimate_t((double)n - 1) * summary_stderr(&m->summary) : 0;
	double value = (double)m->value;

	return (struct estimate){ .value = value / reference,
				  .low = (value - half) / reference,
				  .high = (value + half) / reference,
				  .method = half > 0 ? ESTIMATE_T : ESTIMATE_POINT };
}

/* The one-sided p values of the t test whether the mean equals the limit. */
static void tracked_gate_evidence(struct tracked_gate *it, const struct math *math)
{
	const struct summary *runs = &it->measure->summary;
	double reference = (double)it->sides[0].summary.mean, error = summary_stderr(runs);
	double limit = reference * (1 + it->request.limit.value), df = (double)runs->n - 1;
	double over = (double)it->measure->value - limit;
	struct gate_evidence *evidence = &it->gate.evidence;
	double above = over > 0 ? 0 : 1, below = over > 0 ? 1 : 0; /* if all runs are equal */

	if (error > 0) {
		above = math->pt(over / error, df, 0, 0);
		below = math->pt(over / error, df, 1, 0);
	} else if (!(over > 0) && !it->request.above) {
		above = over < 0 ? 1 : 0;
		below = over < 0 ? 0 : 1;
	}
	evidence->p_crossed = it->request.above ? above : below;
	evidence->p_kept = it->request.above ? below : above;
}

static void fill_gate(struct tracked_gate *it, const struct history_gates *g,
		      const struct measure *m)
{
	size_t metric = find_metric_of_row(&g->history, str_text(&it->name));
	double reference = metric < g->history.metrics.n ?
				   g->history.entries[g->history.n - 1].values[metric] :
				   NAN;
	bool comparable = measure_is_known(m) && reference > 0;

	history_set_limit(&g->history, metric, &it->request);
	it->measure = m;
	it->row = (struct comparison_row){ .name = it->name.text,
					   .place = "",
					   .unit = m->unit,
					   .better = comparison_better_of(m->name),
					   .sides = it->sides,
					   .contrasts = it->contrasts };
	it->gate = (struct gate){ .request = &it->request,
				  .side = 1,
				  .row = &it->row,
				  .state = comparable ? GATE_JUDGED : GATE_ABSENT,
				  .evidence.outcome = GATE_UNCLEAR };
	if (!comparable)
		return;
	it->sides[0].summary.mean = reference;
	it->sides[1].n = m->summary.n;
	it->contrasts[1].by_ratio = true;
	it->contrasts[1].ratio = change_of(m, reference);
	if (m->summary.n < RUNS_LEAST) { /* interrupted, or not counted in each run */
		it->gate.state = GATE_TOO_FEW;
		it->gate.runs_least = RUNS_LEAST;
	} else {
		tracked_gate_evidence(it, &g->math);
	}
}

/* A gate for each request and each row of its name. The requests and rows stay where they are. */
static int make_gates(struct tracked_gates *gates, const struct history_gates *g, size_t requests_n,
		      const struct table *table)
{
	gates->v = calloc(requests_n * table->n + 1, sizeof(*gates->v));
	if (!gates->v)
		return -ENOMEM;
	for (size_t i = 0; i < requests_n; i++)
		for (size_t k = 0; k < table->n; k++) {
			struct tracked_gate *it = &gates->v[gates->n];
			const struct measure *m = &table->v[k];

			if (!m->listed || m->copy > 0 || !is_gated(table, m, g->requests[i].name))
				continue;
			gates->n++;
			it->request = g->requests[i];
			measure_add_name(&it->name, m);
			if (it->name.failed)
				return -ENOMEM;
			fill_gate(it, g, m);
		}
	return 0;
}

/* All gates share one probability of error, as in a comparison. */
static int tracked_gates_judge(struct tracked_gates *gates, double confidence)
{
	cleanup_free struct gate_evidence *evidence = calloc(gates->n + 1, sizeof(*evidence));
	cleanup_free size_t *order = calloc(gates->n + 1, sizeof(*order));
	size_t n = 0, judged = 0;

	if (!evidence || !order)
		return -ENOMEM;
	for (size_t i = 0; i < gates->n; i++)
		if (gates->v[i].gate.state == GATE_JUDGED)
			evidence[n++] = gates->v[i].gate.evidence;
	gates_judge(evidence, n, confidence, order);
	for (size_t i = 0; i < gates->n; i++)
		if (gates->v[i].gate.state == GATE_JUDGED)
			gates->v[i].gate.evidence = evidence[judged++];
	return 0;
}

static void note_reference(const struct history_gates *g, const struct options *o,
			   const char *command)
{
	const struct history_entry *last = &g->history.entries[g->history.n - 1];
	cleanup_free char *line = str_one_line(command);

	if (line && strcmp(last->command, line) != 0)
		note_print(o, "--history %s: the last entry is of another command, '%s'",
			   o->compare_options.history, last->command);

	note_print(
		o,
		"compared with the last entry of %s%s%s, which is one number: the intervals are those of these runs alone",
		o->compare_options.history, last->commit[0] ? ", commit " : "", last->commit);
}

/* Say why a gate has no reference. Its own line says "not counted". */
static void note_no_reference(const struct history_gates *g, const struct options *o,
			      const char *name)
{
	size_t metric = find_metric_of_row(&g->history, name);

	if (metric == g->history.metrics.n ||
	    isnan(g->history.entries[g->history.n - 1].values[metric]))
		note_print(o, "--history %s: the last entry has no '%s'",
			   o->compare_options.history, name);
	else if (g->history.entries[g->history.n - 1].values[metric] <= 0)
		note_print(o, "'%s' is not above 0 in the last entry: a change has no percentage",
			   name);
}

/* Kept gates are notes, the others are messages, as after a comparison. */
static int print_gate(const struct tracked_gate *it, const struct options *o)
{
	static const struct text_style style = { .numbers = &num_plain, .ascii = true };
	const struct comparison two_sides = { .input.sides_n = 2 };
	cleanup_str struct str text = { 0 };

	gate_add_sentence(&text, &two_sides, &it->gate, &style);
	if (text.failed)
		return -ENOMEM;
	if (it->gate.evidence.outcome == GATE_KEPT)
		note_print(o, "%s", str_text(&text));
	else
		message("%s", str_text(&text));
	return 0;
}

int history_gates_judge(struct history_gates *g, const struct options *o,
			const struct table *result)
{
	cleanup_with(tracked_gates_release) struct tracked_gates gates = { 0 };
	int err = make_gates(&gates, g, o->compare_options.gates_n, result);

	if (err == 0)
		err = tracked_gates_judge(&gates, o->compare_options.confidence);
	if (err == 0)
		note_reference(g, o, result->command);
	for (size_t i = 0; err == 0 && i < gates.n; i++) {
		const enum gate_outcome outcome = gates.v[i].gate.evidence.outcome;

		note_limit(o, str_text(&gates.v[i].name), &gates.v[i].request.limit);
		note_no_reference(g, o, str_text(&gates.v[i].name));
		err = print_gate(&gates.v[i], o);
		if (outcome == GATE_CROSSED || g->outcome != GATE_CROSSED)
			g->outcome = outcome == GATE_KEPT ? g->outcome : outcome;
	}
	return err;
}
