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
#include "event/attr_fields.h"
#include "machine/cpulist.h"
#include "machine/pmu.h"

/* The task or CPU, and the group, for which an event is opened. */
struct open_request {
	pid_t pid; /* -1: all tasks on the CPU; or a cgroup's descriptor */
	int cpu; /* -1: any CPU on which the task runs */
	bool in_cgroup; /* pid is a cgroup's descriptor */
	int leader_fd; /* -1: the event leads its group */
	size_t group_n; /* events of the group */
	bool pinned, exclusive; /* of the group */
	enum counter_inherit inherit;
	enum counter_start start;
	uint64_t load_offset; /* of the job */
};

/*
 * ---- One event. An older kernel or a simpler PMU may refuse it. Then try again without the
 * features that they lack.
 */

/* Open an event with o->attr unchanged. Returns the descriptor or -errno. */
static int opener_open_event_once(struct event_opener *o, const struct open_request *request)
{
	const __u32 size = o->attr.size;
	struct open_call call = {
		.attr = &o->attr,
		.pid = request->pid,
		.cpu = request->cpu,
		.group_fd = request->leader_fd,
		.flags = PERF_FLAG_FD_CLOEXEC | (request->in_cgroup ? PERF_FLAG_PID_CGROUP : 0),
	};

	call.result = kernel_open(call.attr, call.pid, call.cpu, call.group_fd, call.flags);
	o->attr.size = size; /* with E2BIG, the kernel writes its own size there */
	if (o->observer)
		o->observer(&call);
	return call.result;
}

static bool opener_may_narrow(const struct event *event)
{
	return !event->modes_chosen && !counter_kernel_only(event);
}

static bool opener_is_of_permission(int error)
{
	return error == -EACCES || error == -EPERM;
}

/* Remove from the attr the next feature that some kernels refuse with this error. Returns false if
 * there is none. */
static bool opener_relax_attr(struct event_opener *o, const struct event *event, int error)
{
	if (opener_is_of_permission(error)) {
		if (!opener_may_narrow(event) || o->attr.exclude_kernel)
			return false;
		o->attr.exclude_kernel = o->attr.exclude_hv = 1; /* as in perf */
		o->narrowed = !event_is_clock(event);
		return true;
	}
	if (error != -EINVAL || !o->attr.exclude_guest)
		return false;
	/* PMUs without any exclude bits (PERF_PMU_CAP_NO_EXCLUDE) */
	o->attr.exclude_guest = 0;
	return true;
}

/*
 * Open an event. Returns the descriptor or -errno. The error is that of the last attempt. But if an
 * attempt failed for a missing permission, and the event exists, the error is that of the
 * permission: the kernel checks permissions before it looks for the event.
 */
static int opener_open_event(struct event_opener *o, const struct event *event,
			     const struct open_request *request)
{
	const struct attr_field *newest = attr_fields_newest(event);
	bool leads = request->leader_fd < 0;
	int denied = 0;
	int fd;

	o->narrowed = false;
	o->attr = counter_attr(event, leads ? COUNTER_LEADER : COUNTER_MEMBER, request->group_n,
			       request->inherit, request->start);
	probe_events_apply(o->probes, event, &o->attr);
	if (event->relocated)
		o->attr.bp_addr += request->load_offset;
	o->attr.pinned = leads && request->pinned;
	o->attr.exclusive = leads && request->exclusive;
	o->config3 = event->config3;
	o->config4 = event->config4;
	/* the attr is only as large as the fields in use need, so that older kernels accept it */
	if (newest && newest->attr_size > o->attr.size)
		o->attr.size = (__u32)newest->attr_size;
	if (o->user_only && opener_may_narrow(event)) {
		denied = -EACCES;
		opener_relax_attr(o, event, denied);
	}
	while ((fd = opener_open_event_once(o, request)) < 0) {
		bool exists = fd != -ENOENT && fd != -ENXIO && fd != -ENODEV && fd != -ESRCH;

		if (opener_is_of_permission(fd))
			denied = fd;
		if (!opener_relax_attr(o, event, fd))
			return denied < 0 && exists ? denied : fd;
	}
	o->user_only |= denied < 0;
	return fd;
}

/* ---- Groups on the scopes of the target */

/* A group that is being opened. */
struct opening_group {
	struct opener *o;
	struct counters *c;
	const struct open_job *job;
	const struct event_group *group; /* from the user, or joined from several groups */
	int cgroup_fd; /* -1: not counted in a cgroup */
};

/* Set why an event is refused or narrowed, unless it has a reason already. Takes the text. */
static int opener_set_reason(struct opening *opening, enum cause cause, int error, struct str *text)
{
	if (text->failed)
		return -ENOMEM;
	if (!opening->reason.text)
		opening->reason = (struct reason){ cause, error, take_ptr(text->text) };
	return 0;
}

static int opener_refuse(struct opener *o, size_t event, enum cause cause, int error,
			 struct str *text)
{
	o->openings[event].refused = true;
	return opener_set_reason(&o->openings[event], cause, error, text);
}

