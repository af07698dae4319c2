/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines of up to 1,024 CPUs: the number of opens and reads, the sums of the counts, and that no
 * descriptor stays open. tests/bench/scale measures the time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "unit/descriptors.h"
#include "unit/fake_kernel.h"
#include "unit/scale.h"
#include "unit/test.h"

/* Single software events are joined: the number of groups of each CPU. */
enum { LARGE = 1024, JOINED_N = 4, SINGLES_N = SCALE_EVENTS_N - JOINED_N + 1 };

static struct scale scale;

static int set_up(void **state)
{
	scale_make_machine(&scale, LARGE);
	return 0;
}

static int tear_down(void **state)
{
	scale_remove_machine(&scale);
	return 0;
}

static bool has_room_for(size_t descriptors)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	return limit.rlim_max >= descriptors;
}

static int start(void **state)
{
	fake_reset();
	if (!has_room_for(LARGE * (SCALE_EVENTS_N + 1) + 100))
		fake_hand_out_numbers();
	return 0;
}

/* The sum of an event on the CPUs first … last. */
static long double sum_of(const struct event *event, int first, int last)
{
	uint64_t sum = 0;

	for (int cpu = first; cpu <= last; cpu++)
		sum += SCALE_NS * fake_rate(event->attr.config, -1, cpu);
	return sum;
}

static void count_events(enum place_kind split, const char *events)
{
	scale_find_cpus(&scale, split);
	scale_open(&scale, events);
	scale_switch(&scale, true);
	fake_advance_clock(SCALE_NS);
	scale_switch(&scale, false);
	scale_read(&scale, scale.after);
	scale_aggregate(&scale);
}

static void close_all(void)
{
	struct machine machine = scale.machine;

	scale_close(&scale);
	scale = (struct scale){ .machine = machine };
}

static void check_row(const struct measure *row, int first, int last)
{
	assert_int_equal(row->state, COUNTED);
	assert_int_equal(row->row->counters, (size_t)(last - first + 1));
	assert_true(row->count.mean == sum_of(row->event, first, last));
	assert_int_equal(row->running_ns, (uint64_t)(last - first + 1) * SCALE_NS);
}

static void each_counter_is_opened_switched_and_read_once(void **state)
{
	size_t before = count_descriptors();

	count_events(PLACE_TARGET, scale_singles);
	/* and the event that watches each CPU */
	assert_int_equal(fake_opens_n, LARGE * (SCALE_EVENTS_N + 1));
	assert_int_equal(scale.session.counters.n, LARGE * SCALE_EVENTS_N);
	assert_int_equal(fake_switches_n, 2 * LARGE * SINGLES_N);
	assert_int_equal(fake_reads_n, LARGE * SINGLES_N);
	assert_int_equal(session_refused(&scale.session), 0);
	assert_int_equal(scale.result.events_n, SCALE_EVENTS_N);
	for (size_t i = 0; i < SCALE_EVENTS_N; i++)
		check_row(&scale.result.v[i], 0, LARGE - 1);
	close_all();
	assert_int_equal(count_descriptors(), before);
}

static void a_group_is_switched_and_read_as_one(void **state)
{
	size_t before = count_descriptors();

	count_events(PLACE_TARGET, scale_groups);
	assert_int_equal(fake_opens_n, LARGE * (SCALE_EVENTS_N + 1));
	assert_int_equal(fake_switches_n, 2 * LARGE * SCALE_EVENTS_N / 4);
	assert_int_equal(fake_reads_n, LARGE * SCALE_EVENTS_N / 4);
	for (size_t i = 0; i < SCALE_EVENTS_N; i++)
		check_row(&scale.result.v[i], 0, LARGE - 1);
	close_all();
	assert_int_equal(count_descriptors(), before);
}

static void each_cpu_has_its_own_counts(void **state)
{
	count_events(PLACE_CPU, scale_singles);
	assert_int_equal(fake_reads_n, LARGE * SINGLES_N);
	assert_int_equal(scale.result.events_n, LARGE * SCALE_EVENTS_N);
	for (size_t i = 0; i < scale.result.events_n; i++) {
		const struct measure *row = &scale.result.v[i];
		int cpu = (int)(i % LARGE);
		char label[16];

		/* event by event */
		assert_ptr_equal(row->event, &scale.events.events[i / LARGE]);
		snprintf(label, sizeof(label), "CPU%d", cpu);
		assert_string_equal(row->place->label, label);
		check_row(row, cpu, cpu);
	}
	close_all();
}

