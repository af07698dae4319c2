/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps a CPU busy until it is killed, with page faults and some context switches. */
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZE = 64 * 4096 };

int main(void)
{
	char *pages = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return 1;
	for (;;) {
		for (int i = 0; i < 100; i++)
			memset(pages, i, SIZE);
		madvise(pages, SIZE, MADV_DONTNEED);
		sched_yield();
	}
}
