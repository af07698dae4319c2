/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json_load.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "document/load.h"
#include "document/schema.h"
#include "metric/topdown.h"

/* The structs of result/ and event/ do not own some of their texts and arrays, but struct saved
 * does. */
static void load_free(const void *p)
{
	free((void *)(uintptr_t)p);
}

static void load_document_release(struct document *document)
{
	for (size_t i = 0; i < document->events.n; i++) {
		load_free(document->events.events[i].source);
		if (document->openings)
			free(document->openings[i].reason.text);
	}
	for (size_t i = 0; i < document->places_n; i++)
		place_release(&document->places[i]);
	series_release(&document->series);
	event_list_release(&document->events);
	metric_list_release(&document->metrics);
	series_provenance_release(&document->provenance);
	series_parameters_release(&document->parameters);
	series_ranks_release(&document->ranks);
	series_parameters_release(&document->labels);
	free(document->openings);
	free(document->passes);
	free(document->places);
	free(document->rows);
}

void saved_release(struct saved *saved)
{
	const struct comparison_input *c = &saved->comparison;

	for (size_t i = 0; i < saved->n; i++)
		load_document_release(&saved->documents[i]);
	for (size_t i = 0; i < c->sides_n; i++)
		load_free(c->sides[i].name);
	for (size_t i = 0; i < c->cases_n; i++)
		free(c->cases[i].name);
	for (size_t i = 0; i < c->effects_n; i++)
		load_free(c->effects[i].name);
	for (size_t i = 0; i < c->gates_n; i++) {
		load_free(c->gates[i].text);
		free(c->gates[i].name);
	}
	str_list_release(&saved->comparison.different_work);
	free(saved->documents);
	load_free(c->sides);
	load_free(c->order);
	load_free(c->cases);
	load_free(c->effects);
	load_free(c->gates);
	*saved = (struct saved){ 0 };
}

#ifndef HAVE_JANSSON

int load_saved(struct saved *saved, FILE *in, struct why *why)
{
	(void)in;
	*saved = (struct saved){ 0 };
	return why_set(why, -ENOSYS,
		       "this pstat was built without jansson, which it needs to read JSON");
}

#else

/* ---- Values. */

/* An integer from 0 to 2^64-1. Above 2^63-1 it is a string of digits. */
static uint64_t load_unsigned(struct load_value value)
{
	const char *digits = load_string_of(value);
	long long number;
	uint64_t large;

	if (load_integer_of(value, &number) && number >= 0)
		return (uint64_t)number;
	if (digits && digits[0] != '0' && num_parse(digits, strlen(digits), &large) == 0 &&
	    large > INT64_MAX)
		return large;
	load_refuse(value, "not a number from 0 to 2^64-1");
	return 0;
}

static long long load_integer(struct load_value value, long long low, long long high)
{
	long long number;

	if (load_integer_of(value, &number) && number >= low && number <= high)
		return number;
	load_refuse(value, "not an integer from %lld to %lld", low, high);
	return 0;
}

/* An integer from 0 to SSIZE_MAX. */
static size_t load_size(struct load_value value)
{
	return (size_t)load_integer(value, 0, SSIZE_MAX);
}

/* A number from low to high. */
static double load_number(struct load_value value, double low, double high)
{
	double number;

	if (load_number_of(value, &number) && number >= low && number <= high)
		return number;
	load_refuse(value, "not a number from %g to %g", low, high);
	return 0;
}

static bool load_bool(struct load_value value)
{
	bool is_true = false;

	if (!load_bool_of(value, &is_true))
		load_refuse(value, "not true or false");
	return is_true;
}

/* A string such as "0x1f". */
static uint64_t load_hexadecimal(struct load_value value)
{
	const char *digits = load_string_of(value);
	uint64_t number = 0;

	if (!digits || strncmp(digits, "0x", 2) != 0 ||
	    num_parse(digits, strlen(digits), &number) < 0)
		load_refuse(value, "not a hexadecimal number (example: \"0x1f\")");
	return number;
}

/* The index of a string in words. A NULL word does not match any string. */
static size_t load_word(struct load_value value, const char *const *words, size_t n)
{
	const char *text = load_string_of(value);

	for (size_t i = 0; text && i < n; i++)
		if (words[i] && strcmp(words[i], text) == 0)
			return i;
	load_refuse(value, text ? "unknown value" : "not a string");
	return 0;
}

static char *load_copy(struct load *load, const char *text)
{
	char *made = strdup(text);

	if (!made)
		load_no_memory(load);
	return made;
}

/* The caller frees the string. */
static char *load_string(struct load_value value)
{
	const char *text = load_string_of(value);

	if (text)
		return load_copy(value.load, text);
	load_refuse(value, "not a string");
	return NULL;
}

