/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "metric/metric_list.h"
#include "unit/test.h"

static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

/* Each request as name(events), each event with its position. */
static void add_requests(struct str *out, const struct metric_request_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct expression *e = &list->v[i].expression;

		str_addf(out, "%s%s(", i ? " " : "", list->v[i].name);
		for (size_t j = 0; j < e->events_n; j++)
			str_addf(out, "%s%s@%zu", j ? " " : "", e->events[j].text, e->events[j].at);
		str_add(out, ")");
	}
}

static const struct {
	int line;
	const char *text, *requests;
} accepted[] = {
	{ ROW, "ipc", "ipc(instructions@0 cycles@0)" },
	{ ROW, " ipc , ghz\t", "ipc(instructions@1 cycles@1) ghz(cycles@7 task-clock@7)" },
	{ ROW, "a=b", "a(b@2)" },
	{ ROW, " a = b / c ", "a(b@5 c@9)" },
	{ ROW, "a=b,ipc,c=d*e", "a(b@2) ipc(instructions@4 cycles@4) c(d@10 e@12)" },
	{ ROW, "a='x/y,z/'/b,c=d", "a(x/y,z/@3 b@11) c(d@15)" },
	{ ROW, "a='x(',b='y)'", "a(x(@3) b(y)@10)" },
	{ ROW, "a=(b+(c))*d,e=f", "a(b@3 c@6 d@10) e(f@14)" },
	{ ROW, "a='x=y'", "a(x=y@3)" },
	{ ROW, "_A.b-9=c", "_A.b-9(c@7)" },
	{ ROW, "ipc=instructions:u/cycles:u", "ipc(instructions:u@4 cycles:u@19)" },
	{ ROW, "time=a/time,cpus=b/cpus", "time(a@5) cpus(b@17)" },
	/* saved metrics of tables */
	{ ROW, " a _%_b = c/d,1;x=e", "a _%_b(c@10 d@12) 1;x(e@18)" },
	{ ROW, "ipc, IPC", "ipc(instructions@0 cycles@0)" },
	{ ROW, "Ipc:u", "ipc:u(instructions:u@0 cycles:u@0)" },
};

#define KNOWN                                                                                      \
	"ipc, cpi, branch-miss-rate, l1d-miss-rate, llc-miss-rate, dtlb-miss-rate, ghz, cpus or "  \
	"NAME=EXPRESSION"
#define NEITHER "this is neither a metric's name nor NAME=EXPRESSION"

static const struct refused refused[] = {
	{ ROW, "", 0, "a metric is missing here" },
	{ ROW, " ", 1, "a metric is missing here" },
	{ ROW, ",ipc", 0, "a metric is missing here" },
	{ ROW, "ipc,", 4, "a metric is missing here" },
	{ ROW, "ipc,,cpi", 4, "a metric is missing here" },
	{ ROW, "ipcs", 0,
	  "Cannot find metric or group `ipcs'; did you mean 'ipc'? --list metric lists all" },
	{ ROW, "a=b,a=c", 4, "metric 'a' has two expressions; give one of them another name" },
	{ ROW, "ipc=a,ipc", 6, "metric 'ipc' has two expressions; give one of them another name" },
	{ ROW, "instructions/cycles", 0, NEITHER },
	{ ROW, "ipc,a\001=b", 4, NEITHER },
	{ ROW, "a(b)=b", 0, NEITHER },
	{ ROW, "=b", 0, NEITHER },
	{ ROW, "ipc cpi", 0, NEITHER },
	{ ROW, "'ipc'", 0, NEITHER },
	{ ROW, "a=", 2, "a number or an event is missing here" },
	{ ROW, "ipc,a= ,cpi", 7, "a number or an event is missing here" },
	{ ROW, "a==b", 2, "a number or an event is missing here" },
	{ ROW, "a=1", 2, "there is no event in 'a'" },
	{ ROW, "ipc,a=cpus*time", 6, "there is no event in 'a'" },
	{ ROW, "a=(b,ipc", 2, "the '(' is not closed" },
	{ ROW, "a=b),ipc", 3, "this ')' has no matching '('" },
	{ ROW, "a=b,c='d,ipc", 6, "the ' is not closed" },
};

static void a_list_makes_these_requests(void **state)
{
	for (size_t i = 0; i < N_OF(accepted); i++) {
		cleanup_with(metric_list_release) struct metric_request_list list = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str requests = { 0 };

		row_int(&accepted[i], metric_list_parse(&list, accepted[i].text, &why), 0);
		add_requests(&requests, &list);
		row_string(&accepted[i], str_text(&requests), accepted[i].requests);
	}
}

static void a_mistake_is_reported_with_its_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		struct metric_request_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&refused[i], metric_list_parse(&list, refused[i].text, &why), -EINVAL);
		row_why(&refused[i], &why);
		row_int(&refused[i], list.n, 0);
		metric_list_release(&list);
	}
}

