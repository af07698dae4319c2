/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of comparisons: the sides, their order, and how the result is judged. */
#ifndef PSTAT_CLI_COMPARE_OPTIONS_H
#define PSTAT_CLI_COMPARE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "result/comparison.h"
#include "run/runner.h"

/* Words of argv, which argv still owns. */
struct texts {
	const char **v; /* owned */
	size_t n, size;
};

struct compare_options {
	struct texts commands; /* of -c */
	struct texts lists; /* of -L */
	const char *shell, *names; /* NULL: not given */
	const char *baseline; /* of --baseline; NULL: none */
	enum round_order order;
	bool has_seed;
	uint64_t seed;
	bool has_confidence;
	double confidence; /* from 0 to 1 */
	double duration_s; /* 0: not given */
	double precision; /* from 0 to 1; 0: not given */
	struct gate_request *gates; /* owned, with their names */
	size_t gates_n, gates_size;
	bool gate_scaled;
	struct effect_request *effects; /* owned; effect_names owns their names */
	size_t effects_n, effects_size;
	char **effect_names; /* owned */
	size_t effect_names_n, effect_names_size;
};

struct options;

/* Readers of arguments, for the option table. 0; -EINVAL after a message; -ENOMEM. */
int compare_options_add_command(struct options *o, const char *text); /* -c */
int compare_options_add_list(struct options *o, const char *text); /* -L */
int compare_options_read_seed(struct options *o, const char *text);
int compare_options_read_confidence(struct options *o, const char *text);
int compare_options_read_duration(struct options *o, const char *text);
int compare_options_read_precision(struct options *o, const char *text);
int compare_options_add_gate(struct options *o, const char *text); /* --fail-if */
int compare_options_add_effect(struct options *o, const char *text); /* --min-effect */
int compare_options_add_more(struct options *o, const char *text); /* --more-is-better */

/* The part of a comparison's input that options determine; the rest is zero. Valid as long as c. */
struct comparison_input compare_options_input(const struct compare_options *c);

void compare_options_release(struct compare_options *c);

#endif
