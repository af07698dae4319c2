/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/diagnose.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { NOBODY = 65534 };

static struct machine machine;

static int set_up(void **state)
{
	machine.root = tree_new();
	tree_add(machine.root, "proc/sys/kernel/nmi_watchdog", "0\n");
	tree_add(machine.root, "proc/self/uid_map", "0 0 4294967295\n");
	tree_add(machine.root, "sys/bus/event_source/uevent", "");
	tree_add(machine.root, "sys/kernel/security/lsm", "lockdown,capability,yama,selinux");
	fake_reset();
	return chmod(machine.root, 0755); /* for nobody */
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static void set_paranoid(int level)
{
	char text[16];

	snprintf(text, sizeof(text), "%d\n", level);
	tree_add(machine.root, "proc/sys/kernel/perf_event_paranoid", text);
}

/* Diagnose an event of a command. descriptors: needed by its session */
static void diagnose(const struct machine *m, const struct event *event, int error,
		     size_t descriptors, struct str *out)
{
	const struct diagnose_context context = { m, TARGET_COMMAND, descriptors };

	diagnose_open(&context, event, &event->attr, error, out);
}

/* Diagnose for an ordinary user, without any capability. */
static void diagnose_for_user(enum target_kind kind, const struct event *event, int error,
			      struct str *out)
{
	const struct diagnose_context context = { &machine, kind, 1 };
	uid_t user = geteuid();

	if (user == 0)
		assert_int_equal(seteuid(NOBODY), 0);
	diagnose_open(&context, event, &event->attr, error, out);
	assert_int_equal(seteuid(user), 0);
}

static bool everything(const struct fake_open *call)
{
	return true;
}

#define WAYS "give pstat CAP_PERFMON (setcap cap_perfmon+ep on its file)"
#define LOWER(level) " or lower the setting (sysctl kernel.perf_event_paranoid=" level ")"
#define KERNEL(level)                                                                              \
	"kernel.perf_event_paranoid is " level ", which forbids counting the kernel without "      \
	"CAP_PERFMON: "
#define MODULE "SELinux may forbid perf_event_open: see the audit log (ausearch -m avc)"
#define FILTER                                                                                     \
	"a seccomp filter blocks perf_event_open: use docker run --cap-add=PERFMON or another "    \
	"seccomp profile"

/* user_mode_too: the kernel refuses to count user mode as well. */
static void a_refused_permission_names_the_setting_and_the_ways_out(void **state)
{
	static const struct {
		int line;
		int level;
		__u32 type;
		__u64 config;
		bool exclude_kernel, user_mode_too;
		const char *text;
	} rows[] = {
		{ ROW, 2, PERF_TYPE_HARDWARE, 0, false, false,
		  KERNEL("2") "count user mode only (:u), " WAYS LOWER("1") },
		{ ROW, 2, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, false, false,
		  KERNEL("2") "this event happens only in the kernel; " WAYS LOWER("1") },
		/* user mode was tried too */
		{ ROW, 2, PERF_TYPE_HARDWARE, 0, true, false,
		  KERNEL("2") "this event cannot be counted in user mode only; " WAYS LOWER("1") },
		{ ROW, 2, PERF_TYPE_HARDWARE, 0, true, true, MODULE },
		/* Debian's kernel */
		{ ROW, 3, PERF_TYPE_HARDWARE, 0, true, true,
		  "kernel.perf_event_paranoid is 3, which forbids all counting without "
		  "CAP_PERFMON on this kernel: " WAYS LOWER("2") "; 2 allows user mode, 1 also "
								 "the kernel" },
		/* other kernels take 3 and 4 for 2 */
		{ ROW, 3, PERF_TYPE_HARDWARE, 0, false, false,
		  KERNEL("3") "count user mode only (:u), " WAYS LOWER("1") },
		{ ROW, 4, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, false, false,
		  KERNEL("4") "this event happens only in the kernel; " WAYS LOWER("1") },
		{ ROW, 0, PERF_TYPE_HARDWARE, 0, false, false, MODULE },
		{ ROW, -1, PERF_TYPE_HARDWARE, 0, true, true, MODULE },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct event event = { .attr = { .type = rows[i].type,
						       .config = rows[i].config,
						       .exclude_kernel = rows[i].exclude_kernel } };
		cleanup_str struct str out = { 0 };

		fake_reset();
		if (rows[i].user_mode_too)
			fake_refuse(EACCES, everything);
		set_paranoid(rows[i].level);
		diagnose_for_user(TARGET_COMMAND, &event, -EACCES, &out);
		row_string(&rows[i], str_text(&out), rows[i].text);
	}
}

/* Neither the level nor user mode matters. */
static void a_seccomp_filter_is_named_at_any_level(void **state)
{
	static const int errors[] = { -EPERM, -EACCES, -ENOSYS };
	const struct event event = { .attr = { .type = PERF_TYPE_HARDWARE } };

	fake_reset();
	fake_filter_calls();
	fake_refuse(EPERM, everything);
	for (int level = -1; level <= 4; level++)
		for (size_t i = 0; i < N_OF(errors); i++) {
			cleanup_str struct str out = { 0 };
			cleanup_str struct str as_root = { 0 };

			set_paranoid(level);
			diagnose_for_user(TARGET_COMMAND, &event, errors[i], &out);
			assert_string_equal(str_text(&out), FILTER);
			diagnose(&machine, &event, errors[i], 1, &as_root);
			assert_string_equal(str_text(&as_root), FILTER);
		}
	fake_reset();
}

/* perf_uprobe_event_init(), perf_kprobe_event_init() and hw_breakpoint_parse() ignore the level. */
static void an_event_that_always_needs_a_capability_says_so(void **state)
{
	static char uprobe[] = "uprobe", kprobe[] = "kprobe", breakpoint[] = "breakpoint";
	static char probed[] = "function";
	static const struct {
		int line;
		char *pmu;
		char *probed;
		__u64 address;
		const char *text;
	} rows[] = {
		{ ROW, uprobe, probed, 0,
		  "uprobes need CAP_SYS_ADMIN (neither :u nor kernel.perf_event_paranoid helps): "
		  "run pstat as root" },
		{ ROW, kprobe, probed, 0,
		  "kernel probes need CAP_PERFMON (neither :u nor kernel.perf_event_paranoid "
		  "helps): " WAYS },
		{ ROW, breakpoint, NULL, (__u64)1 << 63,
		  "breakpoints in the kernel need CAP_SYS_ADMIN (neither :u nor "
		  "kernel.perf_event_paranoid helps): run pstat as root" },
	};

	fake_reset();
	for (size_t i = 0; i < N_OF(rows); i++)
		for (int level = -1; level <= 4; level++) {
			const struct event event = {
				.pmu = rows[i].pmu,
				.probed = rows[i].probed,
				.attr = { .type = rows[i].probed ? 7 : PERF_TYPE_BREAKPOINT,
					  .bp_addr = rows[i].address },
			};
			cleanup_str struct str out = { 0 };

			set_paranoid(level);
			diagnose_for_user(TARGET_COMMAND, &event, -EACCES, &out);
			row_string(&rows[i], str_text(&out), rows[i].text);
		}
}

#define NEEDS_ADMIN(what) "kernel.perf_event_paranoid is " what " without CAP_SYS_ADMIN"

/* CAP_PERFMON is 38; Linux 5.7 ends with 37. */
static void a_kernel_without_perfmon_needs_the_older_capability(void **state)
{
	static char cpus[] = "0", kprobe[] = "kprobe", probed[] = "function";
	static const struct {
		int line;
		enum target_kind kind;
		int level;
		struct event event;
		const char *text;
	} rows[] = {
		{ ROW,
		  TARGET_COMMAND,
		  2,
		  { 0 },
		  NEEDS_ADMIN(
			  "2, which forbids counting the kernel") ": count user mode only (:u), "
								  "run pstat as root" LOWER("1") },
		{ ROW,
		  TARGET_COMMAND,
		  1,
		  { .cpus = cpus },
		  NEEDS_ADMIN("1, which forbids counting whole CPUs") ": run pstat as root" LOWER(
			  "0") },
		{ ROW,
		  TARGET_TASKS,
		  1,
		  { 0 },
		  "the process is another user's, set-user-ID or not dumpable: run pstat as its "
		  "user "
		  "or as root, or give pstat CAP_SYS_ADMIN and CAP_SYS_PTRACE" },
		{ ROW,
		  TARGET_COMMAND,
		  2,
		  { .pmu = kprobe, .probed = probed, .attr = { .type = 7 } },
		  "kernel probes need CAP_SYS_ADMIN (neither :u nor kernel.perf_event_paranoid "
		  "helps): run pstat as root" },
	};

	fake_reset();
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str old = { 0 }, new = { 0 };

		set_paranoid(rows[i].level);
		tree_add(machine.root, "proc/sys/kernel/cap_last_cap", "37\n");
		diagnose_for_user(rows[i].kind, &rows[i].event, -EACCES, &old);
		row_string(&rows[i], str_text(&old), rows[i].text);
		tree_add(machine.root, "proc/sys/kernel/cap_last_cap", "38\n");
		diagnose_for_user(rows[i].kind, &rows[i].event, -EACCES, &new);
		assert_non_null(strstr(str_text(&new), "CAP_PERFMON"));
		assert_null(strstr(str_text(&new), "CAP_SYS_ADMIN"));
	}
}

