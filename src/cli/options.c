/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"

bool options_attach(const struct options *o)
{
	return o->target.pids || o->target.tids || o->target.cpus || o->target.all_cpus;
}

bool options_compare(const struct options *o)
{
	return o->compare_options.commands.n > 0 || o->compare_options.lists.n > 0 ||
	       o->compare_options.baseline;
}

bool options_read_documents(const struct options *o)
{
	return o->job == JOB_SHOW || o->job == JOB_COMPARE;
}

const struct format *options_format(const struct options *o)
{
	if (o->separator)
		return &format_perf_csv;
	if (o->json)
		return &format_perf_json;
	return o->format ? format_find(o->format) : &format_table;
}

int options_result_fd(const struct options *o)
{
	if (o->log_fd >= 0)
		return o->log_fd;
	return options_read_documents(o) ? STDOUT_FILENO : STDERR_FILENO;
}

bool options_look_json(const struct options *o)
{
	return o->json || (o->format && strcmp(o->format, "json") == 0);
}

struct comparison_input options_comparison_input(const struct compare_options *c)
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

static void compare_options_release(struct compare_options *c)
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

void options_release(struct options *o)
{
	free(o->requests);
	compare_options_release(&o->compare_options);
}
