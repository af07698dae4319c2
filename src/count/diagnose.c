/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/privilege.h"
#include "base/str.h"
#include "count/diagnose.h"
#include "count/kernel.h"
#include "count/counters.h"
#include "event/attr_fields.h"
#include "machine/host.h"
#include "machine/pmu.h"

/* ---- Permissions: settings, capabilities, seccomp, security modules */

/*
 * In a user namespace other than the first one, perf_event_open(2) ignores all capabilities. The
 * map of a new namespace is empty until a process writes it.
 */
static bool diagnose_in_user_namespace(const struct machine *m)
{
	cleanup_free char *map = NULL;
	uint32_t inside, outside, n;

	if (machine_read(m, &map, "/proc/self/uid_map") < 0)
		return false;
	return sscanf(map, "%" SCNu32 " %" SCNu32 " %" SCNu32, &inside, &outside, &n) != 3 ||
	       n != UINT32_MAX;
}

/* The capability to count, without CAP_: Linux 5.8 split PERFMON off from SYS_ADMIN. */
static const char *diagnose_counting_capability(const struct machine *m)
{
	return host_knows_capability(m, CAP_PERFMON) ? "PERFMON" : "SYS_ADMIN";
}

/* perfmon_capable() of the kernel. */
static bool diagnose_has_perfmon(const struct machine *m)
{
	return (privilege_has(CAP_PERFMON) || privilege_has(CAP_SYS_ADMIN)) &&
	       !diagnose_in_user_namespace(m);
}

static const char *diagnose_way_to_admin(const struct machine *m)
{
	if (diagnose_in_user_namespace(m))
		return "run pstat as root outside of this user namespace";
	return geteuid() == 0 ?
		       "give the container CAP_SYS_ADMIN (docker run --cap-add=SYS_ADMIN)" :
		       "run pstat as root";
}

static const char *diagnose_way_to_perfmon(const struct machine *m)
{
	if (!host_knows_capability(m, CAP_PERFMON))
		return diagnose_way_to_admin(m);
	if (diagnose_in_user_namespace(m))
		return "run pstat outside of this user namespace";
	if (geteuid() == 0)
		return "give the container CAP_PERFMON (docker run --cap-add=PERFMON)";
	/* the kernel then ignores the capabilities of a file (execve(2)) */
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return "start pstat without no_new_privs (NoNewPrivileges=no) and give it "
		       "CAP_PERFMON";
	return "give pstat CAP_PERFMON (setcap cap_perfmon+ep on its file)";
}

static void diagnose_explain_filter(const struct machine *m, struct str *out)
{
	str_addf(out,
		 "a seccomp filter blocks perf_event_open: use docker run --cap-add=%s or another "
		 "seccomp profile",
		 diagnose_counting_capability(m));
}

/* Only these security modules check perf_event_open(2): SELinux, and programs of the BPF module. */
static void diagnose_explain_module(const struct machine *m, struct str *out)
{
	cleanup_free char *modules = NULL;

	machine_read(m, &modules, "/sys/kernel/security/lsm");
	if (modules && strstr(modules, "selinux"))
		str_add(out,
			"SELinux may forbid perf_event_open: see the audit log (ausearch -m avc)");
	else if (modules && strstr(modules, "bpf"))
		str_add(out, "a program of the security module bpf may forbid perf_event_open");
	else
		str_add(out,
			"the kernel refuses this event on this target, whatever the privileges");
}

/* Append what this level of kernel.perf_event_paranoid forbids. */
static void diagnose_add_forbidden(const struct machine *m, int level, const char *what,
				   struct str *out)
{
	str_addf(out, "kernel.perf_event_paranoid is %d, which forbids %s without CAP_%s", level,
		 what, diagnose_counting_capability(m));
}

/* Append the two remedies. level: the highest kernel.perf_event_paranoid that allows the event. */
static void diagnose_add_remedies(const struct machine *m, int level, struct str *out)
{
	str_addf(out, "%s or lower the setting (sysctl kernel.perf_event_paranoid=%d)",
		 diagnose_way_to_perfmon(m), level);
}

/*
 * Explain a missing capability that no value of kernel.perf_event_paranoid replaces. Returns false
 * if no such capability is missing. Uprobes and breakpoints in the kernel need CAP_SYS_ADMIN at
 * every level: see hw_breakpoint_parse() and perf_uprobe_event_init() in the kernel. In Linux 5.8
 * to 6.15, CAP_PERFMON was enough for uprobes.
 */