/*
 * Whether the kernel counts the event without a hardware counter. In a mixed group, hardware events
 * have to be opened first: before Linux 4.18, the kernel refuses a software event if the group has
 * a hardware event and is led by a software event (perf_event_open() in kernel/events/core.c).
 */
static bool opener_is_software(const struct event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE || event->attr.type == PERF_TYPE_TRACEPOINT ||
	       event->attr.type == PERF_TYPE_BREAKPOINT || event->probed;
}

/*
 * A sentinel for events like this one, which was opened with attr: a disabled event that is not
 * inherited, in the same kind of context of the task. Without a sentinel, the kernel would take the
 * contexts of pstat and of its child for clones, because every event of pstat is inherited. When it
 * switches between clones, it swaps the contexts, and the child would take the counters away
 * (perf_event_context_sched_out() in kernel/events/core.c). Before Linux 6.2, software and hardware
 * events have separate contexts: sentinels of the same type belong to the same kind.
 */
static struct perf_event_attr opener_sentinel_attr(const struct event *event,
						   const struct perf_event_attr *attr)
{
	struct perf_event_attr sentinel = *attr;

	if (opener_is_software(event))
		sentinel = (struct perf_event_attr){
			.type = PERF_TYPE_SOFTWARE,
			.size = sizeof(sentinel),
			.config = PERF_COUNT_SW_DUMMY,
			.exclude_kernel = 1,
		};
	sentinel.read_format = 0;
	sentinel.disabled = 1;
	sentinel.inherit = 0;
	sentinel.enable_on_exec = 0;
	sentinel.pinned = 0;
	sentinel.exclusive = 0;
	return sentinel;
}

/* Open a sentinel, unless one of the same kind is open already. 0 or -errno. */
static int opener_open_sentinel(struct opener *o, struct counters *c, const struct event *event)
{
	const struct open_request on_pstat = { .pid = 0, .cpu = -1, .leader_fd = -1 };
	struct event_opener opener = { .observer = o->event_opener.observer,
				       .attr = opener_sentinel_attr(event, &o->event_opener.attr) };
	struct sentinel sentinel = { .type = opener.attr.type };

	for (size_t i = 0; i < c->sentinels_n; i++)
		if (c->sentinels[i].type == sentinel.type)
			return 0;
	if (array_grow(&c->sentinels, c->sentinels_n, &c->sentinels_size, sizeof(*c->sentinels)) <
	    0)
		return -ENOMEM;
	if (!opener_is_software(event)) {
		opener.config3 = event->config3;
		opener.config4 = event->config4;
	}
	sentinel.fd = opener_open_event_once(&opener, &on_pstat);
	if (sentinel.fd < 0)
		return sentinel.fd;
	c->sentinels[c->sentinels_n++] = sentinel;
	return 0;
}

static const struct event *opener_leader_of(const struct opening_group *g)
{
	return &g->o->events->events[event_group_leader(g->o->events, g->group)];
}

/*
 * Whether the kernel moves the group to another CPU when its CPU goes offline. The kernel does so
 * for uncore PMUs (perf_pmu_migrate_context() in kernel/events/core.c). If pstat opened these
 * events again, they would count twice.
 */
static bool opener_moves_to_other_cpu(const struct opening_group *g)
{
	const struct event *leader = opener_leader_of(g);

	return leader->cpus && !pmu_is_core(g->o->machine, leader->pmu);
}

bool opener_needs_counter(const struct event *event)
{
	return event->tool == TOOL_NONE && event->attr.type != PERF_TYPE_SOFTWARE &&
	       event->attr.type != PERF_TYPE_TRACEPOINT;
}

bool opener_takes_turns(const struct event *event)
{
	return opener_needs_counter(event) && !opener_is_software(event) && !event->cpus;
}