/* A string, or an object with bytes that are not UTF-8, as pairs of hexadecimal digits. A text has
 * no zero byte. The caller frees it. */
static char *load_text(struct load_value value)
{
	struct load_value bytes;
	const char *digits;
	char *text;
	uint64_t byte;
	size_t n;

	if (!load_is_object(value))
		return load_string(value);
	bytes = load_member(&value, "bytes");
	digits = load_string_of(bytes);
	n = digits ? strlen(digits) : 1;
	/* twice the size that is needed */
	text = n % 2 == 0 ? load_copy(value.load, digits) : NULL;
	for (size_t i = 0; text && i < n; i += 2) {
		if (num_parse_hex(digits + i, 2, &byte) == 0 && byte > 0)
			text[i / 2] = (char)byte;
		else
			free(take_ptr(text));
	}
	if (text)
		text[n / 2] = '\0';
	else
		load_refuse(bytes, "not pairs of hexadecimal digits, or contains the pair 00");
	return text;
}

/* ---- The fields of the tables. */

/* Whether the list of flags of an attr has this field if its value is 1. */
static bool load_attr_is_flag(const struct attr_field *field)
{
	return field->role == ATTR_MODE || field->role == ATTR_SCHEDULING;
}

/* The member tool of the event is filled already. */
static void load_attr(const struct load_value *value, struct event *event)
{
	const struct attr_field *field = NULL;
	struct load_value flags;

	if (event->tool != TOOL_NONE) {
		if (load_is_there(*value))
			load_refuse(*value,
				    "has to be null, because the kernel does not count this event");
		return;
	}
	event->attr.size = sizeof(event->attr);
	for (enum attr_role role = ATTR_TYPE; role <= ATTR_PRECISION; role++)
		while ((field = attr_fields_next(field, role))) {
			const struct load_value it = load_member(value, field->name);

			if (!load_is_there(it) && schema_attr_is_optional(field))
				continue;
			field->set(event,
				   field->role == ATTR_CONFIG ?
					   load_hexadecimal(it) :
					   (uint64_t)load_integer(it, 0, (long long)field->max));
		}
	flags = load_member(value, "flags");
	for (struct load_value flag = load_element(&flags, 0); flag.value; load_next(&flag)) {
		cleanup_free char *name = load_string(flag);

		for (field = attr_fields; name && field->name; field++)
			if (load_attr_is_flag(field) && strcmp(field->name, name) == 0)
				break;
		if (name && field->name)
			field->set(event, 1);
		else
			load_refuse(flag, "unknown flag");
	}
}

static void load_list(const struct load_value *array, char *(*take)(struct load_value),
		      struct str_list *list)
{
	for (struct load_value it = load_element(array, 0); it.value; load_next(&it)) {
		cleanup_free char *text = take(it);

		if (text && str_list_add(list, text) < 0)
			load_no_memory(it.load);
	}
}

static void load_field(struct load_value value, const struct schema_field *field, void *at)
{
	if (field->presence != SCHEMA_REQUIRED && !load_is_there(value)) {
		if (field->kind == SCHEMA_NUMBER)
			*(double *)at = -1;
		else if (field->kind == SCHEMA_PLACE)
			*(size_t *)at = PLACE_NONE;
		return;
	}
	switch (field->kind) {
	case SCHEMA_BOOL:
		*(bool *)at = load_bool(value);
		break;
	case SCHEMA_SCALING:
		*(enum scaling *)at = load_bool(value) ? SCALE_BY_TIME : SCALE_NOT;
		break;
	case SCHEMA_SIZE:
	case SCHEMA_PLACE:
		*(size_t *)at = load_size(value);
		break;
	case SCHEMA_UINT:
		*(unsigned int *)at = (unsigned int)load_integer(value, 0, UINT_MAX);
		break;
	case SCHEMA_UNSIGNED:
		*(uint64_t *)at = load_unsigned(value);
		break;
	case SCHEMA_NUMBER:
		*(double *)at = load_number(value, field->low, field->high);
		break;
	case SCHEMA_STRING:
		*(char **)at = load_string(value);
		break;
	case SCHEMA_TEXT:
		*(char **)at = load_text(value);
		break;
	case SCHEMA_STRINGS:
		load_list(&value, load_string, at);
		break;
	case SCHEMA_TEXTS:
		load_list(&value, load_text, at);
		break;
	case SCHEMA_WORD: /* an enum without negative values is an unsigned int */
		*(unsigned int *)at = (unsigned int)load_word(value, field->words, field->words_n);
		break;
	case SCHEMA_KNOWN_INT:
		*(struct known_int *)at = (struct known_int){
			true,
			(int)load_integer(value, (long long)field->low, (long long)field->high),
		};
		break;
	case SCHEMA_KNOWN_BOOL:
		*(struct known_int *)at = (struct known_int){ true, load_bool(value) };
		break;
	case SCHEMA_ATTR:
		load_attr(&value, at);
		break;
	case SCHEMA_OTHER:
		break;
	}
}

