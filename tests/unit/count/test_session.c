/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of a real command, counted by the fake kernel. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "count/session_run.h"
#include "event/resolve.h"
#include "event/source.h"
#include "unit/build.h"
#include "unit/descriptors.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

static struct machine machine;
static struct event_list events;
static struct target target;
static struct session session;
static struct workload workload;
static const struct session_hooks no_hooks = { 0 };

static int set_up(void **state)
{
	machine.root = tree_new();
	tree_add(machine.root, "sys/bus/event_source/uevent", "");
	tree_add(machine.root, "proc/sys/kernel/nmi_watchdog", "1\n");
	tree_add(machine.root, "sys/bus/event_source/devices/cpu/type", "4\n");
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static int start(void **state)
{
	fake_reset();
	return 0;
}

/* Resolve the events and open a session for them. */
static void prepare(enum counter_inherit inherit)
{
	static const struct target_request nothing = { 0 };
	cleanup_why struct why why = { 0 };
	const struct session_setup setup = { .machine = &machine,
					     .events = &events,
					     .target = &target,
					     .inherit = inherit,
					     .has_command = true,
					     .perf_scaling = true };

	assert_int_equal(target_init(&target, &machine, &nothing, &why), 0);
	assert_int_equal(session_open(&session, &setup, &why), 0);
}

static void prepare_events(const char *list, enum counter_inherit inherit)
{
	cleanup_why struct why why = { 0 };

	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, list, &events, &why), 0);
	prepare(inherit);
}

static void prepare_workload(const char *command)
{
	static char shell[] = "sh", flag[] = "-c", text[256];
	static char *argv[] = { shell, flag, text, NULL };
	cleanup_why struct why why = { 0 };
	sigset_t mask;

	strcpy(text, command);
	sigemptyset(&mask);
	assert_int_equal(workload_init(&workload, argv, &mask, &why), 0);
}

static void open_session(const char *list, enum counter_inherit inherit, const char *command)
{
	prepare_events(list, inherit);
	prepare_workload(command);
}

static void close_session(void)
{
	workload_release(&workload);
	session_close(&session);
	target_release(&target);
	event_list_release(&events);
}

static struct run run_with(const struct session_hooks *hooks, size_t round)
{
	const struct session_turn turn = { &workload, hooks, round, 0 };
	cleanup_why struct why why = { 0 };
	struct run run;
	int err = session_run(&session, &turn, &run, &why);

	if (err < 0)
		fail_msg("%s", why_text(&why, err));
	return run;
}

static struct run run_in_round(size_t round)
{
	return run_with(&no_hooks, round);
}

static struct run run_once(void)
{
	return run_in_round(0);
}

static void check(int line, const struct run *run, size_t i, enum count_state state, uint64_t raw,
		  uint64_t enabled_ns, uint64_t running_ns)
{
	const struct {
		int line;
	} row = { line };

	row_int(&row, run->readings[i].state, state);
	row_int(&row, run->readings[i].counts.raw, raw);
	row_int(&row, run->readings[i].counts.enabled_ns, enabled_ns);
	row_int(&row, run->readings[i].counts.running_ns, running_ns);
}

static void pass_a_millisecond(void *data)
{
	fake_advance_clock(1000000);
}

static const struct session_hooks time_passes = { .progress = pass_a_millisecond };

/* Open a session for two events that share one counter, with the settings of special. */
static void prepare_sharing(const struct session_setup *special)
{
	static const struct target_request nothing = { 0 };
	cleanup_why struct why why = { 0 };
	struct session_setup setup = *special;

	setup.machine = &machine;
	setup.events = &events;
	setup.target = &target;
	setup.inherit = COUNTER_ALL_TASKS;
	setup.has_command = true;
	setup.timing.progress_ms = 1;
	fake_pmu_counters(1);
	fake_accept_clocks();
	fake_pass_with_each_reading(10); /* so that time running grows in trials */
	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "r1,r2", &events, &why), 0);
	assert_int_equal(target_init(&target, &machine, &nothing, &why), 0);
	assert_int_equal(session_open(&session, &setup, &why), 0);
}

