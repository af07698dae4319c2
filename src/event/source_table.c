/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of perf's tables, by the names of the manufacturers: INST_RETIRED.ANY. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/modifiers.h"
#include "event/source.h"
#include "machine/host.h"
#include "machine/perf_tables.h"
#include "machine/pmu.h"

static bool source_table_is_intel(const struct machine *m)
{
	cleanup_free char *cpu = host_cpu_id(m);

	return cpu && strncmp(cpu, "GenuineIntel-", strlen("GenuineIntel-")) == 0;
}

/* Append the event of a text such as "cpu/TERMS/u", which means the name. */
static int source_table_add_event(const struct machine *m, const struct event_spec *spec,
				  const struct str *text, struct event_list *out, struct why *why)
{
	const struct spec_word *name = &spec->words[0];
	cleanup_with(spec_list_release) struct spec_list specs = { 0 };
	cleanup_why struct why reason = { 0 };
	int err = text->failed ? -ENOMEM : spec_parse(&specs, text->text, &reason);

	if (err == 0)
		err = source_sysfs.resolve(m, &specs.events[0], out, &reason);
	if (err == 0 || err == -ENOMEM)
		return err;
	/* the position is in a text that the user did not write */
	return why_at(why, err, name->at, "'%.*s' means '%s': %s", (int)name->len, name->text,
		      text->text, why_text(&reason, err));
}

/* Append the events of the terms on one PMU. */
static int source_table_add_on(const struct machine *m, const struct event_spec *spec,
			       const char *pmu, const char *terms, struct event_list *out,
			       struct why *why)
{
	cleanup_str struct str text = { 0 };

	str_addf(&text, "%s/%s/", pmu, terms);
	if (spec->words_n == 2)
		str_add_n(&text, spec->words[1].text, spec->words[1].len);
	return source_table_add_event(m, spec, &text, out, why);
}

/* List the core PMUs for a name that has no PMU. */
static int source_table_list_cores(const struct machine *m, const struct event_spec *spec,
				   struct str_list *cores, struct why *why)
{
	cleanup_str_list struct str_list pmus = { 0 };
	const struct spec_word *name = &spec->words[0];
	int err = pmu_hybrid(m, cores);

	if (err < 0 || cores->n > 0)
		return err;
	if (pmu_list(m, &pmus) == -ENOMEM)
		return -ENOMEM;
	for (size_t i = 0; i < pmus.n; i++)
		if (pmu_is_core(m, pmus.v[i]))
			return str_list_add(cores, pmus.v[i]);
	return why_at(why, -EINVAL, name->at,
		      "'%.*s' needs a core PMU, which this machine does not have", (int)name->len,
		      name->text);
}

