/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/plan.h"

struct perf_event_attr plan_attr(const struct event *event, enum plan_role role, size_t group_n,
				 enum plan_inherit inherit, enum plan_start start)
{
	struct perf_event_attr attr = event->attr;

	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (group_n > 1)
		attr.read_format |= PLAN_GROUP_FORMAT;
	attr.inherit = inherit == PLAN_ALL_TASKS;
	attr.disabled = role == PLAN_LEADER && start != PLAN_AT_ONCE;
	attr.enable_on_exec = role == PLAN_LEADER && start == PLAN_BY_EXEC;
	return attr;
}

bool plan_is_software(const struct event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE || event->attr.type == PERF_TYPE_TRACEPOINT ||
	       event->attr.type == PERF_TYPE_BREAKPOINT || event->probed;
}

struct perf_event_attr plan_sentinel(const struct event *event, const struct perf_event_attr *attr)
{
	struct perf_event_attr sentinel = *attr;

	if (plan_is_software(event))
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

bool plan_kernel_only(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_TRACEPOINT)
		return true;
	if (attr->type != PERF_TYPE_SOFTWARE)
		return false;
	return attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
	       attr->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
	       attr->config == EVENT_SW_CGROUP_SWITCHES;
}
