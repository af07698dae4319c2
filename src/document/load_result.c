/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "document/load_result.h"

/* ---- The fields of the tables. */

static void load_attr_field(const struct load_value *attr, const struct attr_field *field,
			    struct event *event)
{
	const struct load_value value = load_member(attr, field->name);

	if (!load_is_there(value) && schema_attr_is_optional(field))
		return;
	field->set(event, field->role == ATTR_CONFIG ?
				  load_hexadecimal(value) :
				  (uint64_t)load_integer(value, 0, (long long)field->max));
}

static void load_flag(struct load_value flag, struct event *event)
{
	cleanup_free char *name = load_string(flag);

	for (const struct attr_field *field = attr_fields; name && field->name; field++)
		if (schema_attr_is_flag(field) && strcmp(field->name, name) == 0) {
			field->set(event, 1);
			return;
		}
	load_refuse(&flag, "unknown flag");
}

/* The member tool of the event is filled already. */
static void load_attr(const struct load_value *value, struct event *event)
{
	const struct attr_field *field = NULL;
	struct load_value flags;

	if (event->tool != TOOL_NONE) {
		if (load_is_there(*value))
			load_refuse(value,
				    "has to be null, because the kernel does not count this event");
		return;
	}
	event->attr.size = sizeof(event->attr);
	for (enum attr_role role = ATTR_TYPE; role <= ATTR_PRECISION; role++)
		while ((field = attr_fields_next(field, role)))
			load_attr_field(value, field, event);
	flags = load_member(value, "flags");
	for (size_t i = 0, n = load_length(flags); i < n; i++)
		load_flag(load_element(&flags, i), event);
}

static void load_list(struct load_value value, char *(*take)(struct load_value),
		      struct str_list *list)
{
	size_t n = load_length(value);

	for (size_t i = 0; i < n; i++) {
		cleanup_free char *text = take(load_element(&value, i));

		if (text && str_list_add(list, text) < 0)
			load_no_memory(value.load);
	}
}

