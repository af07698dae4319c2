/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gather where a result comes from: this version of pstat, the command, and this machine. */
#ifndef PSTAT_RUN_GATHER_H
#define PSTAT_RUN_GATHER_H

#include <time.h>

#include "machine/machine.h"
#include "result/provenance.h"

/*
 * Fill p. argv: the words of the command, with a NULL at the end. The time zone is the one at the
 * time started. Facts that cannot be read stay unknown. The caller releases p even after an error.
 * 0 or -ENOMEM.
 */
int gather_provenance(struct provenance *p, char *const *argv, const struct machine *m,
		      time_t started);

#endif
