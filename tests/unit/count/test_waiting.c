/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ends or divides the counting, on the real clock: how late a wake-up is, is the machine's to
 * say; that none comes too early and that none is lost, ours. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "count/waiting.h"
#include "unit/test.h"

#define MS UINT64_C(1000000)

static struct machine machine;
static struct workload workload;
static struct lifelines lines;
static struct waiting wait_;
static struct timing timing;
static struct run run;

static int start(void **state)
{
	signal(SIGTERM, SIG_DFL); /* whatever the test was started with */
	timing = (struct timing){ 0 };
	run = (struct run){ 0 };
	return machine_init(&machine, NULL, NULL);
}

static int finish(void **state)
{
	waiting_release(&wait_);
	lifelines_release(&lines);
	workload_release(&workload);
	machine_release(&machine);
	return 0;
}

/* A command of the shell, or none. */
static void begin(const char *command, struct control *control, struct lifelines *lifelines,
		  bool checks)
{
	static char shell[] = "sh", flag[] = "-c", text[64];
	static char *argv[] = { shell, flag, text, NULL }, *nothing[] = { NULL };
	cleanup_why struct why why = { 0 };
	sigset_t mask;

	sigemptyset(&mask);
	strcpy(text, command ? command : "");
	assert_int_equal(workload_init(&workload, command ? argv : nothing, &mask, &why), 0);
	if (command)
		assert_int_equal(workload_start(&workload, &why), 0);
	else
		workload_begin(&workload);
	assert_int_equal(waiting_begin(&wait_, &workload, &timing, control, lifelines, checks), 0);
}

static uint64_t start_ns(void)
{
	return workload.start_ns;
}

static enum wake next(void)
{
	return waiting_next(&wait_, &run);
}

/* A tick, not before its time; all ticks are counted. */
static void check_tick(uint64_t *ticks)
{
	assert_int_equal(next(), WAKE_TICK);
	*ticks += 1 + wait_.late;
	assert_int_equal(wait_.ticks, *ticks);
	assert_true(waiting_elapsed(&wait_) >= *ticks * timing.interval_ms * MS);
}

static void ticks_are_on_a_grid(void **state)
{
	uint64_t ticks = 0;

	timing.interval_ms = 5;
	begin(NULL, NULL, NULL, false);
	for (int i = 0; i < 8; i++)
		check_tick(&ticks);
	/* the work between two of them does not move the next one */
	assert_true(wait_.origin_ns == start_ns());
}

static void ticks_that_were_missed_are_counted_as_late(void **state)
{
	uint64_t ticks = 0;

	timing.interval_ms = 10;
	begin(NULL, NULL, NULL, false);
	usleep(55000);
	check_tick(&ticks);
	assert_true(wait_.late >= 4);
	check_tick(&ticks);
	usleep(25000);
	check_tick(&ticks);
	assert_true(wait_.late >= 1);
}

static void a_delay_comes_first_and_the_grid_begins_behind_it(void **state)
{
	uint64_t ticks = 0;

	timing.interval_ms = 10;
	timing.delay_ms = 30;
	begin(NULL, NULL, NULL, false);
	assert_int_equal(next(), WAKE_START);
	assert_true(workload_elapsed(&workload) >= 30 * MS);
	assert_true(wait_.origin_ns >= start_ns() + 30 * MS);
	check_tick(&ticks);
	assert_true(workload_elapsed(&workload) >= 40 * MS);
	check_tick(&ticks);
}

static void a_timeout_runs_from_behind_the_delay(void **state)
{
	timing.delay_ms = 20;
	timing.timeout_ms = 20;
	begin(NULL, NULL, NULL, false);
	assert_int_equal(next(), WAKE_START);
	assert_int_equal(next(), WAKE_TIMEOUT);
	assert_true(workload_elapsed(&workload) >= 40 * MS);
}