/* After the kernel refused an event in its group: whether the kernel accepts the event alone. */
static bool opener_opens_alone(struct opener *o, const struct event *event,
			       const struct open_request *request)
{
	struct open_request alone = *request;
	int fd;

	alone.leader_fd = -1;
	alone.group_n = 1;
	alone.pinned = alone.exclusive = false;
	fd = opener_open_event(&o->event_opener, event, &alone);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A group is opened member by member. A member that the kernel refuses even alone is left out. */
enum group_outcome {
	GROUP_OPEN,
	GROUP_TOO_LARGE, /* the kernel accepts the members alone, but not together */
	GROUP_TORN, /* a task inherited only a part of it, or ended and took the leader with it */
	GROUP_GONE, /* the task has ended, or the CPU went offline */
};

/* The number of attempts to open a group on a task, see opener_open_on_scopes(). */
enum { OPEN_TRIES = 32 };

/*
 * The kernel has refused an event with this error. Find out whether the event itself is refused,
 * and set the reason. Returns an enum group_outcome or -errno.
 */
static int opener_judge_refusal(const struct opening_group *g, const struct scope *scope,
				size_t event, const struct open_request *request, int error)
{
	struct opener *o = g->o;
	const struct event *wanted = &o->events->events[event];
	const struct diagnose_context context = {
		.machine = o->machine,
		.kind = o->target->kind,
		.descriptors = o->events->n * o->target->scopes_n,
	};
	cleanup_with(cpulist_release) struct cpulist online = { 0 };
	struct open_request whole_cpu = *request;
	cleanup_str struct str reason = { 0 };

	whole_cpu.in_cgroup = false;
	whole_cpu.pid = -1;
	/* the task has ended, or the CPU went offline */
	if (scope->cpu < 0 ? error == -ESRCH && o->target->kind == TARGET_TASKS :
			     error == -ENODEV && cpulist_online(o->machine, &online) == 0 &&
				     !cpulist_has(&online, scope->cpu))
		return GROUP_GONE;
	if (g->job->when == OPEN_LATER && o->target->kind == TARGET_COMMAND) {
		o->task_error = error;
		return GROUP_GONE;
	}
	if (error == -ENODEV && request->leader_fd >= 0 && o->target->kind == TARGET_TASKS)
		return GROUP_TORN;
	if (error != -EMFILE && request->leader_fd >= 0 && opener_opens_alone(o, wanted, request)) {
		o->group_error = error;
		return GROUP_TOO_LARGE;
	}
	/*
	 * Until some controller of cgroup v2 is enabled in any cgroup, the kernel's perf_event
	 * controller only has the root cgroup (perf_cgroup_connect() uses cgroup_get_e_css() in
	 * kernel/cgroup/cgroup.c).
	 */
	if (error == -ENOENT && request->in_cgroup && opener_opens_alone(o, wanted, &whole_cpu))
		str_addf(&reason,
			 "cgroup %s cannot be counted before a cgroup v2 controller was enabled "
			 "(echo +pids >cgroup.subtree_control)",
			 wanted->cgroup);
	else
		diagnose_open(&context, wanted, &o->event_opener.attr, error, &reason);
	return opener_refuse(o, event, CAUSE_OPEN, error, &reason);
}

/* An enum group_outcome or -errno. The first member to be opened becomes the leader. */
static int opener_open_member(const struct opening_group *g, const struct scope *scope,
			      size_t event, struct open_request *request)
{
	struct opener *o = g->o;
	struct event_opener *opener = &o->event_opener;
	struct counters *c = g->c;
	const struct event *wanted = &o->events->events[event];
	struct opening *opening = &o->openings[event];
	bool is_breakpoint = wanted->attr.type == PERF_TYPE_BREAKPOINT;
	cleanup_str struct str reason = { 0 };
	cleanup_fd int fd = -1;
	int err = 0;

	if (is_breakpoint && opener->breakpoints == BREAKPOINTS_UNKNOWN)
		opener->breakpoints =
			kernel_counts_breakpoints() ? BREAKPOINTS_COUNT : BREAKPOINTS_FAIL;
	if (is_breakpoint && opener->breakpoints == BREAKPOINTS_FAIL) {
		str_add(&reason, "a test breakpoint did not count: this (virtual) machine does not "
				 "deliver debug exceptions");
		return opener_refuse(o, event, CAUSE_OPEN, 0, &reason);
	}
	fd = opener_open_event(opener, wanted, request);
	/* without a sentinel, an inherited event on pstat itself would be lost after a few runs */
	if (fd >= 0 && request->pid == 0 && request->inherit == COUNTER_ALL_TASKS)
		err = opener_open_sentinel(o, c, wanted);
	if (err < 0) {
		close(fd);
		fd = err;
	}
	if (fd < 0)
		return opener_judge_refusal(g, scope, event, request, fd);
	err = wanted->filter ? kernel_set_filter(fd, wanted->filter) : 0;
	if (err < 0) {
		str_addf(&reason, "the kernel refuses the filter '%s': %s%s", wanted->filter,
			 strerror(-err),
			 err == -EINVAL ?
				 " (a field that the event does not have, or not in this form: "
				 "see its format file in tracefs)" :
				 "");
		return opener_refuse(o, event, CAUSE_FILTER, err, &reason);
	}
	if (array_grow(&c->v, c->n, &c->size, sizeof(*c->v)) < 0)
		return -ENOMEM;
	if (request->leader_fd < 0)
		request->leader_fd = fd;
	c->v[c->n++] = (struct counter){ scope->place_index * o->events->n + event, take_fd(&fd) };
	if (!opener->narrowed || opening->user_only)
		return 0;
	opening->user_only = true;
	diagnose_narrowed(o->machine, &reason);
	return opener_set_reason(opening, CAUSE_NARROWED, 0, &reason);
}

/*
 * The first member that children cannot inherit (see count/probe_events.h), or NULL. If there is
 * one, no member of the group is inherited, because the kernel inherits a group with its leader.
 */
static const struct event *opener_first_only_member(const struct opener *o,
						    const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		if (probe_events_first_only(o->event_opener.probes, &o->events->events[i]))
			return &o->events->events[i];
	return NULL;
}

/* If the group does not count children, record the reason, and watch for children. */
static int opener_note_not_inherited(const struct opening_group *g, const struct scope *scope)
{
	struct opener *o = g->o;
	const struct event *probe = opener_first_only_member(o, g->group);
	const char *obstacle;

	if (g->job->inherit != COUNTER_ALL_TASKS || o->target->kind == TARGET_CPUS || !probe)
		return 0;
	obstacle = probe_events_obstacle(o->event_opener.probes, probe);
	for (size_t i = g->group->first; i < g->group->first + g->group->n; i++) {
		cleanup_str struct str reason = { 0 };

		if (o->openings[i].refused || o->events->events[i].tool != TOOL_NONE)
			continue;
		o->openings[i].first_only = true;
		str_add(&reason,
			obstacle ? obstacle : "the kernel does not pass function probes on");
		if (opener_set_reason(&o->openings[i], CAUSE_FIRST_ONLY, 0, &reason) < 0)
			return -ENOMEM;
	}
	return counters_watch_children(g->c, scope->pid, scope->place_index, g->job->start);
}

/* Whether the group is opened switched off, because another set is on. */
static bool opener_waits_for_turn(const struct opening_group *g)
{
	const size_t *turns = g->job->turns;
	size_t group = event_list_group_of(g->o->events, g->group->first);

	return turns && turns[group] != PASS_ALL && turns[group] != g->job->turn;
}

static struct open_request opener_open_request_on(const struct opening_group *g,
						  const struct scope *scope)
{
	const struct opener *o = g->o;
	const struct open_job *job = g->job;
	bool whole_cpu = scope->cpu >= 0;
	size_t group_n = 0;

	for (size_t i = g->group->first; i < g->group->first + g->group->n; i++)
		group_n += o->events->events[i].tool == TOOL_NONE;
	return (struct open_request){
		.pid = g->cgroup_fd != -1 ? g->cgroup_fd : scope->pid,
		.in_cgroup = g->cgroup_fd != -1,
		.cpu = scope->cpu,
		.leader_fd = -1,
		.group_n = group_n,
		.pinned = g->group->pinned,
		.exclusive = g->group->exclusive,
		.inherit = whole_cpu || opener_first_only_member(o, g->group) ? COUNTER_FIRST_TASK :
										job->inherit,
		.start = opener_waits_for_turn(g)		    ? COUNTER_SWITCHED :
			 whole_cpu && job->start == COUNTER_BY_EXEC ? COUNTER_AT_ONCE :
								      job->start,
		.load_offset = job->load_offset,
	};
}

/* No event is opened in this turn. */
#define NO_EVENT SIZE_MAX

/*
 * A group of n events is opened in 2 * n turns: n turns for the hardware events, then n turns for
 * the software events (see opener_is_software()). Returns the event of a turn, or NO_EVENT.
 */
static size_t opener_event_in_turn(const struct opener *o, const struct event_group *group,
				   size_t turn)
{
	size_t i = group->first + turn % group->n;
	const struct event *event = &o->events->events[i];
	bool software_turn = turn >= group->n;

	return event->tool == TOOL_NONE && opener_is_software(event) == software_turn ? i :
											NO_EVENT;
}

/*
 * Open the kernel's events of the group. Returns an enum group_outcome or -errno.
 *
 * A task that was created while the group was opened has inherited only the first members. The
 * kernel refuses to add up groups that differ (__perf_read_group_add() in kernel/events/core.c).
 * The groups also differ for a moment when a task ends. If tries_left is 0, such a torn group is
 * accepted.
 */
static int opener_open_once(const struct opening_group *g, const struct scope *scope,
			    int tries_left)
{
	struct opener *o = g->o;
	struct counters *c = g->c;
	struct open_request request = opener_open_request_on(g, scope);
	struct counter_group group = { .first = c->n,
				       .cpu = opener_moves_to_other_cpu(g) ? -1 : scope->cpu,
				       .waits = opener_waits_for_turn(g) };
	int outcome = GROUP_OPEN;

	for (size_t n = 0; outcome == GROUP_OPEN && n < 2 * g->group->n; n++) {
		size_t i = opener_event_in_turn(o, g->group, n);
		bool leads = request.leader_fd < 0;

		if (i == NO_EVENT || o->openings[i].refused)
			continue;
		outcome = opener_open_member(g, scope, i, &request);
		if (leads)
			group.one_read = o->event_opener.attr.read_format & COUNTER_GROUP_FORMAT;
	}
	group.n = c->n - group.first;
	if (outcome == GROUP_OPEN && tries_left > 0 && group.n > 1 &&
	    o->target->kind == TARGET_TASKS) {
		size_t size = COUNTERS_VALUES_OF_GROUP(group.n) * sizeof(uint64_t);
		cleanup_free uint64_t *values = malloc(size);

		if (values && kernel_read(request.leader_fd, values, size) == -ECHILD)
			outcome = GROUP_TORN;
	}
	if (outcome != GROUP_OPEN) {
		counters_truncate(c, group.first, c->groups_n);
		return outcome;
	}
	if (opener_note_not_inherited(g, scope) < 0)
		return -ENOMEM;
	if (group.n == 0)
		return GROUP_OPEN;
	if (array_grow(&c->groups, c->groups_n, &c->groups_size, sizeof(*c->groups)) < 0)
		return -ENOMEM;
	c->groups[c->groups_n++] = group;
	for (size_t i = group.first; i < c->n && !scope->returned; i++)
		o->rows[c->v[i].row].counters++;
	return GROUP_OPEN;
}

/*
 * Returns an enum group_outcome or -errno. If a task creates other tasks, this may need more than
 * one try. When a child has inherited all events of its parent, the kernel may swap the contexts of
 * the two (perf_event_context_sched_out() in kernel/events/core.c). The leader then belongs to the
 * other task, and the kernel refuses the next member with EINVAL. If the other task has ended, the
 * leader has ended with it, and the error is ENODEV.
 */
static int opener_open_on_scopes(const struct opening_group *g, const struct scope *scopes,
				 size_t n)
{
	const struct open_job *job = g->job;

	for (size_t i = 0; i < n; i++) {
		int tries_left = g->o->target->kind == TARGET_TASKS ? OPEN_TRIES : 0;
		int outcome;

		do
			outcome = opener_open_once(g, &scopes[i], tries_left);
		while (tries_left-- > 0 && (outcome == GROUP_TORN || outcome == GROUP_TOO_LARGE));
		if (outcome == GROUP_TORN)
			outcome = GROUP_GONE;
		if (outcome != GROUP_OPEN && outcome != GROUP_GONE)
			return outcome;
		for (size_t j = 0; outcome == GROUP_GONE && j < job->scopes_n; j++)
			if (job->scopes[j].pid == scopes[i].pid &&
			    job->scopes[j].cpu == scopes[i].cpu)
				job->scopes[j].gone = true;
	}
	return GROUP_OPEN;
}

/* The number of events from this one on that stay together when their weak group is broken up:
 * slots and its parts. */
static size_t opener_inseparable(const struct opener *o, const struct event_group *group, size_t i)
{
	const struct event *event = &o->events->events[i];
	const size_t end = group->first + group->n;
	size_t n = 1;

	while (event->slots == SLOTS_ALL && i + n < end && event[n].slots == SLOTS_PART)
		n++;
	return n;
}

/* The PMU whose counters an event uses. */
static const char *opener_pmu_of(const struct opener *o, const struct event *event)
{
	return event->attr.type <= PERF_TYPE_RAW || pmu_is_core(o->machine, event->pmu) ?
		       "cpu" :
		       event->pmu;
}

/* Refuse all kernel events of the group, with the same reason. no_cpu: no counted CPU is online and
 * of the group's kind of core. Then events whose row is the sum over all kinds of cores are not
 * refused: the sum does not need this kind. */
static int opener_refuse_group_events(struct opener *o, const struct event_group *group,
				      bool no_cpu, const struct str *reason)
{
	int err = reason->failed ? -ENOMEM : 0;

	for (size_t i = group->first; err == 0 && i < group->first + group->n; i++) {
		cleanup_str struct str copy = { 0 };

		if (o->events->events[i].tool != TOOL_NONE ||
		    (no_cpu && !o->events->events[i].cpus && o->events->events[i].summed))
			continue;
		str_add(&copy, str_text(reason));
		err = opener_refuse(o, i, CAUSE_OPEN, 0, &copy);
	}
	return err;
}

/* The rows of the group's events have no counters. */
static void opener_clear_rows(const struct opener *o, const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		for (size_t place_index = 0; place_index < o->target->places_n; place_index++)
			o->rows[place_index * o->events->n + i].counters = 0;
}

/* Close the counters of the group, and reset its openings. */
static void opener_reset_group(const struct opening_group *g, size_t first, size_t first_group)
{
	struct opener *o = g->o;

	counters_truncate(g->c, first, first_group);
	for (size_t i = g->group->first; i < g->group->first + g->group->n; i++) {
		free(o->openings[i].reason.text);
		o->openings[i] = (struct opening){ 0 };
	}
	opener_clear_rows(o, g->group);
}

/* Refuse a group that is too large, with the number of events that the PMU accepts together. */
static int opener_refuse_too_large(const struct opening_group *g, const struct scope *scope)
{
	struct opener *o = g->o;
	const struct event *events = o->events->events;
	const struct event_group *group = g->group;
	struct open_request request = opener_open_request_on(g, scope);
	struct diagnose_group found = {
		.first_pmu = opener_pmu_of(o, &events[group->first]),
		.last_pmu = opener_pmu_of(o, &events[group->first + group->n - 1]),
		.error = o->group_error,
		.n = group->n,
		.implied = events[group->first].implied,
	};
	cleanup_str struct str reason = { 0 };
	int fds[64];
	size_t n = 0;

	for (size_t turn = 0; turn < 2 * group->n && n < sizeof(fds) / sizeof(fds[0]); turn++) {
		size_t i = opener_event_in_turn(o, group, turn);

		if (i == NO_EVENT)
			continue;
		fds[n] = opener_open_event(&o->event_opener, &events[i], &request);
		if (fds[n] < 0)
			break;
		if (request.leader_fd < 0)
			request.leader_fd = fds[n];
		found.fitted += opener_needs_counter(&events[i]);
		n++;
	}
	while (n > 0)
		close(fds[--n]);
	for (size_t i = group->first; i < group->first + group->n; i++)
		found.needed += opener_needs_counter(&events[i]);
	diagnose_group(o->machine, &found, &reason);
	return opener_refuse_group_events(o, group, false, &reason);
}

static bool opener_is_group_refused(const struct opener *o, const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		if (o->events->events[i].tool == TOOL_NONE && !o->openings[i].refused)
			return false;
	return true;
}

/* Open each event of a weak group separately, but slots with its parts if they fit. */
static int opener_open_group_apart(const struct opening_group *g, const struct scope *scopes,
				   size_t n)
{
	const size_t end = g->group->first + g->group->n;
	struct event_group part = *g->group;
	struct opening_group apart = *g;
	int err = 0;

	apart.group = &part;
	for (; err == 0 && part.first < end; part.first += part.n) {
		const size_t first = g->c->n, first_group = g->c->groups_n;

		part.n = opener_inseparable(g->o, g->group, part.first);
		err = opener_open_on_scopes(&apart, scopes, n);
		if (err == GROUP_TOO_LARGE && part.n > 1) {
			opener_reset_group(&apart, first, first_group);
			part.n = 1;
			err = opener_open_on_scopes(&apart, scopes, n);
		}
	}
	for (size_t i = g->group->first; i < end; i++)
		g->o->openings[i].apart = true;
	return err;
}

static int opener_open_group_on(const struct opening_group *g, const struct scope *scopes, size_t n)
{
	size_t first = g->c->n, first_group = g->c->groups_n;
	int outcome;

	if (g->o->openings[g->group->first].apart)
		return opener_open_group_apart(g, scopes, n);
	outcome = opener_open_on_scopes(g, scopes, n);
	if (outcome == GROUP_TOO_LARGE && g->job->when != OPEN_LATER) {
		opener_reset_group(g, first, first_group);
		outcome = g->group->weak ? opener_open_group_apart(g, scopes, n) :
					   opener_refuse_too_large(g, &scopes[0]);
	}
	if (opener_is_group_refused(g->o, g->group))
		counters_truncate(g->c, first, first_group);
	return outcome < 0 ? outcome : 0;
}

/* Append the CPUs to which the PMU restricts the group. The list stays empty if the PMU does not
 * restrict the group. 0 or -errno. */
static int opener_group_restriction(const struct opening_group *g, struct cpulist *cpus)
{
	const struct event *leader = opener_leader_of(g);
	cleanup_free char *text = NULL;

	if (!leader->cpus && g->o->target->kind == TARGET_CPUS)
		pmu_cpus(g->o->machine, leader->pmu, &text);
	if (!leader->cpus && !text)
		return 0;
	return cpulist_parse(cpus, leader->cpus ? leader->cpus : text);
}

/* Find the scopes of the job on which the group is counted. If the PMU names CPUs, and the target
 * is not CPUs, these CPUs are the scopes. */
static int opener_find_scopes(const struct opening_group *g, const struct cpulist *cpus,
			      struct scope **scopes, size_t *found)
{
	const struct open_job *job = g->job;
	bool counted_on_cpus = g->o->target->kind != TARGET_CPUS && cpus->n > 0;

	*found = 0;
	*scopes = calloc((counted_on_cpus ? cpus->n : job->scopes_n) + 1, sizeof(**scopes));
	if (!*scopes)
		return -ENOMEM;
	for (size_t i = 0; counted_on_cpus && job->when != OPEN_LATER && i < cpus->n; i++)
		(*scopes)[(*found)++] = (struct scope){ .pid = -1, .cpu = cpus->v[i] };
	for (size_t i = 0; !counted_on_cpus && i < job->scopes_n; i++) {
		const struct scope *scope = &job->scopes[i];

		if (scope->gone || (scope->returned && opener_moves_to_other_cpu(g)))
			continue;
		if (cpus->n == 0 || cpulist_has(cpus, scope->cpu))
			(*scopes)[(*found)++] = *scope;
	}
	return 0;
}

/* Whether none of these CPUs is online. False if sysfs does not say so. */
static bool opener_are_all_offline(const struct opener *o, const struct cpulist *cpus)
{
	cleanup_with(cpulist_release) struct cpulist online = { 0 };

	if (cpus->n == 0 || cpulist_online(o->machine, &online) < 0)
		return false;
	for (size_t i = 0; i < cpus->n; i++)
		if (cpulist_has(&online, cpus->v[i]))
			return false;
	return true;
}

static int opener_open_group(const struct opening_group *g)
{
	struct opener *o = g->o;
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };
	cleanup_free struct scope *scopes = NULL;
	cleanup_str struct str reason = { 0 };
	size_t found = 0;
	int err;

	if (opener_is_group_refused(o, g->group))
		return 0;
	if (g->job->when != OPEN_LATER) /* each run counts them anew */
		opener_clear_rows(o, g->group);
	err = opener_group_restriction(g, &cpus);
	if (o->target->missing_cpu) {
		str_add(&reason, o->target->missing_cpu);
	} else if (err == -EINVAL) {
		/* the list is empty for the core PMU of cores that are all offline */
		str_addf(&reason, "sysfs lists no online CPU for PMU %s", opener_leader_of(g)->pmu);
	} else if (err < 0) {
		return err;
	} else if (g->job->when != OPEN_LATER && opener_are_all_offline(o, &cpus)) {
		str_add(&reason, cpus.n == 1 ? "CPU " : "CPUs ");
		cpulist_format(&cpus, &reason);
		str_add(&reason, cpus.n == 1 ? " is not online" : " are not online");
	} else {
		if (cpus.n == 0 || o->target->split < PLACE_THREAD)
			err = opener_find_scopes(g, &cpus, &scopes, &found);
		if (err < 0)
			return err;
		if (found > 0)
			return opener_open_group_on(g, scopes, found);
		if (cpus.n == 0)
			return 0;
		str_addf(&reason, "PMU %s counts whole CPUs or packages, ",
			 opener_leader_of(g)->pmu);
		if (o->target->kind == TARGET_TASKS) {
			str_add(&reason, "not one thread");
		} else {
			str_add(&reason, "and is read on CPU ");
			cpulist_format(&cpus, &reason);
			str_add(&reason, " only; add it to -C");
		}
	}
	return g->job->when == OPEN_LATER ?
		       0 :
		       opener_refuse_group_events(o, g->group, !o->target->missing_cpu, &reason);
}

