/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/target.h"
#include "machine/cgroup.h"
#include "machine/cpulist.h"
#include "machine/topology.h"

/* The topology that each split reads. */
static const enum topology_need needs[PLACE_N] = {
	[PLACE_CORE] = TOPOLOGY_CORE,	  [PLACE_CLUSTER] = TOPOLOGY_CLUSTER,
	[PLACE_CACHE] = TOPOLOGY_CACHE,	  [PLACE_DIE] = TOPOLOGY_DIE,
	[PLACE_SOCKET] = TOPOLOGY_SOCKET, [PLACE_NODE] = TOPOLOGY_NODE,
};

static int target_add_scope(struct target *t, pid_t pid, int cpu, size_t place_index)
{
	if (array_grow(&t->scopes, t->scopes_n, &t->scopes_size, sizeof(*t->scopes)) < 0)
		return -ENOMEM;
	t->scopes[t->scopes_n++] =
		(struct scope){ .pid = pid, .cpu = cpu, .place_index = place_index };
	return 0;
}

/* Make n places without labels. */
static int target_make_places(struct target *t, size_t n)
{
	t->places = calloc(n, sizeof(*t->places));
	if (!t->places)
		return -ENOMEM;
	t->places_n = t->places_size = n;
	for (size_t i = 0; i < n; i++)
		t->places[i].kind = t->split;
	return 0;
}

static int target_label_place(struct place *place, struct str *text)
{
	if (text->failed)
		return -ENOMEM;
	place->label = take_ptr(text->text);
	return 0;
}

static int target_place_whole(struct target *t)
{
	if (target_make_places(t, 1) < 0)
		return -ENOMEM;
	t->places[0].label = strdup("");
	return t->places[0].label ? 0 : -ENOMEM;
}

/* "comm-tid", as in perf. The name of a thread that has ended is "?". */
static int target_label_thread(const struct machine *m, struct place *place, pid_t tid)
{
	cleanup_str struct str text = { 0 };
	char comm[TASK_COMM_SIZE];

	if (task_comm(m, tid, comm) < 0)
		strcpy(comm, "?");
	str_addf(&text, "%s-%d", comm, tid);
	return target_label_place(place, &text);
}

/* Report that /proc has no task with the number that this option names. */
static int target_no_such_task(const struct machine *m, const char *option, pid_t task,
			       const char *noun, struct why *why)
{
	if (!machine_has_proc(m))
		return why_set(why, -ESRCH,
			       "%s %d: /proc is not mounted, so no %s can be found "
			       "(mount -t proc proc /proc)",
			       option, task, noun);
	return why_set(why, -ESRCH, "%s %d: there is no such %s", option, task, noun);
}

