/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole command lines, until pstat would count: the options and their conflicts, the events,
 * metrics, cgroups, CPUs and tasks on a recorded machine, the commands to compare, --list and
 * --explain. The input is split into words as pstat splits the argument of -c.
 *
 * Whatever the words are, pstat accepts them, or refuses them with a message. Every message is a
 * line that begins with "pstat: " and contains no control characters.
 *
 * FUZZ_MACHINE names the folder of the machine (see tests/fixtures/unpack).
 */
#include <ctype.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/target.h"
#include "fuzz.h"
#include "fuzz_no_libraries.h"
#include "job/events.h"
#include "job/jobs.h"
#include "job/sides.c" /* for its static functions */
#include "options/options.h"
#include "output/message.h"

static const char *machine_root;
static FILE *nowhere;
static int messages = -1;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	machine_root = getenv("FUZZ_MACHINE");
	CHECK(machine_root);
	nowhere = fopen("/dev/null", "w");
	messages = memfd_create("messages", MFD_CLOEXEC);
	CHECK(nowhere && messages >= 0);
	return 0;
}

/* -close_fd_mask=2 redirects libFuzzer's own standard error before the first input. */
static void catch_messages(void)
{
	CHECK(ftruncate(messages, 0) == 0 && lseek(messages, 0, SEEK_SET) == 0);
	CHECK(dup2(messages, STDERR_FILENO) == STDERR_FILENO);
}

static void check_line(const char *line, size_t n)
{
	CHECK(n > 7 && memcmp(line, "pstat: ", 7) == 0);
	for (size_t i = 0; i < n; i++)
		CHECK(!iscntrl((unsigned char)line[i]));
}

/* Check the messages, and return their number. */
static size_t check_messages(void)
{
	off_t size = lseek(messages, 0, SEEK_END);
	cleanup_free char *text = malloc((size_t)size + 1);
	size_t lines = 0;

	CHECK(size >= 0 && text && pread(messages, text, (size_t)size, 0) == size);
	for (char *line = text, *end; line < text + size; line = end + 1) {
		end = memchr(line, '\n', (size_t)(text + size - line));
		CHECK(end);
		check_line(line, (size_t)(end - line));
		lines++;
	}
	return lines;
}

/* Do all steps before counting. Return 0, or another value after a message. */
static int prepare(const struct options *o)
{
	cleanup_with(machine_release) struct machine machine = { 0 };
	cleanup_with(wanted_release) struct wanted wanted = { .options = o, .machine = &machine };
	cleanup_with(sides_release) struct sides sides = { 0 };
	cleanup_with(target_release) struct target target = { 0 };
	cleanup_why struct why why = { 0 };
	int err = machine_init(&machine, machine_root, &why);

	if (err == 0)
		err = sides_of_options(&sides, o, o->compare_options.baseline, &why);
	if (err == 0)
		err = target_init(&target, &machine, &o->target, &why);
	if (err == 0)
		err = events_of_options(&wanted, &why);
	if (err < 0)
		message("%s", why_text(&why, err));
	return err;
}

/* Approximately the exit status. */
static int do_job(struct options *o)
{
	switch (o->job) {
	case JOB_COUNT:
		return prepare(o);
	case JOB_EXPLAIN:
		o->sysroot = machine_root;
		return job_explain(o, nowhere);
	case JOB_LIST:
		o->sysroot = machine_root;
		return job_list(o, nowhere);
	case JOB_HELP:
		options_help(nowhere);
		return 0;
	default:
		return 0; /* documents have a separate target */
	}
}

static int run(int argc, char **argv)
{
	cleanup_with(options_release) struct options options = { 0 };
	cleanup_why struct why why = { 0 };
	int err;

	optind = 0; /* glibc: reset getopt */
	err = options_read(&options, argc, argv, &why);
	if (err == 0)
		err = options_check(&options, argc, argv, &why);
	if (err == 0)
		return do_job(&options);
	message("%s", why_text(&why, err));
	return err;
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *text = fuzz_text(data, size);
	cleanup_str_list struct str_list words = { 0 };
	cleanup_free char **argv = NULL;
	cleanup_why struct why why = { 0 };

	if (sides_words_split(text, &words, &why) < 0)
		return;
	argv = calloc(words.n + 2, sizeof(*argv));
	CHECK(argv);
	argv[0] = (char *)(uintptr_t) "pstat";
	memcpy(argv + 1, words.v, words.n * sizeof(*argv));
	catch_messages();
	if (run((int)words.n + 1, argv) != 0)
		CHECK(check_messages() > 0);
	else
		check_messages();
}
