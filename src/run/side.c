/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "machine/program.h"
#include "run/side.h"

int side_find_program(struct side *side, struct why *why)
{
	return side->path ? 0 : program_find(side->words.v[0], &side->path, why);
}

void side_release(struct side *side)
{
	free(side->name);
	str_list_release(&side->words);
	free(side->path);
	str_list_release(&side->setup);
	str_list_release(&side->cleanup);
	str_list_release(&side->pre);
	str_list_release(&side->post);
	series_release(&side->series);
}
