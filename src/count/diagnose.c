/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "base/str.h"
#include "count/diagnose.h"
#include "count/permission.h"
#include "event/attr_fields.h"
#include "machine/host.h"
#include "machine/pmu.h"

static void explain_missing(const struct machine *m, const struct event *event, struct str *out)
{
	const char *guest;

	if (event->attr.type == PERF_TYPE_SOFTWARE) {
		str_add(out, event->attr.config == EVENT_SW_CGROUP_SWITCHES ?
				     "cgroup-switches needs Linux 5.13, and this kernel is older" :
				     "this kernel has no such software event");
		return;
	}
	if (event->attr.type > PERF_TYPE_BREAKPOINT &&
	    !machine_has(m, "/sys/bus/event_source/devices/%s", event->pmu)) {
		str_addf(out, "no PMU of this machine has the type %u", event->attr.type);
		return;
	}
	if (pmu_any_core(m) > 0) {
		str_addf(out, "the PMU of this CPU has no such event");
		return;
	}
	if (!machine_has_sysfs(m)) {
		str_add(out,
			"the kernel does not know it, and /sys, which lists the PMUs, is not mounted");
		return;
	}
	guest = host_virtualization(m);
	if (guest)
		str_addf(out, "this is %s without a hardware PMU: its host has to pass one on",
			 guest);
	else
		str_add(out,
			"this machine shows no hardware PMU: none in the CPU, or no driver for it in "
			"this kernel");
}

static void explain_invalid(const struct machine *m, const struct event *event, struct str *out)
{
	if (event->attr.type > PERF_TYPE_BREAKPOINT && !pmu_is_core(m, event->pmu) &&
	    machine_has(m, "/sys/bus/event_source/devices/%s/cpumask", event->pmu))
		str_addf(out, "PMU %s counts whole CPUs or packages, never one command",
			 event->pmu);
	else
		str_add(out,
			"the kernel refuses it as invalid: a config value, modifier or precise level "
			"that this PMU does not have, or it cannot count a single command");
}

static void explain_descriptors(size_t needed, struct str *out)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		limit.rlim_max = 0;
	str_addf(
		out,
		"out of file descriptors: these events need %zu, and the hard limit is %llu in all "
		"(ulimit -Hn, LimitNOFILE=); raise it or count fewer events",
		needed, (unsigned long long)limit.rlim_max);
}

static void explain_size(const struct event *event, struct str *out)
{
	const struct attr_field *newest = attr_fields_newest(event);

	if (newest)
		str_addf(out, "%s needs Linux %s, and this kernel is older", newest->name,
			 newest->since);
	else
		str_add(out, "this kernel is too old for what the event asks for");
}

void diagnose_open(const struct diagnose_context *context, const struct event *event,
		   const struct perf_event_attr *attr, int error, struct str *out)
{
	const struct machine *m = context->machine;

	switch (error) {
	case -EACCES:
	case -EPERM:
		permission_refused(m, context->kind, event, attr, out);
		break;
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		explain_missing(m, event, out);
		break;
	case -EINVAL:
		explain_invalid(m, event, out);
		break;
	case -EOPNOTSUPP:
		str_add(out,
			"the PMU cannot count this: not with these modifiers or this precise level, "
			"or only by sampling");
		break;
	case -EMFILE:
		explain_descriptors(context->descriptors, out);
		break;
	case -ENFILE:
		str_add(out, "the whole system is out of file descriptors (sysctl fs.file-max)");
		break;
	case -EBUSY:
		str_add(out, "somebody else holds the PMU for himself alone");
		break;
	case -ENOSPC:
		str_add(out,
			attr->type == PERF_TYPE_BREAKPOINT ?
				"all the hardware breakpoints of this CPU are in use" :
				"the PMU has no room for this event: other events use what it needs");
		break;
	case -ENOSYS:
		permission_no_call(m, out);
		break;
	case -E2BIG:
		explain_size(event, out);
		break;
	default:
		str_addf(out, "the kernel says: %s", strerror(-error));
	}
}

