/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/hw_breakpoint.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/bind.h"
#include "event/symbol.h"

static int bind_event(struct event *event, const char *program, struct why *why)
{
	cleanup_with(symbol_list_release) struct symbol_list found = { 0 };
	bool code = event->attr.bp_type == HW_BREAKPOINT_X;
	int err = symbol_find(program, event->symbol, code ? SYMBOL_FUNCTION : SYMBOL_VARIABLE,
			      &found, why);

	if (err < 0)
		return err;
	if (found.n > 1)
		return why_set(why, -EINVAL, "'%s': %s has %zu of that name; give an address",
			       event->name, program, found.n);
	event->attr.bp_addr = found.v[0].address;
	event->relocated = found.position_independent;
	event->entry = found.entry;
	if (!event->attr.bp_len)
		event->attr.bp_len = event_breakpoint_length(event->attr.bp_type, found.v[0].size);
	return 0;
}

int event_bind(struct event_list *list, const char *program, struct why *why)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < list->n; i++)
		if (list->events[i].symbol)
			err = bind_event(&list->events[i], program, why);
	return err;
}
