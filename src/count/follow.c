/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "count/follow.h"
#include "machine/tasks.h"

/* If the kernel removes an event at an exec, the event's time enabled is less than this. */
#define AT_EXEC_NS UINT64_C(100000)

/* ---- Places: the rows grow with them. */

/* Make the rows and readings of a new place. 0 or -ENOMEM. */
static int extend_rows(struct session *s)
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

static struct reading *readings_of(const struct session *s, size_t place_index)
{
	return &s->follow.readings[place_index * s->setup.events->n];
}

/* From now on, tasks count in this place: its counts of this run begin at 0. */
static void begin_place(const struct session *s, size_t place_index)
{
	struct reading *readings = readings_of(s, place_index);

	for (size_t i = 0; i < s->setup.events->n; i++)
		if (readings[i].state == ELSEWHERE)
			readings[i] = (struct reading){ .state = COUNTED };
}

static uint64_t run_ns(const struct follow *f)
{
	uint64_t now = clock_ns(), start = f->workload->start_ns;

	return start && now > start ? now - start : 0;
}

static struct process *process_at(const struct session *s, size_t place_index)
{
	return s->setup.target->places[place_index].process;
}

/* A process begins to execute a program: find or make its place. The strings of program become
 * owned. 0 or -ENOMEM. */
static int place_program(struct session *s, struct process program, size_t *place_index)
{
	struct target *target = s->setup.target;
	int err = target_place_program(target, &program, place_index);

	if (err == 0)
		err = extend_rows(s);
	if (err == 0)
		begin_place(s, *place_index);
	return err;
}

static int place_thread(struct session *s, pid_t tid, size_t *place_index)
{
	int err = target_place_thread(s->setup.target, s->setup.machine, tid, place_index);

	if (err == 0)
		err = extend_rows(s);
	if (err == 0)
		begin_place(s, *place_index);
	return err;
}

/* ---- Counters of a task */

static struct followed *find(const struct follow *f, pid_t tid)
{
	for (size_t i = 0; i < f->tasks_n; i++)
		if (f->tasks[i].tid == tid)
			return &f->tasks[i];
	return NULL;
}

static void close_task(struct followed *task)
{
	counters_close(&task->counters);
	free(task->counted);
	task->counted = NULL;
}

static void remove_task(struct follow *f, struct followed *task)
{
	close_task(task);
	*task = f->tasks[--f->tasks_n];
}

/* Why a task could not be counted: its rows fail. */
static void fail_place(const struct session *s, size_t place_index, int error)
{
	struct reading *readings = readings_of(s, place_index);

	for (size_t i = 0; i < s->setup.events->n; i++)
		if (!s->openings[i].refused && s->setup.events->events[i].tool == TOOL_NONE)
			readings[i] = (struct reading){ .state = FAILED,
							.reason = { CAUSE_TASK, error } };
}

/* Open the counters on a task that is stopped. start: how they begin to count. 0 or -ENOMEM. */
static int open_counters(struct session *s, struct followed *task, enum counter_inherit inherit,
			 enum counter_start start)
{
	struct opener *o = &s->opener;
	enum counter_start start_of_command = o->start;
	int err;

	o->target->scopes[0] =
		(struct scope){ .pid = task->tid, .cpu = -1, .place_index = task->place_index };
	o->inherit = inherit;
	o->start = start;
	o->task_error = 0;
	err = opener_open(o, &task->counters, 0, 1);
	o->start = start_of_command;
	o->adds_scopes = true;
	task->counts_children = inherit == COUNTER_ALL_TASKS;
	if (err == 0 && o->task_error && o->task_error != -ESRCH) {
		counters_close(&task->counters);
		fail_place(s, task->place_index, o->task_error);
	}
	for (size_t i = 0; i < task->counters.n; i++)
		task->counters.v[i].row = s->rows[task->counters.v[i].row].event;
	if (err == 0 && start == COUNTER_SWITCHED)
		session_switch_new(s, &task->counters, 0);
	return err;
}

/* A task other than the command counts from its first instruction on. */
static enum counter_start start_of_task(const struct session *s)
{
	return s->opener.start == COUNTER_BY_EXEC ? COUNTER_AT_ONCE : s->opener.start;
}

