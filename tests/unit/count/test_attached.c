/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs on CPUs and tasks, with and without a command, with and without intervals. The clock and the
 * tasks are real, but the counters are fake. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/session_run.h"
#include "event/resolve.h"
#include "unit/descriptors.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { ROWS_MAX = 16, STEP_NS = 1000 };
enum { LONGEST_S = 100 }; /* ends a test that hangs */

static struct machine machine;
static struct event_list events;
static struct target target;
static struct session session;
static struct workload workload;
static struct session_setup setup;
static bool in_cgroup; /* the first event counts the cgroup "a" */

/* What the hooks saw. */
static struct {
	size_t intervals, missed;
	struct reading sums[ROWS_MAX];
	uint64_t duration_ns, last_ns;
	struct str cpus;
	uint64_t passed_ns, of_cpu_1_ns; /* how much was counted, and on CPU 1 */
	bool moves_cpu, cpu_1_is_away, has_come;
	size_t intervals_since;
	bool on_cpu_1[ROWS_MAX]; /* by event: whether it is on at the end */
} seen;

static void set_online(const char *online)
{
	tree_add(machine.root, "sys/devices/system/cpu/online", online);
}

static int start(void **state)
{
	fake_reset();
	signal(SIGTERM, SIG_DFL); /* whatever the test was started with */
	memset(&seen, 0, sizeof(seen));
	in_cgroup = false;
	machine.root = tree_new();
	set_online("0-1\n");
	tree_add(machine.root, "sys/devices/system/cpu/present", "0-1\n");
	setup = (struct session_setup){ .machine = &machine,
					.events = &events,
					.target = &target,
					.inherit = COUNTER_ALL_TASKS };
	return 0;
}

static int finish(void **state)
{
	workload_release(&workload);
	session_close(&session);
	target_release(&target);
	event_list_release(&events);
	str_release(&seen.cpus);
	tree_remove(machine.root);
	return 0;
}

static int try_open(const char *list, struct target_request request, const char *command,
		    struct why *why)
{
	static char shell[] = "sh", flag[] = "-c", text[64];
	static char *argv[] = { shell, flag, text, NULL }, *nothing[] = { NULL };
	sigset_t mask;

	sigemptyset(&mask);
	strcpy(text, command ? command : "");
	setup.has_command = command != NULL;
	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, list, &events, why), 0);
	assert_int_equal(target_init(&target, &machine, &request, why), 0);
	if (in_cgroup) {
		events.events[0].cgroup = strdup("a");
		assert_int_equal(target_open_cgroups(&target, &machine, &events, why), 0);
	}
	assert_int_equal(workload_init(&workload, command ? argv : nothing, &mask, why), 0);
	return session_open(&session, &setup, why);
}

static void open_session(const char *list, struct target_request request, const char *command)
{
	cleanup_why struct why why = { 0 };
	int err = try_open(list, request, command, &why);

	if (err < 0)
		fail_msg("%s", why_text(&why, err));
	assert_true(session.rows_n <= ROWS_MAX);
}

/* Counters that are on count from here to the next interval. */
static void pass_time(void)
{
	fake_advance_clock(STEP_NS);
	seen.passed_ns += STEP_NS;
	if (!seen.cpu_1_is_away)
		seen.of_cpu_1_ns += STEP_NS;
}

/* Whether the newest counter of this software event on CPU 1 is on. */
static bool is_on_cpu_1(__u64 config)
{
	for (size_t i = fake_opens_n; i-- > 0;)
		if (fake_opens[i].cpu == 1 && fake_opens[i].attr.config == config &&
		    fake_opens[i].result >= 0)
			return fake_opens[i].on;
	fail_msg("no counter of event %d on CPU 1", (int)config);
	return false;
}

/* If the test moves a CPU: CPU 1 goes offline after the second interval, comes back when this was
 * reported, and the run ends after two more intervals. */
static void move_cpu(void)
{
	if (!seen.moves_cpu)
		return;
	if (seen.intervals == 2) {
		fake_cpu_offline(1);
		set_online("0\n");
		seen.cpu_1_is_away = true;
	}
	if (!seen.has_come || ++seen.intervals_since != 2)
		return;
	for (size_t i = 0; i < events.n; i++)
		seen.on_cpu_1[i] = is_on_cpu_1(events.events[i].attr.config);
	kill(getpid(), SIGTERM);
}

