/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The launcher of a parallel job (mpirun, srun and others) tells each process its rank, the number
 * of ranks and the job in variables of the environment.
 */
#ifndef PSTAT_MACHINE_LAUNCHER_H
#define PSTAT_MACHINE_LAUNCHER_H

/* The rank of this process; -1: no launcher has started it. */
int launcher_rank(void);

/* The number of ranks of the job; -1: unknown. */
int launcher_ranks(void);

/* The job, as its launcher names it; NULL: unknown. It may contain any characters. */
const char *launcher_job(void);

#endif
