/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values were computed by Python's fractions.Fraction from the same text. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "metric/expression.h"
#include "unit/test.h"

enum { VALUES_MAX = 4 };

/* The values of the events, in their order of appearance. time is 2 s, cpus is 8. */
static const struct {
	int line;
	const char *text;
	const char *events; /* events separated by blanks, each with its position */
	long double values[VALUES_MAX];
	double value;
} accepted[] = {
	/* numbers */
	{ ROW, "1", "", { 0 }, 1 },
	{ ROW, " 42\t", "", { 0 }, 42 },
	{ ROW, "1.5", "", { 0 }, 1.5 },
	{ ROW, ".5", "", { 0 }, 0.5 },
	{ ROW, "5.", "", { 0 }, 5 },
	{ ROW, "1e3", "", { 0 }, 1000 },
	{ ROW, "2.5E-2", "", { 0 }, 0.025 },
	{ ROW, "1e+2", "", { 0 }, 100 },
	{ ROW, "007", "", { 0 }, 7 },
	{ ROW, "1e-99999", "", { 0 }, 0 },
	/* precedence and association */
	{ ROW, "1+2*3", "", { 0 }, 7 },
	{ ROW, "(1+2)*3", "", { 0 }, 9 },
	{ ROW, "10-4-3", "", { 0 }, 3 },
	{ ROW, "10-(4-3)", "", { 0 }, 9 },
	{ ROW, "100/10/5", "", { 0 }, 2 },
	{ ROW, "100/(10/5)", "", { 0 }, 50 },
	{ ROW, "2*3+4*5-6/3", "", { 0 }, 24 },
	{ ROW, "1-2*3/4+5", "", { 0 }, 4.5 },
	{ ROW, "((((7))))", "", { 0 }, 7 },
	/* unary minus */
	{ ROW, "-3", "", { 0 }, -3 },
	{ ROW, "- -3", "", { 0 }, 3 },
	{ ROW, "2*-3", "", { 0 }, -6 },
	{ ROW, "2--3", "", { 0 }, 5 },
	{ ROW, "-2*3+10", "", { 0 }, 4 },
	{ ROW, "-(2+3)*2", "", { 0 }, -10 },
	{ ROW, "2*-3*4/-6", "", { 0 }, 4 },
	{ ROW, "10-5", "", { 0 }, 5 },
	/* events */
	{ ROW, "instructions/cycles", "instructions@0 cycles@13", { 3, 2 }, 1.5 },
	{ ROW, "branch-misses/branches", "branch-misses@0 branches@14", { 1, 4 }, 0.25 },
	{ ROW, "a-b", "a-b@0", { 7 }, 7 },
	{ ROW, "a - b", "a@0 b@4", { 7, 2 }, 5 },
	{ ROW, "a- b", "a@0 b@3", { 7, 2 }, 5 },
	{ ROW, "a -b", "a@0 b@3", { 7, 2 }, 5 },
	{ ROW, "a--b", "a@0 b@3", { 7, 2 }, 9 },
	{ ROW, "a-(b)", "a@0 b@3", { 7, 2 }, 5 },
	{ ROW, "a-_b", "a@0 _b@2", { 7, 2 }, 5 },
	{ ROW, "a-1", "a-1@0", { 7 }, 7 },
	{ ROW, "a-.5", "a@0", { 7 }, 6.5 },
	{ ROW, "(a+b)/(a-b2)", "a@1 b@3 a-b2@7", { 7, 2, 3 }, 3 },
	{ ROW, "a/a + a*b", "a@0 b@8", { 7, 2 }, 15 },
	{ ROW, "cycles:u/cycles:k", "cycles:u@0 cycles:k@9", { 9, 2 }, 4.5 },
	{ ROW, "sched:sched_switch*2", "sched:sched_switch@0", { 9 }, 18 },
	{ ROW,
	  "INST_RETIRED:ANY_P:u + r1a2b.x",
	  "INST_RETIRED:ANY_P:u@0 r1a2b.x@23",
	  { 9, 1 },
	  10 },
	{ ROW, "e5*1e5", "e5@0", { 3 }, 300000 },
	{ ROW, "1-e", "e@2", { 3 }, -2 },
	{ ROW,
	  "'cpu/event=0x3c,umask=1/u'/cycles",
	  "cpu/event=0x3c,umask=1/u@1 cycles@27",
	  { 6, 4 },
	  1.5 },
	{ ROW, "'a'+a", "a@1", { 7 }, 14 },
	{ ROW, "'4:0x3c' - 'mem:f:w'", "4:0x3c@1 mem:f:w@12", { 7, 2 }, 5 },
	{ ROW, "a + b + c + d", "a@0 b@4 c@8 d@12", { 1, 2, 4, 8 }, 15 },
	/* the two variables, and events with similar names */
	{ ROW, "time", "", { 0 }, 2 },
	{ ROW, "cpus*time", "", { 0 }, 16 },
	{ ROW, "'time' + 'cpus'", "time@1 cpus@10", { 30, 4 }, 34 },
	{ ROW, "time_s + cpus:u + times", "time_s@0 cpus:u@9 times@18", { 1, 2, 4 }, 7 },
	{ ROW, "Time", "Time@0", { 5 }, 5 },
	{ ROW, "duration_time/1e9/time", "duration_time@0", { 2e9L }, 1 },
	{ ROW, "100*a/(a+b)\n", "a@4 b@9", { 1, 3 }, 25 },
	/* exact beyond the 53 bits of a double */
	{ ROW, "a - b", "a@0 b@4", { 18446744073709551615.0L, 18446744073709551614.0L }, 1 },
};

