/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scopes and places of a target. The tests make the trees of /sys and /proc. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/target.h"
#include "unit/test.h"
#include "unit/tree.h"

static struct machine machine;
static struct target target;

static int start(void **state)
{
	machine.root = tree_new();
	tree_add(machine.root, "proc/self/comm", "");
	target = (struct target){ 0 };
	return 0;
}

static int finish(void **state)
{
	target_release(&target);
	tree_remove(machine.root);
	return 0;
}

static void add(const char *text, const char *path, ...) __attribute__((format(printf, 2, 3)));
static void add(const char *text, const char *path, ...)
{
	cleanup_str struct str full = { 0 };
	va_list args;

	va_start(args, path);
	str_vaddf(&full, path, args);
	va_end(args);
	tree_add(machine.root, str_text(&full), text);
}

static void add_number(int number, int cpu, const char *name)
{
	char text[16];

	snprintf(text, sizeof(text), "%d\n", number);
	add(text, "sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
}

static void set_cpus(const char *online, const char *present)
{
	add(online, "sys/devices/system/cpu/online");
	add(present, "sys/devices/system/cpu/present");
}

/* Two sockets of four CPUs, every other one; core c of a socket has the CPUs 2c and 2c + 4 of
 * it. */
static void make_eight(const char *online)
{
	for (int cpu = 0; cpu < 8; cpu++) {
		add_number(cpu % 2, cpu, "physical_package_id");
		add_number(0, cpu, "die_id");
		add_number(cpu % 4 / 2, cpu, "core_id");
		add_number(cpu % 2 * 64, cpu, "cluster_id");
		add("3\n", "sys/devices/system/cpu/cpu%d/cache/index0/level", cpu);
		add("Unified\n", "sys/devices/system/cpu/cpu%d/cache/index0/type", cpu);
		add(cpu % 2 ? "1,3,5,7\n" : "0,2,4,6\n",
		    "sys/devices/system/cpu/cpu%d/cache/index0/shared_cpu_list", cpu);
	}
	add("0-1\n", "sys/devices/system/node/online");
	add("0,2,4,6\n", "sys/devices/system/node/node0/cpulist");
	add("1,3,5,7\n", "sys/devices/system/node/node1/cpulist");
	set_cpus(online, "0-7\n");
}

static void add_thread(pid_t pid, pid_t tid, const char *comm, unsigned int started)
{
	cleanup_str struct str stat = { 0 };

	str_addf(&stat, "%d (%s) S 1 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 %u 9\n", tid, comm,
		 started);
	add(comm, "proc/%d/task/%d/comm", pid, tid);
	add(comm, "proc/%d/comm", tid);
	add(str_text(&stat), "proc/%d/stat", tid);
}

static void init(const struct target_request *request)
{
	cleanup_why struct why why = { 0 };
	int err = target_init(&target, &machine, request, &why);

	if (err < 0)
		fail_msg("%s", why_text(&why, err));
}

/* Each place: its label, and its tasks or CPUs; "-": the place is free. */
static void check(int line, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_str struct str places = { 0 };

	for (size_t place = 0; place < target.places_n; place++) {
		const char *between = "=";

		row_int(&row, target.places[place].kind, target.split);
		str_addf(&places, "%s%s", place ? " " : "",
			 target.places[place].label ? target.places[place].label : "-");
		for (size_t i = 0; i < target.scopes_n; i++) {
			const struct scope *scope = &target.scopes[i];

			if (scope->place_index != place)
				continue;
			row_true(&row, scope->cpu < 0 || scope->pid == -1);
			str_addf(&places, "%s%d", between,
				 scope->cpu < 0 ? scope->pid : scope->cpu);
			between = ",";
		}
	}
	row_string(&row, str_text(&places), expected);
}

static void check_refused(int line, const struct target_request *request, int error,
			  const char *text)
{
	const struct {
		int line;
	} row = { line };
	cleanup_why struct why why = { 0 };

	row_int(&row, target_init(&target, &machine, request, &why), error);
	row_string(&row, why_text(&why, error), text);
	target_release(&target);
}

static void a_command_is_one_place(void **state)
{
	init(&(struct target_request){ 0 });
	assert_int_equal(target.kind, TARGET_COMMAND);
	check(__LINE__, "=0");
}

/* ---- CPUs. */

static void cpus_are_places_by_their_topology(void **state)
{
	static const struct {
		int line;
		enum place_kind split;
		int cache_level;
		const char *places;
	} rows[] = {
		{ ROW, PLACE_TARGET, 0, "=0,1,2,3,4,5,6,7" },
		{ ROW, PLACE_CPU, 0, "CPU0=0 CPU1=1 CPU2=2 CPU3=3 CPU4=4 CPU5=5 CPU6=6 CPU7=7" },
		{ ROW, PLACE_CORE, 0,
		  "S0-D0-C0=0,4 S0-D0-C1=2,6 S1-D0-C0=1,5 S1-D0-C1=3,7 - - - -" },
		{ ROW, PLACE_CLUSTER, 0, "S0-D0-CLS0=0,2,4,6 S1-D0-CLS64=1,3,5,7 - - - - - -" },
		{ ROW, PLACE_CACHE, 3, "S0-D0-L3-ID0=0,2,4,6 S1-D0-L3-ID1=1,3,5,7 - - - - - -" },
		{ ROW, PLACE_CACHE, 0, "S0-D0-L3-ID0=0,2,4,6 S1-D0-L3-ID1=1,3,5,7 - - - - - -" },
		{ ROW, PLACE_DIE, 0, "S0-D0=0,2,4,6 S1-D0=1,3,5,7 - - - - - -" },
		{ ROW, PLACE_SOCKET, 0, "S0=0,2,4,6 S1=1,3,5,7 - - - - - -" },
		{ ROW, PLACE_NODE, 0, "N0=0,2,4,6 N1=1,3,5,7 - - - - - -" },
	};

	make_eight("0-7\n");
	for (size_t i = 0; i < N_OF(rows); i++) {
		init(&(struct target_request){ .all_cpus = true,
					       .split = rows[i].split,
					       .cache_level = rows[i].cache_level });
		assert_int_equal(target.kind, TARGET_CPUS);
		assert_true(target.all_cpus);
		check(rows[i].line, rows[i].places);
		target_release(&target);
	}
}

/* CPUs that are offline have no scope. A place is kept free for each of them. */
static void holes_in_the_numbers_are_no_cpus(void **state)
{
	make_eight("1-2,7\n");
	init(&(struct target_request){ .all_cpus = true });
	check(__LINE__, "=1,2,7");
	target_release(&target);
	init(&(struct target_request){ .all_cpus = true, .split = PLACE_CPU });
	check(__LINE__, "CPU1=1 CPU2=2 CPU7=7 - - - - -");
	target_release(&target);
	init(&(struct target_request){ .all_cpus = true, .split = PLACE_SOCKET });
	check(__LINE__, "S0=2 S1=1,7 - - - - - -");
}

static void chosen_cpus_are_in_order_each_once(void **state)
{
	make_eight("0-7\n");
	init(&(struct target_request){ .cpus = "6,0-1,6" });
	assert_false(target.all_cpus);
	check(__LINE__, "=0,1,6");
	target_release(&target);
	init(&(struct target_request){ .cpus = "6,0-1,6", .split = PLACE_CPU });
	check(__LINE__, "CPU0=0 CPU1=1 CPU6=6");
	target_release(&target);
	init(&(struct target_request){ .cpus = "7,2-4", .split = PLACE_NODE });
	check(__LINE__, "N0=2,4 N1=3,7 - -");
}

static void a_chosen_cpu_that_is_not_online_is_the_reason_for_missing_counts(void **state)
{
	static const struct {
		int line;
		const char *cpus;
		const char *text;
	} rows[] = {
		{ ROW, "0,5", "CPU 5 of -C is offline" },
		{ ROW, "8", "this machine has no CPU 8, which -C names" },
		{ ROW, "0-9", "CPU 5 of -C is offline" },
		{ ROW, "9000", "this machine has no CPU 9000, which -C names" },
	};

	make_eight("0-4,6-7\n");
	for (size_t i = 0; i < N_OF(rows); i++) {
		init(&(struct target_request){ .cpus = rows[i].cpus });
		row_string(&rows[i], target.missing_cpu, rows[i].text);
		target_release(&target);
	}
	init(&(struct target_request){ .cpus = "0-4,7" });
	assert_null(target.missing_cpu);
}

static void an_invalid_list_of_cpus_is_refused_with_its_position(void **state)
{
	static const struct {
		int line;
		const char *cpus, *begin;
	} rows[] = {
		{ ROW, "", "-C '', column 1: " },
		{ ROW, "0,x", "-C '0,x', column 3: " },
		{ ROW, "3-1", "-C '3-1', column " },
	};

	make_eight("0-7\n");
	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct target_request request = { .cpus = rows[i].cpus };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i], target_init(&target, &machine, &request, &why), -EINVAL);
		row_true(&rows[i], strncmp(why_text(&why, -EINVAL), rows[i].begin,
					   strlen(rows[i].begin)) == 0);
		target_release(&target);
	}
}

