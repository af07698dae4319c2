/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A result that is written as a document, read, and written again loses nothing. Comparisons have
 * the same test in test_load_comparison.c.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/load.c" /* for its values of a JSON text */

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "document/schema.h"
#include "format/terminal/compare_text.h"
#include "stats/interval.h"
#include "unit/format/looks.h"
#include "unit/test.h"

/* ---- Everything in a document, as text. */

static const char *text_of(const char *text)
{
	return text ? text : "(none)";
}

static void add_list(struct str *out, const char *name, const struct str_list *list)
{
	str_addf(out, "%s:", name);
	for (size_t i = 0; i < list->n; i++)
		str_addf(out, " '%s'", list->v[i]);
	str_add(out, "\n");
}

static void add_known(struct str *out, const char *name, const struct known_int *setting)
{
	str_addf(out, "%s %d %d\n", name, setting->known, setting->known ? setting->value : 0);
}

static void add_provenance(struct str *out, const struct provenance *p)
{
	str_addf(out, "pstat %s libpfm4 %s seed %d %" PRIu64 "\n", text_of(p->pstat),
		 text_of(p->libpfm4), p->has_seed, p->seed);
	str_addf(out, "cwd %s zone %d host %s kernel %s machine %s cpu %s online %s\n",
		 text_of(p->cwd), p->zone_s, text_of(p->host), text_of(p->kernel),
		 text_of(p->machine), text_of(p->cpu_model), text_of(p->cpus_online));
	add_list(out, "argv", &p->argv);
	add_list(out, "pmus", &p->pmus);
	add_list(out, "governors", &p->governors);
	add_known(out, "turbo", &p->turbo);
	add_known(out, "aslr", &p->aslr);
	add_known(out, "paranoid", &p->paranoid);
}

static void add_settings(struct str *out, const struct series *series)
{
	str_addf(out, "subject %s started %lld split %d scaling %d min_running %.17g passes %zu\n",
		 series->subject, (long long)series->started, series->split, series->scaling,
		 series->min_running, series->passes_n);
	str_addf(out, "cpus %.17g cgroups %zu usage %d floor %" PRIu64 " null %d only_counted %d\n",
		 series->cpus, series->cgroups_n, series->has_usage, series->max_rss_floor_kib,
		 series->null_run, series->only_counted);
	str_addf(out, "interval %u summary %d\n", series->interval_ms, series->summary_asked);
}

static void add_attr(struct str *out, const struct event *event)
{
	str_add(out, "  attr");
	for (const struct attr_field *field = attr_fields; field->name; field++)
		if (field->role != ATTR_OPENING &&
		    !(event->probed && strcmp(field->name, "config1") == 0))
			str_addf(out, " %s %" PRIx64, field->name, field->get(event));
	str_add(out, "\n");
}

static void add_event(struct str *out, const struct event *event, const struct opening *opening)
{
	str_addf(out, "event '%s' %s pmu %s unit '%s' factor %.17g tool %d\n", event->name,
		 event->source, text_of(event->pmu), event->unit, event->factor, event->tool);
	if (event->tool == TOOL_NONE)
		add_attr(out, event);
	str_addf(out, "  full %s probed %s filter %s symbol %s cgroup %s cpus %s\n",
		 text_of(event->full_name), text_of(event->probed), text_of(event->filter),
		 text_of(event->symbol), text_of(event->cgroup), text_of(event->cpus));
	str_addf(out, "  merged %d implied %d snapshot %d modifiers %d\n", event->merged,
		 event->implied, event->snapshot, event->has_modifiers);
	str_addf(out, "  refused %d user_only %d apart %d first_only %d reason %s\n",
		 opening->refused, opening->user_only, opening->apart, opening->first_only,
		 text_of(opening->reason.text));
}

static void add_process(struct str *out, const struct process *process)
{
	str_addf(out, "process %d first %zu continues %d parent %zu of %zu depth %u sum %d\n",
		 process->pid, process->first, process->continues, process->parent,
		 process->processes_n, process->depth, process->with_children);
	str_addf(out, "  '%s' '%s' %" PRIu64 " %" PRIu64 " end %d %d\n", process->name,
		 text_of(process->command), process->start_ns, process->end_ns, process->end,
		 process->wait_status);
}

