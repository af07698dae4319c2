/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "count/child_setup.h"

#define NULL_DEVICE "/dev/null"
#define PADDING "PSTAT_PADDING="

enum { PADDING_SIZE = sizeof(PADDING) + CHILD_SETUP_PADDING_MAX };

/* Without O_NONBLOCK, open(2) of a FIFO would wait for a writer. */
static int check_input_file(const char *path, struct why *why)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return why_set(why, -errno, "--input %s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return why_set(why, -EISDIR, "--input %s: %s", path, strerror(EISDIR));
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		return why_set(
			why, -ESPIPE,
			"--input %s: each run reads it from the beginning, which a pipe does not "
			"allow; give a file",
			path);
	return 0;
}

static int set_cpus(struct child_setup *setup, const struct cpulist *list)
{
	size_t n = (size_t)list->v[list->n - 1] + 1;

	setup->cpus = CPU_ALLOC(n);
	if (!setup->cpus)
		return -ENOMEM;
	setup->cpus_size = CPU_ALLOC_SIZE(n);
	CPU_ZERO_S(setup->cpus_size, setup->cpus);
	for (size_t i = 0; i < list->n; i++)
		CPU_SET_S((size_t)list->v[i], setup->cpus_size, setup->cpus);
	return 0;
}

static int init_environment(struct child_environment *e)
{
	size_t n = 0;

	while (environ && environ[n])
		n++;
	e->v = calloc(n + 2, sizeof(*e->v));
	e->padding = calloc(1, PADDING_SIZE);
	if (!e->v || !e->padding)
		return -ENOMEM;
	n = 0;
	for (char **variable = environ; variable && *variable; variable++)
		if (strncmp(*variable, PADDING, strlen(PADDING)) != 0)
			e->v[n++] = *variable;
	memset(stpcpy(e->padding, PADDING), 'x', CHILD_SETUP_PADDING_MAX);
	e->v[n] = e->padding;
	return 0;
}

void child_setup_set_padding(struct child_setup *setup, size_t letters)
{
	struct child_environment *e = &setup->environment;

	e->padding[strlen(PADDING) + e->padding_n] = 'x';
	e->padding[strlen(PADDING) + letters] = '\0';
	e->padding_n = letters;
}

int child_setup_init(struct child_setup *setup, const struct child_setup_request *request,
		     struct why *why)
{
	bool no_input = request->input && strcmp(request->input, NULL_DEVICE) == 0;
	int err = 0;

	*setup = (struct child_setup){ .input = no_input ? NULL : request->input,
				       .no_input = no_input,
				       .discard = request->discard,
				       .null_fd = -1,
				       .no_aslr = request->no_aslr };
	if (setup->input)
		err = check_input_file(setup->input, why);
	if (err == 0 && (no_input || setup->discard)) {
		setup->null_fd = open(NULL_DEVICE, O_RDWR | O_CLOEXEC);
		if (setup->null_fd < 0)
			err = why_set(why, -errno, NULL_DEVICE ": %s", strerror(errno));
	}
	if (err == 0 && request->cpus)
		err = set_cpus(setup, request->cpus);
	if (err == 0 && request->padding)
		err = init_environment(&setup->environment);
	if (err == 0 && request->padding)
		child_setup_set_padding(setup, 0);
	return err;
}

void child_setup_release(struct child_setup *setup)
{
	if ((setup->no_input || setup->discard) && setup->null_fd >= 0)
		close(setup->null_fd);
	if (setup->cpus)
		CPU_FREE(setup->cpus);
	free(setup->environment.v);
	free(setup->environment.padding);
	*setup = (struct child_setup){ 0 };
}

int child_setup_apply(const struct child_setup *setup, enum child_setup_step *step)
{
	int input = setup->null_fd;

	*step = CHILD_SETUP_INPUT;
	if (setup->input)
		input = open(setup->input, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if ((setup->input || setup->no_input) && (input < 0 || dup2(input, STDIN_FILENO) < 0))
		return errno;
	*step = CHILD_SETUP_OUTPUT;
	if (setup->discard &&
	    (dup2(setup->null_fd, STDOUT_FILENO) < 0 || dup2(setup->null_fd, STDERR_FILENO) < 0))
		return errno;
	*step = CHILD_SETUP_ASLR;
	if (setup->no_aslr &&
	    personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE) < 0)
		return errno;
	*step = CHILD_SETUP_CPUS;
	if (setup->cpus && sched_setaffinity(0, setup->cpus_size, setup->cpus) < 0)
		return errno;
	return 0;
}

int child_setup_explain(const struct child_setup *setup, enum child_setup_step step, int err,
			struct why *why)
{
	switch (step) {
	case CHILD_SETUP_INPUT:
		return why_set(why, err, "--input %s: %s",
			       setup->input ? setup->input : NULL_DEVICE, strerror(-err));
	case CHILD_SETUP_OUTPUT:
		return why_set(why, err, "cannot discard the output: %s", strerror(-err));
	case CHILD_SETUP_ASLR:
		return why_set(
			why, err,
			"--no-aslr: cannot switch address randomization off (personality(2)): %s",
			strerror(-err));
	case CHILD_SETUP_CPUS:
		break;
	}
	return why_set(why, err, "--cpu-list: the command may not run on these CPUs: %s",
		       strerror(-err));
}
