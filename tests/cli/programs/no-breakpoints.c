/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For LD_PRELOAD: simulate a machine whose hypervisor does not deliver debug exceptions. The kernel
 * accepts hardware breakpoints, but they never count. PSTAT_TEST_NO_BREAKPOINTS=1 runs the tests
 * with this library (tests/README).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LARGEST_ATTR = 4096 };

/* Without this option, the sanitizers refuse any library that is loaded before theirs. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0";
}

static long call(long number, const long *a)
{
	static __typeof__(&syscall) real;

	if (!real)
		real = (__typeof__(real))dlsym(RTLD_NEXT, "syscall");
	if (!real)
		abort();
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/*
 * First open the breakpoint itself, so that all errors of the kernel appear. The event that
 * replaces it has the same size, modes and flags, belongs to the same kind of PMU (software), and
 * stays 0.
 */
static long open_dummy(const long *a)
{
	union {
		struct perf_event_attr attr;
		char bytes[LARGEST_ATTR];
	} dummy = { 0 };
	const struct perf_event_attr *attr = (const struct perf_event_attr *)a[0];
	long fd = call(SYS_perf_event_open, a);

	if (fd < 0 || attr->size > sizeof(dummy))
		return fd;
	close((int)fd);
	memcpy(&dummy, attr, attr->size);
	dummy.attr.type = PERF_TYPE_SOFTWARE;
	dummy.attr.config = PERF_COUNT_SW_DUMMY;
	dummy.attr.bp_type = 0;
	dummy.attr.bp_addr = 0;
	dummy.attr.bp_len = 0;
	return call(SYS_perf_event_open, (long[]){ (long)&dummy, a[1], a[2], a[3], a[4], a[5] });
}

long syscall(long number, ...)
{
	const struct perf_event_attr *attr;
	va_list args;
	long a[6];

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	attr = (const struct perf_event_attr *)a[0];
	if (number == SYS_perf_event_open && attr && attr->type == PERF_TYPE_BREAKPOINT)
		return open_dummy(a);
	return call(number, a);
}
