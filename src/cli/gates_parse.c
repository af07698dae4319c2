/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "cli/gates_parse.h"

#define BLANKS " \t"

static const char *pass_blanks(const char *p)
{
	return p + strspn(p, BLANKS);
}

/* A copy of the text up to end, without blanks at its end. NULL: out of memory. */
static char *copy_name(const char *text, const char *end)
{
	while (end > text && strchr(BLANKS, end[-1]))
		end--;
	return strndup(text, (size_t)(end - text));
}

/* Parse the number at p. Only a '%' may follow it; *percent becomes true if one does. */
static int parse_number(const char *text, const char *p, double *value, bool *percent,
			struct why *why)
{
	size_t n = strspn(p, "0123456789.");
	const char *end;

	if (num_parse_decimal(p, n, value) < 0)
		return why_at(why, -EINVAL, (size_t)(p - text), "a number is missing here");
	end = pass_blanks(p + n);
	*percent = *end == '%';
	end = pass_blanks(end + *percent);
	if (*end)
		return why_at(why, -EINVAL, (size_t)(end - text),
			      "only a %% may follow the number");
	return 0;
}

/* The last '>' or '<'; NULL: there is none. */
static const char *find_sign(const char *text)
{
	const char *more = strrchr(text, '>'), *less = strrchr(text, '<');

	return !more || (less && less > more) ? less : more;
}

static int parse_limit(struct gate_request *gate, const char *sign, struct why *why)
{
	const char *text = gate->text;
	const char *p = pass_blanks(sign + 1);
	int err;

	gate->above = *sign == '>';
	if (*p != (gate->above ? '+' : '-'))
		return why_at(why, -EINVAL, (size_t)(p - text),
			      gate->above ?
				      "a '+' is missing here: NAME>+0.5%% is crossed by more than "
				      "0.5 %% above the reference" :
				      "a '-' is missing here: NAME<-2%% is crossed by more than 2 "
				      "%% below the reference");
	p = pass_blanks(p + 1);
	err = parse_number(text, p, &gate->limit.value, &gate->relative, why);
	if (err < 0)
		return err;
	if (gate->relative)
		gate->limit.value /= 100;
	if (gate->above)
		return 0;
	if (gate->relative && gate->limit.value >= 1)
		return why_at(why, -EINVAL, (size_t)(p - text),
			      "a count cannot decrease by 100 %% or more");
	gate->limit.value = -gate->limit.value;
	return 0;
}

int gate_parse(struct gate_request *gate, const char *text, struct why *why)
{
	const char *name = pass_blanks(text);
	const char *sign = find_sign(text);
	int err;

	*gate = (struct gate_request){ .text = text };
	if (!sign)
		return why_at(why, -EINVAL, strlen(text),
			      "a limit is missing here: a gate is NAME>+0.5%% or NAME<-2%%");
	if (name == sign)
		return why_at(why, -EINVAL, (size_t)(sign - text),
			      "the name of an event or a metric is missing here");
	err = parse_limit(gate, sign, why);
	if (err < 0)
		return err;
	gate->name = copy_name(name, sign);
	return gate->name ? 0 : -ENOMEM;
}

int effect_parse(char **name, double *minimum, const char *text, struct why *why)
{
	const char *equals = strrchr(text, '=');
	const char *start = pass_blanks(text);
	bool percent;
	int err;

	if (start == equals)
		return why_at(why, -EINVAL, (size_t)(start - text),
			      "the name of an event or a metric is missing here");
	err = parse_number(text, pass_blanks(equals ? equals + 1 : text), minimum, &percent, why);
	if (err < 0)
		return err;
	*minimum /= 100;
	*name = equals ? copy_name(start, equals) : NULL;
	return equals && !*name ? -ENOMEM : 0;
}