/* More CPUs than a cpu_set_t holds. */
static void more_than_1024_cpus_are_counted(void **state)
{
	enum { MANY = 1500 };

	set_cpus("0-1499\n", "0-1499\n");
	for (int cpu = 0; cpu < MANY; cpu++)
		add_number(cpu / 500, cpu, "physical_package_id");
	init(&(struct target_request){ .all_cpus = true, .split = PLACE_SOCKET });
	assert_int_equal(target.scopes_n, MANY);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(target.scopes[i].cpu, (int)i);
		assert_int_equal(target.scopes[i].place_index, i / 500);
	}
	assert_string_equal(target.places[2].label, "S2");
	assert_null(target.places[3].label);
	target_release(&target);
	init(&(struct target_request){ .cpus = "70,1499", .split = PLACE_CPU });
	check(__LINE__, "CPU70=70 CPU1499=1499");
}

static void a_machine_that_does_not_tell_its_cpus_is_refused(void **state)
{
	check_refused(__LINE__, &(struct target_request){ .all_cpus = true }, -ENOENT,
		      "cannot find out which CPUs are online: No such file or directory");
}

/* ---- CPUs that come online. */

static size_t come(int cpu)
{
	size_t index = SIZE_MAX;

	assert_int_equal(target_add_cpu(&target, &machine, cpu, &index), 0);
	assert_int_equal(target.scopes[index].cpu, cpu);
	assert_false(target.scopes[index].gone);
	return index;
}