static void a_delay_for_ever_is_no_wake_up(void **state)
{
	timing.delay_ms = -1;
	timing.timeout_ms = 20;
	begin(NULL, NULL, NULL, false);
	assert_int_equal(next(), WAKE_TIMEOUT);
	assert_true(waiting_elapsed(&wait_) >= 20 * MS);
}

/* The tick of the same moment, too: no interval is lost. */
static void ticks_come_before_the_timeout(void **state)
{
	uint64_t ticks = 0;
	enum wake wake;

	timing.interval_ms = 10;
	timing.timeout_ms = 30;
	begin(NULL, NULL, NULL, false);
	while ((wake = next()) == WAKE_TICK)
		ticks += 1 + wait_.late;
	assert_int_equal(wake, WAKE_TIMEOUT);
	assert_true(ticks >= 3);
	assert_true(waiting_elapsed(&wait_) >= 30 * MS);
}

static void a_command_that_ends_is_reaped(void **state)
{
	begin("exit 3", NULL, NULL, false);
	assert_int_equal(next(), WAKE_ENDED);
	assert_true(WIFEXITED(run.wait_status));
	assert_int_equal(WEXITSTATUS(run.wait_status), 3);
	assert_int_equal(workload.pid, 0);
	assert_true(run.tool[TOOL_DURATION_TIME] > 0);
}

static void a_command_ends_between_ticks(void **state)
{
	uint64_t ticks = 0;
	enum wake wake;

	timing.interval_ms = 10;
	begin("sleep 0.1", NULL, NULL, false);
	while ((wake = next()) == WAKE_TICK)
		ticks += 1 + wait_.late;
	assert_int_equal(wake, WAKE_ENDED);
	assert_int_equal(wait_.ticks, ticks);
}

static void a_signal_ends_what_has_no_command(void **state)
{
	timing.interval_ms = 10000;
	begin(NULL, NULL, NULL, false);
	assert_int_equal(kill(getpid(), SIGTERM), 0);
	assert_int_equal(next(), WAKE_INTERRUPTED);
}

static void a_signal_is_waited_for_without_any_clock(void **state)
{
	pid_t child;

	begin(NULL, NULL, NULL, false);
	assert_int_equal(wait_.timer_fd, -1);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		usleep(20000);
		kill(getppid(), SIGTERM);
		_exit(0);
	}
	assert_int_equal(next(), WAKE_INTERRUPTED);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* A child that lives for so long, held by a lifeline. */
static pid_t hold_child(unsigned int ms)
{
	struct task_list processes = { 0 };
	const struct task_list none = { 0 };
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		usleep(ms * 1000);
		_exit(0);
	}
	assert_int_equal(task_list_add(&processes, child), 0);
	assert_int_equal(lifelines_open(&lines, &machine, &processes, &none), 0);
	task_list_release(&processes);
	return child;
}

