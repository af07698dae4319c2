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
