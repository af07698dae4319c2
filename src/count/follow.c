/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/math.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "count/follow.h"
#include "count/run_readings.h"
#include "machine/tasks.h"

/* Before and after pstat reads files in /proc: this needs a descriptor. */
static void follow_begin_proc_reading(struct session *s)
{
	if (s->reserve_n > 0)
		close(s->reserve[--s->reserve_n]);
}

static void follow_end_proc_reading(struct session *s)
{
	session_keep_reserve(s);
}

/* ---- Places: the rows grow with them. */

/* Make the rows and readings of a new place. 0 or -ENOMEM. */
static int follow_extend_rows(struct session *s)
{
	struct follow *f = &s->follow;
	size_t events_n = s->setup.events->n, n = s->setup.target->places_n * events_n;

	for (; s->rows_n < n; s->rows_n++) {
		if (array_grow(&s->rows, s->rows_n, &s->rows_size, sizeof(*s->rows)) < 0)
			return -ENOMEM;
		s->rows[s->rows_n] = (struct row){ .event = s->rows_n % events_n,
						   .place_index = s->rows_n / events_n };
	}
	s->opener.rows = s->rows;
	for (; f->rows_n < n; f->rows_n++) {
		if (array_grow(&f->readings, f->rows_n, &f->rows_size, sizeof(*f->readings)) < 0)
			return -ENOMEM;
		f->readings[f->rows_n] = (struct reading){ .state = ELSEWHERE };
	}
	return 0;
}

static struct reading *follow_readings(const struct session *s, size_t place_index)
{
	return &s->follow.readings[place_index * s->setup.events->n];
}

static void follow_begin_place(const struct session *s, size_t place_index)
{
	struct reading *readings = follow_readings(s, place_index);

	for (size_t i = 0; i < s->setup.events->n; i++)
		if (readings[i].state == ELSEWHERE)
			readings[i] = (struct reading){ .state = COUNTED };
}

static uint64_t follow_run_ns(const struct follow *f)
{
	uint64_t now = clock_ns(), start = f->workload->start_ns;

	return start && now > start ? now - start : 0;
}

static struct process *follow_process(const struct session *s, size_t place_index)
{
	return s->setup.target->places[place_index].process;
}

/* The place is known, unless err: the rows grow with it, and tasks count there from now on. Its
 * counts of this run begin at 0. 0 or -ENOMEM. */
static int follow_use_place(struct session *s, int err, const size_t *place_index)
{
	if (err == 0)
		err = follow_extend_rows(s);
	if (err == 0)
		follow_begin_place(s, *place_index);
	return err;
}

/* A process begins to execute a program: find or make its place. The strings of program become
 * owned. 0 or -ENOMEM. */
static int follow_place_program(struct session *s, struct process program, size_t *place_index)
{
	int err = target_place_program(s->setup.target, &program, place_index);

	return follow_use_place(s, err, place_index);
}

static int follow_place_thread(struct session *s, pid_t tid, size_t *place_index)
{
	int err;

	follow_begin_proc_reading(s);
	err = target_place_thread(s->setup.target, s->setup.machine, tid, place_index);
	follow_end_proc_reading(s);
	return follow_use_place(s, err, place_index);
}

/* ---- Counters of a task */

static struct followed *follow_find(const struct follow *f, pid_t tid)
{
	for (size_t i = 0; i < f->tasks_n; i++)
		if (f->tasks[i].tid == tid)
			return &f->tasks[i];
	return NULL;
}

/* Record that page faults are no longer counted in this run, so that untraced tasks cannot be
 * noticed. error: -errno. */
static void follow_lose_faults(struct follow *f, int error)
{
	f->faults_lost = true;
	/* if permission is denied, the row of the task has the reason */
	if (f->faults_error == 0 && error != -EACCES && error != -EPERM)
		f->faults_error = error;
}

/* Count the page faults in user mode of a task and of all tasks that inherit the counter. Returns
 * the descriptor, or -1. */
static int follow_open_faults(struct follow *f, pid_t tid, enum counter_inherit inherit,
			      enum counter_start start)
{
	int fd = counters_open_software(PERF_COUNT_SW_PAGE_FAULTS, tid, -1, inherit, start);