static void add_events(struct str *out, const struct series *series)
{
	const struct event_list *events = series->events;

	for (size_t i = 0; i < events->n; i++)
		add_event(out, &events->events[i], &series->openings[i]);
	for (size_t i = 0; i < events->groups_n; i++)
		str_addf(out, "group %s %zu %zu weak %d pass %zd\n",
			 text_of(events->groups[i].name), events->groups[i].first,
			 events->groups[i].n, events->groups[i].weak,
			 series->passes ? (ssize_t)series->passes[i] : -1);
	for (size_t i = 0; series->metrics && i < series->metrics->n; i++) {
		str_addf(out, "metric %s of", series->metrics->v[i].text);
		for (size_t k = 0; k < series->metrics->v[i].expression.events_n; k++)
			str_addf(out, " %zu", series->metrics->v[i].expression.events[k].index);
		str_add(out, "\n");
	}
	for (size_t i = 0; i < series->rows_n; i++)
		str_addf(out, "row %zu %zu %d '%s' %zu\n", series->rows[i].event,
			 series->rows[i].place_index,
			 series->places[series->rows[i].place_index].kind,
			 series->places[series->rows[i].place_index].label,
			 series->rows[i].counters);
	for (size_t i = 0; series->events->n && i < series->rows_n / series->events->n; i++)
		if (series->places[i].process)
			add_process(out, series->places[i].process);
}

static void add_readings(struct str *out, const struct reading *readings, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_addf(out, "  %d %" PRIu64 " %" PRIu64 " %" PRIu64 " estimate %d %.17g %.17g\n",
			 readings[i].state, readings[i].counts.raw, readings[i].counts.enabled_ns,
			 readings[i].counts.running_ns, readings[i].has_estimate,
			 readings[i].estimate.count, readings[i].estimate.half_width);
}

static void add_runs(struct str *out, const struct series *series)
{
	for (size_t i = 0; i < series->runs_n; i++) {
		str_addf(out, "run ended %d", series->runs[i].wait_status);
		for (enum tool_event tool = TOOL_NONE + 1; tool < TOOL_N; tool++)
			str_addf(out, " %" PRIu64, series->runs[i].tool[tool]);
		str_add(out, "\n");
		add_readings(out, series->runs[i].readings, series->rows_n);
	}
	for (size_t i = 0; i < series->intervals_n; i++) {
		const struct interval *interval = &series->intervals[i];

		str_addf(out, "interval of %zu at %" PRIu64 " late %zu took %" PRIu64 "\n",
			 interval->of_run, interval->at_ns, interval->missed,
			 interval->run.tool[TOOL_DURATION_TIME]);
		add_readings(out, interval->run.readings, series->rows_n);
	}
}

static void add_all(struct str *out, const struct series *series)
{
	add_settings(out, series);
	add_provenance(out, series->provenance);
	add_events(out, series);
	add_runs(out, series);
	assert_false(out->failed);
}

/* ---- Reading. */

static const struct result_look *json_look(void)
{
	return find_report_look("json");
}

static void load_json(struct saved *saved, char *json)
{
	cleanup_why struct why why = { 0 };
	FILE *in = fmemopen(json, strlen(json), "r");
	int err;

	assert_non_null(in);
	err = load_saved(saved, in, &why);
	fclose(in);
	if (err < 0)
		fail_msg("%s in:\n%s", why_text(&why, err), json);
	assert_false(saved->is_comparison);
}

static void check_same(const char *result, const char *what, const char *was, const char *is)
{
	size_t same = 0;

	if (strcmp(was, is) == 0)
		return;
	while (was[same] && was[same] == is[same])
		same++;
	same = same > 200 ? same - 200 : 0;
	fail_msg("%s, %s: was\n%.400s\nand is\n%.400s", result, what, was + same, is + same);
}

/* Check that everything in the document of f is read back, and that all formats show the same. */
static void check(const char *result, struct fixed *f)
{
	cleanup_free char *json = look_print_result(json_look(), f);
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_str struct str was = { 0 }, is = { 0 };
	struct fixed loaded = { 0 };

	load_json(&saved, json);
	loaded.series = saved.documents->series;
	loaded.intervals = loaded.series.intervals_n > 0 ? loaded.series.intervals : NULL;
	add_all(&was, &f->series);
	add_all(&is, &loaded.series);
	check_same(result, "what was read", str_text(&was), str_text(&is));
	for (const struct result_look *look = result_looks; look->name; look++) {
		cleanup_free char *before = look_print_result(look, f);
		cleanup_free char *after = look_print_result(look, &loaded);

		check_same(result, look->name, before, after);
	}
}