static void a_second_list_is_appended_whole_or_not_at_all(void **state)
{
	cleanup_with(metric_list_release) struct metric_request_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(metric_list_parse(&list, "ipc,a=b", &why), 0);
	assert_int_equal(metric_list_parse(&list, "cpi,c=d,a=e", &why), -EINVAL);
	assert_string_equal(why_text(&why, -EINVAL),
			    "metric 'a' has two expressions; give one of them another name");
	assert_int_equal(why.position, 8);
	assert_int_equal(list.n, 2);
	assert_int_equal(metric_list_parse(&list, "cpi,c=d", &why), 0);
	assert_int_equal(list.n, 4);
	assert_string_equal(list.v[3].name, "c");
	assert_int_equal(metric_list_parse(&list, "ipc,c=d,ipc", &why), 0);
	assert_int_equal(list.n, 4);
}

static void the_number_of_metrics_has_a_limit(void **state)
{
	cleanup_with(metric_list_release) struct metric_request_list list = { 0 };
	cleanup_str struct str text = { 0 };
	cleanup_why struct why why = { 0 };

	for (int i = 0; i < METRIC_REQUESTS_MAX; i++)
		str_addf(&text, "%sm%d=a", i ? "," : "", i);
	assert_int_equal(metric_list_parse(&list, str_text(&text), &why), 0);
	assert_int_equal(list.n, METRIC_REQUESTS_MAX);
	assert_int_equal(metric_list_parse(&list, "ipc", &why), -EINVAL);
	assert_string_equal(why_text(&why, -EINVAL), "a list may have at most 1024 metrics");
}

/* The named metrics, with round counts in the order of their events, over 2 s. */
static const struct {
	int line;
	const char *name;
	long double values[2];
	double value;
	enum metric_kind kind;
	const char *derived;
} by_name[] = {
	{ ROW, "ipc", { 3000, 2000 }, 1.5, METRIC_RATIO, "insn per cycle" },
	{ ROW, "cpi", { 3000, 2000 }, 1.5, METRIC_RATIO, "cycles per insn" },
	{ ROW, "branch-miss-rate", { 5, 200 }, 2.5, METRIC_PERCENT, "of all branches" },
	{ ROW, "l1d-miss-rate", { 5, 200 }, 2.5, METRIC_PERCENT, "of all L1-dcache accesses" },
	{ ROW, "llc-miss-rate", { 5, 200 }, 2.5, METRIC_PERCENT, "of all LL-cache accesses" },
	{ ROW, "dtlb-miss-rate", { 5, 200 }, 2.5, METRIC_PERCENT, "of all dTLB cache accesses" },
	{ ROW, "ghz", { 6e9L, 2e9L }, 3, METRIC_RATE, "GHz" },
	{ ROW, "cpus", { 3e9L }, 1.5, METRIC_RATE, "CPUs utilized" },
};

static void a_metric_with_a_name_has_value_unit_and_kind(void **state)
{
	assert_null(metric_definitions[N_OF(by_name)].name);
	for (size_t i = 0; i < N_OF(by_name); i++) {
		cleanup_with(metric_list_release) struct metric_request_list list = { 0 };
		cleanup_why struct why why = { 0 };
		long double value;

		row_string(&by_name[i], metric_definitions[i].name, by_name[i].name);
		row_int(&by_name[i], metric_list_parse(&list, by_name[i].name, &why), 0);
		row_int(&by_name[i],
			expression_evaluate(&list.v[0].expression, by_name[i].values, 2, 1, &value),
			0);
		row_true(&by_name[i], (double)value == by_name[i].value);
		row_int(&by_name[i], list.v[0].kind, by_name[i].kind);
		row_string(&by_name[i], list.v[0].derived, by_name[i].derived);
	}
}

/* Each event of a named metric is a name that all machines have, and is a single event. */
static void the_events_of_metrics_with_names_exist(void **state)
{
	for (const struct metric_definition *d = metric_definitions; d->name; d++) {
		cleanup_with(metric_list_release) struct metric_request_list list = { 0 };
		cleanup_with(event_list_release) struct event_list events = { 0 };
		cleanup_why struct why why = { 0 };

		assert_int_equal(metric_list_parse(&list, d->name, &why), 0);
		for (size_t i = 0; i < list.v[0].expression.events_n; i++)
			assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL,
							list.v[0].expression.events[i].text,
							&events, &why),
					 0);
		assert_int_equal(events.n, list.v[0].expression.events_n);
	}
}

static void the_users_own_metric_is_named_by_its_name(void **state)
{
	cleanup_with(metric_list_release) struct metric_request_list list = { 0 };
	cleanup_why struct why why = { 0 };
	long double a = 3, value;

	assert_int_equal(metric_list_parse(&list, "per-second=a/time", &why), 0);
	assert_string_equal(list.v[0].name, "per-second");
	assert_null(list.v[0].derived);
	assert_int_equal(list.v[0].kind, METRIC_OF_USER);
	assert_int_equal(expression_evaluate(&list.v[0].expression, &a, 2, 1, &value), 0);
	assert_true(value == 1.5L);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_makes_these_requests),
		cmocka_unit_test(a_mistake_is_reported_with_its_position),
		cmocka_unit_test(a_second_list_is_appended_whole_or_not_at_all),
		cmocka_unit_test(the_number_of_metrics_has_a_limit),
		cmocka_unit_test(a_metric_with_a_name_has_value_unit_and_kind),
		cmocka_unit_test(the_events_of_metrics_with_names_exist),
		cmocka_unit_test(the_users_own_metric_is_named_by_its_name),
	};

	return cmocka_run_group_tests_name("metric_list", tests, NULL, NULL);
}
