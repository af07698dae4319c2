/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/diagnose.h"
#include "count/kernel.h"
#include "count/opener.h"
#include "count/permission.h"
#include "machine/cpulist.h"
#include "machine/cpus.h"
#include "machine/pmu.h"

/* A group on its way through the spots. */
struct opening_group {
	struct opener *o;
	struct counters *c;
	const struct event_group *group;
	int cgroup_fd; /* -1: it is of no cgroup */
};

/* Say why an event is refused or narrowed; the first reason stays. */
static int set_reason(struct opening *opening, struct str *reason)
{
	if (reason->failed)
		return -ENOMEM;
	if (!opening->reason)
		opening->reason = take_ptr(reason->text);
	return 0;
}

static int refuse_for(struct opener *o, size_t event, struct str *reason)
{
	o->openings[event].refused = true;
	return set_reason(&o->openings[event], reason);
}

static int refuse(struct opener *o, size_t event, int error)
{
	const struct diagnose_context context = {
		.machine = o->machine,
		.kind = o->target->kind,
		.descriptors = o->events->n * o->target->spots_n,
	};
	cleanup_str struct str reason = { 0 };

	diagnose_open(&context, &o->events->events[event], &o->attempt.attr, error, &reason);
	return refuse_for(o, event, &reason);
}

static int refuse_filter(struct opener *o, size_t event, int error)
{
	cleanup_str struct str reason = { 0 };

	str_addf(&reason, "the kernel refuses the filter '%s': %s%s",
		 o->events->events[event].filter, strerror(-error),
		 error == -EINVAL ?
			 " (a field that the event does not have, or not in this form: see "
			 "its format file in tracefs)" :
			 "");
	return refuse_for(o, event, &reason);
}

/*
 * Until a controller of cgroup v2 is switched on somewhere, the kernel gives perf's own no groups but
 * the root (cgroup_get_e_css() in kernel/cgroup/cgroup.c, by which perf_cgroup_connect() looks).
 */
static int refuse_early_cgroup(struct opener *o, size_t event)
{
	cleanup_str struct str reason = { 0 };

	str_addf(&reason,
		 "the kernel cannot tell cgroup %s apart as early as this: no controller of cgroup "
		 "v2 was ever switched on; do that once (echo +pids >cgroup.subtree_control in the "
		 "top folder)",
		 o->events->events[event].cgroup);
	return refuse_for(o, event, &reason);
}

static struct row *row_at(const struct opener *o, size_t place, size_t event)
{
	return &o->rows[place * o->events->n + event];
}

static int keep(struct opener *o, struct counters *c, const struct spot *spot, size_t event, int fd)
{
	cleanup_str struct str reason = { 0 };
	struct row *row = row_at(o, spot->place, event);

	if (array_grow(&c->v, c->n, &c->size, sizeof(*c->v)) < 0) {
		close(fd);
		return -ENOMEM;
	}
	c->v[c->n++] = (struct counter){ .row = (size_t)(row - o->rows), .fd = fd };
	if (!o->attempt.narrowed || o->openings[event].user_only)
		return 0;
	o->openings[event].user_only = true;
	permission_narrowed(o->machine, &reason);
	return set_reason(&o->openings[event], &reason);
}

/* Sentinels are needed by kind, not by event. */
static int open_sentinel(struct opener *o, struct counters *c, const struct event *event)
{
	const struct seat own = { .pid = 0, .cpu = -1, .leader_fd = -1 };
	struct attempt attempt = { .watch = o->attempt.watch,
				   .attr = plan_sentinel(event, &o->attempt.attr) };
	struct sentinel sentinel = { .attr = attempt.attr };

	for (size_t i = 0; i < c->sentinels_n; i++)
		if (plan_same_kind(&c->sentinels[i].attr, &sentinel.attr))
			return 0;
	if (array_grow(&c->sentinels, c->sentinels_n, &c->sentinels_size, sizeof(*c->sentinels)) <
	    0)
		return -ENOMEM;
	sentinel.fd = attempt_open(&attempt, &own);
	if (sentinel.fd < 0)
		return sentinel.fd;
	c->sentinels[c->sentinels_n++] = sentinel;
	return 0;
}