	if (fd < 0 && fd != -ESRCH)
		follow_lose_faults(f, fd);
	return fd < 0 ? -1 : fd;
}

/* Read a counter of page faults, and close it. */
static uint64_t follow_take_faults(struct follow *f, int *fd)
{
	uint64_t values[3] = { 0 }; /* count, time enabled, time running */
	ssize_t n;

	if (*fd < 0)
		return 0;
	n = kernel_read(*fd, values, sizeof(values));
	if (n != (ssize_t)sizeof(values))
		follow_lose_faults(f, n < 0 ? (int)n : -EIO);
	close(take_fd(fd));
	return values[0];
}

static void follow_remove(struct follow *f, struct followed *task)
{
	f->faults += follow_take_faults(f, &task->faults_fd);
	counters_close(&task->counters);
	free(task->counted);
	*task = f->tasks[--f->tasks_n];
}

/* Mark the rows of a place as failed. reason: why its task was not counted. */
static void follow_fail_place(const struct session *s, size_t place_index, struct reason reason)
{
	struct reading *readings = follow_readings(s, place_index);

	for (size_t i = 0; i < s->setup.events->n; i++)
		if (!s->openings[i].refused && s->setup.events->events[i].tool == TOOL_NONE)
			readings[i] = (struct reading){ .state = FAILED, .reason = reason };
}

/* How the counter of page faults starts. start: how the task's other counters start, which are
 * switched after they have been opened. */
static enum counter_start follow_start_of_faults(const struct follow *f, enum counter_start start)
{
	if (f->faults_off)
		return COUNTER_SWITCHED;
	return start == COUNTER_SWITCHED ? COUNTER_AT_ONCE : start;
}

/* Close all counters of page faults. */
static void follow_close_faults(struct follow *f)
{
	follow_take_faults(f, &f->faults_fd);
	for (size_t i = 0; i < f->tasks_n; i++)
		follow_take_faults(f, &f->tasks[i].faults_fd);
}

/* ---- Opening and reading */

/* Close the counters that were just opened on a task, as if they had never been. */
static void follow_discard(struct session *s, struct followed *task)
{
	for (size_t i = 0; i < task->counters.n; i++)
		s->rows[task->counters.v[i].row].counters--;
	counters_close(&task->counters);
}

/* Open the counters of the job on a task that is stopped. 0 or -ENOMEM. */
static int follow_open(struct session *s, struct followed *task, struct open_job job)
{
	struct scope scope = { .pid = task->tid, .cpu = -1, .place_index = task->place_index };
	struct follow *f = &s->follow;
	int err, task_error;

	task->error = 0;
	job.scopes = &scope;
	job.scopes_n = 1;
	err = opener_open(&s->opener, &task->counters, &job);
	if (err == 0 && s->opener.task_error == -EMFILE && f->faults_fd >= 0) {
		/* the events need these descriptors more than the page faults do */
		follow_lose_faults(f, -EMFILE);
		follow_close_faults(f);
		follow_discard(s, task);
		scope.gone = false;
		err = opener_open(&s->opener, &task->counters, &job);
	}
	task_error = s->opener.task_error;
	if (f->faults_fd >= 0)
		task->faults_fd = follow_open_faults(f, task->tid, job.inherit,
						     follow_start_of_faults(f, job.start));
	if (err == 0 && task_error && task_error != -ESRCH) {
		follow_discard(s, task);
		task->error = task_error;
		follow_fail_place(s, task->place_index, (struct reason){ CAUSE_TASK, task_error });
	}
	for (size_t i = 0; i < task->counters.n; i++)
		task->counters.v[i].row = s->rows[task->counters.v[i].row].event;
	if (err == 0 && job.start == COUNTER_SWITCHED)
		session_switch_new(s, &task->counters, 0);
	return err;
}

/* A task other than the command counts from its first instruction on, unless --control has switched
 * the counters off. */
static struct open_job follow_job(const struct session *s, enum counter_inherit inherit)
{
	struct open_job job = s->job;