size_t opener_kind_of(const struct opener *o, const struct event *event)
{
	const uint32_t named = event_pmu_type(event);
	const uint32_t type = named ? named : PERF_TYPE_RAW; /* as the kernel does */

	for (size_t i = 0; event->tool == TOOL_NONE && i < o->kinds.n; i++)
		if (o->kinds.types[i] == type)
			return i;
	return SIZE_MAX;
}

bool opener_group_needs_counter(const struct opener *o, size_t group)
{
	const struct event_group *g = &o->events->groups[group];

	for (size_t i = g->first; i < g->first + g->n; i++)
		if (opener_needs_counter(&o->events->events[i]))
			return true;
	return false;
}

bool opener_needs_address(const struct event_list *events, const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		if (events->events[i].relocated)
			return true;
	return false;
}

static bool opener_is_part_of_job(const struct opener *o, const struct open_job *job, size_t group)
{
	bool stopped = job->when == OPEN_STOPPED;

	if (opener_needs_address(o->events, &o->events->groups[group]) != stopped)
		return false;
	return !job->passes || job->passes[group] == job->pass || job->passes[group] == PASS_ALL;
}

/* The maximum number of events that are joined. A read returns 16 bytes for each event, so about 2
 * KiB. The kernel's limit is 16 KiB (perf_event_validate_size() in kernel/events/core.c). */