/* Whether the kind of core has the event: the kernel lists it, or it has a counter of its own. */
static bool source_table_core_has(const struct machine *m, const char *pmu,
				  const struct spec_word *word)
{
	cleanup_free char *name = strndup(word->text, word->len);

	for (char *p = name; p && *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return name &&
	       (perf_tables_fixed(name) || machine_has(m, PMU_DEVICES "/%s/events/%s", pmu, name));
}

/* Append the event of the terms on the first core PMU, and on each other one that has an event of
 * this name. They share one row, as those of cycles do. */
static int source_table_add_on_cores(const struct machine *m, const struct event_spec *spec,
				     const char *terms, struct event_list *out, struct why *why)
{
	const size_t first = out->n;
	cleanup_str_list struct str_list cores = { 0 };
	int err = source_table_list_cores(m, spec, &cores, why);

	for (size_t i = 0; err == 0 && i < cores.n; i++) {
		cleanup_why struct why ignored = { 0 };

		if (i == 0)
			err = source_table_add_on(m, spec, cores.v[i], terms, out, why);
		else if (source_table_core_has(m, cores.v[i], &spec->words[0]) &&
			 source_table_add_on(m, spec, cores.v[i], terms, out, &ignored) == -ENOMEM)
			err = -ENOMEM;
	}
	for (size_t i = first; err == 0 && out->n > first + 1 && i < out->n; i++) {
		struct event *event = &out->events[i];

		event->one_of_several = event->summed = true;
		event->merged = i > first;
		event->kind_name = source_generic_name(event->pmu, spec);
		err = event->kind_name ? 0 : -ENOMEM;
	}
	return err;
}

/* Append an object of the tables. */
static int source_table_add_object(const struct machine *m, const struct event_spec *spec,
				   const struct perf_object *object, struct event_list *out,
				   struct why *why)
{
	cleanup_free char *pmu = NULL;
	cleanup_str struct str terms = { 0 };

	if (perf_tables_pmu(m->tables, object, &pmu) < 0)
		return -ENOMEM;
	/* the name, not the terms: each PMU then takes the object that has its identifier */
	if (perf_tables_member(m->tables, object, "Compat"))
		str_add(&terms, object->name);
	else
		perf_tables_add_terms(&terms, m->tables, object);
	if (terms.failed)
		return -ENOMEM;
	return pmu ? source_table_add_on(m, spec, pmu, str_text(&terms), out, why) :
		     source_table_add_on_cores(m, spec, str_text(&terms), out, why);
}

/* Append all objects of the name: a hybrid machine has one for each kind of core. */
static int source_table_add_objects(const struct machine *m, const struct event_spec *spec,
				    const struct perf_object *object, struct event_list *out,
				    struct why *why)
{
	const struct perf_object *end = m->tables->events + m->tables->events_n;
	const char *name = object->name;
	const size_t first = out->n;
	size_t found_n = 0;
	int err = -ENOENT;

	for (; err != -ENOMEM && object < end && strcasecmp(object->name, name) == 0; object++) {
		cleanup_free char *pmu = NULL;

		if (!host_suits_object(m, object))
			continue;
		if (perf_tables_pmu(m->tables, object, &pmu) < 0)
			return -ENOMEM;
		if (found_n > 0 && (!pmu || !pmu_is_core(m, pmu) || out->events[first].summed ||
				    str_equal(pmu, out->events[out->n - 1].pmu)))
			continue; /* a later file has the same event */
		err = source_table_add_object(m, spec, object, out, why);
		found_n += err == 0;
	}
	if (found_n == 0 || err == -ENOMEM)
		return err;
	why_release(why); /* this machine lacks the PMU of another object */
	for (size_t i = first; found_n > 1 && i < out->n; i++) {
		struct event *event = &out->events[i];

		event->one_of_several = true;
		free(event->name);
		if (asprintf(&event->name, "%s/%s/", event->pmu, name) < 0) {
			event->name = NULL;
			return -ENOMEM;
		}
	}
	return 0;
}

static int source_table_resolve(const struct machine *m, const struct event_spec *spec,
				struct event_list *out, struct why *why)
{
	const struct spec_word *word = &spec->words[0];
	cleanup_free char *name = strndup(word->text, word->len);
	const struct perf_object *object;
	struct modifiers modifiers;
	cleanup_why struct why ignored = { 0 };

	if (!name)
		return -ENOMEM;
	if (!m->tables || spec->words_n > 2)
		return -ENOENT;
	/* other words are attributes of libpfm4 */
	if (spec->words_n == 2 && modifiers_parse(&spec->words[1], &modifiers, &ignored) < 0)
		return -ENOENT;
	host_complete_tables(m);
	object = perf_tables_find_event(m->tables, name, why);
	if (object)
		return source_table_add_objects(m, spec, object, out, why);
	if (!why->text && m->tables->trouble)
		why_set(why, -ENOENT, "%s", m->tables->trouble);
	if (!perf_tables_fixed(name) || !source_table_is_intel(m))
		return -ENOENT;
	return source_table_add_on_cores(m, spec, perf_tables_fixed(name), out, why);
}

static int source_table_list(const struct event_listing *l)
{
	const struct perf_tables *tables = l->machine->tables;
	int err = 0;

	if (tables)
		host_complete_tables(l->machine);
	for (size_t i = 0; tables && err == 0 && i < tables->events_n; i++) {
		const struct perf_object *event = &tables->events[i];
		cleanup_why struct why invalid = { 0 };
		const int checked = perf_tables_check(tables, event, &invalid);
		const char *description = perf_tables_member(tables, event, "BriefDescription");
		cleanup_free char *pmu = NULL;
		const int found = perf_tables_pmu(tables, event, &pmu);
		const struct event_info info = { .name = event->name,
						 .source = "table",
						 .pmu = pmu ? pmu : "core",
						 .description = description ? description : "",
						 .present = true };

		if (checked == 0 && host_suits_object(l->machine, event))
			err = found < 0 ? found : l->visit(&info, l->data);
	}
	return err;
}

const struct event_source source_table = {
	.name = "table",
	.forms = FORM(SPEC_NAME),
	.resolve = source_table_resolve,
	.list = source_table_list,
};