	job.when = OPEN_LATER;
	job.inherit = inherit;
	if (job.start == COUNTER_BY_EXEC)
		job.start = s->setup.control ? COUNTER_SWITCHED : COUNTER_AT_ONCE;
	return job;
}

static struct followed *follow_add(struct session *s, pid_t tid, pid_t process, size_t place_index)
{
	struct follow *f = &s->follow;
	struct followed task = {
		.tid = tid, .process = process, .place_index = place_index, .faults_fd = -1
	};

	if (array_grow(&f->tasks, f->tasks_n, &f->tasks_size, sizeof(*f->tasks)) < 0)
		return NULL;
	task.counted = calloc(s->setup.events->n + 1, sizeof(*task.counted));
	if (!task.counted)
		return NULL;
	f->tasks[f->tasks_n] = task;
	return &f->tasks[f->tasks_n++];
}

/*
 * The threads of a process share its counters, which are enabled together (see
 * reading_share_time()). The counters of a single task do not lose time.
 */
static void follow_share_time_of_threads(struct session *s, struct followed *task,
					 struct reading *now, uint64_t took_ns)
{
	const uint64_t total_ns = counters_clock_ns(&task->counters, COUNTERS_ALL_PLACES);
	const struct enabled_together together = {
		.clock_ns = total_ns - task->clock_counted_ns,
		.skew_ns = took_ns * session_online_cpus(s),
	};

	if (total_ns == 0 || !session_find_shares(s))
		return;
	task->clock_counted_ns = total_ns;
	reading_share_time(task->counted, now, s->shares, s->setup.events->n, &together);
}

/*
 * At the exec of a guarded program, the kernel removes the events of the process (see
 * program_guard()). The kernel may not guard a program that is traced: then the events have been
 * enabled for longer. An untraced one may also have been enabled for long, if its exec frees much
 * memory first.
 */
static bool follow_removed_at_exec(const struct followed *task, const struct reading *part)
{
	return task->guard != PROGRAM_OPEN && part->state != FAILED &&
	       (part->counts.enabled_ns < AT_EXEC_NS || task->untraced);
}

/* Add what the task has counted since the last call to the task's place. */
static void follow_count(struct session *s, struct followed *task)
{
	size_t events_n = s->setup.events->n;
	cleanup_free struct reading *now = NULL, *read = NULL;
	struct reading *sums = follow_readings(s, task->place_index);
	uint64_t began_ns = clock_ns();

	if (s->follow.is_over || task->counters.groups_n == 0)
		return;
	read = calloc(events_n + 1, sizeof(*read));
	now = calloc(events_n + 1, sizeof(*now));
	if (!read || !now) {
		follow_fail_place(s, task->place_index, (struct reason){ CAUSE_TASK, -ENOMEM });
		return;
	}
	counters_read(&task->counters, read);
	memcpy(now, read, events_n * sizeof(*now));
	follow_share_time_of_threads(s, task, now, clock_ns() - began_ns);
	for (size_t i = 0; i < events_n; i++) {
		struct reading part = now[i]; /* what is not in a place yet */

		part.counts = counts_between(&task->counted[i].counts, &now[i].counts);
		if (s->setup.events->events[i].snapshot)
			part.counts.raw = now[i].counts.raw;
		if (follow_removed_at_exec(task, &part)) {
			part.state = FAILED;
			part.reason.cause = run_readings_guard_cause(task->guard);
		}
		reading_add(&sums[i], &part);
		task->counted[i] = read[i];
	}
}

/* list: "gdb, sudo" */
static void follow_list_once(struct str *list, const char *name)
{
	static const char separator[] = ", ";
	const char *next = list->len ? str_text(list) : "";

	for (size_t n; *next; next += n + strspn(next + n, separator)) {
		n = strcspn(next, separator);
		if (n == strlen(name) && memcmp(next, name, n) == 0)
			return;
	}
	str_add_listed(list, name);
}

/* The program cannot be traced: the task's counters, which are opened again, include the processes
 * that it creates. Returns an enum tracer_verdict or -errno. */
