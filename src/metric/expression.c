/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <linux/errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "metric/expression.h"

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

struct sign {
	char symbol;
	int precedence; /* 0: a '(' stays pending until its ')' */
	enum expression_op op;
};

static const struct sign binary[] = {
	{ '+', 1, EXPRESSION_ADD },
	{ '-', 1, EXPRESSION_SUBTRACT },
	{ '*', 2, EXPRESSION_MULTIPLY },
	{ '/', 2, EXPRESSION_DIVIDE },
};

static const struct sign negation = { '-', 3, EXPRESSION_NEGATE };
static const struct sign parenthesis = { '(', 0, EXPRESSION_NUMBER };

/* An operator without its right operand yet, or a '(' without its ')' yet. */
struct pending {
	const struct sign *sign;
	const char *p;
};

/* Dijkstra's shunting yard: an array limits the depth, not the call stack. */
struct parser {
	struct expression *e;
	const char *text, *p, *end;
	size_t at;
	struct why *why;
	struct pending pending[EXPRESSION_DEPTH_MAX];
	size_t pending_n;
	bool complete; /* a value ends before p; otherwise a value has to follow */
};

static size_t expression_position(const struct parser *r, const char *p)
{
	return r->at + (size_t)(p - r->text);
}

static int expression_refuse(const struct parser *r, const char *p, const char *what)
{
	return why_at(r->why, -EINVAL, expression_position(r, p), "%s", what);
}

/* Whether the byte at p is one of these. False at the end. */
static bool expression_is_one_of(const struct parser *r, const char *p, const char *bytes)
{
	return p < r->end && *p && strchr(bytes, *p);
}

/* The first position from p that has none of these bytes. */
static const char *skip(const struct parser *r, const char *p, const char *bytes)
{
	while (expression_is_one_of(r, p, bytes))
		p++;
	return p;
}

static int add_step(struct parser *r, struct expression_step step)
{
	struct expression *e = r->e;

	if (array_grow(&e->steps, e->steps_n, &e->steps_size, sizeof(*e->steps)) < 0)
		return -ENOMEM;
	e->steps[e->steps_n++] = step;
	return 0;
}

static int expression_add_value(struct parser *r, struct expression_step step)
{
	r->complete = true;
	return add_step(r, step);
}

static int expression_add_event(struct parser *r, const char *from, size_t n)
{
	struct expression *e = r->e;
	size_t i = 0;
	char *text;

	while (i < e->events_n &&
	       (strnlen(e->events[i].text, n + 1) != n || memcmp(e->events[i].text, from, n) != 0))
		i++;
	if (i < e->events_n)
		return expression_add_value(r, (struct expression_step){ .op = EXPRESSION_EVENT,
									 .event = i });
	if (e->events_n == EXPRESSION_EVENTS_MAX)
		return why_at(r->why, -EINVAL, expression_position(r, from),
			      "an expression may have at most %d events", EXPRESSION_EVENTS_MAX);
	if (array_grow(&e->events, e->events_n, &e->events_size, sizeof(*e->events)) < 0)
		return -ENOMEM;
	text = strndup(from, n);
	if (!text)
		return -ENOMEM;
	e->events[e->events_n++] =
		(struct expression_event){ .text = text, .at = expression_position(r, from) };
	return expression_add_value(r,
				    (struct expression_step){ .op = EXPRESSION_EVENT, .event = i });
}

/* Values have to fit a double, because a result holds doubles. */
static bool is_value(long double value)
{
	return value >= -(long double)DBL_MAX && value <= (long double)DBL_MAX;
}

static int expression_number(struct parser *r)
{
	const char *start = r->p;
	const char *end = skip(r, start, DIGITS);
	cleanup_str struct str copy = { 0 };
	size_t digits = (size_t)(end - start);
	long double value;

	if (expression_is_one_of(r, end, ".")) {
		const char *fraction = end + 1;

		end = skip(r, fraction, DIGITS);
		digits += (size_t)(end - fraction);
	}
	if (digits == 0)
		return expression_refuse(r, start, "a digit is missing next to the '.'");
	if (expression_is_one_of(r, end, "eE")) {
		const char *exponent = end + 1 + expression_is_one_of(r, end + 1, "+-");

		if (expression_is_one_of(r, exponent, DIGITS))
			end = skip(r, exponent, DIGITS);
	}
	r->p = end;
	str_add_n(&copy, start, (size_t)(r->p - start));
	if (copy.failed)
		return -ENOMEM;
	value = strtold(copy.text, NULL);
	if (!is_value(value))
		return expression_refuse(r, start, "this number is too large");
	return expression_add_value(r, (struct expression_step){ .op = EXPRESSION_NUMBER,
								 .number = value });
}

static int expression_name(struct parser *r)
{
	const char *start = r->p;
	size_t n;

	do {
		r->p = skip(r, r->p + 1, LETTERS DIGITS "_.:");
	} while (expression_is_one_of(r, r->p, "-") &&
		 expression_is_one_of(r, r->p + 1, LETTERS DIGITS));
	n = (size_t)(r->p - start);
	if (n == 4 && memcmp(start, "time", 4) == 0)
		return expression_add_value(r, (struct expression_step){ .op = EXPRESSION_TIME });
	if (n == 4 && memcmp(start, "cpus", 4) == 0)
		return expression_add_value(r, (struct expression_step){ .op = EXPRESSION_CPUS });
	return expression_add_event(r, start, n);
}