static int on_interval(const struct session *s, const struct interval *interval, void *data)
{
	seen.intervals++;
	seen.missed += interval->missed;
	for (size_t i = 0; i < s->rows_n; i++) {
		seen.sums[i].counts.raw += interval->run.readings[i].counts.raw;
		seen.sums[i].counts.enabled_ns += interval->run.readings[i].counts.enabled_ns;
		seen.sums[i].counts.running_ns += interval->run.readings[i].counts.running_ns;
	}
	assert_true(interval->at_ns > seen.last_ns);
	assert_true(interval->run.tool[TOOL_DURATION_TIME] == interval->at_ns - seen.last_ns);
	seen.last_ns = interval->at_ns;
	seen.duration_ns += interval->run.tool[TOOL_DURATION_TIME];
	pass_time();
	move_cpu();
	return 0;
}

static void on_cpu(int cpu, enum cpu_change change, void *data)
{
	if (change == CPU_GONE) {
		fake_cpu_online(1);
		set_online("0-1\n");
	} else {
		seen.cpu_1_is_away = false; /* it is opened and switched on next */
		seen.has_come = true;
	}
	str_addf(&seen.cpus, "%c%d", change == CPU_GONE ? '-' : '+', cpu);
}

static struct run run_once(void)
{
	static const struct session_hooks hooks = { .interval = on_interval, .cpu = on_cpu };
	cleanup_why struct why why = { 0 };
	struct run run;
	int err = session_run(&session, &(struct session_turn){ &workload, &hooks }, &run, &why);

	if (err < 0)
		fail_msg("%s", why_text(&why, err));
	return run;
}

static const struct target_request all_cpus = { .all_cpus = true };

/* ---- Intervals. */

static void intervals_add_up_to_the_run(void **state)
{
	struct run run;

	setup.timing = (struct timing){ .interval_ms = 5, .timeout_ms = 42 };
	open_session("cs,{cycles,instructions},duration_time", all_cpus, NULL);
	run = run_once();
	assert_true(seen.intervals >= 2);
	assert_true(seen.intervals + seen.missed >= 9); /* 8 whole ones, and the rest */
	for (size_t i = 0; i < 3; i++) {
		__u64 config = events.events[i].attr.config;
		uint64_t rate = fake_rate(config, -1, 0) + fake_rate(config, -1, 1);

		assert_int_equal(run.readings[i].state, COUNTED);
		/* time after the last interval was not counted */
		assert_int_equal(run.readings[i].counts.raw, rate * (seen.passed_ns - STEP_NS));
		assert_int_equal(run.readings[i].counts.raw, seen.sums[i].counts.raw);
		assert_int_equal(run.readings[i].counts.enabled_ns, seen.sums[i].counts.enabled_ns);
		assert_int_equal(run.readings[i].counts.running_ns, seen.sums[i].counts.running_ns);
	}
	assert_true(run.readings[3].counts.raw == seen.duration_ns);
	assert_true(run.tool[TOOL_DURATION_TIME] >= 42000000);
	run_release(&run);
}

static int refuse_second_interval(const struct session *s, const struct interval *interval,
				  void *data)
{
	int err = on_interval(s, interval, data);

	if (seen.intervals == 1)
		fake_refuse_readings(EIO, 2); /* all that the next interval is made of */
	else
		*(bool *)data |= interval->run.readings[0].state == FAILED;
	return err;
}

static void counts_that_an_interval_could_not_read_are_in_a_later_one(void **state)
{
	bool has_failed = false;
	const struct session_hooks hooks = { .interval = refuse_second_interval,
					     .data = &has_failed };
	cleanup_why struct why why = { 0 };
	struct run run;

	setup.timing = (struct timing){ .interval_ms = 5, .interval_count = 4 };
	open_session("cs,faults", (struct target_request){ .cpus = "0" }, NULL);
	assert_int_equal(
		session_run(&session, &(struct session_turn){ &workload, &hooks }, &run, &why), 0);
	assert_true(has_failed);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(run.readings[i].state, COUNTED);
		assert_int_equal(run.readings[i].counts.raw, seen.sums[i].counts.raw);
	}
	run_release(&run);
}

static void counting_ends_after_the_requested_intervals(void **state)
{
	struct run run;

	setup.timing = (struct timing){ .interval_ms = 5, .interval_count = 3 };
	open_session("cs", all_cpus, NULL);
	run = run_once();
	assert_int_equal(seen.intervals, 3);
	assert_int_equal(run.readings[0].counts.raw, seen.sums[0].counts.raw);
	assert_int_equal(run.readings[0].counts.raw,
			 2 * STEP_NS * (fake_rate(3, -1, 0) + fake_rate(3, -1, 1)));
	run_release(&run);
}

