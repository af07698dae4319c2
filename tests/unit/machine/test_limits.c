/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "machine/limits.h"
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
		row_int(&rows[i], machine_paranoid(&m, &level), rows[i].err);
		row_int(&rows[i], level, rows[i].level);
		tree_remove(m.root);
	}
}

static void a_kernel_without_perf_events_has_no_level(void **state)
{
	const struct machine m = { .root = tree_new() };
	int level;

	assert_int_equal(machine_paranoid(&m, &level), -ENOENT);
	tree_remove(m.root);
}

static void the_watchdog_is_on_when_it_says_so(void **state)
{
	const struct machine m = { .root = tree_new() };

	assert_false(machine_nmi_watchdog(&m));
	tree_add(m.root, "proc/sys/kernel/nmi_watchdog", "0\n");
	assert_false(machine_nmi_watchdog(&m));
	tree_add(m.root, "proc/sys/kernel/nmi_watchdog", "1\n");
	assert_true(machine_nmi_watchdog(&m));
	tree_remove(m.root);
}

#define X86_GUEST "flags\t\t: fpu vme hypervisor lahf_lm\n"
#define X86_HOST "flags\t\t: fpu vme lahf_lm\n"

static void a_machine_knows_what_it_runs_in(void **state)
{
	static const struct {
		int line;
		struct {
			const char *path, *text;
		} files[2];
		const char *expected; /* NULL: on nothing but itself */
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
		/* a bare-metal machine of the same maker */
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
		/* arm64 has no flag for it */
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
		got = machine_virtualization(&m);
		row_string(&rows[i], got ? got : "nothing",
			   rows[i].expected ? rows[i].expected : "nothing");
		tree_remove(m.root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_paranoid_level_is_read),
		cmocka_unit_test(a_kernel_without_perf_events_has_no_level),
		cmocka_unit_test(the_watchdog_is_on_when_it_says_so),
		cmocka_unit_test(a_machine_knows_what_it_runs_in),
	};

	return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
