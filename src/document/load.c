/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/why.h"
#include "document/load.h"

#ifdef HAVE_JANSSON

#	include <stdlib.h>
#	include <string.h>

#	include "base/cleanup.h"
#	include "base/str.h"
#	include "document/load_result.h"

enum { FILE_MAX = 1 << 29 }; /* bytes: five times 1,000 runs of 16 events on 128 CPUs */

/* ---- Comparisons. */

static void load_sides(const struct load_value *top, struct saved *saved)
{
	const struct load_value sides = load_member(top, "sides");
	size_t n = load_length(sides);

	if (n < 2)
		load_refuse(&sides, "fewer than two sides");
	saved->documents = load_calloc(top->load, n, sizeof(*saved->documents));
	saved->sides = load_calloc(top->load, n, sizeof(*saved->sides));
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value side = load_element(&sides, i);
		const struct load_value result = load_member(&side, "result");

		saved->n = i + 1;
		saved->sides[i].name = load_text(load_member(&side, "name"));
		load_result(&result, &saved->documents[i]);
		saved->sides[i].series = &saved->documents[i].series;
	}
}

/* The order has to list each run of each side. */
static void check_order(const struct load_value *order, const struct saved *saved)
{
	cleanup_free size_t *runs = load_calloc(order->load, saved->n, sizeof(*runs));

	for (size_t i = 0; runs && i < saved->settings.order_n; i++)
		runs[saved->order[i]]++;
	for (size_t i = 0; runs && i < saved->n; i++)
		if (runs[i] != saved->documents[i].series.runs_n)
			load_refuse(order, "%zu runs of side %zu, but that side has %zu", runs[i],
				    i, saved->documents[i].series.runs_n);
}

static void load_order(const struct load_value *top, struct saved *saved)
{
	const struct load_value order = load_member(top, "order");
	size_t n;

	if (!load_is_there(order))
		return;
	n = load_length(order);
	saved->order = load_calloc(top->load, n, sizeof(*saved->order));
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value side = load_element(&order, i);

		saved->order[i] = load_size(side);
		if (saved->order[i] >= saved->n)
			load_refuse(&side, "not a side; there are only %zu", saved->n);
	}
	saved->settings.order_n = n;
	if (top->load->err == 0)
		check_order(&order, saved);
}

static void load_effects(const struct load_value *top, struct saved *saved)
{
	const struct load_value effects = load_member(top, "effects");

	saved->effects = load_objects(&effects, schema_effect, sizeof(*saved->effects),
				      &saved->settings.effects_n);
}

static void check_gate(const struct load_value *value, const struct gate_request *gate)
{
	const struct load_value limit = load_member(value, "limit");

	load_number(limit, gate->above ? 0 : -SCHEMA_LARGE, gate->above ? SCHEMA_LARGE : 0);
	if (gate->relative && gate->limit.value <= -1)
		load_refuse(&limit, "a limit of -100 %% or less can never be crossed");
}

static void load_gates(const struct load_value *top, struct saved *saved)
{
	const struct load_value gates = load_member(top, "gates");

	saved->gates =
		load_objects(&gates, schema_gate, sizeof(*saved->gates), &saved->settings.gates_n);
	for (size_t i = 0; top->load->err == 0 && i < saved->settings.gates_n; i++) {
		const struct load_value gate = load_element(&gates, i);

		check_gate(&gate, &saved->gates[i]);
	}
}

static void load_comparison(const struct load_value *top, struct saved *saved)
{
	static void (*const parts[])(const struct load_value *,
				     struct saved *) = { load_sides, load_order, load_effects,
							 load_gates };
	const struct load_value confidence = load_member(top, "confidence");

	saved->is_comparison = true;
	load_fields(top, schema_comparison, &saved->settings);
	if (saved->settings.confidence <= 0.5 || saved->settings.confidence >= 1)
		load_refuse(&confidence, "not between 0.5 and 1");
	for (size_t i = 0; top->load->err == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
		parts[i](top, saved);
}

/* ---- Files. */

/* JSON allows no control characters except white space, not even in strings. */
static bool has_control(const char *part, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)part[i] < ' ' && (!part[i] || !strchr("\t\r\n", part[i])))
			return true;
	return false;
}

/* Whether a text that begins like this can be an object or an array. */
static bool begins_as_json(const char *text)
{
	const char *start = text + strspn(text, " \t\r\n");

	return *start == '\0' || *start == '{' || *start == '[';
}

/*
 * Read the whole stream. A device may never end, so stop at the first text that cannot be JSON. The
 * parser then reports the error.
 */
static int read_all(FILE *in, struct str *text)
{
	char part[16384];
	size_t n;

	while (!text->failed && (n = fread(part, 1, sizeof(part), in)) > 0) {
		if (text->len > FILE_MAX)
			return -EFBIG;
		str_add_n(text, part, n);
		if (has_control(part, n) || (text->len == n && !begins_as_json(text->text)))
			break;
	}
	if (ferror(in))
		return errno ? -errno : -EIO;
	return text->failed ? -ENOMEM : 0;
}

static void load_either(const struct load_value *top, struct saved *saved)
{
	if (load_is_schema(top, SCHEMA_COMPARISON_NAME, SCHEMA_COMPARISON_VERSION)) {
		load_comparison(top, saved);
		return;
	}
	saved->documents = load_calloc(top->load, 1, sizeof(*saved->documents));
	if (!saved->documents)
		return;
	saved->n = 1;
	load_result(top, saved->documents);
}

int load_saved(struct saved *saved, FILE *in, struct why *why)
{
	cleanup_with(load_release) struct load load = { 0 };
	cleanup_str struct str text = { 0 };
	struct load_value top;
	int err = read_all(in, &text);

	*saved = (struct saved){ 0 };
	if (err == 0 && text.len == 0)
		err = why_set(why, -EINVAL, "the file is empty");
	if (err == 0)
		err = load_begin(&load, text.text, text.len, &top, why);
	if (err == 0) {
		str_release(&text);
		load_either(&top, saved);
		err = load.err;
	}
	if (err < 0)
		saved_release(saved);
	return err;
}

#else

int load_saved(struct saved *saved, FILE *in, struct why *why)
{
	(void)in;
	*saved = (struct saved){ 0 };
	return why_set(why, -ENOSYS,
		       "this pstat was built without jansson, which it needs to read JSON");
}

#endif
