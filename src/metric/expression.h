/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The EXPRESSION of -M NAME=EXPRESSION: numbers and events, combined by + - * /.
 *
 *	EXPRESSION = product { ( '+' | '-' ) product }
 *	product    = value { ( '*' | '/' ) value }
 *	value      = '-' value | '(' EXPRESSION ')' | number | event | 'time' | 'cpus'
 *	number     = digits [ '.' [ digits ] ] [ exponent ] | '.' digits [ exponent ]
 *	event      = ( letter | '_' ) { letter | digit | '_' | '.' | ':' | '-' } | "'" anything "'"
 *
 * A '-' belongs to an event's name if a letter or a digit follows it directly: "a-b" is one event,
 * "a - b" is a difference. An event with other characters, for example '/', needs single quotes.
 * White space is ignored. time is in seconds, and cpus is the number of counted CPUs. 'time' in
 * quotes is an event. This file does not check whether an event exists.
 */
#ifndef PSTAT_METRIC_EXPRESSION_H
#define PSTAT_METRIC_EXPRESSION_H

#include <stddef.h>

struct why;

enum {
	EXPRESSION_EVENTS_MAX = 64, /* different events */
	EXPRESSION_DEPTH_MAX = 64, /* operators and parentheses that are not complete */
};

struct expression_event {
	char *text; /* owned: as the user wrote it, without the quotes */
	size_t at; /* its position, in bytes */
	size_t index; /* of the event in the list of events; whoever resolves the event sets it */
};

enum expression_op {
	EXPRESSION_NUMBER,
	EXPRESSION_EVENT,
	EXPRESSION_TIME,
	EXPRESSION_CPUS,
	EXPRESSION_NEGATE,
	EXPRESSION_ADD, /* this and all that follow have two operands */
	EXPRESSION_SUBTRACT,
	EXPRESSION_MULTIPLY,
	EXPRESSION_DIVIDE,
};

struct expression_step {
	enum expression_op op;
	size_t event; /* of EXPRESSION_EVENT: index into the events */
	long double number; /* of EXPRESSION_NUMBER */
};

/* All zero is a valid empty expression, which has no value. */
struct expression {
	struct expression_event *events; /* owned: without duplicates, in order of appearance */
	size_t events_n, events_size;
	struct expression_step *steps; /* owned: in reverse Polish notation */
	size_t steps_n, steps_size;
};

/*
 * Parse the n bytes at text. at: the position of text in the user's argument; reported positions
 * count from the beginning of that argument. 0; -EINVAL with why and the position; -ENOMEM. On
 * failure e is empty.
 */
int expression_parse(struct expression *e, const char *text, size_t n, size_t at, struct why *why);

/*
 * The value of e. values: one for each event of e, in the event's own unit (nanoseconds for a
 * clock). 0; -EDOM after a division by 0, or if the value does not fit a double: *result is not
 * changed. The result is never infinite or NaN.
 */
int expression_evaluate(const struct expression *e, const long double *values, long double time_s,
			long double cpus, long double *result);

void expression_release(struct expression *e);

#endif