/* Without its sentinel an event on pstat itself would be lost after a few runs: it is not opened. */
static int open_with_sentinel(struct opener *o, struct counters *c, const struct event *event,
			      const struct seat *seat)
{
	int fd = attempt_event(&o->attempt, event, seat);
	int err = fd >= 0 && seat->pid == 0 ? open_sentinel(o, c, event) : 0;

	if (err == 0)
		return fd;
	close(fd);
	return err;
}

/* When its CPU goes offline, an uncore PMU is counted on by way of another one
 * (perf_pmu_migrate_context() in kernel/events/core.c): opened again, it would be counted twice. */
static bool goes_on_elsewhere(const struct opening_group *g)
{
	const struct opener *o = g->o;
	const struct event *leader = &o->events->events[event_group_leader(o->events, g->group)];

	return leader->cpus && !pmu_is_core(o->machine, leader->pmu);
}

static int add_group(const struct opening_group *g, const struct spot *spot, size_t first,
		     bool one_read)
{
	struct counters *c = g->c;
	struct counter_group group = { .first = first,
				       .n = c->n - first,
				       .one_read = one_read,
				       .cpu = goes_on_elsewhere(g) ? -1 : spot->cpu };

	if (group.n == 0)
		return 0;
	if (array_grow(&c->groups, c->groups_n, &c->groups_size, sizeof(*c->groups)) < 0)
		return -ENOMEM;
	c->groups[c->groups_n++] = group;
	for (size_t i = first; i < c->n && !spot->again; i++)
		g->o->rows[c->v[i].row].counters++;
	return 0;
}

bool opener_needs_counter(const struct event *event)
{
	return event->tool == TOOL_NONE && event->attr.type != PERF_TYPE_SOFTWARE &&
	       event->attr.type != PERF_TYPE_TRACEPOINT;
}