#define QUOTES " is not an operator; put events with such characters in single quotes"
#define MISSING "a number or an event is missing here"
#define BETWEEN "an operator is missing before this"

static const struct refused refused[] = {
	{ ROW, "", 0, MISSING },
	{ ROW, "  ", 2, MISSING },
	{ ROW, "()", 1, MISSING },
	{ ROW, "a+", 2, MISSING },
	{ ROW, "a*/b", 2, MISSING },
	{ ROW, "+1", 0, MISSING },
	{ ROW, "-", 1, MISSING },
	{ ROW, "*a", 0, MISSING },
	{ ROW, "(a+)", 3, MISSING },
	{ ROW, ")", 0, MISSING },
	{ ROW, "cpu/cycles/", 11, MISSING },
	{ ROW, "$a", 0, MISSING },
	{ ROW, "(a", 0, "the '(' is not closed" },
	{ ROW, "a*((b+c)", 2, "the '(' is not closed" },
	{ ROW, "a*(b+c*-d,e", 2, "the '(' is not closed" },
	{ ROW, "a)", 1, "this ')' has no matching '('" },
	{ ROW, "(a))+1", 3, "this ')' has no matching '('" },
	{ ROW, "a b", 2, BETWEEN },
	{ ROW, "2a", 1, BETWEEN },
	{ ROW, "0x10", 1, BETWEEN },
	{ ROW, "1e", 1, BETWEEN },
	{ ROW, "1e+", 1, BETWEEN },
	{ ROW, "1.2.3", 3, BETWEEN },
	{ ROW, "2(3)", 1, BETWEEN },
	{ ROW, "(2)(3)", 3, BETWEEN },
	{ ROW, "a'b'", 1, BETWEEN },
	{ ROW, ".", 0, "a digit is missing next to the '.'" },
	{ ROW, "1+.e5", 2, "a digit is missing next to the '.'" },
	{ ROW, "1e99999", 0, "this number is too large" },
	{ ROW, "1+1e309", 2, "this number is too large" },
	{ ROW, "'a", 0, "the ' is not closed" },
	{ ROW, "a+'b'+'c", 6, "the ' is not closed" },
	{ ROW, "a/''", 3, "an event is missing here" },
	{ ROW, "cpu/event=1/", 9, "'='" QUOTES },
	{ ROW, "a,b", 1, "','" QUOTES },
	{ ROW, "a % b", 2, "'%'" QUOTES },
	{ ROW, "a^2", 1, "'^'" QUOTES },
	{ ROW, "sys:*{", 5, MISSING },
};