/*
 * Read the fields of a table into the struct at to, which is all zero. The struct owns the strings
 * and lists even after an error. The caller reads the fields of SCHEMA_OTHER.
 */
static void load_fields(const struct load_value *object, const struct schema_field *fields,
			void *to)
{
	for (const struct schema_field *field = fields; field->key; field++)
		load_field(load_member(object, field->key), field, (char *)to + field->offset);
}

/*
 * Read an array of objects into structs of size bytes each. Returns the structs, which the caller
 * frees, and their number in *n; NULL and 0 if there is no memory. After an error the other structs
 * are all zero.
 */
static void *load_objects(const struct load_value *array, const struct schema_field *fields,
			  size_t size, size_t *n)
{
	size_t length = load_length(*array);
	char *objects = load_calloc(array->load, length, size);

	*n = objects ? length : 0;
	for (struct load_value it = load_element(array, 0); it.value; load_next(&it))
		load_fields(&it, fields, objects + it.index * size);
	return objects;
}

/* ---- Where the result comes from. */

static void load_parameters(struct load_value value, struct series_parameters *p)
{
	if (!load_is_there(value))
		return;
	for (struct load_value it = load_first_member(&value); it.value; load_next_member(&it)) {
		cleanup_free char *text = load_text(it);

		if (text &&
		    (str_list_add(&p->names, it.key) < 0 || str_list_add(&p->values, text) < 0))
			load_no_memory(value.load);
	}
}

static void load_provenance(const struct load_value *top, struct document *document)
{
	struct provenance *p = &document->provenance;
	const struct load_value pstat = load_member(top, "pstat");
	const struct load_value target = load_member(top, "target");
	const struct load_value host = load_member(top, "host");
	const struct load_value seed = load_member(&pstat, "seed");
	const struct load_value started = load_member(top, "started"); /* RFC 3339, section 5.6 */
	const struct load_value started_ns = load_member(top, "started_ns");
	cleanup_free char *date = NULL;

	load_fields(&pstat, schema_pstat, p);
	p->has_seed = load_is_there(seed);
	p->seed = p->has_seed ? load_unsigned(seed) : 0;
	document->series.subject = load_text(load_member(&target, "subject"));
	load_fields(&target, schema_target, p);
	date = load_string(started);
	if (load_is_there(started_ns))
		document->series.started_ns = (uint32_t)load_integer(started_ns, 1, 999999999);
	if (date && !clock_parse_date(date, &document->series.started, &p->zone_s))
		load_refuse(started, "not a time (example: \"2026-02-28T13:05:59+01:00\")");
	load_parameters(load_member(top, "labels"), &document->labels);
	load_fields(&host, schema_host, p);
}

/* ---- What was counted: events, their groups, and the metrics over them. */

/*
 * Each cgroup has the same number of events, and its first event begins a row. If there are several
 * cgroups, each event names its cgroup.
 */
static void load_events(const struct load_value *top, struct document *document)
{
	const struct load_value events = load_member(top, "events");
	const struct load_value settings = load_member(top, "settings");
	const size_t copies = document->series.cgroups_n;
	struct event_list *list = &document->events;

	list->events = load_objects(&events, schema_event, sizeof(*list->events), &list->n);
	list->size = list->n + 1;
	document->openings = load_calloc(top->load, list->n, sizeof(*document->openings));
	if (copies == 0 || list->n % copies != 0)
		load_refuse(load_member(&settings, "cgroups"),
			    "the number of events, %zu, is not a multiple of this number", list->n);
	for (struct load_value it = load_element(&events, 0); it.value; load_next(&it)) {
		const struct event *event = &list->events[it.index];
		const struct load_value opening = load_member(&it, "opening");

		load_fields(&opening, schema_opening, &document->openings[it.index]);
		if (copies > 1 && !event->cgroup)
			load_refuse(load_member(&it, "cgroup"), "null, but there are %zu cgroups",
				    copies);
		if (it.index % (list->n / copies) == 0 && event->merged)
			load_refuse(load_member(&it, "merged"),
				    "has to be false: there is no earlier event to merge with");
	}
}

/* How many events of the same group have the name of this event and precede it: {x,x}. */
static size_t load_rank_in_group(const struct event_list *list, size_t event)
{
	size_t rank = 0;

	for (size_t i = list->groups[event_list_group_of(list, event)].first; i < event; i++)
		rank += strcmp(list->events[i].name, list->events[event].name) == 0;
	return rank;
}

