/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads N FILE
 *
 * Starts N threads that do nothing, creates FILE when all of them have run, and waits for a signal.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99, STACK_SIZE = 65536 };

static pthread_barrier_t all_run;

static void *idle(void *data)
{
	(void)data;
	pthread_barrier_wait(&all_run);
	for (;;)
		pause();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t thread;
	long n;
	FILE *ready;

	if (argc != 3)
		return EXIT_TROUBLE;
	n = strtol(argv[1], NULL, 10);
	if (pthread_barrier_init(&all_run, NULL, (unsigned int)n + 1) != 0)
		return EXIT_TROUBLE;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	for (long i = n; i > 0; i--)
		if (pthread_create(&thread, &attr, idle, NULL) != 0)
			return EXIT_TROUBLE;
	pthread_barrier_wait(&all_run);
	ready = fopen(argv[2], "we");
	if (!ready || fclose(ready) == EOF)
		return EXIT_TROUBLE;
	for (;;)
		pause();
}
