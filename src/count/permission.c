/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/privilege.h"
#include "base/str.h"
#include "count/kernel.h"
#include "count/permission.h"
#include "count/plan.h"
#include "machine/host.h"

#define FORBIDS_KERNEL                                                                             \
	"kernel.perf_event_paranoid is %d, which forbids counting the kernel without CAP_%s: "

/*
 * In a user namespace other than the first one, perf_event_open(2) ignores all capabilities. The
 * map of a new namespace is empty until somebody writes it.
 */
static bool in_user_namespace(const struct machine *m)
{
	cleanup_free char *map = NULL;
	uint32_t inside, outside, n;

	if (machine_read(m, &map, "/proc/self/uid_map") < 0)
		return false;
	return sscanf(map, "%" SCNu32 " %" SCNu32 " %" SCNu32, &inside, &outside, &n) != 3 ||
	       n != UINT32_MAX;
}

/* The capability to count, without CAP_: Linux 5.8 split PERFMON off from SYS_ADMIN. */
static const char *counting_capability(const struct machine *m)
{
	return host_knows_capability(m, CAP_PERFMON) ? "PERFMON" : "SYS_ADMIN";
}

/* perfmon_capable() of the kernel. */
static bool has_perfmon(const struct machine *m)
{
	return (privilege_has(CAP_PERFMON) || privilege_has(CAP_SYS_ADMIN)) &&
	       !in_user_namespace(m);
}

static const char *way_to_admin(const struct machine *m)
{
	if (in_user_namespace(m))
		return "run pstat as root outside of this user namespace";
	return geteuid() == 0 ?
		       "give the container CAP_SYS_ADMIN (docker run --cap-add=SYS_ADMIN)" :
		       "run pstat as root";
}

static const char *way_to_perfmon(const struct machine *m)
{
	if (!host_knows_capability(m, CAP_PERFMON))
		return way_to_admin(m);
	if (in_user_namespace(m))
		return "run pstat outside of this user namespace";
	if (geteuid() == 0)
		return "give the container CAP_PERFMON (docker run --cap-add=PERFMON)";
	/* the kernel then ignores the capabilities of a file (execve(2)) */
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return "start pstat without no_new_privs (NoNewPrivileges=no) and give it "
		       "CAP_PERFMON";
	return "give pstat CAP_PERFMON (setcap cap_perfmon+ep on its file)";
}

static void explain_filter(const struct machine *m, struct str *out)
{
	str_addf(out,
		 "a seccomp filter blocks perf_event_open: allow it (docker run --cap-add=%s or "
		 "--security-opt seccomp=PROFILE)",
		 counting_capability(m));
}

static void explain_module(struct str *out)
{
	str_add(out, "a security module such as SELinux forbids perf_event_open: see the audit log "
		     "(ausearch -m avc)");
}

static void explain_foreign_process(const struct machine *m, struct str *out)
{
	str_addf(
		out,
		"the process is another user's, set-user-ID or not dumpable: run pstat as its user "
		"or as root, or give pstat CAP_%s and CAP_SYS_PTRACE",
		counting_capability(m));
}

/* Append the two remedies. level: the highest level that allows the event. */
static void add_ways(const struct machine *m, int level, struct str *out)
{
	str_addf(out, "%s or lower the setting (sysctl kernel.perf_event_paranoid=%d)",
		 way_to_perfmon(m), level);
}

static void explain_all_forbidden(const struct machine *m, int level, struct str *out)
{
	str_addf(out,
		 "kernel.perf_event_paranoid is %d, which forbids all counting without CAP_%s "
		 "on this kernel: ",
		 level, counting_capability(m));
	add_ways(m, 2, out);
	str_add(out, "; 2 allows user mode, 1 also the kernel");
}

static void explain_whole_cpus(const struct machine *m, int level, struct str *out)
{
	str_addf(out,
		 "kernel.perf_event_paranoid is %d, which forbids counting whole CPUs without "
		 "CAP_%s: ",
		 level, counting_capability(m));
	add_ways(m, 0, out);
}

