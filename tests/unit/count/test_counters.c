/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading what is open, and what is no reading. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "count/opener.h"
#include "event/resolve.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"

enum { ROWS_N = 4 };

static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

static struct event_list events;
static struct row rows[ROWS_N];
static struct opening openings[ROWS_N];
static struct target target;
static struct opener opener;
static struct counters counters;
static struct sample samples[ROWS_N];

static void resolve(const char *text)
{
	cleanup_why struct why why = { 0 };

	if (event_resolve(&machine, RESOLVE_BY_ALL, text, &events, &why) < 0)
		fail_msg("%s", why_text(&why, 0));
}

static void open_at(struct target_request request)
{
	cleanup_why struct why why = { 0 };

	assert_int_equal(target_init(&target, &machine, &request, &why), 0);
	opener = (struct opener){ .machine = &machine,
				  .events = &events,
				  .target = &target,
				  .rows = rows,
				  .openings = openings,
				  .inherit = PLAN_ALL_TASKS };
	assert_int_equal(counters_open(&counters, &opener, 0, target.spots_n), 0);
}

/* Row 0 alone, rows 1 to 3 a group. */
static int start(void **state)
{
	fake_reset();
	for (size_t i = 0; i < ROWS_N; i++) {
		rows[i] = (struct row){ .event = i };
		openings[i] = (struct opening){ 0 };
		samples[i] = (struct sample){ 0 };
	}
	resolve("cs,{cycles,instructions,branches}");
	open_at((struct target_request){ 0 });
	return 0;
}

static int finish(void **state)
{
	counters_close(&counters);
	target_release(&target);
	event_list_release(&events);
	return 0;
}

static void check(int line, size_t i, enum count_state state, struct counts counts)
{
	const struct {
		int line;
	} row = { line };

	row_int(&row, samples[i].state, state);
	row_int(&row, samples[i].counts.raw, counts.raw);
	row_int(&row, samples[i].counts.enabled_ns, counts.enabled_ns);
	row_int(&row, samples[i].counts.running_ns, counts.running_ns);
}

static void a_group_is_read_by_one_call(void **state)
{
	static const struct counts alone[] = { { 7, 1000, 1000 } };
	static const struct counts cycles[] = { { UINT64_MAX, 2000, 500 } };
	static const struct counts instructions[] = { { 11, 1, 1 } };
	static const struct counts branches[] = { { 13, 1, 1 } };

	fake_readings(PERF_TYPE_SOFTWARE, 3, alone, 1);
	fake_readings(PERF_TYPE_HARDWARE, 0, cycles, 1);
	fake_readings(PERF_TYPE_HARDWARE, 1, instructions, 1);
	fake_readings(PERF_TYPE_HARDWARE, 4, branches, 1);
	counters_read(&counters, samples);
	assert_int_equal(fake_reads_n, 2);
	check(__LINE__, 0, COUNTED, alone[0]);
	/* the times are the group's */
	check(__LINE__, 1, COUNTED, cycles[0]);
	check(__LINE__, 2, COUNTED, (struct counts){ 11, 2000, 500 });
	check(__LINE__, 3, COUNTED, (struct counts){ 13, 2000, 500 });
}

/* An empty reading is how the kernel tells of a pinned group that it could not keep on the PMU. */
static void what_is_no_whole_reading_is_failed_not_zero(void **state)
{
	static const struct {
		int line;
		ssize_t result; /* of the read */
	} results[] = {
		{ ROW, 0 },  { ROW, 8 },    { ROW, 24 },      { ROW, 16 },
		{ ROW, 71 }, { ROW, -EIO }, { ROW, -ENOSPC },
	};

	for (size_t i = 0; i < N_OF(results); i++) {
		memset(samples, 0, sizeof(samples));
		fake_read_result(PERF_TYPE_HARDWARE, 0, results[i].result);
		counters_read(&counters, samples);
		row_int(&results[i], samples[0].state, COUNTED);
		for (size_t j = 1; j < ROWS_N; j++)
			row_int(&results[i], samples[j].state, FAILED);
	}
}

static void a_single_event_that_cannot_be_read_is_failed(void **state)
{
	static const struct {
		int line;
		ssize_t result;
	} results[] = {
		{ ROW, 0 }, { ROW, 8 }, { ROW, 16 }, { ROW, 23 }, { ROW, -EIO },
	};

	for (size_t i = 0; i < N_OF(results); i++) {
		memset(samples, 0, sizeof(samples));
		fake_read_result(PERF_TYPE_SOFTWARE, 3, results[i].result);
		counters_read(&counters, samples);
		row_int(&results[i], samples[0].state, FAILED);
		for (size_t j = 1; j < ROWS_N; j++)
			row_int(&results[i], samples[j].state, COUNTED);
	}
}

/* An event that is counted on several CPUs has a counter on each. */
static void a_row_is_the_sum_of_its_counters(void **state)
{
	static const struct counts cycles[] = { { 100, 20, 10 }, { 1000, 200, 100 }, { 0 }, { 0 } };

	finish(NULL);
	fake_reset();
	resolve("cycles");
	events.events[0].cpus = strdup("0,18");
	open_at((struct target_request){ 0 });
	fake_readings(PERF_TYPE_HARDWARE, 0, cycles, N_OF(cycles));
	counters_read(&counters, samples);
	check(__LINE__, 0, COUNTED, (struct counts){ 1100, 220, 110 });
	fake_read_result(PERF_TYPE_HARDWARE, 0, 0);
	counters_read(&counters, samples);
	assert_int_equal(samples[0].state, FAILED);
}

static void what_is_not_open_is_not_touched(void **state)
{
	const struct counts before = { 7, 8, 9 };
	struct counters none = { 0 };

	for (size_t i = 0; i < ROWS_N; i++)
		samples[i] = (struct sample){ NOT_COUNTED, before };
	counters_read(&none, samples);
	for (size_t i = 0; i < ROWS_N; i++)
		check(__LINE__, i, NOT_COUNTED, before);
	assert_int_equal(fake_reads_n, 0);
	counters_close(&none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_group_is_read_by_one_call, start, finish),
		cmocka_unit_test_setup_teardown(what_is_no_whole_reading_is_failed_not_zero, start,
						finish),
		cmocka_unit_test_setup_teardown(a_single_event_that_cannot_be_read_is_failed, start,
						finish),
		cmocka_unit_test_setup_teardown(a_row_is_the_sum_of_its_counters, start, finish),
		cmocka_unit_test_setup_teardown(what_is_not_open_is_not_touched, start, finish),
	};

	return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
