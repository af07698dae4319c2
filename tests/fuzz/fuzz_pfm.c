/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of libpfm4. Whatever the text, each of its names becomes one event with a name and with
 * modifiers of perf, or source_pfm reports a mistake at a position in the text. All names belong to
 * one PMU. There are no suggestions for unknown names, because these take a long time.
 */
#include <errno.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/source.h"
#include "event/spec.h"
#include "fuzz.h"
#include "machine/machine.h"

static char root[] = "";
static const struct machine here = { .root = root };

static void check_event(const struct event_spec *spec, const char *text)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };
	int err;

	if (spec->form != SPEC_NAME && spec->form != SPEC_PFM)
		return;
	err = source_pfm.resolve(&here, spec, &list, &why);
	CHECK(err != -ELIBACC);
	CHECK(!why.has_position || why.position <= strlen(text));
	CHECK(err == -ENOENT || err == 0 || (err == -EINVAL && why.text));
	if (err == 0)
		CHECK(list.n == 1 && list.events[0].full_name && list.events[0].pmu);
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *names = fuzz_text(data, size);
	cleanup_with(spec_list_release) struct spec_list list = { 0 };
	cleanup_why struct why why = { 0 };
	cleanup_str struct str text = { 0 };

	str_addf(&text, "skl::%s", names);
	if (spec_parse(&list, str_text(&text), &why) < 0)
		return;
	for (size_t i = 0; i < list.events_n; i++)
		check_event(&list.events[i], str_text(&text));
}