enum { JOINED_MAX = 128 };

/* Whether the group is a single event that does not need a counter of the PMU. */
static bool opener_may_be_joined(const struct opener *o, const struct event_group *group)
{
	const struct event *event = &o->events->events[group->first];

	return group->n == 1 && !group->pinned && !group->exclusive && !group->weak &&
	       !event->cpus && !opener_needs_counter(event) && !o->openings[group->first].refused;
}

/*
 * The number of groups, from the first one on, that are opened as one group. Software events and
 * tracepoints are never multiplexed, so a common leader does not restrict them. On a CPU, one read
 * then returns all their values, and interrupts that CPU only once. Groups on tasks are not joined:
 * while a child is being created, its groups differ from those of its parent, and cannot be read.
 */
static size_t opener_joined_groups(const struct opener *o, const struct open_job *job, size_t first)
{
	const struct event_group *group = &o->events->groups[first];
	const struct event *event = &o->events->events[group->first];
	size_t n = 1;

	if (o->target->kind != TARGET_CPUS || job->when == OPEN_LATER || o->separate ||
	    !opener_may_be_joined(o, group))
		return 1;
	while (first + n < o->events->groups_n && n < JOINED_MAX &&
	       opener_is_part_of_job(o, job, first + n) && opener_may_be_joined(o, &group[n]) &&
	       str_equal(event->cgroup, o->events->events[group[n].first].cgroup))
		n++;
	return n;
}