static void every_result_is_read_back_as_it_was(void **state)
{
	for (const struct fixed_result *result = fixed_result; result->name; result++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };

		fixed_make(&f, result);
		check(result->name, &f);
	}
}

/* The fields that few results have. */
static void unusual_settings_are_read_back(void **state)
{
	char prog[] = "prog", argument[] = "\xff\"\n", *words[] = { prog, argument };
	struct provenance provenance = { .pstat = (char[]){ "0.1" },
					 .argv = { words, N_OF(words), 0 },
					 .zone_s = -12600,
					 .cwd = (char[]){ "/tmp" } };
	cleanup_with(fixed_release) struct fixed f = { 0 };
	struct event *event;

	fixed_make(&f, find_fixed_result("five-runs"));
	f.series.provenance = &provenance;
	f.series.cpus = 3.5;
	f.series.max_rss_floor_kib = UINT64_C(9223372036854775809);
	f.series.min_running = 12.25;
	f.series.passes_n = 3;
	f.series.only_counted = true;
	event = &f.events.events[1];
	event->full_name = strdup("pmu::EVENT");
	event->probed = strdup("/bin/\xfe");
	event->filter = strdup("pid == 1");
	event->symbol = strdup("main");
	event->cpus = strdup("0,18");
	event->implied = true;
	event->snapshot = true;
	event->has_modifiers = true;
	event->config3 = 15;
	event->config4 = 16;
	event->attr.config = UINT64_MAX;
	event->attr.config2 = 7;
	event->attr.bp_type = 3;
	event->attr.precise_ip = 2;
	event->attr.exclude_hv = event->attr.exclude_idle = event->attr.exclude_guest = 1;
	f.openings[0].apart = f.openings[1].first_only = f.openings[2].user_only = true;
	f.openings[2].reason.text = strdup("no permission");
	f.events.groups[0].name = strdup("first");
	f.events.groups[0].weak = true;
	for (enum tool_event tool = TOOL_NONE + 1; tool < TOOL_N; tool++)
		f.runs[1].tool[tool] += 1000 + (unsigned int)tool;
	for (size_t i = 0; i < f.series.runs_n; i++) /* above the floor, or unknown */
		f.runs[i].tool[TOOL_MAX_RSS] = i == 0 ? UINT64_MAX : 0;
	f.runs[2].wait_status = 7 << 8;
	f.runs[3].wait_status = 15;
	check("unusual settings", &f);
}

/* ---- The summary, which is for other programs. */

static double number_in(const struct load_value *object, const char *key)
{
	return load_number(load_member(object, key), -1e300, 1e300);
}

/* present: the number is defined; otherwise it is null. */
static void check_number(const struct load_value *object, const char *key, bool present,
			 long double expected)
{
	double value;

	if (!present) {
		assert_non_null(load_member(object, key).value);
		assert_false(load_is_there(load_member(object, key)));
		return;
	}
	value = number_in(object, key);
	if (value != (double)expected)
		fail_msg("%s is %.17g, not %.17g", key, value, (double)expected);
}

static void check_distribution(const struct load_value *object, const struct summary *s)
{
	check_number(object, "n", true, s->n);
	check_number(object, "mean", s->n > 0, s->mean);
	check_number(object, "stddev", s->n > 1, summary_stddev(s));
	check_number(object, "stderr", s->n > 1, summary_stderr(s));
	check_number(object, "ci_half_width", s->n > 1,
		     interval_t(NULL, INTERVAL_CONFIDENCE, (double)s->n - 1) * summary_stderr(s));
	check_number(object, "median", s->n > 0, s->median);
	check_number(object, "min", s->n > 0, s->min);
	check_number(object, "max", s->n > 0, s->max);
}

/* The element of an array is this number, or null. */
static void check_value(const struct load_value *array, size_t i, bool present, double expected)
{
	const struct load_value value = load_element(array, i);

	assert_int_equal(load_is_there(value), present);
	if (present)
		assert_true(load_number(value, -1e300, 1e300) == expected);
}

