/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a result comes from: what made it, of which command, on which machine. Plain data. */
#ifndef PSTAT_RESULT_PROVENANCE_H
#define PSTAT_RESULT_PROVENANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* A setting that not every machine has, or shows. */
struct known_int {
	bool known;
	int value; /* of a switch 0 or 1 */
};

/* All strings are owned, and NULL for what is not known; all zero is nothing known. */
struct provenance {
	char *pstat; /* version */
	char *libpfm4; /* version; NULL: it was not needed */
	bool has_seed;
	uint64_t seed; /* of a random order of runs */
	struct str_list argv; /* the command's words; none: there was no command */
	char *cwd; /* may hold any bytes */
	int zone_s; /* local time minus UTC when it was started, in seconds */
	char *host; /* uname -n */
	char *kernel; /* uname -r */
	char *machine; /* uname -m */
	char *cpu_model;
	char *cpus_online; /* "0-3,7" */
	struct str_list pmus;
	struct str_list governors; /* of the CPUs' frequency, each once */
	struct known_int turbo; /* whether CPUs may go above their nominal frequency */
	struct known_int aslr; /* kernel.randomize_va_space */
	struct known_int paranoid; /* kernel.perf_event_paranoid */
};

/* Free what it owns, and leave it all zero. */
void provenance_release(struct provenance *p);

#endif