#define NOT_YOURS                                                                                  \
	"the process is another user's, set-user-ID or not dumpable: run pstat as its user or as " \
	"root, or give pstat CAP_PERFMON and CAP_SYS_PTRACE"

#define WHOLE_CPUS(level)                                                                          \
	"kernel.perf_event_paranoid is " level ", which forbids counting whole CPUs without "      \
	"CAP_PERFMON: " WAYS LOWER("0")

/* Counting only user mode would not help with whole CPUs, or with processes of other users. */
static void a_permission_is_explained_for_each_target(void **state)
{
	static char cpus[] = "0";
	static const struct {
		int line;
		enum target_kind kind;
		int level;
		bool exclude_kernel;
		char *cpus;
		const char *text;
	} rows[] = {
		{ ROW, TARGET_CPUS, 1, false, NULL, WHOLE_CPUS("1") },
		{ ROW, TARGET_CPUS, 2, true, NULL, WHOLE_CPUS("2") },
		{ ROW, TARGET_CPUS, 3, true, NULL, WHOLE_CPUS("3") },
		{ ROW, TARGET_CPUS, 0, false, NULL, MODULE },
		{ ROW, TARGET_COMMAND, 1, false, cpus, WHOLE_CPUS("1") },
		{ ROW, TARGET_TASKS, 0, false, NULL, NOT_YOURS },
		{ ROW, TARGET_TASKS, 1, false, NULL, NOT_YOURS },
		{ ROW, TARGET_TASKS, 2, true, NULL, NOT_YOURS },
		/* the setting comes first if it alone forbids the event */
		{ ROW, TARGET_TASKS, 2, false, NULL,
		  KERNEL("2") "count user mode only (:u), " WAYS LOWER("1") },
	};

	fake_reset();
	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct event event = { .cpus = rows[i].cpus,
					     .attr = { .type = PERF_TYPE_HARDWARE,
						       .exclude_kernel = rows[i].exclude_kernel } };
		cleanup_str struct str out = { 0 };

		set_paranoid(rows[i].level);
		diagnose_for_user(rows[i].kind, &event, -EACCES, &out);
		row_string(&rows[i], str_text(&out), rows[i].text);
	}
}

