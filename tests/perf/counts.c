/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For LD_PRELOAD: simulate a kernel that counts hardware, cache and raw events, and events of PMUs
 * whose type is at least INVENTED_CORE_PMUS. This machine needs no PMU. Both perf and pstat open a
 * software event that never counts in their place. Its value is then a fixed rate times the time
 * that it was enabled. With COUNT_RUNS in the environment, the value does not depend on the time: a
 * counter grows whenever a run has finished, by its rate in the first run, by twice its rate in the
 * second, and so on. COUNT_SEED=N selects other rates of raw events. With ATOM_PERCENT=N, the task
 * spends N percent of its time on a second kind of core. The invented core PMUs count on this kind
 * only. With COUNTERS=N, there are N counters: larger groups are refused, and of the others,
 * only the first ones run. Commands that perf and pstat start do not load this library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	FDS_MAX = 4096,
	INVENTED_CORE_PMUS = 900, /* the types from here to INVENTED_PMUS are core PMUs */
	INVENTED_PMUS = 1000, /* the sweep gives higher types to the PMUs of the recorded machine */
};

struct counter {
	bool open, invented;
	bool is_slots; /* of Intel's core PMU: it may lead a group with its parts */
	uint64_t format; /* the read_format */
	unsigned int rate; /* percent: counts in 100 ns */
	unsigned int
		running_percent; /* the share of the time enabled during which the counter runs */
	unsigned int opened_after; /* finished runs */
	enum { ENABLED, BY_EXEC, LATER } start; /* counters with the same start compete */
	int leader;
	int next; /* the next member of the group, in the order of opening; 0: none */
};

static struct counter counters[FDS_MAX];
static bool count_runs;
static unsigned int runs_n; /* finished runs */
static unsigned int atom_percent; /* 0: all cores are alike */
static uint64_t seed;
static unsigned int counters_n; /* of the PMU; 0: enough */

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
	const char *atom = getenv("ATOM_PERCENT"), *given_seed = getenv("COUNT_SEED");
	const char *given_counters = getenv("COUNTERS");

	count_runs = getenv("COUNT_RUNS");
	atom_percent = atom ? (unsigned int)atoi(atom) : 0;
	seed = given_seed ? strtoull(given_seed, NULL, 10) : 0;
	counters_n = given_counters ? (unsigned int)atoi(given_counters) : 0;
	unsetenv("ATOM_PERCENT");
	unsetenv("COUNTERS");
	unsetenv("COUNT_RUNS");
	unsetenv("COUNT_SEED");
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

	if (attr->type == PERF_TYPE_HARDWARE &&
	    (uint32_t)attr->config < sizeof(generic) / sizeof(*generic))
		return generic[(uint32_t)attr->config];
	if (attr->type == PERF_TYPE_RAW)
		return 10 + (unsigned int)((attr->config ^ attr->config1 ^ seed << 32) *
						   0x9e3779b97f4a7c15ULL >>
					   58);
	if (attr->type >= INVENTED_CORE_PMUS)
		return 10 + attr->type % 2 + (attr->config & 0xff);
	/* misses of a cache: a quarter of its accesses */
	return attr->type == PERF_TYPE_HW_CACHE && attr->config >> 16 ? 10 : 40;
}

/* The upper half of a generic event's config is the type of its PMU. pstat's own events, which are
 * enabled from the start, run on the first kind of core only. A member runs as long as its
 * leader. */
static unsigned int percent_of(const struct perf_event_attr *attr, int leader)
{
	bool generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;
	uint64_t pmu = generic ? attr->config >> 32 : attr->type;

	if (leader >= 0 && leader < FDS_MAX && counters[leader].open)
		return counters[leader].running_percent;
	if (atom_percent > 0 && pmu >= INVENTED_CORE_PMUS && pmu < INVENTED_PMUS)
		return attr->disabled ? atom_percent : 0;
	return pmu == PERF_TYPE_RAW && attr->disabled ? 100 - atom_percent : 100;
}

static bool is_slots(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_RAW && (attr->config & 0xffff) == 0x400;
}

/* Intel's PMUs count the parts of the slots only in a group that slots leads, and slots only once
 * in a group. */
