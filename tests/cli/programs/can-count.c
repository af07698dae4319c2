/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * can-count user|kernel
 *	Checks whether the kernel lets a process count its own page faults: only in user mode, or
 *	also in the kernel.
 * can-count breakpoint
 *	Checks whether breakpoints on a function and on a variable count each call and each write.
 *	Some hypervisors deliver no debug exceptions.
 * can-count tracepoint ID
 *	Checks whether the tracepoint ID counts each call of called().
 *
 * If not, prints the reason and exits with 77. This program does not use pstat: otherwise, a defect
 * of pstat could look like a machine that cannot count.
 */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "called.h"

enum { EXIT_SKIP = 77, EXIT_TROUBLE = 99, CALLS = 10 };

static volatile int written;

static int open_counter(struct perf_event_attr *attr)
{
	int fd;

	attr->size = sizeof(*attr);
	attr->exclude_hv = 1;
	fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		printf("perf_event_open is refused here: %s\n", strerror(errno));
	return fd;
}

/* Return the exit status. */
static int can_open(struct perf_event_attr attr)
{
	return open_counter(&attr) < 0 ? EXIT_SKIP : 0;
}

static int counts_calls(const char *what, struct perf_event_attr attr)
{
	int fd = open_counter(&attr);
	uint64_t count = 0;

	if (fd < 0)
		return EXIT_SKIP;
	for (int i = 0; i < CALLS; i++) {
		called();
		written = i;
	}
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		return EXIT_TROUBLE;
	close(fd);
	if (count == CALLS)
		return 0;
	printf("%s counts %d of %d here\n", what, (int)count, CALLS);
	return EXIT_SKIP;
}

static struct perf_event_attr breakpoint(unsigned int type, uintptr_t address, size_t length)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = type,
		.bp_addr = address,
		.bp_len = length,
		.exclude_kernel = 1,
	};
}

int main(int argc, char **argv)
{
	const char *what = argc >= 2 ? argv[1] : "";
	struct perf_event_attr faults = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.disabled = 1,
		.inherit = 1,
	};
	int status;

	if (argc == 2 && (strcmp(what, "user") == 0 || strcmp(what, "kernel") == 0)) {
		faults.exclude_kernel = strcmp(what, "user") == 0;
		return can_open(faults);
	}
	if (argc == 2 && strcmp(what, "breakpoint") == 0) {
		status = counts_calls("a breakpoint on a function",
				      breakpoint(HW_BREAKPOINT_X, (uintptr_t)called, sizeof(long)));
		return status ? status :
				counts_calls("a breakpoint on a variable",
					     breakpoint(HW_BREAKPOINT_W, (uintptr_t)&written,
							sizeof(written)));
	}
	if (argc == 3 && strcmp(what, "tracepoint") == 0)
		return counts_calls("a tracepoint", (struct perf_event_attr){
							    .type = PERF_TYPE_TRACEPOINT,
							    .config = strtoull(argv[2], NULL, 0) });
	return EXIT_TROUBLE;
}