static int follow_release(struct session *s, struct followed *task)
{
	int err;

	follow_count(s, task);
	s->follow.faults += follow_take_faults(&s->follow, &task->faults_fd);
	counters_close(&task->counters);
	memset(task->counted, 0, s->setup.events->n * sizeof(*task->counted));
	task->clock_counted_ns = 0;
	err = follow_open(s, task, follow_job(s, COUNTER_ALL_TASKS));
	return err < 0 ? err : TRACER_RELEASE;
}

/*
 * A task is stopped because it has created another one: remember which one. The stop of the creator
 * and the first stop of the task that it has created arrive in any order. In between, the creator
 * may continue and end, and the task gets another parent.
 */
static int follow_on_creation(pid_t tid, pid_t child, void *data)
{
	struct session *s = data;
	struct follow *f = &s->follow;
	const struct followed *creator = follow_find(f, tid), *created = follow_find(f, child);
	size_t place_index;
	pid_t process;

	if (f->is_over)
		return TRACER_CONTINUE;
	follow_begin_proc_reading(s);
	if (!creator && task_process(s->setup.machine, tid, &process) == 0)
		creator = follow_find(f, process);
	follow_end_proc_reading(s);
	place_index = creator ? creator->place_index : PLACE_NONE;
	if (created) { /* with CLONE_PARENT, its parent is not its creator */
		struct process *program = follow_process(s, created->place_index);

		if (creator && program && program->pid == child)
			program->parent = place_index;
		return TRACER_CONTINUE;
	}
	if (array_grow(&f->creations, f->creations_n, &f->creations_size, sizeof(*f->creations)) <
	    0)
		return -ENOMEM;
	f->creations[f->creations_n++] = (struct creation){ child, place_index };
	return TRACER_CONTINUE;
}

/* ---- The hooks of the tracer. data is the session. */

/* A thread counts in the place of its process, whose counters may include the thread. */
static int follow_begin_thread(struct session *s, pid_t tid)
{
	struct followed *task;
	pid_t process;
	int err;

	if (s->follow.inherit == COUNTER_ALL_THREADS)
		return TRACER_CONTINUE;
	follow_begin_proc_reading(s);
	err = task_process(s->setup.machine, tid, &process);
	follow_end_proc_reading(s);
	if (err < 0)
		return TRACER_CONTINUE;
	task = follow_find(&s->follow, process);
	if (!task)
		return TRACER_CONTINUE;
	task = follow_add(s, tid, process, task->place_index);
	return task ? follow_open(s, task, follow_job(s, COUNTER_FIRST_TASK)) : -ENOMEM;
}

/* Until its exec, a process executes the program of its parent, which is the program that created
 * it. If its creator has not stopped yet, that is usually its parent in /proc. */
static int follow_begin_process(struct session *s, pid_t pid, const struct creation *known)
{
	struct follow *f = &s->follow;
	struct followed *task;
	struct process program = { .pid = pid, .parent = PLACE_NONE, .start_ns = follow_run_ns(f) };
	const struct process *from = NULL;
	const struct followed *creator = NULL;
	size_t place_index;
	pid_t parent;
	int err;

	if (known) {
		program.parent = known->place_index;
	} else {
		follow_begin_proc_reading(s);
		if (task_parent(s->setup.machine, pid, &parent) == 0)
			creator = follow_find(f, parent);
		follow_end_proc_reading(s);
		if (creator)
			program.parent = creator->place_index;
	}
	if (program.parent != PLACE_NONE)
		from = follow_process(s, program.parent);
	program.name = strdup(from ? from->name : "?");
	program.command = strdup(from && from->command ? from->command : "");
	err = follow_place_program(s, program, &place_index);
	task = err == 0 ? follow_add(s, pid, pid, place_index) : NULL;
	if (!task)
		return -ENOMEM;
	return follow_open(s, task, follow_job(s, f->inherit));
}

static void follow_end_program(const struct session *s, size_t place_index, enum process_end end,
			       int wait_status, uint64_t end_ns)
{
	struct process *program = follow_process(s, place_index);

	if (!program || program->pid == 0)
		return;
	program->end_ns = end_ns;
	program->end = end;
	program->wait_status = wait_status;
}

