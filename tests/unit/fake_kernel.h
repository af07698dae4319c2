/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small kernel instead of src/count/kernel.c. It records all opens, refuses those that
 * what a test tells it to, hands out real descriptors (so that a limit of descriptors is a real one
 * and one that is not closed is seen in /proc/self/fd) and gives the readings of a script.
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
	bool on; /* switched on now; of what an exec is to switch on: not */
};

enum { FAKE_OPENS_MAX = 40000 };

extern struct fake_open fake_opens[FAKE_OPENS_MAX];
extern size_t fake_opens_n;

/* Forget everything: all is accepted, no time passes, and every reading is 0. */
void fake_reset(void);

/* Be Linux of this version, such as LINUX(4, 9): refuse what came later, as unit/old_kernel.c lists it.
 * After fake_reset(), nothing is too new. */
void fake_age(unsigned int version);

/*
 * Whether the kernel could swap a context of pstat's task with that of a child, and carry inherited
 * counters away. It can if nothing in the context is not inherited. Before Linux 6.2, software and
 * hardware events have a context each.
 */
bool fake_context_may_be_swapped(void);

/* Return any number of values that are not descriptors, if the limit of descriptors is too low.
 * Nothing is seen of their being closed. */
void fake_hand_out_numbers(void);

/*
 * The clock of what is switched on and has no script: its times are what has passed, and its count is
 * fake_rate() for each nanosecond that it ran, so that each event counts differently on each CPU and
 * task. Time passes when a test requests it, or with each reading.
 */
void fake_pass(uint64_t ns);
void fake_pass_with_each_reading(uint64_t ns);
uint64_t fake_rate(__u64 config, pid_t pid, int cpu);

/* Refuse every call for which this holds with an errno such as ENOENT. */
typedef bool fake_when(const struct fake_open *call);
void fake_refuse(int error, fake_when *when);

/* Refuse this event. */
void fake_refuse_event(int error, __u32 type, __u64 config);

/* What some kernels refuse. */
fake_when fake_counts_kernel; /* perf_event_paranoid 2, with EACCES; software events too */
fake_when fake_excludes_guest; /* a PMU without exclude bits, EINVAL */
fake_when fake_group_inherited; /* Linux before 4.13, EINVAL */

/* A seccomp filter answers for the kernel, with the error set by fake_refuse(). */
void fake_filter_calls(void);

/* A PMU with that many counters: a group that needs more is refused with EINVAL, and so are single
 * events when there is none (n = 0). Software events need no counter. What was opened later than the
 * counters last for is accepted and never runs. */
void fake_pmu_counters(size_t n);

/* A CPU goes offline: the clock of what is open on it stands still for good, its groups are taken
 * apart, and nothing more is opened there (ENODEV) until it comes back. */
void fake_cpu_goes(int cpu);
void fake_cpu_comes(int cpu);

/* What the records of the calls take. */
size_t fake_bytes(void);

/* The filters that were set, newest last; with an error, the next one is refused. */
extern const char *fake_filters[8];
extern size_t fake_filters_n;
void fake_refuse_filter(int error);

/* What the n-th reading of this event gives; a reading beyond the last fails the test. */
void fake_readings(__u32 type, __u64 config, const struct counts *readings, size_t n);

/* Readings through this leader, or of this event, are cut to that many bytes, or are an -errno. */
void fake_read_result(__u32 type, __u64 config, ssize_t result);

/* The next n readings, of whatever event, are refused with an errno such as ECHILD. */
void fake_refuse_readings(int error, size_t n);

/* Switching what is open on this CPU (-1: on tasks) is refused with an errno such as EIO; 0: no more. */
void fake_refuse_switching(int error, int cpu);

/* The number of readings, each by one read(2), and of counters that were switched. */
extern size_t fake_reads_n;
extern size_t fake_switches_n;

#endif
