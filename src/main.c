/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/jobs.h"
#include "cli/message.h"
#include "cli/options.h"

static void print_version(void)
{
	puts("pstat " PACKAGE_VERSION);
#ifdef HAVE_LIBPFM
	puts("libpfm4 names: yes, loaded when a name needs it");
#else
	puts("libpfm4 names: no");
#endif
#ifdef HAVE_LIBELF
	puts("symbols of ELF files: yes, libelf is loaded when one is asked for");
#else
	puts("symbols of ELF files: no");
#endif
}

static int do_job(const struct options *o, const sigset_t *mask)
{
	switch (o->job) {
	case JOB_COUNT:
		return job_count(o, mask);
	case JOB_EXPLAIN:
		return job_explain(o);
	case JOB_LIST:
		return job_list(o);
	case JOB_HELP:
		options_help(stdout);
		return 0;
	case JOB_VERSION:
		break;
	}
	print_version();
	return 0;
}

/* A closed pipe is an error of the write, with a message and a status, and no signal. */
static void block_sigpipe(sigset_t *before)
{
	sigset_t pipe;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe, before);
}

/*
 * A standard stream that is closed would be the next file that pstat opens, and a message would end up
 * in a result. /dev/null takes its place, opened the wrong way round, so that using it is the same
 * error as before, and not for the command.
 */
static void keep_streams_closed(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) != fd)
			return;
}

int main(int argc, char **argv)
{
	cleanup_with(options_release) struct options options = { 0 };
	sigset_t mask;
	int status;

	keep_streams_closed();
	block_sigpipe(&mask);
	if (options_parse(&options, argc, argv) < 0)
		return STATUS_PSTAT;
	status = do_job(&options, &mask);
	if ((fflush(stdout) == EOF || ferror(stdout)) && status != STATUS_PSTAT) {
		message("cannot write to standard output: %s", strerror(errno));
		return STATUS_PSTAT;
	}
	return status;
}
