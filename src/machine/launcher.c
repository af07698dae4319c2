/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "machine/launcher.h"

/*
 * The variables of Slurm come last: a batch script has them, too, with the rank 0, and an mpirun in
 * the script passes them on to all of its ranks.
 */
static const char *const rank_variables[] = {
	"OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK", "MPI_RANKID",
	"PALS_RANKID",		"FLUX_TASK_RANK",      "SLURM_PROCID", NULL,
};

static const char *const ranks_variables[] = {
	"OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE",	"PMI_SIZE",	"MPI_NRANKS",
	"FLUX_JOB_SIZE",	"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", NULL,
};

static const char *const job_variables[] = {
	"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID",      "FLUX_JOB_ID",
	"PALS_APID",	"JOB_ID",    "PMIX_NAMESPACE", NULL,
};

static const char *launcher_first_set(const char *const *variables)
{
	const char *value = NULL;

	for (; *variables && !(value && *value); variables++)
		value = getenv(*variables);
	return value && *value ? value : NULL;
}

static int launcher_number(const char *const *variables)
{
	const char *text = launcher_first_set(variables);
	uint64_t number;

	if (!text || num_parse(text, strlen(text), &number) < 0 || number > INT_MAX)
		return -1;
	return (int)number;
}

int launcher_rank(void)
{
	return launcher_number(rank_variables);
}

int launcher_ranks(void)
{
	return launcher_number(ranks_variables);
}

const char *launcher_job(void)
{
	return launcher_first_set(job_variables);
}