static void explain_kernel_forbidden(const struct machine *m, const struct perf_event_attr *attr,
				     int level, struct str *out)
{
	str_addf(out, FORBIDS_KERNEL, level, counting_capability(m));
	if (plan_kernel_only(attr))
		str_add(out, "this event happens only in the kernel; ");
	else if (attr->exclude_kernel)
		str_add(out, "this event cannot be counted in user mode only; ");
	else
		str_add(out, "count user mode only (:u), ");
	add_ways(m, 1, out);
}

/* The kind of an event that needs CAP_PERFMON at every kernel.perf_event_paranoid: a static string,
 * or NULL. */
static const char *always_needs_perfmon(const struct event *event)
{
	return event_is_kprobe(event) ? "kernel probes" : NULL;
}

/* The same for CAP_SYS_ADMIN: see hw_breakpoint_parse() and perf_uprobe_event_init() in the kernel.
 * In Linux 5.8 to 6.15, CAP_PERFMON was enough for uprobes. */
static const char *always_needs_admin(const struct event *event, const struct perf_event_attr *attr)
{
	if (event_is_uprobe(event))
		return "uprobes";
	return attr->type == PERF_TYPE_BREAKPOINT && attr->bp_addr >> 63 ?
		       "breakpoints in the kernel" :
		       NULL;
}

/* Explain a missing capability that kernel.perf_event_paranoid does not replace. False if there is
 * none. */
static bool explain_capability(const struct machine *m, const struct event *event,
			       const struct perf_event_attr *attr, struct str *out)
{
	const char *perfmon = always_needs_perfmon(event);
	const char *admin = always_needs_admin(event, attr);
	bool is_admin = privilege_has(CAP_SYS_ADMIN) && !in_user_namespace(m);

	if (admin && !is_admin)
		str_addf(out,
			 "%s need CAP_SYS_ADMIN (neither :u nor kernel.perf_event_paranoid helps): "
			 "%s",
			 admin, way_to_admin(m));
	else if (perfmon && !has_perfmon(m))
		str_addf(out,
			 "%s need CAP_%s (neither :u nor kernel.perf_event_paranoid helps): %s",
			 perfmon, counting_capability(m), way_to_perfmon(m));
	else
		return false;
	return true;
}

/* Explain a refusal by the kernel itself, of an event that does not always need a capability. */
static void explain_level(const struct machine *m, enum target_kind kind, const struct event *event,
			  const struct perf_event_attr *attr, struct str *out)
{
	bool perfmon = has_perfmon(m);
	bool all_refused;
	int level;

	if (host_paranoid(m, &level) < 0) {
		str_add(out, "the kernel forbids it, and kernel.perf_event_paranoid cannot be read "
			     "(is /proc mounted?)");
		return;
	}
	all_refused = kernel_refuses_user_mode();
	if (all_refused && !perfmon && level >= 3)
		explain_all_forbidden(m, level, out);
	else if (all_refused)
		explain_module(out);
	else if (kind == TARGET_TASKS && (perfmon || level < 2 || attr->exclude_kernel))
		explain_foreign_process(m, out);
	else if (perfmon)
		explain_module(out);
	else if ((kind == TARGET_CPUS || event->cpus) && level >= 1)
		explain_whole_cpus(m, level, out);
	else if (level >= 2)
		explain_kernel_forbidden(m, attr, level, out);
	else
		explain_module(out);
}

void permission_refused(const struct machine *m, enum target_kind kind, const struct event *event,
			const struct perf_event_attr *attr, struct str *out)
{
	if (!kernel_is_reached())
		explain_filter(m, out);
	else if (!explain_capability(m, event, attr, out))
		explain_level(m, kind, event, attr, out);
}

void permission_narrowed(const struct machine *m, struct str *out)
{
	int level = 2;

	host_paranoid(m, &level);
	if (level < 2 || has_perfmon(m)) {
		explain_module(out);
		return;
	}
	str_addf(out, FORBIDS_KERNEL "to count it, ", level, counting_capability(m));
	add_ways(m, 1, out);
}

void permission_no_call(const struct machine *m, struct str *out)
{
	if (machine_has(m, "/proc/sys/kernel/perf_event_paranoid"))
		explain_filter(m, out);
	else if (machine_has_proc(m))
		str_add(out, "this kernel was built without perf events (CONFIG_PERF_EVENTS)");
	else
		str_add(out,
			"the kernel has no perf events, or a seccomp filter blocks them: mount "
			"/proc to find out which");
}
