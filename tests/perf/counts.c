/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For LD_PRELOAD: a kernel that counts hardware and cache events, whether this machine has a PMU or
 * not. Both perf and pstat open a software event that never counts in their place. Its value is
 * then a fixed rate times the time that it was enabled. The programs that are started do not see
 * this library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FDS_MAX = 4096 };

struct counter {
	bool open, invented;
	uint64_t format; /* the read_format */
	unsigned int rate; /* percent: counts in 100 ns */
	int leader;
	int next; /* the next member of the group, in the order of opening; 0: none */
};

static struct counter counters[FDS_MAX];

/* The real functions. Other libraries call them before the constructor below. */
#define REAL(name) ((__typeof__(&(name)))real_function(#name))

static void *real_function(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		abort();
	return function;
}

__attribute__((constructor)) static void begin(void)
{
	unsetenv("LD_PRELOAD");
}

/* Ratios that both programs print are then whole numbers: 2 instructions for each cycle. */
static unsigned int rate_of(const struct perf_event_attr *attr)
{
	static const unsigned int generic[] = {
		[PERF_COUNT_HW_CPU_CYCLES] = 100,	  [PERF_COUNT_HW_INSTRUCTIONS] = 200,
		[PERF_COUNT_HW_CACHE_REFERENCES] = 20,	  [PERF_COUNT_HW_CACHE_MISSES] = 5,
		[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = 40, [PERF_COUNT_HW_BRANCH_MISSES] = 2,
		[PERF_COUNT_HW_BUS_CYCLES] = 10,
	};

	if (attr->type == PERF_TYPE_HARDWARE && attr->config < sizeof(generic) / sizeof(*generic))
		return generic[attr->config];
	/* misses of a cache: a quarter of its accesses */
	return attr->type == PERF_TYPE_HW_CACHE && attr->config >> 16 ? 10 : 40;
}

/* fd: negative if the kernel has refused the event */
static void record(long fd, const struct perf_event_attr *attr, bool invented, int leader)
{
	int last = leader;

	if (fd < 0 || fd >= FDS_MAX)
		return;
	counters[fd] = (struct counter){ .open = true,
					 .invented = invented,
					 .format = attr->read_format,
					 .rate = rate_of(attr),
					 .leader = leader < 0 ? (int)fd : leader };
	if (leader < 0)
		return;
	while (counters[last].next)
		last = counters[last].next;
	counters[last].next = (int)fd;
}

long syscall(long number, ...)
{
	struct perf_event_attr attr = { 0 }, opened;
	bool invented;
	long a[6], fd;
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number != SYS_perf_event_open)
		return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	memcpy(&attr, (const void *)a[0], PERF_ATTR_SIZE_VER0);
	opened = attr;
	invented = attr.type == PERF_TYPE_HARDWARE || attr.type == PERF_TYPE_HW_CACHE;
	if (invented) {
		opened.size = PERF_ATTR_SIZE_VER0;
		opened.type = PERF_TYPE_SOFTWARE;
		opened.config = PERF_COUNT_SW_DUMMY;
		a[0] = (long)&opened;
	}
	fd = REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], 0L);
	record(fd, &attr, invented, (int)a[3]);
	return fd;
}

static uint64_t invent(const struct counter *counter, uint64_t enabled_ns)
{
	return enabled_ns * counter->rate / 100;
}

ssize_t read(int fd, void *bytes, size_t size)
{
	ssize_t n = REAL(read)(fd, bytes, size);
	uint64_t *words = bytes;
	const struct counter *counter;
	bool has_id;
	size_t at = 1;

	if (fd < 0 || fd >= FDS_MAX || !counters[fd].open || n < (ssize_t)(2 * sizeof(*words)))
		return n;
	counter = &counters[fd];
	if (!(counter->format & PERF_FORMAT_GROUP)) {
		if (counter->invented)
			words[0] = invent(counter, words[1]);
		return n;
	}
	/* the number of members, both times, then the value of each member */
	has_id = counter->format & PERF_FORMAT_ID;
	for (int member = fd; at <= words[0]; member = counters[member].next, at++) {
		uint64_t *value = &words[3 + (at - 1) * (has_id ? 2 : 1)];

		if (counters[member].invented)
			*value = invent(&counters[member], words[1]);
	}
	return n;
}

int close(int fd)
{
	if (fd >= 0 && fd < FDS_MAX)
		counters[fd] = (struct counter){ 0 };
	return REAL(close)(fd);
}
