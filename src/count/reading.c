/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "count/reading.h"

void place_release(struct place *place)
{
	free(place->label);
	if (place->process) {
		free(place->process->name);
		free(place->process->command);
	}
	free(place->process);
	*place = (struct place){ 0 };
}

void reading_add(struct reading *sum, const struct reading *part)
{
	sum->counts.raw += part->counts.raw;
	sum->counts.enabled_ns += part->counts.enabled_ns;
	sum->counts.running_ns += part->counts.running_ns;
	if (part->state != FAILED || sum->state == FAILED)
		return;
	sum->state = FAILED;
	sum->reason = part->reason;
}
