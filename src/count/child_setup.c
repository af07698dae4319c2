/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "count/child_setup.h"

#define NULL_DEVICE "/dev/null"

bool child_setup_differs(const struct child_setup_request *request)
{
	return request->input || request->discard || request->no_aslr || request->cpus ||
	       request->environment;
}

/* Without O_NONBLOCK a pipe that nobody writes to would be waited for. */
static int check_input(const char *path, struct why *why)
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
			"--input %s: each run reads it from its beginning, and a pipe has none: "
			"give a file",
			path);
	return 0;
}

static int set_cpus(struct child_setup *m, const struct cpulist *list)
{
	size_t n = (size_t)list->v[list->n - 1] + 1;

	m->cpus = CPU_ALLOC(n);
	if (!m->cpus)
		return -ENOMEM;
	m->cpus_size = CPU_ALLOC_SIZE(n);
	CPU_ZERO_S(m->cpus_size, m->cpus);
	for (size_t i = 0; i < list->n; i++)
		CPU_SET_S((size_t)list->v[i], m->cpus_size, m->cpus);
	return 0;
}

int child_setup_init(struct child_setup *m, const struct child_setup_request *request,
		     struct why *why)
{
	bool no_input = request->input && strcmp(request->input, NULL_DEVICE) == 0;
	int err = 0;

	*m = (struct child_setup){ .input = no_input ? NULL : request->input,
				   .no_input = no_input,
				   .discard = request->discard,
				   .null_fd = -1,
				   .no_aslr = request->no_aslr };
	if (m->input)
		err = check_input(m->input, why);
	if (err == 0 && (no_input || m->discard)) {
		m->null_fd = open(NULL_DEVICE, O_RDWR | O_CLOEXEC);
		if (m->null_fd < 0)
			err = why_set(why, -errno, NULL_DEVICE ": %s", strerror(errno));
	}
	if (err == 0 && request->cpus)
		err = set_cpus(m, request->cpus);
	if (err == 0 && request->environment)
		err = environment_init(&m->environment, request->environment);
	return err;
}

static int open_input(const struct child_setup *m)
{
	int fd = m->no_input ? m->null_fd : open(m->input, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? fd : dup2(fd, STDIN_FILENO);
}

int child_setup_apply(const struct child_setup *m, enum child_setup_step *step)
{
	*step = CHILD_SETUP_INPUT;
	if ((m->input || m->no_input) && open_input(m) < 0)
		return errno;
	*step = CHILD_SETUP_OUTPUT;
	if (m->discard &&
	    (dup2(m->null_fd, STDOUT_FILENO) < 0 || dup2(m->null_fd, STDERR_FILENO) < 0))
		return errno;
	*step = CHILD_SETUP_ASLR;
	if (m->no_aslr &&
	    personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE) < 0)
		return errno;
	*step = CHILD_SETUP_CPUS;
	if (m->cpus && sched_setaffinity(0, m->cpus_size, m->cpus) < 0)
		return errno;
	return 0;
}

int child_setup_explain(const struct child_setup *m, enum child_setup_step step, int err,
			struct why *why)
{
	switch (step) {
	case CHILD_SETUP_INPUT:
		return why_set(why, err, "--input %s: %s", m->input ? m->input : NULL_DEVICE,
			       strerror(-err));
	case CHILD_SETUP_OUTPUT:
		return why_set(why, err, "cannot discard the output: %s", strerror(-err));
	case CHILD_SETUP_ASLR:
		return why_set(
			why, err,
			"--no-aslr: addresses cannot be left as they are (personality(2)): %s",
			strerror(-err));
	case CHILD_SETUP_CPUS:
		break;
	}
	return why_set(why, err, "--cpu-list: the command may not run on these CPUs: %s",
		       strerror(-err));
}

void child_setup_release(struct child_setup *m)
{
	if (m->null_fd >= 0)
		close(m->null_fd);
	if (m->cpus)
		CPU_FREE(m->cpus);
	environment_release(&m->environment);
	*m = (struct child_setup){ .null_fd = -1 };
}
