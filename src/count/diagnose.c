/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/str.h"
#include "count/diagnose.h"
#include "count/plan.h"
#include "machine/limits.h"
#include "machine/pmu.h"

/* What a level of perf_event_paranoid keeps from those without CAP_PERFMON. */
static const char *forbidden_at(int level)
{
	if (level >= 3)
		return "all counting";
	if (level == 2)
		return "counting the kernel";
	return level == 1 ? "counting whole CPUs" : "raw tracepoints";
}

/* What to do, when user mode alone is of no use. */
#define TWO_WAYS                                                                                   \
	"give pstat CAP_PERFMON (setcap cap_perfmon+ep on its file) or lower the setting "         \
	"(sysctl kernel.perf_event_paranoid=1)"

#define THREE_WAYS                                                                                 \
	"give pstat CAP_PERFMON (setcap cap_perfmon+ep on its file), lower the setting "           \
	"(sysctl kernel.perf_event_paranoid=1) or count user mode only (:u)"

/* What user mode alone would not help: whole CPUs, and other users' processes. */
static void explain_scope(enum target_kind kind, int level, struct str *out)
{
	if (kind == TARGET_CPUS)
		str_addf(
			out,
			"kernel.perf_event_paranoid is %d, which forbids counting whole CPUs "
			"without CAP_PERFMON: give pstat CAP_PERFMON (setcap cap_perfmon+ep on its "
			"file) or lower the setting (sysctl kernel.perf_event_paranoid=0)",
			level);
	else
		str_add(out,
			"the process is not yours to look into (another user's, set-uid, or not "
			"dumpable): be its user or root, or give pstat CAP_PERFMON and "
			"CAP_SYS_PTRACE");
}

static void explain_permission(const struct diagnose_context *context,
			       const struct perf_event_attr *attr, struct str *out)
{
	const struct machine *m = context->machine;
	int level;

	if (machine_paranoid(m, &level) < 0) {
		str_add(out,
			"this kernel has no kernel.perf_event_paranoid: built without perf events?");
		return;
	}
	if (geteuid() == 0 && level >= 1) {
		str_addf(
			out,
			"forbidden even to this root, and kernel.perf_event_paranoid is %d: the root of a "
			"user namespace (of a container) is not the machine's; or a seccomp filter or a "
			"security module stands in the way",
			level);
		return;
	}
	if (context->kind == TARGET_TASKS && level < 3 && (level < 2 || !plan_kernel_only(attr))) {
		explain_scope(context->kind, level, out);
		return;
	}
	if (level < 1) {
		str_addf(
			out,
			"forbidden, though kernel.perf_event_paranoid is %d: a seccomp filter (of a "
			"container) or a security module stands in the way; allow perf_event_open there",
			level);
		return;
	}
	if (context->kind == TARGET_CPUS) {
		explain_scope(context->kind, level, out);
		return;
	}
	str_addf(out,
		 "kernel.perf_event_paranoid is %d, which forbids %s without CAP_PERFMON: ", level,
		 forbidden_at(level));
	if (level >= 3)
		str_add(out,
			"give pstat CAP_PERFMON (setcap cap_perfmon+ep on its file), lower the "
			"setting (sysctl kernel.perf_event_paranoid=2, and count user mode with :u; "
			"1 for the kernel too)");
	else if (plan_kernel_only(attr))
		str_add(out, "this event happens in the kernel alone; " TWO_WAYS);
	else
		str_add(out, THREE_WAYS);
}

static void explain_missing(const struct machine *m, const struct event *event, struct str *out)
{
	const char *guest;

	if (event->attr.type == PERF_TYPE_SOFTWARE) {
		str_add(out, "this kernel has no such software event");
		return;
	}
	if (event->attr.type > PERF_TYPE_BREAKPOINT &&
	    !machine_has(m, "/sys/bus/event_source/devices/%s", event->pmu)) {
		str_addf(out, "no PMU of this machine has the type %u", event->attr.type);
		return;
	}
	if (pmu_any_core(m)) {
		str_addf(out, "the PMU of this CPU has no such event");
		return;
	}
	guest = machine_virtualization(m);
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

void diagnose_open(const struct diagnose_context *context, const struct event *event,
		   const struct perf_event_attr *attr, int error, struct str *out)
{
	const struct machine *m = context->machine;

	switch (error) {
	case -EACCES:
	case -EPERM:
		explain_permission(context, attr, out);
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
		str_add(out, "all the hardware breakpoints of this CPU are in use");
		break;
	case -ENOSYS:
		str_add(out, "this kernel was built without perf events (CONFIG_PERF_EVENTS)");
		break;
	case -E2BIG:
		str_add(out, "this kernel is too old for what the event asks for");
		break;
	default:
		str_addf(out, "the kernel says: %s", strerror(-error));
	}
}

static void add_watchdog(const struct machine *m, struct str *out)
{
	if (machine_nmi_watchdog(m))
		str_add(out,
			"; the NMI watchdog holds one counter (sysctl kernel.nmi_watchdog=0 frees it)");
}

void diagnose_group(const struct machine *m, const char *first_pmu, const char *last_pmu,
		    size_t needed, size_t fitted, struct str *out)
{
	if (strcmp(first_pmu, last_pmu) != 0) {
		str_addf(out,
			 "the group mixes events of PMU %s and PMU %s, which are never scheduled "
			 "together; make a group for each",
			 first_pmu, last_pmu);
		return;
	}
	str_addf(out,
		 "the group needs %zu counters at once, and the PMU took no more than %zu of these "
		 "events together",
		 needed, fitted);
	add_watchdog(m, out);
	str_add(out, "; make the group smaller, or put :W behind it to count its events apart");
}

void diagnose_narrowed(const struct machine *m, struct str *out)
{
	int level = 2;

	machine_paranoid(m, &level);
	str_addf(out,
		 "kernel.perf_event_paranoid is %d, which forbids counting the kernel without "
		 "CAP_PERFMON: to count it, " TWO_WAYS,
		 level);
}

void diagnose_never_enabled(enum target_kind kind, const struct event *event, bool waited,
			    struct str *out)
{
	if (waited)
		str_add(out, "it was never switched on while the target ran (-D, --control)");
	else if (event->cgroup)
		str_addf(out, "the kernel never enabled it: nothing of cgroup %s ran on these CPUs",
			 event->cgroup);
	else if (kind == TARGET_TASKS)
		str_add(out, "none of the tasks ran meanwhile");
	else
		str_add(out, kind == TARGET_COMMAND ?
				     "it was never enabled: the command ended before it began" :
				     "it was opened and never enabled");
}

void diagnose_never_ran(const struct machine *m, const struct event *event, size_t rivals,
			bool pinned, struct str *out)
{
	if (pinned)
		str_addf(out, "pinned (:D), and PMU %s had no counters free for it all the time",
			 event->pmu);
	else
		str_addf(out, "PMU %s accepted it and never had a counter free for it", event->pmu);
	if (rivals > 1)
		str_addf(out, ", with %zu events to be counted at once", rivals);
	add_watchdog(m, out);
}
