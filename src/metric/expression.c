/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <linux/errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/math.h"
#include "base/str.h"
#include "base/why.h"
#include "metric/expression.h"

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

enum { OF_IF = 1, OF_NEGATE = 8, OF_VALUE }; /* precedences */

/* A '-' in front of a value is not in this table's order: see expression_operand(). */
static const struct operation {
	const char *text;
	int precedence;
	size_t operands;
} operators[] = {
	[EXPRESSION_NEGATE] = { "-", OF_NEGATE, 1 },
	[EXPRESSION_ADD] = { "+", 6, 2 },
	[EXPRESSION_SUBTRACT] = { "-", 6, 2 },
	[EXPRESSION_MULTIPLY] = { "*", 7, 2 },
	[EXPRESSION_DIVIDE] = { "/", 7, 2 },
	[EXPRESSION_REMAINDER] = { "%", 7, 2 },
	[EXPRESSION_LESS] = { "<", 5, 2 },
	[EXPRESSION_GREATER] = { ">", 5, 2 },
	[EXPRESSION_AND] = { "&", 4, 2 },
	[EXPRESSION_XOR] = { "^", 3, 2 }, /* only in tables */
	[EXPRESSION_OR] = { "|", 2, 2 },
	[EXPRESSION_MIN] = { "min", OF_VALUE, 2 },
	[EXPRESSION_MAX] = { "max", OF_VALUE, 2 },
	[EXPRESSION_D_RATIO] = { "d_ratio", OF_VALUE, 2 },
	[EXPRESSION_IF] = { "if", OF_IF, 3 },
};

/* Something that is not complete. */
struct pending {
	enum pending_kind {
		PENDING_OPERATOR, /* lacks its last operand */
		PENDING_PARENTHESIS, /* lacks its ')' */
		PENDING_FUNCTION, /* the same */
		PENDING_CONDITION, /* an 'if' lacks its 'else' */
		PENDING_METRIC, /* the text of a metric that is inserted */
	} kind;
	enum expression_op op; /* of an operator or a function */
	size_t commas; /* of a function */
	const char *p; /* where it begins */
};

/* A metric that is being inserted, and the one that contains it. */
struct inserted {
	const char *name;
	const struct inserted *in;
};

/* Each of what is pending may have two complete values: those before an 'else'. */
enum {
	VALUES_MAX = 2 * EXPRESSION_DEPTH_MAX + 2,
	STEPS_MAX = 100000,
	INSERTED_MAX = 10000, /* metrics in a metric may double at each level */
};

/* Dijkstra's shunting yard: an array limits the depth, not the call stack. */
struct parser {
	struct expression *e;
	const struct expression_names *names; /* NULL: the language of a user */
	const char *text, *p, *end;
	size_t at;
	struct why *why;
	struct pending pending[EXPRESSION_DEPTH_MAX];
	size_t pending_n;
	size_t first[VALUES_MAX]; /* of each complete value: its first step */
	size_t values_n;
	size_t inserted_n;
	const struct inserted *inserted;
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
static const char *expression_skip(const struct parser *r, const char *p, const char *bytes)
{
	while (expression_is_one_of(r, p, bytes))
		p++;
	return p;
}

static const char *expression_skip_blanks(const struct parser *r, const char *p)
{
	return expression_skip(r, p, " \t\r\n");
}

/* ---- Steps. What does not depend on counts is computed when its last operand is complete. */

/* Values have to fit a double, because a result holds doubles. */
static bool expression_is_value(long double value)
{
	return value >= -(long double)DBL_MAX && value <= (long double)DBL_MAX;
}

static long double expression_remainder(long double a, long double b)
{
	const long double largest = 4e18L; /* fits an int64_t */

	if (a < -largest || a > largest || b < -largest || b > largest || (int64_t)b == 0)
		return (long double)NAN;
	return (long double)((int64_t)a % (int64_t)b);
}

/* The value of an operator. NAN: it has none; so has everything that needs it. */
static long double expression_compute(enum expression_op op, const long double *v)
{
	/* one side may decide alone */
	if (op == EXPRESSION_AND && (v[0] == 0 || v[1] == 0))
		return 0;
	if (op == EXPRESSION_OR && ((v[0] != 0 && !isnan(v[0])) || (v[1] != 0 && !isnan(v[1]))))
		return 1;
	if (op == EXPRESSION_IF)
		return isnan(v[1]) ? v[1] : v[1] != 0 ? v[0] : v[2];
	for (size_t i = 0; i < operators[op].operands; i++)
		if (isnan(v[i]))
			return v[i];
	switch (op) {
	case EXPRESSION_NEGATE:
		return -v[0];
	case EXPRESSION_ADD:
		return v[0] + v[1];
	case EXPRESSION_SUBTRACT:
		return v[0] - v[1];
	case EXPRESSION_MULTIPLY:
		return v[0] * v[1];
	case EXPRESSION_DIVIDE:
		return v[0] / v[1];
	case EXPRESSION_REMAINDER:
		return expression_remainder(v[0], v[1]);
	case EXPRESSION_LESS:
		return v[0] < v[1];
	case EXPRESSION_GREATER:
		return v[0] > v[1];
	case EXPRESSION_XOR:
		return (v[0] != 0) != (v[1] != 0);
	case EXPRESSION_MIN:
		return v[0] < v[1] ? v[0] : v[1];
	case EXPRESSION_MAX:
		return v[0] > v[1] ? v[0] : v[1];
	case EXPRESSION_D_RATIO:
		return v[1] == 0 ? 0 : v[0] / v[1];
	default: /* both sides of '&' are true, both of '|' are false */
		return op == EXPRESSION_AND;
	}
}

/* Append these steps. 0 or -ENOMEM. */
static int expression_append_steps(struct expression *e, const struct expression_step *steps,
				   size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (array_grow(&e->steps, e->steps_n, &e->steps_size, sizeof(*e->steps)) < 0)
			return -ENOMEM;
		e->steps[e->steps_n++] = steps[i];
	}
	return 0;
}

