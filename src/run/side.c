/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "count/session.h"
#include "machine/program.h"
#include "run/side.h"

int side_find_program(struct side *side, struct why *why)
{
	return side->path ? 0 : program_find(side->words.v[0], &side->path, why);
}

int side_reserve_run(struct side *side)
{
	return array_grow(&side->runs, side->runs_n, &side->runs_size, sizeof(*side->runs));
}

void side_drop_run(struct side *side)
{
	run_release(&side->runs[--side->runs_n]);
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
	while (side->runs_n > 0)
		side_drop_run(side);
	free(side->runs);
}
