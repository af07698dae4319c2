/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/opener.c" /* for its static functions */
#include "unit/test.h"

static const __u64 TIMES = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;

static void an_attr_is_the_same_as_in_perf_stat(void **state)
{
	static const struct {
		int line;
		enum counter_role role;
		size_t group_n;
		enum counter_inherit inherit;
		enum counter_start start;
		bool starts, inherited, in_group;
	} rows[] = {
		{ ROW, COUNTER_LEADER, 1, COUNTER_ALL_TASKS, COUNTER_BY_EXEC, true, true, false },
		{ ROW, COUNTER_LEADER, 3, COUNTER_ALL_TASKS, COUNTER_BY_EXEC, true, true, true },
		{ ROW, COUNTER_MEMBER, 3, COUNTER_ALL_TASKS, COUNTER_BY_EXEC, false, true, true },
		{ ROW, COUNTER_LEADER, 1, COUNTER_FIRST_TASK, COUNTER_BY_EXEC, true, false, false },
		{ ROW, COUNTER_MEMBER, 2, COUNTER_FIRST_TASK, COUNTER_BY_EXEC, false, false, true },
		/* after the exec, no other exec follows */
		{ ROW, COUNTER_LEADER, 1, COUNTER_ALL_TASKS, COUNTER_AT_ONCE, false, true, false },
		{ ROW, COUNTER_LEADER, 2, COUNTER_FIRST_TASK, COUNTER_AT_ONCE, false, false, true },
		{ ROW, COUNTER_MEMBER, 2, COUNTER_ALL_TASKS, COUNTER_AT_ONCE, false, true, true },
	};
	const struct event event = { .attr = { .type = PERF_TYPE_RAW,
					       .config = 0x1a2b,
					       .config1 = 7,
					       .exclude_kernel = 1,
					       .exclude_guest = 1,
					       .precise_ip = 2 } };

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct perf_event_attr attr = counter_attr(&event, rows[i].role, rows[i].group_n,
							   rows[i].inherit, rows[i].start);

		row_int(&rows[i], attr.size, sizeof(attr));
		row_int(&rows[i], attr.disabled, rows[i].starts);
		row_int(&rows[i], attr.enable_on_exec, rows[i].starts);
		row_int(&rows[i], attr.inherit, rows[i].inherited);
		row_int(&rows[i], attr.read_format,
			rows[i].in_group ? TIMES | PERF_FORMAT_GROUP | PERF_FORMAT_ID : TIMES);
		/* bits of the event itself stay */
		row_int(&rows[i], attr.type, PERF_TYPE_RAW);
		row_int(&rows[i], attr.config, 0x1a2b);
		row_int(&rows[i], attr.config1, 7);
		row_int(&rows[i], attr.exclude_kernel, 1);
		row_int(&rows[i], attr.exclude_guest, 1);
		row_int(&rows[i], attr.precise_ip, 2);
	}
}

static void a_sentinel_is_never_enabled_and_not_inherited(void **state)
{
	static const __u32 types[] = { PERF_TYPE_HARDWARE,
				       PERF_TYPE_SOFTWARE,
				       PERF_TYPE_TRACEPOINT,
				       PERF_TYPE_HW_CACHE,
				       PERF_TYPE_RAW,
				       PERF_TYPE_BREAKPOINT,
				       42 };

	for (size_t i = 0; i < N_OF(types); i++) {
		struct event event = { .attr = { .type = types[i], .config = 5, .pinned = 1 } };
		struct perf_event_attr attr =
			counter_attr(&event, COUNTER_LEADER, 2, COUNTER_ALL_TASKS, COUNTER_BY_EXEC);
		struct perf_event_attr sentinel = opener_sentinel_attr(&event, &attr);

		assert_int_equal(sentinel.disabled, 1);
		assert_int_equal(sentinel.inherit, 0);
		assert_int_equal(sentinel.enable_on_exec, 0);
		assert_int_equal(sentinel.pinned, 0);
		assert_int_equal(sentinel.exclusive, 0);
		assert_int_equal(sentinel.read_format, 0);
		assert_int_equal(sentinel.size, sizeof(sentinel));
	}
}

static void software_events_share_a_dummy_that_anyone_may_open(void **state)
{
	static const __u32 types[] = { PERF_TYPE_SOFTWARE, PERF_TYPE_TRACEPOINT,
				       PERF_TYPE_BREAKPOINT };

	for (size_t i = 0; i < N_OF(types); i++) {
		const struct event event = { .attr = { .type = types[i], .config = 3 } };
		struct perf_event_attr sentinel = opener_sentinel_attr(&event, &event.attr);

		assert_int_equal(sentinel.type, PERF_TYPE_SOFTWARE);
		assert_int_equal(sentinel.config, PERF_COUNT_SW_DUMMY);
		assert_int_equal(sentinel.exclude_kernel, 1);
	}
}