/* Open these n groups as one group. If one of its events is refused, open each group separately. */
static int opener_open_joined(const struct opening_group *first, size_t n)
{
	const struct event_group joined = { .first = first->group->first, .n = n };
	struct opening_group g = *first;
	size_t counters_n = g.c->n, groups_n = g.c->groups_n;
	bool any_refused = false;
	int err;

	g.group = &joined;
	err = opener_open_group(&g);
	for (size_t i = joined.first; i < joined.first + n; i++)
		any_refused |= g.o->openings[i].refused;
	if (err < 0 || !any_refused)
		return err;
	opener_reset_group(&g, counters_n, groups_n);
	for (size_t i = 0; err == 0 && i < n; i++) {
		g.group = &first->group[i];
		err = opener_open_group(&g);
	}
	return err;
}

/* Whether the job needs clocks, see opener_open_clocks(). */
static bool opener_needs_clocks(const struct opener *o, const struct counters *c,
				const struct open_job *job)
{
	const bool is_command = o->target->kind == TARGET_COMMAND;
	const bool inherits = is_command && job->inherit != COUNTER_FIRST_TASK;
	bool takes_turns = false;

	if (job->when == OPEN_STOPPED || (is_command && c->clocks_n > 0))
		return false;
	for (size_t i = 0; i < c->n; i++)
		takes_turns |= opener_takes_turns(&o->events->events[o->rows[c->v[i].row].event]);
	return takes_turns && (job->turns || inherits);
}