static int expression_add_step(struct parser *r, struct expression_step step)
{
	if (r->e->steps_n == STEPS_MAX)
		return expression_refuse(r, r->p, "the expression is too long");
	return expression_append_steps(r->e, &step, 1);
}

static int expression_add_value(struct parser *r, struct expression_step step)
{
	if (r->values_n == VALUES_MAX)
		return expression_refuse(r, r->p, "this is nested too deeply");
	r->complete = true;
	r->first[r->values_n++] = r->e->steps_n;
	return expression_add_step(r, step);
}

static int expression_add_number(struct parser *r, long double number)
{
	return expression_add_value(r, (struct expression_step){ .op = EXPRESSION_NUMBER,
								 .number = number });
}

/* Replace the steps of the newest value, which begin at first, by a number. */
static void expression_become_number(struct expression *e, size_t first, long double number)
{
	e->steps[first] = (struct expression_step){ .op = EXPRESSION_NUMBER, .number = number };
	e->steps_n = first + 1;
}

/* Keep one of the operands. */
static void expression_keep_operand(struct expression *e, size_t first, size_t from, size_t to)
{
	memmove(e->steps + first, e->steps + from, (to - from) * sizeof(*e->steps));
	e->steps_n = first + to - from;
}

/* Whether the operator is not needed, because its operands are numbers that decide alone. */
static bool expression_fold(struct parser *r, enum expression_op op, const size_t *first)
{
	struct expression *e = r->e;
	const size_t n = operators[op].operands;
	long double v[3] = { 0 }, value;
	size_t numbers_n = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t end = i + 1 < n ? first[i + 1] : e->steps_n;
		const bool is_known =
			end == first[i] + 1 && e->steps[first[i]].op == EXPRESSION_NUMBER;

		v[i] = is_known ? e->steps[first[i]].number : (long double)NAN;
		numbers_n += is_known;
	}
	if (op == EXPRESSION_IF && !isnan(v[1])) {
		if (v[1] != 0)
			expression_keep_operand(e, first[0], first[0], first[1]);
		else
			expression_keep_operand(e, first[0], first[2], e->steps_n);
		return true;
	}
	if (op == EXPRESSION_IF && v[0] == v[2]) { /* as in perf: no event decides */
		expression_become_number(e, first[0], v[0]);
		return true;
	}
	value = expression_compute(op, v);
	if (!expression_is_value(value) ||
	    (numbers_n < n && op != EXPRESSION_AND && op != EXPRESSION_OR))
		return false;
	expression_become_number(e, first[0], value);
	return true;
}

