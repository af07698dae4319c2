/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/names.h"
#include "cli/saved_sides.h"

static size_t count(const struct loading *loading)
{
	size_t n = 0;

	for (size_t i = 0; i < loading->n; i++)
		n += loading->v[i].n;
	return n;
}

/* Side i of a document. */
static int add(struct saved_sides *sides, const struct loading *loading, size_t document, size_t i)
{
	const struct saved *saved = &loading->v[document];
	struct side_input *side = &sides->v[sides->n];

	sides->of[sides->n++] = document;
	side->input = document_input(&saved->documents[i]);
	return names_add(&sides->names, saved->is_comparison ?
						saved->sides[i].name :
						loading_name(loading->paths[document]));
}

static int rename_all(struct saved_sides *sides, const char *given, struct why *why)
{
	int err;

	str_list_release(&sides->names);
	err = names_read(&sides->names, given, why);
	if (err < 0 || sides->names.n == sides->n)
		return err;
	return names_refuse(given, sides->names.n, "", sides->n, "side", why);
}

int saved_sides_gather(struct saved_sides *sides, const struct loading *loading, const char *given,
		       struct why *why)
{
	size_t n = count(loading);
	int err = 0;

	sides->v = calloc(n + 1, sizeof(*sides->v));
	sides->of = calloc(n + 1, sizeof(*sides->of));
	if (!sides->v || !sides->of)
		return -ENOMEM;
	for (size_t i = 0; i < loading->n; i++)
		for (size_t j = 0; err == 0 && j < loading->v[i].n; j++)
			err = add(sides, loading, i, j);
	if (err == 0 && given)
		err = rename_all(sides, given, why);
	for (size_t i = 0; err == 0 && i < sides->n; i++)
		sides->v[i].name = sides->names.v[i];
	return err;
}

void saved_sides_release(struct saved_sides *sides)
{
	str_list_release(&sides->names);
	free(sides->v);
	free(sides->of);
}
