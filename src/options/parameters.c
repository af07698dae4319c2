/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "options/parameters.h"

#define NAME_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

/* Append the values, which commas separate. */
static int parameter_add_values(struct str_list *values, const char *text)
{
	for (;; text++) {
		cleanup_str struct str value = { 0 };

		for (; *text && *text != ','; text++) {
			if (text[0] == '\\' && (text[1] == ',' || text[1] == '\\'))
				text++;
			str_add_n(&value, text, 1);
		}
		if (value.failed || str_list_add(values, str_text(&value)) < 0)
			return -ENOMEM;
		if (*text == '\0')
			return 0;
	}
}

static void parameter_release(struct parameter *parameter)
{
	free(parameter->name);
	str_list_release(&parameter->values);
}

int parameters_add(struct parameters *p, const char *text, struct why *why)
{
	size_t n = strspn(text, NAME_LETTERS);
	struct parameter *new;

	if (n == 0)
		return why_at(why, -EINVAL, 0, "the name of a parameter is missing here");
	if (text[n] != '=')
		return why_at(why, -EINVAL, n,
			      "a '=' is missing here: a parameter is NAME=VALUE,VALUE...");
	for (size_t i = 0; i < p->n; i++)
		if (strlen(p->v[i].name) == n && strncmp(p->v[i].name, text, n) == 0)
			return why_at(why, -EINVAL, 0, "parameter '%s' is given twice",
				      p->v[i].name);
	if (array_grow(&p->v, p->n, &p->size, sizeof(*p->v)) < 0)
		return -ENOMEM;
	new = &p->v[p->n];
	*new = (struct parameter){ .name = strndup(text, n) };
	if (!new->name || parameter_add_values(&new->values, text + n + 1) < 0) {
		parameter_release(new);
		return -ENOMEM;
	}
	p->n++;
	return 0;
}

/* Whether the text begins with {NAME} of this parameter. */
static bool begins_with(const struct parameter *parameter, const char *text)
{
	size_t n = strlen(parameter->name);

	return text[0] == '{' && strncmp(text + 1, parameter->name, n) == 0 && text[1 + n] == '}';
}

bool parameter_is_in(const struct parameter *parameter, const char *text)
{
	for (; text && *text; text++)
		if (begins_with(parameter, text))
			return true;
	return false;
}

void parameters_replace(const struct parameters *p, const char *text, struct str *out)
{
	while (*text) {
		size_t i = 0;

		while (i < p->n && !begins_with(&p->v[i], text))
			i++;
		if (i < p->n) {
			str_add(out, p->v[i].values.v[p->v[i].chosen]);
			text += strlen(p->v[i].name) + 2;
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