/* The newest values become the operands of op. */
static int expression_apply(struct parser *r, enum expression_op op)
{
	const size_t n = operators[op].operands;

	r->values_n -= n - 1;
	if (expression_fold(r, op, &r->first[r->values_n - 1]))
		return 0;
	return expression_add_step(r, (struct expression_step){ .op = op });
}

/* ---- Values. */

static int expression_add_event(struct parser *r, enum expression_op op, const char *name,
				const char *p)
{
	struct expression *e = r->e;
	size_t i = 0;

	while (i < e->events_n && strcmp(e->events[i].text, name) != 0)
		i++;
	if (i == EXPRESSION_EVENTS_MAX)
		return why_at(r->why, -EINVAL, expression_position(r, p),
			      "an expression may have at most %d events", EXPRESSION_EVENTS_MAX);
	if (i == e->events_n) {
		if (expression_add_needed(e, name) < 0)
			return -ENOMEM;
		e->events[i].at = expression_position(r, p);
	}
	return expression_add_value(r, (struct expression_step){ .op = op, .event = i });
}

/* The end of the number at p; p: there is no number. */
static const char *expression_number_end(const struct parser *r, const char *p)
{
	const char *end = expression_skip(r, p, DIGITS);
	size_t digits = (size_t)(end - p);

	if (expression_is_one_of(r, end, ".")) {
		const char *fraction = end + 1;

		end = expression_skip(r, fraction, DIGITS);
		digits += (size_t)(end - fraction);
	}
	if (digits == 0)
		return p;
	if (expression_is_one_of(r, end, "eE")) {
		const char *exponent = end + 1 + expression_is_one_of(r, end + 1, "+-");

		if (expression_is_one_of(r, exponent, DIGITS))
			end = expression_skip(r, exponent, DIGITS);
	}
	return end;
}

static int expression_number(struct parser *r)
{
	const char *start = r->p;
	cleanup_str struct str copy = { 0 };
	long double value;

	r->p = expression_number_end(r, start);
	if (r->p == start)
		return expression_refuse(r, start, "a digit is missing next to the '.'");
	str_add_n(&copy, start, (size_t)(r->p - start));
	if (copy.failed)
		return -ENOMEM;
	value = strtold(copy.text, NULL);
	if (!expression_is_value(value))
		return expression_refuse(r, start, "this number is too large");
	return expression_add_number(r, value);
}

static int expression_push(struct parser *r, struct pending pending)
{
	if (r->pending_n == EXPRESSION_DEPTH_MAX)
		return why_at(
			r->why, -EINVAL, expression_position(r, r->p),
			"this is nested too deeply: at most %d operators and parentheses may be "
			"open",
			EXPRESSION_DEPTH_MAX);
	r->pending[r->pending_n++] = pending;
	r->complete = false;
	return 0;
}

/* Read a name to *name, as an event is named on the command line. */
static int expression_read_name(struct parser *r, struct str *name)
{
	const char *start = r->p;

	if (!r->names) {
		do {
			r->p = expression_skip(r, r->p + 1, LETTERS DIGITS "_.:");
		} while (expression_is_one_of(r, r->p, "-") &&
			 expression_is_one_of(r, r->p + 1, LETTERS DIGITS));
		str_add_n(name, start, (size_t)(r->p - start));
		return name->failed ? -ENOMEM : 0;
	}
	while (r->p < r->end) {
		if (*r->p == '\\' && r->p + 1 < r->end)
			r->p++;
		else if (!expression_is_one_of(r, r->p, LETTERS DIGITS "_.:@?"))
			break;
		if (*r->p == '@')
			str_add(name, "/");
		else
			str_add_n(name, r->p, 1);
		r->p++;
	}
	if (r->p == start) /* a '\\' is the last character */
		return expression_refuse(r, start, "a name is missing here");
	return name->failed ? -ENOMEM : 0;
}

/* Read the text in quotes. */
static int expression_read_quoted(struct parser *r, struct str *text)
{
	const char *start = r->p + 1;
	const char *close = memchr(start, '\'', (size_t)(r->end - start));

	if (!close)
		return expression_refuse(r, r->p, "the ' is not closed");
	if (close == start)
		return expression_refuse(r, start, "an event is missing here");
	str_add_n(text, start, (size_t)(close - start));
	r->p = close + 1;
	return text->failed ? -ENOMEM : 0;
}