static void the_kernel_rotates_with_options_that_exclude_turns(void **state)
{
	static const size_t units[] = { 0, 1 };
	static struct control control;
	static const struct {
		int line;
		size_t turns_n;
		struct session_setup special;
	} cases[] = {
		{ ROW, 2, { .reopens = false } },	 { ROW, 2, { .timing.delay_ms = 10 } },
		{ ROW, 2, { .timing.timeout_ms = 10 } }, { ROW, 0, { .timing.interval_ms = 10 } },
		{ ROW, 0, { .control = &control } },	 { ROW, 0, { .units = units } },
		{ ROW, 0, { .perf_scaling = true } },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		fake_reset();
		prepare_sharing(&cases[i].special);
		row_int(&cases[i], session.turns.n, cases[i].turns_n);
		session_close(&session);
		target_release(&target);
		event_list_release(&events);
	}
}

/* With -D, the second run ends before the delay is over, so it has no samples. */
static void a_run_does_not_use_the_samples_of_the_last_run(void **state)
{
	struct run run;

	prepare_sharing(&(struct session_setup){ .timing.delay_ms = 50 });
	prepare_workload("sleep 0.2");
	run = run_with(&time_passes, 0);
	assert_true(session.sampler.n > 0);
	assert_true(run.readings[0].has_estimate && run.readings[1].has_estimate);
	run_release(&run);
	workload_release(&workload);
	prepare_workload("exit 0");
	run = run_with(&time_passes, 0);
	assert_int_equal(session.sampler.n, 0);
	run_release(&run);
	close_session();
}

static void a_run_is_the_difference_of_two_readings(void **state)
{
	/* no counter ran between the runs: the second run starts from the last readings of the
	 * first */
	static const struct counts cycles[] = { { 5, 50, 50 },
						{ 105, 150, 150 },
						{ 405, 350, 250 } };
	static const struct counts switches[] = { { 0 }, { 3, 100, 100 }, { 3, 100, 100 } };
	struct run run;

	fake_readings(PERF_TYPE_HARDWARE, 0, cycles, N_OF(cycles));
	fake_readings(PERF_TYPE_SOFTWARE, 3, switches, N_OF(switches));
	open_session("cycles,cs", COUNTER_ALL_TASKS, ":");
	run = run_once();
	check(__LINE__, &run, 0, COUNTED, 100, 100, 100);
	check(__LINE__, &run, 1, COUNTED, 3, 100, 100);
	run_release(&run);
	run = run_once();
	check(__LINE__, &run, 0, SCALED, 300, 200, 100);
	check(__LINE__, &run, 1, NOT_COUNTED, 0, 0, 0); /* never ran: no 0 */
	run_release(&run);
	close_session();
}

static void counts_between_two_runs_are_in_neither(void **state)
{
	static const struct counts cycles[] = {
		{ 5, 50, 50 }, { 105, 150, 150 }, { 107, 152, 152 }, { 407, 352, 352 }
	};
	static char name[] = "true";
	static char *extra_output[] = { name, NULL };
	cleanup_why struct why why = { 0 };
	struct run run;
	int status;

	fake_readings(PERF_TYPE_HARDWARE, 0, cycles, N_OF(cycles));
	open_session("cycles", COUNTER_ALL_TASKS, ":");
	run = run_once();
	check(__LINE__, &run, 0, COUNTED, 100, 100, 100);
	run_release(&run);
	assert_int_equal(workload_run_other(&workload, extra_output, &status, &why), 0);
	run = run_once();
	check(__LINE__, &run, 0, COUNTED, 300, 200, 200);
	run_release(&run);
	close_session();
}

/* A count may wrap around; the difference does not. */
static void a_difference_survives_the_wrap_of_a_counter(void **state)
{
	static const struct counts cycles[] = { { UINT64_MAX - 1, 10, 10 }, { 8, 20, 20 } };
	struct run run;

	fake_readings(PERF_TYPE_HARDWARE, 0, cycles, N_OF(cycles));
	open_session("cycles", COUNTER_ALL_TASKS, ":");
	run = run_once();
	check(__LINE__, &run, 0, COUNTED, 10, 10, 10);
	run_release(&run);
	close_session();
}

