/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/tasks.c" /* for its static functions */
#include "unit/test.h"
#include "unit/tree.h"

static struct machine machine;

static int start(void **state)
{
	machine.root = tree_new();
	return 0;
}

static int start_here(void **state)
{
	return machine_init(&machine, NULL, NULL);
}

static int finish(void **state)
{
	if (machine_is_here(&machine))
		machine_release(&machine);
	else
		tree_remove(machine.root);
	return 0;
}

static void add_list(struct str *out, const struct task_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		str_addf(out, "%s%d", i ? " " : "", (int)list->v[i]);
}

static void a_list_gives_its_tasks_each_once(void **state)
{
	static const struct {
		int line;
		const char *text, *tasks;
	} rows[] = {
		{ ROW, "1", "1" },	 { ROW, "300,1,2", "300 1 2" }, { ROW, "7,7,8,7", "7 8" },
		{ ROW, "0042", "42" },	 { ROW, "4194304", "4194304" }, { ROW, "2,1,", "2 1" },
		{ ROW, ",2,,1", "2 1" }, { ROW, " 2, 1 ", "2 1" },	{ ROW, "2\n1\n", "2 1" },
		{ ROW, "2\t1", "2 1" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(task_list_release) struct task_list list = { 0 };
		cleanup_str struct str tasks = { 0 };

		row_int(&rows[i], tasks_parse(rows[i].text, &list, NULL), 0);
		add_list(&tasks, &list);
		row_string(&rows[i], str_text(&tasks), rows[i].tasks);
	}
}

static void other_text_is_refused_with_the_position(void **state)
{
	static const struct refused rows[] = {
		{ ROW, "0", 0, "no process or thread has the ID 0" },
		{ ROW, "12,00", 3, "no process or thread has the ID 0" },
		{ ROW, "-1", 0, "'-1' is not a process or thread ID" },
		{ ROW, "1, a", 3, "'a' is not a process or thread ID" },
		{ ROW, "1-3", 0, "'1-3' is not a process or thread ID" },
		{ ROW, "0x10", 0, "'0x10' is not a process or thread ID" },
		{ ROW, "1,init", 2, "'init' is not a process or thread ID" },
		{ ROW, "1,4194305", 2,
		  "no process or thread has the ID 4194305: 4194304 is the highest" },
		{ ROW, "99999999999999999999", 0,
		  "no process or thread has the ID 99999999999999999999: 4194304 is the "
		  "highest" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(task_list_release) struct task_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i], tasks_parse(rows[i].text, &list, &why), -EINVAL);
		row_why(&rows[i], &why);
	}
}

static void a_list_without_tasks_is_refused(void **state)
{
	static const char *const texts[] = { "", ",", " ", ", ,", "\n" };

	for (size_t i = 0; i < N_OF(texts); i++) {
		cleanup_with(task_list_release) struct task_list list = { 0 };
		cleanup_why struct why why = { 0 };

		assert_int_equal(task_list_add(&list, 1), 0);
		assert_int_equal(tasks_parse(texts[i], &list, &why), -EINVAL);
		assert_false(why.has_position);
		assert_string_equal(why_text(&why, -EINVAL),
				    "the list of processes or threads is empty; give their IDs, "
				    "such as 1234,5678");
	}
}

static void add_task(int pid, int tid)
{
	cleanup_str struct str path = { 0 };

	str_addf(&path, "proc/%d/task/%d/comm", pid, tid);
	tree_add(machine.root, str_text(&path), "name\n");
}

static void a_process_has_its_threads_in_order(void **state)
{
	cleanup_with(task_list_release) struct task_list list = { 0 };
	cleanup_str struct str tasks = { 0 };

	add_task(10, 10);
	add_task(10, 112);
	add_task(10, 9);
	add_task(200, 200);
	tree_add(machine.root, "proc/10/task/note", "");
	tree_add(machine.root, "proc/10/task/01/comm", "");
	tree_add(machine.root, "proc/30/comm", "no task folder\n");
	assert_int_equal(tasks_of_process(&machine, 200, &list), 0);
	assert_int_equal(tasks_of_process(&machine, 10, &list), 0);
	add_list(&tasks, &list);
	assert_string_equal(str_text(&tasks), "200 9 10 112");
	assert_int_equal(tasks_of_process(&machine, 30, &list), -ESRCH);
	assert_int_equal(tasks_of_process(&machine, 31, &list), -ESRCH);
	assert_int_equal(list.n, 4);
}

static void a_machine_has_the_threads_of_all_processes(void **state)
{
	cleanup_with(task_list_release) struct task_list list = { 0 };
	cleanup_str struct str tasks = { 0 };

	assert_int_equal(tasks_of_machine(&machine, &list), -ENOENT);
	add_task(100, 100);
	add_task(9, 9);
	add_task(9, 101);
	tree_add(machine.root, "proc/50/comm", "has ended\n");
	tree_add(machine.root, "proc/sys/kernel/osrelease", "6.1\n");
	assert_int_equal(tasks_of_machine(&machine, &list), 0);
	add_list(&tasks, &list);
	assert_string_equal(str_text(&tasks), "9 101 100");
}

