/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The event loop: every client that is ready has its turn, however long another client takes. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "count/loop.h"
#include "unit/test.h"

#define MS UINT64_C(1000000)

enum { DONE = 7 };

static struct loop loop;
static char calls[256]; /* a letter for each call of a client */

struct client {
	char letter;
	size_t end_after; /* ends the loop when calls has this many letters; 0: never */
	bool drains; /* reads a byte of its descriptor */
	bool leaves; /* removes its descriptor */
	struct loop_deadline deadline;
	uint64_t again_ns; /* the time to the next deadline; 0: there is none */
	uint64_t busy_ns; /* how long the client takes */
};

static int open_loop(void)
{
	loop = (struct loop){ 0 };
	return loop_open_timer(&loop);
}

static int set_up(void **state)
{
	calls[0] = '\0';
	return open_loop();
}

static int finish(void **state)
{
	loop_release(&loop);
	return 0;
}

static int called(void *data, int fd)
{
	struct client *c = data;
	uint64_t until = clock_ns() + c->busy_ns;
	size_t n = strlen(calls);
	char byte;

	assert_in_range(n, 0, sizeof(calls) - 2);
	calls[n] = c->letter;
	calls[n + 1] = '\0';
	if (c->drains)
		assert_int_equal(read(fd, &byte, 1), 1);
	if (c->leaves)
		loop_remove(&loop, fd);
	if (fd < 0)
		c->deadline.due_ns = c->again_ns ? c->deadline.due_ns + c->again_ns : 0;
	while (clock_ns() < until)
		;
	return c->end_after && n + 1 >= c->end_after ? DONE : 0;
}

/* A pipe with this text in it, and a client that waits for its reading end. */
static void add_pipe(int fds[2], const char *text, struct client *c)
{
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], text, strlen(text)), strlen(text));
	assert_int_equal(loop_add(&loop, fds[0], called, c), 0);
}

static void close_pipe(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

static void wait_until(struct client *c, uint64_t due_ns)
{
	c->deadline = (struct loop_deadline){ .due_ns = due_ns, .passed = called, .data = c };
	loop_add_deadline(&loop, &c->deadline);
}

static void clients_are_called_in_their_order(void **state)
{
	struct client a = { .letter = 'a' }, b = { .letter = 'b' };
	struct client c = { .letter = 'c', .end_after = 4 };
	uint64_t now = clock_ns();
	int one[2], other[2];

	wait_until(&b, now);
	wait_until(&c, now);
	add_pipe(one, "x", &a);
	add_pipe(other, "x", &a);
	assert_int_equal(loop_run(&loop), DONE);
	assert_string_equal(calls, "aabc");
	close_pipe(one);
	close_pipe(other);
}

/* Each of these clients is ready in every turn. */
static void nobody_starves(void **state)
{
	struct client a = { .letter = 'a' };
	struct client b = { .letter = 'b' };
	struct client c = { .letter = 'c', .again_ns = 1, .busy_ns = MS };
	struct client d = { .letter = 'd', .again_ns = 1, .end_after = 12 };
	int one[2], other[2];

	add_pipe(one, "x", &a);
	add_pipe(other, "x", &b);
	wait_until(&c, clock_ns());
	wait_until(&d, clock_ns());
	assert_int_equal(loop_run(&loop), DONE);
	assert_string_equal(calls, "abcdabcdabcd");
	close_pipe(one);
	close_pipe(other);
}

static void a_descriptor_that_is_removed_does_not_wake(void **state)
{
	struct client a = { .letter = 'a', .leaves = true };
	struct client b = { .letter = 'b', .drains = true, .end_after = 4 };
	int one[2], other[2];

	add_pipe(one, "x", &a);
	add_pipe(other, "xxx", &b);
	assert_int_equal(loop_run(&loop), DONE);
	assert_string_equal(calls, "abbb");
	close_pipe(one);
	close_pipe(other);
}

/* A descriptor whose other end is closed is ready, too. */
static void a_hangup_wakes(void **state)
{
	struct client a = { .letter = 'a', .end_after = 1 };
	int fds[2];

	add_pipe(fds, "", &a);
	close(fds[1]);
	assert_int_equal(loop_run(&loop), DONE);
	close(fds[0]);
}

static uint64_t used_cpu_ns(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return ((uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec) * 1000 * MS +
	       ((uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec) * 1000;
}

static void no_deadline_passes_early_and_waiting_costs_nothing(void **state)
{
	struct client a = { .letter = 'a' };
	struct client b = { .letter = 'b', .again_ns = 20 * MS };
	struct client c = { .letter = 'c', .end_after = 1 };
	uint64_t now = clock_ns(), cpu = used_cpu_ns();
	int fds[2];

	add_pipe(fds, "", &a);
	wait_until(&c, now + 70 * MS);
	wait_until(&b, now + 20 * MS);
	assert_int_equal(loop_run(&loop), DONE);
	assert_in_range(strspn(calls, "b"), 0, 3); /* fewer if the machine is late */
	assert_string_equal(calls + strspn(calls, "b"), "c");
	assert_true(clock_ns() - now >= 70 * MS);
	assert_true(used_cpu_ns() - cpu < 30 * MS);
	close_pipe(fds);
}

static void deadlines_that_are_removed_do_not_pass(void **state)
{
	struct client a = { .letter = 'a', .drains = true, .end_after = 1 };
	struct client b = { .letter = 'b' };
	int fds[2];

	add_pipe(fds, "x", &a);
	wait_until(&b, clock_ns());
	loop.deadlines_n = 0;
	assert_int_equal(loop_run(&loop), DONE);
	assert_string_equal(calls, "a");
	close_pipe(fds);
}

static void many_descriptors_are_waited_for(void **state)
{
	struct client a = { .letter = 'a' };
	struct client last = { .letter = 'z', .end_after = 1 };
	int fds[100][2];

	for (size_t i = 0; i < 99; i++)
		add_pipe(fds[i], "", &a);
	add_pipe(fds[99], "x", &last);
	assert_int_equal(loop_run(&loop), DONE);
	assert_string_equal(calls, "z");
	for (size_t i = 0; i < 100; i++)
		close_pipe(fds[i]);
}

static void a_loop_without_a_timer_waits_for_descriptors(void **state)
{
	struct client a = { .letter = 'a', .end_after = 1 };
	int fds[2];

	loop_release(&loop);
	add_pipe(fds, "x", &a);
	assert_int_equal(loop_run(&loop), DONE);
	close_pipe(fds);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(clients_are_called_in_their_order),
		TEST(nobody_starves),
		TEST(a_descriptor_that_is_removed_does_not_wake),
		TEST(a_hangup_wakes),
		TEST(no_deadline_passes_early_and_waiting_costs_nothing),
		TEST(deadlines_that_are_removed_do_not_pass),
		TEST(many_descriptors_are_waited_for),
		TEST(a_loop_without_a_timer_waits_for_descriptors),
	};

	return cmocka_run_group_tests_name("loop", tests, NULL, NULL);
}