/* An event that its group did not take: would the PMU take it alone? */
static bool opens_alone(struct opener *o, const struct event *event, const struct seat *seat)
{
	struct seat alone = *seat;
	int fd;

	alone.leader_fd = -1;
	alone.group_n = 1;
	alone.pinned = alone.exclusive = false;
	fd = attempt_event(&o->attempt, event, &alone);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* An event that its cgroup did not take: is it there for whole CPUs? */
static bool opens_outside(struct opener *o, const struct event *event, const struct seat *seat)
{
	struct seat whole = *seat;

	whole.in_cgroup = false;
	whole.pid = -1;
	return opens_alone(o, event, &whole);
}

/* A group is opened member by member; what the kernel refuses by itself is left out. */
enum group_outcome {
	GROUP_OPEN,
	GROUP_TOO_LARGE, /* the members do not go together, though each would go alone */
	GROUP_TORN, /* a task has inherited a part of it, or ended with its leader */
	GROUP_GONE, /* the task has ended, the CPU went offline */
};

/* How often a group is opened on a task before that is taken for more than bad luck. */
enum { OPEN_TRIES = 32 };

static size_t kernel_events(const struct opener *o, const struct event_group *group)
{
	size_t n = 0;

	for (size_t i = group->first; i < group->first + group->n; i++)
		n += o->events->events[i].tool == TOOL_NONE;
	return n;
}

/* Whether it is the spot that is not there, and not the event. */
static bool is_gone(const struct opener *o, const struct spot *spot, int error)
{
	cleanup_with(cpulist_release) struct cpulist online = { 0 };

	if (spot->cpu < 0)
		return error == -ESRCH && o->target->kind == TARGET_TASKS;
	return error == -ENODEV && cpus_online(o->machine, &online) == 0 &&
	       !cpulist_has(&online, spot->cpu);
}

/* One event into its seat, where that is possible. An enum group_outcome or -errno. */
static int open_member(const struct opening_group *g, const struct spot *spot, size_t event,
		       struct seat *seat)
{
	struct opener *o = g->o;
	const struct event *wanted = &o->events->events[event];
	int fd = open_with_sentinel(o, g->c, wanted, seat);
	int err;

	if (fd < 0 && is_gone(o, spot, fd))
		return GROUP_GONE;
	if (fd == -ENODEV && seat->leader_fd >= 0 && o->target->kind == TARGET_TASKS)
		return GROUP_TORN;
	if (fd < 0 && fd != -EMFILE && seat->leader_fd >= 0 && opens_alone(o, wanted, seat))
		return GROUP_TOO_LARGE;
	if (fd == -ENOENT && seat->in_cgroup && opens_outside(o, wanted, seat))
		return refuse_early_cgroup(o, event);
	if (fd < 0)
		return refuse(o, event, fd);
	if (wanted->filter) {
		err = kernel_set_filter(fd, wanted->filter);
		if (err < 0) {
			close(fd);
			return refuse_filter(o, event, err);
		}
	}
	if (seat->leader_fd < 0)
		seat->leader_fd = fd;
	return keep(o, g->c, spot, event, fd);
}

/*
 * The first member that children cannot inherit (see count/probe_events.h), or NULL. No member
 * of its group is inherited then, because the kernel inherits a group as it inherits the leader.
 */
static const struct event *first_only_member(const struct opener *o,
					     const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		if (probe_events_first_only(o->attempt.probes, &o->events->events[i]))
			return &o->events->events[i];
	return NULL;
}

/* Note that the group does not count children, and watch whether there are any. */
static int say_not_inherited(const struct opening_group *g, const struct spot *spot)
{
	struct opener *o = g->o;
	const struct event *probe = first_only_member(o, g->group);
	const char *obstacle;

	if (o->inherit != PLAN_ALL_TASKS || o->target->kind == TARGET_CPUS || !probe)
		return 0;
	obstacle = probe_events_obstacle(o->attempt.probes, probe);
	for (size_t i = g->group->first; i < g->group->first + g->group->n; i++) {
		cleanup_str struct str reason = { 0 };

		if (o->openings[i].refused || o->events->events[i].tool != TOOL_NONE)
			continue;
		o->openings[i].first_only = true;
		str_add(&reason,
			obstacle ? obstacle : "the kernel does not pass function probes on");
		if (set_reason(&o->openings[i], &reason) < 0)
			return -ENOMEM;
	}
	return children_watch(&g->c->children, spot->pid, spot->place, o->start);
}

static struct seat seat_at(const struct opening_group *g, const struct spot *spot)
{
	const struct opener *o = g->o;
	bool whole_cpu = spot->cpu >= 0;

	return (struct seat){
		.pid = g->cgroup_fd != -1 ? g->cgroup_fd : spot->pid,
		.in_cgroup = g->cgroup_fd != -1,
		.cpu = spot->cpu,
		.leader_fd = -1,
		.group_n = kernel_events(o, g->group),
		.pinned = g->group->pinned,
		.exclusive = g->group->exclusive,
		.inherit =
			whole_cpu || first_only_member(o, g->group) ? PLAN_FIRST_TASK : o->inherit,
		.start = whole_cpu && o->start == PLAN_BY_EXEC ? PLAN_AT_ONCE : o->start,
	};
}

/*
 * A task that was created while the group was opened has inherited the first members alone, and the
 * kernel refuses to add up groups that differ (__perf_read_group_add() in kernel/events/core.c). The same
 * is seen, for a moment, when a task ends.
 */
static bool is_torn(const struct opening_group *g, size_t first, bool one_read)
{
	size_t n = g->c->n - first;
	cleanup_free uint64_t *values = NULL;

	if (g->o->target->kind != TARGET_TASKS || !one_read || n < 2)
		return false;
	values = calloc(COUNTERS_VALUES_OF_GROUP(n), sizeof(*values));
	return values && kernel_read(g->c->v[first].fd, values,
				     COUNTERS_VALUES_OF_GROUP(n) * sizeof(*values)) == -ECHILD;
}

/* No event has this turn. */
#define NO_EVENT SIZE_MAX

/*
 * The order in which a group's n events are opened, in 2 * n turns: first those that need a
 * hardware counter (see plan_is_software()).
 */
static size_t event_in_turn(const struct opener *o, const struct event_group *group, size_t turn)
{
	size_t i = group->first + turn % group->n;
	const struct event *event = &o->events->events[i];
	bool software_turn = turn >= group->n;

	return event->tool == TOOL_NONE && plan_is_software(event) == software_turn ? i : NO_EVENT;
}

/* The kernel's events of the group, opened together. tries_left: the last one is taken as it is. An enum
 * group_outcome or -errno. */
static int open_once(const struct opening_group *g, const struct spot *spot, int tries_left)
{
	struct opener *o = g->o;
	struct seat seat = seat_at(g, spot);
	size_t first_counter = g->c->n;
	bool one_read = false;
	int outcome = GROUP_OPEN;

	for (size_t n = 0; outcome == GROUP_OPEN && n < 2 * g->group->n; n++) {
		size_t i = event_in_turn(o, g->group, n);
		bool leads = seat.leader_fd < 0;

		if (i == NO_EVENT || o->openings[i].refused)
			continue;
		outcome = open_member(g, spot, i, &seat);
		if (leads)
			one_read = o->attempt.attr.read_format & PLAN_GROUP_FORMAT;
	}
	if (outcome == GROUP_OPEN && tries_left > 0 && is_torn(g, first_counter, one_read))
		outcome = GROUP_TORN;
	if (outcome != GROUP_OPEN) {
		counters_cut(g->c, first_counter, g->c->groups_n);
		return outcome;
	}
	return say_not_inherited(g, spot) < 0 ? -ENOMEM :
						add_group(g, spot, first_counter, one_read);
}

/*
 * On a task that creates others it may take more than one try: the kernel swaps the contexts of a task
 * and one that has inherited all its events (perf_event_context_sched_out() in kernel/events/core.c),
 * the leader is then another task's, and the next member does not fit it (EINVAL), or that task has ended
 * meanwhile, and the leader with it (ENODEV).
 */
static int open_together(const struct opening_group *g, const struct spot *spot)
{
	int tries_left = g->o->target->kind == TARGET_TASKS ? OPEN_TRIES : 0;
	int outcome;

	do
		outcome = open_once(g, spot, tries_left);
	while (tries_left-- > 0 && (outcome == GROUP_TORN || outcome == GROUP_TOO_LARGE));
	return outcome == GROUP_TORN ? GROUP_GONE : outcome;
}

static void mark_gone(const struct opening_group *g, const struct spot *spot)
{
	struct target *t = g->o->target;

	for (size_t i = 0; i < t->spots_n; i++)
		if (t->spots[i].pid == spot->pid && t->spots[i].cpu == spot->cpu)
			t->spots[i].gone = true;
}

/* The group at each of the spots. An enum group_outcome or -errno. */
static int open_at(const struct opening_group *g, const struct spot *spots, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int outcome = open_together(g, &spots[i]);

		if (outcome == GROUP_GONE)
			mark_gone(g, &spots[i]);
		else if (outcome != GROUP_OPEN)
			return outcome;
	}
	return GROUP_OPEN;
}

