/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "machine/host.h"
#include "unit/test.h"
#include "unit/tree.h"

static void the_paranoid_level_is_read(void **state)
{
	static const struct {
		int line;
		const char *text;
		int err, level;
	} rows[] = {
		{ ROW, "-1\n", 0, -1 },
		{ ROW, "0\n", 0, 0 },
		{ ROW, "4\n", 0, 4 },
		{ ROW, "", -EINVAL, 7 },
		{ ROW, "2x\n", -EINVAL, 7 },
		{ ROW, "x\n", -EINVAL, 7 },
		{ ROW, "4294967296\n", -EINVAL, 7 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct machine m = { .root = tree_new() };
		int level = 7;

		tree_add(m.root, "proc/sys/kernel/perf_event_paranoid", rows[i].text);
		row_int(&rows[i], host_paranoid(&m, &level), rows[i].err);
		row_int(&rows[i], level, rows[i].level);
		tree_remove(m.root);
	}
}

static void a_kernel_without_perf_events_has_no_level(void **state)
{
	const struct machine m = { .root = tree_new() };
	int level;

	assert_int_equal(host_paranoid(&m, &level), -ENOENT);
	tree_remove(m.root);
}

static void the_watchdog_setting_is_read(void **state)
{
	const struct machine m = { .root = tree_new() };

	assert_false(host_nmi_watchdog(&m));
	tree_add(m.root, "proc/sys/kernel/nmi_watchdog", "0\n");
	assert_false(host_nmi_watchdog(&m));
	tree_add(m.root, "proc/sys/kernel/nmi_watchdog", "1\n");
	assert_false(host_nmi_watchdog(&m)); /* the PMU of another architecture */
	tree_add(m.root, "sys/bus/event_source/devices/cpu/type", "4\n");
	assert_true(host_nmi_watchdog(&m));
	tree_remove(m.root);
}

#define X86_GUEST "flags\t\t: fpu vme hypervisor lahf_lm\n"
#define X86_HOST "flags\t\t: fpu vme lahf_lm\n"

static void virtual_machines_and_containers_are_recognised(void **state)
{
	static const struct {
		int line;
		struct {
			const char *path, *text;
		} files[2];
		const char *expected; /* NULL: neither virtual nor a container */
	} rows[] = {
		{ ROW, { { "proc/cpuinfo", X86_HOST } }, NULL },
		{ ROW, { { "proc/cpuinfo", X86_GUEST } }, "a virtual machine" },
		{ ROW,
		  { { "proc/cpuinfo", X86_GUEST }, { "sys/class/dmi/id/sys_vendor", "QEMU\n" } },
		  "a virtual machine (QEMU/KVM)" },
		{ ROW,
		  { { "proc/cpuinfo", X86_GUEST },
		    { "sys/class/dmi/id/sys_vendor", "Amazon EC2\n" } },
		  "a virtual machine (Amazon EC2)" },
		/* a bare-metal machine of the same manufacturer */
		{ ROW,
		  { { "proc/cpuinfo", X86_HOST },
		    { "sys/class/dmi/id/sys_vendor", "Amazon EC2\n" } },
		  NULL },
		{ ROW,
		  { { "proc/cpuinfo", X86_GUEST },
		    { "sys/class/dmi/id/sys_vendor", "Microsoft Corporation\n" } },
		  "a virtual machine (Hyper-V)" },
		{ ROW,
		  { { "proc/cpuinfo", X86_HOST },
		    { "sys/class/dmi/id/sys_vendor", "Microsoft Corporation\n" } },
		  NULL }, /* a laptop */
		{ ROW,
		  { { "proc/cpuinfo", X86_HOST },
		    { "sys/class/dmi/id/sys_vendor", "Dell Inc.\n" } },
		  NULL },
		/* arm64 has no such flag */
		{ ROW,
		  { { "proc/device-tree/compatible", "linux,dummy-virt" } },
		  "a virtual machine (QEMU/KVM)" },
		{ ROW, { { "sys/hypervisor/type", "xen\n" } }, "a virtual machine" },
		{ ROW, { { ".dockerenv", "" } }, "a container" },
		{ ROW, { { "run/.containerenv", "" } }, "a container" },
		{ ROW,
		  { { ".dockerenv", "" }, { "proc/cpuinfo", X86_GUEST } },
		  "a virtual machine" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct machine m = { .root = tree_new() };
		const char *got;

		for (size_t j = 0; j < 2 && rows[i].files[j].path; j++)
			tree_add(m.root, rows[i].files[j].path, rows[i].files[j].text);
		got = host_virtualization(&m);
		row_string(&rows[i], got ? got : "nothing",
			   rows[i].expected ? rows[i].expected : "nothing");
		tree_remove(m.root);
	}
}

#define CPU "sys/devices/system/cpu/"

static void the_cpu_model_of_each_recorded_machine_is_found(void **state)
{
	static const struct {
		int line;
		const char *machine, *model;
	} rows[] = {
		{ ROW, "amd-zen4", "AMD EPYC 8024P 8-Core Processor" },
		{ ROW, "intel-hybrid", "12th Gen Intel(R) Core(TM) i3-1215U" },
		{ ROW, "arm64-server", "implementer 0x41 part 0xd0c" },
		{ ROW, "power9", "POWER9, altivec supported" },
		{ ROW, "s390x", "IBM/S390 machine 3931" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct machine m = { .root = tree_of_machine(rows[i].machine) };
		cleanup_free char *model = NULL;

		row_int(&rows[i], host_cpu_model(&m, &model), 0);
		row_string(&rows[i], model, rows[i].model);
		tree_remove(m.root);
	}
}

static void unusual_cpuinfo_gives_a_model_or_none(void **state)
{
	static const struct {
		int line;
		const char *text, *model; /* NULL: none */
	} rows[] = {
		{ ROW, "processor: 0\nmodel name:  A  B \t\n", "A  B" },
		{ ROW, "model name\t: first\n\nmodel name\t: second\n", "first" },
		{ ROW, "model name\t:\nmodel name\t: second\n", "second" },
		{ ROW, "processor\t: 0\nuarch\t\t: sifive,u74-mc\n", "sifive,u74-mc" },
		{ ROW, "system type : x\ncpu model\t\t: MIPS 24Kc V7.4\n", "MIPS 24Kc V7.4" },
		/* big and little cores: each kind is listed once */
		{ ROW,
		  "CPU implementer\t: 0x41\nCPU part\t: 0xd05\n\n"
		  "CPU implementer\t: 0x41\nCPU part\t: 0xd05\n\n"
		  "CPU implementer\t: 0x61\nCPU part\t: 0xd0a\n",
		  "implementer 0x41 part 0xd05, implementer 0x61 part 0xd0a" },
		{ ROW, "CPU part\t: 0xd05\n", NULL },
		{ ROW, "CPU implementer\t: 0x41\n", NULL },
		{ ROW, "cpu MHz\t: 1\ncpu family : 6\nmodel\t: 3\n", NULL },
		{ ROW, "model name", NULL },
		{ ROW, "processor 0: machine = 1\n", NULL },
		{ ROW, "", NULL },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct machine m = { .root = tree_new() };
		cleanup_free char *model = NULL;

		tree_add(m.root, "proc/cpuinfo", rows[i].text);
		row_int(&rows[i], host_cpu_model(&m, &model), rows[i].model ? 0 : -ENOENT);
		if (rows[i].model)
			row_string(&rows[i], model, rows[i].model);
		tree_remove(m.root);
	}
}

static void each_governor_is_listed_once(void **state)
{
	const struct machine m = { .root = tree_new() };
	cleanup_str_list struct str_list list = { 0 };

	assert_int_equal(host_cpu_governors(&m, &list), 0);
	assert_int_equal(list.n, 0);
	tree_add(m.root, CPU "cpufreq/boost", "1\n");
	tree_add(m.root, CPU "cpufreq/policy0/scaling_governor", "schedutil\n");
	tree_add(m.root, CPU "cpufreq/policy4/scaling_governor", "performance\n");
	tree_add(m.root, CPU "cpufreq/policy8/scaling_governor", "schedutil\n");
	assert_int_equal(host_cpu_governors(&m, &list), 0);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.v[0], "schedutil");
	assert_string_equal(list.v[1], "performance");
	tree_remove(m.root);
}

static void turbo_is_read_from_the_driver(void **state)
{
	static const struct {
		int line;
		const char *no_turbo, *boost; /* NULL: no such file */
		int err;
		bool on;
	} rows[] = {
		{ ROW, NULL, NULL, -ENOENT, false }, { ROW, "0\n", NULL, 0, true },
		{ ROW, "1\n", NULL, 0, false },	     { ROW, NULL, "1\n", 0, true },
		{ ROW, NULL, "0\n", 0, false },	     { ROW, "1\n", "1\n", 0, false },
		{ ROW, "x\n", "1\n", 0, true },	     { ROW, NULL, "?\n", -ENOENT, false },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct machine m = { .root = tree_new() };
		bool on = false;

		if (rows[i].no_turbo)
			tree_add(m.root, CPU "intel_pstate/no_turbo", rows[i].no_turbo);
		if (rows[i].boost)
			tree_add(m.root, CPU "cpufreq/boost", rows[i].boost);
		row_int(&rows[i], host_cpu_turbo(&m, &on), rows[i].err);
		row_int(&rows[i], on, rows[i].on);
		tree_remove(m.root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_paranoid_level_is_read),
		cmocka_unit_test(a_kernel_without_perf_events_has_no_level),
		cmocka_unit_test(the_watchdog_setting_is_read),
		cmocka_unit_test(virtual_machines_and_containers_are_recognised),
		cmocka_unit_test(the_cpu_model_of_each_recorded_machine_is_found),
		cmocka_unit_test(unusual_cpuinfo_gives_a_model_or_none),
		cmocka_unit_test(each_governor_is_listed_once),
		cmocka_unit_test(turbo_is_read_from_the_driver),
	};

	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
