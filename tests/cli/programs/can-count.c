/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * can-count user|kernel
 *
 * Checks whether the kernel lets a process count its own page faults: only in user mode, or also in
 * the kernel. If not, prints the reason and exits with 77. This program does not use pstat:
 * otherwise, a defect of pstat could look like a machine that forbids counting.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EXIT_SKIP = 77, EXIT_TROUBLE = 99 };

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.disabled = 1,
		.inherit = 1,
		.exclude_hv = 1,
	};

	if (argc != 2)
		return EXIT_TROUBLE;
	attr.exclude_kernel = strcmp(argv[1], "kernel") != 0;
	if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) >= 0)
		return 0;
	printf("perf_event_open is refused here: %s\n", strerror(errno));
	return EXIT_SKIP;
}
