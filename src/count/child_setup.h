/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the command differs from pstat: its input and output, its CPUs, its environment. */
#ifndef PSTAT_COUNT_CHILD_SETUP_H
#define PSTAT_COUNT_CHILD_SETUP_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#include "machine/cpulist.h"

struct why;

/*
 * The maximum number of letters in the variable PSTAT_PADDING, which moves the command's stack.
 * This number reaches every offset within a page of 4096 bytes.
 */
enum { CHILD_SETUP_PADDING_MAX = 4095 };

/* How the command differs from pstat. All zero: no differences. */
struct child_setup_request {
	const char *input; /* a file; NULL: pstat's own standard input */
	bool discard; /* standard output and error are /dev/null */
	bool no_aslr;
	const struct cpulist *cpus; /* the only CPUs of the command; NULL: those of pstat */
	bool padding; /* the environment has the variable PSTAT_PADDING */
};

/* All zero: pstat's own environment. */
struct child_environment {
	char **v; /* owned, for execve(2); its strings belong to environ, except padding */
	char *padding; /* owned; NULL: not requested */
	size_t padding_n; /* letters of padding */
};

/* All zero: the command gets what pstat got. */
struct child_setup {
	const char *input; /* a file that each run opens and reads from the beginning; or NULL */
	bool no_input, discard; /* these streams are null_fd */
	int null_fd; /* owned, if no_input or discard is set */
	bool no_aslr;
	cpu_set_t *cpus; /* owned; NULL: those of pstat */
	size_t cpus_size; /* the size of cpus in bytes */
	struct child_environment environment;
};

/*
 * Check that runs are possible with this setup, and prepare it. If padding is requested, a
 * PSTAT_PADDING from an outer pstat is replaced. The strings of the request and of environ have to
 * outlive the setup. 0; with why: -EINVAL, -ESPIPE (an input that cannot be read twice), or another
 * -errno of the input; -ENOMEM. Call child_setup_release() in any case.
 */
int child_setup_init(struct child_setup *setup, const struct child_setup_request *request,
		     struct why *why);

/* Set the number of letters for the next run: 0 … CHILD_SETUP_PADDING_MAX. The setup has
 * padding. */
void child_setup_set_padding(struct child_setup *setup, size_t letters);

/* The steps between a child's start and its exec. */
enum child_setup_step { CHILD_SETUP_INPUT, CHILD_SETUP_OUTPUT, CHILD_SETUP_ASLR, CHILD_SETUP_CPUS };

/*
 * Call this in the child. The child may share the memory of its parent, so this function only makes
 * system calls. 0; or errno, and *step is the step that failed.
 */
int child_setup_apply(const struct child_setup *setup, enum child_setup_step *step);

/* Explain why a step has failed with err. Returns err, which is negative. */
int child_setup_explain(const struct child_setup *setup, enum child_setup_step step, int err,
			struct why *why);

void child_setup_release(struct child_setup *setup);

#endif
