/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The document that pstat-comparison-1.schema.json describes: the reports of all sides, and how they are
 * compared, from which it is read back; and for other programs, what was found, which pstat itself
 * computes anew.
 */
#include "document/schema.h"
#include "document/write_result.h"
#include "result/comparison.h"

static void add_order(struct json_out *j, const struct comparison_input *input)
{
	if (!input->order) {
		json_null(j, "order");
		return;
	}
	json_array(j, "order", JSON_FILL);
	for (size_t i = 0; i < input->order_n; i++)
		json_unsigned(j, NULL, input->order[i]);
	json_end(j);
}

static void add_effects(struct json_out *j, const struct comparison_input *input)
{
	json_array(j, "effects", JSON_LINES);
	for (size_t i = 0; i < input->effects_n; i++) {
		const struct effect_request *effect = &input->effects[i];

		json_object(j, NULL, JSON_FILL);
		json_text(j, "name", effect->name);
		if (effect->minimum >= 0)
			json_number(j, "minimum", (long double)effect->minimum);
		else
			json_null(j, "minimum");
		json_bool(j, "more_is_better", effect->more_is_better);
		json_end(j);
	}
	json_end(j);
}

static void add_gates(struct json_out *j, const struct comparison_input *input)
{
	json_array(j, "gates", JSON_LINES);
	for (size_t i = 0; i < input->gates_n; i++) {
		const struct gate_request *gate = &input->gates[i];

		json_object(j, NULL, JSON_FILL);
		json_text(j, "text", gate->text);
		json_text(j, "name", gate->name);
		json_bool(j, "above", gate->above);
		json_bool(j, "relative", gate->relative);
		json_number(j, "limit", (long double)gate->limit.value);
		json_end(j);
	}
	json_end(j);
}

static void add_sides(struct json_out *j, const struct comparison *c)
{
	json_array(j, "sides", JSON_LINES);
	for (size_t i = 0; i < c->input.sides_n; i++) {
		json_object(j, NULL, JSON_LINES);
		json_text(j, "name", c->input.sides[i].name);
		json_add_result(j, "report", &c->results[i]);
		json_end(j);
	}
	json_end(j);
}

/* One that is not there is null. */
static void add_figure(struct json_out *j, const char *key, bool there, long double value)
{
	if (there)
		json_number(j, key, value);
	else
		json_null(j, key);
}

static void add_side_of_row(struct json_out *j, const struct comparison_side *side)
{
	const struct summary *s = &side->summary;

	json_object(j, NULL, JSON_FILL);
	json_unsigned(j, "n", side->n);
	json_string(j, "state", schema_states[side->state]);
	add_figure(j, "mean", side->n > 0, s->mean);
	add_figure(j, "half_interval", side->n > 1, (long double)side->half);
	add_figure(j, "median", side->n > 0, s->median);
	add_figure(j, "stddev", side->n > 1, (long double)summary_stddev(s));
	add_figure(j, "min", side->n > 0, s->min);
	add_figure(j, "max", side->n > 0, s->max);
	json_unsigned(j, "outliers", side->outliers);
	json_end(j);
}

static void add_contrast(struct json_out *j, const struct comparison_row *row, size_t side)
{
	const struct contrast *contrast = &row->contrasts[side];
	bool counted = row->sides[0].n > 0 && row->sides[side].n > 0;
	bool ratio = counted && !contrast->ratio.withheld;

	json_object(j, NULL, JSON_FILL);
	json_unsigned(j, "side", side);
	json_string(j, "word", comparison_verdict_text(comparison_verdict(row, side)));
	add_figure(j, "ratio", ratio, (long double)contrast->ratio.value);
	add_figure(j, "ratio_low", ratio, (long double)contrast->ratio.low);
	add_figure(j, "ratio_high", ratio, (long double)contrast->ratio.high);
	add_figure(j, "difference", counted, (long double)contrast->difference.value);
	add_figure(j, "difference_low", counted, (long double)contrast->difference.low);
	add_figure(j, "difference_high", counted, (long double)contrast->difference.high);
	add_figure(j, "p", counted, (long double)contrast->p);
	add_figure(j, "p_permutation", counted, (long double)contrast->permutation.p);
	json_end(j);
}

static void add_row(struct json_out *j, const struct comparison_row *row, size_t sides_n)
{
	json_object(j, NULL, JSON_LINES);
	json_text(j, "name", row->name);
	json_text(j, "place", row->place);
	json_text(j, "cgroup", row->cgroup);
	json_text(j, "unit", row->unit);
	json_bool(j, "more_is_better", row->better == BETTER_MORE);
	json_number(j, "minimum_effect", (long double)row->minimum_effect);
	json_array(j, "sides", JSON_LINES);
	for (size_t i = 0; i < sides_n; i++)
		add_side_of_row(j, &row->sides[i]);
	json_end(j);
	json_array(j, "contrasts", JSON_LINES);
	for (size_t i = 1; i < sides_n; i++)
		add_contrast(j, row, i);
	json_end(j);
	json_end(j);
}

static void add_outcomes(struct json_out *j, const struct comparison *c)
{
	static const char *const words[] = {
		[GATE_KEPT] = "kept",
		[GATE_CROSSED] = "crossed",
		[GATE_UNCLEAR] = "unclear",
	};

	json_array(j, "outcomes", JSON_LINES);
	for (size_t i = 0; i < c->gates_n; i++) {
		json_object(j, NULL, JSON_FILL);
		json_unsigned(j, "gate", (uint64_t)(c->gates[i].request - c->input.gates));
		json_unsigned(j, "row", (uint64_t)(c->gates[i].row - c->rows));
		json_unsigned(j, "side", c->gates[i].side);
		json_string(j, "outcome", words[c->gates[i].evidence.outcome]);
		json_end(j);
	}
	json_end(j);
}

static int json_write(const struct comparison *c, const struct comparison_style *style, FILE *out)
{
	const struct comparison_input *input = &c->input;
	struct json_out j = { .out = out };

	(void)style;
	json_object(&j, NULL, JSON_LINES);
	json_string(&j, "schema", SCHEMA_COMPARISON_NAME);
	json_int(&j, "version", SCHEMA_COMPARISON_VERSION);
	json_number(&j, "confidence", (long double)input->confidence);
	json_unsigned(&j, "seed", input->seed);
	json_bool(&j, "paired", input->paired);
	json_bool(&j, "gate_scaled", input->gate_scaled);
	add_order(&j, input);
	add_effects(&j, input);
	add_gates(&j, input);
	add_sides(&j, c);
	json_array(&j, "results", JSON_LINES);
	for (size_t i = 0; i < c->rows_n; i++)
		add_row(&j, &c->rows[i], input->sides_n);
	json_end(&j);
	add_outcomes(&j, c);
	json_end(&j);
	return json_finish(&j);
}

const struct comparison_format comparison_json = { .name = "json", .write = json_write };
