/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --compare: compare saved documents with the first of them. Nothing runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/why.h"
#include "job/compare.h"
#include "job/history_gates.h"
#include "job/jobs.h"
#include "job/loading.h"
#include "job/saved_metrics.h"
#include "job/sides.h"
#include "output/notes.h"
#include "output/outputs.h"
#include "stats/rmath.h"

/* The sides of the comparison: one for each saved result, and all sides of a saved comparison. */
struct saved_sides {
	struct side_input *v; /* owned; what they point to belongs to the documents */
	size_t n;
	struct str_list names; /* of each side */
	size_t *of; /* owned: for each side, the index of its document */
};

struct compare_files_job {
	const struct options *options;
	struct loading loading;
	struct saved_sides sides;
	struct history_gates history;
	struct gate_list gates;
	struct math math;
	struct effect_request
		*effects; /* owned: those of the document, then those of the options */
	struct outputs outputs;
	enum gate_outcome outcome;
};

/*
 * Gather the sides of all documents, which have to outlive them, in their order. A result is named
 * after its file, unless given, the argument of --names, has a name for each side; the sides of all
 * cases have the same names. 0; -EINVAL with why; -ENOMEM.
 */
static int compare_files_gather_sides(struct saved_sides *sides, const struct loading *loading,
				      const char *given, struct why *why)
{
	size_t n = 0, names_n;
	int err = 0;

	for (size_t i = 0; i < loading->n; i++)
		n += loading->v[i].n;
	names_n = loading->v[0].comparison.cases_n > 0 ? n / loading->v[0].comparison.cases_n : n;
	sides->v = calloc(n + 1, sizeof(*sides->v));
	sides->of = calloc(n + 1, sizeof(*sides->of));
	if (!sides->v || !sides->of)
		return -ENOMEM;
	for (size_t i = 0; i < loading->n; i++) {
		const struct saved *saved = &loading->v[i];

		for (size_t j = 0; err == 0 && j < saved->n; j++) {
			sides->v[sides->n].series = &saved->documents[j].series;
			sides->of[sides->n++] = i;
			if (saved->comparison.cases_n > 0) /* each case has sides of these names */
				err = str_list_add(&sides->names, saved->comparison.sides[j].name);
			else
				err = sides_add_name(&sides->names,
						     saved->is_comparison ?
							     saved->comparison.sides[j].name :
							     file_name_shown(loading->paths[i]));
		}
	}
	if (err == 0 && given) {
		str_list_release(&sides->names);
		err = sides_read_names(&sides->names, given, why);
		if (err == 0 && sides->names.n != names_n)
			err = why_set(why, -EINVAL,
				      "--names %s: needs %zu names, one for each side (%zu given)",
				      given, names_n, sides->names.n);
	}
	for (size_t i = 0; err == 0 && i < sides->n; i++)
		sides->v[i].name = sides->names.v[i % sides->names.n];
	return err;
}

static void compare_files_release(struct compare_files_job *job)
{
	free(job->effects);
	free(job->gates.v);
	str_list_release(&job->sides.names);
	free(job->sides.v);
	free(job->sides.of);
	history_gates_release(&job->history);
	loading_release(&job->loading);
	outputs_release(&job->outputs);
}

/* A saved comparison keeps its settings and rounds, unless the options change them. 0 or
 * -ENOMEM. */
static int compare_files_make_input(struct compare_files_job *job, struct comparison_input *input)
{
	const struct compare_options *c = &job->options->compare_options;

	*input = options_comparison_input(c);
	if (job->loading.n == 1) {
		*input = job->loading.v[0].comparison;
		if (c->has_confidence)
			input->confidence = c->confidence;
		if (c->has_seed)
			input->seed = c->seed;
		input->gate_scaled |= c->gate_scaled;
		if (c->rows != ROWS_AUTO)
			input->all_rows = c->rows == ROWS_ALL;
		job->effects = calloc(input->effects_n + c->effects_n + 1, sizeof(*job->effects));
		if (!job->effects)
			return -ENOMEM;
		/* if a row has several effects, the last one wins: those of the options */
		for (size_t i = 0; i < input->effects_n; i++)
			job->effects[i] = input->effects[i];
		for (size_t i = 0; i < c->effects_n; i++)
			job->effects[input->effects_n++] = c->effects[i];
		input->effects = job->effects;
	}
	input->sides = job->sides.v;
	input->sides_n = job->sides.n;
	input->math = &job->math;
	if (job->gates.n > 0) {
		input->gates = job->gates.v;
		input->gates_n = job->gates.n;
	}
	return 0;
}

