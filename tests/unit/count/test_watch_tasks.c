/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Real processes and threads that end while they are watched. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "count/watch.h"
#include "unit/descriptors.h"
#include "unit/test.h"

static struct machine machine;
static struct task_watch tasks;
static struct target target;

static int start(void **state)
{
	return machine_init(&machine, NULL, NULL);
}

static int finish(void **state)
{
	watch_tasks_release(&tasks);
	task_list_release(&target.processes);
	task_list_release(&target.threads);
	machine_release(&machine);
	return 0;
}

static void watch(void)
{
	assert_int_equal(watch_tasks(&tasks, &machine, &target), 0);
}

/* A child that lives until it is killed. */
static pid_t start_child(void)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		alarm(600); /* in case the test is killed */
		for (;;)
			pause();
	}
	assert_int_equal(task_list_add(&target.processes, child), 0);
	return child;
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Forget the tasks that have ended, as the event loop does. */
static bool all_gone(void)
{
	for (size_t i = tasks.n; i-- > 0;) {
		struct pollfd fd = { .fd = tasks.v[i].fd, .events = POLLIN };

		if (fd.fd >= 0 && poll(&fd, 1, 0) == 1)
			watch_tasks_check(&tasks, fd.fd);
	}
	watch_tasks_check(&tasks, -1);
	return tasks.n == 0;
}

static void processes_are_forgotten_one_by_one(void **state)
{
	pid_t one = start_child(), other = start_child();

	watch();
	assert_int_equal(tasks.n, 2);
	assert_false(all_gone());
	assert_int_equal(tasks.n, 2);
	end_child(one);
	assert_false(all_gone());
	assert_int_equal(tasks.n, 1);
	assert_int_equal(tasks.v[0].pid, other);
	end_child(other);
	assert_true(all_gone());
	assert_int_equal(tasks.n, 0);
	assert_true(all_gone());
}

/* Before its parent has waited for it. */
static void a_zombie_has_ended(void **state)
{
	pid_t child = start_child();
	struct pollfd fd;

	watch();
	if (tasks.v[0].fd < 0)
		skip(); /* an old kernel */
	fd = (struct pollfd){ .fd = tasks.v[0].fd, .events = POLLIN };
	assert_int_equal(poll(&fd, 1, 0), 0);
	kill(child, SIGKILL);
	assert_int_equal(poll(&fd, 1, 60000), 1); /* it has ended */
	assert_true(all_gone());
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void a_task_that_has_ended_is_not_watched(void **state)
{
	end_child(start_child());
	watch();
	assert_int_equal(tasks.n, 0);
	assert_true(all_gone());
}

struct thread {
	pthread_t thread;
	pthread_barrier_t barrier;
	pid_t tid;
};

static void *live(void *data)
{
	struct thread *t = data;

	t->tid = gettid();
	pthread_barrier_wait(&t->barrier); /* tid is set */
	pthread_barrier_wait(&t->barrier); /* it may end */
	return NULL;
}

/* The kernel may remove a thread's folder in /proc some time after pthread_join(). */
static bool is_seen_to_end(void)
{
	for (int i = 0; i < 6000; i++) {
		if (all_gone())
			return true;
		usleep(10000);
	}
	return false;
}

static void a_thread_ends_while_its_process_lives(void **state)
{
	struct thread t;

	assert_int_equal(pthread_barrier_init(&t.barrier, NULL, 2), 0);
	assert_int_equal(pthread_create(&t.thread, NULL, live, &t), 0);
	pthread_barrier_wait(&t.barrier);
	assert_int_equal(task_list_add(&target.threads, t.tid), 0);
	watch();
	assert_int_equal(tasks.n, 1);
	assert_false(all_gone());
	pthread_barrier_wait(&t.barrier);
	pthread_join(t.thread, NULL);
	pthread_barrier_destroy(&t.barrier);
	assert_true(is_seen_to_end());
}

static void the_first_thread_of_a_process_can_be_watched(void **state)
{
	pid_t child = start_child();

	assert_int_equal(task_list_add(&target.threads, child), 0);
	target.processes.n = 0;
	watch();
	assert_int_equal(tasks.n, 1);
	assert_false(all_gone());
	end_child(child);
	assert_true(is_seen_to_end());
}

static void a_task_without_a_pidfd_is_looked_for_in_proc(void **state)
{
	pid_t child = start_child();

	watch();
	if (tasks.v[0].fd >= 0)
		close(tasks.v[0].fd);
	tasks.v[0].fd = -ENOSYS;
	assert_false(all_gone());
	end_child(child);
	assert_true(all_gone());
}

static void nothing_stays_open(void **state)
{
	size_t before = count_descriptors();
	pid_t one = start_child(), other = start_child();

	watch();
	end_child(one);
	all_gone();
	watch_tasks_release(&tasks);
	assert_int_equal(count_descriptors(), before);
	end_child(other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(processes_are_forgotten_one_by_one),
		TEST(a_zombie_has_ended),
		TEST(a_task_that_has_ended_is_not_watched),
		TEST(a_thread_ends_while_its_process_lives),
		TEST(the_first_thread_of_a_process_can_be_watched),
		TEST(a_task_without_a_pidfd_is_looked_for_in_proc),
		TEST(nothing_stays_open),
	};

	return cmocka_run_group_tests_name("watch_tasks", tests, NULL, NULL);
}
