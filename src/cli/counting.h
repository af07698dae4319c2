/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one counting job holds, for the files that do its parts. */
#ifndef PSTAT_CLI_COUNTING_H
#define PSTAT_CLI_COUNTING_H

#include <time.h>

#include "base/str.h"
#include "cli/events.h"
#include "cli/options.h"
#include "count/control.h"
#include "count/session.h"
#include "count/target.h"
#include "report/output.h"
#include "report/report.h"

struct counting {
	const struct options *options;
	struct machine machine;
	struct wanted wanted;
	struct target target;
	struct control control;
	struct output output;
	struct workload workload;
	struct session session;
	struct str_list pre, post; /* the words of --pre and --post */
	size_t *units; /* owned: of --no-multiplex */
	const char **told; /* owned: the reason of each event that was told already */
	struct run *runs; /* owned */
	size_t runs_n, runs_size;
	bool warming_up;
	double cpus; /* how many are counted, or, where it is not CPUs that are, online */
	time_t started;
	size_t lines; /* of blocks, since the header was printed last */
	size_t late; /* ticks that were missed */
	bool short_told;
	int print_error; /* of a block: the first -errno, and its why was told */
	int status; /* of the first run that failed */
};

/* How many events of the job there are. */
static inline size_t counting_events(const struct counting *job)
{
	return job->wanted.events.n;
}

/* Say, once, why events are not counted, or in user mode only. */
void tell_reasons(struct counting *job);

/* Say how the last run ended, where that is no success. */
void tell_run(const struct counting *job, int wait_status);

/* Say what of a result is missing or rests on less than it seems to. */
void tell_gaps(struct counting *job, const struct report *report);

/* Before anything runs, where the output is to be written as it comes: begin it. 0; -errno, why. */
int print_begin(struct counting *job, struct why *why);

/* Print a block of -I. 0, or -errno after a message. */
int print_block(struct counting *job, const struct block *block);

/* Print what was counted. 0; -errno with why. */
int print_result(struct counting *job, struct why *why);

/* All was printed. 0; -errno with why. */
int print_end(struct counting *job, struct why *why);

#endif
