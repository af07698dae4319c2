/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small kernel that replaces src/count/kernel.c. It records all opens, and refuses the calls that
 * a test selects. It returns real descriptors: the limit on open descriptors applies, and a
 * descriptor that is not closed appears in /proc/self/fd. Readings come from a script.
 */
#ifndef PSTAT_UNIT_FAKE_KERNEL_H
#define PSTAT_UNIT_FAKE_KERNEL_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "count/reading.h"
#include "unit/old_kernel.h"

/* A call of kernel_open(). */
struct fake_open {
	struct perf_event_attr attr;
	pid_t pid;
	int cpu;
	int group_fd;
	unsigned long flags;
	int result; /* the descriptor or -errno */
	bool on; /* enabled now; false until the exec if the exec enables the event */
};

enum { FAKE_OPENS_MAX = 40000 };

extern struct fake_open fake_opens[FAKE_OPENS_MAX];
extern size_t fake_opens_n;

/* Reset: all calls are accepted, no time passes, and every reading is 0. */
void fake_reset(void);

/*
 * Behave like this version of Linux, for example LINUX(4, 9): refuse later features, see
 * unit/old_kernel.c. After fake_reset(), all features are accepted.
 */
void fake_kernel_version(unsigned int version);

/*
 * Whether the kernel could swap a context of pstat's task with that of a child, and carry inherited
 * counters away. It can if all events in the context are inherited. Before Linux 6.2, software and
 * hardware events have separate contexts.
 */
bool fake_context_may_be_swapped(void);

/*
 * If the limit of descriptors is too low, return numbers that are not real descriptors. Closing
 * them is not recorded.
 */
void fake_hand_out_numbers(void);

/*
 * The clock of events that have no script. The times of an event that is switched on grow with this
 * clock, and its count grows by fake_rate() for each nanosecond. Each event thus has a different
 * count on each CPU and task. Time passes when a test requests it, or with each reading.
 */
void fake_advance_clock(uint64_t ns);
void fake_pass_with_each_reading(uint64_t ns);
uint64_t fake_rate(__u64 config, pid_t pid, int cpu);

/* Refuse every call for which the function returns true, with an errno such as ENOENT. */
typedef bool fake_when(const struct fake_open *call);
void fake_refuse(int error, fake_when *when);

/* Refuse this event. */
void fake_refuse_event(int error, __u32 type, __u64 config);

/* Calls that some kernels refuse. */
fake_when fake_counts_kernel; /* perf_event_paranoid 2, with EACCES; software events too */
fake_when fake_excludes_guest; /* a PMU without exclude bits, EINVAL */

/* As if a seccomp filter refused the calls, with the error set by fake_refuse(). */
void fake_filter_calls(void);

/* Breakpoints can be opened, but count no access, as in some virtual machines. */
void fake_break_breakpoints(void);

/*
 * A PMU with n counters. A group that needs more counters is refused with EINVAL; with n = 0, so
 * are single events. Software events need no counter. An event that is opened after all counters
 * are taken is accepted, but never runs.
 */
void fake_pmu_counters(size_t n);

/*
 * Take a CPU offline. The clock of its open events stops for good, its groups are split, and new
 * events are refused with ENODEV until the CPU is online again.
 */
void fake_cpu_offline(int cpu);
void fake_cpu_online(int cpu);

/*
 * Accept the clocks of open_clock() (count/opener.c) from now on. Otherwise, they are refused with
 * EMFILE and not recorded, because most tests are not about them.
 */
void fake_accept_clocks(void);

/* The size of the records of all calls. */
size_t fake_bytes(void);

/*
 * The filters that were set, newest last. fake_refuse_filter() refuses the next filter with an
 * errno.
 */
extern const char *fake_filters[8];
extern size_t fake_filters_n;
void fake_refuse_filter(int error);

/* Set the readings of this event, in order. A reading after the last one fails the test. */
void fake_readings(__u32 type, __u64 config, const struct counts *readings, size_t n);

/*
 * Truncate the readings of this leader or event to this number of bytes, or refuse them with an
 * -errno.
 */
void fake_read_result(__u32 type, __u64 config, ssize_t result);

/* Refuse the next n readings of any event with an errno such as ECHILD. */
void fake_refuse_readings(int error, size_t n);

/*
 * Refuse to switch the events on this CPU (-1: on tasks) with an errno such as EIO; 0: accept
 * again.
 */
void fake_refuse_switching(int error, int cpu);

/* The number of calls of read(2), and the number of counters that were enabled or disabled. */
extern size_t fake_reads_n;
extern size_t fake_switches_n;

#endif