/* Whether the events i and merged are instances of one event. */
static bool load_are_instances(const struct event_list *list, size_t i, size_t merged)
{
	const struct event *a = &list->events[i], *b = &list->events[merged];

	return strcmp(a->name, b->name) == 0 && str_equal(a->cgroup, b->cgroup) &&
	       load_rank_in_group(list, i) == load_rank_in_group(list, merged);
}

/* Find the first instance of each merged event. After a group come the groups with the other
 * instances of its events. They have the same names, and equal names are in the same order. */
static void load_find_first_instances(struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		size_t first = i;

		while (list->events[i].merged && first > 0 &&
		       (list->events[first].merged || !load_are_instances(list, first, i)))
			first--;
		list->events[i].name_index = i;
		if (first == i || !load_are_instances(list, first, i))
			continue;
		list->events[i].name_index = first;
		list->events[i].summed = list->events[first].summed = true;
	}
}

static void load_groups(const struct load_value *top, struct document *document)
{
	const struct load_value groups = load_member(top, "groups");
	struct event_list *list = &document->events;
	size_t next = 0; /* the event with which the group has to begin */

	list->groups = load_objects(&groups, schema_group, sizeof(*list->groups), &list->groups_n);
	list->groups_size = list->groups_n + 1;
	document->passes = load_calloc(top->load, list->groups_n, sizeof(*document->passes));
	for (struct load_value it = load_element(&groups, 0); it.value; load_next(&it)) {
		struct event_group *group = &list->groups[it.index];
		const struct load_value in_pass = load_member(&it, "pass");
		size_t pass = load_is_there(in_pass) ? load_size(in_pass) : SIZE_MAX;

		if (group->first != next) {
			load_refuse(load_member(&it, "first"),
				    "has to be %zu, because groups list all events in order", next);
		} else if (group->n == 0 || group->n > list->n - next) {
			load_refuse(load_member(&it, "n"),
				    "not from 1 to %zu, the number of remaining events",
				    list->n - next);
		} else if (pass != SIZE_MAX && pass >= document->series.passes_n) {
			load_refuse(in_pass, "not a pass; the number of passes is %zu",
				    document->series.passes_n);
		} else {
			const size_t leader = event_group_leader(list, group);

			group->pinned = list->events[leader].attr.pinned;
			group->exclusive = list->events[leader].attr.exclusive;
			document->passes[it.index] = pass;
			next += group->n;
		}
	}
	if (next != list->n)
		load_refuse(groups, "have %zu events in total, not %zu", next, list->n);
	if (!top->load->err)
		load_find_first_instances(list);
}

/* The unit of the last metric, which a document may lack. */
static void load_metric_unit(const struct load_value *value, struct document *document)
{
	struct metric_request *metric = &document->metrics.v[document->metrics.n - 1];
	const struct load_value unit = load_member(value, "unit");

	if (!load_is_there(unit))
		return;
	metric->scale = load_text(unit);
	for (const char *p = metric->scale; p && *p; p++)
		if (!isprint((unsigned char)*p))
			load_refuse(unit, "not printable");
}

/* The topdown members of the last metric. A title that only a later version of pstat knows is
 * ignored. */
static void load_metric_topdown(const struct load_value *value, struct document *document)
{
	struct metric_request *metric = &document->metrics.v[document->metrics.n - 1];
	const struct load_value member = load_member(value, "topdown");
	const struct load_value set = load_member(value, "set"), next = load_member(value, "next");
	cleanup_free char *title = load_is_there(member) ? load_text(member) : NULL;
	cleanup_free char *arguments = load_is_there(next) ? load_text(next) : NULL;

	if (!title)
		return;
	metric->set = load_size(set);
	if (metric->set == 0 || metric->set > METRIC_REQUESTS_MAX)
		load_refuse(set, "not from 1 to %d", METRIC_REQUESTS_MAX);
	metric->topdown = topdown_find(title);
	if (!metric->topdown)
		return;
	metric->next = str_equal(arguments, TOPDOWN_LEVEL_2)	   ? TOPDOWN_LEVEL_2 :
		       str_equal(arguments, metric->topdown->next) ? metric->topdown->next :
								     NULL;
}

/* The indices of the events of an expression. */
static void load_events_of(const struct load_value *value, const struct document *document,
			   struct expression *expression)
{
	const struct load_value events = load_member(value, "events");
	const size_t of_one_cgroup = document->events.n / document->series.cgroups_n;

	if (load_length(events) != expression->events_n)
		load_refuse(events, "%zu events, but the expression has %zu", load_length(events),
			    expression->events_n);
	for (struct load_value it = load_element(&events, 0); it.value; load_next(&it)) {
		size_t *index = &expression->events[it.index].index;

		*index = load_size(it);
		if (*index >= of_one_cgroup)
			load_refuse(it, "not an event; the number of events is %zu", of_one_cgroup);
	}
}

