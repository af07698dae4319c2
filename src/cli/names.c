/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "cli/names.h"

int names_add(struct str_list *names, const char *name)
{
	cleanup_str struct str text = { 0 };
	size_t n;

	str_add(&text, name);
	n = text.len;
	for (size_t i = 2; !text.failed && str_list_has(names, str_text(&text)); i++) {
		text.len = n;
		str_addf(&text, " #%zu", i);
	}
	return text.failed ? -ENOMEM : str_list_add(names, str_text(&text));
}
