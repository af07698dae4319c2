/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pstat's usual event lists on each long-term version of Linux, as unit/old_kernel.c describes
 * them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/kernel.h"
#include "count/opener.h"
#include "event/resolve.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { CHILD = 4711, PLACES_MAX = 4, EVENTS_MAX = 24 };

#define DEFAULTS                                                                                   \
	"task-clock,context-switches,cpu-migrations,page-faults,"                                  \
	"cycles,instructions,branches,branch-misses"
#define DETAIL                                                                                     \
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses,"                         \
	"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,"                       \
	"iTLB-loads,iTLB-load-misses"

static struct machine machine;

/* The target, and how it is counted. */
enum target_case {
	COMMAND, /* pstat itself; the command inherits the counters */
	FIRST_TASK, /* -i: the command alone */
	TASKS, /* -p */
	CPUS, /* -a, with two CPUs */
	CGROUP, /* -a -G a */
};

struct opened {
	struct event_list events;
	struct row rows[PLACES_MAX * EVENTS_MAX];
	struct opening openings[EVENTS_MAX];
	struct target target;
	struct opener opener;
	struct counters counters;
};

static int set_up(void **state)
{
	machine.root = tree_new();
	tree_add(machine.root, "proc/self/uid_map", "0 0 4294967295\n");
	tree_add(machine.root, "proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
	tree_add(machine.root, "proc/sys/kernel/perf_event_paranoid", "-1\n");
	tree_add(machine.root, "sys/bus/event_source/devices/cpu/type", "4\n");
	tree_add(machine.root, "sys/bus/event_source/devices/spe/type", "9\n");
	tree_add(machine.root, "sys/bus/event_source/devices/spe/format/wide", "config3:0-7\n");
	tree_add(machine.root, "sys/devices/system/cpu/online", "0-1\n");
	tree_add(machine.root, "sys/devices/system/cpu/present", "0-1\n");
	tree_add(machine.root, "sys/fs/cgroup/a/cgroup.procs", "");
	tree_add(machine.root, "sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static void make_target(struct opened *t, enum target_case kind)
{
	const struct target_request request = { .all_cpus = kind == CPUS || kind == CGROUP };
	cleanup_why struct why why = { 0 };

	assert_int_equal(target_init(&t->target, &machine, &request, &why), 0);
	if (kind == TASKS)
		t->target.kind = TARGET_TASKS;
	if (kind == TASKS || kind == FIRST_TASK)
		t->target.scopes[0].pid = CHILD;
	for (size_t i = 0; kind == CGROUP && i < t->events.n; i++)
		t->events.events[i].cgroup = strdup("a");
	if (kind == CGROUP)
		assert_int_equal(target_open_cgroups(&t->target, &machine, &t->events, &why), 0);
}

static void open_list(struct opened *t, const char *text, enum target_case kind)
{
	cleanup_why struct why why = { 0 };
	struct open_job job;

	*t = (struct opened){ 0 };
	if (resolve_events(&machine, RESOLVE_BY_ALL, text, &t->events, &why) < 0)
		fail_msg("%s: %s", text, why_text(&why, 0));
	make_target(t, kind);
	assert_true(t->events.n <= EVENTS_MAX && t->target.places_n <= PLACES_MAX);
	for (size_t i = 0; i < t->target.places_n * t->events.n; i++)
		t->rows[i].event = i % t->events.n;
	t->opener = (struct opener){
		.machine = &machine,
		.events = &t->events,
		.target = &t->target,
		.rows = t->rows,
		.openings = t->openings,
	};
	job = (struct open_job){
		.scopes = t->target.scopes,
		.scopes_n = t->target.scopes_n,
		.start = kind == COMMAND || kind == FIRST_TASK ? COUNTER_BY_EXEC : COUNTER_SWITCHED,
		.inherit = kind == FIRST_TASK ? COUNTER_FIRST_TASK : COUNTER_ALL_TASKS
	};
	assert_int_equal(opener_open(&t->opener, &t->counters, &job), 0);
}

static void close_list(struct opened *t)
{
	counters_close(&t->counters);
	for (size_t i = 0; i < t->events.n; i++)
		free(t->openings[i].reason.text);
	target_release(&t->target);
	event_list_release(&t->events);
}

static size_t refused_calls(void)
{
	size_t n = 0;

	for (size_t i = 0; i < fake_opens_n; i++)
		n += fake_opens[i].result < 0;
	return n;
}

static const char *version_name(unsigned int version)
{
	static char name[32];

	snprintf(name, sizeof(name), "Linux %u.%u", version / 1000, version % 1000);
	return name;
}

/* An event list, and the result for its last event before some version. */
struct list {
	int line;
	const char *text;
	unsigned int since; /* the version that first has the last event; 0: all have it */
	const char *reason; /* why it is refused before */
};

static const struct list lists[] = {
	{ ROW, DEFAULTS, 0, NULL },
	{ ROW, DEFAULTS "," DETAIL, 0, NULL },
	{ ROW, "{cycles,instructions},{branches,branch-misses}", 0, NULL },
	{ ROW, "{task-clock,page-faults}", 0, NULL },
	{ ROW, "{cycles,page-faults,instructions,context-switches}", 0, NULL },
	{ ROW, "{task-clock,cycles,instructions}", 0, NULL },
	{ ROW, "{task-clock,cycles,page-faults,instructions}", 0, NULL },
	{ ROW, "{sched:sched_switch,cycles,page-faults}", 0, NULL },
	{ ROW, "{mem:0x1000:w,cycles,page-faults}:W", 0, NULL },
	{ ROW, "{cycles,instructions}:D,{task-clock,cycles,page-faults}:e", 0, NULL },
	{ ROW, "sched:sched_switch,mem:0x1000:w,r3c", 0, NULL },
	{ ROW, "cycles:u,cycles:k,instructions:pp", 0, NULL },
	{ ROW, "page-faults,cgroup-switches", LINUX(5, 13), "cgroup-switches needs Linux 5.13" },
	{ ROW, "{cycles,page-faults,cgroup-switches}", LINUX(5, 13),
	  "cgroup-switches needs Linux 5.13" },
};

/* Each event that this version can count is counted. The others are refused with the right
 * reason. */
static void check_counted(const struct list *list, const struct opened *t, unsigned int version)
{
	for (size_t i = 0; i < t->events.n; i++) {
		bool refused = i == t->events.n - 1 && version < list->since;
		const struct opening *opening = &t->openings[i];

		if (opening->refused != refused)
			print_error("%s: %s: %s\n", version_name(version), t->events.events[i].name,
				    opening->reason.text ? opening->reason.text : "counted");
		row_int(list, opening->refused, refused);
		row_true(list, !opening->user_only && !opening->apart && !opening->first_only);
		row_true(list, t->rows[i].counters == (refused ? 0 : t->target.scopes_n));
		if (refused)
			row_true(list, strstr(opening->reason.text, list->reason) != NULL);
		else
			row_true(list, opening->reason.text == NULL);
	}
}

/*
 * The kernel refuses an event once on each CPU, and once more outside its group or cgroup, each
 * with and without the exclusion of guests.
 */
static void check_tries(const struct list *list, const struct opened *t, unsigned int version)
{
	size_t lacks_event = version < list->since;
	size_t most = lacks_event * 4 * t->target.scopes_n;

	if (refused_calls() > most)
		print_error("%s: %s: %zu calls refused\n", version_name(version), list->text,
			    refused_calls());
	row_true(list, refused_calls() <= most);
}

static void check_all(enum target_case kind)
{
	for (size_t v = 0; v < N_OF(old_kernels); v++)
		for (size_t i = 0; i < N_OF(lists); i++) {
			struct opened t;

			fake_reset();
			fake_kernel_version(old_kernels[v]);
			open_list(&t, lists[i].text, kind);
			check_counted(&lists[i], &t, old_kernels[v]);
			check_tries(&lists[i], &t, old_kernels[v]);
			row_true(&lists[i], !fake_context_may_be_swapped());
			close_list(&t);
		}
}

static void every_kernel_version_counts_its_events_for_a_command(void **state)
{
	check_all(COMMAND);
}

static void every_kernel_version_counts_its_events_for_the_first_task(void **state)
{
	check_all(FIRST_TASK);
}

static void every_kernel_version_counts_its_events_for_running_tasks(void **state)
{
	check_all(TASKS);
}

static void every_kernel_version_counts_its_events_on_cpus(void **state)
{
	check_all(CPUS);
}

static void every_kernel_version_counts_its_events_in_a_cgroup(void **state)
{
	check_all(CGROUP);
}

static void groups_are_read_at_once_by_every_version(void **state)
{
	static const enum target_case cases[] = { COMMAND, CPUS };

	for (size_t v = 0; v < N_OF(old_kernels); v++)
		for (size_t i = 0; i < N_OF(cases); i++) {
			struct opened t;

			fake_reset();
			fake_kernel_version(old_kernels[v]);
			open_list(&t, "{cycles,instructions},{branches,branch-misses}", cases[i]);
			for (size_t j = 0; j < t.counters.groups_n; j++)
				assert_true(t.counters.groups[j].one_read);
			assert_int_equal(t.counters.groups_n, cases[i] == CPUS ? 4 : 2);
			assert_int_equal(refused_calls(), 0);
			close_list(&t);
		}
}

/* A clock counts all modes in any case, so that its row keeps its name. As in perf, the others
 * exclude the hypervisor, too. */
static void every_version_counts_user_mode_only(void **state)
{
	for (size_t v = 0; v < N_OF(old_kernels); v++) {
		struct opened t;

		fake_reset();
		fake_kernel_version(old_kernels[v]);
		fake_refuse(EACCES, fake_counts_kernel);
		open_list(&t, "{cycles,page-faults},{task-clock,cycles,page-faults}", COMMAND);
		for (size_t i = 0; i < t.events.n; i++)
			assert_true(t.openings[i].user_only !=
					    event_is_clock(&t.events.events[i]) &&
				    !t.openings[i].refused);
		for (size_t i = 0; i < fake_opens_n; i++)
			assert_true(fake_opens[i].result < 0 || fake_opens[i].attr.inherit == 0 ||
				    (fake_opens[i].attr.exclude_kernel &&
				     fake_opens[i].attr.exclude_hv));
		assert_true(refused_calls() <= 3);
		close_list(&t);
	}
}

/* Even if pstat was built with older kernel headers. */
static void config3_is_counted_since_6_3(void **state)
{
	for (size_t v = 0; v < N_OF(old_kernels); v++) {
		bool old = old_kernels[v] < LINUX(6, 3);
		struct opened t;

		fake_reset();
		fake_kernel_version(old_kernels[v]);
		open_list(&t, "cycles,spe/wide=3/", COMMAND);
		assert_false(t.openings[0].refused);
		assert_int_equal(t.openings[1].refused, old);
		if (old)
			assert_non_null(
				strstr(t.openings[1].reason.text, "config3 needs Linux 6.3"));
		assert_int_equal(refused_calls(), old);
		close_list(&t);
	}
}

static void config4_is_counted_since_6_19(void **state)
{
	struct opened t;

	fake_reset();
	fake_kernel_version(LINUX(6, 18));
	open_list(&t, "cycles,spe/config4=3/", COMMAND);
	assert_true(t.openings[1].refused);
	assert_non_null(strstr(t.openings[1].reason.text, "config4 needs Linux 6.19"));
	close_list(&t);
	fake_reset();
	fake_kernel_version(LINUX(6, 19));
	open_list(&t, "cycles,spe/config4=3/", COMMAND);
	assert_false(t.openings[1].refused);
	for (size_t i = 0; i < fake_opens_n; i++)
		assert_true(fake_opens[i].attr.size ==
			    (fake_opens[i].attr.type == 0 ? sizeof(struct perf_event_attr) : 144));
	close_list(&t);
}

/* A test of the fake kernel: each row uses one feature. */
static void a_version_refuses_later_features(void **state)
{
	static const struct {
		int line;
		size_t byte; /* of an attr of 144 bytes, that is not 0 */
		unsigned char value;
		unsigned int last_without, first_with;
		int error;
	} rows[] = {
		{ ROW, 112, 1, LINUX(5, 4), LINUX(5, 10), -E2BIG }, /* aux_sample_size */
		{ ROW, 120, 1, LINUX(5, 10), LINUX(6, 1), -E2BIG }, /* sig_data */
		{ ROW, 128, 1, LINUX(6, 1), LINUX(6, 12), -E2BIG }, /* config3 */
		{ ROW, 135, 1, LINUX(6, 1), LINUX(6, 12), -E2BIG }, /* its last byte */
		{ ROW, 136, 1, LINUX(6, 18), LINUX(6, 19), -E2BIG },
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		{ ROW, 32, 1U << 4, LINUX(5, 10), LINUX(6, 1), -EINVAL }, /* PERF_FORMAT_LOST */
		{ ROW, 43, 1U << 7, LINUX(4, 19), LINUX(5, 4), -EINVAL }, /* aux_output */
		{ ROW, 44, 1U << 3, LINUX(5, 10), LINUX(6, 1), -EINVAL }, /* inherit_thread */
		{ ROW, 8, 11, LINUX(5, 10), LINUX(6, 1), -ENOENT }, /* cgroup-switches */
#endif
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		union {
			struct perf_event_attr attr;
			unsigned char bytes[144];
		} u = { .attr = { .type = PERF_TYPE_SOFTWARE } };
		int fd;

		u.attr.size = sizeof(u);
		u.bytes[rows[i].byte] = rows[i].value;
		fake_reset();
		fake_kernel_version(rows[i].last_without);
		row_int(&rows[i], kernel_open(&u.attr, 0, -1, -1, 0), rows[i].error);
		fake_kernel_version(rows[i].first_with);
		fd = kernel_open(&u.attr, 0, -1, -1, 0);
		row_true(&rows[i], fd >= 0);
		close(fd);
	}
}

/* Before Linux 6.2, hardware and software events have separate contexts. */
static void one_sentinel_serves_both_contexts_since_6_2(void **state)
{
	for (size_t v = 0; v < N_OF(old_kernels); v++) {
		const struct perf_event_attr inherited = { .type = PERF_TYPE_HARDWARE,
							   .size = sizeof(inherited),
							   .inherit = 1 };
		const struct perf_event_attr sentinel = { .type = PERF_TYPE_SOFTWARE,
							  .size = sizeof(sentinel),
							  .config = PERF_COUNT_SW_DUMMY };
		int fds[2];

		fake_reset();
		fake_kernel_version(old_kernels[v]);
		fds[0] = kernel_open(&inherited, 0, -1, -1, 0);
		assert_true(fake_context_may_be_swapped());
		fds[1] = kernel_open(&sentinel, 0, -1, -1, 0);
		assert_int_equal(fake_context_may_be_swapped(), old_kernels[v] < LINUX(6, 2));
		close(fds[0]);
		close(fds[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_version_refuses_later_features),
		cmocka_unit_test(one_sentinel_serves_both_contexts_since_6_2),
		cmocka_unit_test(every_kernel_version_counts_its_events_for_a_command),
		cmocka_unit_test(every_kernel_version_counts_its_events_for_the_first_task),
		cmocka_unit_test(every_kernel_version_counts_its_events_for_running_tasks),
		cmocka_unit_test(every_kernel_version_counts_its_events_on_cpus),
		cmocka_unit_test(every_kernel_version_counts_its_events_in_a_cgroup),
		cmocka_unit_test(groups_are_read_at_once_by_every_version),
		cmocka_unit_test(every_version_counts_user_mode_only),
		cmocka_unit_test(config3_is_counted_since_6_3),
		cmocka_unit_test(config4_is_counted_since_6_19),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
