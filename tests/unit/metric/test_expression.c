/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values were computed by Python's fractions.Fraction from the same text. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
	/* conditions: the value comes first */
	{ ROW, "1 if 2 else 3", "", { 0 }, 1 },
	{ ROW, "1 if 0 else 3", "", { 0 }, 3 },
	{ ROW, "a if a > b else b", "a@0 b@9", { 3, 7 }, 7 },
	{ ROW, "2 * a if b else -a", "a@4 b@9", { 3, 0 }, -3 },
	{ ROW, "1 if a > 4 else 2 if a > 2 else 3", "a@5", { 3 }, 2 },
	{ ROW, "1 if a > 4 else 2 if a > 2 else 3", "a@5", { 1 }, 3 },
	{ ROW, "(1 if a else 2) + 10", "a@6", { 0 }, 12 },
	{ ROW, "a / b if b > 0 else 0", "a@0 b@4", { 1, 0 }, 0 },
	{ ROW, "0 if b < 1 else a / b", "b@5 a@16", { 0, 1 }, 0 },
	{ ROW, "if1 + elsewhere", "if1@0 elsewhere@6", { 1, 2 }, 3 },
	/* comparisons and logic; '&' binds more than '|' */
	{ ROW, "a < b", "a@0 b@4", { 1, 2 }, 1 },
	{ ROW, "a > b", "a@0 b@4", { 1, 2 }, 0 },
	{ ROW, "2 < 2", "", { 0 }, 0 },
	{ ROW, "1 + 2 > 2", "", { 0 }, 1 },
	{ ROW, "a > 0.1 & b > 0.2", "a@0 b@10", { 1, 2 }, 1 },
	{ ROW, "a & b", "a@0 b@4", { 4, 2 }, 1 },
	{ ROW, "a | b", "a@0 b@4", { 0, 2 }, 1 },
	{ ROW, "a | b", "a@0 b@4", { 0, 0 }, 0 },
	{ ROW, "1 | a & 0", "", { 0 }, 1 },
	{ ROW, "a | b & c", "a@0 b@4 c@8", { 1, 1, 0 }, 1 },
	{ ROW, "a < 1 & 1 / a > 2", "a@0", { 0.25L }, 1 },
	{ ROW, "a > 1 & 1 / b > 2", "a@0 b@12", { 0, 0 }, 0 }, /* one side decides */
	{ ROW, "a < 1 | 1 / b > 2", "a@0 b@12", { 0, 0 }, 1 },
	/* functions and remainders */
	{ ROW, "min(a, b) + 1", "a@4 b@7", { 3, 2 }, 3 },
	{ ROW, "max (a,b)*2", "a@5 b@7", { 3, 2 }, 6 },
	{ ROW, "d_ratio(a, b)", "a@8 b@11", { 3, 2 }, 1.5 },
	{ ROW, "d_ratio(a, b)", "a@8 b@11", { 3, 0 }, 0 },
	{ ROW, "max(min(a, 5), (b - 1) * 2)", "a@8 b@16", { 9, 3 }, 5 },
	{ ROW, "min(1 if a else 2, 3)", "a@9", { 0 }, 2 },
	{ ROW, "min + max", "min@0 max@6", { 1, 2 }, 3 },
	{ ROW, "a % b", "a@0 b@4", { 17.9L, 5.9L }, 2 },
	{ ROW, "(7 / 2) % 2", "", { 0 }, 1 },
	{ ROW, "-7 % 4", "", { 0 }, -3 },
	{ ROW, "2 + 7 % 4 * 3", "", { 0 }, 11 },
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
	{ ROW, "a ? b", 2, "'?'" QUOTES },
	{ ROW, "a^2", 1, "'^'" QUOTES },
	{ ROW, "sys:*{", 5, MISSING },
	{ ROW, "#smt_on", 0, MISSING },
	{ ROW, "1 if a", 2, "this 'if' has no 'else'" },
	{ ROW, "(1 if a) + 2", 3, "this 'if' has no 'else'" },
	{ ROW, "1 if a else", 11, MISSING },
	{ ROW, "1 if else 2", 10, BETWEEN },
	{ ROW, "1 else 2", 2, "this 'else' has no 'if'" },
	{ ROW, "1 if (a else 2)", 8, "this 'else' has no 'if'" },
	{ ROW, "min(a)", 5, "min needs two values, separated by ','" },
	{ ROW, "min(a, b, c)", 8, "min takes only two values" },
	{ ROW, "d_ratio(a, (b)", 7, "the '(' is not closed" },
	{ ROW, "max(a,)", 6, MISSING },
	{ ROW, "has_event(a)", 9, BETWEEN },
	{ ROW, "a <= b", 3, MISSING },
	{ ROW, "a && b", 3, MISSING },
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
	{ ROW, "1/a > 2", { 0 } },
	{ ROW, "1/a & 1", { 0 } },
	{ ROW, "1/a | 0", { 0 } },
	{ ROW, "min(1/a, 2)", { 0 } },
	{ ROW, "max(2, 1/a)", { 0 } },
	{ ROW, "1 if 1/a else 2", { 0 } },
	{ ROW, "1/a if a < 1 else 2", { 0 } },
	{ ROW, "d_ratio(1/a, 0)", { 0 } },
	{ ROW, "a % b", { 7, 0 } },
	{ ROW, "a % b", { 7, 0.5L } },
	{ ROW, "a % b", { 1e30L, 7 } },
};

