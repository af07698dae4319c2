/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "event/attr_fields.h"
#include "format/terminal/describe.h"
#include "format/terminal/terminal.h"
#include "metric/metric_list.h"

/* ---- --explain. */

/* The fields so far. The text of json also takes the lines of DESCRIBE_TEXT. */
struct description {
	struct json_out json;
	enum describe_format format;
	int columns;
};

enum { KEY_WIDTH = 16 };

static void describe_add_field(struct description *f, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void describe_add_field(struct description *f, const char *key, const char *format, ...)
{
	cleanup_str struct str value = { 0 }, shown = { 0 };
	va_list args;

	va_start(args, format);
	str_vaddf(&value, format, args);
	va_end(args);
	f->json.text.failed |= value.failed;
	if (f->format == DESCRIBE_JSON) {
		json_string(&f->json, key, str_text(&value));
		return;
	}
	str_add_escaped(&shown, str_text(&value));
	str_addf(&f->json.text, "%-*s", KEY_WIDTH, key);
	terminal_wrap(&f->json.text, str_text(&shown), KEY_WIDTH, f->columns);
	str_add(&f->json.text, "\n");
	f->json.text.failed |= shown.failed;
}

static void describe_begin(struct description *f, enum describe_format format, FILE *out)
{
	*f = (struct description){ .json = { .out = out }, .format = format };
	if (format == DESCRIBE_JSON)
		json_object(&f->json, NULL, JSON_PERF);
}

static int describe_end(struct description *f)
{
	if (f->format == DESCRIBE_JSON)
		json_end(&f->json);
	return json_finish(&f->json);
}

static void describe_add_flags(struct description *f, enum attr_role role,
			       const struct event *event)
{
	const struct attr_field *field = NULL;

	while ((field = attr_fields_next(field, role)))
		describe_add_field(f, field->name, "%u", (unsigned int)field->get(event));
}

static void describe_add_attr(struct description *f, const struct explanation *e)
{
	const struct attr_field *field = NULL;
	struct event opened = *e->event;

	opened.attr = e->attr;
	describe_add_field(f, "type", "%u", opened.attr.type);
	while ((field = attr_fields_next(field, ATTR_CONFIG))) {
		unsigned long long value = field->get(&opened);

		/* The config1 of a probe is the address of a name. The name says more. */
		if (opened.probed && strcmp(field->name, "config1") == 0)
			describe_add_field(f, field->name, "%s", opened.probed);
		else if (value || field->attr_size <= ATTR_SIZE_SHOWN)
			describe_add_field(f, field->name, "0x%llx", value);
	}
	describe_add_field(f, "read_format", "0x%llx", (unsigned long long)opened.attr.read_format);
	describe_add_flags(f, ATTR_MODE, &opened);
	describe_add_field(f, "precise", "%u", opened.attr.precise_ip);
	describe_add_flags(f, ATTR_SCHEDULING, &opened);
}

static void describe_add_target(struct str *out, const struct explanation *e)
{
	const struct event *event = e->event;
	const struct {
		bool counted;
		const char *name;
	} modes[] = {
		{ !e->attr.exclude_user, "user mode" },
		{ !e->attr.exclude_kernel, "the kernel" },
		{ !e->attr.exclude_hv, "the hypervisor" },
	};
	const char *between = " in ";

	str_addf(out, " of PMU %s", event->pmu);
	if (event->cpus) {
		str_addf(out, ", for CPU %s as a whole, regardless of what runs there",
			 event->cpus);
		return;
	}
	if (event_is_clock(event))
		str_add(out, " in all modes");
	for (size_t i = 0; !event_is_clock(event) && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (modes[i].counted) {
			str_addf(out, "%s%s", between, modes[i].name);
			between = ", ";
		}
	if (!e->refused && e->first_only)
		str_addf(out, ", for the first task of the command only (%s)", e->first_only);
	else if (!e->refused)
		str_add(out, ", for the command and everything it starts");
	if (event->symbol)
		str_addf(out, ", at the address of '%s'", event->symbol);
	if (event->filter)
		str_addf(out, ", if %s", event->filter);
}

/* What can be counted instead of a refused event. NULL: there is nothing like it. */
static const char *describe_substitute(const struct event *event)
{
	const uint64_t config = event->attr.config;

	if (event->attr.type == PERF_TYPE_HARDWARE &&
	    (config == PERF_COUNT_HW_CPU_CYCLES || config == PERF_COUNT_HW_BUS_CYCLES ||
	     config == PERF_COUNT_HW_REF_CPU_CYCLES))
		return "task-clock, the CPU time";
	switch (event->attr.type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		return "task-clock, the CPU time, which varies more between runs; page-faults:u "
		       "and max_rss vary little, but only show memory";
	case PERF_TYPE_SOFTWARE:
		return config == PERF_COUNT_SW_CONTEXT_SWITCHES ?
			       "voluntary_switches and involuntary_switches" :
			       NULL;
	default:
		return NULL;
	}
}

/* The fields that tell what is counted, and how the result is shown. People only need to know what
 * differs from most events. */
static void describe_add_encoding(struct description *f, const struct explanation *e)
{
	const struct event *event = e->event;
	bool all = f->format != DESCRIBE_TEXT;
	cleanup_str struct str scale = { 0 };

	if (all)
		describe_add_field(f, "pmu", "%s", event->pmu);
	if (all && event->tool == TOOL_NONE)
		describe_add_attr(f, e);
	if (all || event->cpus)
		describe_add_field(f, "cpus", "%s", event->cpus ? event->cpus : "any");
	if (all || event->unit[0])
		describe_add_field(f, "unit", "%s", event->unit[0] ? event->unit : "count");
	num_add_shortest(&scale, event->factor);
	f->json.text.failed |= scale.failed;
	if (all)
		describe_add_field(f, "scale", "%s", str_text(&scale));
}

int describe_event(const struct explanation *e, enum describe_format format, FILE *out)
{
	cleanup_str struct str counted = { 0 };
	const struct event *event = e->event;
	const char *instead = e->refused ? describe_substitute(event) : NULL;
	struct description f;

	describe_begin(&f, format, out);
	f.columns = e->columns;
	describe_add_field(&f, "event", "%s", event->name);
	if (*e->meaning)
		describe_add_field(&f, "meaning", "%s", e->meaning);
	if (e->refused)
		describe_add_field(&f, "here", "cannot be counted: %s", e->kernel);
	if (instead)
		describe_add_field(&f, "instead", "%s", instead);
	if (!e->refused || format != DESCRIBE_TEXT)
		describe_add_field(&f, "kernel", "%s", e->kernel);
	str_add(&counted, event->full_name ? event->full_name : event->name);
	if (event->tool != TOOL_NONE)
		str_add(&counted, ", measured by pstat itself for each run");
	else
		describe_add_target(&counted, e);
	if (e->group)
		str_addf(&counted, ", together with %s", e->group);
	f.json.text.failed |= counted.failed;
	describe_add_field(&f, e->refused && format != DESCRIBE_JSON ? "would count" : "counts",
			   "%s", str_text(&counted));
	describe_add_field(&f, "source", "%s", event->source);
	describe_add_encoding(&f, e);
	if (event->full_name)
		describe_add_field(&f, "full_name", "%s", event->full_name);
	return describe_end(&f);
}

int describe_metric(const struct described_metric *metric, enum describe_format format, FILE *out)
{
	const struct {
		const char *name, *text;
	} fields[] = {
		{ "metric", metric->name },	    { "meaning", metric->meaning },
		{ "groups", metric->groups },	    { "expression", metric->expression },
		{ "threshold", metric->threshold },
	};
	struct description f;

	describe_begin(&f, format, out);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i].text && fields[i].text[0])
			describe_add_field(&f, fields[i].name, "%s", fields[i].text);
	if (metric->counters > 0)
		describe_add_field(&f, "counters", "%zu", metric->counters);
	if (metric->here[0])
		describe_add_field(&f, "here", "%s", metric->here);
	if (format != DESCRIBE_JSON)
		str_add(&f.json.text, "\n");
	return describe_end(&f);
}

