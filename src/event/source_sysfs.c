/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of the PMUs in sysfs: "pmu/term=value,…/" with the terms of the PMU's format/ and the
 * names of its events/. A name of events/ may also be written alone. Terms apply from left to
 * right. A later term replaces an earlier one of the same name, so the user can change the terms of
 * an event.
 */
#include <errno.h>
#include <float.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "event/attr_fields.h"
#include "event/modifiers.h"
#include "event/source.h"
#include "machine/cpulist.h"
#include "machine/host.h"
#include "machine/perf_tables.h"
#include "machine/pmu.h"

/* ---- What a PMU has in sysfs. */

/* Append the names of format/, sorted; nothing if the PMU does not have the folder. 0 or -errno. */
static int sysfs_list_formats(const struct machine *m, const char *pmu, struct str_list *list)
{
	int err = machine_list(m, list, PMU_DEVICES "/%s/format", pmu);

	return err == -ENOENT ? 0 : err;
}

/* The same for the events of events/. */
static int sysfs_list_events(const struct machine *m, const char *pmu, struct str_list *list)
{
	/* files that events/ may hold next to the event NAME, as NAME.unit */
	static const char *const endings[] = { "*.unit", "*.scale", "*.per-pkg", "*.snapshot" };
	cleanup_str_list struct str_list all = { 0 };
	int err = machine_list(m, &all, PMU_DEVICES "/%s/events", pmu);

	if (err < 0)
		return err == -ENOENT ? 0 : err;
	for (size_t i = 0; i < all.n; i++) {
		bool is_event = true;

		for (size_t j = 0; j < sizeof(endings) / sizeof(endings[0]); j++)
			is_event &= fnmatch(endings[j], all.v[i], 0) != 0;
		if (is_event && str_list_add(list, all.v[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* The terms of an event in events/. The caller frees them. 0; -ENOENT: there is no such event. */
static int sysfs_read_event_terms(const struct machine *m, const char *pmu, const char *event,
				  char **terms)
{
	if (event[0] == '\0' || event[0] == '.' || strchr(event, '/'))
		return -ENOENT;
	return machine_read(m, terms, PMU_DEVICES "/%s/events/%s", pmu, event);
}

/*
 * Replace *name, which is owned, by the name of an event in events/ from which it differs only in
 * case. 0; -ENOENT: there is none; or -ENOMEM.
 */
static int sysfs_find_in_any_case(const struct machine *m, const char *pmu, char **name)
{
	cleanup_str_list struct str_list names = { 0 };

	if (sysfs_list_events(m, pmu, &names) == -ENOMEM)
		return -ENOMEM;
	for (size_t i = 0; i < names.n; i++)
		if (strcasecmp(names.v[i], *name) == 0) {
			free(*name);
			*name = take_ptr(names.v[i]);
			return 0;
		}
	return -ENOENT;
}

/*
 * Append the PMUs that a name selects, sorted. If a PMU has exactly this name, only that PMU.
 * Otherwise, all PMUs that match the name as a pattern (fnmatch(3)) or that are its numbered
 * instances ("imc_0", "cha12"). The name may omit the "uncore_" of an instance. 0, even if there
 * are none, or -errno.
 */
static int sysfs_match_pmus(const struct machine *m, const char *name, struct str_list *list)
{
	cleanup_str_list struct str_list all = { 0 };
	uint32_t type;
	int err;

	if (pmu_type(m, name, &type) == 0)
		return str_list_add(list, name);
	err = pmu_list(m, &all);
	for (size_t i = 0; err == 0 && i < all.n; i++)
		if (pmu_matches(all.v[i], name))
			err = str_list_add(list, all.v[i]);
	return err;
}

static size_t sysfs_stem_length(const char *pmu)
{
	size_t n = strlen(pmu);

	while (n > 0 && strchr("0123456789", pmu[n - 1]))
		n--;
	return n;
}

/* Whether both are instances of the same PMU: "uncore_imc_0" and "uncore_imc_1". */
static bool sysfs_are_instances(const char *a, const char *b)
{
	size_t n = sysfs_stem_length(a);

	return n == sysfs_stem_length(b) && memcmp(a, b, n) == 0;
}

/* ---- The terms of an event. */

/* A term of format/ and its value. */
struct setting {
	char *name; /* owned */
	struct pmu_format format;
	uint64_t value;
};

/* An event of one PMU while its terms are read. */
struct build {
	const struct machine *m;
	const char *pmu;
	const struct event_spec *spec;
	struct event common; /* only what term_apply() sets; owns its name */
	struct setting *settings; /* owned */
	size_t settings_n, settings_size;
	char *unit; /* owned */
	double factor;
	bool snapshot;
	char *cpus; /* owned: from cpu=… */
	struct perf_event_attr
		generic; /* the type and config of a generic event of this PMU; size 0: none */
	struct why *why;
};

static void sysfs_build_release(struct build *b)
{
	for (size_t i = 0; i < b->settings_n; i++)
		free(b->settings[i].name);
	free(b->settings);
	free(b->common.name);
	free(b->unit);
	free(b->cpus);
}

/* List at most 40 names, "a, b, …", for a message. */
static void sysfs_add_names(struct str *out, const struct str_list *names)
{
	const size_t most = 40;

	for (size_t i = 0; i < names->n && i < most; i++)
		str_add_listed(out, names->v[i]);
	if (names->n > most)
		str_add_listed(out, "…");
}

/* Handle a term of the PMU's format/. */
static int sysfs_format_term(struct build *b, const struct spec_term *term)
{
	cleanup_free char *name = strndup(term->name.text, term->name.len);
	uint64_t scratch[PMU_CONFIG_WORDS] = { 0 };
	struct pmu_format format;
	uint64_t value;
	int err;

	if (!name)
		return -ENOMEM;
	err = pmu_format(b->m, b->pmu, name, &format);
	if (err == -EINVAL)
		return why_at(b->why, err, term->name.at,
			      "term '%s' of PMU %s has an unknown format in sysfs", name, b->pmu);
	if (err == 0)
		err = term_number(term, &value, b->why);
	if (err < 0)
		return err;
	err = pmu_format_fill(&format, value, scratch);
	if (err < 0)
		return why_at(b->why, err, term->has_value ? term->value.at : term->name.at,
			      "'%.*s' is too large for '%s' of PMU %s, which has %u bits",
			      (int)(term->has_value ? term->value.len : term->name.len),
			      term->has_value ? term->value.text : term->name.text, name, b->pmu,
			      format.width);
	for (size_t i = 0; i < b->settings_n; i++)
		if (strcmp(b->settings[i].name, name) == 0) {
			b->settings[i].value = value; /* the last value of a term wins */
			return 0;
		}
	if (array_grow(&b->settings, b->settings_n, &b->settings_size, sizeof(*b->settings)) < 0)
		return -ENOMEM;
	b->settings[b->settings_n++] = (struct setting){ take_ptr(name), format, value };
	return 0;
}

/* Who wrote a term. A file in events/ holds only terms of format/, no names of events. */
enum term_writer { BY_USER, IN_EVENTS_FOLDER };

static int sysfs_apply_term(struct build *b, const struct spec_term *term, enum term_writer writer);

/* In events/, "term=?" means that the user has to write this term (hv_24x7). */
static int sysfs_check_user_term(const struct build *b, const struct spec_term *term)
{
	for (size_t i = 0; i < b->spec->terms_n; i++) {
		const struct spec_word *given = &b->spec->terms[i].name;

		if (b->spec->terms[i].has_value && given->len == term->name.len &&
		    memcmp(given->text, term->name.text, given->len) == 0)
			return 0;
	}
	return why_set(b->why, -EINVAL, "this event of PMU %s needs the term '%.*s=…'", b->pmu,
		       (int)term->name.len, term->name.text);
}

/*
 * Read the unit, the scale, and whether the event is a level at the time of reading. An invalid
 * scale is ignored. 0 or -ENOMEM.
 */
static int sysfs_read_unit(struct build *b, const char *event)
{
	cleanup_free char *text = NULL;
	double scale;
	char *end;
	int on;

	free(take_ptr(b->unit));
	b->factor = 1;
	b->snapshot = machine_read_int(b->m, &on, PMU_DEVICES "/%s/events/%s.snapshot", b->pmu,
				       event) == 0 &&
		      on;
	if (machine_read(b->m, &b->unit, PMU_DEVICES "/%s/events/%s.unit", b->pmu, event) ==
		    -ENOMEM ||
	    machine_read(b->m, &text, PMU_DEVICES "/%s/events/%s.scale", b->pmu, event) == -ENOMEM)
		return -ENOMEM;
	scale = text ? strtod(text, &end) : 0;
	if (scale > 0 && scale <= DBL_MAX && *end == '\0')
		b->factor = scale;
	return 0;
}

/* The terms of an event in perf's tables for this PMU. The caller frees *terms. 0; -ENOENT; or
 * -errno with why. */
static int sysfs_table_event_terms(const struct build *b, const char *name, char **terms)
{
	const struct perf_tables *t = b->m->tables;
	const struct perf_object *it = NULL;
	cleanup_why struct why invalid = { 0 };

	if (t) {
		host_complete_tables(b->m);
		it = perf_tables_find_event(t, name, &invalid);
	}
	if (invalid.text)
		return why_set(b->why, -EINVAL, "%s", invalid.text);
	for (; it && it < t->events + t->events_n && strcasecmp(it->name, name) == 0; it++) {
		cleanup_free char *pmu = NULL;
		const int err = perf_tables_pmu(t, it, &pmu);
		cleanup_str struct str text = { 0 };

		if (err < 0)
			return err;
		if (pmu ? !pmu_matches(b->pmu, pmu) : !pmu_is_core(b->m, b->pmu))
			continue;
		if (!pmu_has_identifier(b->m, b->pmu, perf_tables_member(t, it, "Compat")))
			continue;
		perf_tables_add_terms(&text, t, it);
		if (text.failed)
			return -ENOMEM;
		*terms = take_ptr(text.text);
		return 0;
	}
	return -ENOENT;
}

/* Handle an event of the PMU's events/: its terms, unit and scale. */
static int sysfs_event_term(struct build *b, const struct spec_term *term)
{
	cleanup_free char *name = strndup(term->name.text, term->name.len);
	cleanup_free char *text = NULL;
	struct event_spec inner = { 0 };
	int err;

	if (!name)
		return -ENOMEM;
	err = sysfs_read_event_terms(b->m, b->pmu, name, &text);
	if (err == -ENOENT && !term->has_value)
		err = sysfs_table_event_terms(b, name, &text);
	if (err == -ENOENT) {
		err = sysfs_find_in_any_case(b->m, b->pmu, &name);
		if (err == 0)
			err = sysfs_read_event_terms(b->m, b->pmu, name, &text);
	}
	if (err < 0 || !text)
		return err < 0 ? err : -ENOMEM;
	if (term->has_value)
		return why_at(b->why, -EINVAL, term->value.at,
			      "event '%s' of PMU %s takes no value", name, b->pmu);
	err = sysfs_read_unit(b, name);
	if (err == 0)
		err = spec_parse_terms(&inner, text, text + strlen(text), 0, b->why);
	for (size_t i = 0; err == 0 && i < inner.terms_n; i++)
		err = spec_word_is(&inner.terms[i].value, "?") ?
			      sysfs_check_user_term(b, &inner.terms[i]) :
			      sysfs_apply_term(b, &inner.terms[i], IN_EVENTS_FOLDER);
	free(inner.terms);
	/* point to the name, which the user wrote, and not to a term of the event */
	if (err < 0) {
		b->why->has_position = true;
		b->why->position = term->name.at;
	}
	return err == -ENOENT ? -EINVAL : err;
}

/*
 * cpu=N: count on this CPU only, instead of the CPUs that the PMU names. The list is parsed again
 * before the event is opened, so it may hold only decimal numbers.
 */
static int sysfs_cpu_term(struct build *b, const struct spec_term *term)
{
	cleanup_str struct str cpus = { 0 };
	uint64_t cpu;

	if (num_parse(term->value.text, term->value.len, &cpu) < 0 || cpu > CPULIST_MAX)
		return why_at(b->why, -EINVAL, term->value.at, "'%.*s' is not a CPU number",
			      (int)term->value.len, term->value.text);
	str_addf(&cpus, "%u", (unsigned int)cpu);
	if (cpus.failed)
		return -ENOMEM;
	free(b->cpus);
	b->cpus = take_ptr(cpus.text);
	return 0;
}

/* "cpu_core/cycles/": a generic event of one core PMU. perf has such rows on hybrid machines. */
static int sysfs_generic_term(struct build *b, const struct spec_term *term)
{
	if (term->has_value || !pmu_is_core(b->m, b->pmu) ||
	    !source_generic_hardware(&term->name, &b->generic))
		return -ENOENT;
	if (b->spec->terms_n > 1)
		return why_at(b->why, -EINVAL, term->name.at,
			      "'%.*s' is a generic event, which takes no further terms",
			      (int)term->name.len, term->name.text);
	b->generic.size = sizeof(b->generic);
	return 0;
}

static int sysfs_apply_term(struct build *b, const struct spec_term *term, enum term_writer writer)
{
	cleanup_str_list struct str_list names = { 0 };
	cleanup_str struct str list = { 0 };
	int err;

	if (spec_word_is(&term->name, "name") && term->has_value)
		return term_apply(term, &b->common, b->why);
	err = sysfs_format_term(b, term);
	if (err == -ENOENT && spec_word_is(&term->name, "cpu") && term->has_value)
		return sysfs_cpu_term(b, term);
	if (err == -ENOENT && writer == BY_USER)
		err = sysfs_event_term(b, term);
	if (err == -ENOENT)
		err = term_apply(term, &b->common, b->why);
	if (err == -ENOENT && writer == BY_USER)
		err = sysfs_generic_term(b, term);
	if (err != -ENOENT)
		return err;
	if (sysfs_list_formats(b->m, b->pmu, &names) < 0 ||
	    sysfs_list_events(b->m, b->pmu, &names) < 0)
		return -ENOMEM;
	sysfs_add_names(&list, &names);
	return why_at(b->why, -EINVAL, term->name.at,
		      "PMU %s has no term or event '%.*s'; it has %s", b->pmu, (int)term->name.len,
		      term->name.text,
		      names.n ? str_text(&list) : "only config=, config1= and config2=");
}

static int sysfs_add_event(struct build *b, uint32_t type, struct event_list *out)
{
	struct event *event = event_list_add(out, source_sysfs.name, b->pmu);
	uint64_t words[PMU_CONFIG_WORDS] = { 0 };
	const struct attr_field *field = NULL;

	if (!event)
		return -ENOMEM;
	event->attr.type = type;
	for (size_t i = 0; (field = attr_fields_next(field, ATTR_CONFIG)); i++)
		words[i] = field->get(&b->common);
	for (size_t i = 0; i < b->settings_n; i++)
		pmu_format_fill(&b->settings[i].format, b->settings[i].value, words);
	for (size_t i = 0; (field = attr_fields_next(field, ATTR_CONFIG)); i++)
		field->set(event, words[i]);
	if (b->generic.size) {
		event->attr.config = b->generic.config | (__u64)type << EVENT_PMU_TYPE_SHIFT;
		event->attr.type = b->generic.type;
	}
	event->snapshot = b->snapshot;
	event->name = take_ptr(b->common.name);
	event->has_ignored_terms = b->common.has_ignored_terms;
	/* an uncore PMU has the file cpumask: the CPUs on which it has to be opened */
	if (b->cpus)
		event->cpus = take_ptr(b->cpus);
	else if (machine_read(b->m, &event->cpus, PMU_DEVICES "/%s/cpumask", b->pmu) == -ENOMEM)
		return -ENOMEM;
	/* a PMU of whole CPUs or packages cannot exclude guests or modes
	 * (PERF_PMU_CAP_NO_EXCLUDE) */
	if (event->cpus)
		event->attr.exclude_guest = 0;
	return event_set_unit(event, b->unit ? b->unit : "", b->factor);
}

static int sysfs_unknown_pmu(const struct machine *m, const struct spec_word *word, struct why *why)
{
	cleanup_str_list struct str_list names = { 0 };
	cleanup_str struct str list = { 0 };
	int err = pmu_list(m, &names);

	if (err < 0 && !machine_has_sysfs(m))
		return why_at(why, err, word->at,
			      "/sys is not mounted, so no PMU can be found: "
			      "mount -t sysfs sysfs /sys");
	if (err < 0)
		return why_at(why, err, word->at,
			      "no PMU can be found: /sys/bus/event_source/devices: %s",
			      strerror(-err));
	sysfs_add_names(&list, &names);
	return why_at(why, -EINVAL, word->at, "this machine has no PMU '%.*s'; it has %s",
		      (int)word->len, word->text, str_text(&list));
}

/* Append the event of one PMU: with the terms of the spec, or with its plain name. */
static int sysfs_resolve_for_pmu(const struct machine *m, const struct event_spec *spec,
				 const char *pmu, struct event_list *out, struct why *why)
{
	const struct spec_term plain_name = { .name = spec->words[0] };
	cleanup_with(sysfs_build_release) struct build b = {
		.m = m, .pmu = pmu, .spec = spec, .factor = 1, .why = why
	};
	uint32_t type;
	int err = pmu_type(m, pmu, &type);

	if (err < 0)
		return why_at(why, err, spec->words[0].at, "PMU %s: %s", pmu, strerror(-err));
	if (spec->form != SPEC_PMU)
		err = sysfs_event_term(&b, &plain_name);
	for (size_t i = 0; err == 0 && i < spec->terms_n; i++)
		err = sysfs_apply_term(&b, &spec->terms[i], BY_USER);
	return err < 0 ? err : sysfs_add_event(&b, type, out);
}

/*
 * Append an event for each PMU. Each core PMU has its own row. Several uncore PMUs are instances of
 * one PMU, and their counts share one row.
 */
static int sysfs_resolve_for_pmus(const struct machine *m, const struct event_spec *spec,
				  const struct str_list *pmus, struct event_list *out,
				  struct why *why)
{
	size_t first = out->n, word_n = spec->words[0].len;
	int err = 0;

	for (size_t i = 0; i < pmus->n; i++) {
		bool core = pmu_is_core(m, pmus->v[i]);
		struct event *event;

		err = sysfs_resolve_for_pmu(m, spec, pmus->v[i], out, why);
		if (err < 0)
			return err;
		event = &out->events[out->n - 1];
		event->one_of_several = pmus->n > 1;
		event->summed = event->one_of_several && !core;
		event->merged = i > 0 && !core;
		if (pmus->n == 1 || !core || event->name)
			continue;
		/* the user's name with the PMU in place of the glob, or perf's name for a plain
		 * name */
		if (spec->form != SPEC_PMU)
			event->name = source_generic_name(pmus->v[i], spec);
		else if (asprintf(&event->name, "%s%.*s", pmus->v[i],
				  (int)(spec->text.len - word_n), spec->text.text + word_n) < 0)
			event->name = NULL;
		if (!event->name)
			return -ENOMEM;
	}
	err = modifiers_apply_spec(spec, out, first, why);
	for (size_t i = first; err == 0 && i < out->n; i++)
		if (out->events[i].cpus && out->events[i].modes_chosen)
			return modifiers_refuse_modes(&out->events[i], modifiers_of_spec(spec).at,
						      why);
	return err;
}

/*
 * Find the PMUs of a plain name: all core PMUs that have the event. If no core PMU has it, the
 * first other PMU that has it, and the other instances of that PMU.
 */
static int sysfs_find_pmus_of(const struct machine *m, const char *name, bool any_case,
			      struct str_list *found)
{
	cleanup_str_list struct str_list pmus = { 0 };
	cleanup_str_list struct str_list others = { 0 };
	int err = pmu_list(m, &pmus);

	if (err < 0)
		return err == -ENOMEM ? err : -ENOENT;
	for (size_t i = 0; err == 0 && i < pmus.n; i++) {
		cleanup_free char *terms = NULL, *spelling = any_case ? strdup(name) : NULL;

		if (any_case && !spelling)
			return -ENOMEM;
		if ((any_case ? sysfs_find_in_any_case(m, pmus.v[i], &spelling) :
				sysfs_read_event_terms(m, pmus.v[i], name, &terms)) < 0)
			continue;
		if (pmu_is_core(m, pmus.v[i]))
			err = str_list_add(found, pmus.v[i]);
		else if (others.n == 0 || sysfs_are_instances(others.v[0], pmus.v[i]))
			err = str_list_add(&others, pmus.v[i]);
	}
	if (err < 0 || found->n > 0)
		return err;
	for (size_t i = 0; err == 0 && i < others.n; i++)
		err = str_list_add(found, others.v[i]);
	return err == 0 && others.n == 0 ? -ENOENT : err;
}

static int sysfs_resolve_name(const struct machine *m, const struct event_spec *spec, bool any_case,
			      struct event_list *out, struct why *why)
{
	cleanup_free char *name = strndup(spec->words[0].text, spec->words[0].len);
	cleanup_str_list struct str_list pmus = { 0 };
	int err;

	if (!name)
		return -ENOMEM;
	if (spec->form != SPEC_PMU) {
		err = sysfs_find_pmus_of(m, name, any_case, &pmus);
	} else {
		err = sysfs_match_pmus(m, name, &pmus);
		if (err != -ENOMEM && (err < 0 || pmus.n == 0))
			return sysfs_unknown_pmu(m, &spec->words[0], why);
	}
	return err < 0 ? err : sysfs_resolve_for_pmus(m, spec, &pmus, out, why);
}

static int sysfs_resolve(const struct machine *m, const struct event_spec *spec,
			 struct event_list *out, struct why *why)
{
	return sysfs_resolve_name(m, spec, false, out, why);
}

/* Resolve a plain name, ignoring case, as perf does. */
static int sysfs_resolve_any_case(const struct machine *m, const struct event_spec *spec,
				  struct event_list *out, struct why *why)
{
	return sysfs_resolve_name(m, spec, true, out, why);
}

static int sysfs_list(const struct event_listing *l)
{
	const struct machine *m = l->machine;
	cleanup_str_list struct str_list pmus = { 0 };
	int err = pmu_list(m, &pmus);

	if (err < 0)
		return err == -ENOENT ? 0 : err;
	for (size_t i = 0; err == 0 && i < pmus.n; i++) {
		cleanup_str_list struct str_list names = { 0 };

		err = sysfs_list_events(m, pmus.v[i], &names);
		for (size_t k = 0; err == 0 && k < names.n; k++) {
			struct event_info info = { .source = source_sysfs.name,
						   .pmu = pmus.v[i],
						   .description = "",
						   .present = true };
			cleanup_free char *terms = NULL;
			cleanup_str struct str text = { 0 };

			str_addf(&text, "%s/%s/", pmus.v[i], names.v[k]);
			if (text.failed)
				return -ENOMEM;
			info.name = str_text(&text);
			if (sysfs_read_event_terms(m, pmus.v[i], names.v[k], &terms) == 0)
				info.description = terms;
			err = l->visit(&info, l->data);
		}
	}
	return err;
}

const struct event_source source_sysfs = {
	.name = "sysfs",
	.forms = FORM(SPEC_NAME) | FORM(SPEC_PMU),
	.resolve = sysfs_resolve,
	.list = sysfs_list,
};

const struct event_source source_sysfs_any_case = {
	.name = "sysfs",
	.forms = FORM(SPEC_NAME),
	.resolve = sysfs_resolve_any_case,
};
