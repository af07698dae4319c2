/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes in a form that is inherited. Here tracefs consists of plain files: they show the lines
 * that were written, and already contain the number of each event. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/probe_events.c" /* for its static functions */
#include "machine/tasks.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

#define TRACING "sys/kernel/tracing/"

enum { STARTED = 123 };

static struct machine machine;
static char program[] = "/bin/sh";

static void add_formatted(const char *text, const char *path, ...)
	__attribute__((format(printf, 2, 3)));

static void add_formatted(const char *text, const char *path, ...)
{
	cleanup_free char *full = NULL;
	va_list args;

	va_start(args, path);
	assert_true(vasprintf(&full, path, args) > 0);
	va_end(args);
	tree_add(machine.root, full, text);
}

/* A process that began at that time. */
static void add_process(pid_t pid, unsigned int started, char state)
{
	cleanup_str struct str stat = { 0 };

	str_addf(&stat, "%d (pstat) %c 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 %u 20\n", pid,
		 state, started);
	add_formatted(str_text(&stat), "proc/%d/stat", pid);
}

static void add_event(const char *group, const char *name, const char *id)
{
	add_formatted(id, TRACING "events/%s/%s/id", group, name);
}

/* The group of a pstat in the PID namespace of this inode number. */
static char *group_of(pid_t pid, int started, uint64_t namespace)
{
	char *group;

	assert_true(asprintf(&group, "pstat_%d_%d_%" PRIu64, pid, started, namespace) > 0);
	return group;
}

static char *own_group(void)
{
	return group_of(getpid(), STARTED, probe_pid_namespace(&machine));
}

static void add_group(pid_t pid, int started, uint64_t namespace)
{
	cleanup_free char *group = group_of(pid, started, namespace);

	add_event(group, "probe0", "1");
}

