/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/why.h"
#include "event/resolve.h"
#include "unit/resolve.h"
#include "unit/test.h"

void resolve_on(const struct machine *m, const char *text, struct event_list *list)
{
	cleanup_why struct why why = { 0 };
	int err = resolve_events(m, RESOLVE_BY_ALL, text, list, &why);

	if (err < 0)
		fail_msg("%s: %s", text, why_text(&why, err));
}

void resolve_metrics(struct metric_request_list *list, const char *text, const size_t *indices)
{
	size_t first = list->n;
	cleanup_why struct why why = { 0 };

	if (metric_list_parse(list, text, &why) < 0)
		fail_msg("%s", why_text(&why, 0));
	for (size_t i = first; i < list->n; i++)
		for (size_t k = 0; k < list->v[i].expression.events_n; k++)
			list->v[i].expression.events[k].index = *indices++;
}