/* Functions of a name in perf's tables. */
enum name_function { SOURCE_COUNT, HAS_EVENT, STRCMP_CPUID_STR, NAME_FUNCTIONS_N };

static const char *const name_functions[] = {
	[SOURCE_COUNT] = "source_count",
	[HAS_EVENT] = "has_event",
	[STRCMP_CPUID_STR] = "strcmp_cpuid_str",
};

/* r->p: after the '('. */
static int expression_name_function(struct parser *r, enum name_function function)
{
	cleanup_str struct str name = { 0 };
	const char *start;
	int err;

	r->p = expression_skip_blanks(r, r->p);
	start = r->p;
	err = expression_read_name(r, &name);
	if (err < 0)
		return err;
	r->p = expression_skip_blanks(r, r->p);
	if (!expression_is_one_of(r, r->p, ")"))
		return expression_refuse(r, r->p, "a ')' is missing here");
	r->p++;
	switch (function) {
	case HAS_EVENT:
		return expression_add_number(r, r->names->has_event(r->names->data, name.text));
	case STRCMP_CPUID_STR:
		return expression_add_number(r, r->names->is_cpu(r->names->data, name.text));
	default:
		return expression_add_event(r, EXPRESSION_SOURCES, name.text, start);
	}
}

static int expression_read(struct parser *r);

/* Insert the expression of a metric. */
static int expression_insert(struct parser *r, const char *name, const char *start,
			     const char *text)
{
	const struct inserted inserted = { name, r->inserted };
	const char *const outer = r->text, *const p = r->p, *const end = r->end;
	cleanup_why struct why trouble = { 0 };
	struct why *const why = r->why;
	int err;

	for (const struct inserted *in = r->inserted; in; in = in->in)
		if (strcasecmp(in->name, name) == 0)
			return why_at(r->why, -EINVAL, expression_position(r, start),
				      "metric %s refers to itself", name);
	if (r->inserted_n++ == INSERTED_MAX)
		return expression_refuse(r, start, "the expression refers to too many metrics");
	err = expression_push(r, (struct pending){ .kind = PENDING_METRIC, .p = start });
	if (err < 0)
		return err;
	r->inserted = &inserted;
	r->text = r->p = text;
	r->end = text + strlen(text);
	r->why = &trouble;
	err = expression_read(r);
	r->inserted = inserted.in;
	r->text = outer;
	r->p = p;
	r->end = end;
	r->why = why;
	if (err < 0)
		return why_at(why, err, expression_position(r, start), "metric %s: %s", name,
			      why_text(&trouble, err));
	r->pending_n--;
	return 0;
}

/* The facts that older tables name without a '#'. */
static bool expression_is_old_fact(const char *name)
{
	return strcasecmp(name, "smt_on") == 0 || strcasecmp(name, "system_tsc_freq") == 0;
}

/* The name of a fact; r->p: after it. */
static int expression_fact(struct parser *r, const char *name, const char *start)
{
	long double value;

	if (!r->names->fact(r->names->data, name, &value))
		return why_at(r->why, -EINVAL, expression_position(r, start),
			      "'#%s' is unknown on this machine", name);
	return expression_add_number(r, value);
}

/* An event or a metric of perf's tables. */
static int expression_table_name(struct parser *r, const char *name, const char *start)
{
	static const char *const times[] = { "duration_time", "user_time", "system_time" };
	const char *metric = r->names->metric(r->names->data, name);
	int err;

	if (metric)
		return expression_insert(r, name, start, metric);
	if (expression_is_old_fact(name))
		return expression_fact(r, name, start);
	err = expression_add_event(r, EXPRESSION_EVENT, name, start);
	for (size_t i = 0; err == 0 && i < sizeof(times) / sizeof(times[0]); i++) {
		if (strcasecmp(name, times[i]) != 0)
			continue;
		err = expression_add_number(r, 1e9L); /* pstat counts nanoseconds */
		if (err == 0)
			err = expression_apply(r, EXPRESSION_DIVIDE);
	}
	return err;
}