static void a_cpu_that_comes_gets_a_place_of_its_own(void **state)
{
	make_eight("1-2,7\n");
	init(&(struct target_request){ .all_cpus = true, .split = PLACE_CPU });
	assert_int_equal(come(5), 3);
	check(__LINE__, "CPU1=1 CPU2=2 CPU7=7 CPU5=5 - - - -");
	assert_false(target.scopes[3].returned);
	come(0);
	check(__LINE__, "CPU1=1 CPU2=2 CPU7=7 CPU5=5 CPU0=0 - - -");
}

static void a_cpu_that_comes_joins_its_socket(void **state)
{
	make_eight("2\n");
	init(&(struct target_request){ .all_cpus = true, .split = PLACE_SOCKET });
	come(6);
	check(__LINE__, "S0=2,6 - - - - - - -");
	come(3);
	check(__LINE__, "S0=2,6 S1=3 - - - - - -");
	come(1);
	check(__LINE__, "S0=2,6 S1=3,1 - - - - - -");
	target_release(&target);
	init(&(struct target_request){ .all_cpus = true });
	come(0);
	check(__LINE__, "=2,0");
}

static void a_cpu_that_comes_back_has_its_old_scope(void **state)
{
	make_eight("0-3\n");
	init(&(struct target_request){ .cpus = "1,3", .split = PLACE_CPU });
	target.scopes[1].gone = true;
	assert_int_equal(come(3), 1);
	assert_true(target.scopes[1].returned);
	check(__LINE__, "CPU1=1 CPU3=3");
}

/* More CPUs than the machine reported as present. */
static void a_cpu_without_a_place_is_not_counted(void **state)
{
	size_t index;

	set_cpus("0\n", "0\n");
	init(&(struct target_request){ .all_cpus = true, .split = PLACE_CPU });
	assert_int_equal(target_add_cpu(&target, &machine, 1, &index), -ENOSPC);
	check(__LINE__, "CPU0=0");
}

/* ---- Tasks. */