static int set_up(void **state)
{
	fake_reset();
	machine.root = tree_new();
	tree_add(machine.root, "proc/self/ns/pid", "");
	add_process(getpid(), STARTED, 'S');
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static void add_tracefs(void)
{
	cleanup_free char *group = own_group();

	tree_add(machine.root, TRACING "uprobe_events", "");
	tree_add(machine.root, TRACING "kprobe_events", "");
	add_event("sched", "sched_switch", "1");
	add_event(group, "probe0", "1000");
	add_event(group, "probe1", "1001");
	add_event(group, "probe2", "1002");
}

/* Check the lines that were written to a file of tracefs, with "G" for pstat's own group. */
static void check_written(const char *file, const char *expected)
{
	cleanup_free char *group = own_group();
	cleanup_free char *path = NULL;
	cleanup_free char *text = NULL;
	cleanup_str struct str short_text = { 0 };

	assert_true(asprintf(&path, TRACING "%s", file) > 0);
	text = tree_read(machine.root, path);
	for (const char *at = text; *at; at++) {
		bool is_own = strncmp(at, group, strlen(group)) == 0;
		bool is_fd = strncmp(at, "/fd/", 4) == 0;

		str_add_n(&short_text, is_own ? "G" : at, is_fd ? 4 : 1);
		if (is_own)
			at += strlen(group) - 1;
		if (is_fd)
			at += 3 + strspn(at + 4, "0123456789");
	}
	assert_string_equal(str_text(&short_text), expected);
}

static struct event_list list_of(struct event *events, size_t n)
{
	return (struct event_list){ .events = events, .n = n };
}

static struct event probe_of(char *pmu, char *probed, bool at_return, uint64_t offset)
{
	return (struct event){ .pmu = pmu,
			       .probed = probed,
			       .attr = { .type = 8,
					 .config = at_return,
					 .config1 = (uintptr_t)probed,
					 .config2 = offset } };
}

static char uprobe[] = "uprobe", kprobe[] = "kprobe", software[] = "software";

static void a_probe_is_an_event_in_tracefs_as_long_as_it_is_needed(void **state)
{
	static char function[] = "vfs_read";
	struct event events[] = { probe_of(uprobe, program, false, 0x1234),
				  probe_of(uprobe, program, true, 0x10),
				  probe_of(kprobe, function, true, 0),
				  { .pmu = software } };
	const struct event_list list = list_of(events, N_OF(events));
	struct perf_event_attr attr = events[0].attr;
	struct probe_events p;

	add_tracefs();
	assert_int_equal(probe_events_create(&p, &machine, &list), 0);
	check_written("uprobe_events", "p:G/probe0 /proc/self/fd/:0x1234\n"
				       "r:G/probe1 /proc/self/fd/:0x10\n");
	check_written("kprobe_events", "r:G/probe2 vfs_read+0\n");
	for (size_t i = 0; i < N_OF(events); i++)
		assert_false(probe_events_first_only(&p, &events[i]));
	probe_events_apply(&p, &events[0], &attr);
	assert_int_equal(attr.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(attr.config, 1000);
	assert_int_equal(attr.config1 | attr.config2, 0);
	attr = events[3].attr;
	probe_events_apply(&p, &events[3], &attr);
	assert_memory_equal(&attr, &events[3].attr, sizeof(attr));
	probe_events_remove(&p);
	check_written("uprobe_events", "p:G/probe0 /proc/self/fd/:0x1234\n"
				       "r:G/probe1 /proc/self/fd/:0x10\n"
				       "-:G/probe0\n"
				       "-:G/probe1\n");
	check_written("kprobe_events", "r:G/probe2 vfs_read+0\n"
				       "-:G/probe2\n");
}

/* The kernel then inserts the probe into every process, see open_keeper(). */
static void each_event_is_also_open_on_a_cpu_and_never_enabled(void **state)
{
	struct event event = probe_of(uprobe, program, false, 1);
	const struct event_list list = list_of(&event, 1);
	struct probe_events p;

	add_tracefs();
	assert_int_equal(probe_events_create(&p, &machine, &list), 0);
	assert_int_equal(fake_opens_n, 1);
	assert_int_equal(fake_opens[0].pid, -1);
	assert_true(fake_opens[0].cpu >= 0);
	assert_int_equal(fake_opens[0].attr.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(fake_opens[0].attr.config, 1000);
	assert_int_equal(fake_opens[0].attr.disabled, 1);
	probe_events_remove(&p);
}

static bool is_of_cpu(const struct fake_open *call)
{
	return call->cpu >= 0;
}

static void a_probe_without_its_cpu_event_is_not_inherited(void **state)
{
	struct event event = probe_of(uprobe, program, false, 1);
	const struct event_list list = list_of(&event, 1);
	struct perf_event_attr attr = event.attr;
	struct probe_events p;

	add_tracefs();
	fake_refuse(EACCES, is_of_cpu);
	assert_int_equal(probe_events_create(&p, &machine, &list), 0);
	assert_true(probe_events_first_only(&p, &event));
	assert_string_equal(probe_events_obstacle(&p, &event),
			    "the kernel refuses an event of a whole CPU: Permission denied");
	probe_events_apply(&p, &event, &attr);
	assert_memory_equal(&attr, &event.attr, sizeof(attr));
	probe_events_remove(&p);
	check_written("uprobe_events", "p:G/probe0 /proc/self/fd/:0x1\n-:G/probe0\n");
}

static void only_symbols_are_written_to_kprobe_events(void **state)
{
	static char names[][32] = { "a\np:x/y vfs_read", "a b", "a#", "a:b", "a+1", "a/b" };

	add_tracefs();
	for (size_t i = 0; i < N_OF(names); i++) {
		struct event event = probe_of(kprobe, names[i], false, 0);
		const struct event_list list = list_of(&event, 1);
		struct probe_events p;

		assert_int_equal(probe_events_create(&p, &machine, &list), 0);
		assert_true(probe_events_first_only(&p, &event));
		assert_string_equal(probe_events_obstacle(&p, &event),
				    "the kernel refuses an event in tracefs: Invalid argument");
		probe_events_remove(&p);
	}
	check_written("kprobe_events", "");
}

static void without_tracefs_a_kprobe_has_its_address(void **state)
{
	static char known[] = "vfs_read", hidden[] = "hidden", twice[] = "twice";
	struct event events[] = { probe_of(kprobe, known, false, 4),
				  probe_of(uprobe, program, false, 4),
				  probe_of(kprobe, hidden, false, 0),
				  probe_of(kprobe, twice, true, 0) };
	const struct event_list list = list_of(events, N_OF(events));
	struct perf_event_attr attr = events[0].attr;
	struct probe_events p;

	tree_add(machine.root, "proc/kallsyms",
		 "0000000000001000 T vfs_read\n"
		 "0000000000000000 T hidden\n"
		 "0000000000002000 t twice\n"
		 "0000000000003000 t twice\n");
	assert_int_equal(probe_events_create(&p, &machine, &list), 0);
#if defined(__powerpc64__)
	assert_true(probe_events_first_only(&p, &events[0]));
#else
	assert_false(probe_events_first_only(&p, &events[0]));
	probe_events_apply(&p, &events[0], &attr);
	assert_int_equal(attr.type, 8);
	assert_int_equal(attr.config1, 0);
	assert_int_equal(attr.config2, 0x1004);
#endif
	for (size_t i = 1; i < N_OF(events); i++) {
		assert_true(probe_events_first_only(&p, &events[i]));
		assert_string_equal(probe_events_obstacle(&p, &events[i]),
				    "tracefs is not mounted: mount -t tracefs nodev "
				    "/sys/kernel/tracing");
	}
	probe_events_remove(&p);
}

static void the_events_of_a_pstat_that_has_ended_are_removed(void **state)
{
	struct event event = probe_of(uprobe, program, false, 1);
	const struct event_list list = list_of(&event, 1);
	struct probe_events p;

	const uint64_t namespace = probe_pid_namespace(&machine);
	cleanup_str struct str expected = { 0 };

	assert_true(namespace > 0);
	add_tracefs();
	add_process(777, 50, 'S');
	add_process(778, 50, 'Z');
	add_group(777, 50, namespace); /* still there */
	add_group(776, 50, namespace); /* ended */
	add_group(777, 49, namespace); /* another process has its PID */
	add_group(778, 50, namespace); /* a zombie */
	add_group(776, 50, namespace + 1); /* in another PID namespace */
	add_event("pstat_776_50", "probe0", "4"); /* not pstat's */
	add_event("pstat_776", "probe0", "5");
	add_event("pstat_mine", "probe0", "6");
	assert_int_equal(probe_events_create(&p, &machine, &list), 0);
	probe_events_remove(&p);
	str_addf(&expected,
		 "-:pstat_776_50_%" PRIu64 "/probe0\n"
		 "-:pstat_777_49_%" PRIu64 "/probe0\n"
		 "-:pstat_778_50_%" PRIu64 "/probe0\n",
		 namespace, namespace, namespace);
	check_written("kprobe_events", str_text(&expected));
}

static void without_a_probe_nothing_is_done(void **state)
{
	struct event event = { .pmu = software };
	const struct event_list list = list_of(&event, 1);
	struct probe_events p;

	add_tracefs();
	add_group(776, 50, probe_pid_namespace(&machine));
	assert_int_equal(probe_events_create(&p, &machine, &list), 0);
	assert_false(probe_events_first_only(&p, &event));
	probe_events_remove(&p);
	check_written("uprobe_events", "");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_probe_is_an_event_in_tracefs_as_long_as_it_is_needed),
		TEST(each_event_is_also_open_on_a_cpu_and_never_enabled),
		TEST(a_probe_without_its_cpu_event_is_not_inherited),
		TEST(only_symbols_are_written_to_kprobe_events),
		TEST(without_tracefs_a_kprobe_has_its_address),
		TEST(the_events_of_a_pstat_that_has_ended_are_removed),
		TEST(without_a_probe_nothing_is_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