static void check_values(const struct load_value *object, const struct table *result,
			 const struct measure *m)
{
	const struct load_value values = load_member(object, "values");

	assert_int_equal(load_is_there(values), result->runs_n > 1);
	if (result->runs_n < 2)
		return;
	assert_int_equal(load_length(values), result->runs_n);
	for (size_t run = 0; run < result->runs_n; run++)
		check_value(&values, run, !measure_absent(m->runs[run].state),
			    (double)m->runs[run].count);
}

static void check_text(const struct load_value *object, const char *key, const char *expected)
{
	cleanup_free char *text = load_text(load_member(object, key));

	assert_non_null(text);
	assert_string_equal(text, expected);
}

static void check_metrics(const struct load_value *object, const struct table *result,
			  const struct measure *row)
{
	struct load_value array = load_member(object, "metrics");

	assert_int_equal(load_length(array), row->metrics_n);
	for (size_t i = 0; i < row->metrics_n; i++) {
		struct load_value metric = load_element(&array, i);

		check_number(&metric, "value", true, row->metrics[i].value);
		check_text(&metric, "unit", row->metrics[i].unit);
		if (row->metrics[i].measure) {
			if (row->metrics[i].measure->unit[0])
				check_text(&metric, "value_unit", row->metrics[i].measure->unit);
			check_number(&metric, "decimals", true, row->metrics[i].measure->decimals);
			check_distribution(&metric, &row->metrics[i].measure->summary);
			check_values(&metric, result, row->metrics[i].measure);
		} else {
			assert_false(load_is_there(load_member(&metric, "n")));
		}
	}
}

static void check_row(const struct load_value *object, const struct table *result, size_t i)
{
	const struct measure *row = &result->v[i];

	check_number(object, "row", true, (long double)(row->row - result->series->rows));
	check_text(object, "name", row->name);
	check_text(object, "unit", row->event->unit);
	check_text(object, "state", schema_states[row->state]);
	check_number(object, "value", row->count.n > 0, row->value);
	check_number(object, "value_low", row->bounds.known, row->bounds.low);
	check_number(object, "value_high", row->bounds.known, row->bounds.high);
	if (row->count.n > 0)
		check_text(object, "estimator", schema_estimators[row->estimator]);
	else
		check_number(object, "estimator", false, 0);
	check_distribution(object, &row->count);
	check_number(object, "running_ns", true, row->running_ns);
	check_number(object, "running_percent", true, row->running_percent);
	check_values(object, result, row);
	check_metrics(object, result, row);
}

static void check_times(const struct load_value *summary, const struct table *result)
{
	const struct {
		const char *key;
		const struct summary *times;
		bool known;
	} rows[] = {
		{ "duration_time", &table_own(result, TOOL_DURATION_TIME)->summary, true },
		{ "user_time", &table_own(result, TOOL_USER_TIME)->summary,
		  result->series->has_usage },
		{ "system_time", &table_own(result, TOOL_SYSTEM_TIME)->summary,
		  result->series->has_usage },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct load_value object = load_member(summary, rows[i].key);

		assert_non_null(object.value);
		assert_int_equal(load_is_there(object), rows[i].known);
		if (rows[i].known)
			check_distribution(&object, rows[i].times);
	}
}

static void the_summary_has_every_number_of_the_result(void **state)
{
	for (const struct fixed_result *which = fixed_result; which->name; which++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };
		cleanup_with(table_release) struct table result = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_free char *json = NULL;
		struct load_value top, summary, rows;
		struct load load = { 0 };

		fixed_make(&f, which);
		json = look_print_result(json_look(), &f);
		assert_int_equal(table_build(&result, &f.series, NULL), 0);
		assert_int_equal(load_begin(&load, json, strlen(json), &top, &why), 0);
		summary = load_member(&top, "summary");
		rows = load_member(&summary, "rows");
		check_number(&summary, "runs", true, f.series.runs_n);
		check_times(&summary, &result);
		for (size_t i = 0; i < result.events_n; i++) {
			struct load_value row = load_element(&rows, i);

			check_row(&row, &result, i);
		}
		assert_int_equal(load_length(rows), result.events_n);
		assert_int_equal(load.err, 0);
		load_release(&load);
	}
}

/* ---- The finished numbers of a comparison. */