static int parse(struct expression *e, const char *text, struct why *why)
{
	return expression_parse(e, text, strlen(text), 0, NULL, why);
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

/* ---- The language of perf's tables. */

static const char *metric_of(const void *data, const char *name)
{
	static const struct {
		const char *name, *text;
	} metrics[] = {
		{ "ipc", "inst / cycles" }, { "double", "2 * (ipc)" }, { "sum", "a + b" },
		{ "loop1", "1 + loop2" },   { "loop2", "LOOP1 * 2" },  { "self", "self" },
		{ "broken", "a +" },	    { "closes", "a) * (b" },   { "later", "1 if a" },
	};

	/* level40 = level39 + level39 and so on */
	static char doubled[64][32];
	int level;

	for (size_t i = 0; i < N_OF(metrics); i++)
		if (strcasecmp(metrics[i].name, name) == 0)
			return metrics[i].text;
	if (sscanf(name, "level%d", &level) != 1 || level < 1 || level >= (int)N_OF(doubled))
		return NULL;
	snprintf(doubled[level], sizeof(doubled[level]), "level%d + level%d", level - 1, level - 1);
	return doubled[level];
}

static bool fact_of(const void *data, const char *name, long double *value)
{
	if (strcasecmp(name, "smt_on") == 0)
		*value = 0;
	else if (strcasecmp(name, "core_wide") == 0)
		*value = 1;
	else if (strcasecmp(name, "num_cpus") == 0)
		*value = 16;
	else if (strcasecmp(name, "system_tsc_freq") == 0)
		*value = 2.5e9L;
	else
		return false;
	return true;
}

static bool has_event_of(const void *data, const char *name)
{
	return strcmp(name, "cycles") == 0;
}

static bool is_cpu_of(const void *data, const char *pattern)
{
	return strcmp(pattern, "0x0000000410fd8000") == 0;
}

static const struct expression_names names = {
	.metric = metric_of, .fact = fact_of, .has_event = has_event_of, .is_cpu = is_cpu_of
};

/*
 * The strings of perf's own test (tools/perf/tests/expr.c in Linux 6.12) with their values, then
 * more. Events that cannot affect the value are not listed.
 */
static const struct {
	int line;
	const char *text;
	const char *events;
	long double values[VALUES_MAX];
	double value;
} of_tables[] = {
	{ ROW, "1+1", "", { 0 }, 2 },
	{ ROW, "FOO+BAR", "FOO BAR", { 1, 2 }, 3 },
	{ ROW, "(BAR/2)%2", "BAR", { 2 }, 1 },
	{ ROW, "1 - -4", "", { 0 }, 5 },
	{ ROW, "(FOO-1)*2 + (BAR/2)%2 - -4", "FOO BAR", { 1, 2 }, 5 },
	{ ROW, "1-1 | 1", "", { 0 }, 1 },
	{ ROW, "1-1 & 1", "", { 0 }, 0 },
	{ ROW, "min(1,2) + 1", "", { 0 }, 2 },
	{ ROW, "max(1,2) + 1", "", { 0 }, 3 },
	{ ROW, "1+1 if 3*4 else 0", "", { 0 }, 2 },
	{ ROW, "100 if 1 else 200 if 1 else 300", "", { 0 }, 100 },
	{ ROW, "100 if 0 else 200 if 1 else 300", "", { 0 }, 200 },
	{ ROW, "100 if 1 else 200 if 0 else 300", "", { 0 }, 100 },
	{ ROW, "100 if 0 else 200 if 0 else 300", "", { 0 }, 300 },
	{ ROW, "1.1 + 2.1", "", { 0 }, 3.2 },
	{ ROW, ".1 + 2.", "", { 0 }, 2.1 },
	{ ROW, "d_ratio(1, 2)", "", { 0 }, 0.5 },
	{ ROW, "d_ratio(2.5, 0)", "", { 0 }, 0 },
	{ ROW, "1.1 < 2.2", "", { 0 }, 1 },
	{ ROW, "2.2 > 1.1", "", { 0 }, 1 },
	{ ROW, "1.1 < 1.1", "", { 0 }, 0 },
	{ ROW, "2.2 > 2.2", "", { 0 }, 0 },
	{ ROW, "2.2 < 1.1", "", { 0 }, 0 },
	{ ROW, "1.1 > 2.2", "", { 0 }, 0 },
	{ ROW, "1.1e10 < 1.1e100", "", { 0 }, 1 },
	{ ROW, "1.1e2 > 1.1e-2", "", { 0 }, 1 },
	{ ROW, "FOO + BAR + BAZ + BOZO", "FOO BAR BAZ BOZO", { 1, 2, 3, 4 }, 10 },
	{ ROW,
	  "EVENT1\\,param\\=?@ + EVENT2\\,param\\=?@",
	  "EVENT1,param=?/ EVENT2,param=?/",
	  { 1, 2 },
	  3 },
	{ ROW, "dash\\-event1 - dash\\-event2", "dash-event1 dash-event2", { 5, 3 }, 2 },
	{ ROW, "EVENT1 if #smt_on else EVENT2", "EVENT2", { 7 }, 7 },
	{ ROW, "EVENT1 if #core_wide else EVENT2", "EVENT1", { 7 }, 7 },
	{ ROW, "0 & EVENT1 > 0", "", { 0 }, 0 },
	{ ROW, "EVENT1 > 0 & 0", "", { 0 }, 0 },
	{ ROW, "1 & EVENT1 > 0", "EVENT1", { 7 }, 1 },
	{ ROW, "EVENT1 > 0 & 1", "EVENT1", { 7 }, 1 },
	{ ROW, "1 | EVENT1 > 0", "", { 0 }, 1 },
	{ ROW, "EVENT1 > 0 | 1", "", { 0 }, 1 },
	{ ROW, "0 | EVENT1 > 0", "EVENT1", { 7 }, 1 },
	{ ROW, "EVENT1 > 0 | 0", "EVENT1", { 0 }, 0 },
	{ ROW, "1.0 if EVENT1 > 100.0 else 1.0", "", { 0 }, 1 },
	{ ROW, "1.0 if EVENT1 > 100.0 else 2.0", "EVENT1", { 7 }, 2 },
	{ ROW, "#num_cpus", "", { 0 }, 16 },
	{ ROW, "#system_tsc_freq > 0", "", { 0 }, 1 },
	{ ROW, "strcmp_cpuid_str(0x0000000410fd8000)", "", { 0 }, 1 },
	{ ROW, "strcmp_cpuid_str(0x0)", "", { 0 }, 0 },
	{ ROW, "has_event(cycles)", "", { 0 }, 1 },
	{ ROW, "has_event(event1)", "", { 0 }, 0 },
	{ ROW, "EVENT1 if has_event(cycles) else EVENT2", "EVENT1", { 7 }, 7 },
	/* names */
	{ ROW, "a-b", "a b", { 7, 2 }, 5 },
	{ ROW, "a-1", "a", { 7 }, 6 },
	{ ROW, "cpu@UOPS_ISSUED.ANY\\,cmask\\=1@ / 2", "cpu/UOPS_ISSUED.ANY,cmask=1/", { 6 }, 3 },
	{ ROW, "cpu@EVENT\\,edge@k*2", "cpu/EVENT,edge/k", { 6 }, 12 },
	{ ROW, "4_events + 1e3 + 1e-3", "4_events", { 7 }, 1007.001 },
	{ ROW, "0*SLOTS + a", "SLOTS a", { 7, 2 }, 2 }, /* SLOTS leads the group */
	{ ROW, "a ^ b", "a b", { 7, 2 }, 0 },
	{ ROW, "a ^ b | 0", "a b", { 0, 2 }, 1 },
	{ ROW, "SMT_on + #SMT_on", "", { 0 }, 0 },
	{ ROW, "time + cpus", "time cpus", { 1, 2 }, 3 },
	/* the times that pstat measures are in nanoseconds */
	{ ROW, "a / duration_time", "a duration_time", { 8, 2e9L }, 4 },
	{ ROW, "user_time + system_time", "user_time system_time", { 5e8L, 1e9L }, 1.5 },
	/* metrics */
	{ ROW, "ipc", "inst cycles", { 6, 4 }, 1.5 },
	{ ROW, "100 / IPC", "inst cycles", { 6, 4 }, 100 / 1.5 },
	{ ROW, "Double + ipc", "inst cycles", { 6, 4 }, 4.5 },
	{ ROW, "2 * sum * 2", "a b", { 6, 4 }, 40 },
	{ ROW, "sum if #smt_on else 3", "", { 0 }, 3 },
};

static const struct refused refused_of_tables[] = {
	{ ROW, "loop1", 0, "metric loop1: metric loop2: metric LOOP1 refers to itself" },
	{ ROW, "self + 1", 0, "metric self: metric self refers to itself" },
	{ ROW, "1 + broken", 4, "metric broken: a number or an event is missing here" },
	{ ROW, "closes", 0, "metric closes: this ')' has no matching '('" },
	{ ROW, "later else 2", 0, "metric later: this 'if' has no 'else'" },
	{ ROW, "1 + #has_pmem", 4, "'#has_pmem' is unknown on this machine" },
	{ ROW, "a + 'b'", 4, MISSING },
	{ ROW, "FOO/", 4, MISSING },
	{ ROW, "has_event()", 10, "a name is missing here" },
	{ ROW, "a + \\", 4, "a name is missing here" },
	{ ROW, "has_event(a b)", 12, "a ')' is missing here" },
};

static void the_names_of_an_expression(struct str *out, const struct expression *e)
{
	for (size_t i = 0; i < e->events_n; i++)
		str_addf(out, "%s%s", i ? " " : "", e->events[i].text);
}

static void an_expression_of_a_table_has_this_value(void **state)
{
	for (size_t i = 0; i < N_OF(of_tables); i++) {
		const char *text = of_tables[i].text;
		cleanup_with(expression_release) struct expression e = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str events = { 0 };
		long double value = -1;

		row_int(&of_tables[i], expression_parse(&e, text, strlen(text), 0, &names, &why),
			0);
		the_names_of_an_expression(&events, &e);
		row_string(&of_tables[i], str_text(&events), of_tables[i].events);
		row_int(&of_tables[i], expression_evaluate(&e, of_tables[i].values, 2, 8, &value),
			0);
		row_true(&of_tables[i],
			 fabs((double)value - of_tables[i].value) <= 1e-15 * of_tables[i].value);
	}
}

static void a_mistake_in_a_table_is_reported(void **state)
{
	for (size_t i = 0; i < N_OF(refused_of_tables); i++) {
		const char *text = refused_of_tables[i].text;
		struct expression e = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&refused_of_tables[i],
			expression_parse(&e, text, strlen(text), 0, &names, &why), -EINVAL);
		row_why(&refused_of_tables[i], &why);
	}
}