/* end_ns: when the task ended, since the start of the run. */
static void follow_end_task(struct session *s, pid_t tid, int wait_status, uint64_t end_ns)
{
	struct follow *f = &s->follow;
	const struct followed *task = follow_find(f, tid);

	if (!task)
		return;
	if (task->process == tid)
		follow_end_program(s, task->place_index, PROCESS_ENDED, wait_status, end_ns);
	for (size_t i = f->tasks_n; i-- > 0;)
		if (f->tasks[i].tid == tid ||
		    (f->tasks[i].tid == 0 && f->tasks[i].process == tid)) {
			follow_count(s, &f->tasks[i]);
			follow_remove(f, &f->tasks[i]);
		}
}

/* The end of a task that was not traced is not observed: a new task may have its number. */
static int follow_on_begin(pid_t tid, void *data)
{
	struct session *s = data;
	struct follow *f = &s->follow;
	struct creation creation;
	bool is_known = false; /* the stop of the task's creator came before this stop */
	struct followed *former, *task;
	size_t place_index = 0;

	for (size_t i = 0; i < f->creations_n && !is_known; i++)
		if (f->creations[i].child == tid) {
			is_known = true;
			creation = f->creations[i];
			f->creations[i] = f->creations[--f->creations_n];
		}
	if (f->is_over)
		return TRACER_CONTINUE;
	former = follow_find(f, tid);
	if (former) {
		follow_end_program(s, former->place_index, PROCESS_RUNNING, 0, follow_run_ns(f));
		follow_count(s, former);
		follow_remove(f, former);
	}
	if (!f->by_process) {
		task = follow_place_thread(s, tid, &place_index) < 0 ?
			       NULL :
			       follow_add(s, tid, tid, place_index);
		return task ? follow_open(s, task, follow_job(s, COUNTER_FIRST_TASK)) : -ENOMEM;
	}
	return tracer_is_process(tid) ? follow_begin_process(s, tid, is_known ? &creation : NULL) :
					follow_begin_thread(s, tid);
}

/* All tasks of the process count in a new place. name and command become owned. */
static int follow_change_program(struct session *s, struct followed *task, char *name,
				 char *command)
{
	struct follow *f = &s->follow;
	pid_t pid = task->process;
	struct process program = { .pid = pid,
				   .parent = PLACE_NONE,
				   .name = name,
				   .command = command,
				   .start_ns = follow_run_ns(f) };
	const struct process *before = follow_process(s, task->place_index);
	size_t place_index;
	int err;

	for (size_t i = 0; i < f->tasks_n; i++)
		if (f->tasks[i].process == pid)
			follow_count(s, &f->tasks[i]);
	follow_end_program(s, task->place_index, PROCESS_EXECUTED, 0, program.start_ns);
	if (before->pid) {
		program.parent = before->parent;
		program.continues = true;
		program.first = before->first;
	}
	err = follow_place_program(s, program, &place_index);
	for (size_t i = 0; err == 0 && i < f->tasks_n; i++) {
		struct followed *moved = &f->tasks[i];

		if (moved->process != pid)
			continue;
		for (size_t j = 0; j < moved->counters.n; j++)
			s->rows[place_index * s->setup.events->n + moved->counters.v[j].row]
				.counters++;
		moved->place_index = place_index;
		if (moved->error)
			follow_fail_place(s, place_index,
					  (struct reason){ CAUSE_TASK, moved->error });
	}
	return err;
}

static bool follow_is_program_of(const char *name, const char *const names[])
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

/* Programs that trace others, and therefore cannot be traced. */
static const char *const debuggers[] = { "gdb",		"gdbserver", "gdb-multiarch", "lldb",
					 "lldb-server", "ltrace",    "strace",	      "rr",
					 "dlv",		NULL };

/* Programs that usually execute others in their own process. */
static const char *const launchers[] = { "ash",	    "bash",    "busybox", "chrt",    "csh",
					 "dash",    "env",     "fish",	  "ionice",  "ksh",
					 "mksh",    "nice",    "nohup",	  "numactl", "prlimit",
					 "setarch", "setpriv", "setsid",  "sh",	     "stdbuf",
					 "taskset", "tcsh",    "zsh",	  NULL };

/* What a process executes. The strings are owned. */
struct program {
	char *name, *command;
	enum program_guard guard;
};