/* The threshold of the last metric, which a document may lack. */
static void load_metric_threshold(const struct load_value *value, struct document *document)
{
	struct metric_request *metric = &document->metrics.v[document->metrics.n - 1];
	const struct load_value threshold = load_member(value, "threshold");
	struct load_value item;
	cleanup_free char *text = NULL;
	cleanup_why struct why why = { 0 };
	int err;

	if (!load_is_there(threshold))
		return;
	item = load_member(&threshold, "text");
	text = load_text(item);
	err = text ? expression_parse(&metric->threshold, text, strlen(text), 0, NULL, &why) : 0;
	if (err == -ENOMEM)
		load_no_memory(value->load);
	else if (err < 0)
		load_refuse(item, "%s", why_text(&why, err));
	else
		load_events_of(&threshold, document, &metric->threshold);
}

static void load_metric(const struct load_value *value, struct document *document)
{
	const struct load_value item = load_member(value, "text");
	cleanup_free char *text = load_text(item);
	cleanup_why struct why why = { 0 };
	size_t before = document->metrics.n;
	int err = text ? metric_list_parse(&document->metrics, text, &why) : -EINVAL;

	if (err == -ENOMEM)
		load_no_memory(value->load);
	else if (err < 0)
		load_refuse(item, "%s", why_text(&why, err));
	else if (document->metrics.n != before + 1)
		load_refuse(item, "more than one metric");
	if (value->load->err)
		return;
	load_metric_unit(value, document);
	load_metric_topdown(value, document);
	load_metric_threshold(value, document);
	load_events_of(value, document, &document->metrics.v[before].expression);
}

static void load_metrics(const struct load_value *top, struct document *document)
{
	const struct load_value metrics = load_member(top, "metrics");

	if (!load_is_there(metrics))
		return;
	for (struct load_value it = load_element(&metrics, 0); it.value; load_next(&it))
		load_metric(&it, document);
}

/* ---- Rows, which have the places, and the processes at the places. */

/* The first row of a place sets the label, and the other rows repeat the label. */
static void load_rows(const struct load_value *top, struct document *document)
{
	const struct load_value rows = load_member(top, "rows");
	const size_t n = load_length(rows), events = document->events.n;
	struct series *series = &document->series;

	if (events ? n % events != 0 : n > 0)
		load_refuse(rows, "not one row for each of %zu events at each place", events);
	document->rows = load_calloc(top->load, n, sizeof(*document->rows));
	series->rows_n = document->rows ? n : 0;
	document->places = load_calloc(top->load, n, sizeof(*document->places));
	document->places_n = document->places && events ? n / events : 0;
	for (struct load_value it = load_element(&rows, 0); it.value; load_next(&it)) {
		const size_t event = it.index % events, place_index = it.index / events;
		struct place *place = &document->places[place_index];
		struct schema_placed_row placed = { 0 };

		load_fields(&it, schema_row, &placed);
		document->rows[it.index] = placed.row;
		if (event == 0)
			*place = (struct place){ series->split, take_ptr(placed.label), NULL };
		else if (!str_equal(placed.label, place->label))
			load_refuse(load_member(&it, "label"),
				    "differs from the label of the first row at this place");
		free(placed.label);
		if (placed.row.event != event)
			load_refuse(load_member(&it, "event"),
				    "has to be %zu, because each place has one row for each event",
				    event);
		if (placed.row.place_index != place_index)
			load_refuse(load_member(&it, "place"),
				    "has to be %zu, because the rows are in the order of places",
				    place_index);
	}
	if (series->split == PLACE_TARGET && document->places_n > 1)
		load_refuse(rows, "have %zu places, but place_kind is 'target'",
			    document->places_n);
}

/* Returns the status in the form of waitpid(2): 0 if both are null. */
static int load_wait_status(const struct load_value *value)
{
	const struct load_value exit_status = load_member(value, "exit_status");
	const struct load_value signal = load_member(value, "signal");

	if (!load_is_there(signal))
		return load_is_there(exit_status) ? (int)load_integer(exit_status, 0, 255) << 8 : 0;
	if (load_is_there(exit_status))
		load_refuse(exit_status, "has to be null, because there is a signal");
	return (int)load_integer(signal, 1, NSIG - 1);
}

