/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "document/saved.h"

struct comparison_input saved_comparison(const struct saved *saved)
{
	struct comparison_input input = saved->settings;

	input.sides = saved->sides;
	input.sides_n = saved->n;
	input.order = saved->order;
	input.effects = saved->effects;
	input.gates = saved->gates;
	return input;
}

void saved_release(struct saved *saved)
{
	for (size_t i = 0; i < saved->n; i++) {
		document_release(&saved->documents[i]);
		if (saved->sides)
			free((void *)(uintptr_t)saved->sides[i].name);
	}
	for (size_t i = 0; i < saved->settings.gates_n; i++)
		free(saved->gates[i].name);
	free(saved->documents);
	free(saved->sides);
	free(saved->order);
	free(saved->effects);
	free(saved->gates);
	str_list_release(&saved->texts);
	*saved = (struct saved){ 0 };
}
