/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of perf's tables, by the names of the manufacturers: INST_RETIRED.ANY. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/source.h"
#include "machine/host.h"
#include "machine/perf_tables.h"
#include "machine/pmu.h"

/* Append the PMU that a core event without a PMU is of. */
static void table_add_core(struct str *out, const struct machine *m)
{
	cleanup_str_list struct str_list pmus = { 0 };

	if (pmu_list(m, &pmus) < 0)
		return;
	for (size_t i = 0; i < pmus.n; i++)
		if (pmu_is_core(m, pmus.v[i])) {
			str_add(out, pmus.v[i]);
			return;
		}
}

/* Append the event as "cpu/TERMS/". */
static void table_add_event(struct str *out, const struct machine *m,
			    const struct perf_object *event)
{
	cleanup_free char *pmu = perf_tables_pmu(m->tables, event);

	if (pmu)
		str_add(out, pmu);
	else
		table_add_core(out, m);
	str_add(out, "/");
	perf_tables_add_terms(out, m->tables, event);
	str_add(out, "/");
}

static int table_resolve(const struct machine *m, const struct event_spec *spec,
			 struct event_list *out, struct why *why)
{
	const struct spec_word *word = &spec->words[0];
	cleanup_free char *name = strndup(word->text, word->len);
	cleanup_with(spec_list_release) struct spec_list specs = { 0 };
	cleanup_str struct str text = { 0 };
	const struct perf_object *event;
	int err;

	if (!name)
		return -ENOMEM;
	if (!m->tables || spec->words_n > 2)
		return -ENOENT;
	err = host_complete_tables(m, why);
	if (err < 0)
		return err;
	event = perf_tables_find(m->tables->events, m->tables->events_n, name);
	if (event)
		table_add_event(&text, m, event);
	else if (perf_tables_fixed(name) && machine_has(m, PMU_DEVICES "/cpu/format/umask"))
		str_addf(&text, "cpu/%s/", perf_tables_fixed(name));
	else
		return -ENOENT;
	if (text.len > 0 && text.text[0] == '/')
		return why_at(why, -EINVAL, word->at,
			      "%s is an event of cores, but this machine has no PMU for them",
			      name);
	if (spec->words_n == 2)
		str_add_n(&text, spec->words[1].text, spec->words[1].len);
	if (text.failed)
		return -ENOMEM;
	err = spec_parse(&specs, str_text(&text), why);
	if (err == 0)
		err = source_sysfs.resolve(m, &specs.events[0], out, why);
	if (err < 0) { /* the position is in a text that the user did not write */
		cleanup_why struct why reason = *why;

		*why = (struct why){ 0 };
		return err == -ENOMEM ? err :
					why_at(why, err, word->at, "%s is %s: %s", name,
					       str_text(&text), why_text(&reason, err));
	}
	return 0;
}

static int table_list(const struct event_listing *l)
{
	const struct perf_tables *tables = l->machine->tables;
	int err = tables ? host_complete_tables(l->machine, l->why) : 0;

	for (size_t i = 0; tables && err == 0 && i < tables->events_n; i++) {
		const struct perf_object *event = &tables->events[i];
		const char *description = perf_tables_member(tables, event, "BriefDescription");
		cleanup_free char *pmu = perf_tables_pmu(tables, event);
		const struct event_info info = { .name = event->name,
						 .source = "table",
						 .pmu = pmu ? pmu : "core",
						 .description = description ? description : "",
						 .present = true };

		err = l->visit(&info, l->data);
	}
	return err;
}

const struct event_source source_table = {
	.name = "table",
	.forms = FORM(SPEC_NAME),
	.resolve = table_resolve,
	.list = table_list,
};
