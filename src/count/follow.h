/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of a command, each with counters of its own: --per-process and --per-thread. Counters
 * are opened on each task before its first instruction (count/tracer.h), and closed at its end.
 *
 * Counts of user mode are exact: the sum of all places is what inherited counters would count. In
 * kernel mode, the counts include the stops of the tracer. They miss the work of a new task before
 * its first stop, for example the page fault by which fork(2) stores the thread ID.
 *
 * With --per-process, the counters of a process include its threads, and a process that executes a
 * program begins a new place. With Linux before 5.13, and for function probes that cannot be
 * inherited, the counters are opened on each thread.
 *
 * Some processes cannot be traced: debuggers need ptrace(2) themselves, and set-user-ID programs
 * would lose their privileges. Their counters then include all processes that they create. The same
 * happens for the command as a whole if it may not be traced. If descriptors run out, the rows of
 * later tasks have no counts, with the reason.
 *
 * Tasks that hide from tracers (CLONE_UNTRACED) cannot be followed. They are noticed by their page
 * faults in user mode, unless the events need the descriptors. If there are any, one place without
 * counts stands for them. The time enabled of an inherited dummy event would also show tasks
 * without faults. But this time begins before the first stop of each task, when its own counters
 * are not open yet. If the host stops the CPU at this moment, the time has no limit, and a row
 * would be false.
 */
#ifndef PSTAT_COUNT_FOLLOW_H
#define PSTAT_COUNT_FOLLOW_H

#include "count/session.h"

/*
 * The command of the workload is held before its exec: begin to follow it, and open its counters.
 * 0; -errno with why.
 */
int follow_begin(struct session *s, const struct workload *w, struct why *why);

/* The run's time starts this much later, at the end of -D. Before it, nothing was counted. */
void follow_start_later(struct session *s, uint64_t delay_ns);

/* Read all counters for the last time, and close them. end_ns: the time since the start of the
 * run. */
void follow_end_counting(struct session *s, uint64_t end_ns);

/* The run is over: stop tracing. */
void follow_end(struct session *s, const struct run *run);

/* Switch the counters of all tasks; event: its index, or FOLLOW_ALL_EVENTS. */
void follow_switch(struct session *s, size_t event, enum kernel_switch to);

#define FOLLOW_ALL_EVENTS SIZE_MAX

#endif