static int stop_at_once(const struct session *s, const struct interval *interval, void *data)
{
	++*(size_t *)data;
	return -EPIPE;
}

static void the_result_of_the_interval_hook_ends_the_run(void **state)
{
	size_t intervals = 0;
	const struct session_hooks hooks = { .interval = stop_at_once, .data = &intervals };
	cleanup_why struct why why = { 0 };
	struct run run;

	setup.timing.interval_ms = 5;
	open_session("cs", all_cpus, NULL);
	assert_int_equal(session_run(&session, &(struct session_turn){ &workload, &hooks }, &run,
				     &why),
			 -EPIPE);
	assert_int_equal(intervals, 1);
}

/* ---- CPUs. */

static void each_run_is_switched_on_and_off(void **state)
{
	size_t opens;

	setup.timing.timeout_ms = 5;
	open_session("{cycles,cs}", all_cpus, NULL);
	opens = fake_opens_n;
	for (size_t i = 1; i <= 2; i++) {
		struct run run = run_once();

		assert_int_equal(fake_switches_n, i * 4); /* two CPUs on, and off */
		assert_int_equal(run.wait_status, 0);
		run_release(&run);
	}
	assert_int_equal(fake_opens_n, opens);
}

/* A cgroup's clock continues from its value when its last event was closed. */
static void time_that_a_cgroup_gains_when_switched_on_is_not_counted(void **state)
{
	static const struct counts readings[] = {
		/* at the start, before and after switching on, at the end */
		{ 0, 0, 0 },
		{ 0, 0, 0 },
		{ 2, 5000000000, 1000000000 },
		{ 9, 5000000100, 1000000100 },
		{ 9, 5000000100, 1000000100 },
		{ 9, 5000000100, 1000000100 },
		{ 9, 7000000100, 1000000100 },
		{ 12, 7000000300, 1000000200 },
	};
	struct run run;

	tree_add(machine.root, "proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
	tree_add(machine.root, "sys/fs/cgroup/a/cgroup.procs", "");
	setup.timing.timeout_ms = 5;
	in_cgroup = true;
	open_session("cs", (struct target_request){ .cpus = "0" }, NULL);
	fake_readings(PERF_TYPE_SOFTWARE, 3, readings, N_OF(readings));
	run = run_once();
	assert_int_equal(run.readings[0].state, COUNTED);
	assert_memory_equal(&run.readings[0].counts, (&(struct counts){ 9, 100, 100 }),
			    sizeof(struct counts));
	run_release(&run);
	run = run_once();
	assert_int_equal(run.readings[0].state, SCALED);
	assert_memory_equal(&run.readings[0].counts, (&(struct counts){ 3, 200, 100 }),
			    sizeof(struct counts));
	run_release(&run);
}

/* A channel whose commands have arrived already. Close control->ctl_fd. */
static void open_control(struct control *control, const char *commands)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], commands, strlen(commands)), strlen(commands));
	close(ends[1]);
	*control = (struct control){
		.form = CONTROL_FD, .ctl_fd = ends[0], .ack_fd = -1, .command_fd = -1
	};
	setup.control = control;
}