static int target_compare_tasks(const void *a, const void *b)
{
	const pid_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static int target_parse_tasks(const char *option, const char *text, struct task_list *list,
			      struct why *why)
{
	cleanup_why struct why trouble = { 0 };
	int err = text ? tasks_parse(text, list, &trouble) : 0;

	return err < 0 ? why_of_argument(why, err, option, text, &trouble) : 0;
}

/* List the tasks of -p, -t and of the whole machine. */
static int target_list_tasks(struct target *t, const struct machine *m, struct task_list *tasks,
			     struct why *why)
{
	int err = t->all_tasks ? tasks_of_machine(m, tasks) : 0;

	for (size_t i = 0; err == 0 && i < t->processes.n; i++) {
		err = tasks_of_process(m, t->processes.v[i], tasks);
		if (err == -ESRCH)
			return target_no_such_task(m, "-p", t->processes.v[i], "process", why);
	}
	for (size_t i = 0; err == 0 && i < t->threads.n; i++) {
		if (!task_exists(m, t->threads.v[i]))
			return target_no_such_task(m, "-t", t->threads.v[i], "thread", why);
		err = task_list_add(tasks, t->threads.v[i]);
	}
	return err;
}

static int target_init_tasks(struct target *t, const struct machine *m,
			     const struct target_request *request, struct why *why)
{
	cleanup_with(task_list_release) struct task_list tasks = { 0 };
	bool split = t->split == PLACE_THREAD;
	size_t n = 0;
	int err;

	t->kind = TARGET_TASKS;
	t->all_tasks = request->all_cpus;
	err = target_parse_tasks("-p", request->pids, &t->processes, why);
	if (err == 0)
		err = target_parse_tasks("-t", request->tids, &t->threads, why);
	if (err == 0)
		err = target_list_tasks(t, m, &tasks, why);
	if (err < 0)
		return err;
	/* sort, and remove duplicates: -p and -t may name the same task */
	if (tasks.n > 0)
		qsort(tasks.v, tasks.n, sizeof(*tasks.v), target_compare_tasks);
	for (size_t i = 0; i < tasks.n; i++)
		if (n == 0 || tasks.v[n - 1] != tasks.v[i])
			tasks.v[n++] = tasks.v[i];
	err = split ? target_make_places(t, n) : target_place_whole(t);
	for (size_t i = 0; err == 0 && i < n; i++) {
		err = target_add_scope(t, tasks.v[i], -1, split ? i : 0);
		if (err == 0 && split)
			err = target_label_thread(m, &t->places[i], tasks.v[i]);
	}
	return err;
}

static int target_label_cpu(const struct target *t, const struct cpu_place *at, struct place *place)
{
	cleanup_str struct str text = { 0 };

	if (t->split == PLACE_CPU)
		str_addf(&text, "CPU%d", at->cpu);
	else
		topology_label(needs[t->split], at, &text);
	return target_label_place(place, &text);
}

static int target_compare_places(const void *a, const void *b, void *need)
{
	return topology_compare(*(const enum topology_need *)need, a, b);
}

/* Sort the CPUs by their places. Each CPU that differs in its place from the one before it begins a
 * new place. */
static int target_place_split_cpus(struct target *t, struct cpu_place *at, size_t n, size_t spare)
{
	enum topology_need need = needs[t->split];
	size_t place_index = 0;
	int err;

	if (t->split != PLACE_CPU)
		qsort_r(at, n, sizeof(*at), target_compare_places, &need);
	err = target_make_places(t, n + spare);
	for (size_t i = 0; err == 0 && i < n; i++) {
		bool begins = i == 0 || t->split == PLACE_CPU ||
			      topology_compare(need, &at[i - 1], &at[i]) != 0;

		if (begins && i > 0)
			place_index++;
		if (begins)
			err = target_label_cpu(t, &at[i], &t->places[place_index]);
		if (err == 0)
			err = target_add_scope(t, -1, at[i].cpu, place_index);
	}
	return err;
}

static int target_place_cpus(struct target *t, const struct machine *m, const struct cpulist *cpus,
			     size_t spare, struct why *why)
{
	cleanup_free struct cpu_place *at = NULL;
	bool has_cache = t->split != PLACE_CACHE || !t->cache_level;
	int err;

	if (t->split == PLACE_TARGET) {
		err = target_place_whole(t);
		for (size_t i = 0; err == 0 && i < cpus->n; i++)
			err = target_add_scope(t, -1, cpus->v[i], 0);
		return err;
	}
	err = topology_read(m, cpus, needs[t->split], t->cache_level, &at);
	if (err < 0)
		return err;
	/* if no CPU had this cache, all CPUs would share one row with a wrong label */
	for (size_t i = 0; i < cpus->n; i++)
		has_cache |= at[i].cache_id >= 0;
	if (!has_cache)
		return why_set(why, -ENODEV,
			       "--per-cache=L%d: the CPUs to count have no cache of level %d",
			       t->cache_level, t->cache_level);
	return target_place_split_cpus(t, at, cpus->n, spare);
}

static int target_init_cpus(struct target *t, const struct machine *m,
			    const struct target_request *request, struct why *why)
{
	cleanup_with(cpulist_release) struct cpulist online = { 0 };
	cleanup_with(cpulist_release) struct cpulist present = { 0 };
	cleanup_with(cpulist_release) struct cpulist requested = { 0 };
	cleanup_str struct str missing = { 0 };
	cleanup_why struct why trouble = { 0 };
	int err;

	t->kind = TARGET_CPUS;
	t->all_cpus = !request->cpus;
	err = request->cpus ? cpulist_parse_user(&requested, request->cpus, &trouble) : 0;
	if (err < 0)
		return why_of_argument(why, err, "-C", request->cpus, &trouble);
	err = cpulist_online(m, &online);
	if (err == 0)
		err = cpulist_present(m, &present);
	if (err < 0)
		return why_set(why, err, "cannot find out which CPUs are online: %s",
			       strerror(-err));
	if (t->all_cpus)
		return target_place_cpus(t, m, &online,
					 present.n > online.n ? present.n - online.n : 0, why);
	for (size_t i = 0; i < requested.n && missing.len == 0; i++)
		if (!cpulist_has(&online, requested.v[i]))
			str_addf(&missing,
				 cpulist_has(&present, requested.v[i]) ?
					 "CPU %d of -C is offline" :
					 "this machine has no CPU %d, which -C names",
				 requested.v[i]);
	t->missing_cpu = take_ptr(missing.text);
	return missing.failed ? -ENOMEM : target_place_cpus(t, m, &requested, 0, why);
}

int target_init(struct target *t, const struct machine *m, const struct target_request *request,
		struct why *why)
{
	bool all_threads = request->all_cpus && request->split == PLACE_THREAD;
	int err;

	*t = (struct target){ .split = request->split,
			      .process_places = request->process_places,
			      .cache_level = request->cache_level };
	if (request->pids || request->tids || all_threads)
		return target_init_tasks(t, m, request, why);
	if (request->all_cpus || request->cpus)
		return target_init_cpus(t, m, request, why);
	if (t->split == PLACE_TARGET || t->process_places == PROCESS_PLACES_NAMES)
		err = target_place_whole(t);
	else
		err = target_make_places(t, 1); /* of the first task */
	return err < 0 ? err : target_add_scope(t, 0, -1, 0);
}

int target_cgroup_fd(const struct target *t, const char *name)
{
	for (size_t i = 0; i < t->cgroups_n; i++)
		if (strcmp(t->cgroups[i].name, name) == 0)
			return t->cgroups[i].fd;
	return -ENOENT;
}

int target_open_cgroups(struct target *t, const struct machine *m, const struct event_list *events,
			struct why *why)
{
	for (size_t i = 0; i < events->n; i++) {
		const char *name = events->events[i].cgroup;
		struct cgroup *cgroup;

		if (!name || target_cgroup_fd(t, name) >= 0)
			continue;
		if (array_grow(&t->cgroups, t->cgroups_n, &t->cgroups_size, sizeof(*t->cgroups)) <
		    0)
			return -ENOMEM;
		cgroup = &t->cgroups[t->cgroups_n];
		cgroup->fd = cgroup_open(m, name, why);
		if (cgroup->fd < 0)
			return cgroup->fd;
		cgroup->name = strdup(name);
		if (!cgroup->name) {
			close(cgroup->fd);
			return -ENOMEM;
		}
		t->cgroups_n++;
	}
	return 0;
}

int target_find_older_threads(struct target *t, const struct machine *m, uint64_t started)
{
	cleanup_with(task_list_release) struct task_list now = { 0 };
	cleanup_free pid_t *known = NULL;
	size_t known_n = t->scopes_n;
	uint64_t born;
	int err = 0;

	if (t->kind != TARGET_TASKS || t->split == PLACE_THREAD)
		return 0; /* the places are fixed: one for each thread of the first list */
	known = calloc(known_n + 1, sizeof(*known));
	if (!known)
		return -ENOMEM;
	for (size_t i = 0; i < known_n; i++)
		known[i] = t->scopes[i].pid;
	qsort(known, known_n, sizeof(*known), target_compare_tasks);
	for (size_t i = 0; i < t->processes.n; i++)
		tasks_of_process(m, t->processes.v[i], &now);
	for (size_t i = 0; err == 0 && i < now.n; i++)
		if (!bsearch(&now.v[i], known, known_n, sizeof(*known), target_compare_tasks) &&
		    task_started(m, now.v[i], &born) == 0 && born < started)
			err = target_add_scope(t, now.v[i], -1, 0);
	return err < 0 ? err : (int)(t->scopes_n - known_n);
}

int target_add_cpu(struct target *t, const struct machine *m, int cpu, size_t *index)
{
	const struct cpulist list = { .v = &cpu, .n = 1 };
	cleanup_free struct cpu_place *at = NULL;
	struct place place = { 0 };
	size_t place_index = 0;
	int err;

	for (size_t i = 0; i < t->scopes_n; i++)
		if (t->scopes[i].cpu == cpu) {
			t->scopes[i].gone = false;
			t->scopes[i].returned = true;
			*index = i;
			return 0;
		}
	if (t->split != PLACE_TARGET) {
		err = topology_read(m, &list, needs[t->split], t->cache_level, &at);
		if (err == 0)
			err = target_label_cpu(t, at, &place);
		if (err < 0)
			return err;
		/* the place with its label, or a free one */
		while (place_index < t->places_n && t->places[place_index].label &&
		       strcmp(t->places[place_index].label, place.label) != 0)
			place_index++;
		if (place_index < t->places_n && !t->places[place_index].label)
			t->places[place_index].label = take_ptr(place.label);
		free(place.label);
		if (place_index == t->places_n)
			return -ENOSPC;
	}
	*index = t->scopes_n;
	return target_add_scope(t, -1, cpu, place_index);
}

void target_forget_places(struct target *t)
{
	if (t->process_places == PROCESS_PLACES_NAMES)
		return;
	while (t->places_n > 1)
		place_release(&t->places[--t->places_n]);
	place_release(&t->places[0]);
	t->places[0].kind = t->split;
}

/* A place without a label: the first one before it is used, or a new one. 0 or -ENOMEM. */
static int target_add_place(struct target *t, size_t *place_index)
{
	*place_index = t->places_n;
	if (t->places_n == 1 && !t->places[0].label) {
		*place_index = 0;
		return 0;
	}
	if (array_grow(&t->places, t->places_n, &t->places_size, sizeof(*t->places)) < 0)
		return -ENOMEM;
	t->places[t->places_n++] = (struct place){ .kind = t->split };
	return 0;
}

/* Takes the program. Its label is "name-pid", as perf names threads, or only the name. */
static int target_use_place(struct target *t, size_t place_index, const struct process *program)
{
	cleanup_str struct str text = { 0 };
	struct place place = { .kind = t->split, .process = calloc(1, sizeof(*place.process)) };

	str_add(&text, program->name);
	if (program->pid != 0)
		str_addf(&text, "-%d", program->pid);
	if (!place.process || target_label_place(&place, &text) < 0) {
		free(place.process);
		free(program->name);
		free(program->command);
		return -ENOMEM;
	}
	*place.process = *program;
	t->places[place_index] = place;
	return 0;
}

int target_place_program(struct target *t, struct process *program, size_t *place_index)
{
	bool by_name = t->process_places == PROCESS_PLACES_NAMES;
	cleanup_free char *name = program->name, *command = program->command;
	struct process taken = { .parent = PLACE_NONE };

	for (size_t i = 0; by_name && name && i < t->places_n; i++)
		if (str_equal(t->places[i].label, name)) {
			*place_index = i;
			return 0;
		}
	if (!name || target_add_place(t, place_index) < 0)
		return -ENOMEM;
	if (!by_name) {
		taken = *program;
		taken.command = take_ptr(command);
		taken.processes_n = 1;
	}
	taken.name = take_ptr(name);
	if (!taken.continues)
		taken.first = *place_index;
	return target_use_place(t, *place_index, &taken);
}

int target_name_program(struct target *t, size_t place_index, char *name, char *command)
{
	struct process program = *t->places[place_index].process;

	if (t->process_places == PROCESS_PLACES_NAMES || !name) {
		free(name);
		free(command);
		return 0;
	}
	place_release(&t->places[place_index]);
	program.name = name;
	program.command = command;
	return target_use_place(t, place_index, &program);
}

int target_place_thread(struct target *t, const struct machine *m, pid_t tid, size_t *place_index)
{
	int err = target_add_place(t, place_index);

	return err < 0 ? err : target_label_thread(m, &t->places[*place_index], tid);
}

int target_place_untraced(struct target *t, size_t *place_index)
{
	struct process program = { .name = strdup("(not traced)"), .parent = PLACE_NONE };

	if (t->split == PLACE_PROCESS)
		return target_place_program(t, &program, place_index);
	if (!program.name || target_add_place(t, place_index) < 0) {
		free(program.name);
		return -ENOMEM;
	}
	t->places[*place_index].label = program.name;
	return 0;
}

void target_name_thread(struct target *t, const struct machine *m, size_t place_index, pid_t tid)
{
	struct place named = { .kind = t->split };
	char comm[TASK_COMM_SIZE];

	if (task_comm(m, tid, comm) < 0 || target_label_thread(m, &named, tid) < 0)
		return;
	free(t->places[place_index].label);
	t->places[place_index].label = named.label;
}

void target_release(struct target *t)
{
	for (size_t i = 0; i < t->places_n; i++)
		place_release(&t->places[i]);
	for (size_t i = 0; i < t->cgroups_n; i++) {
		close(t->cgroups[i].fd);
		free(t->cgroups[i].name);
	}
	free(t->places);
	free(t->scopes);
	free(t->cgroups);
	free(t->missing_cpu);
	task_list_release(&t->processes);
	task_list_release(&t->threads);
	*t = (struct target){ 0 };
}