static const char *outcome_word(enum gate_outcome outcome)
{
	return outcome == GATE_KEPT ? "kept" : outcome == GATE_CROSSED ? "crossed" : "unclear";
}

static void check_compared_side(const struct load_value *object, const struct comparison_side *side,
				size_t runs_n)
{
	const struct load_value values = load_member(object, "values");
	const struct summary *s = &side->summary;

	check_number(object, "n", true, side->n);
	check_text(object, "state", schema_states[side->state]);
	check_number(object, "mean", side->n > 0, s->mean);
	check_number(object, "ci_half_width", comparison_has_half(side), side->half);
	check_number(object, "median", side->n > 0, s->median);
	check_number(object, "stddev", side->n > 1, summary_stddev(s));
	check_number(object, "min", side->n > 0, s->min);
	check_number(object, "max", side->n > 0, s->max);
	check_number(object, "outliers", true, side->outliers);
	assert_int_equal(load_length(values), runs_n);
	for (size_t run = 0, i = 0; run < runs_n; run++) {
		bool present = i < side->n && side->runs[i] == run;

		check_value(&values, run, present, present ? side->values[i++] : 0);
	}
}

static void check_contrast(const struct load_value *object, const struct comparison_row *row,
			   size_t side)
{
	const struct contrast *contrast = &row->contrasts[side];
	bool counted = row->sides[0].n > 0 && row->sides[side].n > 0;
	bool ratio = counted && !contrast->ratio.withheld;
	/* A number that is not finite is null. */
	const struct {
		const char *key;
		bool known;
		double value;
	} numbers[] = {
		{ "ratio", ratio, contrast->ratio.value },
		{ "ratio_low", ratio, contrast->ratio.low },
		{ "ratio_high", ratio, contrast->ratio.high },
		{ "difference", counted, contrast->difference.value },
		{ "difference_low", counted, contrast->difference.low },
		{ "difference_high", counted, contrast->difference.high },
		{ "p", counted, contrast->p },
		/* rows without a claim are not tested */
		{ "p_permutation", counted && row->claim != CLAIM_NONE, contrast->permutation.p },
	};

	check_number(object, "side", true, side);
	check_text(object, "verdict",
		   comparison_verdict(row, side) == VERDICT_NONE ?
			   "none" :
			   comparison_verdict_text(comparison_verdict(row, side)));
	for (size_t i = 0; i < N_OF(numbers); i++)
		check_number(object, numbers[i].key,
			     numbers[i].known && numbers[i].value - numbers[i].value == 0,
			     numbers[i].value);
}

static void check_compared_row(const struct load_value *object, const struct comparison *c,
			       const struct comparison_row *row)
{
	const size_t sides_n = c->input.sides_n;
	struct load_value sides = load_member(object, "sides");
	struct load_value contrasts = load_member(object, "contrasts");

	check_text(object, "name", row->of->name);
	check_text(object, "place", row->of->place->label);
	check_text(object, "unit", row->unit);
	check_number(object, "minimum_effect", true, row->minimum_effect);
	check_number(object, "decimals", true, row->decimals);
	assert_int_equal(load_bool(load_member(object, "asked")), row->claim != CLAIM_NONE);
	assert_int_equal(load_bool(load_member(object, "first")), row->claim == CLAIM_FIRST);
	assert_int_equal(load_bool(load_member(object, "shown")), row->shown);
	assert_int_equal(load_bool(load_member(object, "more_is_better")),
			 row->better == BETTER_MORE);
	assert_int_equal(load_length(sides), sides_n);
	assert_int_equal(load_length(contrasts), sides_n - 1);
	for (size_t i = 0; i < sides_n; i++) {
		struct load_value side = load_element(&sides, i);

		check_compared_side(&side, &row->sides[i], c->tables[i].runs_n);
	}
	for (size_t i = 1; i < sides_n; i++) {
		struct load_value contrast = load_element(&contrasts, i - 1);

		check_contrast(&contrast, row, i);
	}
}

