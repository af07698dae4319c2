/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a result comes from: this version of pstat, the command, and this machine. */
#ifndef PSTAT_RUN_PROVENANCE_H
#define PSTAT_RUN_PROVENANCE_H

#include <time.h>

#include "machine/machine.h"
#include "result/provenance.h"

/*
 * Fill p, for the words of a command in argv, which ends with NULL. The time zone is that of
 * started. Anything that cannot be read stays unknown. The caller releases p in any case. 0 or
 * -ENOMEM.
 */
int provenance_gather(struct provenance *p, char *const *argv, const struct machine *m,
		      time_t started);

#endif