static int open_apart(const struct opening_group *g, const struct spot *spots, size_t n)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < g->group->n; i++) {
		const struct event_group alone = { .first = g->group->first + i,
						   .n = 1,
						   .pinned = g->group->pinned,
						   .exclusive = g->group->exclusive };
		const struct opening_group apart = { g->o, g->c, &alone, g->cgroup_fd };

		g->o->openings[alone.first].apart = true;
		err = open_at(&apart, spots, n);
	}
	return err;
}

/* Which PMU an event's counter is taken from. */
static const char *pmu_of(const struct opener *o, const struct event *event)
{
	return event->attr.type <= PERF_TYPE_RAW || pmu_is_core(o->machine, event->pmu) ?
		       "cpu" :
		       event->pmu;
}

/* None of the group's events of the kernel can be counted, for this reason. */
static int refuse_all(struct opener *o, const struct event_group *group, const struct str *reason)
{
	int err = 0;

	for (size_t i = group->first; err == 0 && i < group->first + group->n; i++) {
		cleanup_str struct str copy = { 0 };

		if (o->events->events[i].tool != TOOL_NONE)
			continue;
		str_add(&copy, str_text(reason));
		err = refuse_for(o, i, &copy);
	}
	return err;
}

static int refuse_group(struct opener *o, const struct event_group *group, size_t fitted)
{
	const struct event *events = o->events->events;
	cleanup_str struct str reason = { 0 };
	size_t needed = 0;

	for (size_t i = group->first; i < group->first + group->n; i++)
		needed += opener_needs_counter(&events[i]);
	diagnose_group(o->machine, pmu_of(o, &events[group->first]),
		       pmu_of(o, &events[group->first + group->n - 1]), needed, fitted, &reason);
	return reason.failed ? -ENOMEM : refuse_all(o, group, &reason);
}

