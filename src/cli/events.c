/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/events.h"
#include "cli/message.h"
#include "event/modifier.h"
#include "event/resolve.h"

/* What perf stat counts when nothing is asked for, and what each -d adds. */
static const char *const default_events[] = {
	("task-clock,context-switches,cpu-migrations,page-faults,"
	 "cycles,instructions,branches,branch-misses"),
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

int events_add(const struct machine *m, const char *option, const char *text,
	       struct event_list *list)
{
	cleanup_why struct why why = { 0 };
	int err = event_resolve(m, text, list, &why);

	if (err < 0 && why.has_place)
		message("%s '%s', column %zu: %s", option, text, why.place + 1,
			why_text(&why, err));
	else if (err < 0)
		message("%s '%s': %s", option, text, why_text(&why, err));
	return err;
}

void events_choose_modes(const struct options *o, struct event_list *list)
{
	const struct modifiers modes = { .user = o->all_user, .kernel = o->all_kernel };

	for (size_t i = 0; (o->all_user || o->all_kernel) && i < list->n; i++) {
		list->events[i].modes_chosen = false;
		modifiers_apply(&modes, &list->events[i]);
	}
}

int events_of_options(const struct options *o, const struct machine *m, struct event_list *list)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < o->events.n; i++)
		err = events_add(m, "-e", o->events.v[i], list);
	if (err == 0 && o->events.n == 0 && !o->null_run)
		err = events_add(m, "default events", default_events[0], list);
	for (size_t i = 1; err == 0 && i <= o->detail; i++)
		err = events_add(m, "-d", default_events[i], list);
	events_choose_modes(o, list);
	return err;
}