static void load_field(struct load_value value, const struct schema_field *field, void *at)
{
	switch (field->kind) {
	case SCHEMA_BOOL:
		*(bool *)at = load_bool(value);
		break;
	case SCHEMA_SCALING:
		*(enum scaling *)at = load_bool(value) ? SCALE_BY_TIME : SCALE_NOT;
		break;
	case SCHEMA_SIZE:
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
		load_list(value, load_string, at);
		break;
	case SCHEMA_TEXTS:
		load_list(value, load_text, at);
		break;
	case SCHEMA_WORD: /* an enum without negative values is an unsigned int */
		*(unsigned int *)at = (unsigned int)load_word(value, field->words, field->words_n);
		break;
	case SCHEMA_KNOWN_INT:
		*(struct known_int *)at =
			(struct known_int){ true, (int)load_integer(value, INT_MIN, INT_MAX) };
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

void load_fields(const struct load_value *object, const struct schema_field *fields, void *to)
{
	for (const struct schema_field *field = fields; field->key; field++) {
		const struct load_value value = load_member(object, field->key);
		void *at = (char *)to + field->offset;

		if (field->presence == SCHEMA_REQUIRED || load_is_there(value))
			load_field(value, field, at);
		else if (field->kind == SCHEMA_NUMBER)
			*(double *)at = -1;
	}
}

void *load_objects(const struct load_value *array, const struct schema_field *fields, size_t size,
		   size_t *n)
{
	size_t length = load_length(*array);
	char *objects = load_calloc(array->load, length, size);

	*n = objects ? length : 0;
	for (size_t i = 0; array->load->err == 0 && i < *n; i++) {
		const struct load_value object = load_element(array, i);

		load_fields(&object, fields, objects + i * size);
	}
	return objects;
}

/* ---- Where the result comes from. */

enum { DATE_LENGTH = 19 }; /* of "YYYY-MM-DDThh:mm:ss" */

/* "YYYY-MM-DDThh:mm:ss", of a day that exists and a year that ctime(3) can print. */
static bool parse_date(const char *text, time_t *seconds)
{
	struct tm date = { 0 }, made;

	if (!strptime(text, "%Y-%m-%dT%H:%M:%S", &date))
		return false;
	made = date;
	*seconds = timegm(&made); /* timegm() turns 30 February into 2 March */
	return date.tm_year >= 1970 - 1900 && date.tm_year < 9999 - 1900 &&
	       made.tm_mday == date.tm_mday && made.tm_sec == date.tm_sec;
}

/* "Z" or "+hh:mm". */
static bool parse_zone(const char *text, int *zone_s)
{
	int hours = *text == 'Z' ? 0 : atoi(text + 1), minutes = *text == 'Z' ? 0 : atoi(text + 4);

	*zone_s = (hours * 60 + minutes) * 60 * (*text == '-' ? -1 : 1);
	return hours < 24 && minutes < 60;
}

/* RFC 3339, section 5.6 */
static void load_started(struct load_value value, struct document *document)
{
	static const char *const forms[] = { "0000-00-00T00:00:00Z", "0000-00-00T00:00:00+00:00",
					     "0000-00-00T00:00:00-00:00" };
	cleanup_free char *text = load_string(value), *form = text ? strdup(text) : NULL;
	time_t seconds = 0;
	bool valid = false;

	if (text && !form)
		load_no_memory(value.load);
	for (char *p = form; p && *p; p++)
		if (strchr("0123456789", *p))
			*p = '0';
	for (size_t i = 0; form && i < sizeof(forms) / sizeof(forms[0]); i++)
		valid |= strcmp(form, forms[i]) == 0;
	if (!valid || !parse_date(text, &seconds) ||
	    !parse_zone(text + DATE_LENGTH, &document->provenance.zone_s))
		load_refuse(&value, "not a time (example: \"2026-02-28T13:05:59+01:00\")");
	document->series.started = seconds - document->provenance.zone_s;
}

static void load_settings(const struct load_value *top, struct document *document)
{
	const struct load_value settings = load_member(top, "settings");

	load_fields(&settings, schema_settings, &document->series);
}

static void load_provenance(const struct load_value *top, struct document *document)
{
	struct provenance *p = &document->provenance;
	const struct load_value pstat = load_member(top, "pstat");
	const struct load_value target = load_member(top, "target");
	const struct load_value host = load_member(top, "host");
	const struct load_value seed = load_member(&pstat, "seed");

	load_fields(&pstat, schema_pstat, p);
	p->has_seed = load_is_there(seed);
	p->seed = p->has_seed ? load_unsigned(seed) : 0;
	document->series.subject = load_text(load_member(&target, "subject"));
	load_fields(&target, schema_target, p);
	load_started(load_member(top, "started"), document);
	load_fields(&host, schema_host, p);
}

/* ---- What was counted: events, their groups, and the metrics over them. */

/* An event does not own the name of its source: use the copy in document->sources. */
static void keep_source(struct load *load, struct event *event, struct str_list *sources)
{
	cleanup_free char *source = (char *)(uintptr_t)event->source;

	event->source = NULL;
	if (source && !str_list_has(sources, source) && str_list_add(sources, source) < 0)
		load_no_memory(load);
	for (size_t i = 0; source && i < sources->n; i++)
		if (strcmp(sources->v[i], source) == 0)
			event->source = sources->v[i];
}

/*
 * Check that each cgroup has the same number of events, and that its first event begins a row. If
 * there are several cgroups, each event names its cgroup.
 */
static void check_cgroups(const struct load_value *top, const struct load_value *events,
			  const struct document *document)
{
	const struct load_value settings = load_member(top, "settings");
	const struct load_value cgroups = load_member(&settings, "cgroups");
	size_t n = document->events.n, copies = document->series.cgroups_n;

	if (copies == 0 || n % copies != 0) {
		load_refuse(&cgroups, "the number of events, %zu, is not a multiple of this", n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const struct load_value event = load_element(events, i);
		const struct load_value merged = load_member(&event, "merged");
		const struct load_value cgroup = load_member(&event, "cgroup");

		if (copies > 1 && !document->events.events[i].cgroup)
			load_refuse(&cgroup, "null, but there are %zu cgroups", copies);
		if (i % (n / copies) == 0 && document->events.events[i].merged)
			load_refuse(&merged,
				    "has to be false: there is no earlier event to merge with");
	}
}

static void load_events(const struct load_value *top, struct document *document)
{
	const struct load_value events = load_member(top, "events");
	struct event_list *list = &document->events;

	list->events = load_objects(&events, schema_event, sizeof(*list->events), &list->n);
	list->size = list->n + 1;
	document->openings = load_calloc(top->load, list->n, sizeof(*document->openings));
	for (size_t i = 0; i < list->n; i++) {
		const struct load_value event = load_element(&events, i);
		const struct load_value opening = load_member(&event, "opening");

		keep_source(top->load, &list->events[i], &document->sources);
		if (top->load->err == 0)
			load_fields(&opening, schema_opening, &document->openings[i]);
	}
	if (top->load->err == 0)
		check_cgroups(top, &events, document);
}

/*
 * Check group i, and complete it. next: the index of the event with which the group has to begin.
 */
static void check_group(const struct load_value *value, size_t i, size_t next,
			struct document *document)
{
	struct event_list *list = &document->events;
	struct event_group *group = &list->groups[i];
	size_t *pass = &document->passes[i];
	const struct load_value first = load_member(value, "first");
	const struct load_value n = load_member(value, "n");
	const struct load_value in_pass = load_member(value, "pass");
	const struct perf_event_attr *leader;

	*pass = load_is_there(in_pass) ? load_size(in_pass) : SIZE_MAX;
	if (group->first != next) {
		load_refuse(&first, "has to be %zu, because groups list all events in order", next);
	} else if (group->n == 0 || group->n > list->n - next) {
		load_refuse(&n, "not from 1 to %zu, the number of remaining events",
			    list->n - next);
	} else if (*pass != SIZE_MAX && *pass >= document->series.passes_n) {
		load_refuse(&in_pass, "not a pass; there are only %zu", document->series.passes_n);
	} else {
		leader = &list->events[event_group_leader(list, group)].attr;
		group->pinned = leader->pinned;
		group->exclusive = leader->exclusive;
	}
}

static void load_groups(const struct load_value *top, struct document *document)
{
	const struct load_value groups = load_member(top, "groups");
	struct event_list *list = &document->events;
	size_t next = 0;

	list->groups = load_objects(&groups, schema_group, sizeof(*list->groups), &list->groups_n);
	list->groups_size = list->groups_n + 1;
	document->passes = load_calloc(top->load, list->groups_n, sizeof(*document->passes));
	for (size_t i = 0; top->load->err == 0 && i < list->groups_n; i++) {
		const struct load_value group = load_element(&groups, i);

		check_group(&group, i, next, document);
		next += list->groups[i].n;
	}
	if (top->load->err == 0 && next != list->n)
		load_refuse(&groups, "have %zu events in total, not %zu", next, list->n);
}

/* Parse the text of one metric. Returns NULL after an error. */
static const struct metric_request *load_request(const struct load_value *value,
						 struct document *document)
{
	const struct load_value item = load_member(value, "text");
	cleanup_free char *text = load_text(item);
	cleanup_why struct why why = { 0 };
	size_t before = document->metrics.n;
	int err = text ? metric_list_parse(&document->metrics, text, &why) : -EINVAL;

	if (err == -ENOMEM)
		load_no_memory(value->load);
	else if (err < 0)
		load_refuse(&item, "%s", why_text(&why, err));
	else if (document->metrics.n != before + 1)
		load_refuse(&item, "more than one metric");
	return value->load->err ? NULL : &document->metrics.v[before];
}

/*
 * next: the number of event indices of the metrics before this one. Returns the number that
 * includes this metric.
 */
static size_t load_metric(const struct load_value *value, size_t next, size_t *size,
			  struct document *document)
{
	const struct load_value events = load_member(value, "events");
	const struct metric_request *request = load_request(value, document);
	size_t n = load_length(events);
	size_t of_one_cgroup = document->events.n / document->series.cgroups_n;

	if (request && n != request->expression.events_n)
		load_refuse(&events, "%zu events, but the expression has %zu", n,
			    request->expression.events_n);
	for (size_t i = 0; value->load->err == 0 && i < n; i++) {
		const struct load_value event = load_element(&events, i);

		if (array_grow(&document->metric_events, next, size, sizeof(size_t)) < 0) {
			load_no_memory(value->load);
			break;
		}
		document->metric_events[next] = load_size(event);
		if (document->metric_events[next++] >= of_one_cgroup)
			load_refuse(&event, "not an event; there are only %zu", of_one_cgroup);
	}
	return next;
}

static void load_metrics(const struct load_value *top, struct document *document)
{
	const struct load_value metrics = load_member(top, "metrics");
	size_t n = load_is_there(metrics) ? load_length(metrics) : 0;
	size_t next = 0, size = 0;

	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value metric = load_element(&metrics, i);

		next = load_metric(&metric, next, &size, document);
	}
}

/* ---- What was read: rows, and the readings of runs and intervals in the order of the rows. */

/*
 * Check row i, and store it. The first row of a place sets the label, and the other rows repeat the
 * label.
 */
static void add_row(const struct load_value *value, size_t i, struct schema_placed_row *placed,
		    struct document *document)
{
	const struct load_value event = load_member(value, "event");
	const struct load_value place_index = load_member(value, "place");
	const struct load_value label = load_member(value, "label");
	size_t events = document->events.n;
	struct place *place = &document->places[i / events];

	document->rows[i] = placed->row;
	if (i % events == 0)
		*place = (struct place){ document->series.split, take_ptr(placed->label) };
	else if (!str_equal(placed->label, place->label))
		load_refuse(&label, "differs from the label of the first row at this place");
	if (placed->row.event != i % events)
		load_refuse(&event, "has to be %zu, because each place has one row for each event",
			    i % events);
	if (placed->row.place_index != i / events)
		load_refuse(&place_index,
			    "has to be %zu, because the rows are in the order of places",
			    i / events);
}

static void load_rows(const struct load_value *top, struct document *document)
{
	const struct load_value rows = load_member(top, "rows");
	size_t n, events = document->events.n;
	cleanup_free struct schema_placed_row *placed =
		load_objects(&rows, schema_row, sizeof(*placed), &n);

	if (events ? n % events != 0 : n > 0)
		load_refuse(&rows, "not one row for each of %zu events at each place", events);
	document->rows = load_calloc(top->load, n, sizeof(*document->rows));
	document->series.rows_n = document->rows ? n : 0;
	document->places = load_calloc(top->load, n, sizeof(*document->places));
	document->places_n = document->places && events ? n / events : 0;
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value row = load_element(&rows, i);

		add_row(&row, i, &placed[i], document);
	}
	for (size_t i = 0; i < n; i++)
		free(placed[i].label);
}

/* Returns a reading for each row, or NULL after an error. */
static struct reading *load_readings(const struct load_value *value, size_t n)
{
	const struct load_value arrays[] = { load_member(value, "state"), load_member(value, "raw"),
					     load_member(value, "enabled_ns"),
					     load_member(value, "running_ns") };
	struct reading *readings;

	for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); k++)
		if (load_length(arrays[k]) != n)
			load_refuse(&arrays[k], "does not have %zu elements, one for each row", n);
	if (value->load->err)
		return NULL;
	readings = load_calloc(value->load, n, sizeof(*readings));
	for (size_t i = 0; readings && value->load->err == 0 && i < n; i++)
		readings[i] = (struct reading){
			.state = (enum count_state)load_word(load_element(&arrays[0], i),
							     schema_states, ELSEWHERE + 1),
			.counts = { .raw = load_unsigned(load_element(&arrays[1], i)),
				    .enabled_ns = load_unsigned(load_element(&arrays[2], i)),
				    .running_ns = load_unsigned(load_element(&arrays[3], i)) },
		};
	return readings;
}

