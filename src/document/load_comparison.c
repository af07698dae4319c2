/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison: its sides, each a whole report, and how they are compared. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "document/load_parts.h"

/* Of limits and minimum effects: what they and counts come to is a number still. */
#define LIMIT_MAX 1e100

static void load_sides(const struct load_value *top, struct saved *saved)
{
	const struct load_value sides = load_member(top, "sides");
	size_t n = load_length(sides);

	if (n < 2)
		load_refuse(&sides, "not two at least");
	saved->documents = calloc(n + 1, sizeof(*saved->documents));
	saved->sides = calloc(n + 1, sizeof(*saved->sides));
	if (!saved->documents || !saved->sides)
		load_no_memory(top->load);
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value side = load_element(&sides, i);
		const struct load_value result = load_member(&side, "report");

		saved->n = i + 1;
		saved->sides[i].name = load_text(load_member(&side, "name"));
		load_result(&result, &saved->documents[i]);
		saved->sides[i].input = document_input(&saved->documents[i]);
	}
}

/* Each run has its place, or the order is not known at all. */
static void check_order(const struct load_value *order, const struct saved *saved)
{
	cleanup_free size_t *runs = calloc(saved->n, sizeof(*runs));

	if (!runs) {
		load_no_memory(order->load);
		return;
	}
	for (size_t i = 0; i < saved->settings.order_n; i++)
		runs[saved->order[i]]++;
	for (size_t i = 0; i < saved->n; i++)
		if (runs[i] != saved->documents[i].settings.runs_n)
			load_refuse(order, "it has %zu runs of side %zu, and there are %zu",
				    runs[i], i, saved->documents[i].settings.runs_n);
}

static void load_order(const struct load_value *top, struct saved *saved)
{
	const struct load_value order = load_member(top, "order");
	size_t n = load_is_there(order) ? load_length(order) : 0;

	if (!load_is_there(order))
		return;
	saved->order = calloc(n + 1, sizeof(*saved->order));
	if (!saved->order)
		load_no_memory(top->load);
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value side = load_element(&order, i);

		saved->order[i] = load_size(side);
		if (saved->order[i] >= saved->n)
			load_refuse(&side, "there are %zu sides", saved->n);
	}
	saved->settings.order_n = n;
	if (top->load->err == 0)
		check_order(&order, saved);
}

/* Of a text that is the document's from now on; NULL after a trouble. */
static const char *keep_text(struct load *load, struct saved *saved, char *text)
{
	cleanup_free char *owned = text;

	if (!owned)
		return NULL;
	if (str_list_add(&saved->texts, owned) < 0) {
		load_no_memory(load);
		return NULL;
	}
	return saved->texts.v[saved->texts.n - 1];
}

static void load_effects(const struct load_value *top, struct saved *saved)
{
	const struct load_value effects = load_member(top, "effects");
	size_t n = load_length(effects);

	saved->effects = calloc(n + 1, sizeof(*saved->effects));
	if (!saved->effects)
		load_no_memory(top->load);
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value value = load_element(&effects, i);
		const struct load_value minimum = load_member(&value, "minimum");

		saved->effects[i] = (struct effect_request){
			.name = keep_text(top->load, saved,
					  load_text_or_null(load_member(&value, "name"))),
			.minimum = load_is_there(minimum) ? load_number(minimum, 0, LIMIT_MAX) : -1,
			.more_is_better = load_bool(load_member(&value, "more_is_better")),
		};
		saved->settings.effects_n = i + 1;
	}
}

static void load_gate(const struct load_value *value, struct saved *saved)
{
	const struct load_value limit = load_member(value, "limit");
	struct gate_request *gate = &saved->gates[saved->settings.gates_n++];

	*gate = (struct gate_request){
		.text = keep_text(value->load, saved, load_text(load_member(value, "text"))),
		.name = load_text(load_member(value, "name")),
		.above = load_bool(load_member(value, "above")),
		.relative = load_bool(load_member(value, "relative")),
	};
	gate->limit.value =
		load_number(limit, gate->above ? 0 : -LIMIT_MAX, gate->above ? LIMIT_MAX : 0);
	if (gate->relative && gate->limit.value <= -1)
		load_refuse(&limit, "no count is 100 %% or more below another");
}

static void load_gates(const struct load_value *top, struct saved *saved)
{
	const struct load_value gates = load_member(top, "gates");
	size_t n = load_length(gates);

	saved->gates = calloc(n + 1, sizeof(*saved->gates));
	if (!saved->gates)
		load_no_memory(top->load);
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value gate = load_element(&gates, i);

		load_gate(&gate, saved);
	}
}

void load_comparison(const struct load_value *top, struct saved *saved)
{
	const struct load_value confidence = load_member(top, "confidence");

	saved->is_comparison = true;
	saved->settings = (struct comparison_input){
		.paired = load_bool(load_member(top, "paired")),
		.confidence = load_number(confidence, 0.5, 1),
		.seed = load_unsigned(load_member(top, "seed")),
		.gate_scaled = load_bool(load_member(top, "gate_scaled")),
	};
	if (saved->settings.confidence <= 0.5 || saved->settings.confidence >= 1)
		load_refuse(&confidence, "not above 0.5 and below 1");
	load_sides(top, saved);
	if (top->load->err == 0)
		load_order(top, saved);
	if (top->load->err == 0)
		load_effects(top, saved);
	if (top->load->err == 0)
		load_gates(top, saved);
}
