/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures two commands in turns: A B, B A, A B, and so on, so that drift of the machine affects
 * both alike. Prints the medians of both, the median and the quartiles of the ratios of the pairs,
 * and the largest resident set of each in KiB:
 *
 *	A B ratio lower-quartile upper-quartile A-KiB B-KiB
 *
 *	pairs [-m WHAT] N A [ARG...] -- B [ARG...]
 *
 * WHAT to measure in each run:
 *	elapsed	milliseconds from the start to the end (the default)
 *	cpu	milliseconds of CPU time of the command and of the children it waited for
 *	lines	lines of output, in both streams
 *	per-line	microseconds of CPU time for each of these lines
 *	memory	peak resident set in KiB
 *
 * The output of the commands goes to /dev/null, or to a file when its lines are counted.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct side {
	char **argv;
	double *values;
	long max_rss_kib;
};

enum what { ELAPSED, CPU, LINES, PER_LINE, MEMORY, WHATS };

static const char *const names[WHATS] = { "elapsed", "cpu", "lines", "per-line", "memory" };

static enum what what;
static int output_fd; /* of both streams */

static double milliseconds(const struct timeval *tv)
{
	return (double)tv->tv_sec * 1e3 + (double)tv->tv_usec / 1e3;
}

/* At least 1, because a ratio needs it. */
static double count_lines(void)
{
	char bytes[65536];
	size_t lines = 0;
	off_t at = 0;
	ssize_t n;

	while ((n = pread(output_fd, bytes, sizeof(bytes), at)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			lines += bytes[i] == '\n';
		at += n;
	}
	if (lines == 0) {
		fputs("pairs: a command printed nothing\n", stderr);
		exit(1);
	}
	return (double)lines;
}

static double measured(const struct rusage *usage, double elapsed_ms)
{
	double cpu_ms = milliseconds(&usage->ru_utime) + milliseconds(&usage->ru_stime);

	switch (what) {
	case CPU:
		return cpu_ms;
	case LINES:
		return count_lines();
	case PER_LINE:
		return cpu_ms * 1e3 / count_lines();
	case MEMORY:
		return (double)usage->ru_maxrss;
	default:
		return elapsed_ms;
	}
}

static void run(struct side *side, int i)
{
	posix_spawn_file_actions_t actions;
	struct timespec start, end;
	struct rusage usage;
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output_fd, 1);
	posix_spawn_file_actions_adddup2(&actions, output_fd, 2);
	if ((what == LINES || what == PER_LINE) && ftruncate(output_fd, 0) < 0)
		exit(1);
	clock_gettime(CLOCK_MONOTONIC, &start);
	if (posix_spawnp(&pid, side->argv[0], &actions, NULL, side->argv, environ) != 0 ||
	    wait4(pid, &status, 0, &usage) < 0 || status) {
		fprintf(stderr, "pairs: %s failed\n", side->argv[0]);
		exit(1);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	posix_spawn_file_actions_destroy(&actions);
	side->values[i] = measured(&usage, (double)(end.tv_sec - start.tv_sec) * 1e3 +
						   (double)(end.tv_nsec - start.tv_nsec) / 1e6);
	if (usage.ru_maxrss > side->max_rss_kib)
		side->max_rss_kib = usage.ru_maxrss;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile(const double *sorted, int n, double q)
{
	return sorted[(int)(q * (n - 1) + 0.5)];
}

static int open_output(void)
{
	FILE *file = what == LINES || what == PER_LINE ? tmpfile() : fopen("/dev/null", "w");

	/* O_APPEND: several processes write to the file, and it is truncated between runs */
	if (!file || fcntl(fileno(file), F_SETFL, O_APPEND) < 0 ||
	    fcntl(fileno(file), F_SETFD, FD_CLOEXEC) < 0) {
		perror("pairs");
		exit(1);
	}
	return fileno(file);
}

/* Remove -m, and return its value. */
static void take_what(int *argc, char ***argv)
{
	if (*argc < 3 || strcmp((*argv)[1], "-m") != 0)
		return;
	while (what < WHATS && strcmp((*argv)[2], names[what]) != 0)
		what++;
	*argc = what < WHATS ? *argc - 2 : 0;
	*argv += 2;
}

int main(int argc, char **argv)
{
	struct side a = { 0 }, b = { 0 };
	double *ratios;
	int n;

	take_what(&argc, &argv);
	n = argc > 1 ? atoi(argv[1]) : 0;
	a.argv = argv + 2;
	for (int i = 2; i < argc && !b.argv; i++)
		if (strcmp(argv[i], "--") == 0) {
			argv[i] = NULL;
			b.argv = argv + i + 1;
		}
	if (n < 1 || !b.argv || !*a.argv || !*b.argv) {
		fputs("usage: pairs [-m WHAT] N A [ARG...] -- B [ARG...]\n", stderr);
		return 2;
	}
	ratios = calloc(3 * (size_t)n, sizeof(*ratios));
	if (!ratios)
		return 2;
	a.values = ratios + n;
	b.values = a.values + n;
	output_fd = open_output();
	run(&a, 0); /* one of each to warm up, overwritten below */
	run(&b, 0);
	for (int i = 0; i < n; i++) {
		run(i % 2 ? &b : &a, i);
		run(i % 2 ? &a : &b, i);
		ratios[i] = a.values[i] / b.values[i];
	}
	qsort(a.values, (size_t)n, sizeof(*a.values), compare);
	qsort(b.values, (size_t)n, sizeof(*b.values), compare);
	qsort(ratios, (size_t)n, sizeof(*ratios), compare);
	printf("%.3f %.3f %.3f %.3f %.3f %ld %ld\n", quantile(a.values, n, 0.5),
	       quantile(b.values, n, 0.5), quantile(ratios, n, 0.5), quantile(ratios, n, 0.25),
	       quantile(ratios, n, 0.75), a.max_rss_kib, b.max_rss_kib);
	free(ratios);
	return 0;
}