static struct followed *add_task(struct session *s, pid_t tid, pid_t process, size_t place_index)
{
	struct follow *f = &s->follow;
	struct followed task = { .tid = tid, .process = process, .place_index = place_index };

	if (array_grow(&f->tasks, f->tasks_n, &f->tasks_size, sizeof(*f->tasks)) < 0)
		return NULL;
	task.counted = calloc(s->setup.events->n + 1, sizeof(*task.counted));
	if (!task.counted)
		return NULL;
	f->tasks[f->tasks_n] = task;
	return &f->tasks[f->tasks_n++];
}

/* The part of a reading that is not in a place yet. */
static struct reading uncounted_part(const struct reading *now, const struct reading *counted,
				     const struct event *event)
{
	struct reading part = *now;

	if (!event->snapshot)
		part.counts.raw -= counted->counts.raw;
	part.counts.enabled_ns -= counted->counts.enabled_ns;
	part.counts.running_ns -= counted->counts.running_ns;
	return part;
}

/*
 * At the exec of a guarded program, the kernel removes the events of the process (see
 * program_guard()). The kernel may not guard a program that is traced: then the events have been
 * enabled for longer.
 */
static void check_guard(const struct followed *task, struct reading *part)
{
	static const enum cause causes[] = {
		[PROGRAM_OPEN] = CAUSE_NONE,
		[PROGRAM_UNREADABLE] = CAUSE_UNREADABLE,
		[PROGRAM_SET_ID] = CAUSE_SET_ID,
		[PROGRAM_CAPABILITIES] = CAUSE_CAPABILITIES,
	};

	if (task->guard == PROGRAM_OPEN || part->state == FAILED ||
	    part->counts.enabled_ns >= AT_EXEC_NS)
		return;
	part->state = FAILED;
	part->reason = (struct reason){ .cause = causes[task->guard] };
}

/* Add what the task has counted since the last call to the task's place. */
static void add_counts(struct session *s, struct followed *task)
{
	size_t events_n = s->setup.events->n;
	cleanup_free struct reading *now = calloc(events_n + 1, sizeof(*now));
	struct reading *sums = readings_of(s, task->place_index);

	if (s->follow.is_over || task->counters.groups_n == 0)
		return;
	if (!now) {
		fail_place(s, task->place_index, -ENOMEM);
		return;
	}
	counters_read(&task->counters, now);
	for (size_t i = 0; i < events_n; i++) {
		struct reading part =
			uncounted_part(&now[i], &task->counted[i], &s->setup.events->events[i]);

		check_guard(task, &part);
		reading_add(&sums[i], &part);
		task->counted[i] = now[i];
	}
}

static void move_task(const struct session *s, struct followed *task, size_t place_index)
{
	size_t events_n = s->setup.events->n;

	for (size_t i = 0; i < task->counters.n; i++)
		s->rows[place_index * events_n + task->counters.v[i].row].counters++;
	task->place_index = place_index;
}

static void add_listed_once(struct str *list, const char *name)
{
	const char *found = list->len ? strstr(str_text(list), name) : NULL;

	if (!found)
		str_add_listed(list, name);
}

/* From now on, the task's counters include the processes that it creates. It is stopped. */
static int count_children(struct session *s, struct followed *task)
{
	add_counts(s, task);
	counters_close(&task->counters);
	memset(task->counted, 0, s->setup.events->n * sizeof(*task->counted));
	return open_counters(s, task, COUNTER_ALL_TASKS, start_of_task(s));
}

/* The program cannot be traced. Returns an enum tracer_verdict or -errno. */
static int release_task(struct session *s, struct followed *task, const char *name)
{
	int err = count_children(s, task);

	add_listed_once(&s->follow.untraced, name);
	return err < 0 ? err : TRACER_RELEASE;
}

/* ---- Descriptors */