static void processes_are_all_their_threads(void **state)
{
	add_thread(10, 10, "one", 5);
	add_thread(10, 12, "two", 5);
	add_thread(300, 300, "other", 5);
	init(&(struct target_request){ .pids = "300,10" });
	assert_int_equal(target.kind, TARGET_TASKS);
	check(__LINE__, "=10,12,300");
	assert_int_equal(target.processes.n, 2);
	assert_int_equal(target.threads.n, 0);
	target_release(&target);
	init(&(struct target_request){ .pids = "300,10", .split = PLACE_THREAD });
	check(__LINE__, "one-10=10 two-12=12 other-300=300");
}

static void threads_can_be_counted_without_a_process(void **state)
{
	add_thread(10, 10, "one", 5);
	add_thread(10, 12, "two", 5);
	init(&(struct target_request){ .tids = "12" });
	check(__LINE__, "=12");
	assert_int_equal(target.threads.n, 1);
	target_release(&target);
	init(&(struct target_request){ .tids = "12,10", .split = PLACE_THREAD });
	check(__LINE__, "one-10=10 two-12=12");
}

static void a_task_that_is_named_twice_is_counted_once(void **state)
{
	add_thread(10, 10, "one", 5);
	add_thread(10, 12, "two", 5);
	add_thread(7, 7, "three", 5);
	init(&(struct target_request){ .pids = "10,10", .tids = "12,7,12" });
	check(__LINE__, "=7,10,12");
	target_release(&target);
	/* any thread names its process */
	init(&(struct target_request){ .pids = "10", .tids = "10", .split = PLACE_THREAD });
	check(__LINE__, "one-10=10 two-12=12");
}

static void all_threads_of_the_machine_are_tasks(void **state)
{
	add_thread(10, 10, "one", 5);
	add_thread(10, 12, "two", 5);
	add_thread(7, 7, "three", 5);
	add("ended\n", "proc/50/comm");
	init(&(struct target_request){ .all_cpus = true, .split = PLACE_THREAD });
	assert_int_equal(target.kind, TARGET_TASKS);
	assert_true(target.all_tasks);
	assert_false(target.all_cpus);
	check(__LINE__, "three-7=7 one-10=10 two-12=12");
}

static void a_thread_that_has_ended_has_no_name(void **state)
{
	add("", "proc/10/task/10/note");
	init(&(struct target_request){ .pids = "10", .split = PLACE_THREAD });
	check(__LINE__, "?-10=10");
}

static void tasks_have_to_be_there(void **state)
{
	static const struct {
		int line;
		struct target_request request;
		const char *text;
	} rows[] = {
		{ ROW, { .pids = "999" }, "-p 999: there is no such process" },
		{ ROW, { .pids = "10,999" }, "-p 999: there is no such process" },
		{ ROW, { .tids = "998,999" }, "-t 998: there is no such thread" },
		{ ROW, { .pids = "10", .tids = "999" }, "-t 999: there is no such thread" },
	};

	add_thread(10, 10, "one", 5);
	for (size_t i = 0; i < N_OF(rows); i++)
		check_refused(rows[i].line, &rows[i].request, -ESRCH, rows[i].text);
}

static void an_invalid_list_of_tasks_is_refused_with_its_position(void **state)
{
	static const struct {
		int line;
		struct target_request request;
		const char *text;
	} rows[] = {
		{ ROW,
		  { .pids = "" },
		  "-p '': the list of processes or threads is empty; give their IDs, such as "
		  "1234,5678" },
		{ ROW, { .pids = "0" }, "-p '0', column 1: no process or thread has the ID 0" },
		{ ROW,
		  { .tids = "10,-1" },
		  "-t '10,-1', column 4: '-1' is not a process or thread ID" },
	};

	add_thread(10, 10, "one", 5);
	for (size_t i = 0; i < N_OF(rows); i++)
		check_refused(rows[i].line, &rows[i].request, -EINVAL, rows[i].text);
}

/* A thread that was created before its creator had counters has inherited none. */
static void threads_that_were_missed_are_found(void **state)
{
	add_thread(10, 10, "one", 50);
	add_thread(10, 12, "two", 60);
	init(&(struct target_request){ .pids = "10" });
	assert_int_equal(target_find_older_threads(&target, &machine, 100), 0);
	add_thread(10, 13, "missed", 99);
	add_thread(10, 14, "inherited", 100);
	add_thread(10, 11, "missed too", 70);
	assert_int_equal(target_find_older_threads(&target, &machine, 100), 2);
	check(__LINE__, "=10,12,11,13");
	assert_int_equal(target_find_older_threads(&target, &machine, 100), 0);
}