static bool diagnose_explain_capability(const struct machine *m, const struct event *event,
					const struct perf_event_attr *attr, struct str *out)
{
	bool is_admin = privilege_has(CAP_SYS_ADMIN) && !diagnose_in_user_namespace(m);
	const char *admin = NULL; /* what needs CAP_SYS_ADMIN */

	if (event_is_uprobe(event))
		admin = "uprobes";
	else if (attr->type == PERF_TYPE_BREAKPOINT && attr->bp_addr >> 63)
		admin = "breakpoints in the kernel";
	if (admin && !is_admin)
		str_addf(out,
			 "%s need CAP_SYS_ADMIN (neither :u nor kernel.perf_event_paranoid helps): "
			 "%s",
			 admin, diagnose_way_to_admin(m));
	else if (event_is_kprobe(event) && !diagnose_has_perfmon(m))
		str_addf(out,
			 "kernel probes need CAP_%s (neither :u nor kernel.perf_event_paranoid "
			 "helps): %s",
			 diagnose_counting_capability(m), diagnose_way_to_perfmon(m));
	else
		return false;
	return true;
}

/* Explain why the kernel itself refuses an event that does not always need a capability. */
static void diagnose_explain_level(const struct machine *m, enum target_kind kind,
				   const struct event *event, const struct perf_event_attr *attr,
				   struct str *out)
{
	bool perfmon = diagnose_has_perfmon(m);
	bool all_refused;
	int level;

	if (host_paranoid(m, &level) < 0) {
		str_add(out, "the kernel forbids it, and kernel.perf_event_paranoid cannot be read "
			     "(is /proc mounted?)");
		return;
	}
	all_refused = kernel_refuses_user_mode();
	if (all_refused && !perfmon && level >= 3) {
		diagnose_add_forbidden(m, level, "all counting", out);
		str_add(out, " on this kernel: ");
		diagnose_add_remedies(m, 2, out);
		str_add(out, "; 2 allows user mode, 1 also the kernel");
	} else if (all_refused) {
		diagnose_explain_module(m, out);
	} else if (kind == TARGET_TASKS && (perfmon || level < 2 || attr->exclude_kernel)) {
		str_addf(out,
			 "the process is another user's, set-user-ID or not dumpable: run pstat as "
			 "its user or as root, or give pstat CAP_%s and CAP_SYS_PTRACE",
			 diagnose_counting_capability(m));
	} else if (!perfmon && (kind == TARGET_CPUS || event->cpus) && level >= 1) {
		diagnose_add_forbidden(m, level, "counting whole CPUs", out);
		str_add(out, ": ");
		diagnose_add_remedies(m, 0, out);
	} else if (!perfmon && level >= 2) {
		diagnose_add_forbidden(m, level, "counting the kernel", out);
		if (counter_kernel_only(event))
			str_add(out, ": this event happens only in the kernel; ");
		else if (attr->exclude_kernel)
			str_add(out, ": this event cannot be counted in user mode only; ");
		else
			str_add(out, ": count user mode only (:u), ");
		diagnose_add_remedies(m, 1, out);
	} else {
		diagnose_explain_module(m, out);
	}
}

void diagnose_narrowed(const struct machine *m, struct str *out)
{
	int level = 2;

	host_paranoid(m, &level);
	if (level < 2 || diagnose_has_perfmon(m)) {
		diagnose_explain_module(m, out);
		return;
	}
	diagnose_add_forbidden(m, level, "counting the kernel", out);
	str_add(out, ": to count it, ");
	diagnose_add_remedies(m, 1, out);
}

static void diagnose_explain_no_call(const struct machine *m, struct str *out)
{
	if (machine_has(m, "/proc/sys/kernel/perf_event_paranoid"))
		diagnose_explain_filter(m, out);
	else if (machine_has_proc(m))
		str_add(out, "this kernel was built without perf events (CONFIG_PERF_EVENTS)");
	else
		str_add(out,
			"the kernel has no perf events, or a seccomp filter blocks them: mount "
			"/proc to find out which");
}

/* ---- Refused events and groups */

/* There are no hardware events, on a machine without a core PMU. */
static void diagnose_explain_no_pmu(const struct machine *m, struct str *out)
{
	const char *guest = host_virtualization(m);

	if (!machine_has_sysfs(m))
		str_add(out, "the kernel does not know it, and /sys, which lists the PMUs, is not "
			     "mounted");
	else if (guest)
		str_addf(out,
			 "this is %s without hardware counters; its host has to enable a virtual "
			 "PMU",
			 guest);
	else
		str_add(out,
			"this machine has no hardware PMU, or this kernel has no driver for it");
}

static void diagnose_explain_missing(const struct machine *m, const struct event *event,
				     struct str *out)
{
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
	diagnose_explain_no_pmu(m, out);
}

#if defined(__x86_64__) || defined(__i386__)
static const bool refuses_precise_counts = true; /* since Linux 4.11 */
#else
static const bool refuses_precise_counts = false;
#endif

static void diagnose_explain_invalid(const struct machine *m, const struct event *event,
				     struct str *out)
{
	const struct perf_event_attr *attr = &event->attr;
	bool is_breakpoint = attr->type == PERF_TYPE_BREAKPOINT;