/* ---- --list. */

enum { NAME_WIDTH = 48 };

/* A line for the event, after a heading if its PMU is another one. */
static int describe_add_listed_line(struct listing *l, const struct listed *event)
{
	struct str *line = &l->json.text;
	cleanup_str struct str name = { 0 };
	const struct attr_field *field = NULL;
	const char *description = event->encoded ? "" : event->description;

	if (!l->pmu || strcmp(l->pmu, event->pmu) != 0) {
		str_add(line, l->pmu ? "\n" : "");
		str_add_escaped(line, event->pmu);
		str_addf(line, " (%s)%s:\n", event->source, event->present ? "" : ", not here");
		free(l->pmu);
		l->pmu = strdup(event->pmu);
		if (!l->pmu)
			return -ENOMEM;
	}
	str_add_escaped(&name, event->name);
	line->failed |= name.failed;
	str_addf(line, "  %-*s ", description[0] ? NAME_WIDTH : 0, str_text(&name));
	str_add_escaped(line, description);
	while (line->len > 0 && line->text[line->len - 1] == ' ')
		line->len--;
	if (event->encoded)
		str_addf(line, "  type=%u", event->encoded->attr.type);
	while (event->encoded && (field = attr_fields_next(field, ATTR_CONFIG)))
		if (!field->since || field->get(event->encoded))
			str_addf(line, " %s=0x%llx", field->name,
				 (unsigned long long)field->get(event->encoded));
	str_add(line, "\n");
	return 0;
}

void describe_list_begin(struct listing *l, FILE *out, enum describe_format format)
{
	*l = (struct listing){ .json = { .out = out }, .format = format };
	if (format == DESCRIBE_JSON)
		json_array(&l->json, NULL, JSON_PERF);
}

int describe_list_add(struct listing *l, const struct listed *event)
{
	const struct attr_field *field = NULL;
	struct json_out *j = &l->json;
	int err;

	l->n++;
	if (l->format == DESCRIBE_TEXT) {
		err = describe_add_listed_line(l, event);
		return err < 0 ? err : json_finish(j);
	}
	json_object(j, NULL, JSON_PERF);
	json_string(j, "event", event->name);
	json_string(j, "pmu", event->pmu);
	json_string(j, "source", event->source);
	json_string(j, "description", event->description);
	if (event->encoded)
		json_unsigned(j, "type", event->encoded->attr.type);
	while (event->encoded && (field = attr_fields_next(field, ATTR_CONFIG)))
		if (field->attr_size <= ATTR_SIZE_SHOWN || field->get(event->encoded))
			json_hex(j, field->name, field->get(event->encoded));
	json_bool(j, "present", event->present);
	json_end(j);
	return j->err;
}

int describe_list_end(struct listing *l)
{
	free(take_ptr(l->pmu));
	if (l->format == DESCRIBE_TEXT)
		return 0;
	json_end(&l->json);
	return json_finish(&l->json);
}