static void with_a_place_for_each_thread_none_is_added(void **state)
{
	add_thread(10, 10, "one", 50);
	init(&(struct target_request){ .pids = "10", .split = PLACE_THREAD });
	add_thread(10, 13, "missed", 60);
	assert_int_equal(target_find_older_threads(&target, &machine, 100), 0);
	check(__LINE__, "one-10=10");
}

static void ten_thousand_threads_are_one_target(void **state)
{
	enum { MANY = 10000 };

	for (int i = 0; i < MANY; i++)
		add("", "proc/100/task/%d/note", 1000 + i);
	init(&(struct target_request){ .pids = "100" });
	assert_int_equal(target.scopes_n, MANY);
	assert_int_equal(target_find_older_threads(&target, &machine, 100), 0);
}

/* ---- Cgroups. */

static void each_cgroup_is_opened_once(void **state)
{
	static char a[] = "a", b[] = "b";
	struct event events[] = {
		{ .cgroup = a }, { .cgroup = b }, { .cgroup = NULL }, { .cgroup = a }
	};
	const struct event_list list = { .events = events, .n = N_OF(events) };
	cleanup_why struct why why = { 0 };
	struct stat opened, expected;
	cleanup_str struct str path = { 0 };

	add("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n", "proc/self/mounts");
	add("", "sys/fs/cgroup/a/cgroup.procs");
	add("", "sys/fs/cgroup/b/cgroup.procs");
	assert_int_equal(target_open_cgroups(&target, &machine, &list, &why), 0);
	assert_int_equal(target.cgroups_n, 2);
	assert_int_not_equal(target_cgroup_fd(&target, "a"), target_cgroup_fd(&target, "b"));
	assert_int_equal(target_cgroup_fd(&target, "c"), -ENOENT);
	str_addf(&path, "%s/sys/fs/cgroup/b", machine.root);
	assert_int_equal(fstat(target_cgroup_fd(&target, "b"), &opened), 0);
	assert_int_equal(stat(str_text(&path), &expected), 0);
	assert_true(opened.st_ino == expected.st_ino);
}

static void a_missing_cgroup_is_an_error(void **state)
{
	static char a[] = "nosuch";
	struct event event = { .cgroup = a };
	const struct event_list list = { .events = &event, .n = 1 };
	cleanup_why struct why why = { 0 };

	add("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n", "proc/self/mounts");
	add("", "sys/fs/cgroup/a/cgroup.procs");
	assert_int_equal(target_open_cgroups(&target, &machine, &list, &why), -ENOENT);
	assert_non_null(strstr(why_text(&why, -ENOENT), "nosuch"));
	assert_int_equal(target.cgroups_n, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_command_is_one_place),
		TEST(cpus_are_places_by_their_topology),
		TEST(holes_in_the_numbers_are_no_cpus),
		TEST(chosen_cpus_are_in_order_each_once),
		TEST(a_chosen_cpu_that_is_not_online_is_the_reason_for_missing_counts),
		TEST(an_invalid_list_of_cpus_is_refused_with_its_position),
		TEST(more_than_1024_cpus_are_counted),
		TEST(a_machine_that_does_not_tell_its_cpus_is_refused),
		TEST(a_cpu_that_comes_gets_a_place_of_its_own),
		TEST(a_cpu_that_comes_joins_its_socket),
		TEST(a_cpu_that_comes_back_has_its_old_scope),
		TEST(a_cpu_without_a_place_is_not_counted),
		TEST(processes_are_all_their_threads),
		TEST(threads_can_be_counted_without_a_process),
		TEST(a_task_that_is_named_twice_is_counted_once),
		TEST(all_threads_of_the_machine_are_tasks),
		TEST(a_thread_that_has_ended_has_no_name),
		TEST(tasks_have_to_be_there),
		TEST(an_invalid_list_of_tasks_is_refused_with_its_position),
		TEST(threads_that_were_missed_are_found),
		TEST(with_a_place_for_each_thread_none_is_added),
		TEST(ten_thousand_threads_are_one_target),
		TEST(each_cgroup_is_opened_once),
		TEST(a_missing_cgroup_is_an_error),
	};

	return cmocka_run_group_tests_name("target", tests, NULL, NULL);
}