/* Read the process at a place. All earlier processes have been read. */
static void load_process(const struct load_value *value, size_t place, struct document *document)
{
	const struct load_value pid = load_member(value, "pid");
	bool has_status = load_is_there(load_member(value, "exit_status")) ||
			  load_is_there(load_member(value, "signal"));
	struct process *process = load_calloc(value->load, 1, sizeof(*process)), *first = NULL;

	if (!process)
		return;
	document->places[place].process = process;
	load_fields(value, schema_process, process);
	if (process->pid < 0 || (load_is_there(pid) && process->pid == 0))
		load_refuse(pid, "not a process ID");
	if (process->first <= place)
		first = document->places[process->first].process;
	if (!first || first->first != process->first || first->pid != process->pid)
		load_refuse(load_member(value, "first"), "not the first place of the same process");
	else if (process->parent != PLACE_NONE &&
		 (process->parent >= process->first || !document->places[process->parent].process))
		load_refuse(load_member(value, "parent"), "not the place of an earlier process");
	if (process->end_ns < process->start_ns)
		load_refuse(load_member(value, "end_ns"), "less than start_ns");
	if (has_status != (process->end == PROCESS_ENDED))
		load_refuse(load_member(value, "end"), "contradicts exit_status and signal");
	process->continues = process->first != place;
	process->processes_n = process->pid ? 1 : 0;
	process->wait_status = load_wait_status(value);
}

static void load_processes(const struct load_value *top, struct document *document)
{
	const struct load_value processes = load_member(top, "processes");
	size_t next = 0; /* the lowest place that the process may have */

	if (document->series.split != PLACE_PROCESS)
		return;
	for (struct load_value it = load_element(&processes, 0); it.value; load_next(&it)) {
		const struct load_value at = load_member(&it, "place");
		size_t place = load_size(at);

		if (place >= document->places_n)
			load_refuse(at, "not a place; the number of places is %zu",
				    document->places_n);
		else if (place < next)
			load_refuse(at, "not after the place of the previous process");
		else
			load_process(&it, place, document);
		next = place + 1;
	}
	for (size_t i = 0; i < document->places_n; i++) {
		/* the first place may be the sum of the others */
		bool is_sum = i == 0 && document->places_n > 1 &&
			      str_equal(document->places[i].label, "");

		if (!document->places[i].process && !is_sum)
			load_refuse(processes, "no process has the place %zu", i);
	}
}

/* ---- The readings of runs and intervals, in the order of the rows. */

/* Returns a reading for each row, or NULL if there is no memory. */
static struct reading *load_readings(const struct load_value *value, size_t n)
{
	const struct load_value estimates = load_member(value, "estimate");
	const bool has_estimates =
		load_is_there(estimates) || load_is_there(load_member(value, "half_width"));
	struct reading *readings = load_calloc(value->load, n, sizeof(*readings));

	for (const struct schema_field *field = schema_reading; field->key; field++) {
		const struct load_value column = load_member(value, field->key);

		if (field->presence == SCHEMA_OPTIONAL && !has_estimates)
			continue;
		if (load_length(column) != n)
			load_refuse(column, "does not have %zu elements, one for each row", n);
		for (struct load_value it = load_element(&column, 0); it.value; load_next(&it))
			load_field(it, field, (char *)&readings[it.index] + field->offset);
	}
	if (!has_estimates)
		return readings;
	for (struct load_value it = load_element(&estimates, 0); it.value; load_next(&it)) {
		struct reading *reading = &readings[it.index];

		reading->has_estimate = load_is_there(it);
		if (!reading->has_estimate)
			reading->estimate = (struct count_estimate){ 0 };
		else if (reading->state != SCALED)
			load_refuse(it, "has to be null, because the count is not scaled");
		else if (reading->estimate.half_width < 0)
			reading->estimate.half_width = NAN;
	}
	return readings;
}

static void load_runs(const struct load_value *top, struct document *document)
{
	const struct load_value runs = load_member(top, "runs");
	struct series *series = &document->series;

	if (load_length(runs) == 0)
		load_refuse(runs, "no runs");
	series->runs = load_calloc(top->load, load_length(runs), sizeof(*series->runs));
	for (struct load_value it = load_element(&runs, 0); it.value; load_next(&it)) {
		const struct load_value timed_out = load_member(&it, "timed_out");
		struct run *run = &series->runs[series->runs_n++];

		for (enum tool_event tool = TOOL_NONE + 1; tool < TOOL_N; tool++) {
			const struct load_value value = load_member(&it, event_tool_names[tool]);
			/* a max_rss that is not above the floor is null */
			bool may_be_null = tool == TOOL_MAX_RSS && series->max_rss_floor_kib > 0;

			if (!may_be_null || !load_is_null(value))
				run->tool[tool] = load_unsigned(value);
		}
		run->wait_status = load_wait_status(&it);
		run->timed_out = load_is_there(timed_out) && load_bool(timed_out);
		run->readings = load_readings(&it, series->rows_n);
	}
}

static void load_intervals(const struct load_value *top, struct document *document)
{
	const struct load_value intervals = load_member(top, "intervals");
	struct series *series = &document->series;

	if (!load_is_there(intervals))
		return;
	series->intervals = load_objects(&intervals, schema_interval, sizeof(*series->intervals),
					 &series->intervals_n);
	for (struct load_value it = load_element(&intervals, 0); it.value; load_next(&it))
		series->intervals[it.index].run.readings = load_readings(&it, series->rows_n);
}

