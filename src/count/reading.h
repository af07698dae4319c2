/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The readings of each event at each place: plain data that count/ fills and result/ evaluates. */
#ifndef PSTAT_COUNT_READING_H
#define PSTAT_COUNT_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "event/event.h"
#include "stats/estimate.h"
#include "stats/scale.h"

enum count_state {
	COUNTED, /* ran all the time it was enabled: exact */
	SCALED, /* multiplexed: an estimate */
	NOT_COUNTED, /* never ran, or was 0 in the first task although children ran */
	NOT_SUPPORTED, /* could not be opened */
	FAILED, /* was opened, but could not be read, or is in an error state */
	ELSEWHERE, /* not in this run: in another pass of --no-multiplex */
};

/* Why an event is not counted, or not counted as requested. */
enum cause {
	CAUSE_NONE, /* no cause, or the state of the reading explains it */
	/* ---- of an event, when it is opened */
	CAUSE_OPEN, /* perf_event_open(2) refuses it, or pstat knows that it would not count */
	CAUSE_FILTER, /* the kernel refuses its filter */
	CAUSE_NARROWED, /* it may only be counted in user mode */
	CAUSE_FIRST_ONLY, /* children do not inherit it */
	/* ---- of an event, after the runs */
	CAUSE_NEVER_ENABLED,
	CAUSE_NEVER_RAN, /* no counter of its PMU was free */
	/* ---- of a reading, and of its event after the runs */
	CAUSE_READ, /* read(2) failed */
	CAUSE_ENABLE, /* the ioctl that switches the counter on failed */
	CAUSE_DISABLE, /* the ioctl that switches it off failed */
	CAUSE_UNREADABLE, /* the kernel removed the counter at an exec: see program.h */
	CAUSE_SET_ID,
	CAUSE_CAPABILITIES,
	CAUSE_USER_ZERO, /* counted in user mode, but perhaps it happens only in the kernel */
	CAUSE_PARTLY_UNSEEN, /* the counters were not enabled for part of the user time */
	CAUSE_TASK, /* perf_event_open(2) failed for this task of the command */
	CAUSE_UNTRACED, /* a task of the command was not traced (CLONE_UNTRACED) */
};

struct reason {
	enum cause cause;
	int error; /* -errno of the system call that failed, or 0 */
	char *text; /* owned; NULL in a reading: session_explain() writes it when needed */
};

struct reading {
	enum count_state state;
	struct counts counts; /* 0 unless COUNTED or SCALED; NOT_COUNTED keeps the times */
	struct reason reason; /* for FAILED and NOT_COUNTED */
	struct count_estimate estimate; /* if has_estimate */
	bool has_estimate; /* SCALED, and sampled during the run */
};

/* How the target is divided into places. */
enum place_kind {
	PLACE_TARGET, /* one place: the whole target */
	PLACE_CPU,
	PLACE_CORE,
	PLACE_CLUSTER,
	PLACE_CACHE,
	PLACE_DIE,
	PLACE_SOCKET,
	PLACE_NODE,
	PLACE_THREAD,
	PLACE_PROCESS, /* of a command: see struct process */
	PLACE_N,
};

/* Whether a place of this kind is a group of CPUs, for example a core. Its counts are the sums over
 * these CPUs. */
static inline bool place_sums_cpus(enum place_kind kind)
{
	return kind > PLACE_CPU && kind < PLACE_THREAD;
}

/*
 * A process of a command while it executes one program. If a process executes several programs,
 * each of them is a place. A process that has executed nothing yet runs the program of its parent.
 */
struct process {
	pid_t pid; /* 0: the place is the sum of several processes */
	size_t first; /* the place of the first program of the same process */
	bool continues; /* it is not the first program of the process */
	size_t parent; /* the place of the program that created the process; PLACE_NONE: unknown */
	pid_t parent_pid; /* of that program; 0: unknown. Only after process_rows_build() */
	size_t processes_n; /* the number of processes in the place */
	unsigned int depth; /* of the place in the tree of processes; only for a tree */
	size_t folded_n; /* the counts include those of so many descendants, which have no places */
	bool with_children; /* the counts include those of all descendants */
	char *name; /* owned: the file name of the program, without its folder */
	char *command; /* owned: the program with its arguments, separated by blanks */
	uint64_t start_ns, end_ns; /* since the start of the run; of the process in this program */
	uint64_t elapsed_ns; /* of all processes in the place; only after process_rows_build() */
	enum process_end {
		PROCESS_RUNNING, /* at the end of the count, or its end was not observed */
		PROCESS_EXECUTED, /* it has executed another program */
		PROCESS_ENDED,
	} end;
	int wait_status; /* for PROCESS_ENDED: as waitpid(2) gives it */
};