/* Open the clock of a scope. 0 or -errno. */
static int opener_open_clock(struct opener *o, struct counters *c, const struct open_job *job,
			     const struct scope *scope)
{
	static const struct event clock = { .attr = { .type = PERF_TYPE_SOFTWARE } };
	int fd, err = 0;

	if (array_grow(&c->clocks, c->clocks_n, &c->clocks_size, sizeof(*c->clocks)) < 0)
		return -ENOMEM;
	fd = counters_open_software(PERF_COUNT_SW_DUMMY, scope->pid, scope->cpu,
				    scope->cpu >= 0 ? COUNTER_FIRST_TASK : job->inherit,
				    job->start);
	if (fd == -ESRCH || fd == -ENODEV)
		return 0; /* without this task or CPU, there is nothing to measure */
	if (fd >= 0 && scope->pid == 0)
		err = opener_open_sentinel(o, c, &clock);
	if (err < 0)
		close(fd);
	if (fd < 0 || err < 0)
		return fd < 0 ? fd : err;
	c->clocks[c->clocks_n++] = (struct counters_clock){ .fd = fd,
							    .cpu = scope->cpu,
							    .place_index = scope->place_index };
	return 0;
}

/*
 * Open a clock on each scope: a dummy software event. Clocks are needed if counters may be
 * multiplexed, and either take turns or are the inherited counters of a command. A clock is on all
 * the time, and is never multiplexed, so its time enabled is the true one of all counters of its
 * scope. Some kernels lose part of this time for an inherited counter that is off the PMU when its
 * task ends. The fix is "perf/core: Fix child_total_time_enabled accounting bug at task exit",
 * which Linux 6.1.185 and others have. On pstat itself, the clock needs a sentinel, as every
 * inherited event does. If memory or descriptors run out, a clock is missing.
 */
