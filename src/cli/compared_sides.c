/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "cli/compared_sides.h"

/* What the job knows is of all; the command is the side's own. */
static int add_side(struct compared_sides *sides, const struct counting *job,
		    const struct side *side)
{
	struct side_input *input = &sides->v[sides->n];
	struct str *subject = &sides->subjects[sides->n];
	struct provenance *provenance = &sides->provenances[sides->n++];

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

int compared_sides_gather(struct compared_sides *sides, const struct counting *job)
{
	size_t n = job->sides.n;
	int err = 0;

	sides->v = calloc(n, sizeof(*sides->v));
	sides->subjects = calloc(n, sizeof(*sides->subjects));
	sides->provenances = calloc(n, sizeof(*sides->provenances));
	if (!sides->v || !sides->subjects || !sides->provenances)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < n; i++)
		err = add_side(sides, job, &job->sides.v[i]);
	return err;
}

void compared_sides_release(struct compared_sides *sides)
{
	for (size_t i = 0; i < sides->n; i++)
		str_release(&sides->subjects[i]);
	free(sides->v);
	free(sides->subjects);
	free(sides->provenances);
}
