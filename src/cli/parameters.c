/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/parameters.h"

#define NAME_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

static bool is_known(const struct parameters *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->v[i].name, name) == 0)
			return true;
	return false;
}

/* Append one value. Returns its end, at a comma or at the end of the text; NULL: out of memory. */
static const char *add_value(struct str_list *values, const char *text)
{
	cleanup_str struct str value = { 0 };

	for (; *text && *text != ','; text++) {
		if (text[0] == '\\' && (text[1] == ',' || text[1] == '\\'))
			text++;
		str_add_n(&value, text, 1);
	}
	if (value.failed || str_list_add(values, str_text(&value)) < 0)
		return NULL;
	return text;
}

static int add_values(struct str_list *values, const char *text)
{
	for (;;) {
		text = add_value(values, text);
		if (!text)
			return -ENOMEM;
		if (*text++ == '\0')
			return 0;
	}
}

static void parameter_release(struct parameter *parameter)
{
	free(parameter->name);
	str_list_release(&parameter->values);
}

static struct parameter take_parameter(struct parameter *parameter)
{
	struct parameter taken = *parameter;

	*parameter = (struct parameter){ 0 };
	return taken;
}

int parameters_add(struct parameters *p, const char *text, struct why *why)
{
	cleanup_with(parameter_release) struct parameter new = { 0 };
	size_t n = strspn(text, NAME_LETTERS);

	if (n == 0)
		return why_at(why, -EINVAL, 0, "the name of a parameter is missing here");
	if (text[n] != '=')
		return why_at(why, -EINVAL, n,
			      "a '=' is missing here: a parameter is NAME=VALUE,VALUE...");
	new.name = strndup(text, n);
	if (!new.name)
		return -ENOMEM;
	if (is_known(p, new.name))
		return why_at(why, -EINVAL, 0, "parameter '%s' is given twice", new.name);
	if (add_values(&new.values, text + n + 1) < 0 ||
	    array_grow(&p->v, p->n, &p->size, sizeof(*p->v)) < 0)
		return -ENOMEM;
	p->v[p->n++] = take_parameter(&new);
	return 0;
}

/* Whether the text begins with {NAME}. */
static bool stands_at(const struct parameter *parameter, const char *text)
{
	size_t n = strlen(parameter->name);

	return text[0] == '{' && strncmp(text + 1, parameter->name, n) == 0 && text[1 + n] == '}';
}

bool parameter_is_in(const struct parameter *parameter, const char *text)
{
	for (; text && *text; text++)
		if (stands_at(parameter, text))
			return true;
	return false;
}

static const struct parameter *parameter_at(const struct parameters *p, const char *text)
{
	for (size_t i = 0; i < p->n; i++)
		if (stands_at(&p->v[i], text))
			return &p->v[i];
	return NULL;
}

void parameters_replace(const struct parameters *p, const char *text, struct str *out)
{
	while (*text) {
		const struct parameter *parameter = parameter_at(p, text);

		if (parameter) {
			str_add(out, parameter->values.v[parameter->chosen]);
			text += strlen(parameter->name) + 2;
		} else {
			str_add_n(out, text++, 1);
		}
	}
}

bool parameters_next(struct parameters *p, const bool *varies)
{
	for (size_t i = p->n; i-- > 0;) {
		if (!varies[i])
			continue;
		if (++p->v[i].chosen < p->v[i].values.n)
			return true;
		p->v[i].chosen = 0;
	}
	return false;
}

void parameters_release(struct parameters *p)
{
	for (size_t i = 0; i < p->n; i++)
		parameter_release(&p->v[i]);
	free(p->v);
	*p = (struct parameters){ 0 };
}