static bool is_refused_without_slots(const struct perf_event_attr *attr, int leader)
{
	const unsigned int code = attr->config & 0xffff;
	const bool is_part = attr->type == PERF_TYPE_RAW && code >= 0x8000 && code <= 0x8700;
	const bool in_group = leader >= 0 && leader < FDS_MAX && counters[leader].is_slots;

	return is_part ? !in_group : is_slots(attr) && in_group;
}

/* fd: negative if the kernel has refused the event */
static void record(long fd, const struct perf_event_attr *attr, bool invented, int leader)
{
	int last = leader;

	if (fd < 0 || fd >= FDS_MAX)
		return;
	counters[fd] = (struct counter){ .open = true,
					 .is_slots = is_slots(attr),
					 .opened_after = runs_n,
					 .invented = invented,
					 .format = attr->read_format,
					 .rate = rate_of(attr),
					 .running_percent = percent_of(attr, leader),
					 .start = !attr->disabled      ? ENABLED :
						  attr->enable_on_exec ? BY_EXEC :
									 LATER,
					 .leader = leader < 0 ? (int)fd : leader };
	if (leader < 0)
		return;
	while (counters[last].next)
		last = counters[last].next;
	counters[last].next = (int)fd;
}

/* The number of counters that the group needs. */
static unsigned int size_of_group(int leader)
{
	unsigned int n = 0;

	for (int fd = leader; fd >= 0; fd = counters[fd].next ? counters[fd].next : -1)
		n += counters[fd].invented;
	return n;
}

static bool is_too_large(int leader)
{
	return counters_n > 0 && leader >= 0 && leader < FDS_MAX && counters[leader].open &&
	       size_of_group(leader) >= counters_n;
}

/* Whether the PMU has counters for the group and those with smaller descriptors. */
static bool is_running(int leader)
{
	unsigned int needed = 0;

	for (int fd = 0; fd <= leader; fd++)
		if (counters[fd].open && counters[fd].leader == fd &&
		    counters[fd].start == counters[leader].start)
			needed += size_of_group(fd);
	return counters_n == 0 || counters[leader].start == LATER || needed <= counters_n;
}

/* A PMU outside the cores counts whole CPUs or cgroups, not tasks, in all modes. */
static bool is_refused_by_uncore(const struct perf_event_attr *attr, const long a[6])
{
	bool has_task = (int)a[1] != -1 && !(a[4] & PERF_FLAG_PID_CGROUP);

	return has_task || (int)a[2] < 0 || attr->exclude_user || attr->exclude_kernel ||
	       attr->exclude_hv || attr->exclude_idle || attr->exclude_host || attr->exclude_guest;
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
	invented = attr.type == PERF_TYPE_HARDWARE || attr.type == PERF_TYPE_HW_CACHE ||
		   attr.type == PERF_TYPE_RAW || attr.type >= INVENTED_CORE_PMUS;
	if ((attr.type >= INVENTED_PMUS && is_refused_by_uncore(&attr, a)) ||
	    is_refused_without_slots(&attr, (int)a[3]) || (invented && is_too_large((int)a[3]))) {
		errno = EINVAL;
		return -1;
	}
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

/* 1 + 2 + ... + n */
static uint64_t sum_to(uint64_t n)
{
	return n * (n + 1) / 2;
}

static uint64_t invent(const struct counter *counter, uint64_t enabled_ns)
{
	uint64_t count = enabled_ns * counter->rate / 100;

	if (count_runs)
		count = (sum_to(runs_n) - sum_to(counter->opened_after)) * counter->rate *
			1000000000;
	return is_running(counter->leader) ? count / 100 * counter->running_percent : 0;
}

/* The times on both kinds of cores add up exactly. */
static uint64_t running_ns(const struct counter *counter, uint64_t enabled_ns)
{
	if (!is_running(counter->leader))
		return 0;
	if (counter->running_percent + atom_percent == 100)
		return enabled_ns - enabled_ns * atom_percent / 100;
	return enabled_ns * counter->running_percent / 100;
}

/* Both programs take the status of a finished run with wait4(2). */
pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	pid_t ended = REAL(wait4)(pid, status, options, usage);

	runs_n += ended > 0;
	return ended;
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
		if (counter->invented) {
			words[0] = invent(counter, words[1]);
			words[2] = running_ns(counter, words[1]);
		}
		return n;
	}
	/* the number of members, both times, then the value of each member */
	has_id = counter->format & PERF_FORMAT_ID;
	if (counter->invented)
		words[2] = running_ns(counter, words[1]);
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
