/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the options say of a comparison: its sides, how they take turns, what is made of it. */
#ifndef PSTAT_CLI_COMPARE_OPTIONS_H
#define PSTAT_CLI_COMPARE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "result/comparison.h"
#include "run/runner.h"

/* Words of the command line, which stay its own. */
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
	double confidence; /* a share */
	double duration_s; /* 0: not given */
	double precision; /* a share; 0: not given */
	struct gate_request *gates; /* owned, and their names */
	size_t gates_n, gates_size;
	bool gate_scaled;
	struct effect_request *effects; /* owned; their names are of effect_names */
	size_t effects_n, effects_size;
	char **effect_names; /* owned */
	size_t effect_names_n, effect_names_size;
};

/* The arguments of these options, each read into c. 0; -EINVAL after a message; -ENOMEM. */
int compare_options_add_command(struct compare_options *c, const char *text); /* -c */
int compare_options_add_list(struct compare_options *c, const char *text); /* -L */
int compare_options_add_order(struct compare_options *c, const char *text);
int compare_options_add_seed(struct compare_options *c, const char *text);
int compare_options_add_confidence(struct compare_options *c, const char *text);
int compare_options_add_duration(struct compare_options *c, const char *text);
int compare_options_add_precision(struct compare_options *c, const char *text);
int compare_options_add_gate(struct compare_options *c, const char *text); /* --fail-if */
int compare_options_add_effect(struct compare_options *c, const char *text); /* --min-effect */
int compare_options_add_more(struct compare_options *c, const char *text); /* --more-is-better */

/* What the options say of how sides are compared; all else is not set. Valid as long as c. */
struct comparison_input compare_options_input(const struct compare_options *c);

void compare_options_release(struct compare_options *c);

#endif