/* The number of descriptors that pstat may still open. */
static size_t free_descriptors(const struct follow *f)
{
	const size_t others = 32; /* more than pstat has open, besides the counters */
	struct rlimit limit;
	size_t used = others;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return SIZE_MAX;
	for (size_t i = 0; i < f->tasks_n; i++)
		used += f->tasks[i].counters.n;
	return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

static bool is_single_threaded(const struct session *s, pid_t pid)
{
	cleanup_with(task_list_release) struct task_list threads = { 0 };

	return tasks_of_process(s->setup.machine, pid, &threads) == 0 && threads.n == 1;
}

/*
 * A task is stopped because it has created a process. If the descriptors do not suffice for one more
 * process of each task, the later children of this process are counted in it. The counters on the
 * other threads of a process cannot be opened again at the same moment, so this is limited to
 * processes without threads.
 */
static int take_creation(pid_t tid, pid_t child, void *data)
{
	struct session *s = data;
	struct follow *f = &s->follow;
	struct followed *task = find(f, tid);

	if (!task || task->counts_children || f->inherit != COUNTER_ALL_THREADS || f->is_over ||
	    free_descriptors(f) >= (f->tasks_n + 1) * task->counters.n ||
	    !is_single_threaded(s, tid))
		return 0;
	task->last_child = child;
	return count_children(s, task);
}

/* ---- The hooks of the tracer. data is the session. */

static int begin_thread_place(struct session *s, pid_t tid)
{
	size_t place_index = 0;
	int err = place_thread(s, tid, &place_index);
	struct followed *task = err == 0 ? add_task(s, tid, tid, place_index) : NULL;

	if (!task)
		return -ENOMEM;
	return open_counters(s, task, COUNTER_FIRST_TASK, start_of_task(s));
}

/* A thread counts in the place of its process, whose counters may include the thread. */
static int begin_thread(struct session *s, pid_t tid)
{
	struct followed *task;
	pid_t process;

	if (s->follow.inherit == COUNTER_ALL_THREADS ||
	    task_process(s->setup.machine, tid, &process) < 0)
		return TRACER_CONTINUE;
	task = find(&s->follow, process);
	if (!task || task->counts_children)
		return TRACER_CONTINUE;
	task = add_task(s, tid, process, task->place_index);
	return task ? open_counters(s, task, COUNTER_FIRST_TASK, start_of_task(s)) : -ENOMEM;
}

/* Until its exec, a process executes the program of its parent. */
static int begin_process(struct session *s, pid_t pid)
{
	struct follow *f = &s->follow;
	struct followed *parent = NULL, *task;
	struct process program = { .pid = pid, .parent = PLACE_NONE, .start_ns = run_ns(f) };
	const struct process *from = NULL;
	pid_t creator = 0;
	size_t place_index;
	int err;

	if (task_parent(s->setup.machine, pid, &creator) == 0)
		parent = find(f, creator);
	if (parent && parent->counts_children && parent->last_child != pid) {
		f->joined_n++;
		return TRACER_RELEASE;
	}
	if (parent) {
		from = process_at(s, parent->place_index);
		program.parent = parent->place_index;
	}
	program.name = strdup(from ? from->name : "?");
	program.command = strdup(from && from->command ? from->command : "");
	err = place_program(s, program, &place_index);
	task = err == 0 ? add_task(s, pid, pid, place_index) : NULL;
	if (!task)
		return -ENOMEM;
	return open_counters(s, task, f->inherit, start_of_task(s));
}

static int on_begin(pid_t tid, void *data)
{
	struct session *s = data;

	if (s->follow.is_over)
		return TRACER_CONTINUE;
	if (!s->follow.by_process)
		return begin_thread_place(s, tid);
	return tracer_is_process(tid) ? begin_process(s, tid) : begin_thread(s, tid);
}

static void end_program(const struct session *s, size_t place_index, enum process_end end,
			int wait_status)
{
	struct process *program = process_at(s, place_index);

	if (!program || program->pid == 0)
		return;
	program->end_ns = run_ns(&s->follow);
	program->end = end;
	program->wait_status = wait_status;
}

/* All tasks of the process count in a new place. name and command become owned. */
static int change_program(struct session *s, pid_t pid, char *name, char *command)
{
	struct follow *f = &s->follow;
	struct followed *task = find(f, pid);
	struct process program = { .pid = pid,
				   .parent = PLACE_NONE,
				   .name = name,
				   .command = command,
				   .start_ns = run_ns(f) };
	const struct process *before = process_at(s, task->place_index);
	size_t place_index;
	int err;

	for (size_t i = 0; i < f->tasks_n; i++)
		if (f->tasks[i].process == pid)
			add_counts(s, &f->tasks[i]);
	end_program(s, task->place_index, PROCESS_EXECUTED, 0);
	if (before->pid) {
		program.parent = before->parent;
		program.continues = true;
		program.first = before->first;
		program.start_ns = before->end_ns;
	}
	err = place_program(s, program, &place_index);
	for (size_t i = 0; err == 0 && i < f->tasks_n; i++)
		if (f->tasks[i].process == pid)
			move_task(s, &f->tasks[i], place_index);
	return err;
}

/* Programs that trace others, and therefore cannot be traced. */
static bool is_debugger(const char *name)
{
	static const char *const names[] = { "gdb",	    "gdbserver", "lldb",
					     "lldb-server", "ltrace",	 "strace",
					     "rr",	    "dlv",	 "gdb-multiarch" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* The thread that executes a program becomes the first task of the process, and takes its number. */
static void take_over_process(struct follow *f, pid_t pid, pid_t caller)
{
	struct followed *first = find(f, pid), *thread = find(f, caller);

	if (pid == caller || !first || !thread)
		return;
	first->tid = 0; /* its counters stay open until the end of the process */
	thread->tid = pid;
}

static int on_exec(pid_t pid, pid_t caller, void *data)
{
	struct session *s = data;
	struct follow *f = &s->follow;
	cleanup_free char *exe = machine_path(s->setup.machine, "/proc/%d/exe", (int)pid);
	char *name = NULL, *command = NULL;
	struct followed *task;
	int err = 0;

	take_over_process(f, pid, caller);
	task = find(f, pid);
	if (!task || f->is_over)
		return TRACER_CONTINUE;
	if (!exe || task_program(s->setup.machine, pid, &name) == -ENOMEM ||
	    task_command(s->setup.machine, pid, &command) == -ENOMEM) {
		free(name);
		return -ENOMEM;
	}
	if (pid == f->command && !f->has_executed)
		err = target_name_program(s->setup.target, task->place_index, name, command);
	else
		err = change_program(s, pid, name, command);
	f->has_executed = true;
	if (err < 0)
		return err;
	task->guard = program_guard(exe);
	name = process_at(s, task->place_index)->name;
	return is_debugger(name) ? release_task(s, task, name) : TRACER_CONTINUE;
}

/* Without privileges, a traced set-user-ID program would not get its own. */
static int on_will_execute(pid_t pid, const char *path, void *data)
{
	struct session *s = data;
	struct followed *task = find(&s->follow, pid);
	enum program_guard guard = program_guard(path);
	const char *name = strrchr(path, '/') + 1;
	int err;

	if (!task || (guard != PROGRAM_SET_ID && guard != PROGRAM_CAPABILITIES))
		return TRACER_CONTINUE;
	err = change_program(s, pid, strdup(name), strdup(name));
	if (err < 0)
		return err;
	task->guard = guard;
	return release_task(s, task, name);
}

/* Most programs set the names of their threads after the start. */
static void on_leave(pid_t tid, void *data)
{
	const struct session *s = data;
	const struct followed *task = find(&s->follow, tid);

	if (task)
		target_name_thread(s->setup.target, s->setup.machine, task->place_index, tid);
}

static void end_task(struct session *s, pid_t tid, int wait_status)
{
	struct follow *f = &s->follow;
	struct followed *task = find(f, tid);

	if (!task)
		return;
	if (task->process == tid)
		end_program(s, task->place_index, PROCESS_ENDED, wait_status);
	for (size_t i = f->tasks_n; i-- > 0;)
		if (f->tasks[i].tid == tid ||
		    (f->tasks[i].tid == 0 && f->tasks[i].process == tid)) {
			add_counts(s, &f->tasks[i]);
			remove_task(f, &f->tasks[i]);
		}
}

static void on_end(pid_t tid, int wait_status, void *data)
{
	end_task(data, tid, wait_status);
}

/* ---- A run */

/* Whether this kernel passes counters on to threads only (inherit_thread, Linux 5.13). */
static bool has_inherit_thread(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.inherit = 1,
		.inherit_thread = 1,
	};
	int fd = kernel_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* How the counters of each task are inherited. */
static enum counter_inherit choose_inherit(const struct session *s)
{
	const struct event_list *events = s->setup.events;

	if (!s->follow.by_process || !has_inherit_thread())
		return COUNTER_FIRST_TASK;
	for (size_t i = 0; i < events->n; i++)
		if (probe_events_first_only(&s->probes, &events->events[i]))
			return COUNTER_FIRST_TASK;
	return COUNTER_ALL_THREADS;
}

static int place_command(struct session *s, const struct workload *w, size_t *place_index)
{
	const char *slash = strrchr(w->path, '/');
	struct process program = { .pid = w->pid, .parent = PLACE_NONE };

	if (!s->follow.by_process)
		return place_thread(s, w->pid, place_index);
	program.name = strdup(slash ? slash + 1 : w->path);
	program.command = strdup(w->argv[0]);
	return place_program(s, program, place_index);
}

static void begin_run(struct session *s, const struct workload *w)
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
	for (size_t i = 0; i < f->rows_n; i++)
		f->readings[i] = (struct reading){ .state = ELSEWHERE };
}

int follow_begin(struct session *s, const struct workload *w, struct why *why)
{
	struct follow *f = &s->follow;
	enum counter_inherit inherit;
	struct followed *task = NULL;
	size_t place_index = 0;
	int err;

	begin_run(s, w);
	f->by_process = s->setup.target->split == PLACE_PROCESS;
	f->hooks = (struct tracer_hooks){ .begins = on_begin, .ended = on_end, .data = s };
	if (f->by_process) {
		f->hooks.executes = on_exec;
		f->hooks.will_execute = on_will_execute;
		f->hooks.creates = take_creation;
	} else {
		f->hooks.leaves = on_leave;
	}
	f->inherit = choose_inherit(s);
	inherit = f->inherit;
	if (f->by_process && workload_loses_privileges(w))
		f->trace_error = -EPERM;
	else
		f->trace_error = tracer_begin(&f->tracer, w->pid, &f->hooks);
	if (f->trace_error && !f->by_process)
		return why_set(why, f->trace_error, "cannot trace %s, to count its threads: %s",
			       w->argv[0], strerror(-f->trace_error));
	if (f->trace_error)
		inherit = COUNTER_ALL_TASKS;
	err = place_command(s, w, &place_index);
	if (err == 0)
		task = add_task(s, w->pid, w->pid, place_index);
	if (!task)
		return -ENOMEM;
	s->opener.adds_scopes = false;
	return open_counters(s, task, inherit, s->opener.start);
}

static void subtract(uint64_t *time_ns, uint64_t delay_ns)
{
	*time_ns = *time_ns > delay_ns ? *time_ns - delay_ns : 0;
}

void follow_start_later(struct session *s, uint64_t delay_ns)
{
	for (size_t i = 0; i < s->setup.target->places_n; i++) {
		struct process *process = process_at(s, i);

		if (!process)
			continue;
		subtract(&process->start_ns, delay_ns);
		subtract(&process->end_ns, delay_ns);
	}
}

/* With PROCESS_PLACES_NAMES, the first place is the sum of the others. */
static void add_up_names(const struct session *s)
{
	size_t events_n = s->setup.events->n;
	struct reading *sums = s->follow.readings;

	if (s->setup.target->process_places != PROCESS_PLACES_NAMES)
		return;
	begin_place(s, 0);
	for (size_t i = events_n; i < s->rows_n; i++)
		if (sums[i].state != ELSEWHERE)
			reading_add(&sums[i % events_n], &sums[i]);
}

void follow_end_counting(struct session *s)
{
	struct follow *f = &s->follow;

	for (size_t i = 0; i < f->tasks_n; i++) {
		add_counts(s, &f->tasks[i]);
		counters_close(&f->tasks[i].counters);
		if (f->tasks[i].tid == f->tasks[i].process)
			end_program(s, f->tasks[i].place_index, PROCESS_RUNNING, 0);
	}
	add_up_names(s);
	f->is_over = true;
}

void follow_end(struct session *s, int wait_status)
{
	struct follow *f = &s->follow;

	if (f->tasks_n > 0)
		end_task(s, f->command, wait_status);
	tracer_end(&f->tracer);
	while (f->tasks_n > 0)
		remove_task(f, &f->tasks[f->tasks_n - 1]);
	f->on = false;
}

void follow_switch(struct session *s, size_t event, enum kernel_switch to)
{
	struct follow *f = &s->follow;

	for (size_t i = 0; i < f->tasks_n; i++)
		if (event == FOLLOW_ALL_EVENTS)
			counters_switch(&f->tasks[i].counters, to);
		else
			counters_switch_event(&f->tasks[i].counters, 0, s->rows, event, to);
}