static void the_counters_of_all_tasks_are_opened_once(void **state)
{
	size_t opens;

	open_session("{cycles,cs}", COUNTER_ALL_TASKS, ":");
	opens = fake_opens_n;
	for (size_t i = 0; i < 3; i++) {
		struct run run = run_once();

		run_release(&run);
	}
	assert_int_equal(fake_opens_n, opens);
	assert_int_equal(fake_reads_n, 2 + 1 + 1);
	close_session();
}

/* After a multiplexed run, the groups that share counters are opened in another order. A tracepoint
 * is slow to open, so it stays open. */
static void a_tracepoint_stays_open_while_the_order_changes(void **state)
{
	static struct counts many[200];
	cleanup_why struct why why = { 0 };
	size_t tracepoints = 0;

	for (size_t i = 0; i < 200; i++)
		many[i] = (struct counts){ i * 10, i * 100, i * 50 };
	fake_readings(PERF_TYPE_HARDWARE, 0, many, 200);
	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "cycles,cs,instructions", &events,
					&why),
			 0);
	events.events[1].attr.type = PERF_TYPE_TRACEPOINT;
	prepare(COUNTER_ALL_TASKS);
	prepare_workload(":");
	for (size_t round = 0; round < 2; round++) {
		struct run run = run_in_round(round);

		assert_int_equal(run.readings[0].state, SCALED);
		run_release(&run);
	}
	assert_int_equal(fake_opens[fake_opens_n - 2].attr.config, PERF_COUNT_HW_INSTRUCTIONS);
	assert_int_equal(fake_opens[fake_opens_n - 1].attr.config, PERF_COUNT_HW_CPU_CYCLES);
	for (size_t i = 0; i < fake_opens_n; i++)
		tracepoints += fake_opens[i].attr.type == PERF_TYPE_TRACEPOINT;
	assert_int_equal(tracepoints, 1);
	close_session();
}

/* Without a descriptor for the timer of turns, the kernel rotates the events. */
static void there_are_no_turns_without_a_timer(void **state)
{
	struct rlimit limit, low;
	int fd = dup(STDERR_FILENO);

	close(fd);
	prepare_sharing(&(struct session_setup){ .reopens = false });
	assert_int_equal(session.turns.n, 2);
	close_session();
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	low = limit;
	low.rlim_cur = (rlim_t)fd; /* no descriptor is free while the session opens its timer */
	fake_hand_out_numbers();
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	prepare_sharing(&(struct session_setup){ .reopens = false });
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(session.turns.n, 0);
	close_session();
}

