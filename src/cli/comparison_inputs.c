/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "cli/comparison_inputs.h"

/* What the job knows is of all; the command is the side's own. */
static int add_side(struct comparison_inputs *sides, const struct counting *job,
		    const struct side *side)
{
	struct side_input *input = &sides->v[sides->n];
	struct str *subject = &sides->subjects[sides->n];
	struct provenance *provenance = &sides->provenances[sides->n];

	sides->of[sides->n++] = 1;
	counting_add_command(subject, side->words.v);
	if (subject->failed)
		return -ENOMEM;
	*provenance = job->saving.provenance;
	provenance->argv = side->words;
	input->name = side->name;
	input->input = counting_input(job, side, str_text(subject));
	input->input.provenance = provenance;
	return 0;
}

static void add_baseline(struct comparison_inputs *sides, const struct counting *job)
{
	sides->v[sides->n].name = job->sides.baseline;
	sides->v[sides->n].input = document_input(job->baseline->document);
	sides->of[sides->n++] = 0;
}

static int gather_order(struct comparison_inputs *sides, const size_t *turns, size_t turns_n)
{
	size_t before = sides->of[0] == 0 ? sides->v[0].input.runs_n : 0;

	sides->order = calloc(before + turns_n + 1, sizeof(*sides->order));
	if (!sides->order)
		return -ENOMEM;
	for (size_t i = 0; i < turns_n; i++)
		sides->order[before + i] = turns[i] + (sides->of[0] == 0);
	sides->order_n = before + turns_n;
	return 0;
}

int comparison_inputs_gather(struct comparison_inputs *sides, const struct counting *job,
			     const size_t *turns, size_t turns_n)
{
	size_t n = job->sides.n + (job->baseline != NULL);
	int err = 0;

	sides->v = calloc(n, sizeof(*sides->v));
	sides->of = calloc(n, sizeof(*sides->of));
	sides->subjects = calloc(n, sizeof(*sides->subjects));
	sides->provenances = calloc(n, sizeof(*sides->provenances));
	if (!sides->v || !sides->of || !sides->subjects || !sides->provenances)
		return -ENOMEM;
	if (job->baseline)
		add_baseline(sides, job);
	for (size_t i = 0; err == 0 && i < job->sides.n; i++)
		err = add_side(sides, job, &job->sides.v[i]);
	return err < 0 ? err : gather_order(sides, turns, turns_n);
}

void comparison_inputs_release(struct comparison_inputs *sides)
{
	for (size_t i = 0; i < sides->n; i++)
		str_release(&sides->subjects[i]);
	free(sides->v);
	free(sides->of);
	free(sides->order);
	free(sides->subjects);
	free(sides->provenances);
}
