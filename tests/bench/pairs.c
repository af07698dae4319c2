/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time two commands side by side: A B, B A, A B …, so that a machine which drifts meets both alike.
 * Their output goes to /dev/null. Prints the medians in milliseconds, the median of the ratios of
 * the pairs with its quartiles, and the largest resident set of each in KiB:
 *
 *	A-ms B-ms ratio lower-quartile upper-quartile A-KiB B-KiB
 *
 *	pairs N A [ARG...] -- B [ARG...]
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
	double *ms;
	long max_rss_kib;
};

static void run(struct side *side, int i)
{
	posix_spawn_file_actions_t actions;
	struct timespec start, end;
	struct rusage usage;
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	clock_gettime(CLOCK_MONOTONIC, &start);
	if (posix_spawnp(&pid, side->argv[0], &actions, NULL, side->argv, environ) != 0 ||
	    wait4(pid, &status, 0, &usage) < 0 || status) {
		fprintf(stderr, "pairs: %s failed\n", side->argv[0]);
		exit(1);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	posix_spawn_file_actions_destroy(&actions);
	side->ms[i] = (double)(end.tv_sec - start.tv_sec) * 1e3 +
		      (double)(end.tv_nsec - start.tv_nsec) / 1e6;
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

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	struct side a = { .argv = argv + 2 }, b = { 0 };
	double *ratios;

	for (int i = 2; i < argc && !b.argv; i++)
		if (strcmp(argv[i], "--") == 0) {
			argv[i] = NULL;
			b.argv = argv + i + 1;
		}
	if (n < 1 || !b.argv || !*a.argv || !*b.argv) {
		fputs("usage: pairs N A [ARG...] -- B [ARG...]\n", stderr);
		return 2;
	}
	ratios = calloc(3 * (size_t)n, sizeof(*ratios));
	if (!ratios)
		return 2;
	a.ms = ratios + n;
	b.ms = a.ms + n;
	run(&a, 0); /* one of each to warm up, overwritten below */
	run(&b, 0);
	for (int i = 0; i < n; i++) {
		run(i % 2 ? &b : &a, i);
		run(i % 2 ? &a : &b, i);
		ratios[i] = a.ms[i] / b.ms[i];
	}
	qsort(a.ms, (size_t)n, sizeof(*a.ms), compare);
	qsort(b.ms, (size_t)n, sizeof(*b.ms), compare);
	qsort(ratios, (size_t)n, sizeof(*ratios), compare);
	printf("%.3f %.3f %.3f %.3f %.3f %ld %ld\n", quantile(a.ms, n, 0.5), quantile(b.ms, n, 0.5),
	       quantile(ratios, n, 0.5), quantile(ratios, n, 0.25), quantile(ratios, n, 0.75),
	       a.max_rss_kib, b.max_rss_kib);
	free(ratios);
	return 0;
}
