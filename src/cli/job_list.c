/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "cli/jobs.h"
#include "cli/message.h"
#include "event/resolve.h"
#include "format/listing.h"

struct search {
	const struct machine *machine;
	const char *pattern; /* NULL for all */
	bool encodings;
	struct listing listing;
};

/* A pattern has to match the whole name; a word without wildcards may occur anywhere in it. */
static bool matches(const char *pattern, const char *name)
{
	if (!pattern)
		return true;
	return strpbrk(pattern, "*?[") ? fnmatch(pattern, name, FNM_CASEFOLD) == 0 :
					 strcasestr(name, pattern) != NULL;
}

static int list_event(const struct event_info *info, void *data)
{
	cleanup_with(event_list_release) struct event_list events = { 0 };
	cleanup_why struct why why = { 0 };
	struct search *search = data;
	struct listed listed = { .name = info->name,
				 .source = info->source,
				 .pmu = info->pmu,
				 .description = info->description,
				 .present = info->present };
	int err = 0;

	if (!matches(search->pattern, info->name))
		return 0;
	if (search->encodings && info->present)
		err = resolve_events(search->machine, RESOLVE_BY_ALL, info->name, &events, &why);
	if (err == -ENOMEM)
		return err;
	if (err == 0 && events.n > 0 && events.events[0].tool == TOOL_NONE)
		listed.encoded = &events.events[0];
	return listing_add(&search->listing, &listed);
}

static int list(const struct options *o, const struct machine *m, FILE *out)
{
	struct search search = { .machine = m,
				 .pattern = o->argv[0],
				 .encodings = o->verbose,
				 .listing = { .out = out, .json = options_look_json(o) } };
	cleanup_why struct why why = { 0 };
	int err = resolve_list(m, o->list_all ? LIST_ALL : LIST_USABLE, list_event, &search, &why);
	int end = listing_end(&search.listing);

	if (err == 0)
		err = end;
	if (err < 0 &&
	    !ferror(out)) /* a failed write is reported at the end, for all of standard output */
		message("--list: the list is incomplete: %s", why_text(&why, err));
	if (err == -ELIBACC || ferror(out))
		return 0; /* without libpfm4, all other events are still listed */
	if (err == 0 && search.listing.n == 0 && o->argv[0]) {
		message("--list: no event matches '%s'%s", o->argv[0],
			o->list_all ? "" : "; --all also lists those of PMUs that are not here");
		return STATUS_PSTAT;
	}
	return err < 0 ? STATUS_PSTAT : 0;
}

int job_list(const struct options *o, FILE *out)
{
	cleanup_with(machine_release) struct machine machine = { 0 };
	cleanup_why struct why why = { 0 };
	int err = machine_init(&machine, o->sysroot, &why);

	if (err < 0) {
		message("%s", why_text(&why, err));
		return STATUS_PSTAT;
	}
	return list(o, &machine, out);
}
