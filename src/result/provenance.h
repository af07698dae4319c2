/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a result comes from: the command, the machine and the version of pstat. */
#ifndef PSTAT_RESULT_PROVENANCE_H
#define PSTAT_RESULT_PROVENANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The maximum number of ranks of a job. */
enum { RANKS_MAX = 1 << 24 };

/* A setting that some machines do not have or do not show. */
struct known_int {
	bool known;
	int value; /* 0 or 1 for a switch */
};

/* All strings are owned; NULL: unknown. All zero: nothing is known. */
struct provenance {
	char *pstat; /* version */
	char *libpfm4; /* version; NULL: it was not loaded */
	bool has_seed;
	uint64_t seed; /* of the random order of runs */
	struct str_list argv; /* the command's arguments; none: there was no command */
	char *cwd; /* may hold any bytes */
	char *job; /* of the launcher that has started pstat; may hold any bytes */
	struct known_int rank, ranks; /* in the job; the number of ranks of the job */
	int zone_s; /* local time minus UTC at the start, in seconds */
	char *host; /* uname -n */
	char *kernel; /* uname -r */
	char *machine; /* uname -m */
	char *cpu_model;
	char *cpus_online; /* "0-3,7" */
	struct str_list pmus;
	struct str_list governors; /* of the CPUs' frequency, without duplicates */
	struct known_int turbo; /* CPUs may exceed their nominal frequency */
	struct known_int aslr; /* kernel.randomize_va_space */
	struct known_int paranoid; /* kernel.perf_event_paranoid */
};

/* Free the strings, and set all to zero. */
void provenance_release(struct provenance *p);

#endif