/* None of the group's events is counted anywhere. */
static void clear_counters(const struct opener *o, const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		for (size_t place = 0; place < o->target->places_n; place++)
			row_at(o, place, i)->counters = 0;
}

/* What was opened of the group is closed, and what was said of its events is no longer so. */
static void forget(const struct opening_group *g, size_t first, size_t first_group)
{
	struct opener *o = g->o;

	counters_cut(g->c, first, first_group);
	for (size_t i = g->group->first; i < g->group->first + g->group->n; i++) {
		free(o->openings[i].reason);
		o->openings[i] = (struct opening){ 0 };
	}
	clear_counters(o, g->group);
}

/* How many of the group's events went together where it turned out to be too large. */
static size_t count_fitted(const struct opening_group *g, const struct spot *spot)
{
	const struct event *events = g->o->events->events;
	struct seat seat = seat_at(g, spot);
	int fds[64];
	size_t n = 0, fitted = 0;

	for (size_t turn = 0; turn < 2 * g->group->n && n < sizeof(fds) / sizeof(fds[0]); turn++) {
		size_t i = event_in_turn(g->o, g->group, turn);

		if (i == NO_EVENT)
			continue;
		fds[n] = attempt_event(&g->o->attempt, &events[i], &seat);
		if (fds[n] < 0)
			break;
		if (seat.leader_fd < 0)
			seat.leader_fd = fds[n];
		fitted += opener_needs_counter(&events[i]);
		n++;
	}
	while (n > 0)
		close(fds[--n]);
	return fitted;
}

static bool all_refused(const struct opener *o, const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		if (o->events->events[i].tool == TOOL_NONE && !o->openings[i].refused)
			return false;
	return true;
}

static int open_group_at(const struct opening_group *g, const struct spot *spots, size_t n)
{
	size_t first = g->c->n, first_group = g->c->groups_n;
	int outcome;

	if (g->o->openings[g->group->first].apart)
		return open_apart(g, spots, n);
	outcome = open_at(g, spots, n);
	if (outcome == GROUP_TOO_LARGE && !g->o->later) {
		forget(g, first, first_group);
		outcome = g->group->weak ? open_apart(g, spots, n) :
					   refuse_group(g->o, g->group, count_fitted(g, &spots[0]));
	}
	if (all_refused(g->o, g->group))
		counters_cut(g->c, first, first_group);
	return outcome < 0 ? outcome : 0;
}

/* The CPUs to which the group's PMU restricts it; an empty list where it does not. */
static int restriction(const struct opening_group *g, struct cpulist *cpus)
{
	const struct opener *o = g->o;
	const struct event *leader = &o->events->events[event_group_leader(o->events, g->group)];
	cleanup_free char *text = NULL;

	if (!leader->cpus && o->target->kind == TARGET_CPUS)
		pmu_cpus(o->machine, leader->pmu, &text);
	if (!leader->cpus && !text)
		return 0;
	return cpulist_parse(cpus, leader->cpus ? leader->cpus : text);
}

static int refuse_place(const struct opening_group *g, const struct cpulist *cpus)
{
	const struct opener *o = g->o;
	const struct event *leader = &o->events->events[event_group_leader(o->events, g->group)];
	cleanup_str struct str reason = { 0 };

	str_addf(&reason, "PMU %s counts whole CPUs or packages, ", leader->pmu);
	if (o->target->kind == TARGET_TASKS) {
		str_add(&reason, "never one thread");
	} else {
		str_add(&reason, "and is read on CPU ");
		cpulist_format(cpus, &reason);
		str_add(&reason, " alone: add it to -C");
	}
	return reason.failed ? -ENOMEM : refuse_all(g->o, g->group, &reason);
}