/* Returns the status in the form of waitpid(2): 0 if there was no command. */
static int load_wait_status(const struct load_value *value)
{
	const struct load_value exit_status = load_member(value, "exit_status");
	const struct load_value signal = load_member(value, "signal");

	if (!load_is_there(signal))
		return load_is_there(exit_status) ? (int)load_integer(exit_status, 0, 255) << 8 : 0;
	if (load_is_there(exit_status))
		load_refuse(&exit_status, "has to be null, because there is a signal");
	return (int)load_integer(signal, 1, NSIG - 1);
}

static void load_runs(const struct load_value *top, struct document *document)
{
	const struct load_value runs = load_member(top, "runs");
	size_t n = load_length(runs);

	if (n == 0)
		load_refuse(&runs, "no runs");
	document->series.runs = load_calloc(top->load, n, sizeof(*document->series.runs));
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value value = load_element(&runs, i);
		struct run *run = &document->series.runs[i];

		for (enum tool_event tool = TOOL_NONE + 1; tool < TOOL_N; tool++)
			run->tool[tool] =
				load_unsigned(load_member(&value, event_tool_names[tool]));
		run->wait_status = load_wait_status(&value);
		run->readings = load_readings(&value, document->series.rows_n);
		document->series.runs_n = i + 1;
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
	for (size_t i = 0; top->load->err == 0 && i < series->intervals_n; i++) {
		const struct load_value interval = load_element(&intervals, i);

		series->intervals[i].run.readings = load_readings(&interval, series->rows_n);
	}
}