/* The name of a function, an event or a metric. */
static int expression_name(struct parser *r)
{
	cleanup_str struct str name = { 0 };
	const char *start = r->p, *open;
	int err = expression_read_name(r, &name);

	if (err < 0)
		return err;
	open = expression_skip_blanks(r, r->p);
	if (expression_is_one_of(r, open, "(")) {
		for (enum expression_op op = EXPRESSION_MIN; op <= EXPRESSION_D_RATIO; op++) {
			if (strcmp(name.text, operators[op].text) != 0)
				continue;
			err = expression_push(r, (struct pending){ PENDING_FUNCTION, op, 0, open });
			r->p = open + 1;
			return err;
		}
		for (int i = 0; r->names && i < NAME_FUNCTIONS_N; i++) {
			if (strcmp(name.text, name_functions[i]) != 0)
				continue;
			r->p = open + 1;
			return expression_name_function(r, (enum name_function)i);
		}
	}
	if (r->names)
		return expression_table_name(r, name.text, start);
	if (strcmp(name.text, "time") == 0)
		return expression_add_value(r, (struct expression_step){ .op = EXPRESSION_TIME });
	if (strcmp(name.text, "cpus") == 0)
		return expression_add_value(r, (struct expression_step){ .op = EXPRESSION_CPUS });
	return expression_add_event(r, EXPRESSION_EVENT, name.text, start);
}

static bool expression_is_number(const struct parser *r)
{
	const char *end;

	if (!r->names)
		return expression_is_one_of(r, r->p, DIGITS ".");
	/* a name of perf's tables may begin with a digit */
	end = expression_number_end(r, r->p);
	return end > r->p && end >= expression_skip(r, r->p, LETTERS DIGITS "_.:@?\\");
}

static int expression_operand(struct parser *r)
{
	cleanup_str struct str text = { 0 };
	const char *start = r->p;
	int err;

	if (expression_is_one_of(r, r->p, "(")) {
		err = expression_push(r,
				      (struct pending){ .kind = PENDING_PARENTHESIS, .p = r->p });
		r->p++;
		return err;
	}
	if (expression_is_one_of(r, r->p, "-")) {
		err = expression_push(r, (struct pending){ PENDING_OPERATOR, EXPRESSION_NEGATE, 0,
							   r->p });
		r->p++;
		return err;
	}
	if (expression_is_number(r))
		return expression_number(r);
	if (r->names && expression_is_one_of(r, r->p, "#")) {
		r->p++;
		err = expression_read_name(r, &text);
		return err < 0 ? err : expression_fact(r, str_text(&text), start);
	}
	if (expression_is_one_of(r, r->p, r->names ? LETTERS DIGITS "_.:@?\\" : LETTERS "_"))
		return expression_name(r);
	if (r->names || !expression_is_one_of(r, r->p, "'"))
		return expression_refuse(r, r->p, "a number or an event is missing here");
	err = expression_read_quoted(r, &text);
	return err < 0 ? err : expression_add_event(r, EXPRESSION_EVENT, text.text, start + 1);
}

/* ---- Operators. */

/* Apply the pending operators with at least this precedence: their operands are complete. */
static int expression_settle_operators(struct parser *r, int least)
{
	int err = 0;

	while (err == 0 && r->pending_n > 0) {
		const struct pending *last = &r->pending[r->pending_n - 1];

		if (last->kind != PENDING_OPERATOR || operators[last->op].precedence < least)
			break;
		r->pending_n--;
		err = expression_apply(r, last->op);
	}
	return err;
}

static int expression_refuse_open(const struct parser *r, const struct pending *open)
{
	return expression_refuse(r, open->p,
				 open->kind == PENDING_CONDITION ? "this 'if' has no 'else'" :
								   "the '(' is not closed");
}

/* The innermost of what is not complete. NULL: there is nothing in this text. */
static struct pending *expression_innermost(struct parser *r)
{
	struct pending *last = r->pending_n > 0 ? &r->pending[r->pending_n - 1] : NULL;

	return last && last->kind != PENDING_METRIC ? last : NULL;
}

static int expression_close(struct parser *r)
{
	int err = expression_settle_operators(r, OF_IF);
	const struct pending *open = expression_innermost(r);

	if (err < 0)
		return err;
	if (!open)
		return expression_refuse(r, r->p, "this ')' has no matching '('");
	if (open->kind == PENDING_CONDITION)
		return expression_refuse_open(r, open);
	if (open->kind == PENDING_FUNCTION && open->commas + 1 < operators[open->op].operands)
		return why_at(r->why, -EINVAL, expression_position(r, r->p),
			      "%s needs two values, separated by ','", operators[open->op].text);
	r->pending_n--;
	r->p++;
	return open->kind == PENDING_FUNCTION ? expression_apply(r, open->op) : 0;
}