/* The PMU of a probe is a software PMU (kernel/trace/trace_event_perf.c), whatever its type. */
static void a_probe_shares_the_dummy(void **state)
{
	char function[] = "do_exit";
	const struct event event = { .attr = { .type = 7 }, .probed = function };
	struct perf_event_attr sentinel = opener_sentinel_attr(&event, &event.attr);

	assert_int_equal(sentinel.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(sentinel.config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(sentinel.config1, 0);
}

static void a_sentinel_of_hardware_is_a_copy(void **state)
{
	const struct event event = { .attr = { .type = PERF_TYPE_RAW,
					       .config = 0x11,
					       .exclude_kernel = 1,
					       .exclude_guest = 1 } };
	struct perf_event_attr sentinel = opener_sentinel_attr(&event, &event.attr);

	assert_int_equal(sentinel.type, PERF_TYPE_RAW);
	assert_int_equal(sentinel.config, 0x11);
	assert_int_equal(sentinel.exclude_kernel, 1);
	assert_int_equal(sentinel.exclude_guest, 1);
}

static void kinds_are_software_and_each_pmu(void **state)
{
	static const struct {
		int line;
		__u32 a, b;
		bool same;
	} rows[] = {
		{ ROW, PERF_TYPE_SOFTWARE, PERF_TYPE_TRACEPOINT, true },
		{ ROW, PERF_TYPE_SOFTWARE, PERF_TYPE_BREAKPOINT, true },
		{ ROW, PERF_TYPE_SOFTWARE, PERF_TYPE_HARDWARE, false },
		{ ROW, PERF_TYPE_RAW, PERF_TYPE_RAW, true },
		{ ROW, 10, 4, false },
		{ ROW, 10, 10, true },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct event event_a = { .attr = { .type = rows[i].a, .config = 1 } };
		const struct event event_b = { .attr = { .type = rows[i].b, .config = 2 } };
		const struct perf_event_attr a = opener_sentinel_attr(&event_a, &event_a.attr);
		const struct perf_event_attr b = opener_sentinel_attr(&event_b, &event_b.attr);

		row_int(&rows[i], a.type == b.type, rows[i].same);
	}
}

/* In user mode these would read 0, which would be wrong. */
static void events_that_happen_only_in_the_kernel_are_known(void **state)
{
	static const struct {
		int line;
		__u32 type;
		__u64 config;
		bool kernel_only;
		bool in_kernel; /* as the tracepoint's source says */
		const char *pmu; /* of a probe */
	} rows[] = {
		{ ROW, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false },
		{ ROW, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, false },
		{ ROW, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, false },
		{ ROW, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, true },
		{ ROW, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, true },
		{ ROW, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, false },
		{ ROW, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, false },
		{ ROW, PERF_TYPE_SOFTWARE, 11, true }, /* cgroup-switches */
		{ ROW, PERF_TYPE_TRACEPOINT, 300, true, .in_kernel = true },
		{ ROW, PERF_TYPE_TRACEPOINT, 300, false },
		{ ROW, 7, 0, true, .pmu = "kprobe" },
		{ ROW, 8, 0, false, .pmu = "uprobe" },
		{ ROW, PERF_TYPE_HARDWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, false },
		{ ROW, PERF_TYPE_RAW, 11, false },
		{ ROW, PERF_TYPE_BREAKPOINT, 0, false },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		char probed[] = "f", pmu[] = "?probe";
		struct event event = { .attr = { .type = rows[i].type, .config = rows[i].config },
				       .in_kernel = rows[i].in_kernel };

		if (rows[i].pmu) {
			pmu[0] = rows[i].pmu[0];
			event.pmu = pmu;
			event.probed = probed;
		}
		row_int(&rows[i], counter_kernel_only(&event), rows[i].kernel_only);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_attr_is_the_same_as_in_perf_stat),
		cmocka_unit_test(a_sentinel_is_never_enabled_and_not_inherited),
		cmocka_unit_test(software_events_share_a_dummy_that_anyone_may_open),
		cmocka_unit_test(a_probe_shares_the_dummy),
		cmocka_unit_test(a_sentinel_of_hardware_is_a_copy),
		cmocka_unit_test(kinds_are_software_and_each_pmu),
		cmocka_unit_test(events_that_happen_only_in_the_kernel_are_known),
	};

	return cmocka_run_group_tests_name("attr", tests, NULL, NULL);
}