static void opener_open_clocks(struct opener *o, struct counters *c, const struct open_job *job)
{
	const size_t n = opener_needs_clocks(o, c, job) ? job->scopes_n : 0;

	for (size_t i = 0; i < n; i++) {
		int err = opener_open_clock(o, c, job, &job->scopes[i]);

		c->lacks_clock |= err < 0;
		/* without the clock, the counts of a process might look as if they had not taken
		 * turns */
		if (err == -EMFILE && job->when == OPEN_LATER)
			o->task_error = -EMFILE;
	}
}

int opener_open(struct opener *o, struct counters *c, const struct open_job *job)
{
	size_t joined, largest = 0;
	int err = 0;

	o->task_error = 0;
	for (size_t turn = 0; err == 0 && turn < o->events->groups_n; turn += joined) {
		size_t i = (turn + job->first_group) % o->events->groups_n;
		const struct event_group *group = &o->events->groups[i];
		const char *cgroup = o->events->events[event_group_leader(o->events, group)].cgroup;
		const struct opening_group g = { o, c, job, group,
						 cgroup ? target_cgroup_fd(o->target, cgroup) :
							  -1 };

		joined = opener_is_part_of_job(o, job, i) ? opener_joined_groups(o, job, i) : 1;
		if (joined > 1)
			err = opener_open_joined(&g, joined);
		else if (opener_is_part_of_job(o, job, i))
			err = opener_open_group(&g);
	}
	if (err < 0)
		return err;
	opener_open_clocks(o, c, job);
	for (size_t i = 0; i < c->groups_n; i++)
		if (c->groups[i].n > largest)
			largest = c->groups[i].n;
	free(c->values);
	c->values = calloc(COUNTERS_VALUES_OF_GROUP(largest), sizeof(*c->values));
	return c->values ? 0 : -ENOMEM;
}
