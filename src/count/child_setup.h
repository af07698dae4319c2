/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a command is run where it is otherwise than pstat itself was started: its standard streams, its
 * address space, its CPUs, its environment.
 */
#ifndef PSTAT_COUNT_CHILD_SETUP_H
#define PSTAT_COUNT_CHILD_SETUP_H

#include <sched.h>
#include <stdbool.h>

#include "count/environment.h"
#include "machine/cpulist.h"

struct why;

struct child_setup_request {
	const char *input; /* a file; NULL: pstat's own standard input */
	bool discard; /* standard output and error are /dev/null */
	bool no_aslr;
	const struct cpulist *cpus; /* the only ones that it may run on; NULL: as pstat */
	unsigned int environment; /* of enum environment_parts */
};

/* What is done between a child's start and its exec. */
enum child_setup_step { CHILD_SETUP_INPUT, CHILD_SETUP_OUTPUT, CHILD_SETUP_ASLR, CHILD_SETUP_CPUS };

/* All zero but for null_fd, -1: nothing is otherwise. */
struct child_setup {
	const char *
		input; /* opened anew for each run, so that each reads it from its beginning; NULL */
	bool no_input, discard; /* the streams are null_fd */
	int null_fd; /* owned; -1: none is needed */
	bool no_aslr;
	cpu_set_t *cpus; /* owned; NULL: as pstat */
	size_t cpus_size; /* bytes of cpus */
	struct environment environment;
};

/*
 * Look whether runs can be like that. The request's strings stay the caller's, for as long as m is
 * used. 0; with why: -EINVAL, -ESPIPE (an input that cannot be read twice), another -errno of the input;
 * -ENOMEM. m is to be released in any case.
 */
int child_setup_init(struct child_setup *m, const struct child_setup_request *request,
		     struct why *why);

/* Whether anything is otherwise at all. */
bool child_setup_differs(const struct child_setup_request *request);

/* In the child, which may share its parent's memory: system calls alone. 0, or errno and which step. */
int child_setup_apply(const struct child_setup *m, enum child_setup_step *step);

/* Say which step has failed with err, a negative errno, which is returned. */
int child_setup_explain(const struct child_setup *m, enum child_setup_step step, int err,
			struct why *why);

void child_setup_release(struct child_setup *m);

#endif