/* Whether a saved result has a value for a gate on this name. 0, 1 or -ENOMEM. */
static int compare_files_has_value_of(const struct series *series, const char *name)
{
	cleanup_with(table_release) struct table table = { 0 };
	int err = table_build(&table, series, NULL);

	for (enum name_match match = NAME_EXACT; err == 0 && match < NAME_MATCHES_N; match++)
		for (size_t i = 0; i < table.n; i++)
			if (measure_is_known(&table.v[i]) &&
			    comparison_is_named(table.v[i].name, name, match))
				return 1;
	return err;
}

/* Whether all sides have a value for a gate on this name. 0, 1 or -ENOMEM. */
static int compare_files_is_gate_known(const struct saved_sides *sides, const char *name)
{
	int known = 1;

	for (size_t i = 0; known == 1 && i < sides->n; i++)
		known = compare_files_has_value_of(sides->v[i].series, name);
	return known;
}

/* The gates of the options, of alternatives the first that all sides have. 0 or -ENOMEM. */
static int compare_files_choose_gates(struct compare_files_job *job)
{
	const struct compare_options *c = &job->options->compare_options;
	struct gate_list *gates = &job->gates;
	int known = 0;

	gates->v = calloc(c->gates_n + 1, sizeof(*gates->v));
	if (!gates->v)
		return -ENOMEM;
	for (size_t i = 0; i < c->gates_n; i++) {
		bool has_more = i + 1 < c->gates_n && c->gates[i + 1].is_alternative;

		if (known == 1 && c->gates[i].is_alternative)
			continue;
		known = compare_files_is_gate_known(&job->sides, c->gates[i].name);
		if (known < 0)
			return known;
		if (known == 0 && has_more)
			continue;
		gates->v[gates->n++] = c->gates[i];
		if (c->gates[i].is_alternative && known == 1)
			note_print(job->options,
				   "the gate is '%s', because a file lacks those before it",
				   c->gates[i].text);
	}
	history_gates_set_limits(&job->history, job->options, gates,
				 &job->loading.v[0].documents->events);
	return 0;
}

static int compare_files_check_effects(const struct comparison *c,
				       const struct compare_options *options, struct why *why)
{
	for (size_t i = 0; i < options->effects_n; i++) {
		const struct effect_request *effect = &options->effects[i];

		if (effect->name && comparison_closest_match(c, effect->name) == NAME_MATCHES_N)
			return why_set(why, -ENOENT, "%s: '%s' is not compared: no document has it",
				       effect->more_is_better ? "--more-is-better" : "--min-effect",
				       effect->name);
	}
	return 0;
}

/* ---- Whether the files can be compared. */

/* Every comparison has the rows of pstat's own times and of max_rss. */
static bool compare_files_is_in_all_files(const struct event *event)
{
	return event->tool != TOOL_NONE && event->tool <= TOOL_MAX_RSS;
}

static bool compare_files_is_same_event(const struct event *a, const struct event *b)
{
	for (enum name_match match = NAME_EXACT; match < NAME_MATCHES_N; match++)
		if (comparison_is_named(a->name, b->name, match) ||
		    comparison_is_named(b->name, a->name, match))
			return true;
	return false;
}

/* Whether two results have an event in common, or one of them has only pstat's own rows. */
static bool compare_files_have_common_event(const struct event_list *a, const struct event_list *b)
{
	bool has_own = a->n == 0 || b->n == 0;

	for (size_t i = 0; i < a->n; i++)
		has_own |= compare_files_is_in_all_files(&a->events[i]);
	for (size_t k = 0; k < b->n; k++) {
		has_own |= compare_files_is_in_all_files(&b->events[k]);
		for (size_t i = 0; i < a->n; i++)
			if (compare_files_is_same_event(&a->events[i], &b->events[k]))
				return true;
	}
	return has_own;
}

enum { NAMES_SHOWN = 4 };

