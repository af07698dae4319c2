/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/diagnose.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { NOBODY = 65534 };

static struct machine machine;

static int set_up(void **state)
{
	machine.root = tree_new();
	tree_add(machine.root, "proc/sys/kernel/nmi_watchdog", "0\n");
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

/* Of a command's events that need so many descriptors. */
static void diagnose(const struct machine *m, const struct event *event, int error,
		     size_t descriptors, struct str *out)
{
	const struct diagnose_context context = { m, TARGET_COMMAND, descriptors };

	diagnose_open(&context, event, &event->attr, error, out);
}

/* As a plain user is told: root's permission is not what fails. */
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

#define WAYS "give pstat CAP_PERFMON (setcap cap_perfmon+ep on its file)"

static void a_refused_permission_names_the_setting_and_the_ways_out(void **state)
{
	static const struct {
		int line;
		int level;
		__u32 type;
		__u64 config;
		const char *text;
	} rows[] = {
		{ ROW, 2, PERF_TYPE_HARDWARE, 0,
		  "kernel.perf_event_paranoid is 2, which forbids counting the kernel without "
		  "CAP_PERFMON: " WAYS ", lower the setting (sysctl kernel.perf_event_paranoid=1) "
		  "or count user mode only (:u)" },
		{ ROW, 2, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,
		  "kernel.perf_event_paranoid is 2, which forbids counting the kernel without "
		  "CAP_PERFMON: this event happens in the kernel alone; " WAYS
		  " or lower the setting (sysctl kernel.perf_event_paranoid=1)" },
		{ ROW, 3, PERF_TYPE_HARDWARE, 0,
		  "kernel.perf_event_paranoid is 3, which forbids all counting without "
		  "CAP_PERFMON: " WAYS ", lower the setting (sysctl kernel.perf_event_paranoid=2, "
		  "and count user mode with :u; 1 for the kernel too)" },
		{ ROW, 0, PERF_TYPE_HARDWARE, 0,
		  "forbidden, though kernel.perf_event_paranoid is 0: a seccomp filter (of a "
		  "container) or a security module stands in the way; allow perf_event_open "
		  "there" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct event event = { .attr = { .type = rows[i].type,
						       .config = rows[i].config } };
		cleanup_str struct str out = { 0 };

		set_paranoid(rows[i].level);
		diagnose_for_user(TARGET_COMMAND, &event, -EACCES, &out);
		row_string(&rows[i], str_text(&out), rows[i].text);
	}
}

#define NOT_YOURS                                                                                  \
	"the process is not yours to look into (another user's, set-uid, or not dumpable): be "    \
	"its user or root, or give pstat CAP_PERFMON and CAP_SYS_PTRACE"

#define WHOLE_CPUS(level)                                                                          \
	"kernel.perf_event_paranoid is " level ", which forbids counting whole CPUs without "      \
	"CAP_PERFMON: " WAYS " or lower the setting (sysctl kernel.perf_event_paranoid=0)"

/* User mode alone would not help with whole CPUs, nor with the processes of others. */
static void a_permission_is_explained_by_whom_one_counts(void **state)
{
	static const struct {
		int line;
		enum target_kind kind;
		int level;
		__u32 type;
		const char *begin;
	} rows[] = {
		{ ROW, TARGET_CPUS, 1, PERF_TYPE_HARDWARE, WHOLE_CPUS("1") },
		{ ROW, TARGET_CPUS, 2, PERF_TYPE_HARDWARE, WHOLE_CPUS("2") },
		{ ROW, TARGET_CPUS, 2, PERF_TYPE_SOFTWARE, WHOLE_CPUS("2") },
		{ ROW, TARGET_CPUS, 3, PERF_TYPE_HARDWARE, WHOLE_CPUS("3") },
		{ ROW, TARGET_CPUS, 0, PERF_TYPE_HARDWARE,
		  "forbidden, though kernel.perf_event_paranoid is 0: " },
		{ ROW, TARGET_TASKS, 0, PERF_TYPE_HARDWARE, NOT_YOURS },
		{ ROW, TARGET_TASKS, 2, PERF_TYPE_HARDWARE, NOT_YOURS },
		{ ROW, TARGET_TASKS, 1, PERF_TYPE_SOFTWARE, NOT_YOURS },
		/* the setting comes first where it alone forbids it */
		{ ROW, TARGET_TASKS, 2, PERF_TYPE_SOFTWARE,
		  "kernel.perf_event_paranoid is 2, which forbids counting the kernel" },
		{ ROW, TARGET_TASKS, 3, PERF_TYPE_HARDWARE,
		  "kernel.perf_event_paranoid is 3, which forbids all counting" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct event event = { .attr = { .type = rows[i].type } };
		cleanup_str struct str out = { 0 };

		if (event.attr.type == PERF_TYPE_SOFTWARE)
			event.attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
		set_paranoid(rows[i].level);
		diagnose_for_user(rows[i].kind, &event, -EACCES, &out);
		if (strncmp(str_text(&out), rows[i].begin, strlen(rows[i].begin)) != 0)
			row_string(&rows[i], str_text(&out), rows[i].begin);
	}
}

static void what_was_never_enabled_says_why(void **state)
{
	static char cgroup[] = "a/b";
	static const struct {
		int line;
		enum target_kind kind;
		char *cgroup;
		bool switched;
		const char *text;
	} rows[] = {
		{ ROW, TARGET_COMMAND, NULL, false,
		  "it was never enabled: the command ended before it began" },
		{ ROW, TARGET_CPUS, NULL, true,
		  "it was never switched on while the target ran (-D, --control)" },
		{ ROW, TARGET_CPUS, cgroup, false,
		  "the kernel never enabled it: nothing of cgroup a/b ran on these CPUs" },
		{ ROW, TARGET_CPUS, cgroup, true,
		  "it was never switched on while the target ran (-D, --control)" },
		{ ROW, TARGET_TASKS, NULL, false, "none of the tasks ran meanwhile" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct event event = { .cgroup = rows[i].cgroup };
		cleanup_str struct str out = { 0 };

		diagnose_never_enabled(rows[i].kind, &event, rows[i].switched, &out);
		row_string(&rows[i], str_text(&out), rows[i].text);
	}
}

static void roots_permission_is_not_what_fails(void **state)
{
	const struct event event = { .attr = { .type = PERF_TYPE_HARDWARE } };
	cleanup_str struct str out = { 0 };

	if (geteuid() != 0)
		skip();
	set_paranoid(2);
	diagnose(&machine, &event, -EPERM, 1, &out);
	assert_string_equal(
		str_text(&out),
		"forbidden even to this root, and kernel.perf_event_paranoid is 2: the root of a "
		"user namespace (of a container) is not the machine's; or a seccomp filter or a "
		"security module stands in the way");
}

static void each_error_has_its_sentence(void **state)
{
	static const struct {
		int line;
		int error;
		const char *part;
	} rows[] = {
		{ ROW, -ENOENT, "this machine shows no hardware PMU" },
		{ ROW, -ENODEV, "this machine shows no hardware PMU" },
		{ ROW, -ENXIO, "this machine shows no hardware PMU" },
		{ ROW, -EINVAL, "the kernel refuses it as invalid" },
		{ ROW, -EOPNOTSUPP, "the PMU cannot count this" },
		{ ROW, -ENFILE, "the whole system is out of file descriptors" },
		{ ROW, -EBUSY, "somebody else holds the PMU" },
		{ ROW, -ENOSPC, "hardware breakpoints" },
		{ ROW, -ENOSYS, "CONFIG_PERF_EVENTS" },
		{ ROW, -E2BIG, "too old" },
		{ ROW, -EIO, "the kernel says: Input/output error" },
	};
	static char pmu[] = "hardware";
	const struct event event = { .pmu = pmu, .attr = { .type = PERF_TYPE_HARDWARE } };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		diagnose(&machine, &event, rows[i].error, 1, &out);
		if (!strstr(str_text(&out), rows[i].part))
			row_string(&rows[i], str_text(&out), rows[i].part);
	}
}

static void descriptors_that_run_out_are_told_in_numbers(void **state)
{
	const struct event event = { .attr = { .type = PERF_TYPE_HARDWARE } };
	cleanup_str struct str out = { 0 };
	cleanup_str struct str expected = { 0 };
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	str_addf(&expected,
		 "out of file descriptors: these events need 4711, and the hard limit is %llu in "
		 "all (ulimit -Hn, LimitNOFILE=); raise it or count fewer events",
		 (unsigned long long)limit.rlim_max);
	diagnose(&machine, &event, -EMFILE, 4711, &out);
	assert_string_equal(str_text(&out), str_text(&expected));
}

/* What a recorded machine is told about an event that its kernel does not know. */
static void a_missing_pmu_is_explained_by_the_machine(void **state)
{
	static const struct {
		int line;
		const char *machine;
		__u32 type;
		const char *text;
	} rows[] = {
		{ ROW, "vm-no-pmu", PERF_TYPE_HARDWARE,
		  "this is a virtual machine (QEMU/KVM) without a hardware PMU: its host has to "
		  "pass one on" },
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
	assert_string_equal(str_text(&out), "PMU uncore_imc_0 counts whole CPUs or packages, never "
					    "one command");
	tree_remove(m.root);
}

static void a_group_that_is_too_large_or_mixed_is_told(void **state)
{
	cleanup_str struct str large = { 0 };
	cleanup_str struct str mixed = { 0 };

	diagnose_group(&machine, "cpu", "cpu", 5, 4, &large);
	assert_string_equal(
		str_text(&large),
		"the group needs 5 counters at once, and the PMU took no more than 4 of "
		"these events together; make the group smaller, or put :W behind it to "
		"count its events apart");
	diagnose_group(&machine, "cpu_core", "cpu_atom", 2, 1, &mixed);
	assert_string_equal(str_text(&mixed),
			    "the group mixes events of PMU cpu_core and PMU cpu_atom, which are "
			    "never scheduled together; make a group for each");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_refused_permission_names_the_setting_and_the_ways_out),
		cmocka_unit_test(a_permission_is_explained_by_whom_one_counts),
		cmocka_unit_test(what_was_never_enabled_says_why),
		cmocka_unit_test(roots_permission_is_not_what_fails),
		cmocka_unit_test(each_error_has_its_sentence),
		cmocka_unit_test(descriptors_that_run_out_are_told_in_numbers),
		cmocka_unit_test(a_missing_pmu_is_explained_by_the_machine),
		cmocka_unit_test(an_uncore_event_cannot_follow_a_command),
		cmocka_unit_test(a_group_that_is_too_large_or_mixed_is_told),
	};

	return cmocka_run_group_tests_name("diagnose", tests, set_up, tear_down);
}