static void add_watchdog(const struct machine *m, struct str *out)
{
	if (host_nmi_watchdog(m))
		str_add(out,
			"; the NMI watchdog holds one counter (sysctl kernel.nmi_watchdog=0 frees it)");
}

void diagnose_group(const struct machine *m, const struct diagnose_group *group, struct str *out)
{
	if (strcmp(group->first_pmu, group->last_pmu) != 0) {
		str_addf(out,
			 "the group mixes events of PMU %s and PMU %s, which are never scheduled "
			 "together; make a group for each",
			 group->first_pmu, group->last_pmu);
		return;
	}
	str_addf(out,
		 "the group needs %zu counters at once, and the PMU took no more than %zu of these "
		 "events together",
		 group->needed, group->fitted);
	add_watchdog(m, out);
	str_add(out, "; make the group smaller, or put :W behind it to count its events apart");
}

void diagnose_never_switched_on(struct str *out)
{
	str_add(out, "it was never switched on while the target ran (-D, --control)");
}

void diagnose_never_enabled(enum target_kind kind, const struct event *event, struct str *out)
{
	if (event->cgroup)
		str_addf(out, "the kernel never enabled it: nothing of cgroup %s ran on these CPUs",
			 event->cgroup);
	else if (kind == TARGET_TASKS)
		str_add(out, "none of the tasks ran meanwhile");
	else
		str_add(out, kind == TARGET_COMMAND ?
				     "it was never enabled: the command ended before it began" :
				     "it was opened and never enabled");
}

void diagnose_never_ran(const struct machine *m, const struct event *event,
			const struct diagnose_demand *demand, struct str *out)
{
	if (demand->pinned)
		str_addf(out, "pinned (:D), and PMU %s had no counters free for it all the time",
			 event->pmu);
	else
		str_addf(out, "PMU %s accepted it and never had a counter free for it", event->pmu);
	if (demand->events > 1)
		str_addf(out, ", with %zu events to be counted at once", demand->events);
	add_watchdog(m, out);
}

static void add_failed_call(const struct reading *reading, const char *place, const char *call,
			    struct str *out)
{
	str_addf(out, "its counter%s%s cannot be %s: %s", *place ? " of " : "", place, call,
		 strerror(-reading->reason.error));
}

#define AT_EXEC ", so the kernel stopped counting at its exec; "

void diagnose_reading(const struct reading *reading, const char *place, uint64_t user_ns,
		      struct str *out)
{
	switch (reading->reason.cause) {
	case CAUSE_NONE:
	case CAUSE_OPEN:
	case CAUSE_FILTER:
	case CAUSE_NARROWED:
	case CAUSE_FIRST_ONLY:
	case CAUSE_NEVER_ENABLED:
	case CAUSE_NEVER_RAN:
		break;
	case CAUSE_READ:
		add_failed_call(reading, place, "read", out);
		break;
	case CAUSE_ENABLE:
		add_failed_call(reading, place, "switched on", out);
		break;
	case CAUSE_DISABLE:
		add_failed_call(reading, place, "switched off", out);
		break;
	case CAUSE_UNREADABLE:
		str_add(out, "the program is not readable" AT_EXEC "run pstat as root or use -a");
		break;
	case CAUSE_SET_ID:
		str_add(out, "the program is set-user-ID or set-group-ID" AT_EXEC "use -a");
		break;
	case CAUSE_CAPABILITIES:
		str_add(out, "the program has file capabilities" AT_EXEC "use -a");
		break;
	case CAUSE_PARTLY_UNSEEN:
		str_addf(
			out,
			"its counter saw only %.1f of %.1f ms of user time, as with a set-user-ID or "
			"unreadable program",
			(double)reading->counts.enabled_ns / 1e6, (double)user_ns / 1e6);
		break;
	}
}