static void the_first_tasks_are_opened_in_each_run_on_the_child(void **state)
{
	open_session("cycles,cs", COUNTER_FIRST_TASK, ":");
	assert_int_equal(fake_opens_n, 0);
	for (size_t i = 0; i < 2; i++) {
		struct run run = run_once();

		run_release(&run);
	}
	assert_int_equal(fake_opens_n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(fake_opens[i].pid > 0);
	assert_int_equal(fake_opens[0].pid, fake_opens[1].pid);
	assert_int_not_equal(fake_opens[0].pid, fake_opens[2].pid);
	close_session();
}

static void each_row_has_its_own_state(void **state)
{
	static const struct counts clock[] = { { 10, 10, 10 }, { 30, 30, 30 } };
	struct run run;

	fake_refuse_event(ENOENT, PERF_TYPE_HARDWARE, 0);
	fake_read_result(PERF_TYPE_HARDWARE, 1, 0);
	fake_readings(PERF_TYPE_SOFTWARE, 1, clock, 2);
	open_session("cycles,instructions:D,task-clock,faults", COUNTER_ALL_TASKS, ":");
	assert_int_equal(session_refused(&session), 1);
	run = run_once();
	check(__LINE__, &run, 0, NOT_SUPPORTED, 0, 0, 0);
	check(__LINE__, &run, 1, FAILED, 0, 0, 0);
	check(__LINE__, &run, 2, COUNTED, 20, 20, 20);
	check(__LINE__, &run, 3, NOT_COUNTED, 0, 0, 0);
	run_release(&run);
	close_session();
}

static void tool_events_have_the_times_of_the_run(void **state)
{
	uint64_t elapsed_ns, user_ns, system_ns;
	struct run run;

	open_session("duration_time,user_time,system_time,max_rss,minor_faults_rusage",
		     COUNTER_ALL_TASKS, "exit 3");
	run = run_once();
	elapsed_ns = run.tool[TOOL_DURATION_TIME];
	user_ns = run.tool[TOOL_USER_TIME];
	system_ns = run.tool[TOOL_SYSTEM_TIME];
	check(__LINE__, &run, 0, COUNTED, elapsed_ns, elapsed_ns, elapsed_ns);
	check(__LINE__, &run, 1, COUNTED, user_ns, user_ns, user_ns);
	check(__LINE__, &run, 2, COUNTED, system_ns, system_ns, system_ns);
	/* an event that is not a clock ran as long as the command */
	check(__LINE__, &run, 3, COUNTED, run.tool[TOOL_MAX_RSS], elapsed_ns, elapsed_ns);
	check(__LINE__, &run, 4, COUNTED, run.tool[TOOL_MINOR_FAULTS], elapsed_ns, elapsed_ns);
	assert_true(elapsed_ns > 0);
	assert_true(run.tool[TOOL_MAX_RSS] > 0);
	assert_true(run.tool[TOOL_MINOR_FAULTS] > 0);
	assert_true(WIFEXITED(run.wait_status));
	assert_int_equal(WEXITSTATUS(run.wait_status), 3);
	run_release(&run);
	close_session();
}

static void an_event_that_never_ran_has_a_reason(void **state)
{
	static const struct counts clock[] = { { 10, 10, 10 }, { 30, 30, 30 } };
	static const struct counts cycles[] = { { 0 }, { 0, 20, 0 } };
	cleanup_with(run_release) struct run run = { 0 };

	fake_readings(PERF_TYPE_SOFTWARE, 1, clock, 2);
	fake_readings(PERF_TYPE_HARDWARE, 0, cycles, 2);
	fake_read_result(PERF_TYPE_HARDWARE, 4, 0);
	fake_refuse_event(ENOENT, PERF_TYPE_HARDWARE, 1);
	open_session("task-clock,cycles,branches:D,instructions,faults", COUNTER_ALL_TASKS, ":");
	run = run_once();
	assert_int_equal(session_explain(&session, &run, 1, REASONS_ALL), 0);
	assert_null(session.openings[0].reason.text);
	assert_string_equal(
		session.openings[1].reason.text,
		"PMU hardware accepted it but never had a free counter for it, with 3 events to "
		"count at once; the NMI watchdog may hold one counter (sysctl kernel.nmi_watchdog=0 "
		"frees it)");
	assert_string_equal(
		session.openings[2].reason.text,
		"it is pinned (:D), but PMU hardware did not always have free counters for it, "
		"with 3 events to count at once; the NMI watchdog may hold one counter (sysctl "
		"kernel.nmi_watchdog=0 frees it)");
	assert_string_equal(session.openings[3].reason.text,
			    "the PMU of this CPU has no such event");
	assert_string_equal(session.openings[4].reason.text,
			    "it was never enabled: the command ended before it began");
	close_session();
}

static void an_unreadable_counter_has_the_error_as_its_reason(void **state)
{
	static const struct counts clock[] = { { 10, 10, 10 }, { 30, 30, 30 }, { 50, 50, 50 } };
	struct run runs[2];

	fake_readings(PERF_TYPE_SOFTWARE, 1, clock, N_OF(clock));
	open_session("task-clock,cs", COUNTER_ALL_TASKS, ":");
	for (size_t i = 0; i < N_OF(runs); i++) {
		runs[i] = run_once();
		fake_read_result(PERF_TYPE_SOFTWARE, 3, -EIO);
	}
	assert_int_equal(session_explain(&session, &runs[0], 1, REASONS_OF_FAILURES), 0);
	assert_null(session.openings[1].reason.text);
	assert_int_equal(session_explain(&session, runs, N_OF(runs), REASONS_ALL), 0);
	assert_null(session.openings[0].reason.text);
	assert_string_equal(session.openings[1].reason.text,
			    "its counter cannot be read: Input/output error");
	assert_true(session.openings[1].uncounted);
	assert_int_equal(session_explain(&session, &runs[1], 1, REASONS_OF_FAILURES), 0);
	assert_string_equal(session.openings[1].reason.text,
			    "its counter cannot be read: Input/output error");
	for (size_t i = 0; i < N_OF(runs); i++)
		run_release(&runs[i]);
	close_session();
}

/* A tracepoint whose 0 may only mean that it happens in the kernel. */
static void the_zeros_of_user_mode_are_withheld_unless_a_run_saw_the_tracepoint(void **state)
{
	static const struct {
		int line;
		const char *event;
		bool user_only;
		uint64_t raw[3]; /* of three runs */
		enum count_state states[3]; /* of the first, the first two, and all of them */
	} cases[] = {
		{ ROW, "2:300:u", false, { 0, 0, 7 }, { NOT_COUNTED, NOT_COUNTED, COUNTED } },
		{ ROW, "2:300:u", false, { 7, 0, 0 }, { COUNTED, COUNTED, COUNTED } },
		{ ROW, "2:300", true, { 0, 7, 0 }, { NOT_COUNTED, COUNTED, COUNTED } },
		{ ROW, "2:300", true, { 0, 0, 0 }, { NOT_COUNTED, NOT_COUNTED, NOT_COUNTED } },
		{ ROW, "2:300", false, { 0, 0, 0 }, { COUNTED, COUNTED, COUNTED } },
		{ ROW, "faults:u", false, { 0, 0, 0 }, { COUNTED, COUNTED, COUNTED } },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		struct reading readings[3];
		struct run runs[3];

		prepare_events(cases[i].event, COUNTER_ALL_TASKS);
		session.openings[0].user_only = cases[i].user_only;
		for (size_t j = 0; j < 3; j++) {
			readings[j] = (struct reading){ COUNTED, { cases[i].raw[j], 50, 50 } };
			runs[j] = (struct run){ .readings = &readings[j] };
			row_int(&cases[i],
				session_explain(&session, runs, j + 1, REASONS_OF_FAILURES), 0);
			for (size_t k = 0; k <= j; k++) {
				row_int(&cases[i], readings[k].state, cases[i].states[j]);
				row_int(&cases[i], readings[k].counts.raw, cases[i].raw[k]);
				row_int(&cases[i], readings[k].reason.cause,
					cases[i].states[j] == COUNTED ? CAUSE_NONE :
									CAUSE_USER_ZERO);
			}
		}
		close_session();
	}
}

/* run_readings.c still needs to know in later intervals which events no child inherits. */
static void a_failed_interval_leaves_an_event_of_the_first_task_as_it_is(void **state)
{
	static const struct counts clock[] = { { 10, 10, 10 }, { 30, 30, 30 } };
	struct run run;

	fake_readings(PERF_TYPE_SOFTWARE, 1, clock, N_OF(clock));
	open_session("task-clock,cs", COUNTER_ALL_TASKS, ":");
	session.openings[1].first_only = true;
	fake_read_result(PERF_TYPE_SOFTWARE, 3, -EIO);
	run = run_once();
	assert_int_equal(session_explain(&session, &run, 1, REASONS_OF_FAILURES), 0);
	assert_true(session.openings[1].uncounted);
	assert_true(session.openings[1].first_only);
	run_release(&run);
	close_session();
}

static void a_count_lost_in_one_of_two_runs_gets_its_reason(void **state)
{
	static const struct counts clock[] = { { 10, 10, 10 }, { 30, 30, 30 }, { 50, 50, 50 } };
	struct run runs[2];

	fake_readings(PERF_TYPE_SOFTWARE, 1, clock, N_OF(clock));
	open_session("task-clock:D", COUNTER_ALL_TASKS, ":");
	for (size_t i = 0; i < N_OF(runs); i++) {
		runs[i] = run_once();
		fake_read_result(PERF_TYPE_SOFTWARE, 1, 0);
	}
	assert_int_equal(session_explain(&session, runs, 1, REASONS_ALL), 0);
	assert_null(session.openings[0].reason.text);
	assert_int_equal(session_explain(&session, runs, N_OF(runs), REASONS_ALL), 0);
	assert_non_null(
		strstr(session.openings[0].reason.text, "did not always have free counters"));
	for (size_t i = 0; i < N_OF(runs); i++)
		run_release(&runs[i]);
	close_session();
}

static int stop(const struct session *s, void *data)
{
	*(size_t *)data = session_refused(s);
	return -ECANCELED;
}

static void the_opened_hook_runs_before_the_start(void **state)
{
	static const enum counter_inherit ways[] = { COUNTER_ALL_TASKS, COUNTER_FIRST_TASK };

	for (size_t i = 0; i < N_OF(ways); i++) {
		cleanup_why struct why why = { 0 };
		size_t refused = 0;
		const struct session_hooks hooks = { .opened = stop, .data = &refused };
		struct run run;

		fake_reset();
		fake_refuse_event(ENOENT, PERF_TYPE_HARDWARE, 0);
		open_session("cycles,cs", ways[i], "kill -9 $PPID");
		assert_int_equal(session_run(&session, &(struct session_turn){ &workload, &hooks },
					     &run, &why),
				 -ECANCELED);
		assert_int_equal(refused, 1);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
		close_session();
	}
}

static void an_event_that_was_never_enabled_has_a_reason(void **state)
{
	static char cgroup[] = "a/b";
	static const struct {
		int line;
		enum target_kind kind;
		char *cgroup;
		bool switched;
		const char *text;
	} rows[] = {
		{ ROW, TARGET_COMMAND, NULL, false,
		  "it was never enabled: the command ended before it began" },
		{ ROW, TARGET_CPUS, NULL, true,
		  "it was never switched on while the target ran (-D, --control)" },
		{ ROW, TARGET_CPUS, cgroup, false,
		  "the kernel never enabled it: no task of cgroup a/b ran on these CPUs" },
		{ ROW, TARGET_CPUS, cgroup, true,
		  "it was never switched on while the target ran (-D, --control)" },
		{ ROW, TARGET_TASKS, NULL, false, "none of the tasks ran while it was counted" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct event event = { .cgroup = rows[i].cgroup };
		struct event_group group = { .n = 1 };
		struct event_list one = {
			.events = &event, .n = 1, .groups = &group, .groups_n = 1
		};
		struct target place = { .kind = rows[i].kind };
		struct row row = { 0 };
		struct opening opening = { 0 };
		struct reading reading = { .state = NOT_COUNTED };
		const struct run run = { .readings = &reading };
		struct session s = {
			.setup = { .events = &one, .target = &place },
			.job.start = rows[i].switched ? COUNTER_SWITCHED : COUNTER_BY_EXEC,
			.rows = &row,
			.rows_n = 1,
			.openings = &opening,
		};

		row_int(&rows[i], session_explain(&s, &run, 1, REASONS_ALL), 0);
		row_string(&rows[i], opening.reason.text, rows[i].text);
		free(opening.reason.text);
	}
}

static int open_printed(void)
{
	cleanup_free char *path = NULL;

	assert_true(asprintf(&path, "%s/printed", machine.root) > 0);
	return open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
}

static void nothing_stays_open(void **state)
{
	static const enum counter_inherit ways[] = { COUNTER_ALL_TASKS, COUNTER_FIRST_TASK };

	for (size_t i = 0; i < N_OF(ways); i++) {
		size_t before = count_descriptors();
		struct run run;

		open_session("{cycles,instructions},cs,duration_time", ways[i], ":");
		run = run_once();
		run_release(&run);
		close_session();
		assert_int_equal(count_descriptors(), before);
	}
}

/* A program that is loaded at another address each time: the breakpoint is opened after the exec,
 * at the address that the program itself prints. */
static void a_symbol_of_a_pie_is_opened_at_its_load_address(void **state)
{
	static const char text[] =
		"#include <stdio.h>\n"
		"int counter;\n"
		"int main(void) { printf(\"%p\", (void *)&counter); return 0; }\n";
	static char path[4096];
	static char *argv[] = { path, NULL };
	static const enum counter_inherit ways[] = { COUNTER_ALL_TASKS, COUNTER_FIRST_TASK };
	cleanup_why struct why why = { 0 };
	int output = dup(STDOUT_FILENO);
	sigset_t mask;

	build_program(machine.root, "moving", text, "-fPIE -pie");
	snprintf(path, sizeof(path), "%s/moving", machine.root);
	sigemptyset(&mask);
	for (size_t i = 0; i < N_OF(ways); i++) {
		cleanup_free char *printed = NULL;
		cleanup_fd int file = -1;
		struct run run;
		int err;

		fake_reset();
		assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "mem:counter:w", &events,
						&why),
				 0);
		err = source_breakpoint_bind(&events, "-e", path, &why);
		if (err == -ELIBACC || err == -ENOSYS) {
			event_list_release(&events);
			skip(); /* no libelf */
		}
		assert_int_equal(err, 0);
		prepare(ways[i]);
		assert_int_equal(fake_opens_n, 0);
		assert_int_equal(workload_init(&workload, argv, &mask, &why), 0);
		tree_add(machine.root, "printed", "");
		file = open_printed();
		assert_true(dup2(file, STDOUT_FILENO) >= 0);
		run = run_once();
		assert_true(dup2(output, STDOUT_FILENO) >= 0);
		assert_int_equal(fake_opens_n, 1);
		assert_true(fake_opens[0].pid > 0);
		assert_int_equal(fake_opens[0].attr.disabled, 0);
		printed = tree_read(machine.root, "printed");
		assert_int_equal(fake_opens[0].attr.bp_addr, strtoull(printed, NULL, 16));
		run_release(&run);
		close_session();
	}
	close(output);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_kernel_rotates_with_options_that_exclude_turns, start),
		cmocka_unit_test_setup(a_run_does_not_use_the_samples_of_the_last_run, start),
		cmocka_unit_test_setup(a_run_is_the_difference_of_two_readings, start),
		cmocka_unit_test_setup(counts_between_two_runs_are_in_neither, start),
		cmocka_unit_test_setup(a_difference_survives_the_wrap_of_a_counter, start),
		cmocka_unit_test_setup(the_counters_of_all_tasks_are_opened_once, start),
		cmocka_unit_test_setup(a_tracepoint_stays_open_while_the_order_changes, start),
		cmocka_unit_test_setup(there_are_no_turns_without_a_timer, start),
		cmocka_unit_test_setup(the_first_tasks_are_opened_in_each_run_on_the_child, start),
		cmocka_unit_test_setup(each_row_has_its_own_state, start),
		cmocka_unit_test_setup(tool_events_have_the_times_of_the_run, start),
		cmocka_unit_test_setup(an_event_that_never_ran_has_a_reason, start),
		cmocka_unit_test_setup(an_unreadable_counter_has_the_error_as_its_reason, start),
		cmocka_unit_test_setup(
			the_zeros_of_user_mode_are_withheld_unless_a_run_saw_the_tracepoint, start),
		cmocka_unit_test_setup(a_failed_interval_leaves_an_event_of_the_first_task_as_it_is,
				       start),
		cmocka_unit_test_setup(a_count_lost_in_one_of_two_runs_gets_its_reason, start),
		cmocka_unit_test_setup(the_opened_hook_runs_before_the_start, start),
		cmocka_unit_test(an_event_that_was_never_enabled_has_a_reason),
		cmocka_unit_test_setup(nothing_stays_open, start),
		cmocka_unit_test_setup(a_symbol_of_a_pie_is_opened_at_its_load_address, start),
	};

	return cmocka_run_group_tests_name("session", tests, set_up, tear_down);
}
