/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints and kernel functions in folders that the test creates. tracefs need not be mounted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/probe_events.c" /* for its static functions */
#include "machine/tracing.h"
#include "unit/test.h"
#include "unit/tree.h"

static struct machine machine;

static int start(void **state)
{
	machine.root = tree_new();
	tree_add(machine.root, "sys/kernel/notes", "");
	return 0;
}

static int finish(void **state)
{
	tree_remove(machine.root);
	return 0;
}

/* Create a tracepoint below events. */
static void add(const char *events, const char *name, const char *id)
{
	cleanup_free char *path = NULL;

	assert_true(asprintf(&path, "%s/%s/id", events, name) > 0);
	tree_add(machine.root, path, id);
}

static void check_found(const char *expected)
{
	cleanup_why struct why why = { 0 };
	cleanup_free char *events = NULL;
	int err = tracing_events(&machine, &events, &why);

	if (err < 0)
		fail_msg("%s", why_text(&why, err));
	assert_string_equal(events, expected);
}

static void tracefs_is_found_in_its_usual_places(void **state)
{
	add("sys/kernel/debug/tracing/events", "sched/sched_switch", "1\n");
	check_found("/sys/kernel/debug/tracing/events");
	add("sys/kernel/tracing/events", "sched/sched_switch", "1\n");
	check_found("/sys/kernel/tracing/events");
}

static void tracefs_is_found_at_its_mount_point(void **state)
{
	add("mnt/other/events", "a/b", "1\n");
	add("mnt/debug/tracing/events", "a/b", "1\n");
	tree_add(machine.root, "proc/self/mounts",
		 "/dev/sda1 / ext4 rw 0 0\n"
		 "nodev /mnt/gone tracefs rw,relatime 0 0\n"
		 "nodev /mnt/other proc rw 0 0\n"
		 "nodev /mnt/debug debugfs rw,relatime 0 0\n");
	check_found("/mnt/debug/tracing/events");
	tree_add(machine.root, "proc/self/mounts",
		 "broken\n"
		 "nodev /mnt/other tracefs rw,relatime 0 0\n"
		 "nodev /mnt/debug debugfs rw,relatime 0 0\n");
	check_found("/mnt/other/events");
}

static void without_tracefs_the_message_has_a_remedy(void **state)
{
	static const char *const mounts[] = { NULL, "", "/dev/sda1 / ext4 rw 0 0\n" };

	for (size_t i = 0; i < N_OF(mounts); i++) {
		cleanup_why struct why why = { 0 };
		char *events = NULL;

		if (mounts[i])
			tree_add(machine.root, "proc/self/mounts", mounts[i]);
		assert_int_equal(tracing_events(&machine, &events, &why), -ENOENT);
		assert_null(events);
		assert_string_equal(
			why_text(&why, -ENOENT),
			"tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing");
	}
}

#define EVENTS "/sys/kernel/tracing/events"

static void add_tracepoints(void)
{
	static const struct {
		const char *name, *id;
	} tracepoints[] = {
		{ "sched/sched_switch", "316\n" },	{ "sched/sched_wakeup", "318\n" },
		{ "syscalls/sys_enter_read", "700\n" }, { "syscalls/sys_exit_read", "699\n" },
		{ "irq/softirq_entry", "150\n" },	{ "odd/word", "many\n" },
	};

	for (size_t i = 0; i < N_OF(tracepoints); i++)
		add("sys/kernel/tracing/events", tracepoints[i].name, tracepoints[i].id);
	/* other files next to them */
	tree_add(machine.root, "sys/kernel/tracing/events/enable", "0\n");
	tree_add(machine.root, "sys/kernel/tracing/events/header_page", "\n");
	tree_add(machine.root, "sys/kernel/tracing/events/sched/enable", "0\n");
	tree_add(machine.root, "sys/kernel/tracing/events/sched/filter", "none\n");
	tree_add(machine.root, "sys/kernel/tracing/events/ftrace/function/format", "\n");
}

static void a_tracepoint_has_the_number_of_its_id_file(void **state)
{
	static const struct {
		int line;
		const char *system, *name;
		int err;
		uint64_t id;
	} rows[] = {
		{ ROW, "sched", "sched_switch", 0, 316 },
		{ ROW, "syscalls", "sys_exit_read", 0, 699 },
		{ ROW, "sched", "sys_exit_read", -ENOENT, 0 },
		{ ROW, "nosuch", "sched_switch", -ENOENT, 0 },
		{ ROW, "enable", "sched_switch", -ENOENT, 0 }, /* a file */
		{ ROW, "ftrace", "function", -ENOENT, 0 }, /* has no id */
		{ ROW, "odd", "word", -EINVAL, 0 },
	};

	add_tracepoints();
	for (size_t i = 0; i < N_OF(rows); i++) {
		uint64_t id = 0;

		row_int(&rows[i], tracing_id(&machine, EVENTS, rows[i].system, rows[i].name, &id),
			rows[i].err);
		row_int(&rows[i], id, rows[i].id);
	}
}

