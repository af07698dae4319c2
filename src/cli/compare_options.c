/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/why.h"
#include "cli/compare_options.h"
#include "cli/gates_parse.h"
#include "cli/message.h"

static int refuse(const char *option, const char *text, int err, const struct why *trouble)
{
	cleanup_why struct why why = { 0 };

	why_of_argument(&why, err, option, text, trouble);
	message("%s", why_text(&why, err));
	return err;
}

static int add_text(struct texts *texts, const char *text)
{
	if (array_grow(&texts->v, texts->n, &texts->size, sizeof(*texts->v)) < 0)
		return message_no_memory();
	texts->v[texts->n++] = text;
	return 0;
}

int compare_options_add_command(struct compare_options *c, const char *text)
{
	return add_text(&c->commands, text);
}

int compare_options_add_list(struct compare_options *c, const char *text)
{
	return add_text(&c->lists, text);
}

int compare_options_add_order(struct compare_options *c, const char *text)
{
	static const char *const names[] = {
		[ORDER_RANDOM] = "random",
		[ORDER_ALTERNATE] = "alternate",
		[ORDER_SEQUENTIAL] = "sequential",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], text) == 0) {
			c->order = (enum round_order)i;
			return 0;
		}
	message("--order %s: there are random, alternate and sequential", text);
	return -EINVAL;
}

int compare_options_add_seed(struct compare_options *c, const char *text)
{
	if (num_parse(text, strlen(text), &c->seed) < 0) {
		message("--seed %s: not a number from 0 to 18446744073709551615", text);
		return -EINVAL;
	}
	c->has_seed = true;
	return 0;
}

/* In percent: far enough from what 2^24 permutations (stats/permutation.h) reach. */
#define CONFIDENCE_MAX 99.9999

int compare_options_add_confidence(struct compare_options *c, const char *text)
{
	double value;

	if (num_parse_decimal(text, strlen(text), &value) < 0 || value <= 50 ||
	    value > CONFIDENCE_MAX) {
		message("--confidence %s: not a percentage above 50 and up to %.6g, which is as much as "
			"permutations can show",
			text, CONFIDENCE_MAX);
		return -EINVAL;
	}
	c->confidence = value / 100;
	c->has_confidence = true;
	return 0;
}

/* 0, and value above 0 and of a size that makes sense. */
static int parse_positive(const char *text, double max, double *value)
{
	if (num_parse_decimal(text, strlen(text), value) < 0 || *value <= 0 || *value > max)
		return -EINVAL;
	return 0;
}

int compare_options_add_duration(struct compare_options *c, const char *text)
{
	if (parse_positive(text, 1e9, &c->duration_s) == 0)
		return 0;
	message("--duration %s: not a number of seconds above 0", text);
	return -EINVAL;
}

int compare_options_add_precision(struct compare_options *c, const char *text)
{
	double value;

	if (parse_positive(text, 100, &value) < 0) {
		message("--precision %s: not a percentage above 0, 100 at most", text);
		return -EINVAL;
	}
	c->precision = value / 100;
	return 0;
}

int compare_options_add_gate(struct compare_options *c, const char *text)
{
	cleanup_why struct why why = { 0 };
	struct gate_request gate;
	int err = gate_parse(&gate, text, &why);

	if (err < 0)
		return refuse("--fail-if", text, err, &why);
	if (array_grow(&c->gates, c->gates_n, &c->gates_size, sizeof(*c->gates)) < 0) {
		free(gate.name);
		return message_no_memory();
	}
	c->gates[c->gates_n++] = gate;
	return 0;
}

/* name: owned from here on, NULL for all. */
static int add_effect(struct compare_options *c, char *name, struct effect_request effect)
{
	if (array_grow(&c->effect_names, c->effect_names_n, &c->effect_names_size,
		       sizeof(*c->effect_names)) < 0) {
		free(name);
		return message_no_memory();
	}
	c->effect_names[c->effect_names_n++] = name;
	if (array_grow(&c->effects, c->effects_n, &c->effects_size, sizeof(*c->effects)) < 0)
		return message_no_memory();
	effect.name = name;
	c->effects[c->effects_n++] = effect;
	return 0;
}

int compare_options_add_effect(struct compare_options *c, const char *text)
{
	cleanup_why struct why why = { 0 };
	struct effect_request effect = { 0 };
	char *name = NULL;
	int err = effect_parse(&name, &effect.minimum, text, &why);

	if (err < 0)
		return refuse("--min-effect", text, err, &why);
	return add_effect(c, name, effect);
}

int compare_options_add_more(struct compare_options *c, const char *text)
{
	const struct effect_request effect = { .minimum = -1, .more_is_better = true };

	for (;;) {
		size_t n = strcspn(text, ",");
		char *name = strndup(text, n);
		int err;

		if (n == 0) {
			free(name);
			message("--more-is-better: the name of an event or a metric is missing");
			return -EINVAL;
		}
		err = name ? add_effect(c, name, effect) : message_no_memory();
		if (err < 0 || text[n] == '\0')
			return err;
		text += n + 1;
	}
}

struct comparison_input compare_options_input(const struct compare_options *c)
{
	return (struct comparison_input){
		.confidence = c->confidence,
		.seed = c->seed,
		.effects = c->effects,
		.effects_n = c->effects_n,
		.gates = c->gates,
		.gates_n = c->gates_n,
		.gate_scaled = c->gate_scaled,
	};
}

void compare_options_release(struct compare_options *c)
{
	for (size_t i = 0; i < c->gates_n; i++)
		free(c->gates[i].name);
	for (size_t i = 0; i < c->effect_names_n; i++)
		free(c->effect_names[i]);
	free(c->commands.v);
	free(c->lists.v);
	free(c->gates);
	free(c->effects);
	free(c->effect_names);
}