static bool counts_there(const struct opening_group *g, const struct spot *spot,
			 const struct cpulist *cpus)
{
	if (spot->gone || (spot->again && goes_on_elsewhere(g)))
		return false;
	return cpus->n == 0 || cpulist_has(cpus, spot->cpu);
}

/* The spots from first on at which the group is counted: of the target, or, beside tasks, the CPUs
 * that its PMU names. */
static int find_spots(const struct opening_group *g, size_t first, size_t n,
		      const struct cpulist *cpus, struct spot **spots, size_t *found)
{
	const struct target *t = g->o->target;
	bool beside = t->kind != TARGET_CPUS && cpus->n > 0;

	*found = 0;
	*spots = calloc((beside ? cpus->n : n) + 1, sizeof(**spots));
	if (!*spots)
		return -ENOMEM;
	for (size_t i = 0; beside && !g->o->later && i < cpus->n; i++)
		(*spots)[(*found)++] = (struct spot){ .pid = -1, .cpu = cpus->v[i] };
	for (size_t i = first; !beside && i < first + n; i++)
		if (counts_there(g, &t->spots[i], cpus))
			(*spots)[(*found)++] = t->spots[i];
	return 0;
}

/*
 * The PMU's file in sysfs holds nothing, as for the core PMU of cores that are all offline, or
 * no list.
 */
static int refuse_restriction(const struct opening_group *g)
{
	const struct opener *o = g->o;
	const struct event *leader = &o->events->events[event_group_leader(o->events, g->group)];
	cleanup_str struct str reason = { 0 };

	if (o->later)
		return 0;
	str_addf(&reason, "sysfs names no CPU that is online for PMU %s", leader->pmu);
	return reason.failed ? -ENOMEM : refuse_all(g->o, g->group, &reason);
}

/* Whether none of these CPUs is online, as far as sysfs says. */
static bool all_offline(const struct opener *o, const struct cpulist *cpus)
{
	cleanup_with(cpulist_release) struct cpulist online = { 0 };

	if (cpus->n == 0 || cpus_online(o->machine, &online) < 0)
		return false;
	for (size_t i = 0; i < cpus->n; i++)
		if (cpulist_has(&online, cpus->v[i]))
			return false;
	return true;
}

static int refuse_offline(const struct opening_group *g, const struct cpulist *cpus)
{
	cleanup_str struct str reason = { 0 };

	str_add(&reason, cpus->n == 1 ? "CPU " : "CPUs ");
	cpulist_format(cpus, &reason);
	str_add(&reason, cpus->n == 1 ? " is not online" : " are not online");
	return reason.failed ? -ENOMEM : refuse_all(g->o, g->group, &reason);
}

static int open_group(const struct opening_group *g, size_t first, size_t n)
{
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };
	cleanup_free struct spot *spots = NULL;
	size_t found = 0;
	int err = restriction(g, &cpus);

	if (err == -EINVAL)
		return refuse_restriction(g);
	if (err == 0 && !g->o->later && all_offline(g->o, &cpus))
		return refuse_offline(g, &cpus);
	if (err == 0 && cpus.n > 0 && g->o->target->split == WHERE_THREAD)
		return refuse_place(g, &cpus);
	if (err == 0)
		err = find_spots(g, first, n, &cpus, &spots, &found);
	if (err < 0)
		return err;
	if (found == 0 && cpus.n > 0 && !g->o->later)
		return refuse_place(g, &cpus);
	return found > 0 ? open_group_at(g, spots, found) : 0;
}

bool opener_needs_address(const struct event_list *events, const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		if (events->events[i].relocated)
			return true;
	return false;
}

static bool is_due(const struct opener *o, size_t group)
{
	if (opener_needs_address(o->events, &o->events->groups[group]) != o->stopped)
		return false;
	return !o->passes || o->passes[group] == o->pass || o->passes[group] == PASS_ALL;
}

