/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the options to the list of events: cgroups, metrics, defaults. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "job/events.h"
#include "output/message.h"
#include "unit/test.h"
#include "unit/tree.h"

#define PMU "sys/bus/event_source/devices/"

static struct machine machine;
static struct options options;
static struct event_request requests[8];
static struct wanted wanted;

static int start(void **state)
{
	static const char *const cgroups[] = { "a", "b", "system.slice/x", "system.slice/y" };

	machine.root = tree_new();
	tree_add(machine.root, "proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
	for (size_t i = 0; i < N_OF(cgroups); i++) {
		cleanup_str struct str path = { 0 };

		str_addf(&path, "sys/fs/cgroup/%s/cgroup.procs", cgroups[i]);
		tree_add(machine.root, str_text(&path), "");
	}
	options = (struct options){ .requests = requests };
	wanted = (struct wanted){ .options = &options, .machine = &machine };
	return 0;
}

static int finish(void **state)
{
	wanted_release(&wanted);
	tree_remove(machine.root);
	return 0;
}

static void ask(enum request_kind kind, const char *text)
{
	assert_true(options.requests_n < N_OF(requests));
	requests[options.requests_n++] = (struct event_request){ kind, text };
}

/* The status of the options. *messages is the text of standard error, to be freed by the caller. */
static int resolve(char **messages)
{
	int before = dup(STDERR_FILENO);
	cleanup_str struct str path = { 0 };
	cleanup_why struct why why = { 0 };
	int err;

	tree_add(machine.root, "messages", "");
	str_addf(&path, "%s/messages", machine.root);
	fflush(stderr);
	assert_true(before >= 0 && freopen(str_text(&path), "w", stderr) == stderr);
	err = events_of_options(&wanted, &why);
	if (err < 0)
		message("%s", why_text(&why, err));
	fflush(stderr);
	assert_true(dup2(before, STDERR_FILENO) >= 0);
	close(before);
	*messages = tree_read(machine.root, "messages");
	return err;
}

/* All events: "name" or "name@cgroup", those of a group in braces, with W after a weak group. */
static void check(int line, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_free char *messages = NULL;
	cleanup_str struct str text = { 0 };
	int err = resolve(&messages);

	row_string(&row, messages, "");
	row_int(&row, err, 0);
	for (size_t i = 0; i < wanted.events.groups_n; i++) {
		const struct event_group *group = &wanted.events.groups[i];

		str_addf(&text, "%s%s", i ? " " : "", group->n > 1 ? "{" : "");
		for (size_t j = group->first; j < group->first + group->n; j++) {
			const struct event *event = &wanted.events.events[j];

			str_addf(&text, "%s%s", j > group->first ? "," : "", event->name);
			if (event->cgroup)
				str_addf(&text, "@%s", event->cgroup);
		}
		str_addf(&text, "%s%s", group->n > 1 ? "}" : "", group->weak ? "W" : "");
	}
	row_string(&row, str_text(&text), expected);
}

static void check_refused(int line, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_free char *messages = NULL;

	row_true(&row, resolve(&messages) < 0);
	row_string(&row, messages, expected);
}

/* ---- -G. */

static void cgroups_are_given_in_order(void **state)
{
	ask(REQUEST_EVENTS, "cs,faults,cycles");
	ask(REQUEST_CGROUPS, "a,b,a");
	check(__LINE__, "cs@a faults@b cycles@a");
}

static void one_cgroup_is_for_all_before_it(void **state)
{
	ask(REQUEST_EVENTS, "cs,{faults,cycles}");
	ask(REQUEST_CGROUPS, "a");
	ask(REQUEST_EVENTS, "branches,r1");
	ask(REQUEST_CGROUPS, "b");
	check(__LINE__, "cs@a {faults@a,cycles@a} branches@b r1@b");
}

static void an_empty_item_is_no_cgroup(void **state)
{
	ask(REQUEST_EVENTS, "cs,faults,cycles");
	ask(REQUEST_CGROUPS, ",b");
	ask(REQUEST_EVENTS, "r1");
	check(__LINE__, "cs faults@b cycles r1");
}

static void an_empty_list_is_none_for_all(void **state)
{
	ask(REQUEST_EVENTS, "cs,faults");
	ask(REQUEST_CGROUPS, "");
	ask(REQUEST_EVENTS, "r1");
	ask(REQUEST_CGROUPS, "a");
	check(__LINE__, "cs faults r1@a");
}

static void later_lists_go_on_where_the_last_one_ended(void **state)
{
	ask(REQUEST_EVENTS, "cs,faults,cycles");
	ask(REQUEST_CGROUPS, "a,b");
	ask(REQUEST_CGROUPS, "b");
	check(__LINE__, "cs@a faults@b cycles@b");
}

static void cgroups_without_events_are_refused(void **state)
{
	ask(REQUEST_CGROUPS, "a");
	ask(REQUEST_EVENTS, "cs");
	check_refused(__LINE__,
		      "pstat: -G 'a': no event before -G lacks a cgroup; give -e first\n");
}

static void more_cgroups_than_events_are_refused(void **state)
{
	ask(REQUEST_EVENTS, "cs,faults");
	ask(REQUEST_CGROUPS, "a,b,a");
	check_refused(__LINE__,
		      "pstat: -G 'a,b,a': 3 cgroups, but only 2 earlier events without a cgroup\n");
}

static void a_group_is_of_one_cgroup(void **state)
{
	ask(REQUEST_EVENTS, "{cs,faults}");
	ask(REQUEST_CGROUPS, "a,b");
	check_refused(__LINE__,
		      "pstat: -G: 'cs' and 'faults' are in one group but have different cgroups\n");
}

/* ---- --for-each-cgroup. */

static void every_event_is_there_for_each_cgroup(void **state)
{
	ask(REQUEST_EVENTS, "cs,{faults,cycles}");
	options.each_cgroup = "b,a";
	check(__LINE__, "cs@b {faults@b,cycles@b} cs@a {faults@a,cycles@a}");
	assert_int_equal(wanted.copies, 2);
}

static void patterns_stand_for_their_cgroups(void **state)
{
	ask(REQUEST_EVENTS, "cs");
	options.each_cgroup = "slice/x,^system.slice$";
	check(__LINE__, "cs@system.slice cs@system.slice/x");
	assert_int_equal(wanted.copies, 2);
}

static void the_default_events_are_copied_too(void **state)
{
	options.each_cgroup = "a,b";
	options.target.all_cpus = true;
	check(__LINE__, "cpu-clock@a context-switches@a cpu-migrations@a page-faults@a cycles@a "
			"instructions@a branches@a branch-misses@a cpu-clock@b context-switches@b "
			"cpu-migrations@b page-faults@b cycles@b instructions@b branches@b "
			"branch-misses@b");
}

static void a_pattern_that_matches_nothing_is_told(void **state)
{
	cleanup_free char *messages = NULL;

	ask(REQUEST_EVENTS, "cs");
	options.each_cgroup = "nosuch.*";
	assert_int_equal(resolve(&messages), -ENOENT);
	assert_non_null(strstr(messages, "--for-each-cgroup 'nosuch.*': "));
}

/* ---- Defaults. */

static void cpus_have_the_clock_of_cpus(void **state)
{
	options.target.cpus = "0";
	check(__LINE__, "cpu-clock context-switches cpu-migrations page-faults cycles instructions "
			"branches branch-misses");
}

static void all_threads_have_the_clock_of_cpus(void **state)
{
	options.target.all_cpus = true;
	options.target.split = PLACE_THREAD;
	check(__LINE__, "cpu-clock context-switches cpu-migrations page-faults cycles "
			"instructions branches branch-misses");
}

/* ---- -M. */

static void a_metric_is_a_weak_group(void **state)
{
	ask(REQUEST_EVENTS, "cs");
	ask(REQUEST_METRICS, "ipc,mine=faults*2");
	check(__LINE__, "cs {instructions,cycles}W faultsW");
	assert_int_equal(wanted.metrics.n, 2);
	assert_int_equal(metric_list_at(&wanted.metrics.v[0]), 1);
	assert_int_equal(wanted.metrics.v[0].expression.events[1].index, 2);
	assert_int_equal(metric_list_at(&wanted.metrics.v[1]), 3);
}

static void check_metric_events(const char *list, const char *events, const size_t *indices,
				size_t n)
{
	ask(REQUEST_METRICS, list);
	check(__LINE__, events);
	for (size_t i = 0; i < wanted.metrics.n; i++)
		for (size_t k = 0; k < wanted.metrics.v[i].expression.events_n; k++, n--)
			assert_int_equal(wanted.metrics.v[i].expression.events[k].index,
					 *indices++);
	assert_int_equal(n, 0);
	wanted_release(&wanted);
	wanted = (struct wanted){ .options = &options, .machine = &machine };
	options.requests_n = 0;
}

static void metrics_share_events_in_small_groups(void **state)
{
	static const size_t twice[] = { 0, 1, 1, 0, 1, 2 };
	static const size_t apart[] = { 0, 1, 2, 3, 0, 1 };
	static const size_t large[] = { 0, 1, 2, 3, 4, 5 };

	check_metric_events("ipc,cpi,ghz", "{instructions,cycles,task-clock}W", twice, 6);
	check_metric_events("ipc,a=cs/faults,b=instructions - cycles",
			    "{instructions,cycles}W {cs,faults}W", apart, 6);
	check_metric_events("a=r1+r2+r3,b=r1+r4+r5", "{r1,r2,r3}W {r1,r4,r5}W", large, 6);
}

static void metrics_alone_leave_the_defaults_out(void **state)
{
	ask(REQUEST_METRICS, "mine=cs/faults");
	check(__LINE__, "{cs,faults}W");
}

static void a_metric_of_an_unknown_event_is_refused_with_the_place(void **state)
{
	cleanup_free char *messages = NULL;

	ask(REQUEST_METRICS, "x=cs/nosuchevent");
	assert_true(resolve(&messages) < 0);
	assert_non_null(strstr(messages, "pstat: -M 'x=cs/nosuchevent', column 6: metric x: "));
}

static void metrics_are_of_each_cgroup(void **state)
{
	ask(REQUEST_METRICS, "ipc");
	options.each_cgroup = "a,b";
	check(__LINE__, "{instructions@a,cycles@a}W {instructions@b,cycles@b}W");
	assert_int_equal(wanted.metrics.v[0].expression.events[1].index, 1);
	assert_int_equal(wanted.copies, 2);
}

/* ---- Units of --no-multiplex. */

static void ratio_partners_are_one_unit(void **state)
{
	cleanup_free char *messages = NULL;
	cleanup_free size_t *units = NULL;

	ask(REQUEST_EVENTS, "cycles,r1,instructions,{branches,r2},branch-misses");
	assert_int_equal(resolve(&messages), 0);
	units = events_units(&wanted.events, &wanted.metrics);
	assert_non_null(units);
	assert_int_equal(units[0], units[2]);
	assert_int_equal(units[3], units[4]);
	assert_int_not_equal(units[0], units[1]);
	assert_int_not_equal(units[0], units[3]);
	assert_int_not_equal(units[1], units[3]);
}

/* A metric of the user is one group, unless it has events of several PMUs. */
static void events_of_a_metric_are_one_unit(void **state)
{
	static const struct {
		int line;
		const char *text;
		size_t groups_n, units_n;
	} rows[] = {
		{ ROW, "ipc,x=r1/faults", 2, 2 },
		{ ROW, "x='uncore_0/e/'/r1/'uncore_1/e/',y=r2", 4, 2 },
		{ ROW, "x=r1/'uncore/e/',y=r2", 4, 2 }, /* two instances */
		{ ROW, "x=cycles/'uncore_0/e/',y=instructions", 3, 2 }, /* not with the partner */
	};

	tree_add(machine.root, PMU "uncore_0/type", "10");
	tree_add(machine.root, PMU "uncore_0/events/e", "config=1");
	tree_add(machine.root, PMU "uncore_0/cpumask", "0");
	tree_add(machine.root, PMU "uncore_1/type", "11");
	tree_add(machine.root, PMU "uncore_1/events/e", "config=1");
	tree_add(machine.root, PMU "uncore_1/cpumask", "0");
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_free char *messages = NULL;
		cleanup_free size_t *units = NULL;
		size_t units_n = 0;

		ask(REQUEST_METRICS, rows[i].text);
		if (resolve(&messages) < 0)
			fail_msg("row %d: %s", rows[i].line, messages);
		units = events_units(&wanted.events, &wanted.metrics);
		assert_non_null(units);
		for (size_t k = 0; k < wanted.events.groups_n; k++)
			units_n += units[k] == k;
		row_int(&rows[i], wanted.events.groups_n, rows[i].groups_n);
		row_int(&rows[i], units_n, rows[i].units_n);
		wanted_release(&wanted);
		wanted = (struct wanted){ .options = &options, .machine = &machine };
		options.requests_n = 0;
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(cgroups_are_given_in_order),
		TEST(one_cgroup_is_for_all_before_it),
		TEST(an_empty_item_is_no_cgroup),
		TEST(an_empty_list_is_none_for_all),
		TEST(later_lists_go_on_where_the_last_one_ended),
		TEST(cgroups_without_events_are_refused),
		TEST(more_cgroups_than_events_are_refused),
		TEST(a_group_is_of_one_cgroup),
		TEST(every_event_is_there_for_each_cgroup),
		TEST(patterns_stand_for_their_cgroups),
		TEST(the_default_events_are_copied_too),
		TEST(a_pattern_that_matches_nothing_is_told),
		TEST(cpus_have_the_clock_of_cpus),
		TEST(all_threads_have_the_clock_of_cpus),
		TEST(a_metric_is_a_weak_group),
		TEST(metrics_share_events_in_small_groups),
		TEST(metrics_alone_leave_the_defaults_out),
		TEST(a_metric_of_an_unknown_event_is_refused_with_the_place),
		TEST(metrics_are_of_each_cgroup),
		TEST(ratio_partners_are_one_unit),
		TEST(events_of_a_metric_are_one_unit),
	};

	return cmocka_run_group_tests_name("cli events", tests, NULL, NULL);
}