static void many_threads_are_listed(void **state)
{
	cleanup_with(task_list_release) struct task_list list = { 0 };

	for (int i = 0; i < 3000; i++)
		add_task(1000, 4000 - i);
	assert_int_equal(tasks_of_process(&machine, 1000, &list), 0);
	assert_int_equal(list.n, 3000);
	for (int i = 0; i < 3000; i++)
		assert_int_equal(list.v[i], 1001 + i);
}

static void a_name_is_read_from_proc(void **state)
{
	static const struct {
		int line;
		const char *file, *comm;
	} rows[] = {
		{ ROW, "cat\n", "cat" },
		{ ROW, "a b) R 1 (c\n", "a b) R 1 (c" },
		{ ROW, " lead\n", " lead" },
		{ ROW, "\n", "" },
		{ ROW, "fifteen letters\n", "fifteen letters" },
		{ ROW, "kworker/u16:3-events_unbound\n", "kworker/u16:3-events_unbound" },
		{ ROW, "1234567890123456789012345678901234567890123456789012345678901234567890\n",
		  "123456789012345678901234567890123456789012345678901234567890123" },
	};
	char comm[TASK_COMM_SIZE] = "before";

	assert_int_equal(task_comm(&machine, 5, comm), -ESRCH);
	assert_string_equal(comm, "");
	for (size_t i = 0; i < N_OF(rows); i++) {
		tree_add(machine.root, "proc/5/comm", rows[i].file);
		row_int(&rows[i], task_comm(&machine, 5, comm), 0);
		row_string(&rows[i], comm, rows[i].comm);
	}
}

#define STAT_3_TO_21 "S" STAT_4_TO_21
#define STAT_4_TO_21 " 1 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0"

static void a_task_started_at_field_22(void **state)
{
	static const struct {
		int line;
		const char *file;
		int err;
		uint64_t ticks;
	} rows[] = {
		{ ROW, "7 (cat) " STAT_3_TO_21 " 123456 99 98\n", 0, 123456 },
		{ ROW, "7 (a b) " STAT_3_TO_21 " 5 6\n", 0, 5 },
		{ ROW, "7 (x) R 1 (y)) " STAT_3_TO_21 " 77 6\n", 0, 77 },
		{ ROW, "7 ()) " STAT_3_TO_21 " 18446744073709551615 6\n", 0, UINT64_MAX },
		{ ROW, "7 (Z) " STAT_3_TO_21 " 8\n", 0, 8 },
		{ ROW, "7 (zombie) Z" STAT_4_TO_21 " 8\n", -ESRCH, 0 },
		{ ROW, "7 (x) R) X" STAT_4_TO_21 " 8\n", -ESRCH, 0 },
		{ ROW, "7 (last) " STAT_3_TO_21 " 8\n", 0, 8 },
		{ ROW, "7 (short) " STAT_3_TO_21 "\n", -EINVAL, 0 },
		{ ROW, "7 (short)\n", -EINVAL, 0 },
		{ ROW, "7 " STAT_3_TO_21 " 8\n", -EINVAL, 0 },
		{ ROW, "7 (word) " STAT_3_TO_21 " soon 8\n", -EINVAL, 0 },
		{ ROW, "", -EINVAL, 0 },
	};
	uint64_t ticks = 0;

	assert_int_equal(task_started(&machine, 7, &ticks), -ESRCH);
	for (size_t i = 0; i < N_OF(rows); i++) {
		ticks = 0;
		tree_add(machine.root, "proc/7/stat", rows[i].file);
		row_int(&rows[i], task_started(&machine, 7, &ticks), rows[i].err);
		if (rows[i].err == 0)
			row_true(&rows[i], ticks == rows[i].ticks);
	}
}

static void a_task_exists_while_it_has_a_folder(void **state)
{
	assert_false(task_exists(&machine, 7));
	tree_add(machine.root, "proc/7/status", "");
	assert_true(task_exists(&machine, 7));
}

/* A thread that reports its number and waits until it should end. */
struct thread {
	pthread_t thread;
	pthread_barrier_t *barrier;
	pid_t tid;
};

static void *live(void *data)
{
	struct thread *t = data;

	t->tid = gettid();
	prctl(PR_SET_NAME, "odd) S 1 (");
	pthread_barrier_wait(t->barrier);
	pthread_barrier_wait(t->barrier);
	return NULL;
}

static void check_thread(pid_t tid)
{
	char comm[TASK_COMM_SIZE];
	uint64_t mine = 0, main_thread = 0;

	assert_int_equal(task_comm(&machine, tid, comm), 0);
	assert_string_equal(comm, "odd) S 1 (");
	assert_true(task_exists(&machine, tid));
	assert_int_equal(task_started(&machine, tid, &mine), 0);
	assert_int_equal(task_started(&machine, getpid(), &main_thread), 0);
	assert_true(main_thread > 0 && mine >= main_thread);
}