static void follow_program_release(struct program *p)
{
	free(p->name);
	free(p->command);
}

/* If /proc cannot be read, the name stays that of the program before. 0 or -ENOMEM. */
static int follow_read_program(struct session *s, const struct followed *task, pid_t pid,
			       struct program *p)
{
	cleanup_free char *exe = machine_path(s->setup.machine, "/proc/%d/exe", (int)pid);
	const struct process *before = follow_process(s, task->place_index);

	if (!exe)
		return -ENOMEM;
	follow_begin_proc_reading(s);
	task_program(s->setup.machine, pid, &p->name);
	task_command(s->setup.machine, pid, &p->command);
	p->guard = program_guard(exe);
	follow_end_proc_reading(s);
	if (p->name && !*p->name)
		free(take_ptr(p->name));
	if (!p->name)
		p->name = strdup(before && before->name ? before->name : "?");
	if (!p->command)
		p->command = strdup("");
	return p->name && p->command ? 0 : -ENOMEM;
}

static int follow_on_exec(pid_t pid, pid_t caller, void *data)
{
	struct session *s = data;
	struct follow *f = &s->follow;
	cleanup_with(follow_program_release) struct program p = { 0 };
	struct followed *task = follow_find(f, pid), *thread = follow_find(f, caller);
	bool debugs, launches;
	int err;

	/* the thread that executes a program becomes the first task of the process, and takes its
	 * number */
	if (pid != caller && task && thread) {
		task->tid = 0; /* its counters stay open until the end of the process */
		thread->tid = pid;
		task = thread;
	}
	if (!task || f->is_over)
		return TRACER_CONTINUE;
	err = follow_read_program(s, task, pid, &p);
	if (err < 0)
		return err;
	if (geteuid() != 0 && program_gains_privileges(p.guard))
		follow_list_once(&f->deprived, p.name);
	debugs = follow_is_program_of(p.name, debuggers);
	launches = follow_is_program_of(p.name, launchers);
	if (debugs)
		follow_list_once(&f->untraced, p.name);
	if (!f->by_process) {
		follow_count(s, task); /* follow_removed_at_exec() judges the time after the exec */
		if (debugs) /* its end is not observed */
			target_name_thread(s->setup.target, s->setup.machine, task->place_index,
					   pid);
	} else if (pid == f->command && !f->has_executed) {
		err = target_name_program(s->setup.target, task->place_index, take_ptr(p.name),
					  take_ptr(p.command));
	} else {
		err = follow_change_program(s, task, take_ptr(p.name), take_ptr(p.command));
	}
	/* the exec of the command has switched its counters on */
	for (size_t i = 0; !f->has_executed && i < s->setup.events->n; i++)
		if (s->job.start == COUNTER_BY_EXEC && s->setup.control)
			s->switched[i] = SWITCHED_ON;
	f->has_executed = true;
	if (err < 0)
		return err;
	task->guard = p.guard;
	if (debugs)
		return follow_release(s, task);
	return launches ? TRACER_CONTINUE_BY_CALLS : TRACER_CONTINUE;
}

/* Without privileges, a traced set-user-ID program would not get its own. */
static int follow_on_will_execute(pid_t pid, const char *path, void *data)
{
	struct session *s = data;
	struct followed *task = follow_find(&s->follow, pid);
	enum program_guard guard;
	const char *name = strrchr(path, '/') + 1;
	int err;

	follow_begin_proc_reading(s);
	guard = program_guard(path);
	follow_end_proc_reading(s);
	if (!task || s->follow.is_over || !program_gains_privileges(guard) ||
	    program_check_file(path) < 0)
		return TRACER_CONTINUE;
	err = s->follow.by_process ? follow_change_program(s, task, strdup(name), strdup(name)) : 0;
	if (err < 0)
		return err;
	if (!s->follow.by_process)
		follow_count(s, task);
	task->guard = guard;
	task->untraced = true;
	follow_list_once(&s->follow.untraced, name);
	return follow_release(s, task);
}

/* Most programs set the names of their threads after the start. */
static void follow_on_leave(pid_t tid, void *data)
{
	const struct session *s = data;
	const struct followed *task = follow_find(&s->follow, tid);

	if (task)
		target_name_thread(s->setup.target, s->setup.machine, task->place_index, tid);
}