static void root_learns_why_its_capabilities_do_not_help(void **state)
{
	static const struct {
		int line;
		const char *map;
		int level;
		const char *text;
	} rows[] = {
		{ ROW, "0 0 4294967295\n", 2, MODULE },
		{ ROW, "0 1000 1\n", 2,
		  KERNEL("2") "count user mode only (:u), run pstat outside of this user "
			      "namespace" LOWER("1") },
		/* the map was not written yet */
		{ ROW, "", 2,
		  KERNEL("2") "count user mode only (:u), run pstat outside of this user "
			      "namespace" LOWER("1") },
	};
	const struct event event = { .attr = { .type = PERF_TYPE_HARDWARE } };

	if (geteuid() != 0)
		skip();
	fake_reset();
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		tree_add(machine.root, "proc/self/uid_map", rows[i].map);
		set_paranoid(rows[i].level);
		diagnose(&machine, &event, -EACCES, 1, &out);
		row_string(&rows[i], str_text(&out), rows[i].text);
	}
	tree_add(machine.root, "proc/self/uid_map", rows[0].map);
}

static void a_reason_says_that_proc_and_sys_are_missing(void **state)
{
	const struct machine bare = { .root = tree_new() };
	const struct event event = { .attr = { .type = PERF_TYPE_HARDWARE } };
	static const struct {
		int line;
		int error;
		const char *text;
	} rows[] = {
		{ ROW, -EACCES,
		  "the kernel forbids it, and kernel.perf_event_paranoid cannot be read (is /proc "
		  "mounted?)" },
		{ ROW, -ENOSYS,
		  "the kernel has no perf events, or a seccomp filter blocks them: mount /proc "
		  "to find out which" },
		{ ROW, -ENOENT,
		  "the kernel does not know it, and /sys, which lists the PMUs, is not mounted" },
	};

	fake_reset();
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		diagnose(&bare, &event, rows[i].error, 1, &out);
		row_string(&rows[i], str_text(&out), rows[i].text);
	}
	tree_remove(bare.root);
}