/* The text of an expression means the same to a user. */
static void text_gives_the_same_expression(void **state)
{
	static const struct {
		int line;
		const char *text, *shown;
	} rows[] = {
		{ ROW, "(a-b)-(c-a)", "a - b - (c - a)" },
		{ ROW, "a*(b/(c*2))", "a * (b / (c * 2))" },
		{ ROW, "-(a+1)*-b", "-(a + 1) * -b" },
		{ ROW, "a if (b if c else a) else (b if c else 2)",
		  "a if (b if c else a) else b if c else 2" },
		{ ROW, "(a if b else c) + 0.1", "(a if b else c) + 0.1" },
		{ ROW, "a > 0.1 & (b | c) > 2", "a > 0.1 & (b | c) > 2" },
		{ ROW, "min(a+1, max(b, d_ratio(c, 1e-9)))",
		  "min(a + 1, max(b, d_ratio(c, 1e-09)))" },
		{ ROW, "cpu@A\\,cmask\\=1@ % a\\-b", "'cpu/A,cmask=1/' % a-b" },
		{ ROW, "a\\-b + c\\- + d\\-\\-e", "a-b + 'c-' + 'd--e'" },
		{ ROW, "time + if1 + 4b", "'time' + if1 + '4b'" },
		{ ROW, "a ^ b", "((a & 1) + (b & 1)) % 2" },
		{ ROW, "a - (b ^ c)", "a - ((b & 1) + (c & 1)) % 2" },
		{ ROW, "a ^ b | c", "((a & 1) + (b & 1)) % 2 | c" },
		{ ROW, "a / duration_time", "a / (duration_time / 1e+09)" },
		{ ROW, "100 * a if #num_cpus > 2 else b", "100 * a" },
	};
	static const long double values[] = { 3, 5, 7, 0 };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(expression_release) struct expression e = { 0 };
		cleanup_with(expression_release) struct expression again = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str text = { 0 };
		long double value = -1, value_again = -2;

		row_int(&rows[i],
			expression_parse(&e, rows[i].text, strlen(rows[i].text), 0, &names, &why),
			0);
		expression_add_text(&text, &e);
		row_string(&rows[i], str_text(&text), rows[i].shown);
		row_int(&rows[i], parse(&again, str_text(&text), &why), 0);
		row_int(&rows[i], expression_evaluate(&e, values, 1, 1, &value), 0);
		row_int(&rows[i], expression_evaluate(&again, values, 1, 1, &value_again), 0);
		row_true(&rows[i], value == value_again);
	}
}

