/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expressions of metrics, in two languages with the same operators. That of a user, of
 * -M NAME=EXPRESSION:
 *
 *	EXPRESSION = either [ 'if' either 'else' EXPRESSION ]   (the value comes first)
 *	either     = both { '|' both }
 *	both       = compared { '&' compared }
 *	compared   = sum { ( '<' | '>' ) sum }
 *	sum        = product { ( '+' | '-' ) product }
 *	product    = value { ( '*' | '/' | '%' ) value }
 *	value      = '-' value | '(' EXPRESSION ')' | number | event | 'time' | 'cpus'
 *	           | ( 'min' | 'max' | 'd_ratio' ) '(' EXPRESSION ',' EXPRESSION ')'
 *	number     = digits [ '.' [ digits ] ] [ exponent ] | '.' digits [ exponent ]
 *	event      = ( letter | '_' ) { letter | digit | '_' | '.' | ':' | '-' } | "'" anything "'"
 *
 * A '-' belongs to an event's name if a letter or a digit follows it directly: "a-b" is one event,
 * "a - b" is a difference. An event with other characters, for example '/', needs single quotes.
 * White space is ignored. time is in seconds, and cpus is the number of counted CPUs. 'time' in
 * quotes is an event. This file does not check whether an event exists.
 *
 * '|' and '&' are 1 or 0. '%' is the remainder of the whole parts. d_ratio(a, b) is a / b, or 0 if
 * b is 0.
 *
 * In the language of perf's tables (tools/perf/util/expr.l and expr.y in Linux), a name is
 *
 *	name       = ( letter | digit | '_' | '.' | ':' | '@' | '?' | '\\' anything ) { same }
 *
 * It is a metric, whose expression is inserted, or an event, in which '@' stands for '/'. The times
 * that pstat measures itself are in seconds. There are also '^' (exclusive or, between '|' and
 * '&'), "#name" for a fact about the machine, source_count(name) for the number of PMUs whose
 * counts are added up, has_event(name), and strcmp_cpuid_str(name). Subexpressions that do not
 * depend on counts are computed while parsing. Events in a branch that cannot be taken are
 * therefore not counted.
 */
#ifndef PSTAT_METRIC_EXPRESSION_H
#define PSTAT_METRIC_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

struct str;
struct why;

enum {
	EXPRESSION_EVENTS_MAX = 256, /* different events */
	EXPRESSION_DEPTH_MAX = 256, /* operators and parentheses that are not complete */
};

struct expression_event {
	char *text; /* owned: as the user wrote it, without the quotes */
	size_t at; /* its position, in bytes */
	size_t index; /* of the event in the list of events; whoever resolves the event sets it */
};

enum expression_op {
	EXPRESSION_NUMBER,
	EXPRESSION_EVENT,
	EXPRESSION_SOURCES, /* of an event */
	EXPRESSION_TIME,
	EXPRESSION_CPUS,
	EXPRESSION_NEGATE, /* this and all that follow have operands */
	EXPRESSION_ADD,
	EXPRESSION_SUBTRACT,
	EXPRESSION_MULTIPLY,
	EXPRESSION_DIVIDE,
	EXPRESSION_REMAINDER,
	EXPRESSION_LESS,
	EXPRESSION_GREATER,
	EXPRESSION_AND,
	EXPRESSION_XOR,
	EXPRESSION_OR,
	EXPRESSION_MIN,
	EXPRESSION_MAX,
	EXPRESSION_D_RATIO,
	EXPRESSION_IF, /* the value, the condition, the other value */
};

/* Whether values of this operator have the relative error of its operands, like products. */
static inline bool expression_scales(enum expression_op op)
{
	return op <= EXPRESSION_NEGATE || op == EXPRESSION_MULTIPLY || op == EXPRESSION_DIVIDE;
}

struct expression_step {
	enum expression_op op;
	size_t event; /* of EXPRESSION_EVENT and EXPRESSION_SOURCES: index into the events */
	long double number; /* of EXPRESSION_NUMBER */
};

/* All zero is a valid empty expression, which has no value. */
struct expression {
	struct expression_event *events; /* owned: without duplicates, in order of first use */
	size_t events_n, events_size;
	struct expression_step *steps; /* owned: in reverse Polish notation */
	size_t steps_n, steps_size;
};

/* What the names in perf's tables mean on the machine that counts. */
struct expression_names {
	const void *data;
	/* The expression of a metric, which stays valid. NULL: there is no such metric. */
	const char *(*metric)(const void *data, const char *name);
	/* The value of a fact without its '#'. False: it is unknown. */
	bool (*fact)(const void *data, const char *name, long double *value);
	bool (*has_event)(const void *data, const char *name);
	bool (*is_cpu)(const void *data, const char *pattern);
};

/*
 * Parse the n bytes at text. names: NULL for the language of a user. at: the position of text in
 * the user's argument; reported positions count from the beginning of that argument. 0; -EINVAL
 * with why and the position; -ENOMEM. On failure e is empty.
 */
int expression_parse(struct expression *e, const char *text, size_t n, size_t at,
		     const struct expression_names *names, struct why *why);

/*
 * The value of e. values: one for each event of e, in the event's own unit (nanoseconds for a
 * clock). 0; -EDOM after a division by 0, or if the value does not fit a double: *result is not
 * changed. The result is never infinite or NaN.
 */
int expression_evaluate(const struct expression *e, const long double *values, long double time_s,
			long double cpus, long double *result);

/* Set the number of PMUs of an event. Until then, an expression that uses the number has no value.
 */
void expression_set_sources(struct expression *e, size_t event, size_t n);

/* Append an event to the events of e, which does not use it so far. 0 or -ENOMEM. */
int expression_add_needed(struct expression *e, const char *event);

/*
 * After expression_set_sources(): make e what a parse of its text gives, without the events that it
 * no longer uses. If e has events but uses none, add 0 times the first one to e. 0; -ENOMEM;
 * -EINVAL: the text is not valid, for example nested too deeply, and e is as before.
 */
int expression_settle(struct expression *e);

/* Multiply e by a number. 0 or -ENOMEM. */
int expression_multiply(struct expression *e, long double factor);

/* Append e in the language of a user. */
void expression_add_text(struct str *out, const struct expression *e);

void expression_release(struct expression *e);

#endif