static void a_kernel_without_perf_events_is_named(void **state)
{
	const struct machine without = { .root = tree_new() };
	const struct event event = { .attr = { .type = PERF_TYPE_HARDWARE } };
	cleanup_str struct str out = { 0 };

	tree_add(without.root, "proc/self/uid_map", "0 0 4294967295\n");
	diagnose(&without, &event, -ENOSYS, 1, &out);
	assert_string_equal(str_text(&out),
			    "this kernel was built without perf events (CONFIG_PERF_EVENTS)");
	tree_remove(without.root);
}

static void an_event_counted_in_user_mode_only_says_why(void **state)
{
	static const struct {
		int line;
		int level;
		const char *text;
	} rows[] = {
		{ ROW, 2, KERNEL("2") "to count it, " WAYS LOWER("1") },
		{ ROW, 4, KERNEL("4") "to count it, " WAYS LOWER("1") },
		{ ROW, 1, MODULE },
	};
	uid_t user = geteuid();

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		set_paranoid(rows[i].level);
		if (user == 0)
			assert_int_equal(seteuid(NOBODY), 0);
		diagnose_narrowed(&machine, &out);
		assert_int_equal(seteuid(user), 0);
		row_string(&rows[i], str_text(&out), rows[i].text);
	}
}

static void each_error_has_its_sentence(void **state)
{
	static const struct {
		int line;
		int error;
		const char *part;
	} rows[] = {
		{ ROW, -ENOENT, "this machine has no hardware PMU" },
		{ ROW, -ENODEV, "this machine has no hardware PMU" },
		{ ROW, -ENXIO, "this machine has no hardware PMU" },
		{ ROW, -EINVAL, "the kernel refuses it as invalid" },
		{ ROW, -EOPNOTSUPP, "the PMU cannot count this" },
		{ ROW, -ENFILE, "the whole system is out of file descriptors" },
		{ ROW, -EBUSY, "another user holds the PMU exclusively" },
		{ ROW, -ENOSPC, "the PMU has no free counter that fits this event" },
		{ ROW, -E2BIG, "too old" },
		{ ROW, -EINTR, "ftrace uses the same probe" },
		{ ROW, -EIO, "the kernel refuses it: Input/output error" },
	};
	static char pmu[] = "hardware";
	const struct event event = { .pmu = pmu,
				     .attr = { .type = PERF_TYPE_HARDWARE, .exclude_guest = 1 } };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		diagnose(&machine, &event, rows[i].error, 1, &out);
		if (!strstr(str_text(&out), rows[i].part))
			row_string(&rows[i], str_text(&out), rows[i].part);
	}
}

