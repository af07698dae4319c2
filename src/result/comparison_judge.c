/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdicts of a comparison's rows, then the gates of --fail-if. All contrasts are computed
 * before the first verdict.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "result/comparison.h"

enum { FAMILY = 1 }; /* each row has its own error probability */

static int judge_side(struct comparison *c, struct comparison_row *row, size_t side)
{
	cleanup_with(comparison_samples_release) struct comparison_samples s = { 0 };
	double alpha = 1 - c->input.confidence;
	const struct contrast_goal goal = { alpha, FAMILY, COMPARISON_POWER };
	struct contrast_input in;
	int err;

	contrast_judge(&row->contrasts[side], alpha / FAMILY);
	if (row->contrasts[side].change != CHANGE_UNCLEAR)
		return 0;
	err = comparison_samples(&s, row, side, &c->input, &in);
	if (err < 0)
		return err;
	row->sides[side].runs_needed =
		contrast_runs_for_verdict(&in, c->input.math, &goal, s.scratch);
	return 0;
}

static int judge_rows(struct comparison *c)
{
	int err = 0;

	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t side = 1; err == 0 && side < c->input.sides_n; side++)
			err = judge_side(c, &c->rows[i], side);
	return err;
}

/* ---- Gates. */

/* Whether the row has this name, or had this name before the event was restricted to user mode. */
static bool is_named(const struct comparison_row *row, const char *name, bool narrowed)
{
	size_t n = strlen(name);

	if (!narrowed)
		return strcmp(row->name, name) == 0;
	return strncmp(row->name, name, n) == 0 &&
	       (strcmp(row->name + n, ":u") == 0 || strcmp(row->name + n, "u") == 0);
}

/* Whether an earlier row of this name has the same place and cgroup. */
static bool is_repeated(const struct comparison *c, size_t row, const char *name, bool narrowed)
{
	const struct comparison_row *it = &c->rows[row];

	for (size_t i = 0; i < row; i++)
		if (is_named(&c->rows[i], name, narrowed) &&
		    strcmp(c->rows[i].place, it->place) == 0 &&
		    str_equal(c->rows[i].cgroup, it->cgroup))
			return true;
	return false;
}

static int no_such_row(const struct comparison *c, const struct gate_request *request,
		       struct why *why)
{
	cleanup_str struct str names = { 0 };

	for (size_t i = 0; i < c->rows_n; i++)
		str_addf(&names, "%s%s", i ? ", " : "", c->rows[i].name);
	return why_set(why, -ENOENT, "--fail-if '%s': '%s' is not compared; choose from %s",
		       request->text, request->name, str_text(&names));
}

static int state_of(const struct comparison *c, const struct gate *gate)
{
	const struct comparison_side *reference = &gate->row->sides[0];
	const struct comparison_side *side = &gate->row->sides[gate->side];
	const struct contrast *contrast = &gate->row->contrasts[gate->side];

	if (reference->n == 0 || side->n == 0)
		return GATE_ABSENT;
	if ((reference->scaled || side->scaled) && !c->input.gate_scaled)
		return GATE_SCALED;
	return contrast->limit_floor <= 1 - c->input.confidence ? GATE_JUDGED : GATE_TOO_FEW;
}

/*
 * The distance of the observed ratio from the limit, as a share. It is the effect that the runs
 * have to show.
 */
static double distance(const struct gate *gate)
{
	const struct gate_request *request = gate->request;
	const struct contrast *contrast = &gate->row->contrasts[gate->side];
	double reference = (double)gate->row->sides[0].summary.mean;
	double limit = request->relative ?
			       1 + request->limit.value :
			       1 + request->limit.value / (reference > 0 ? reference : 1);
	double ratio = contrast->ratio.value;

	if (contrast->ratio.withheld || limit <= 0 || ratio <= 0)
		return 0;
	return (ratio > limit ? ratio / limit : limit / ratio) - 1;
}

/*
 * The smallest p of the permutation test has to reach the smallest level of Holm's method for
 * gates_n gates.
 */
static int gather_evidence(const struct comparison *c, struct gate *gate, size_t gates_n)
{
	const struct gate_request *request = gate->request;
	const struct contrast_limit beyond = { request->limit.value, request->relative,
					       request->above };
	const struct contrast_limit within = { request->limit.value, request->relative,
					       !request->above };
	const struct math *math = c->input.math;
	const double alpha = (1 - c->input.confidence) / 2;
	cleanup_with(comparison_samples_release) struct comparison_samples s = { 0 };
	struct contrast_input in;
	int err = comparison_samples(&s, gate->row, gate->side, &c->input, &in);

	if (err < 0)
		return err;
	gate->evidence = (struct gate_evidence){
		.p_crossed = contrast_evidence_beyond(&in, math, &beyond, alpha,
						      alpha / (double)gates_n, s.scratch),
		.p_kept = contrast_evidence_beyond(&in, math, &within, alpha, alpha, s.scratch),
	};
	gate->disagree = gate->evidence.p_crossed > alpha && gate->evidence.p_kept > alpha &&
			 (contrast_p_beyond(&in, math, &beyond, s.scratch) <= alpha ||
			  contrast_p_beyond(&in, math, &within, s.scratch) <= alpha);
	/*
	 * Both p are 1 if a constant value equals the limit, because the value is not beyond the
	 * limit.
	 */
	if (gate->evidence.p_crossed >= 1 && gate->evidence.p_kept >= 1)
		gate->evidence.p_kept = 0;
	return 0;
}