static void the_last_task_that_ends_wakes(void **state)
{
	pid_t child = hold_child(30);

	begin(NULL, NULL, &lines, false);
	assert_int_equal(next(), WAKE_GONE);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void a_task_without_a_pidfd_is_looked_for(void **state)
{
	pid_t child = hold_child(30);

	if (lines.n > 0 && lines.v[0].fd >= 0)
		close(lines.v[0].fd);
	lines.v[0].fd = -ENOSYS;
	begin(NULL, NULL, &lines, false);
	assert_true(wait_.timer_fd >= 0);
	assert_int_equal(waitpid(child, NULL, 0), child); /* a zombie is still there */
	assert_int_equal(next(), WAKE_GONE);
}

static uint64_t cpu_ns(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return ((uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec) * 1000 * MS +
	       ((uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec) * 1000;
}

/* The command's end is what counts; the ended tasks neither wake nor keep awake. */
static void tasks_beside_a_command_may_end(void **state)
{
	pid_t child = hold_child(0);
	uint64_t before;

	assert_int_equal(waitpid(child, NULL, 0), child);
	begin("sleep 0.4", NULL, &lines, false);
	before = cpu_ns();
	assert_int_equal(next(), WAKE_ENDED);
	assert_true(cpu_ns() - before < 150 * MS);
}

static void a_command_of_control_wakes(void **state)
{
	cleanup_with(control_release) struct control control = { 0 };
	cleanup_why struct why why = { 0 };
	const char *line;

	assert_int_equal(control_open(&control, "region", &why), 0);
	timing.timeout_ms = 60000;
	begin(NULL, &control, NULL, false);
	assert_int_equal(write(control.command_fd, "ping\n", 5), 5);
	assert_int_equal(next(), WAKE_CONTROL);
	assert_int_equal(control_next(&control, &line), CONTROL_PING);
	assert_int_equal(control_next(&control, &line), CONTROL_NONE);
	assert_int_equal(write(control.command_fd, "stop\n", 5), 5);
	assert_int_equal(next(), WAKE_CONTROL);
	assert_int_equal(control_next(&control, &line), CONTROL_STOP);
}

/* A channel whose other end is closed is readable for ever. */
static void a_closed_control_does_not_keep_awake(void **state)
{
	cleanup_with(control_release) struct control control = { 0 };
	cleanup_why struct why why = { 0 };
	const char *line;

	assert_int_equal(control_open(&control, "region", &why), 0);
	timing.timeout_ms = 50;
	begin(NULL, &control, NULL, false);
	close(take_fd(&control.command_fd));
	assert_int_equal(next(), WAKE_CONTROL);
	assert_int_equal(control_next(&control, &line), CONTROL_CLOSED);
	assert_int_equal(next(), WAKE_TIMEOUT);
}

static void cpus_are_looked_at_now_and_then(void **state)
{
	begin(NULL, NULL, NULL, true);
	assert_int_equal(next(), WAKE_CHECK);
	assert_true(waiting_elapsed(&wait_) >= 90 * MS);
}

static void progress_is_told_now_and_then(void **state)
{
	timing.progress_ms = 30;
	timing.timeout_ms = 80;
	begin(NULL, NULL, NULL, false);
	assert_int_equal(next(), WAKE_PROGRESS);
	assert_true(waiting_elapsed(&wait_) >= 30 * MS);
	assert_int_equal(next(), WAKE_PROGRESS);
	assert_true(waiting_elapsed(&wait_) >= 60 * MS);
	waiting_forget_times(&wait_);
	assert_int_equal(wait_.progress_ns, 0);
}

static void times_that_are_forgotten_do_not_wake(void **state)
{
	timing.interval_ms = 5;
	timing.timeout_ms = 10;
	begin("sleep 0.5", NULL, NULL, true);
	assert_int_equal(next(), WAKE_TICK);
	waiting_forget_times(&wait_);
	assert_int_equal(next(), WAKE_ENDED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(ticks_are_on_a_grid),
		TEST(ticks_that_were_missed_are_counted_as_late),
		TEST(a_delay_comes_first_and_the_grid_begins_behind_it),
		TEST(a_timeout_runs_from_behind_the_delay),
		TEST(a_delay_for_ever_is_no_wake_up),
		TEST(ticks_come_before_the_timeout),
		TEST(a_command_that_ends_is_reaped),
		TEST(a_command_ends_between_ticks),
		TEST(a_signal_ends_what_has_no_command),
		TEST(a_signal_is_waited_for_without_any_clock),
		TEST(the_last_task_that_ends_wakes),
		TEST(a_task_without_a_pidfd_is_looked_for),
		TEST(tasks_beside_a_command_may_end),
		TEST(a_command_of_control_wakes),
		TEST(a_closed_control_does_not_keep_awake),
		TEST(cpus_are_looked_at_now_and_then),
		TEST(progress_is_told_now_and_then),
		TEST(times_that_are_forgotten_do_not_wake),
	};

	return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