static void time_that_a_cgroup_gains_when_switched_on_by_name_is_not_counted(void **state)
{
	static const struct counts readings[] = {
		/* at the start, before and after switching on, before the second command, at the
		 * end */
		{ 0, 0, 0 },
		{ 0, 0, 0 },
		{ 2, 5000000000, 1000000000 },
		{ 3, 5000000020, 1000000020 },
		{ 4, 5000000030, 1000000030 },
		{ 9, 5000000100, 1000000100 },
	};
	struct control control;
	struct run run;

	tree_add(machine.root, "proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
	tree_add(machine.root, "sys/fs/cgroup/a/cgroup.procs", "");
	open_control(&control, "enable cs\nenable cs\n");
	setup.timing = (struct timing){ .delay_ms = -1, .timeout_ms = 20 };
	in_cgroup = true;
	open_session("cs", (struct target_request){ .cpus = "0" }, NULL);
	fake_readings(PERF_TYPE_SOFTWARE, 3, readings, N_OF(readings));
	run = run_once();
	assert_int_equal(run.readings[0].state, COUNTED);
	assert_memory_equal(&run.readings[0].counts, (&(struct counts){ 9, 100, 100 }),
			    sizeof(struct counts));
	run_release(&run);
	close(control.ctl_fd);
}

static void an_event_that_is_never_switched_on_has_a_reason(void **state)
{
	struct run run;

	setup.timing = (struct timing){ .delay_ms = -1, .timeout_ms = 10 };
	open_session("cycles", all_cpus, NULL);
	run = run_once();
	assert_int_equal(fake_switches_n, 2); /* off alone */
	assert_int_equal(run.readings[0].state, NOT_COUNTED);
	assert_int_equal(session_explain(&session, &run, 1, REASONS_ALL), 0);
	assert_non_null(strstr(session.openings[0].reason.text, "never switched on"));
	run_release(&run);
}

/* A CPU comes back a second later: it is opened again, and its earlier counts stay. */
static void a_cpu_that_goes_and_comes_is_counted_while_it_is_there(void **state)
{
	const struct target_request request = { .all_cpus = true, .split = PLACE_CPU };
	struct run run;

	setup.timing = (struct timing){ .interval_ms = 50, .timeout_ms = 60000 };
	open_session("cs", request, NULL);
	seen.moves_cpu = true;
	run = run_once();
	assert_string_equal(str_text(&seen.cpus), "-1+1");
	assert_false(target.scopes[1].gone);
	assert_true(target.scopes[1].returned);
	assert_int_equal(session.rows[1].counters, 1);
	assert_int_equal(run.readings[0].counts.raw,
			 (seen.passed_ns - STEP_NS) * fake_rate(3, -1, 0));
	assert_int_equal(run.readings[1].counts.enabled_ns, seen.of_cpu_1_ns - STEP_NS);
	assert_true(run.readings[1].counts.enabled_ns < run.readings[0].counts.enabled_ns);
	assert_int_equal(run.readings[1].counts.raw,
			 (seen.of_cpu_1_ns - STEP_NS) * fake_rate(3, -1, 1));
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(run.readings[i].counts.raw, seen.sums[i].counts.raw);
	run_release(&run);
}

static void a_cpu_that_comes_back_respects_switched_events(void **state)
{
	static const struct {
		const char *commands;
		bool on[3];
	} cases[] = {
		{ "enable\n", { true, true, true } },
		{ "enable\ndisable faults\ndisable cpu-migrations\n", { true, false, false } },
		{ "enable cs\n", { true, true, false } },
		{ "enable\ndisable\nenable cpu-migrations\n", { false, false, true } },
		{ "disable faults\nenable\n", { true, true, true } },
		{ "disable faults\ndisable\nenable cs\n", { true, false, false } },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		struct control control;
		struct run run;

		if (i > 0)
			start(state);
		open_control(&control, cases[i].commands);
		setup.timing =
			(struct timing){ .interval_ms = 20, .delay_ms = -1, .timeout_ms = 60000 };
		open_session("{cs,faults},cpu-migrations", all_cpus, NULL);
		seen.moves_cpu = true;
		run = run_once();
		assert_string_equal(str_text(&seen.cpus), "-1+1");
		assert_memory_equal(seen.on_cpu_1, cases[i].on, sizeof(cases[i].on));
		run_release(&run);
		close(control.ctl_fd);
		if (i + 1 < N_OF(cases))
			finish(state);
	}
}

static void events_of_a_command_need_a_command(void **state)
{
	open_session("user_time,duration_time,max_rss,cs", all_cpus, NULL);
	assert_int_equal(session_refused(&session), 2);
	assert_true(session.openings[0].refused && session.openings[2].refused);
	assert_string_equal(session.openings[0].reason.text,
			    "pstat can measure it for a command only");
}

/* ---- With a command. */

static void a_commands_end_ends_the_counting_of_cpus(void **state)
{
	struct run run;

	open_session("cs,duration_time", all_cpus, "exit 4");
	for (size_t i = 0; i < 2; i++) {
		run = run_once();
		assert_int_equal(WEXITSTATUS(run.wait_status), 4);
		assert_true(run.tool[TOOL_DURATION_TIME] > 0);
		run_release(&run);
	}
	assert_int_equal(fake_opens_n, 2 + 2);
	for (size_t i = 0; i < fake_opens_n; i++)
		assert_int_equal(fake_opens[i].pid, -1);
}

static void a_command_is_ended_by_the_timeout(void **state)
{
	struct run run;

	setup.timing.timeout_ms = 20;
	open_session("cs", all_cpus, "exec sleep 60");
	run = run_once();
	assert_true(WIFSIGNALED(run.wait_status));
	assert_int_equal(WTERMSIG(run.wait_status), SIGTERM);
	assert_true(workload.ended);
	assert_true(run.tool[TOOL_DURATION_TIME] >= 20000000);
	assert_true(run.tool[TOOL_DURATION_TIME] < UINT64_C(50000000000));
	run_release(&run);
}

static void say_more(const char *line, void *data)
{
	assert_int_equal(write(*(int *)data, "no\n", 3), 3);
}

/* However many commands arrive. */
static void commands_that_never_end_keep_no_time_from_being_over(void **state)
{
	struct control control = { .form = CONTROL_FD, .ack_fd = -1, .command_fd = -1 };
	cleanup_why struct why why = { 0 };
	struct session_hooks hooks = { .unknown_command = say_more };
	struct run run;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	control.ctl_fd = ends[0];
	hooks.data = &ends[1];
	setup.control = &control;
	setup.timing.timeout_ms = 20;
	open_session("cs", all_cpus, NULL);
	say_more("", &ends[1]);
	alarm(LONGEST_S);
	assert_int_equal(
		session_run(&session, &(struct session_turn){ &workload, &hooks }, &run, &why), 0);
	alarm(0);
	run_release(&run);
	close(ends[0]);
	close(ends[1]);
}

/* Reporting an interval takes longer than the interval. */
static int take_long(const struct session *s, const struct interval *interval, void *data)
{
	int *ends = data;

	usleep(3000);
	if (ends && seen.intervals == 5)
		assert_int_equal(write(ends[1], "stop\n", 5), 5);
	return on_interval(s, interval, NULL);
}

static struct run run_with_long_intervals(const char *list, struct target_request request,
					  int *ends)
{
	struct session_hooks hooks = { .interval = take_long, .data = ends };
	cleanup_why struct why why = { 0 };
	struct run run;

	setup.timing.interval_ms = 1;
	open_session(list, request, NULL);
	alarm(LONGEST_S);
	assert_int_equal(
		session_run(&session, &(struct session_turn){ &workload, &hooks }, &run, &why), 0);
	alarm(0);
	assert_true(seen.missed >
		    0); /* missed intervals are counted, in the interval that they became part of */
	return run;
}

static void long_intervals_do_not_delay_the_timeout(void **state)
{
	struct run run;

	setup.timing.timeout_ms = 50;
	run = run_with_long_intervals("cs", all_cpus, NULL);
	assert_true(run.tool[TOOL_DURATION_TIME] >= 50000000);
	run_release(&run);
}

static void long_intervals_do_not_delay_control(void **state)
{
	struct control control = { .form = CONTROL_FD, .ack_fd = -1, .command_fd = -1 };
	struct run run;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	control.ctl_fd = ends[0];
	setup.control = &control;
	run = run_with_long_intervals("cs", all_cpus, ends);
	run_release(&run);
	close(ends[0]);
	close(ends[1]);
}

static int let_go(const struct session *s, const struct interval *interval, void *data)
{
	assert_int_equal(write(*(int *)data, "\n", 1), 1);
	return on_interval(s, interval, NULL);
}

/* The command runs on. The run has the status of its end, and the time of the counting. */
static void a_command_outlives_its_intervals(void **state)
{
	int ends[2];
	const struct session_hooks hooks = { .interval = let_go, .data = &ends[1] };
	cleanup_why struct why why = { 0 };
	char command[64];
	struct run run;

	setup.timing = (struct timing){ .interval_ms = 5, .interval_count = 1 };
	assert_int_equal(pipe(ends), 0);
	snprintf(command, sizeof(command), "read line </proc/self/fd/%d; exit 5", ends[0]);
	open_session("cs", all_cpus, command);
	assert_int_equal(
		session_run(&session, &(struct session_turn){ &workload, &hooks }, &run, &why), 0);
	assert_int_equal(seen.intervals, 1);
	assert_int_equal(WEXITSTATUS(run.wait_status), 5);
	assert_true(run.tool[TOOL_DURATION_TIME] >= seen.last_ns);
	run_release(&run);
	close(ends[0]);
	close(ends[1]);
}

/* ---- Tasks. */

/* A child that ends some milliseconds after a byte was written to child_starts[1]. */
static int child_starts[2];
static pid_t start_child(unsigned int ms, char pids[16])
{
	pid_t child;

	assert_int_equal(pipe(child_starts), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		char byte;

		alarm(LONGEST_S);
		if (read(child_starts[0], &byte, 1) == 1)
			usleep(ms * 1000);
		_exit(0);
	}
	close(child_starts[0]);
	snprintf(pids, 16, "%d", child);
	return child;
}

static void let_child_go(const struct open_call *call)
{
	assert_int_equal(write(child_starts[1], "", 1), 1);
}

static void counting_ends_with_the_last_task(void **state)
{
	char pids[16];
	pid_t child = start_child(30, pids);
	char *root = machine.root;
	static char here[] = "";
	struct run run;

	machine.root = here;
	setup.watch = let_child_go;
	open_session("cs", (struct target_request){ .pids = pids }, NULL);
	assert_int_equal(fake_opens[0].pid, child);
	assert_int_equal(fake_opens[0].attr.inherit, 1);
	run = run_once();
	run_release(&run);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(child_starts[1]);
	machine.root = root;
}

/* The tasks end on time, however long each interval takes. */
static void long_intervals_do_not_delay_the_end_of_tasks(void **state)
{
	char pids[16];
	pid_t child = start_child(0, pids);
	char *root = machine.root;
	static char here[] = "";
	struct run run;

	machine.root = here;
	run = run_with_long_intervals("cs", (struct target_request){ .pids = pids }, child_starts);
	run_release(&run);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(child_starts[1]);
	machine.root = root;
}

static pid_t doomed;
static void end_doomed(const struct open_call *call)
{
	kill(doomed, SIGKILL);
	assert_int_equal(waitpid(doomed, NULL, 0), doomed);
	close(child_starts[1]);
}

/* It was counted, and ended before it was watched: no event would report its end. */
static void a_task_that_ended_after_its_opening_is_not_awaited(void **state)
{
	char pids[16];
	char *root = machine.root;
	static char here[] = "";
	struct run run;

	doomed = start_child(0, pids);
	machine.root = here;
	setup.watch = end_doomed;
	alarm(LONGEST_S);
	open_session("cs", (struct target_request){ .pids = pids }, NULL);
	run = run_once();
	alarm(0);
	run_release(&run);
	machine.root = root;
}

static bool is_any(const struct fake_open *call)
{
	return call->pid > 0;
}

static void an_error_says_that_all_tasks_have_ended(void **state)
{
	cleanup_why struct why why = { 0 };

	tree_add(machine.root, "proc/10/task/10/comm", "x\n");
	fake_refuse(ESRCH, is_any);
	assert_int_equal(try_open("cs", (struct target_request){ .pids = "10" }, NULL, &why),
			 -ESRCH);
	assert_string_equal(why_text(&why, -ESRCH), "the tasks that were to be counted have ended");
}

/* ---- The end. */

static void nothing_stays_open(void **state)
{
	static const char *const commands[] = { NULL, ":" };

	for (size_t i = 0; i < N_OF(commands); i++) {
		size_t before = count_descriptors();
		struct run run;

		setup.timing = (struct timing){ .interval_ms = 5, .timeout_ms = 20 };
		open_session("{cycles,instructions},cs", all_cpus, commands[i]);
		run = run_once();
		run_release(&run);
		finish(NULL);
		assert_int_equal(count_descriptors(), before);
		start(NULL);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(intervals_add_up_to_the_run),
		TEST(counts_that_an_interval_could_not_read_are_in_a_later_one),
		TEST(counting_ends_after_the_requested_intervals),
		TEST(the_result_of_the_interval_hook_ends_the_run),
		TEST(each_run_is_switched_on_and_off),
		TEST(time_that_a_cgroup_gains_when_switched_on_is_not_counted),
		TEST(time_that_a_cgroup_gains_when_switched_on_by_name_is_not_counted),
		TEST(an_event_that_is_never_switched_on_has_a_reason),
		TEST(a_cpu_that_goes_and_comes_is_counted_while_it_is_there),
		TEST(a_cpu_that_comes_back_respects_switched_events),
		TEST(events_of_a_command_need_a_command),
		TEST(a_commands_end_ends_the_counting_of_cpus),
		TEST(a_command_is_ended_by_the_timeout),
		TEST(a_command_outlives_its_intervals),
		TEST(commands_that_never_end_keep_no_time_from_being_over),
		TEST(long_intervals_do_not_delay_the_timeout),
		TEST(long_intervals_do_not_delay_control),
		TEST(long_intervals_do_not_delay_the_end_of_tasks),
		TEST(counting_ends_with_the_last_task),
		TEST(a_task_that_ended_after_its_opening_is_not_awaited),
		TEST(an_error_says_that_all_tasks_have_ended),
		TEST(nothing_stays_open),
	};

	return cmocka_run_group_tests_name("attached", tests, NULL, NULL);
}