static int expression_refuse_symbol(const struct parser *r)
{
	return why_at(r->why, -EINVAL, expression_position(r, r->p),
		      "'%c' is not an operator; put events with such characters in single quotes",
		      *r->p);
}

static int expression_comma(struct parser *r)
{
	int err = expression_settle_operators(r, OF_IF);
	struct pending *open = expression_innermost(r);

	if (err < 0)
		return err;
	if (!open)
		return expression_refuse_symbol(r);
	if (open->kind != PENDING_FUNCTION)
		return expression_refuse_open(r, open);
	if (++open->commas == operators[open->op].operands)
		return why_at(r->why, -EINVAL, expression_position(r, r->p),
			      "%s takes only two values", operators[open->op].text);
	r->p++;
	r->complete = false;
	return 0;
}

/* 'if' and 'else'. The value before an 'if' is complete. */
static int expression_condition(struct parser *r, bool is_if)
{
	const char *start = r->p;
	struct pending *open;
	int err = expression_settle_operators(r, is_if ? OF_IF + 1 : OF_IF);

	if (err < 0)
		return err;
	if (is_if) {
		err = expression_push(r, (struct pending){ .kind = PENDING_CONDITION, .p = start });
		r->p += strlen("if");
		return err;
	}
	open = expression_innermost(r);
	if (!open || open->kind != PENDING_CONDITION)
		return expression_refuse(r, start, "this 'else' has no 'if'");
	*open = (struct pending){ PENDING_OPERATOR, EXPRESSION_IF, 0, start };
	r->p += strlen("else");
	r->complete = false;
	return 0;
}

/* Whether this word is at p. */
static bool expression_is_word(const struct parser *r, const char *word)
{
	const char *end = expression_skip(r, r->p, LETTERS DIGITS "_.:@?\\");
	const size_t n = strlen(word);

	return (size_t)(end - r->p) == n && memcmp(r->p, word, n) == 0;
}

static int expression_operator(struct parser *r)
{
	if (expression_is_word(r, "if") || expression_is_word(r, "else"))
		return expression_condition(r, *r->p == 'i');
	if (expression_is_one_of(r, r->p, LETTERS DIGITS "_.'("))
		return expression_refuse(r, r->p, "an operator is missing before this");
	if (*r->p == ')')
		return expression_close(r);
	if (*r->p == ',')
		return expression_comma(r);
	for (enum expression_op op = EXPRESSION_ADD; op <= EXPRESSION_OR; op++) {
		int err;

		if (*r->p != operators[op].text[0] || (op == EXPRESSION_XOR && !r->names))
			continue;
		err = expression_settle_operators(r, operators[op].precedence);
		if (err == 0)
			err = expression_push(r, (struct pending){ PENDING_OPERATOR, op, 0, r->p });
		r->p++;
		return err;
	}
	return expression_refuse_symbol(r);
}

/* Read the text to its end. */
static int expression_read(struct parser *r)
{
	int err = 0;

	while (err == 0) {
		r->p = expression_skip_blanks(r, r->p);
		if (r->p == r->end && r->complete)
			break;
		err = r->complete ? expression_operator(r) : expression_operand(r);
	}
	if (err == 0)
		err = expression_settle_operators(r, OF_IF);
	return err == 0 && expression_innermost(r) ?
		       expression_refuse_open(r, expression_innermost(r)) :
		       err;
}

static bool expression_is_of_event(const struct expression_step *step)
{
	return step->op == EXPRESSION_EVENT || step->op == EXPRESSION_SOURCES;
}

/* Sort the events by their first use. Returns the number of those that are used. */
static size_t expression_sort_events(struct expression *e)
{
	size_t used_n = 0;

	for (size_t i = 0; i < e->steps_n; i++) {
		const size_t from = e->steps[i].event, to = used_n;
		struct expression_event event;

		if (!expression_is_of_event(&e->steps[i]) || from < used_n)
			continue;
		event = e->events[from];
		e->events[from] = e->events[to];
		e->events[to] = event;
		for (size_t k = 0; k < e->steps_n; k++)
			if (expression_is_of_event(&e->steps[k]) &&
			    (e->steps[k].event == from || e->steps[k].event == to))
				e->steps[k].event = e->steps[k].event == from ? to : from;
		used_n++;
	}
	return used_n;
}