/* Room for what the largest group gives. */
static int make_room(struct counters *c)
{
	size_t largest = 0;

	for (size_t i = 0; i < c->groups_n; i++)
		if (c->groups[i].n > largest)
			largest = c->groups[i].n;
	free(c->values);
	c->values = calloc(COUNTERS_VALUES_OF_GROUP(largest), sizeof(*c->values));
	return c->values ? 0 : -ENOMEM;
}

static int cgroup_of(const struct opener *o, const struct event_group *group)
{
	const char *name = o->events->events[event_group_leader(o->events, group)].cgroup;

	return name ? target_cgroup_fd(o->target, name) : -1;
}

/* The most events that are joined. A read gives 16 bytes for each of them, so about 2 KiB; the kernel's
 * limit is 16 KiB (perf_event_validate_size() in kernel/events/core.c). */
enum { JOINED_MAX = 128 };

/* Whether the group is one event that needs no counter of the PMU, or pstat's own. */
static bool may_be_joined(const struct opener *o, const struct event_group *group)
{
	const struct event *event = &o->events->events[group->first];

	return group->n == 1 && !group->pinned && !group->exclusive && !group->weak &&
	       !event->cpus && !opener_needs_counter(event) && !o->openings[group->first].refused;
}

static bool same_cgroup(const struct event *a, const struct event *b)
{
	return a->cgroup && b->cgroup ? strcmp(a->cgroup, b->cgroup) == 0 : a->cgroup == b->cgroup;
}

/*
 * How many groups, from this one on, are opened as one. Software events and tracepoints are never
 * multiplexed, so a common leader costs them nothing, and on a CPU one read gives them all: reading
 * another CPU's counter interrupts that CPU. Not on tasks: the groups of a task and of its children
 * differ while one of them is being created, and then cannot be read.
 */
static size_t joined_groups(const struct opener *o, size_t first)
{
	const struct event_group *group = &o->events->groups[first];
	const struct event *event = &o->events->events[group->first];
	size_t n = 1;

	if (o->target->kind != TARGET_CPUS || o->later || !may_be_joined(o, group))
		return 1;
	while (first + n < o->events->groups_n && n < JOINED_MAX && is_due(o, first + n) &&
	       may_be_joined(o, &group[n]) &&
	       same_cgroup(event, &o->events->events[group[n].first]))
		n++;
	return n;
}

static bool any_refused(const struct opener *o, const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		if (o->openings[i].refused)
			return true;
	return false;
}

/* The group as it is: of the user's, or joined. */
static int open_one(struct counters *c, struct opener *o, const struct event_group *group,
		    size_t first, size_t n)
{
	const struct opening_group g = { o, c, group, cgroup_of(o, group) };

	if (all_refused(o, group))
		return 0;
	if (first == 0 && !o->later) /* all of it, maybe again, as each run may have it */
		clear_counters(o, group);
	return open_group(&g, first, n);
}

/* These groups as one; each by itself if not all of them go together everywhere. */
static int open_joined(struct counters *c, struct opener *o, const struct event_group *groups,
		       size_t groups_n, size_t first, size_t n)
{
	const struct event_group joined = { .first = groups->first, .n = groups_n };
	const struct opening_group g = { o, c, &joined, -1 };
	size_t counter = c->n, group = c->groups_n;
	int err = open_one(c, o, &joined, first, n);

	if (err < 0 || !any_refused(o, &joined))
		return err;
	forget(&g, counter, group);
	for (size_t i = 0; err == 0 && i < groups_n; i++)
		err = open_one(c, o, &groups[i], first, n);
	return err;
}

int counters_open(struct counters *c, struct opener *o, size_t first, size_t n)
{
	size_t joined;
	int err = 0;

	for (size_t i = 0; err == 0 && i < o->events->groups_n; i += joined) {
		joined = 1;
		if (!is_due(o, i))
			continue;
		joined = joined_groups(o, i);
		if (joined > 1)
			err = open_joined(c, o, &o->events->groups[i], joined, first, n);
		else
			err = open_one(c, o, &o->events->groups[i], first, n);
	}
	return err < 0 ? err : make_room(c);
}
