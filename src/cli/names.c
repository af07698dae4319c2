/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/names.h"

/* The number of names that equal this one, with or without " #N". */
static size_t count_alike(const struct str_list *names, const char *name)
{
	size_t n = strlen(name), alike = 0;

	for (size_t i = 0; i < names->n; i++) {
		const char *other = names->v[i];

		if (strncmp(other, name, n) == 0 &&
		    (other[n] == '\0' || strncmp(other + n, " #", 2) == 0))
			alike++;
	}
	return alike;
}

int names_add(struct str_list *names, const char *name)
{
	cleanup_str struct str text = { 0 };
	size_t alike = count_alike(names, name);

	str_add(&text, name);
	for (size_t i = alike + 1; !text.failed && str_list_has(names, str_text(&text)); i++) {
		text.len = strlen(name);
		str_addf(&text, " #%zu", i);
	}
	return text.failed ? -ENOMEM : str_list_add(names, str_text(&text));
}

int names_read(struct str_list *names, const char *list, struct why *why)
{
	if (str_list_split(names, list, ',') < 0)
		return -ENOMEM;
	for (size_t i = 0; i < names->n; i++) {
		if (names->v[i][0] == '\0')
			return why_set(why, -EINVAL, "--names %s: name %zu is empty", list, i + 1);
		for (size_t j = 0; j < i; j++)
			if (strcmp(names->v[i], names->v[j]) == 0)
				return why_set(why, -EINVAL, "--names %s: '%s' is used twice", list,
					       names->v[i]);
	}
	return 0;
}

int names_refuse(const char *list, size_t given, const char *before, size_t n, const char *one,
		 struct why *why)
{
	return why_set(why, -EINVAL, "--names %s: %zu %s for %s%zu %s%s", list, given,
		       given == 1 ? "name" : "names", before, n, one, n == 1 ? "" : "s");
}