static void patterns_match_both_parts(void **state)
{
	static const struct {
		int line;
		const char *system, *name, *found;
	} rows[] = {
		{ ROW, "sched", "sched_switch", "sched:sched_switch" },
		{ ROW, "sched", "*", "sched:sched_switch sched:sched_wakeup" },
		{ ROW, "s*", "*_read", "syscalls:sys_enter_read syscalls:sys_exit_read" },
		{ ROW, "*", "*",
		  "irq:softirq_entry odd:word sched:sched_switch sched:sched_wakeup "
		  "syscalls:sys_enter_read syscalls:sys_exit_read" },
		{ ROW, "irq", "softirq_entr?", "irq:softirq_entry" },
		{ ROW, "[hi]rq", "softirq_[de]*", "irq:softirq_entry" },
		{ ROW, "sched", "switch", "" },
		{ ROW, "nosuch", "*", "" },
		{ ROW, "Sched", "*", "" },
	};

	add_tracepoints();
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str_list struct str_list list = { 0 };
		cleanup_str struct str found = { 0 };

		row_int(&rows[i],
			tracing_match(&machine, EVENTS, rows[i].system, rows[i].name, &list), 0);
		for (size_t j = 0; j < list.n; j++)
			str_addf(&found, "%s%s", j ? " " : "", list.v[j]);
		row_string(&rows[i], str_text(&found), rows[i].found);
	}
}

static void a_line_is_appended_to_a_control_file(void **state)
{
	cleanup_free char *text = NULL;
	cleanup_fd int fd = -1;

	tree_add(machine.root, "mnt/uprobe_events", "p:theirs /bin/sh:0x1\n");
	fd = probe_open_control_file(&machine, "/mnt/events", "uprobe_events");
	assert_int_equal(probe_append_line(fd, "-:ours\n"), 0);
	text = tree_read(machine.root, "mnt/uprobe_events");
	assert_string_equal(text, "p:theirs /bin/sh:0x1\n-:ours\n");
	assert_int_equal(probe_open_control_file(&machine, "/mnt/events", "kprobe_events"),
			 -ENOENT);
}

static void each_function_has_its_address(void **state)
{
	static const struct {
		int line;
		const char *name;
		size_t found;
		uint64_t address;
	} cases[] = {
		{ ROW, "vfs_read", 1, 0xffffffff81234560 },
		{ ROW, "local", 1, 0xffff800000000010 },
		{ ROW, "weak", 1, 0x20 },
		{ ROW, "in_module", 1, 0xffffffffc0200000 },
		{ ROW, "twice", 2, 0x40 },
		{ ROW, "hidden", 1, 0 },
		{ ROW, "variable", 0, 0 }, /* not a function */
		{ ROW, "vfs", 0, 0 },
		{ ROW, "broken", 0, 0 },
		{ ROW, "", 0, 0 },
	};
	struct kernel_function functions[N_OF(cases)] = { 0 };

	tree_add(machine.root, "proc/kallsyms",
		 "ffffffff81234560 T vfs_read\n"
		 "ffff800000000010 t local\n"
		 "0000000000000020 W weak\n"
		 "ffffffffc0200000 t in_module\t[module]\n"
		 "0000000000000030 t twice\n"
		 "0000000000000040 t twice\n"
		 "0000000000000000 T hidden\n"
		 "0000000000000050 D variable\n"
		 "broken\n"
		 "0000000000000060");
	for (size_t i = 0; i < N_OF(cases); i++)
		functions[i].name = cases[i].name;
	assert_int_equal(probe_find_kernel_functions(&machine, functions, N_OF(cases)), 0);
	for (size_t i = 0; i < N_OF(cases); i++) {
		row_int(&cases[i], functions[i].found, cases[i].found);
		row_true(&cases[i], functions[i].address == cases[i].address);
	}
}

static void a_machine_without_the_file_is_an_error(void **state)
{
	struct kernel_function function = { .name = "vfs_read" };

	assert_int_equal(probe_find_kernel_functions(&machine, &function, 1), -ENOENT);
	assert_int_equal(function.found, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(tracefs_is_found_in_its_usual_places, start,
						finish),
		cmocka_unit_test_setup_teardown(tracefs_is_found_at_its_mount_point, start, finish),
		cmocka_unit_test_setup_teardown(without_tracefs_the_message_has_a_remedy, start,
						finish),
		cmocka_unit_test_setup_teardown(a_tracepoint_has_the_number_of_its_id_file, start,
						finish),
		cmocka_unit_test_setup_teardown(a_line_is_appended_to_a_control_file, start,
						finish),
		cmocka_unit_test_setup_teardown(patterns_match_both_parts, start, finish),
		cmocka_unit_test_setup_teardown(each_function_has_its_address, start, finish),
		cmocka_unit_test_setup_teardown(a_machine_without_the_file_is_an_error, start,
						finish),
	};

	return cmocka_run_group_tests_name("tracing", tests, NULL, NULL);
}