/* The exact reason why the kernel refuses each event. */
static void a_modifier_and_a_breakpoint_have_their_sentences(void **state)
{
	static const struct {
		int line;
		int error;
		struct perf_event_attr attr;
		const char *text;
	} rows[] = {
		{ ROW,
		  -EINVAL,
		  { .type = PERF_TYPE_HARDWARE, .precise_ip = 1 },
#if defined(__x86_64__) || defined(__i386__)
		  "a count cannot have a precise level (x86, since Linux 4.11): omit :p"
#else
		  "the kernel refuses it as invalid: the PMU lacks this config or modifier, or counts "
		  "only whole CPUs"
#endif
		},
		{ ROW,
		  -EOPNOTSUPP,
		  { .type = PERF_TYPE_HARDWARE },
		  "the PMU cannot count guests, for example while one has a mediated vPMU: omit :G" },
		{ ROW,
		  -EINVAL,
		  { .type = PERF_TYPE_BREAKPOINT,
		    .bp_type = HW_BREAKPOINT_R,
		    .bp_addr = 8,
		    .bp_len = 4 },
		  "the processor cannot watch reads alone (x86 never can): use :rw" },
		{ ROW,
		  -EINVAL,
		  { .type = PERF_TYPE_BREAKPOINT,
		    .bp_type = HW_BREAKPOINT_W,
		    .bp_addr = 9,
		    .bp_len = 4 },
		  "the address is not a multiple of the length, 4 bytes: use a shorter one" },
		{ ROW,
		  -EINVAL,
		  { .type = PERF_TYPE_BREAKPOINT,
		    .bp_type = HW_BREAKPOINT_W,
		    .bp_addr = 8,
		    .bp_len = 4 },
		  "the processor cannot watch this address, length and kind of access" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		static char pmu[] = "hardware";
		const struct event event = { .pmu = pmu, .attr = rows[i].attr };
		cleanup_str struct str out = { 0 };

		diagnose(&machine, &event, rows[i].error, 1, &out);
		row_string(&rows[i], str_text(&out), rows[i].text);
	}
}

/* Only a module that the kernel lists is named. */
static void a_security_module_is_named_if_there_is_one(void **state)
{
	static const struct {
		int line;
		const char *modules, *text;
	} rows[] = {
		{ ROW, "capability,selinux,bpf", MODULE },
		{ ROW, "capability,bpf",
		  "a program of the security module bpf may forbid perf_event_open" },
		{ ROW, "lockdown,capability,yama,apparmor",
		  "the kernel refuses this event on this target, whatever the privileges" },
	};
	const struct event event = { .attr = { .type = PERF_TYPE_HARDWARE } };

	fake_reset();
	set_paranoid(0);
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		tree_add(machine.root, "sys/kernel/security/lsm", rows[i].modules);
		diagnose_for_user(TARGET_COMMAND, &event, -EPERM, &out);
		row_string(&rows[i], str_text(&out), rows[i].text);
	}
	tree_add(machine.root, "sys/kernel/security/lsm", rows[0].modules);
}

static void a_group_that_one_read_cannot_return_says_so(void **state)
{
	const struct diagnose_group group = {
		.first_pmu = "software", .last_pmu = "software", .error = -E2BIG, .n = 1030
	};
	cleanup_str struct str out = { 0 };

	diagnose_group(&machine, &group, &out);
	assert_string_equal(str_text(&out), "one read of the 1030 events of this group exceeds the "
					    "kernel's 16 KiB: split the group");
}

static void no_space_means_breakpoints_only_for_a_breakpoint(void **state)
{
	const struct event breakpoint = { .attr = { .type = PERF_TYPE_BREAKPOINT } };
	const struct event raw = { .attr = { .type = PERF_TYPE_RAW } };
	cleanup_str struct str of_breakpoint = { 0 };
	cleanup_str struct str of_raw = { 0 };

	diagnose(&machine, &breakpoint, -ENOSPC, 1, &of_breakpoint);
	assert_string_equal(str_text(&of_breakpoint),
			    "all hardware breakpoints of this CPU are in use");
	diagnose(&machine, &raw, -ENOSPC, 1, &of_raw);
	assert_string_equal(str_text(&of_raw), "the PMU has no free counter that fits this event");
}

/* The feature that the kernel is too old for is named. */
static void the_needed_version_of_the_kernel_is_named(void **state)
{
	static char software[] = "software", spe[] = "spe";
	const struct event switches = { .pmu = software,
					.attr = { .type = PERF_TYPE_SOFTWARE,
						  .config = EVENT_SW_CGROUP_SWITCHES } };
	struct event wide = { .pmu = spe, .attr = { .type = 9 } };
	cleanup_str struct str missing = { 0 };
	cleanup_str struct str large = { 0 };

	diagnose(&machine, &switches, -ENOENT, 1, &missing);
	assert_string_equal(str_text(&missing),
			    "cgroup-switches needs Linux 5.13, and this kernel is older");
	wide.config3 = 3;
	diagnose(&machine, &wide, -E2BIG, 1, &large);
	assert_string_equal(str_text(&large), "config3 needs Linux 6.3, and this kernel is older");
}

static void a_lack_of_descriptors_is_explained_with_numbers(void **state)
{
	const struct event event = { .attr = { .type = PERF_TYPE_HARDWARE } };
	cleanup_str struct str out = { 0 };
	cleanup_str struct str expected = { 0 };
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	str_addf(&expected,
		 "out of file descriptors: 4711 needed, but the hard limit is %llu; raise it "
		 "(ulimit -Hn)",
		 (unsigned long long)limit.rlim_max);
	diagnose(&machine, &event, -EMFILE, 4711, &out);
	assert_string_equal(str_text(&out), str_text(&expected));
}