/* Set the number of runs for a one-sided p of at most level. */
static int predict(const struct comparison *c, struct gate *gate, double level)
{
	cleanup_with(comparison_samples_release) struct comparison_samples s = { 0 };
	const struct contrast_goal goal = { 2 * level, 1, COMPARISON_POWER };
	struct contrast_input in;
	int err = comparison_samples(&s, gate->row, gate->side, &c->input, &in);

	if (err < 0)
		return err;
	gate->runs_least = contrast_runs_least(&in, 2 * level);
	if (gate->state == GATE_JUDGED)
		gate->runs_needed =
			contrast_runs_needed(&in, c->input.math, distance(gate), &goal, s.scratch);
	return 0;
}

/* Explain an unclear gate that was judged together with others. n: the number of judged gates. */
static int explain(const struct comparison *c, struct gate *gate, double level, size_t n)
{
	if (n > 1 && gate->evidence.p_crossed <= (1 - c->input.confidence) / 2)
		gate->limits_n = n;
	return predict(c, gate, level);
}

/* Set the outcomes of the judged gates, and the runs that the other gates need. */
static int set_outcomes(struct comparison *c, const struct gate_evidence *evidence, size_t n)
{
	size_t judged = 0;
	int err = 0;

	for (size_t i = 0; err == 0 && i < c->gates_n; i++) {
		struct gate *gate = &c->gates[i];

		gate->evidence.outcome = GATE_UNCLEAR;
		if (gate->state == GATE_TOO_FEW)
			err = predict(c, gate, (1 - c->input.confidence) / 2 / (double)c->gates_n);
		if (gate->state != GATE_JUDGED)
			continue;
		gate->evidence = evidence[judged];
		if (gate->evidence.outcome == GATE_UNCLEAR)
			err = explain(c, gate,
				      gates_level(evidence, n, c->input.confidence, judged), n);
		judged++;
	}
	return err;
}

/* Fill evidence for the judged gates, in their order. */
static int gather_all(struct comparison *c, struct gate_evidence *evidence, size_t n)
{
	size_t judged = 0;
	int err = 0;

	for (size_t i = 0; err == 0 && i < c->gates_n; i++) {
		if (c->gates[i].state != GATE_JUDGED)
			continue;
		err = gather_evidence(c, &c->gates[i], n);
		evidence[judged++] = c->gates[i].evidence;
	}
	return err;
}

/* Holm's method takes only the gates that can be judged. */
static int judge_gates(struct comparison *c)
{
	cleanup_free struct gate_evidence *evidence = calloc(c->gates_n + 1, sizeof(*evidence));
	cleanup_free size_t *order = calloc(c->gates_n + 1, sizeof(*order));
	size_t n = 0;
	int err;

	if (!evidence || !order)
		return -ENOMEM;
	for (size_t i = 0; i < c->gates_n; i++)
		n += c->gates[i].state == GATE_JUDGED;
	err = gather_all(c, evidence, n);
	if (err < 0)
		return err;
	gates_judge(evidence, n, c->input.confidence, order);
	return set_outcomes(c, evidence, n);
}

static int add_gate(struct comparison *c, const struct gate_request *request,
		    const struct comparison_row *row, size_t side)
{
	struct gate *gate;

	if (array_grow(&c->gates, c->gates_n, &c->gates_size, sizeof(*c->gates)) < 0)
		return -ENOMEM;
	gate = &c->gates[c->gates_n++];
	*gate = (struct gate){ .request = request, .side = side, .row = row };
	gate->state = state_of(c, gate);
	return 0;
}

/* Add a gate for each row with the name: there is one row for each place. */
static int add_gates(struct comparison *c, const struct gate_request *request, bool narrowed)
{
	int err = 0;

	for (size_t i = 0; i < c->rows_n; i++) {
		if (!is_named(&c->rows[i], request->name, narrowed) ||
		    is_repeated(c, i, request->name, narrowed))
			continue;
		for (size_t side = 1; err == 0 && side < c->input.sides_n; side++)
			err = add_gate(c, request, &c->rows[i], side);
	}
	return err;
}

int comparison_judge(struct comparison *c, struct why *why)
{
	const struct comparison_input *input = &c->input;
	int err = judge_rows(c);

	for (size_t i = 0; err == 0 && i < input->gates_n; i++) {
		size_t before = c->gates_n;

		err = add_gates(c, &input->gates[i], false);
		if (err == 0 && c->gates_n == before)
			err = add_gates(c, &input->gates[i], true);
		if (err == 0 && c->gates_n == before)
			err = no_such_row(c, &input->gates[i], why);
	}
	return err < 0 ? err : judge_gates(c);
}

enum gate_outcome comparison_outcome(const struct comparison *c)
{
	enum gate_outcome outcome = GATE_KEPT;

	for (size_t i = 0; i < c->gates_n; i++) {
		if (c->gates[i].evidence.outcome == GATE_CROSSED)
			return GATE_CROSSED;
		if (c->gates[i].evidence.outcome == GATE_UNCLEAR)
			outcome = GATE_UNCLEAR;
	}
	return outcome;
}