	if (event->slots == SLOTS_PART)
		str_addf(out,
			 "the kernel counts it only in a group whose leader is slots: {slots,%s}",
			 event->name);
	else if (attr->type > PERF_TYPE_BREAKPOINT && !pmu_is_core(m, event->pmu) &&
		 machine_has(m, "/sys/bus/event_source/devices/%s/cpumask", event->pmu))
		str_addf(out, "PMU %s counts whole CPUs or packages, not one command", event->pmu);
	else if (is_breakpoint && attr->bp_len && attr->bp_addr % attr->bp_len)
		str_addf(
			out,
			"the address is not a multiple of the length, %llu bytes: use a shorter one",
			(unsigned long long)attr->bp_len);
	else if (is_breakpoint && attr->bp_type == HW_BREAKPOINT_R)
		str_add(out, "the processor cannot watch reads alone (x86 never can): use :rw");
	else if (is_breakpoint)
		str_add(out, "the processor cannot watch this address, length and kind of access");
	else if (refuses_precise_counts && attr->precise_ip)
		str_add(out,
			"a count cannot have a precise level (x86, since Linux 4.11): omit :p");
	else
		str_add(out, "the kernel refuses it as invalid: the PMU lacks this config or "
			     "modifier, or counts only whole CPUs");
}

static void diagnose_explain_descriptors(size_t needed, struct str *out)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		limit.rlim_max = 0;
	str_addf(out,
		 "out of file descriptors: %zu needed, but the hard limit is %llu; raise it "
		 "(ulimit -Hn)",
		 needed, (unsigned long long)limit.rlim_max);
}

static void diagnose_explain_size(const struct event *event, struct str *out)
{
	const struct attr_field *newest = attr_fields_newest(event);

	if (newest)
		str_addf(out, "%s needs Linux %s, and this kernel is older", newest->name,
			 newest->since);
	else
		str_add(out, "this kernel is too old for this event");
}

void diagnose_open(const struct diagnose_context *context, const struct event *event,
		   const struct perf_event_attr *attr, int error, struct str *out)
{
	const struct machine *m = context->machine;

	switch (error) {
	case -EACCES:
	case -EPERM:
		if (!kernel_is_reached())
			diagnose_explain_filter(m, out);
		else if (!diagnose_explain_capability(m, event, attr, out))
			diagnose_explain_level(m, context->kind, event, attr, out);
		break;
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		diagnose_explain_missing(m, event, out);
		break;
	case -EINVAL:
		diagnose_explain_invalid(m, event, out);
		break;
	case -EOPNOTSUPP:
		str_add(out, !event->attr.exclude_guest && !event->cpus ?
				     "the PMU cannot count guests, for example while one has a "
				     "mediated vPMU: omit :G" :
				     "the PMU cannot count this event with these modifiers or this "
				     "precise level, or can only sample it");
		break;
	case -EMFILE:
		diagnose_explain_descriptors(context->descriptors, out);
		break;
	case -ENFILE:
		str_add(out, "the whole system is out of file descriptors (sysctl fs.file-max)");
		break;
	case -EBUSY:
		str_add(out, "another user holds the PMU exclusively");
		break;
	case -ENOSPC:
		str_add(out, attr->type == PERF_TYPE_BREAKPOINT ?
				     "all hardware breakpoints of this CPU are in use" :
				     "the PMU has no free counter that fits this event");
		break;
	case -ENOSYS:
		diagnose_explain_no_call(m, out);
		break;
	case -EINTR:
		str_add(out,
			"the kernel interrupts each attempt: ftrace uses the same probe; disable "
			"it there (echo 0 >events/GROUP/NAME/enable)");
		break;
	case -E2BIG:
		diagnose_explain_size(event, out);
		break;
	default:
		str_addf(out, "the kernel refuses it: %s", strerror(-error));
	}
}

void diagnose_watchdog(const struct machine *m, struct str *out)
{
	if (host_nmi_watchdog(m))
		str_add(out,
			"; the NMI watchdog may hold one counter (sysctl kernel.nmi_watchdog=0 "
			"frees it)");
}

void diagnose_group(const struct machine *m, const struct diagnose_group *group, struct str *out)
{
	if (group->error == -E2BIG) {
		str_addf(
			out,
			"one read of the %zu events of this group exceeds the kernel's 16 KiB: split "
			"the group",
			group->n);
		return;
	}
	if (strcmp(group->first_pmu, group->last_pmu) != 0) {
		str_addf(out,
			 "the group mixes PMU %s and PMU %s, which never count together: make a "
			 "group for each PMU",
			 group->first_pmu, group->last_pmu);
		return;
	}
	str_addf(out,
		 "the group needs %zu counters at once, but only %zu of its events fit together",
		 group->needed, group->fitted);
	diagnose_watchdog(m, out);
	if (!group->implied)
		str_add(out,
			"; make the group smaller, or append :W to count its events separately");
}