/* Expressions without a value, for these values of the events a and b. */
static const struct {
	int line;
	const char *text;
	long double values[VALUES_MAX];
} without_value[] = {
	{ ROW, "1/0", { 0 } },
	{ ROW, "0/0", { 0 } },
	{ ROW, "a/b", { 1, 0 } },
	{ ROW, "a/b", { 0, 0 } },
	{ ROW, "1/(a - 2)", { 2 } },
	{ ROW, "0*(1/a)", { 0 } },
	{ ROW, "1/(1/a)", { 0 } },
	{ ROW, "a*a", { 1e300L } },
	{ ROW, "-a*a", { 1e300L } },
	{ ROW, "a+a", { DBL_MAX } },
	{ ROW, "1/(a*a)", { 1e300L } },
	{ ROW, "1/a", { 1e-4000L } },
	{ ROW, "a", { (long double)NAN } },
	{ ROW, "0*a", { (long double)INFINITY } },
};

static int parse(struct expression *e, const char *text, struct why *why)
{
	return expression_parse(e, text, strlen(text), 0, why);
}

static void an_expression_has_this_value(void **state)
{
	for (size_t i = 0; i < N_OF(accepted); i++) {
		cleanup_with(expression_release) struct expression e = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str events = { 0 };
		long double value = -1;

		row_int(&accepted[i], parse(&e, accepted[i].text, &why), 0);
		for (size_t j = 0; j < e.events_n; j++)
			str_addf(&events, "%s%s@%zu", j ? " " : "", e.events[j].text,
				 e.events[j].at);
		row_string(&accepted[i], str_text(&events), accepted[i].events);
		row_int(&accepted[i], expression_evaluate(&e, accepted[i].values, 2, 8, &value), 0);
		row_true(&accepted[i], (double)value == accepted[i].value);
	}
}

static void a_mistake_is_reported_with_its_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		struct expression e = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&refused[i], parse(&e, refused[i].text, &why), -EINVAL);
		row_why(&refused[i], &why);
		row_true(&refused[i], e.events_n + e.steps_n == 0 && !e.events && !e.steps);
	}
}

static void a_value_that_is_not_finite_is_dropped(void **state)
{
	for (size_t i = 0; i < N_OF(without_value); i++) {
		cleanup_with(expression_release) struct expression e = { 0 };
		cleanup_why struct why why = { 0 };
		long double value = 123;

		row_int(&without_value[i], parse(&e, without_value[i].text, &why), 0);
		row_int(&without_value[i],
			expression_evaluate(&e, without_value[i].values, 1, 1, &value), -EDOM);
		row_true(&without_value[i], value == 123);
	}
}

static void time_and_cpus_may_be_zero(void **state)
{
	cleanup_with(expression_release) struct expression e = { 0 };
	cleanup_with(expression_release) struct expression none = { 0 };
	cleanup_why struct why why = { 0 };
	long double one = 1, value;

	assert_int_equal(parse(&e, "a/time/cpus", &why), 0);
	assert_int_equal(expression_evaluate(&e, &one, 0, 1, &value), -EDOM);
	assert_int_equal(expression_evaluate(&e, &one, 1, 0, &value), -EDOM);
	assert_int_equal(expression_evaluate(&e, &one, 1, 1, &value), 0);
	assert_int_equal(expression_evaluate(&none, &one, 1, 1, &value), -EDOM);
}

static void zero_has_no_sign(void **state)
{
	cleanup_with(expression_release) struct expression e = { 0 };
	cleanup_why struct why why = { 0 };
	long double zero = 0, value = -1;

	assert_int_equal(parse(&e, "-a", &why), 0);
	assert_int_equal(expression_evaluate(&e, &zero, 1, 1, &value), 0);
	assert_true(value == 0 && !signbit(value));
}

/*
 * Positions count from the start of the user's argument. The parsed part does not end with a NUL,
 * and the text after it is not read.
 */
static void a_part_of_a_text_is_read_alone(void **state)
{
	static const char text[] = "x=a+12'34',y";
	cleanup_with(expression_release) struct expression e = { 0 };
	cleanup_why struct why why = { 0 };
	long double value = 1;

	assert_int_equal(expression_parse(&e, text + 2, 3, 102, &why), 0);
	assert_int_equal(expression_evaluate(&e, &value, 1, 1, &value), 0);
	assert_true(value == 2);
	assert_int_equal(e.events[0].at, 102);
	expression_release(&e);
	assert_int_equal(expression_parse(&e, text + 2, 5, 102, &why), -EINVAL);
	assert_string_equal(why_text(&why, -EINVAL), BETWEEN);
	assert_int_equal(why.position, 106);
	assert_int_equal(expression_parse(&e, text + 2, 2, 102, &why), -EINVAL);
	assert_int_equal(why.position, 104);
}

