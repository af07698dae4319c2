/* SPDX-License-Identifier: GPL-2.0-or-later */
/* busy MS: computes until it has used MS milliseconds of CPU time; busy -s N: sleeps N times. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { SHORT_SLEEP_NS = 100000 };

static long cpu_ms(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

/* Takes some microseconds, in user mode. */
static void compute(void)
{
	for (volatile int i = 0; i < 10000; i++)
		;
}

int main(int argc, char **argv)
{
	const struct timespec nap = { .tv_nsec = SHORT_SLEEP_NS };

	if (argc == 3 && strcmp(argv[1], "-s") == 0) {
		/* A nap may end before it begins, without a context switch. */
		for (long end = switches() + atol(argv[2]); switches() < end;)
			nanosleep(&nap, NULL);
		return 0;
	}
	if (argc != 2)
		return 99;
	while (cpu_ms() < atol(argv[1]))
		compute();
	return 0;
}