/* ---- The whole result. */

/* The series refers to the other parts of the document. */
static void refer_to_parts(struct document *document)
{
	struct series *series = &document->series;

	series->events = &document->events;
	series->openings = document->openings;
	series->places = document->places;
	series->rows = document->rows;
	series->passes = document->passes;
	series->metrics = &document->metrics;
	series->metric_events = document->metric_events;
	series->provenance = &document->provenance;
}

bool load_is_schema(const struct load_value *top, const char *name, int known)
{
	const struct load_value schema = load_member(top, "schema");
	const struct load_value member = load_member(top, "version");
	cleanup_free char *text = load_is_there(schema) ? load_text(schema) : NULL;
	long long version;

	if (!str_equal(text, name))
		return false;
	version = load_integer(member, 1, INT32_MAX);
	if (version != known)
		load_refuse(&member, "this pstat reads version %d, not %lld", known, version);
	return true;
}

void load_result(const struct load_value *top, struct document *document)
{
	/* Each part is checked against the earlier parts, so the order matters. */
	static void (*const parts[])(const struct load_value *, struct document *) = {
		load_settings, load_events, load_groups,    load_metrics,
		load_rows,     load_runs,   load_intervals, load_provenance,
	};

	if (!load_is_schema(top, SCHEMA_NAME, SCHEMA_VERSION))
		load_refuse(top, "not a pstat document: \"schema\" is not \"%s\"", SCHEMA_NAME);
	for (size_t i = 0; top->load->err == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
		parts[i](top, document);
	refer_to_parts(document);
}
