/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults [-c CHILDREN | -t THREADS | -T THREADS] PAGES
 *
 * Touches PAGES new pages, with one page fault each. Each child (-c) or thread does the same: one
 * after the other (-t), or all at once (-T).
 */
#include <err.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99 };

static void touch(size_t pages)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *memory;

	if (pages == 0)
		return;
	memory = mmap(NULL, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		      0);
	if (memory == MAP_FAILED)
		err(EXIT_TROUBLE, "mmap");
	/* A kernel without huge pages refuses this, which is harmless. */
	madvise(memory, pages * size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		*(volatile char *)&memory[i * size] = 1;
}

static void touch_in_child(size_t pages)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		err(EXIT_TROUBLE, "fork");
	if (child == 0) {
		touch(pages);
		_exit(0);
	}
	if (waitpid(child, &status, 0) < 0 || status)
		errx(EXIT_TROUBLE, "a child failed");
}

static void *thread(void *pages)
{
	touch(*(const size_t *)pages);
	return NULL;
}

static void touch_in_threads(size_t pages, size_t threads, size_t at_once)
{
	pthread_t *ids = calloc(at_once, sizeof(*ids));

	if (!ids)
		err(EXIT_TROUBLE, "calloc");
	for (size_t done = 0; done < threads; done += at_once) {
		for (size_t i = 0; i < at_once; i++)
			if (pthread_create(&ids[i], NULL, thread, &pages))
				errx(EXIT_TROUBLE, "pthread_create failed");
		for (size_t i = 0; i < at_once; i++)
			pthread_join(ids[i], NULL);
	}
	free(ids);
}

int main(int argc, char **argv)
{
	size_t children = 0, threads = 0, at_once = 1;
	size_t pages;
	int option;

	while ((option = getopt(argc, argv, "c:t:T:")) != -1) {
		size_t n = option == '?' ? 0 : strtoul(optarg, NULL, 10);

		if (option == 'c')
			children = n;
		else
			threads = n;
		if (option == 'T')
			at_once = n;
	}
	if (optind + 1 != argc || (threads && at_once == 0))
		errx(EXIT_TROUBLE, "usage: faults [-c CHILDREN | -t THREADS | -T THREADS] PAGES");
	pages = strtoul(argv[optind], NULL, 10);
	touch(pages);
	for (size_t i = 0; i < children; i++)
		touch_in_child(pages);
	touch_in_threads(pages, threads, at_once);
	return 0;
}