static void expression_drop_events(struct expression *e, size_t n)
{
	while (e->events_n > n)
		free(e->events[--e->events_n].text);
}

int expression_parse(struct expression *e, const char *text, size_t n, size_t at,
		     const struct expression_names *names, struct why *why)
{
	struct parser r = { .e = e,
			    .names = names,
			    .text = text,
			    .p = text,
			    .end = text + n,
			    .at = at,
			    .why = why };
	int err;

	*e = (struct expression){ 0 };
	err = expression_read(&r);
	if (err == 0)
		expression_drop_events(e, expression_sort_events(e));
	else
		expression_release(e);
	return err;
}

/* ---- Values and text. */

int expression_evaluate(const struct expression *e, const long double *values, long double time_s,
			long double cpus, long double *result)
{
	/* the operands of pending operators, and the newest value */
	long double stack[VALUES_MAX];
	size_t n = 0;

	for (size_t i = 0; i < e->steps_n; i++) {
		const struct expression_step *step = &e->steps[i];
		long double value;

		switch (step->op) {
		case EXPRESSION_NUMBER:
			value = step->number;
			break;
		case EXPRESSION_EVENT:
			value = values[step->event];
			break;
		case EXPRESSION_SOURCES: /* not set */
			value = (long double)NAN;
			break;
		case EXPRESSION_TIME:
			value = time_s;
			break;
		case EXPRESSION_CPUS:
			value = cpus;
			break;
		default:
			n -= operators[step->op].operands;
			value = expression_compute(step->op, &stack[n]);
		}
		/* A division by 0 gives infinity or NaN. */
		stack[n++] = expression_is_value(value) ? value : (long double)NAN;
	}
	if (n == 0 || isnan(stack[0]))
		return -EDOM;
	*result = stack[0] + 0.0L; /* turns -0 into 0 */
	return 0;
}

void expression_set_sources(struct expression *e, size_t event, size_t n)
{
	for (size_t i = 0; i < e->steps_n; i++)
		if (e->steps[i].op == EXPRESSION_SOURCES && e->steps[i].event == event)
			e->steps[i] = (struct expression_step){ .op = EXPRESSION_NUMBER,
								.number = (long double)n };
}

int expression_add_needed(struct expression *e, const char *event)
{
	char *text = strdup(event);

	if (!text || array_grow(&e->events, e->events_n, &e->events_size, sizeof(*e->events)) < 0) {
		free(text);
		return -ENOMEM;
	}
	e->events[e->events_n++] = (struct expression_event){ .text = text };
	return 0;
}

int expression_settle(struct expression *e)
{
	static const struct expression_step no_change[] = {
		{ .op = EXPRESSION_NUMBER },
		{ .op = EXPRESSION_EVENT },
		{ .op = EXPRESSION_MULTIPLY },
		{ .op = EXPRESSION_ADD },
	};
	struct expression again = { 0 };
	cleanup_str struct str text = { 0 };
	cleanup_why struct why why = { 0 };
	int err;

	expression_add_text(&text, e);
	err = text.failed ? -ENOMEM :
			    expression_parse(&again, str_text(&text), text.len, 0, NULL, &why);
	if (err == 0 && again.events_n == 0 && e->events_n > 0) {
		err = expression_add_needed(&again, e->events[0].text);
		if (err == 0)
			err = expression_append_steps(&again, no_change,
						      sizeof(no_change) / sizeof(no_change[0]));
	}
	for (size_t i = 0; err == 0 && i < again.events_n; i++)
		for (size_t k = 0; k < e->events_n; k++)
			if (strcmp(again.events[i].text, e->events[k].text) == 0) {
				again.events[i].at = e->events[k].at;
				again.events[i].index = e->events[k].index;
			}
	expression_release(err == 0 ? e : &again);
	if (err == 0)
		*e = again;
	return err;
}

int expression_multiply(struct expression *e, long double factor)
{
	const struct expression_step steps[] = {
		{ .op = EXPRESSION_NUMBER, .number = factor },
		{ .op = EXPRESSION_MULTIPLY },
	};

	return expression_append_steps(e, steps, sizeof(steps) / sizeof(steps[0]));
}

