/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PSTAT_CLI_PROVENANCE_H
#define PSTAT_CLI_PROVENANCE_H

#include <time.h>

#include "cli/options.h"
#include "machine/machine.h"
#include "result/provenance.h"

/* What a document says of this pstat, its command and this machine, read now; started is in this zone.
 * What cannot be read stays unknown. p is to be released in any case. 0 or -ENOMEM. */
int provenance_gather(struct provenance *p, const struct options *o, const struct machine *m,
		      time_t started);

#endif