static void load_ranks(const struct load_value *top, struct document *document)
{
	const struct load_value value = load_member(top, "ranks");
	const size_t rows_n = document->series.rows_n, n = rows_n + RANK_TIMES_N;
	struct series_ranks *ranks = &document->ranks;
	struct load_value rows;

	if (!load_is_there(value))
		return;
	if (document->series.split != PLACE_TARGET)
		load_refuse(value, "has to be absent, because the rows are split into places");
	rows = load_member(&value, "rows");
	if (load_length(rows) != rows_n)
		load_refuse(rows, "does not have %zu elements, one for each row", rows_n);
	ranks->n = load_size(load_member(&value, "n"));
	ranks->v = load_calloc(top->load, n, sizeof(*ranks->v));
	ranks->v_n = ranks->v ? n : 0;
	for (size_t i = 0; i < ranks->v_n; i++) {
		const struct load_value summary =
			i < rows_n ? load_element(&rows, i) :
				     load_member(&value, event_tool_names[1 + i - rows_n]);

		load_fields(&summary, schema_rank_summary, &ranks->v[i]);
	}
	document->series.ranks = ranks;
}

/* ---- The whole result. */

static void load_refuse_foreign(const struct load_value *top)
{
	load_refuse(*top, "not a pstat document; --save FILE and --format json write one");
}

/* Whether the value of "schema" is name. If it is, a version above known is an error. */
static bool load_is_schema(const struct load_value *top, const char *name, int known)
{
	const struct load_value schema = load_member(top, "schema");
	const struct load_value member = load_member(top, "version");
	cleanup_free char *text = load_is_there(schema) ? load_text(schema) : NULL;
	long long version;

	if (!str_equal(text, name))
		return false;
	version = load_integer(member, 1, INT32_MAX);
	if (version != known)
		load_refuse(member, "this pstat reads version %d, not %lld", known, version);
	return true;
}