static void follow_on_end(pid_t tid, int wait_status, void *data)
{
	struct session *s = data;

	if (!s->follow.is_over) /* follow_end() removes the others */
		follow_end_task(s, tid, wait_status, follow_run_ns(&s->follow));
}

/* ---- A run */

/* How the counters of each task are inherited. Linux before 5.13 passes counters on to processes,
 * too, or to no thread (inherit_thread). */
static enum counter_inherit follow_choose_inherit(const struct session *s)
{
	const struct event_list *events = s->setup.events;
	int fd;

	if (!s->follow.by_process)
		return COUNTER_FIRST_TASK;
	fd = counters_open_software(PERF_COUNT_SW_DUMMY, 0, -1, COUNTER_ALL_THREADS,
				    COUNTER_SWITCHED);
	if (fd < 0)
		return COUNTER_FIRST_TASK;
	close(fd);
	for (size_t i = 0; i < events->n; i++)
		if (probe_events_first_only(&s->probes, &events->events[i]))
			return COUNTER_FIRST_TASK;
	return COUNTER_ALL_THREADS;
}

/* The exec replaces the names, unless the command is not traced. */
static int follow_place_command(struct session *s, const struct workload *w, size_t *place_index)
{
	const char *slash = strrchr(w->path, '/');
	struct process program = { .pid = w->pid, .parent = PLACE_NONE };
	cleanup_str struct str command = { 0 };

	if (!s->follow.by_process)
		return follow_place_thread(s, w->pid, place_index);
	for (char *const *arg = w->argv; *arg; arg++)
		str_addf(&command, "%s%s", command.len ? " " : "", *arg);
	if (command.failed)
		return -ENOMEM;
	program.name = strdup(slash ? slash + 1 : w->path);
	program.command = take_ptr(command.text);
	return follow_place_program(s, program, place_index);
}

static void follow_begin_run(struct session *s, const struct workload *w)
{
	struct follow *f = &s->follow;

	target_forget_places(s->setup.target);
	s->rows_n = s->setup.target->places_n * s->setup.events->n;
	if (f->rows_n > s->rows_n)
		f->rows_n = s->rows_n;
	f->on = true;
	f->workload = w;
	f->command = w->pid;
	f->has_executed = f->is_over = false;
	f->faults_fd = -1;
	f->faults = 0;
	f->faults_lost = false;
	f->faults_off = s->job.start == COUNTER_SWITCHED;
	for (size_t i = 0; i < f->rows_n; i++)
		f->readings[i] = (struct reading){ .state = ELSEWHERE };
}

int follow_begin(struct session *s, const struct workload *w, struct why *why)
{
	struct follow *f = &s->follow;
	struct open_job job = s->job;
	struct followed *task = NULL;
	size_t place_index = 0;
	int err;

	follow_begin_run(s, w);
	f->by_process = s->setup.target->split == PLACE_PROCESS;
	f->hooks = (struct tracer_hooks){ .begins = follow_on_begin,
					  .ended = follow_on_end,
					  .executes = follow_on_exec,
					  .will_execute = follow_on_will_execute,
					  .data = s };
	if (f->by_process)
		f->hooks.creates = follow_on_creation;
	else
		f->hooks.leaves = follow_on_leave;
	f->inherit = follow_choose_inherit(s);
	job.inherit = f->inherit;
	if (workload_loses_privileges(w))
		f->trace_error = -EPERM;
	else
		f->trace_error = tracer_begin(&f->tracer, w->pid, &f->hooks);
	if (f->trace_error && !f->by_process && workload_loses_privileges(w))
		return why_set(why, -EPERM,
			       "%s would lose its privileges when traced for --per-thread: run "
			       "pstat as root",
			       w->argv[0]);
	if (f->trace_error && !f->by_process)
		return why_set(why, f->trace_error, "cannot trace %s, to count its threads: %s",
			       w->argv[0], strerror(-f->trace_error));
	if (!f->first_trace_error)
		f->first_trace_error = f->trace_error;
	if (f->trace_error)
		job.inherit = COUNTER_ALL_TASKS;
	err = follow_place_command(s, w, &place_index);
	if (err == 0)
		task = follow_add(s, w->pid, w->pid, place_index);
	if (!task)
		return -ENOMEM;
	if (f->trace_error)
		task->guard = program_guard(w->path);
	err = follow_open(s, task, job);
	if (err < 0 || f->trace_error)
		return err;
	/* the events of the command are open already: they need descriptors more than this does */
	f->faults_fd = follow_open_faults(f, task->tid, COUNTER_ALL_TASKS, s->job.start);
	task->faults_fd = follow_open_faults(f, task->tid, f->inherit,
					     follow_start_of_faults(f, s->job.start));
	if (f->faults_lost)
		follow_close_faults(f);
	return 0;
}