/* The reason on a recorded machine, for an event that its kernel does not know. */
static void a_missing_pmu_is_explained_by_the_machine(void **state)
{
	static const struct {
		int line;
		const char *machine;
		__u32 type;
		const char *text;
	} rows[] = {
		{ ROW, "vm-no-pmu", PERF_TYPE_HARDWARE,
		  "this is a virtual machine (QEMU/KVM) without hardware counters; its host has "
		  "to enable a virtual PMU" },
		{ ROW, "vm-no-pmu", PERF_TYPE_SOFTWARE, "this kernel has no such software event" },
		{ ROW, "intel-skylake-server", PERF_TYPE_HARDWARE,
		  "the PMU of this CPU has no such event" },
		{ ROW, "intel-hybrid", PERF_TYPE_HARDWARE,
		  "the PMU of this CPU has no such event" },
		{ ROW, "arm64-server", PERF_TYPE_HARDWARE,
		  "the PMU of this CPU has no such event" },
		{ ROW, "amd-zen4", PERF_TYPE_HARDWARE, "the PMU of this CPU has no such event" },
		{ ROW, "power9", PERF_TYPE_HARDWARE, "the PMU of this CPU has no such event" },
		{ ROW, "s390x", PERF_TYPE_HARDWARE, "the PMU of this CPU has no such event" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct machine m = { .root = tree_of_machine(rows[i].machine) };
		const struct event event = { .attr = { .type = rows[i].type } };
		cleanup_str struct str out = { 0 };

		diagnose(&m, &event, -ENOENT, 1, &out);
		row_string(&rows[i], str_text(&out), rows[i].text);
		tree_remove(m.root);
	}
}

static void an_uncore_event_cannot_follow_a_command(void **state)
{
	static char pmu[] = "uncore_imc_0";
	const struct event event = { .pmu = pmu, .attr = { .type = 20 } };
	const struct machine m = { .root = tree_of_machine("intel-hybrid") };
	cleanup_str struct str out = { 0 };

	diagnose(&m, &event, -EINVAL, 1, &out);
	assert_string_equal(str_text(&out),
			    "PMU uncore_imc_0 counts whole CPUs or packages, not one command");
	tree_remove(m.root);
}

static void a_group_that_is_too_large_or_mixed_is_explained(void **state)
{
	cleanup_str struct str large = { 0 };
	cleanup_str struct str mixed = { 0 };

	diagnose_group(&machine, &(struct diagnose_group){ "cpu", "cpu", 5, 4 }, &large);
	assert_string_equal(
		str_text(&large),
		"the group needs 5 counters at once, but only 4 of its events fit together; make "
		"the group smaller, or append :W to count its events "
		"separately");
	diagnose_group(&machine, &(struct diagnose_group){ "cpu_core", "cpu_atom", 2, 1 }, &mixed);
	assert_string_equal(
		str_text(&mixed),
		"the group mixes PMU cpu_core and PMU cpu_atom, which never count together: make "
		"a group for each PMU");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_refused_permission_names_the_setting_and_the_ways_out),
		cmocka_unit_test(a_permission_is_explained_for_each_target),
		cmocka_unit_test(a_seccomp_filter_is_named_at_any_level),
		cmocka_unit_test(an_event_that_always_needs_a_capability_says_so),
		cmocka_unit_test(a_kernel_without_perfmon_needs_the_older_capability),
		cmocka_unit_test(root_learns_why_its_capabilities_do_not_help),
		cmocka_unit_test(a_reason_says_that_proc_and_sys_are_missing),
		cmocka_unit_test(a_kernel_without_perf_events_is_named),
		cmocka_unit_test(an_event_counted_in_user_mode_only_says_why),
		cmocka_unit_test(each_error_has_its_sentence),
		cmocka_unit_test(a_modifier_and_a_breakpoint_have_their_sentences),
		cmocka_unit_test(a_security_module_is_named_if_there_is_one),
		cmocka_unit_test(a_group_that_one_read_cannot_return_says_so),
		cmocka_unit_test(no_space_means_breakpoints_only_for_a_breakpoint),
		cmocka_unit_test(the_needed_version_of_the_kernel_is_named),
		cmocka_unit_test(a_lack_of_descriptors_is_explained_with_numbers),
		cmocka_unit_test(a_missing_pmu_is_explained_by_the_machine),
		cmocka_unit_test(an_uncore_event_cannot_follow_a_command),
		cmocka_unit_test(a_group_that_is_too_large_or_mixed_is_explained),
	};

	return cmocka_run_group_tests_name("diagnose", tests, set_up, tear_down);
}