/* n copies of text, then more. */
static char *repeat(const char *text, size_t n, const char *more)
{
	struct str s = { 0 };

	for (size_t i = 0; i < n; i++)
		str_add(&s, text);
	str_add(&s, more);
	assert_false(s.failed);
	return s.text;
}

static void depth_has_a_limit(void **state)
{
	static const struct {
		int line;
		const char *text, *more;
		size_t n;
		int error;
		size_t position;
	} rows[] = {
		{ ROW, "-", "1", EXPRESSION_DEPTH_MAX, 0, 0 },
		{ ROW, "-", "1", EXPRESSION_DEPTH_MAX + 1, -EINVAL, EXPRESSION_DEPTH_MAX },
		{ ROW, "1+(", "1", EXPRESSION_DEPTH_MAX / 2 + 1, -EINVAL,
		  EXPRESSION_DEPTH_MAX / 2 * 3 + 1 },
		{ ROW, "(", "", 1000000, -EINVAL, EXPRESSION_DEPTH_MAX },
		{ ROW, "-", "", 1000000, -EINVAL, EXPRESSION_DEPTH_MAX },
		{ ROW, "1*(2-", "", 200000, -EINVAL, EXPRESSION_DEPTH_MAX / 3 * 5 + 2 },
		/* no depth */
		{ ROW, "1+", "1", 500000, 0, 0 },
		{ ROW, "(1)*", "1", 250000, 0, 0 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(expression_release) struct expression e = { 0 };
		cleanup_free char *text = repeat(rows[i].text, rows[i].n, rows[i].more);
		cleanup_why struct why why = { 0 };
		long double value;

		row_int(&rows[i], parse(&e, text, &why), rows[i].error);
		row_int(&rows[i], why.position, rows[i].position);
		if (rows[i].error == 0)
			row_int(&rows[i], expression_evaluate(&e, NULL, 1, 1, &value), 0);
	}
}

/* The deepest valid expression: every value except the last one stays on the stack. */
static void the_deepest_expression_has_a_value(void **state)
{
	cleanup_with(expression_release) struct expression e = { 0 };
	cleanup_free char *open = repeat("1+(", EXPRESSION_DEPTH_MAX / 2, "1");
	cleanup_free char *close = repeat(")", EXPRESSION_DEPTH_MAX / 2, "");
	cleanup_str struct str text = { 0 };
	cleanup_why struct why why = { 0 };
	long double value = 0;

	str_addf(&text, "%s%s", open, close);
	assert_int_equal(parse(&e, str_text(&text), &why), 0);
	assert_int_equal(expression_evaluate(&e, NULL, 1, 1, &value), 0);
	assert_true(value == EXPRESSION_DEPTH_MAX / 2 + 1);
}

static void the_number_of_events_has_a_limit(void **state)
{
	cleanup_with(expression_release) struct expression e = { 0 };
	cleanup_str struct str text = { 0 };
	cleanup_why struct why why = { 0 };

	for (int i = 0; i < EXPRESSION_EVENTS_MAX; i++)
		str_addf(&text, "e%d + ", i);
	str_add(&text, "e0");
	assert_int_equal(parse(&e, str_text(&text), &why), 0);
	assert_int_equal(e.events_n, EXPRESSION_EVENTS_MAX);
	expression_release(&e);
	str_add(&text, " + one_more");
	assert_int_equal(parse(&e, str_text(&text), &why), -EINVAL);
	assert_string_equal(why_text(&why, -EINVAL), "an expression may have at most 64 events");
	assert_int_equal(why.position, text.len - strlen("one_more"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_expression_has_this_value),
		cmocka_unit_test(a_mistake_is_reported_with_its_position),
		cmocka_unit_test(a_value_that_is_not_finite_is_dropped),
		cmocka_unit_test(time_and_cpus_may_be_zero),
		cmocka_unit_test(zero_has_no_sign),
		cmocka_unit_test(a_part_of_a_text_is_read_alone),
		cmocka_unit_test(depth_has_a_limit),
		cmocka_unit_test(the_deepest_expression_has_a_value),
		cmocka_unit_test(the_number_of_events_has_a_limit),
	};

	return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
