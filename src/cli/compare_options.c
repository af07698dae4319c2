/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/why.h"
#include "cli/gates_parse.h"
#include "cli/message.h"
#include "cli/options.h"

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

int compare_options_add_command(struct options *o, const char *text)
{
	return add_text(&o->compare_options.commands, text);
}

int compare_options_add_list(struct options *o, const char *text)
{
	return add_text(&o->compare_options.lists, text);
}

int compare_options_read_seed(struct options *o, const char *text)
{
	struct compare_options *c = &o->compare_options;

	if (num_parse(text, strlen(text), &c->seed) < 0) {
		message("--seed %s: not a number from 0 to 18446744073709551615", text);
		return -EINVAL;
	}
	c->has_seed = true;
	return 0;
}

/* In percent. 2^24 permutations (stats/permutation.h) can still prove a difference here. */
#define CONFIDENCE_MAX 99.9999

int compare_options_read_confidence(struct options *o, const char *text)
{
	struct compare_options *c = &o->compare_options;
	double value;

	if (num_parse_decimal(text, strlen(text), &value) < 0 || value <= 50 ||
	    value > CONFIDENCE_MAX) {
		message("--confidence %s: not a percentage above 50 and up to %.6g, the limit of the "
			"permutation test",
			text, CONFIDENCE_MAX);
		return -EINVAL;
	}
	c->confidence = value / 100;
	c->has_confidence = true;
	return 0;
}

/* 0 if the number is above 0 and not above max. */
static int parse_positive(const char *text, double max, double *value)
{
	if (num_parse_decimal(text, strlen(text), value) < 0 || *value <= 0 || *value > max)
		return -EINVAL;
	return 0;
}

int compare_options_read_duration(struct options *o, const char *text)
{
	if (parse_positive(text, 1e9, &o->compare_options.duration_s) == 0)
		return 0;
	message("--duration %s: not a number of seconds above 0", text);
	return -EINVAL;
}

int compare_options_read_precision(struct options *o, const char *text)
{
	double value;

	if (parse_positive(text, 100, &value) < 0) {
		message("--precision %s: not a percentage above 0, 100 at most", text);
		return -EINVAL;
	}
	o->compare_options.precision = value / 100;
	return 0;
}

int compare_options_add_gate(struct options *o, const char *text)
{
	struct compare_options *c = &o->compare_options;
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

/* Takes over the name; NULL: for all events and metrics. */
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

int compare_options_add_effect(struct options *o, const char *text)
{
	cleanup_why struct why why = { 0 };
	struct effect_request effect = { 0 };
	char *name = NULL;
	int err = effect_parse(&name, &effect.minimum, text, &why);

	if (err < 0)
		return refuse("--min-effect", text, err, &why);
	return add_effect(&o->compare_options, name, effect);
}

int compare_options_add_more(struct options *o, const char *text)
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
		err = name ? add_effect(&o->compare_options, name, effect) : message_no_memory();
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