static void the_number_of_sources_is_set_later(void **state)
{
	static const char text[] = "a / (source_count(a) * source_count( b ))";
	static const char plain[] = "source_count(EVENT1)"; /* also of perf's test */
	cleanup_with(expression_release) struct expression e = { 0 };
	cleanup_with(expression_release) struct expression alone = { 0 };
	cleanup_why struct why why = { 0 };
	long double values[] = { 48, 0 }, value = -1;

	assert_int_equal(expression_parse(&e, text, strlen(text), 0, &names, &why), 0);
	assert_int_equal(e.events_n, 2);
	expression_set_sources(&e, 0, 4);
	assert_int_equal(expression_evaluate(&e, values, 1, 1, &value), -EDOM);
	expression_set_sources(&e, 1, 3);
	assert_int_equal(expression_evaluate(&e, values, 1, 1, &value), 0);
	assert_true(value == 4);
	assert_int_equal(expression_parse(&alone, plain, strlen(plain), 0, &names, &why), 0);
	assert_string_equal(alone.events[0].text, "EVENT1");
	expression_set_sources(&alone, 0, 5);
	assert_int_equal(expression_evaluate(&alone, values, 1, 1, &value), 0);
	assert_true(value == 5);
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

	assert_int_equal(expression_parse(&e, text + 2, 3, 102, NULL, &why), 0);
	assert_int_equal(expression_evaluate(&e, &value, 1, 1, &value), 0);
	assert_true(value == 2);
	assert_int_equal(e.events[0].at, 102);
	expression_release(&e);
	assert_int_equal(expression_parse(&e, text + 2, 5, 102, NULL, &why), -EINVAL);
	assert_string_equal(why_text(&why, -EINVAL), BETWEEN);
	assert_int_equal(why.position, 106);
	assert_int_equal(expression_parse(&e, text + 2, 2, 102, NULL, &why), -EINVAL);
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

/* Each 'if' with an 'else' keeps two values until the last value is complete. */
static void a_chain_of_conditions_has_the_depth_of_its_operators(void **state)
{
	static const long double values[] = { 0, 7 };

	for (size_t n = 1; n <= EXPRESSION_DEPTH_MAX + 1; n += 16) {
		cleanup_with(expression_release) struct expression e = { 0 };
		cleanup_free char *text = repeat("b if a else ", n, "b");
		cleanup_why struct why why = { 0 };
		cleanup_str struct str shown = { 0 };
		long double value = 0;

		if (n > EXPRESSION_DEPTH_MAX) {
			assert_int_equal(parse(&e, text, &why), -EINVAL);
			continue;
		}
		assert_int_equal(parse(&e, text, &why), 0);
		assert_int_equal(expression_evaluate(&e, (long double[]){ 7, 0 }, 1, 1, &value), 0);
		assert_true(value == 7);
		assert_int_equal(expression_evaluate(&e, values, 1, 1, &value), 0);
		assert_true(value == 0);
		expression_add_text(&shown, &e);
		assert_string_equal(str_text(&shown), text);
	}
}

/* The text of a metric of a table has the events in the order of a new parse. */
static void events_are_settled_as_if_the_text_had_been_parsed(void **state)
{
	static const struct {
		int line;
		const char *text, *shown, *events;
	} rows[] = {
		{ ROW, "(a if #smt_on else b) - a", "b - a", "b a" },
		{ ROW, "source_count(b) * a / b", "2 * a / b", "a b" },
		{ ROW, "a + source_count(b)", "a + 2", "a" },
		{ ROW, "source_count(b)", "2 + 0 * b", "b" },
		{ ROW, "c - b - a - c", "c - b - a - c", "c b a" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(expression_release) struct expression e = { 0 };
		cleanup_with(expression_release) struct expression again = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str text = { 0 };
		cleanup_str struct str events = { 0 };
		cleanup_str struct str events_again = { 0 };

		row_int(&rows[i],
			expression_parse(&e, rows[i].text, strlen(rows[i].text), 0, &names, &why),
			0);
		for (size_t k = 0; k < e.events_n; k++)
			expression_set_sources(&e, k, 2);
		row_int(&rows[i], expression_settle(&e), 0);
		expression_add_text(&text, &e);
		row_string(&rows[i], str_text(&text), rows[i].shown);
		the_names_of_an_expression(&events, &e);
		row_string(&rows[i], str_text(&events), rows[i].events);
		row_int(&rows[i], parse(&again, str_text(&text), &why), 0);
		the_names_of_an_expression(&events_again, &again);
		row_string(&rows[i], str_text(&events_again), rows[i].events);
	}
}

static void metrics_that_double_at_each_level_are_refused(void **state)
{
	cleanup_with(expression_release) struct expression e = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(expression_parse(&e, "level40", strlen("level40"), 0, &names, &why),
			 -EINVAL);
	assert_non_null(
		strstr(why_text(&why, -EINVAL), "the expression refers to too many metrics"));
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
	assert_string_equal(why_text(&why, -EINVAL), "an expression may have at most 256 events");
	assert_int_equal(why.position, text.len - strlen("one_more"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_expression_has_this_value),
		cmocka_unit_test(a_mistake_is_reported_with_its_position),
		cmocka_unit_test(a_value_that_is_not_finite_is_dropped),
		cmocka_unit_test(an_expression_of_a_table_has_this_value),
		cmocka_unit_test(a_mistake_in_a_table_is_reported),
		cmocka_unit_test(text_gives_the_same_expression),
		cmocka_unit_test(the_number_of_sources_is_set_later),
		cmocka_unit_test(time_and_cpus_may_be_zero),
		cmocka_unit_test(zero_has_no_sign),
		cmocka_unit_test(a_part_of_a_text_is_read_alone),
		cmocka_unit_test(depth_has_a_limit),
		cmocka_unit_test(the_deepest_expression_has_a_value),
		cmocka_unit_test(a_chain_of_conditions_has_the_depth_of_its_operators),
		cmocka_unit_test(events_are_settled_as_if_the_text_had_been_parsed),
		cmocka_unit_test(metrics_that_double_at_each_level_are_refused),
		cmocka_unit_test(the_number_of_events_has_a_limit),
	};

	return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
