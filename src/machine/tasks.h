/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes and their threads, as /proc shows them (proc(5)). A task is a thread. The kernel may
 * reuse the number of a task that has ended; only task_started() can distinguish the two tasks.
 */
#ifndef PSTAT_MACHINE_TASKS_H
#define PSTAT_MACHINE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "machine/machine.h"

struct why;

enum {
	TASK_MAX = 1 << 22, /* the highest possible task number (PID_MAX_LIMIT) */
	TASK_COMM_SIZE = 64, /* with the NUL; most names need 16, those of kernel threads more */
	TASK_PROGRAM_MAX = 15, /* the kernel keeps this part of a program's name (TASK_COMM_LEN) */
	TASK_COMMAND_MAX = 4096,
};

/* All zero is a valid empty list. */
struct task_list {
	pid_t *v; /* owned */
	size_t n, size;
};

/*
 * Append the tasks of a list that the user wrote, "1,2,3", in that order and without duplicates.
 * Commas, blanks and line breaks separate the numbers, as in the output of pgrep(1). 0; -EINVAL
 * with why, and the position in text unless the list is empty; -ENOMEM.
 */
int tasks_parse(const char *text, struct task_list *list, struct why *why);

/*
 * Append the threads of a process, sorted by number. pid may be any of its threads. 0; -ESRCH:
 * there is no such process; another -errno.
 */
int tasks_of_process(const struct machine *m, pid_t pid, struct task_list *list);

/* Append the threads of all processes that the user can see, process by process. 0 or -errno. */
int tasks_of_machine(const struct machine *m, struct task_list *list);

/* Append a task. 0 or -ENOMEM. */
int task_list_add(struct task_list *list, pid_t task);

void task_list_release(struct task_list *list);

/* Whether a task of that number exists. It may be a zombie, for which no event can be opened. */
bool task_exists(const struct machine *m, pid_t tid);

/*
 * The name of the task as in /proc/TID/comm, without trailing white space. 0; -ESRCH: the task has
 * ended; another -errno. After an error, comm is "".
 */
int task_comm(const struct machine *m, pid_t tid, char comm[TASK_COMM_SIZE]);

/*
 * The start time of the task, in clock ticks since the machine was started. 0; -ESRCH: the task has
 * ended (it may be a zombie); -EINVAL: its file in /proc has an unknown form; another -errno.
 */
int task_started(const struct machine *m, pid_t tid, uint64_t *ticks);

/* The process that created this one, or that has adopted it. Errors as above. */
int task_parent(const struct machine *m, pid_t tid, pid_t *parent);

/* The process of the thread. Errors as above. */
int task_process(const struct machine *m, pid_t tid, pid_t *process);

/* The file name of the program that the process executes, without its folder. The program of a
 * script is the script. The caller frees *name. 0; -ESRCH; another -errno. */
int task_program(const struct machine *m, pid_t pid, char **name);

/* The arguments of the process, separated by blanks; at most TASK_COMMAND_MAX bytes. "": a kernel
 * thread or a zombie. The caller frees *command. 0; -ESRCH; another -errno. */
int task_command(const struct machine *m, pid_t pid, char **command);

/*
 * Return free memory to the system, and reset the peak of pstat itself to the memory still in use.
 * A child of vfork(2) takes the peak along through its execve(2): the ru_maxrss of its program
 * (getrusage(2)) cannot be smaller. 0; -errno: the peak is unchanged.
 */
int tasks_forget_own_peak(void);

#endif
