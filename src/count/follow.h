/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of a command, each with counters of its own: --per-process and --per-thread. Counters
 * are opened on each task before its first instruction (count/tracer.h), and closed at its end. The
 * counts are exact: the sum of all places is what inherited counters would count.
 *
 * With --per-process, the counters of a process include its threads, and a process that executes a
 * program begins a new place. With Linux before 5.13, and for function probes that cannot be
 * inherited, the counters are opened on each thread.
 *
 * Some processes cannot be traced: debuggers need ptrace(2) themselves, and set-user-ID programs
 * would lose their privileges. Their counters then include all processes that they create. The same
 * happens if descriptors become scarce, and for the command as a whole if it may not be traced.
 */
#ifndef PSTAT_COUNT_FOLLOW_H
#define PSTAT_COUNT_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/str.h"
#include "count/counters.h"
#include "count/tracer.h"
#include "machine/program.h"

struct session;
struct why;
struct workload;

/* A task that has counters and has not ended. */
struct followed {
	pid_t tid;
	pid_t process; /* the task's process */
	size_t place_index; /* the present place of its counts */
	struct counters counters; /* owned; their rows are those of the first place: the events */
	struct reading *counted; /* owned: for each event, the counts that are in a place already */
	enum program_guard guard; /* of the program */
	bool counts_children; /* the counters include the processes that it creates */
	pid_t last_child; /* created before its counters included children */
};

/* All zero: nothing is followed. */
struct follow {
	bool on;
	bool by_process; /* false: each thread is a place */
	bool has_executed; /* the command */
	bool is_over; /* counting has ended: tasks are only traced */
	enum counter_inherit inherit; /* of the counters on a task */
	const struct workload *workload; /* of the current run */
	pid_t command;
	struct tracer tracer;
	struct tracer_hooks hooks;
	struct followed *tasks; /* owned */
	size_t tasks_n, tasks_size;
	struct reading *readings; /* owned: of each row, in this run; ELSEWHERE: no task was there */
	size_t rows_n, rows_size; /* the number of readings */
	/* For notes, about all runs: */
	int trace_error; /* -errno: the command could not be traced */
	size_t joined_n; /* processes that were counted with the one that created them */
	struct str untraced; /* programs that were not traced: "gdb, sudo" */
};

/*
 * The command of the workload is held before its exec: begin to follow it, and open its counters. 0;
 * -errno with why.
 */
int follow_begin(struct session *s, const struct workload *w, struct why *why);

/* Read all counters for the last time, and close them. */
void follow_end_counting(struct session *s);

/* The run is over: stop tracing. wait_status: of the command. */
void follow_end(struct session *s, int wait_status);

/* Switch the counters of all tasks; event: its index, or FOLLOW_ALL_EVENTS. */
void follow_switch(struct session *s, size_t event, enum kernel_switch to);

#define FOLLOW_ALL_EVENTS SIZE_MAX

void follow_release(struct follow *f);

#endif
