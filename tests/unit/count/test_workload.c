/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that fail before their exec. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "count/workload.h"
#include "unit/test.h"

static struct workload workload;

static int finish(void **state)
{
	workload_release(&workload);
	return 0;
}

static void begin(char *program)
{
	static char *argv[2];
	cleanup_why struct why why = { 0 };
	sigset_t mask;

	argv[0] = program;
	sigemptyset(&mask);
	assert_int_equal(workload_init(&workload, argv, &mask, &why), 0);
}

static void a_signal_before_the_traced_exec_ends_the_command(void **state)
{
	static char program[] = "true";
	cleanup_why struct why why = { 0 };

	begin(program);
	workload.stops_at_exec = true;
	assert_int_equal(workload_start_held(&workload, &why), 0);
	assert_int_equal(kill(workload.pid, SIGKILL), 0);
	assert_int_equal(workload_exec_held(&workload, &why), -ECHILD);
	assert_int_equal(workload.killed_by, SIGKILL);
	assert_false(workload.exec_failed);
	assert_int_equal(workload.pid, 0);
}

/* The socket is closed before pstat waits for the child. The child ends when it sees that. */
static void a_held_child_that_cannot_be_released_ends(void **state)
{
	static char program[] = "true";
	cleanup_why struct why why = { 0 };
	int own;

	begin(program);
	assert_int_equal(workload_start_held(&workload, &why), 0);
	own = workload.hold_fd;
	workload.hold_fd = dup(STDIN_FILENO); /* to which nothing can be sent */
	close(own);
	assert_int_equal(workload_exec_held(&workload, &why), -ENOTSOCK);
	assert_int_equal(workload.pid, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_missing_program_differs_from_a_failure_of_pstat(void **state)
{
	static char program[] = "/no/such/program";
	static char *argv[] = { program, NULL };
	cleanup_why struct why why = { 0 };
	sigset_t mask;

	sigemptyset(&mask);
	assert_int_equal(workload_init(&workload, argv, &mask, &why), -ENOENT);
	assert_true(workload.exec_failed);
}

#define TEST(name) cmocka_unit_test_teardown(name, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_signal_before_the_traced_exec_ends_the_command),
		TEST(a_held_child_that_cannot_be_released_ends),
		TEST(a_missing_program_differs_from_a_failure_of_pstat),
	};

	return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}