static void threads_of_this_process_are_found(void **state)
{
	enum { N = 20 };
	cleanup_with(task_list_release) struct task_list list = { 0 };
	cleanup_with(task_list_release) struct task_list all = { 0 };
	struct thread threads[N];
	pthread_barrier_t barrier;
	size_t found = 0;

	assert_int_equal(pthread_barrier_init(&barrier, NULL, N + 1), 0);
	for (int i = 0; i < N; i++) {
		threads[i].barrier = &barrier;
		assert_int_equal(pthread_create(&threads[i].thread, NULL, live, &threads[i]), 0);
	}
	pthread_barrier_wait(&barrier);
	assert_int_equal(tasks_of_process(&machine, getpid(), &list), 0);
	assert_int_equal(tasks_of_machine(&machine, &all), 0);
	for (int i = 0; i < N; i++) {
		check_thread(threads[i].tid);
		for (size_t j = 0; j < list.n; j++)
			found += list.v[j] == threads[i].tid;
		for (size_t j = 0; j < all.n; j++)
			found += all.v[j] == threads[i].tid;
	}
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i].thread, NULL);
	pthread_barrier_destroy(&barrier);
	assert_int_equal(found, 2 * N);
	assert_true(list.n > N); /* and the main thread */
}

static void a_process_that_ended_is_gone(void **state)
{
	cleanup_with(task_list_release) struct task_list list = { 0 };
	char comm[TASK_COMM_SIZE];
	uint64_t ticks;
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(tasks_of_process(&machine, child, &list), -ESRCH);
	assert_int_equal(task_comm(&machine, child, comm), -ESRCH);
	assert_int_equal(task_started(&machine, child, &ticks), -ESRCH);
	assert_false(task_exists(&machine, child));
}

static void the_peak_is_read(void **state)
{
	static const struct {
		int line;
		const char *text;
		int err;
		unsigned long long kib;
	} rows[] = {
		{ ROW, "Name:\tx\nVmPeak:\t    9 kB\nVmHWM:\t    1908 kB\nVmRSS:\t 1 kB\n", 0,
		  1908 },
		{ ROW, "Name:\tVmHWM: 3\nVmRSS:\t 1 kB\n", -ENOENT, 7 },
		{ ROW, "Name:\tx\nVmHWM:\tkB\n", -EINVAL, 7 },
		{ ROW, "", -ENOENT, 7 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		uint64_t kib = 7;

		row_int(&rows[i], tasks_parse_status(rows[i].text, "\nVmHWM:", &kib), rows[i].err);
		row_int(&rows[i], kib, rows[i].kib);
	}
}

enum { TAKEN = 64 << 20 };

/* The peak memory of this process; 0: unknown. */
static uint64_t own_peak_kib(void)
{
	char status[8192];
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, status, sizeof(status) - 1);
	uint64_t kib = 0;

	close(fd);
	status[n > 0 ? n : 0] = '\0';
	tasks_parse_status(status, "\nVmHWM:", &kib);
	return kib;
}

static void the_peak_of_this_process_is_reset(void **state)
{
	uint64_t before = own_peak_kib(), taken;
	void *memory;

	if (before == 0)
		skip();
	memory = mmap(NULL, TAKEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	memset(memory, 1, TAKEN);
	munmap(memory, TAKEN);
	taken = own_peak_kib();
	assert_true(taken > before);
	if (tasks_forget_own_peak() < 0)
		skip();
	assert_true(own_peak_kib() < taken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_gives_its_tasks_each_once),
		cmocka_unit_test(other_text_is_refused_with_the_position),
		cmocka_unit_test(a_list_without_tasks_is_refused),
		cmocka_unit_test_setup_teardown(a_process_has_its_threads_in_order, start, finish),
		cmocka_unit_test_setup_teardown(a_machine_has_the_threads_of_all_processes, start,
						finish),
		cmocka_unit_test_setup_teardown(many_threads_are_listed, start, finish),
		cmocka_unit_test_setup_teardown(a_name_is_read_from_proc, start, finish),
		cmocka_unit_test_setup_teardown(a_task_started_at_field_22, start, finish),
		cmocka_unit_test_setup_teardown(a_task_exists_while_it_has_a_folder, start, finish),
		cmocka_unit_test_setup_teardown(threads_of_this_process_are_found, start_here,
						finish),
		cmocka_unit_test_setup_teardown(a_process_that_ended_is_gone, start_here, finish),
		cmocka_unit_test(the_peak_is_read),
		cmocka_unit_test(the_peak_of_this_process_is_reset),
	};

	return cmocka_run_group_tests_name("tasks", tests, NULL, NULL);
}
