/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "event/attr_fields.h"
#include "result/comparison.h"
#include "result/differences.h"
#include "result/series.h"

static int differences_add(struct differences *list, const char *what, const char *reference,
			   const char *other)
{
	struct difference *difference;

	if (array_grow(&list->v, list->n, &list->size, sizeof(*list->v)) < 0)
		return -ENOMEM;
	difference = &list->v[list->n++];
	*difference = (struct difference){ strdup(what), strdup(reference), strdup(other) };
	return difference->what && difference->reference && difference->other ? 0 : -ENOMEM;
}

/* Append a difference if both texts are known and they differ. */
static int differences_add_if_different(struct differences *list, const char *what,
					const struct str *reference, const struct str *other)
{
	if (reference->failed || other->failed)
		return -ENOMEM;
	if (reference->len == 0 || other->len == 0 ||
	    strcmp(str_text(reference), str_text(other)) == 0)
		return 0;
	return differences_add(list, what, str_text(reference), str_text(other));
}

/* Whether nothing but the program name differs, as in a comparison of two builds. */
static bool differences_have_equal_arguments(const struct series *reference,
					     const struct series *other)
{
	const struct provenance *a = reference->provenance, *b = other->provenance;
	size_t i = 1;

	if (!a || !b || a->argv.n == 0 || a->argv.n != b->argv.n)
		return false;
	while (i < a->argv.n && strcmp(a->argv.v[i], b->argv.v[i]) == 0)
		i++;
	return i == a->argv.n;
}

#define AT(member) offsetof(struct provenance, member)

/* What may affect counts: settings, and facts about the machine. */
static const struct fact {
	const char *noun;
	enum {
		FACT_TARGET,
		FACT_SCALING,
		FACT_MIN_RUNNING,
		/* ---- in struct provenance */
		FACT_COMMAND,
		FACT_TEXT, /* char * */
		FACT_LIST, /* struct str_list */
		FACT_SWITCH, /* struct known_int */
		FACT_ASLR, /* struct known_int */
	} kind;
	size_t offset; /* in struct provenance */
} facts[] = {
	{ "command", FACT_COMMAND, AT(argv) },
	{ "target", FACT_TARGET, 0 },
	{ "counts of multiplexed events", FACT_SCALING, 0 },
	{ "--min-running", FACT_MIN_RUNNING, 0 },
	{ "host", FACT_TEXT, AT(host) },
	{ "kernel", FACT_TEXT, AT(kernel) },
	{ "architecture", FACT_TEXT, AT(machine) },
	{ "processor", FACT_TEXT, AT(cpu_model) },
	{ "CPUs online", FACT_TEXT, AT(cpus_online) },
	{ "frequency governor", FACT_LIST, AT(governors) },
	{ "turbo", FACT_SWITCH, AT(turbo) },
	{ "ASLR", FACT_ASLR, AT(aslr) },
	{ "version of pstat", FACT_TEXT, AT(pstat) },
};

/* Append the fact; nothing if it is unknown. */
static void differences_add_fact(struct str *text, const struct fact *fact,
				 const struct series *series)
{
	static const struct provenance unknown = { .pstat = NULL };
	const struct provenance *p = series->provenance ? series->provenance : &unknown;
	const void *at = (const char *)p + fact->offset;
	const struct str_list *list = at;
	const struct known_int *known = at;

	switch (fact->kind) {
	case FACT_TARGET:
		str_add(text, series->has_usage ? "a command" : series->subject);
		break;
	case FACT_SCALING:
		str_add(text, series->scaling == SCALE_NOT ? "not scaled" : "scaled");
		break;
	case FACT_MIN_RUNNING:
		str_addf(text, "%g %%", series->min_running);
		break;
	case FACT_COMMAND: /* in system-wide mode, the command only sets how long to count */
		for (size_t i = 0; i < list->n; i++)
			str_addf(text, "%s%s%s", i == 0 ? "'" : " ", list->v[i],
				 i == list->n - 1 ? "'" : "");
		break;
	case FACT_TEXT:
		if (*(char *const *)at)
			str_add(text, *(char *const *)at);
		break;
	case FACT_LIST:
		for (size_t i = 0; i < list->n; i++)
			str_addf(text, "%s%s", i ? ", " : "", list->v[i]);
		break;
	case FACT_SWITCH:
	case FACT_ASLR:
		if (known->known)
			str_add(text, known->value ? "on" : "off");
		/* 1 randomizes the stack, 2 also the heap */
		if (known->known && fact->kind == FACT_ASLR)
			str_addf(text, " (randomize_va_space %d)", known->value);
		break;
	}
}