#define PLACE_NONE SIZE_MAX

static inline uint64_t process_elapsed_ns(const struct process *process)
{
	return process->end_ns - process->start_ns;
}

/* A place. The target, or a loaded document, owns the table of places. Rows refer to a place by its
 * index. */
struct place {
	enum place_kind kind;
	char *label; /* owned: "CPU0", "S0-D0-C1", "comm-tid"; "": whole target; NULL: unused */
	struct process *process; /* owned; NULL unless the kind is PLACE_PROCESS */
};

void place_release(struct place *place);

/* The result of opening an event, for all places. */
struct opening {
	bool user_only; /* counts only user mode, because counting the kernel is forbidden */
	bool apart; /* its weak group was too large: counted separately from the other members */
	bool first_only; /* threads and processes that the tasks create do not inherit it */
	bool refused; /* could not be opened: NOT_SUPPORTED in every run */
	bool uncounted; /* opened, but some or all places and runs have no count, see reason */
	struct reason reason; /* why refused, user_only, first_only or uncounted is set */
};

/* A row of the result: an event at a place. */
struct row {
	size_t event; /* index into the event list, and of its struct opening */
	size_t place_index; /* index into the places of the target */
	size_t counters; /* the number of tasks or CPUs of the place on which the event is open */
};

/* One run of a command, or one period during which a target is counted. */
struct run {
	struct reading *readings; /* owned: one for each row */
	uint64_t tool[TOOL_N]; /* by enum tool_event, in its unit */
	/* The peak RSS that the command had before its exec: max_rss cannot be smaller. 0: no
	 * command */
	uint64_t max_rss_floor_kib;
	int wait_status; /* as waitpid(2) gives it; 0 without a command */
	bool timed_out; /* --timeout sent the command SIGTERM */
	bool has_other_ids; /* the command has executed a set-user-ID or set-group-ID program */
};

/* The gains from one reading of a counter to a later one. The value may have wrapped around. */
struct counts counts_between(const struct counts *from, const struct counts *to);

void counts_add(struct counts *sum, const struct counts *part);

/* Whether a reading or value in this state has a count. */
static inline bool reading_has_count(enum count_state state)
{
	return state == COUNTED || state == SCALED;
}

/*
 * Add a part: what another CPU, process or rank counted, or another instance of the event. A part
 * that failed makes the sum fail, and the reason is that of the first failure. A part that never
 * ran adds only its time. The sum is SCALED if a part is. The errors of estimates are added,
 * because they may have the same cause. A part without an estimate leaves the sum without one.
 */
void reading_add(struct reading *sum, const struct reading *part);

/* What is known about the time of counters that are enabled together. */
struct enabled_together {
	uint64_t clock_ns; /* the gain of counters_clock_ns(); 0: unknown */
	/* how much their times may differ because they were switched or read one after the other */
	uint64_t skew_ns;
};

/*
 * Correct the times enabled in n readings of one place, `now`. Those marked in shares[] have been
 * enabled together since the readings `before`, so their true time enabled is the same: the longest
 * of their times, or the time of the clock. Some kernels lose part of it, see opener_open_clock()
 * in opener.c. A counter that was on the PMU all the time keeps its own time, and stays exact.
 */
void reading_share_time(const struct reading *before, struct reading *now, const bool *shares,
			size_t n, const struct enabled_together *together);

/* One interval of -I. */
struct interval {
	struct run run; /* only this interval; of pstat's own events, only duration_time */
	size_t of_run; /* index of the run, from 0; the session does not set it */
	uint64_t at_ns; /* its end, from the start of the run */
	size_t missed; /* ticks that passed unnoticed in this interval */
};

#endif