static int push(struct parser *r, const struct sign *sign)
{
	if (r->pending_n == EXPRESSION_DEPTH_MAX)
		return why_at(
			r->why, -EINVAL, expression_position(r, r->p),
			"this is nested too deeply: at most %d operators and parentheses may be "
			"open",
			EXPRESSION_DEPTH_MAX);
	r->pending[r->pending_n++] = (struct pending){ sign, r->p };
	r->p++;
	r->complete = false;
	return 0;
}

static int expression_operand(struct parser *r)
{
	const char *start, *close;

	if (expression_is_one_of(r, r->p, "("))
		return push(r, &parenthesis);
	if (expression_is_one_of(r, r->p, "-"))
		return push(r, &negation);
	if (expression_is_one_of(r, r->p, DIGITS "."))
		return expression_number(r);
	if (expression_is_one_of(r, r->p, LETTERS "_"))
		return expression_name(r);
	if (!expression_is_one_of(r, r->p, "'"))
		return expression_refuse(r, r->p, "a number or an event is missing here");
	start = r->p + 1;
	close = memchr(start, '\'', (size_t)(r->end - start));
	if (!close)
		return expression_refuse(r, r->p, "the ' is not closed");
	if (close == start)
		return expression_refuse(r, start, "an event is missing here");
	r->p = close + 1;
	return expression_add_event(r, start, (size_t)(close - start));
}

/* Add the pending operators with at least this precedence: their right operands are complete. */
static int settle(struct parser *r, int least)
{
	int err = 0;

	while (err == 0 && r->pending_n > 0 &&
	       r->pending[r->pending_n - 1].sign->precedence >= least)
		err = add_step(
			r, (struct expression_step){ .op = r->pending[--r->pending_n].sign->op });
	return err;
}

/* The innermost '(' without its ')' yet, or NULL. */
static const char *open_parenthesis(const struct parser *r)
{
	for (size_t i = r->pending_n; i > 0; i--)
		if (r->pending[i - 1].sign == &parenthesis)
			return r->pending[i - 1].p;
	return NULL;
}

static int expression_operator(struct parser *r)
{
	const char *open = open_parenthesis(r);
	int err;

	if (expression_is_one_of(r, r->p, LETTERS DIGITS "_.'("))
		return expression_refuse(r, r->p, "an operator is missing before this");
	if (*r->p == ')') {
		err = settle(r, 1);
		if (err == 0 && r->pending_n == 0)
			return expression_refuse(r, r->p, "this ')' has no matching '('");
		if (err == 0) {
			r->pending_n--;
			r->p++;
		}
		return err;
	}
	for (size_t i = 0; i < sizeof(binary) / sizeof(binary[0]); i++)
		if (*r->p == binary[i].symbol) {
			err = settle(r, binary[i].precedence);
			return err < 0 ? err : push(r, &binary[i]);
		}
	if (*r->p == ',' && open)
		return expression_refuse(r, open, "the '(' is not closed");
	return why_at(r->why, -EINVAL, expression_position(r, r->p),
		      "'%c' is not an operator; put events with such characters in single quotes",
		      *r->p);
}

int expression_parse(struct expression *e, const char *text, size_t n, size_t at, struct why *why)
{
	struct parser r = {
		.e = e, .text = text, .p = text, .end = text + n, .at = at, .why = why
	};
	int err = 0;

	*e = (struct expression){ 0 };
	while (err == 0) {
		r.p = skip(&r, r.p, " \t\r\n");
		if (r.p == r.end && r.complete)
			break;
		err = r.complete ? expression_operator(&r) : expression_operand(&r);
	}
	if (err == 0)
		err = settle(&r, 1);
	if (err == 0 && r.pending_n > 0)
		err = expression_refuse(&r, open_parenthesis(&r), "the '(' is not closed");
	if (err < 0)
		expression_release(e);
	return err;
}

int expression_evaluate(const struct expression *e, const long double *values, long double time_s,
			long double cpus, long double *result)
{
	/* the operands of pending operators, and the newest value */
	long double stack[EXPRESSION_DEPTH_MAX + 1];
	size_t n = 0;

	for (size_t i = 0; i < e->steps_n; i++) {
		const struct expression_step *step = &e->steps[i];

		n -= step->op >= EXPRESSION_ADD; /* two operands become one value */
		switch (step->op) {
		case EXPRESSION_NUMBER:
			stack[n++] = step->number;
			break;
		case EXPRESSION_EVENT:
			stack[n++] = values[step->event];
			break;
		case EXPRESSION_TIME:
			stack[n++] = time_s;
			break;
		case EXPRESSION_CPUS:
			stack[n++] = cpus;
			break;
		case EXPRESSION_NEGATE:
			stack[n - 1] = -stack[n - 1];
			break;
		case EXPRESSION_ADD:
			stack[n - 1] += stack[n];
			break;
		case EXPRESSION_SUBTRACT:
			stack[n - 1] -= stack[n];
			break;
		case EXPRESSION_MULTIPLY:
			stack[n - 1] *= stack[n];
			break;
		case EXPRESSION_DIVIDE:
			stack[n - 1] /= stack[n];
			break;
		}
		/* A division by 0 gives infinity or NaN. */
		if (!is_value(stack[n - 1]))
			return -EDOM;
	}
	if (n == 0)
		return -EDOM;
	*result = stack[0] + 0.0L; /* turns -0 into 0 */
	return 0;
}

void expression_release(struct expression *e)
{
	for (size_t i = 0; i < e->events_n; i++)
		free(e->events[i].text);
	free(e->events);
	free(e->steps);
	*e = (struct expression){ 0 };
}