static void load_result(const struct load_value *top, struct document *document)
{
	/* Each part is checked against the earlier parts, so the order matters. */
	static void (*const parts[])(const struct load_value *, struct document *) = {
		load_events, load_groups,    load_metrics,    load_rows,  load_processes,
		load_runs,   load_intervals, load_provenance, load_ranks,
	};
	struct series *series = &document->series;
	struct load_value settings;

	if (!load_is_schema(top, SCHEMA_NAME, SCHEMA_VERSION))
		load_refuse_foreign(top);
	settings = load_member(top, "settings");
	if (top->load->err == 0)
		load_fields(&settings, schema_settings, series);
	for (size_t i = 0; top->load->err == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
		parts[i](top, document);
	series->events = &document->events;
	series->openings = document->openings;
	series->places = document->places;
	series->rows = document->rows;
	series->passes = document->passes;
	series->metrics = &document->metrics;
	series->provenance = &document->provenance;
	series->parameters = &document->parameters;
	series->labels = &document->labels;
}

/* ---- Comparisons. */

static void load_sides(const struct load_value *top, struct saved *saved)
{
	const struct load_value sides = load_member(top, "sides");
	const size_t n = load_length(sides);
	struct side_input *made = load_calloc(top->load, n, sizeof(*made));

	if (n < 2)
		load_refuse(sides, "fewer than two sides");
	saved->documents = load_calloc(top->load, n, sizeof(*saved->documents));
	saved->comparison.sides = made;
	for (struct load_value it = load_element(&sides, 0); it.value; load_next(&it)) {
		const struct load_value result = load_member(&it, "result");
		struct document *document = &saved->documents[it.index];

		saved->n = saved->comparison.sides_n = it.index + 1;
		made[it.index].name = load_text(load_member(&it, "name"));
		made[it.index].series = &document->series;
		load_result(&result, document);
		load_parameters(load_member(&it, "parameters"), &document->parameters);
	}
}

/* Each case has the same number of sides, at least two. */
static void load_cases(const struct load_value *top, struct saved *saved)
{
	const struct load_value cases = load_member(top, "cases");
	struct comparison_input *c = &saved->comparison;

	if (!load_is_there(cases))
		return;
	c->cases = load_objects(&cases, schema_case, sizeof(*c->cases), &c->cases_n);
	if (c->cases_n == 0 || c->sides_n % c->cases_n != 0 || c->sides_n / c->cases_n < 2)
		load_refuse(cases, "%zu cases do not fit %zu sides", c->cases_n, c->sides_n);
}

/* The order has to list each run of each side. */
static void load_order(const struct load_value *top, struct saved *saved)
{
	const struct load_value order = load_member(top, "order");
	cleanup_free size_t *runs = load_calloc(top->load, saved->n, sizeof(*runs)); /* by side */
	size_t *made;

	if (!load_is_there(order))
		return;
	saved->comparison.order_n = load_length(order);
	made = load_calloc(top->load, saved->comparison.order_n, sizeof(*made));
	saved->comparison.order = made;
	for (struct load_value it = load_element(&order, 0); it.value; load_next(&it)) {
		made[it.index] = load_size(it);
		if (made[it.index] < saved->n)
			runs[made[it.index]]++;
		else
			load_refuse(it, "not a side; the number of sides is %zu", saved->n);
	}
	for (size_t i = 0; runs && i < saved->n; i++)
		if (runs[i] != saved->documents[i].series.runs_n)
			load_refuse(order, "%zu runs of side %zu, but that side has %zu", runs[i],
				    i, saved->documents[i].series.runs_n);
}

static void load_comparison(const struct load_value *top, struct saved *saved)
{
	const struct load_value effects = load_member(top, "effects");
	const struct load_value gates = load_member(top, "gates");
	struct comparison_input *c = &saved->comparison;

	load_fields(top, schema_comparison, c);
	if (c->confidence <= 0.5 || c->confidence >= 1)
		load_refuse(load_member(top, "confidence"), "not between 0.5 and 1");
	load_sides(top, saved);
	load_cases(top, saved);
	load_order(top, saved);
	c->effects = load_objects(&effects, schema_effect, sizeof(*c->effects), &c->effects_n);
	c->gates = load_objects(&gates, schema_gate, sizeof(*c->gates), &c->gates_n);
	for (struct load_value it = load_element(&gates, 0); it.value; load_next(&it)) {
		const struct gate_request *request = &c->gates[it.index];
		const struct load_value limit = load_member(&it, "limit");

		if (request->is_geomean && (c->cases_n == 0 || !request->relative))
			load_refuse(it, "a limit on a geometric mean needs cases and a percentage");
		load_number(limit, request->above ? 0 : -SCHEMA_LARGE,
			    request->above ? SCHEMA_LARGE : 0);
		if (request->relative && request->limit.value <= -1)
			load_refuse(limit, "a limit of -100 %% or less can never be crossed");
	}
}

/* ---- Files. */

enum { FILE_MAX = 1 << 29 }; /* bytes: five times 1,000 runs of 16 events on 128 CPUs */

/* The part of the text that is JSON: the document in a page of --html, or the whole text. NULL: the
 * text is a page without a document. */
static const char *load_find_document(const struct str *text, size_t *n)
{
	static const char element[] = "<script type=\"application/json\" id=\"document\">";
	const char *all = str_text(text), *begin, *end;

	*n = text->len;
	if (all[strspn(all, " \t\r\n")] != '<')
		return all;
	begin = strstr(all, element);
	if (!begin)
		return NULL;
	begin += strlen(element);
	end = strstr(begin, "</script>");
	*n = end ? (size_t)(end - begin) : strlen(begin);
	return begin;
}

/* Read a document or a page. Of a text that begins like neither, only the first line is read: it
 * may be endless. 0; -EFBIG, -ENOMEM or -errno. */
static int load_read(struct str *text, FILE *in)
{
	char line[4096], blank;
	int first;

	while ((first = getc(in)) != EOF && strchr(" \t\r\n", first) && text->len < sizeof(line)) {
		blank = (char)first;
		str_add_n(text, &blank, 1);
	}
	ungetc(first, in);
	if (first == EOF || strchr("{[<", first))
		return str_add_stream(text, in, FILE_MAX);
	if (fgets(line, sizeof(line), in))
		str_add(text, line);
	return text->failed ? -ENOMEM : 0;
}

int load_saved(struct saved *saved, FILE *in, struct why *why)
{
	cleanup_with(load_release) struct load load = { 0 };
	cleanup_str struct str text = { 0 };
	const char *document;
	struct load_value top;
	size_t n;
	int err = load_read(&text, in);

	*saved = (struct saved){ 0 };
	if (err == 0 && text.len == 0)
		err = why_set(why, -EINVAL, "the file is empty");
	document = load_find_document(&text, &n);
	if (err == 0 && !document)
		err = why_set(why, -EINVAL, "not a page of --html: it has no document");
	if (err == 0)
		err = load_begin(&load, document, n, &top, why);
	if (err < 0)
		return err;
	str_release(&text);
	if (!load_is_object(top))
		load_refuse_foreign(&top);
	if (load_is_schema(&top, SCHEMA_COMPARISON_NAME, SCHEMA_COMPARISON_VERSION)) {
		saved->is_comparison = true;
		load_comparison(&top, saved);
	} else {
		saved->documents = load_calloc(&load, 1, sizeof(*saved->documents));
		saved->n = saved->documents ? 1 : 0;
		if (saved->documents)
			load_result(&top, saved->documents);
	}
	if (load.err < 0)
		saved_release(saved);
	return load.err;
}

#endif