static int differences_compare_facts(struct differences *list, const struct series *reference,
				     const struct series *other)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < sizeof(facts) / sizeof(facts[0]); i++) {
		cleanup_str struct str left = { 0 }, right = { 0 };

		if (facts[i].kind == FACT_COMMAND &&
		    differences_have_equal_arguments(reference, other))
			continue;
		differences_add_fact(&left, &facts[i], reference);
		differences_add_fact(&right, &facts[i], other);
		err = differences_add_if_different(list, facts[i].noun, &left, &right);
	}
	return err;
}

static void differences_add_encoding(struct str *text, const struct event *event)
{
	/* The number or file offset of these events depends on the machine. */
	bool only_named =
		event->probed || event->symbol || event->attr.type == PERF_TYPE_TRACEPOINT;
	const struct attr_field *field = NULL;
	const char *between = "";

	str_addf(text, "%s/", event->pmu ? event->pmu : "");
	while (!only_named && (field = attr_fields_next(field, ATTR_CONFIG)))
		if (!*between || field->get(event)) { /* show config even if it is 0 */
			str_addf(text, "%s%s=0x%llx", between, field->name,
				 (unsigned long long)field->get(event));
			between = ",";
		}
	str_add(text, "/");
}

static void differences_add_flags(struct str *text, const struct event *event, enum attr_role role)
{
	const struct attr_field *field = NULL;

	while ((field = attr_fields_next(field, role)))
		if (field->get(event))
			str_addf(text, " %s", field->name);
}

void differences_add_event(struct str *text, const struct event *event,
			   const struct opening *opening)
{
	struct event opened = *event;

	if (opening->user_only && !event_is_clock(event))
		opened.attr.exclude_kernel = opened.attr.exclude_hv = 1;
	if (event->tool != TOOL_NONE) {
		str_add(text, event_tool_names[event->tool]);
	} else {
		differences_add_encoding(text, event);
		differences_add_flags(text, &opened, ATTR_MODE);
		differences_add_flags(text, &opened, ATTR_SCHEDULING);
		if (event->attr.precise_ip)
			str_addf(text, " precise_ip=%u", (unsigned int)event->attr.precise_ip);
	}
	if (event->filter)
		str_addf(text, " filter '%s'", event->filter);
	if (*event->unit)
		str_addf(text, " in %s", event->unit);
}

static int differences_compare_events(struct differences *list, const struct table *reference,
				      const struct table *other)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < reference->events_n; i++) {
		const struct measure *row = &reference->v[i];
		const struct measure *other_row = table_find(other, row, i);
		cleanup_str struct str what = { 0 }, left = { 0 }, right = { 0 };
		size_t first = 0; /* the row of the same event at the first place */

		while (reference->v[first].event != row->event)
			first++;
		if (!other_row || first < i)
			continue;
		str_addf(&what, "event %s", row->name);
		differences_add_event(&left, row->event, row->opening);
		differences_add_event(&right, other_row->event, other_row->opening);
		err = what.failed ?
			      -ENOMEM :
			      differences_add_if_different(list, str_text(&what), &left, &right);
	}
	return err;
}

static int differences_compare_metrics(struct differences *list,
				       const struct metric_request_list *reference,
				       const struct metric_request_list *other)
{
	int err = 0;

	for (size_t i = 0; reference && other && i < reference->n; i++)
		for (size_t j = 0; err == 0 && j < other->n; j++) {
			const struct metric_request *left = &reference->v[i], *right = &other->v[j];
			cleanup_str struct str what = { 0 };

			if (strcmp(left->name, right->name) != 0 ||
			    strcmp(left->text, right->text) == 0)
				continue;
			str_addf(&what, "metric %s", left->name);
			err = what.failed ? -ENOMEM :
					    differences_add(list, str_text(&what), left->text,
							    right->text);
		}
	return err;
}

int differences_find(struct differences *list, const struct table *reference,
		     const struct table *other)
{
	int err = differences_compare_facts(list, reference->series, other->series);

	if (err == 0)
		err = differences_compare_events(list, reference, other);
	return err < 0 ? err :
			 differences_compare_metrics(list, reference->series->metrics,
						     other->series->metrics);
}

void differences_release(struct differences *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->v[i].what);
		free(list->v[i].reference);
		free(list->v[i].other);
	}
	free(list->v);
	*list = (struct differences){ 0 };
}