/* Refuse files if no side has an event of the reference. 0; -EINVAL with why. */
static int compare_files_check_common_events(const struct saved_sides *sides, struct why *why)
{
	cleanup_str struct str text = { 0 };

	for (size_t side = 0; side < sides->n; side++) {
		const struct event_list *list = sides->v[side].series->events;
		cleanup_str struct str names = { 0 };

		if (side > 0 && compare_files_have_common_event(sides->v[0].series->events, list))
			return 0;
		for (size_t i = 0; i < list->n && i < NAMES_SHOWN; i++)
			str_add_listed(&names, list->events[i].name);
		str_addf(&text, "%s%s%s", side ? "; " : "", str_text(&names),
			 list->n > NAMES_SHOWN ? ", ..." : "");
	}
	return why_set(why, -EINVAL, "the files have no event in common: %s", str_text(&text));
}

/* The cases of a suite are those of one file. Gates on their mean need cases, and so does the
 * format. 0; -EINVAL with why. */
static int compare_files_check_cases(const struct compare_files_job *job, struct why *why)
{
	const struct compare_options *c = &job->options->compare_options;
	const struct loading *loading = &job->loading;

	for (size_t i = 0; loading->n > 1 && i < loading->n; i++)
		if (loading->v[i].comparison.cases_n > 0)
			return why_set(why, -EINVAL,
				       "--compare: %s has several cases; it can only be used alone",
				       file_name_shown(loading->paths[i]));
	for (size_t i = 0; loading->v[0].comparison.cases_n == 0 && i < c->gates_n; i++)
		if (c->gates[i].is_geomean)
			return why_set(why, -EINVAL,
				       "--fail-if '%s' needs a result with several cases",
				       c->gates[i].text);
	return outputs_check_cases(&job->outputs, loading->v[0].comparison.cases_n, why);
}

/* 0; -errno with why. */
static int compare_files_all(struct compare_files_job *job, struct why *why)
{
	const struct options *o = job->options;
	cleanup_with(suite_release) struct suite suite = { 0 };
	struct comparison_input input;
	int err = compare_files_make_input(job, &input);

	if (err == 0)
		err = suite_build(&suite, &input, why);
	if (err == 0)
		err = compare_files_check_effects(suite.cases, &o->compare_options, why);
	if (err == 0)
		err = outputs_open(&job->outputs, PRINT_RESULT, why);
	if (err < 0)
		return err;
	notes_print_gaps_of_sides(o, &suite);
	err = compare_print_differences(o, suite.cases, job->sides.of);
	if (err == 0)
		err = compare_write(&job->outputs, &suite);
	job->outcome = suite_outcome(&suite);
	return err;
}

int job_compare_files(const struct options *o)
{
	cleanup_with(compare_files_release) struct compare_files_job job = {
		.options = o, .outputs = OUTPUTS_OF(o)
	};
	cleanup_why struct why why = { 0 };
	int err = loading_all(&job.loading, "--compare", o->argv, &why);

	if (err == 0 && (o->requests_n > 0 || o->metrics_files.n > 0))
		err = saved_metrics_add(o, &job.loading, &why);
	if (err == 0)
		err = history_gates_init(&job.history, o, &why);
	for (size_t i = 0; err == 0 && i < job.loading.n; i++)
		err = loading_add_up_processes(&job.loading.v[i]);
	if (err == 0 && job.loading.n == 1 && !job.loading.v[0].is_comparison)
		err = why_set(
			&why, -EINVAL,
			"--compare: %s is not a comparison, and there is nothing to compare it with; "
			"give another FILE",
			file_name_shown(job.loading.paths[0]));
	if (err == 0)
		err = compare_files_check_cases(&job, &why);
	if (err == 0)
		err = rmath_load(&job.math, &why);
	if (err == 0)
		err = compare_files_gather_sides(&job.sides, &job.loading, o->compare_options.names,
						 &why);
	if (err == 0)
		err = compare_files_check_common_events(&job.sides, &why);
	if (err == 0)
		err = compare_files_choose_gates(&job);
	if (err == 0)
		err = compare_files_all(&job, &why);
	outputs_lose(&job.outputs, err, &why);
	return job.outputs.status ? job.outputs.status : compare_status(job.outcome);
}
