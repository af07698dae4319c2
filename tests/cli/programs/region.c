/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region [-n] PAGES...
 *
 * For each PAGES: calls called() and touches a new page ten times before and after a region of
 * pstat-region.h, and PAGES times within it. Prints a line for each region: the return values of
 * pstat_region_enable() and pstat_region_disable(), and the message of errno if one of them is -1.
 * With -n, the last pstat_region_disable() is omitted.
 */
#include <errno.h>
#include <pstat-region.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { EXIT_TROUBLE = 99, OUTSIDE = 10 };

void called(void);

__attribute__((noinline)) void called(void)
{
	__asm__ volatile("" ::: "memory");
}

static void call(char *memory, size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < n; i++) {
		called();
		*(volatile char *)&memory[i * page] = 1;
	}
}

static char *new_pages(size_t n)
{
	size_t size = n * (size_t)sysconf(_SC_PAGESIZE);
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(EXIT_TROUBLE);
	madvise(memory, size, MADV_NOHUGEPAGE);
	return (char *)memory;
}

static void do_region(size_t n, int stays_on)
{
	char *outside = new_pages(OUTSIDE);
	char *inside = new_pages(n);
	int on, off;

	call(outside, OUTSIDE);
	on = pstat_region_enable();
	call(inside, n);
	off = stays_on ? 0 : pstat_region_disable();
	printf("%d %d%s%s\n", on, off, on < 0 || off < 0 ? " " : "",
	       on < 0 || off < 0 ? strerror(errno) : "");
	call(outside, OUTSIDE);
}

int main(int argc, char **argv)
{
	int first = argc > 1 && strcmp(argv[1], "-n") == 0 ? 2 : 1;

	for (int i = first; i < argc; i++)
		do_region((size_t)atol(argv[i]), first == 2 && i == argc - 1);
	return 0;
}