/* The shortest text that gives the same number. */
static void expression_add_number_text(struct str *out, long double number)
{
	char text[64];

	for (int digits = 6; digits <= LDBL_DECIMAL_DIG; digits++) {
		snprintf(text, sizeof(text), "%.*Lg", digits, number);
		if (strtold(text, NULL) == number)
			break;
	}
	str_add(out, text);
}

static void expression_add_event_text(struct str *out, const char *name)
{
	static const char *const words[] = { "time", "cpus", "if", "else" };
	const char *end = name;
	bool plain = strchr(LETTERS "_", name[0]);

	do {
		end += strspn(end, LETTERS DIGITS "_.:");
	} while (*end == '-' && end[1] && strchr(LETTERS DIGITS, end[1]) && *++end);
	plain &= *end == '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		plain &= strcmp(name, words[i]) != 0;
	str_addf(out, plain ? "%s" : "'%s'", name);
}

/* A value of which the steps so far are written. */
struct written {
	struct str text;
	int precedence; /* of its last operator */
};

/* Append an operand, in parentheses if it binds less than least. */
static void expression_add_operand(struct str *out, const struct written *operand, int least)
{
	const bool open = operand->precedence < least;

	str_add(out, open ? "(" : "");
	str_append(out, &operand->text);
	str_add(out, open ? ")" : "");
}

static void expression_add_operator_text(struct str *out, enum expression_op op, struct written *v)
{
	const struct operation *it = &operators[op];

	if (op == EXPRESSION_IF) {
		expression_add_operand(out, &v[0], OF_IF + 1);
		str_add(out, " if ");
		expression_add_operand(out, &v[1], OF_IF + 1);
		str_add(out, " else ");
		expression_add_operand(out, &v[2], OF_IF);
	} else if (it->precedence == OF_VALUE) {
		str_addf(out, "%s(%s, ", it->text, str_text(&v[0].text));
		str_append(out, &v[1].text);
		str_add(out, ")");
	} else if (op == EXPRESSION_XOR) { /* a user's '^' could be meant as a power */
		str_add(out, "((");
		expression_add_operand(out, &v[0], operators[EXPRESSION_AND].precedence);
		str_add(out, " & 1) + (");
		expression_add_operand(out, &v[1], operators[EXPRESSION_AND].precedence);
		str_add(out, " & 1)) % 2");
	} else if (op == EXPRESSION_NEGATE) {
		str_add(out, "-");
		expression_add_operand(out, &v[0], OF_NEGATE);
	} else {
		/* a long sum is not copied for each of its terms */
		if (v[0].precedence >= it->precedence) {
			*out = v[0].text;
			v[0].text = (struct str){ 0 };
		} else {
			expression_add_operand(out, &v[0], it->precedence);
		}
		str_addf(out, " %s ", it->text);
		expression_add_operand(out, &v[1], it->precedence + 1);
	}
}

void expression_add_text(struct str *out, const struct expression *e)
{
	struct written stack[VALUES_MAX];
	size_t n = 0;

	for (size_t i = 0; i < e->steps_n; i++) {
		const struct expression_step *step = &e->steps[i];
		struct written value = { .precedence = OF_VALUE };

		switch (step->op) {
		case EXPRESSION_NUMBER:
			expression_add_number_text(&value.text, step->number);
			break;
		case EXPRESSION_EVENT:
			expression_add_event_text(&value.text, e->events[step->event].text);
			break;
		case EXPRESSION_SOURCES: /* not set */
			str_add(&value.text, "0 / 0");
			break;
		case EXPRESSION_TIME:
			str_add(&value.text, "time");
			break;
		case EXPRESSION_CPUS:
			str_add(&value.text, "cpus");
			break;
		default:
			n -= operators[step->op].operands;
			expression_add_operator_text(&value.text, step->op, &stack[n]);
			value.precedence =
				operators[step->op == EXPRESSION_XOR ? EXPRESSION_REMAINDER :
								       step->op]
					.precedence;
			for (size_t k = 0; k < operators[step->op].operands; k++)
				str_release(&stack[n + k].text);
		}
		stack[n++] = value;
	}
	if (n == 0)
		return;
	str_append(out, &stack[0].text);
	str_release(&stack[0].text);
}

void expression_release(struct expression *e)
{
	for (size_t i = 0; i < e->events_n; i++)
		free(e->events[i].text);
	free(e->events);
	free(e->steps);
	*e = (struct expression){ 0 };
}