void follow_start_later(struct session *s, uint64_t delay_ns)
{
	for (size_t i = 0; i < s->setup.target->places_n; i++) {
		struct process *process = follow_process(s, i);

		if (!process)
			continue;
		process->start_ns = math_gain(delay_ns, process->start_ns);
		process->end_ns = math_gain(delay_ns, process->end_ns);
	}
}

/* Read the counter of all tasks first, so that tasks that still run are not mistaken for untraced
 * tasks. */
void follow_end_counting(struct session *s, uint64_t end_ns)
{
	struct follow *f = &s->follow;
	struct target *target = s->setup.target;
	const size_t events_n = s->setup.events->n;
	uint64_t faults = follow_take_faults(f, &f->faults_fd);
	size_t place_index;

	for (size_t i = 0; i < f->tasks_n; i++) {
		follow_count(s, &f->tasks[i]);
		if (f->tasks[i].tid == f->tasks[i].process)
			follow_end_program(s, f->tasks[i].place_index, PROCESS_RUNNING, 0, end_ns);
	}
	for (size_t i = 0; i < f->tasks_n; i++) {
		counters_close(&f->tasks[i].counters);
		f->faults += follow_take_faults(f, &f->tasks[i].faults_fd);
	}
	/* tasks that were not traced get a row without counts */
	if (!f->faults_lost && faults > f->faults &&
	    target_place_untraced(target, &place_index) == 0 && follow_extend_rows(s) == 0)
		follow_fail_place(s, place_index, (struct reason){ .cause = CAUSE_UNTRACED });
	/* the first place of names is the sum of the others */
	if (target->process_places == PROCESS_PLACES_NAMES) {
		follow_begin_place(s, 0);
		for (size_t i = events_n; i < s->rows_n; i++)
			if (f->readings[i].state != ELSEWHERE)
				reading_add(&f->readings[i % events_n], &f->readings[i]);
	}
	f->is_over = true;
}

void follow_end(struct session *s, const struct run *run)
{
	struct follow *f = &s->follow;

	follow_end_task(s, f->command, run->wait_status, run->tool[TOOL_DURATION_TIME]);
	tracer_end(&f->tracer);
	f->creations_n = 0;
	while (f->tasks_n > 0)
		follow_remove(f, &f->tasks[f->tasks_n - 1]);
	if (f->on)
		follow_take_faults(f, &f->faults_fd);
	f->on = false;
}

/* While the counter of the page faults of all tasks is on, those of the followed tasks are on,
 * too. */
void follow_switch(struct session *s, size_t event, enum kernel_switch to)
{
	struct follow *f = &s->follow;
	bool faults = event == FOLLOW_ALL_EVENTS && f->on && f->faults_fd >= 0;

	if (faults)
		f->faults_off = to == KERNEL_OFF;
	if (faults && to == KERNEL_OFF)
		kernel_switch(f->faults_fd, to);
	for (size_t i = 0; i < f->tasks_n; i++) {
		if (faults && f->tasks[i].faults_fd >= 0)
			kernel_switch(f->tasks[i].faults_fd, to);
		if (event == FOLLOW_ALL_EVENTS)
			counters_switch(&f->tasks[i].counters, to);
		else
			counters_switch_event(&f->tasks[i].counters, 0, s->rows, event, to);
	}
	if (faults && to == KERNEL_ON)
		kernel_switch(f->faults_fd, to);
}
