/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that end, seen at once: real processes and threads. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "count/task_watch.h"
#include "unit/descriptors.h"
#include "unit/test.h"

static struct machine machine;
static struct task_watch lines;
static struct task_list processes, threads;

static int start(void **state)
{
	return machine_init(&machine, NULL, NULL);
}

static int finish(void **state)
{
	task_watch_release(&lines);
	task_list_release(&processes);
	task_list_release(&threads);
	machine_release(&machine);
	return 0;
}

static void hold(void)
{
	assert_int_equal(task_watch_open(&lines, &machine, &processes, &threads), 0);
}

/* A child that lives until it is killed. */
static pid_t start_child(void)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		alarm(600); /* should the test be killed */
		for (;;)
			pause();
	}
	assert_int_equal(task_list_add(&processes, child), 0);
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
	for (size_t i = lines.n; i-- > 0;) {
		struct pollfd fd = { .fd = lines.v[i].fd, .events = POLLIN };

		if (fd.fd >= 0 && poll(&fd, 1, 0) == 1)
			task_watch_end(&lines, fd.fd);
	}
	task_watch_check(&lines);
	return lines.n == 0;
}

static void processes_are_let_go_of_one_by_one(void **state)
{
	pid_t one = start_child(), other = start_child();

	hold();
	assert_int_equal(lines.n, 2);
	assert_false(all_gone());
	assert_int_equal(lines.n, 2);
	end_child(one);
	assert_false(all_gone());
	assert_int_equal(lines.n, 1);
	assert_int_equal(lines.v[0].pid, other);
	end_child(other);
	assert_true(all_gone());
	assert_int_equal(lines.n, 0);
	assert_true(all_gone());
}

/* Nobody has to wait for it: a zombie has ended. */
static void a_zombie_has_ended(void **state)
{
	pid_t child = start_child();
	struct pollfd fd;

	hold();
	if (lines.v[0].fd < 0)
		skip(); /* an old kernel */
	assert_false(task_watch_need_checks(&lines));
	fd = (struct pollfd){ .fd = lines.v[0].fd, .events = POLLIN };
	assert_int_equal(poll(&fd, 1, 0), 0);
	kill(child, SIGKILL);
	assert_int_equal(poll(&fd, 1, 60000), 1); /* its end wakes */
	assert_true(all_gone());
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void who_is_gone_already_is_not_held(void **state)
{
	end_child(start_child());
	hold();
	assert_int_equal(lines.n, 0);
	assert_true(all_gone());
	assert_false(task_watch_need_checks(&lines));
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
	pthread_barrier_wait(&t->barrier); /* the number is there */
	pthread_barrier_wait(&t->barrier); /* it may end */
	return NULL;
}

/* How long a thread's folder outlives pthread_join() is up to the kernel. */
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
	assert_int_equal(task_list_add(&threads, t.tid), 0);
	hold();
	assert_int_equal(lines.n, 1);
	assert_false(all_gone());
	/* by a pidfd or, on kernels before 6.9, by looking for it */
	assert_int_equal(task_watch_need_checks(&lines), lines.v[0].fd < 0);
	pthread_barrier_wait(&t.barrier);
	pthread_join(t.thread, NULL);
	pthread_barrier_destroy(&t.barrier);
	assert_true(is_seen_to_end());
}

/* A process is held by its first thread, too. */
static void the_first_thread_of_a_process_can_be_held(void **state)
{
	pid_t child = start_child();

	assert_int_equal(task_list_add(&threads, child), 0);
	processes.n = 0;
	hold();
	assert_int_equal(lines.n, 1);
	assert_false(all_gone());
	end_child(child);
	assert_true(is_seen_to_end());
}

/* Where there is no pidfd, /proc is looked at. */
static void without_a_pidfd_the_task_is_looked_for(void **state)
{
	pid_t child = start_child();

	hold();
	if (lines.v[0].fd >= 0)
		close(lines.v[0].fd);
	lines.v[0].fd = -ENOSYS;
	assert_true(task_watch_need_checks(&lines));
	assert_false(all_gone());
	end_child(child);
	assert_true(all_gone());
	assert_false(task_watch_need_checks(&lines));
}

static void nothing_stays_open(void **state)
{
	size_t before = count_descriptors();
	pid_t one = start_child(), other = start_child();

	hold();
	end_child(one);
	all_gone();
	task_watch_release(&lines);
	assert_int_equal(count_descriptors(), before);
	end_child(other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(processes_are_let_go_of_one_by_one),
		TEST(a_zombie_has_ended),
		TEST(who_is_gone_already_is_not_held),
		TEST(a_thread_ends_while_its_process_lives),
		TEST(the_first_thread_of_a_process_can_be_held),
		TEST(without_a_pidfd_the_task_is_looked_for),
		TEST(nothing_stays_open),
	};

	return cmocka_run_group_tests_name("lifelines", tests, NULL, NULL);
}
