/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job that counts holds, for the files that do its parts: one command, or several in turn. */
#ifndef PSTAT_CLI_COUNTING_H
#define PSTAT_CLI_COUNTING_H

#include <time.h>

#include "base/str.h"
#include "cli/baseline.h"
#include "cli/events.h"
#include "cli/notes.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/saving.h"
#include "cli/sides.h"
#include "count/control.h"
#include "count/session.h"
#include "count/target.h"
#include "stats/random.h"

struct counting {
	const struct options *options;
	struct machine machine;
	struct wanted wanted;
	struct target target;
	struct control control;
	struct printing printing;
	struct saving saving;
	struct sides sides; /* one, unless commands are compared with each other */
	const struct baseline
		*baseline; /* that the sides are compared with; NULL: with the first of them */
	struct side *side; /* whose run it is */
	struct cpulist cpu_list;
	struct child_setup child_setup;
	bool has_child_setup; /* commands are run otherwise than pstat was */
	uint64_t seed; /* of all that is random */
	struct random random; /* of the padding of environments */
	struct progress progress;
	struct workload workload;
	struct session session;
	size_t *units; /* owned: of --no-multiplex */
	struct notes notes;
	bool warming_up;
	double cpus; /* of -M: how many are counted, or, where it is not CPUs that are, online */
	uint64_t max_rss_floor_kib; /* see struct result_input; 0: not asked for, too */
	time_t started;
	size_t late; /* ticks that were missed */
	int print_error; /* of an interval: the first -errno, and its why was told */
	int status; /* of the first run that failed */
	bool run_failed; /* and ended the series */
	int trouble; /* what else ended it: the status that pstat ends with; 0: nothing */
};

/* How many events of the job there are. */
static inline size_t counting_events(const struct counting *job)
{
	return job->wanted.events.n;
}

static inline bool counting_compares(const struct counting *job)
{
	return options_compare(job->options);
}

/* Whether anything is drawn by chance, beginning with the seed. */
static inline bool counting_has_chance(const struct counting *job)
{
	return job->options->randomize_env || counting_compares(job);
}

/*
 * What has to be there before the events are looked at: the machine, the commands, a place for the
 * result. 0; -errno with why. job is to be released in any case.
 */
int counting_prepare(struct counting *job, struct why *why);

/* Take the signals, and let runs be as the options want them. 0; -errno with why. */
int counting_take_over(struct counting *job, const sigset_t *mask, struct why *why);

/* Open what is to be counted. 0; -errno with why. */
int counting_open(struct counting *job, struct why *why);

/* Behind the runs of a command: see how much memory pstat has had itself, where a max_rss is asked for, compared
 * or saved; a plain count does not pay for it. */
void counting_see_floor(struct counting *job);

void counting_release(struct counting *job);

/* In result.c: what the runs of a side are a result of. subject has to outlive it. */
struct result_input counting_input(const struct counting *job, const struct side *side,
				   const char *subject);

/* The command as it is shown: "'CMD ARG'". */
void counting_add_command(struct str *subject, char *const *words);

/* Append "run 2: " or the like: which of several runs the last one was; nothing where it was the only one. */
void report_which(const struct counting *job, struct str *which);

/* Say how the last run ended, where that is no success. */
void report_run(const struct counting *job, int wait_status);

/* Before anything runs, where the output is to be written as it comes: begin it. 0; -errno, why. */
int job_output_begin(struct counting *job, struct why *why);

/* Print an interval, and keep it for the document. What fails is told, and job->print_error is set. */
void job_output_interval(struct counting *job, const struct interval *interval);

/* Print what was counted, and save it. 0; -errno with why. What fails of --save is told, and
 * job->saving.err is set. */
int job_output_result(struct counting *job, struct why *why);

/* All was printed. 0; -errno with why. */
int job_output_end(struct counting *job, struct why *why);

#endif