static void each_socket_has_the_sum_of_its_cpus(void **state)
{
	enum { SOCKETS_N = LARGE / CPUS_PER_SOCKET };

	count_events(PLACE_SOCKET, scale_groups);
	assert_int_equal(scale.result.events_n, SOCKETS_N * SCALE_EVENTS_N);
	for (size_t i = 0; i < scale.result.events_n; i++) {
		const struct measure *row = &scale.result.v[i];
		int socket = (int)(i / SCALE_EVENTS_N);
		char label[16];

		/* socket by socket */
		assert_ptr_equal(row->event, &scale.events.events[i % SCALE_EVENTS_N]);
		snprintf(label, sizeof(label), "S%d", socket);
		assert_string_equal(row->place->label, label);
		check_row(row, socket * CPUS_PER_SOCKET, (socket + 1) * CPUS_PER_SOCKET - 1);
	}
	close_all();
}

/* If one CPU refuses an event, it is not counted anywhere. Other events are counted completely. */
static void a_refused_event_leaves_no_descriptor(void **state)
{
	size_t before = count_descriptors();

	fake_refuse_event(ENOENT, PERF_TYPE_HARDWARE, 0);
	count_events(PLACE_TARGET, scale_singles);
	/* refused on the first CPU, it is not opened on others */
	assert_int_equal(fake_opens_n, 1 + LARGE * SCALE_EVENTS_N);
	assert_int_equal(scale.session.counters.n, LARGE * (SCALE_EVENTS_N - 1));
	assert_int_equal(session_refused(&scale.session), 1);
	close_all();
	assert_int_equal(count_descriptors(), before);
}

/* If one of them cannot be opened on a CPU, the others are still counted. */
static bool is_fault_on_last_cpu(const struct fake_open *call)
{
	return call->attr.type == PERF_TYPE_SOFTWARE &&
	       call->attr.config == PERF_COUNT_SW_PAGE_FAULTS && call->cpu == LARGE - 1;
}

static void a_joined_event_that_is_refused_leaves_the_others(void **state)
{
	size_t before = count_descriptors();

	fake_refuse(EMFILE, is_fault_on_last_cpu);
	count_events(PLACE_TARGET, scale_singles);
	assert_int_equal(scale.session.counters.n, LARGE * (SCALE_EVENTS_N - 1));
	assert_int_equal(session_refused(&scale.session), 1);
	for (size_t i = 0; i < 3; i++)
		check_row(&scale.result.v[i], 0, LARGE - 1);
	assert_int_equal(scale.result.v[3].state, NOT_SUPPORTED);
	close_all();
	assert_int_equal(count_descriptors(), before);
}

static bool is_beyond_the_limit(const struct fake_open *call)
{
	return call->attr.type == PERF_TYPE_HARDWARE && call->attr.config == 1 && call->cpu >= 1000;
}

static void an_event_without_enough_descriptors_is_refused_everywhere(void **state)
{
	size_t before = count_descriptors();
	const struct opening *opening;

	fake_refuse(EMFILE, is_beyond_the_limit);
	count_events(PLACE_TARGET, scale_singles);
	assert_int_equal(scale.session.counters.n, LARGE * (SCALE_EVENTS_N - 1));
	assert_int_equal(session_refused(&scale.session), 1);
	opening = scale.result.v[5].opening;
	assert_true(opening->refused);
	assert_non_null(strstr(opening->reason.text, "16384 needed, but the hard limit is "));
	assert_int_equal(scale.result.v[5].state, NOT_SUPPORTED);
	check_row(&scale.result.v[4], 0, LARGE - 1);
	close_all();
	assert_int_equal(count_descriptors(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_counter_is_opened_switched_and_read_once, start),
		cmocka_unit_test_setup(a_group_is_switched_and_read_as_one, start),
		cmocka_unit_test_setup(each_cpu_has_its_own_counts, start),
		cmocka_unit_test_setup(each_socket_has_the_sum_of_its_cpus, start),
		cmocka_unit_test_setup(a_refused_event_leaves_no_descriptor, start),
		cmocka_unit_test_setup(a_joined_event_that_is_refused_leaves_the_others, start),
		cmocka_unit_test_setup(an_event_without_enough_descriptors_is_refused_everywhere,
				       start),
	};

	return cmocka_run_group_tests_name("scale", tests, set_up, tear_down);
}
