/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/output.h"
#include "base/privilege.h"
#include "base/str.h"
#include "base/why.h"
#include "job/jobs.h"
#include "options/options.h"
#include "output/message.h"
#include "output/notes.h"

static void print_version(FILE *out)
{
	fputs("pstat " PACKAGE_VERSION "\n", out);
#ifdef HAVE_LIBPFM
	fputs("libpfm4 names: yes, loaded when a name needs it\n", out);
#else
	fputs("libpfm4 names: no\n", out);
#endif
#ifdef HAVE_LIBELF
	fputs("symbols of ELF files: yes, libelf is loaded when one is asked for\n", out);
#else
	fputs("symbols of ELF files: no\n", out);
#endif
#ifdef HAVE_JANSSON
	fputs("reading saved documents: yes, jansson is loaded when one is read\n", out);
#else
	fputs("reading saved documents: no\n", out);
#endif
	fputs("comparisons: yes, libRmath is loaded when results are compared\n", out);
}

/* Do a job that prints to out. */
static int print_job(const struct options *o, FILE *out)
{
	switch (o->job) {
	case JOB_EXPLAIN:
		return job_explain(o, out);
	case JOB_LIST:
		return job_list(o, out);
	case JOB_DOCTOR:
		return job_doctor(o, out);
	case JOB_HELP:
	case JOB_HELP_ALL:
		if ((o->job == JOB_HELP ? options_help(out) : options_help_all(out)) == 0 ||
		    ferror(out))
			return 0; /* print_to_stdout() reports a failed write */
		message("out of memory");
		return STATUS_PSTAT;
	default:
		print_version(out);
		return 0;
	}
}

static int lost_stdout(int err)
{
	cleanup_str struct str text = { 0 };

	str_addf(&text, "cannot write to standard output: %s", strerror(-err));
	return message_of_lost_text(err, str_text(&text));
}

/* Do such a job, but write its text in one piece, so that the errno of a failed write is known. */
static int print_to_stdout(const struct options *o)
{
	cleanup_with(output_release) struct output out;
	cleanup_why struct why why = { 0 };
	int err = output_open(&out, NULL, OUTPUT_APPEND, STDOUT_FILENO, &why);
	int status;

	if (err == 0)
		err = output_begin(&out, &why);
	if (err < 0)
		return lost_stdout(err);
	status = print_job(o, out.stream);
	err = output_finish(&out, &why);
	return err < 0 ? lost_stdout(err) : status;
}

/* The exit status, or the negative number of the signal that pstat has to end by. */
static int do_job(const struct options *o, const sigset_t *mask)
{
	switch (o->job) {
	case JOB_COUNT:
		return options_is_comparison(o) ? job_compare(o, mask) : job_count(o, mask);
	case JOB_SHOW:
		return job_show(o);
	case JOB_COMPARE:
		return job_compare_files(o);
	case JOB_MERGE:
		return job_merge(o);
	case JOB_HISTORY:
		return job_history(o);
	default:
		return print_to_stdout(o);
	}
}

/*
 * Without these signals a closed pipe, or a file at its size limit (RLIMIT_FSIZE), makes the write
 * fail with an error, which pstat reports.
 */
static void block_write_signals(sigset_t *before)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	sigaddset(&signals, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &signals, before);
}

/*
 * The next file that pstat opens would become a closed standard stream, and a message could end up
 * in a result. /dev/null takes the place of the stream, opened in the wrong direction: its use
 * fails as before, and the command does not inherit it.
 */
static void keep_streams_closed(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) != fd)
			return;
}

/* End by this signal, so that a shell that waits for pstat ends its loop. */
static int die_of(int sig)
{
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, sig);
	signal(sig, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(sig);
	return 128 + sig;
}

/*
 * Give up the privileges that pstat has from its file. Returns false after a message.
 *
 * As set-user-ID or set-group-ID, pstat would read and write files, and start commands, with the
 * rights of its owner. File capabilities change neither ID.
 */
static bool drop_privileges(void)
{
	int err;

	if (getuid() != geteuid() || getgid() != getegid()) {
		message("refuses to run set-user-ID or set-group-ID; "
			"use file capabilities (setcap cap_perfmon+ep)");
		return false;
	}
	err = privilege_lower();
	if (err < 0)
		message("cannot lower the capabilities of its file: %s", strerror(-err));
	return err == 0;
}

int main(int argc, char **argv)
{
	cleanup_with(options_release) struct options options = { 0 };
	cleanup_why struct why why = { 0 };
	sigset_t mask;
	bool is_safe;
	int err, failure, status;

	keep_streams_closed();
	block_write_signals(&mask);
	is_safe = drop_privileges();
	err = options_read(&options, argc, argv, &why);
	failure = options.names_bisect ? STATUS_BISECT_PSTAT : STATUS_PSTAT;
	if (!is_safe)
		return failure;
	if (err == 0)
		err = options_check(&options, argc, argv, &why);
	if (err < 0) {
		message("%s", why_text(&why, err));
		return options.as_perf ? options_usage_status(&options) : failure;
	}
	notes_print_settled(&options);
	status = do_job(&options, &mask);
	return status < 0 ? die_of(-status) : status;
}
