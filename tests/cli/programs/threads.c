/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads N FILE
 *
 * Starts N threads that do nothing, creates FILE, and waits for a signal.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99, STACK_SIZE = 65536 };

static void *idle(void *data)
{
	(void)data;
	for (;;)
		pause();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t thread;
	FILE *ready;

	if (argc != 3)
		return EXIT_TROUBLE;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	for (long i = strtol(argv[1], NULL, 10); i > 0; i--)
		if (pthread_create(&thread, &attr, idle, NULL) != 0)
			return EXIT_TROUBLE;
	ready = fopen(argv[2], "we");
	if (!ready || fclose(ready) == EOF)
		return EXIT_TROUBLE;
	idle(NULL);
}