static void check_outcomes(const struct load_value *top, const struct comparison *c)
{
	struct load_value outcomes = load_member(top, "outcomes");

	assert_int_equal(load_length(outcomes), c->gates_n);
	for (size_t i = 0; i < c->gates_n; i++) {
		struct load_value outcome = load_element(&outcomes, i);

		check_number(&outcome, "gate", true,
			     (long double)(c->gates[i].request - c->input.gates));
		check_number(&outcome, "row", true, (long double)(c->gates[i].row - c->rows));
		check_number(&outcome, "side", true, c->gates[i].side);
		check_text(&outcome, "outcome", outcome_word(c->gates[i].evidence.outcome));
	}
}

static void the_results_have_every_number_of_the_comparison(void **state)
{
	for (const struct fixed_comparison *which = fixed_comparisons; which->name; which++) {
		struct fixed_comparison *f = fixed_comparison_new(which);
		const struct comparison *c = f->comparison;
		cleanup_free char *json = look_print_comparison(find_comparison_look("json"), f);
		cleanup_why struct why why = { 0 };
		struct load load = { 0 };
		struct load_value top, results;

		assert_int_equal(load_begin(&load, json, strlen(json), &top, &why), 0);
		results = load_member(&top, "rows");
		assert_int_equal(load_length(results), c->rows_n);
		for (size_t i = 0; i < c->rows_n; i++) {
			struct load_value row = load_element(&results, i);

			check_compared_row(&row, c, &c->rows[i]);
		}
		check_outcomes(&top, c);
		assert_int_equal(load.err, 0);
		load_release(&load);
		fixed_comparison_free(f);
	}
}

static void print_saved(struct str *out, const struct comparison *c)
{
	for (size_t i = 0; i < c->rows_n; i++)
		str_addf(out, "%s claim %d shown %d verdict %d low %.17g\n", c->rows[i].of->name,
			 c->rows[i].claim, c->rows[i].shown, comparison_verdict(&c->rows[i], 1),
			 c->rows[i].contrasts[1].ratio.low);
	for (size_t i = 1; i < c->input.sides_n; i++) {
		static const struct num_style numbers = { .thousands = ",", .point = "." };
		static const struct text_style text = { .numbers = &numbers };

		text_add_conclusion(out, c, i, &text);
		str_add(out, "\n");
	}
}

/* What was asked for, and how the rounds ended, are part of the document: a saved comparison has the
 * same claims, verdicts, intervals and conclusions. */
static void a_saved_comparison_says_what_the_live_one_said(void **state)
{
	for (const struct fixed_comparison *which = fixed_comparisons; which->name; which++) {
		struct fixed_comparison *f = fixed_comparison_new(which);
		cleanup_free char *json = look_print_comparison(find_comparison_look("json"), f);
		cleanup_with(comparison_release) struct comparison c = { 0 };
		cleanup_with(saved_release) struct saved saved = { 0 };
		cleanup_str struct str live = { 0 }, again = { 0 };
		cleanup_why struct why why = { 0 };
		FILE *in = fmemopen(json, strlen(json), "r");
		int err;

		assert_non_null(in);
		err = load_saved(&saved, in, &why);
		fclose(in);
		if (err < 0)
			fail_msg("%s: %s", which->name, why_text(&why, err));
		assert_int_equal(saved.comparison.any_time, f->input.any_time);
		assert_int_equal(saved.comparison.all_rows, f->input.all_rows);
		assert_int_equal(saved.comparison.different_work.n, f->input.different_work.n);
		for (size_t i = 0; i < f->input.different_work.n; i++)
			assert_string_equal(saved.comparison.different_work.v[i],
					    f->input.different_work.v[i]);
		saved.comparison.math = &f->math;
		assert_int_equal(comparison_build(&c, &saved.comparison, &why), 0);
		print_saved(&live, f->comparison);
		print_saved(&again, &c);
		assert_string_equal(str_text(&again), str_text(&live));
		fixed_comparison_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_result_is_read_back_as_it_was),
		cmocka_unit_test(unusual_settings_are_read_back),
		cmocka_unit_test(the_summary_has_every_number_of_the_result),
		cmocka_unit_test(the_results_have_every_number_of_the_comparison),
		cmocka_unit_test(a_saved_comparison_says_what_the_live_one_said),
	};

	if (!dlopen("libjansson.so.4", RTLD_LAZY) || !dlopen("libRmath.so.1", RTLD_LAZY)) {
		printf("skipped: without jansson or libRmath\n");
		return 77;
	}
	return cmocka_run_group_tests_name("round_trip", tests, NULL, NULL);
}
