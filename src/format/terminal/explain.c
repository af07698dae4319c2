/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/num.h"
#include "base/str.h"
#include "event/attr_fields.h"
#include "format/terminal/explain.h"
#include "metric/metric_list.h"

/* The fields so far. The text of json also takes the lines of EXPLAIN_TEXT. */
struct explain {
	struct json_out json;
	enum explain_format format;
};

static void explain_add_field(struct explain *f, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void explain_add_field(struct explain *f, const char *key, const char *format, ...)
{
	cleanup_str struct str value = { 0 };
	va_list args;

	va_start(args, format);
	str_vaddf(&value, format, args);
	va_end(args);
	f->json.text.failed |= value.failed;
	if (f->format == EXPLAIN_JSON) {
		json_string(&f->json, key, str_text(&value));
		return;
	}
	str_addf(&f->json.text, "%-16s", key);
	str_add_escaped(&f->json.text, str_text(&value));
	str_add(&f->json.text, "\n");
}

static void explain_begin(struct explain *f, enum explain_format format, FILE *out)
{
	*f = (struct explain){ .json = { .out = out }, .format = format };
	if (format == EXPLAIN_JSON)
		json_object(&f->json, NULL, JSON_PERF);
}

static int explain_end(struct explain *f)
{
	if (f->format == EXPLAIN_JSON)
		json_end(&f->json);
	return json_finish(&f->json);
}

static void explain_add_flags(struct explain *f, enum attr_role role, const struct event *event)
{
	const struct attr_field *field = NULL;

	while ((field = attr_fields_next(field, role)))
		explain_add_field(f, field->name, "%u", (unsigned int)field->get(event));
}

static void explain_add_attr(struct explain *f, const struct explanation *e)
{
	const struct attr_field *field = NULL;
	struct event opened = *e->event;

	opened.attr = e->attr;
	explain_add_field(f, "type", "%u", opened.attr.type);
	while ((field = attr_fields_next(field, ATTR_CONFIG))) {
		unsigned long long value = field->get(&opened);

		/* The config1 of a probe is the address of a name. The name says more. */
		if (opened.probed && strcmp(field->name, "config1") == 0)
			explain_add_field(f, field->name, "%s", opened.probed);
		else if (value || field->attr_size <= ATTR_SIZE_SHOWN)
			explain_add_field(f, field->name, "0x%llx", value);
	}
	explain_add_field(f, "read_format", "0x%llx", (unsigned long long)opened.attr.read_format);
	explain_add_flags(f, ATTR_MODE, &opened);
	explain_add_field(f, "precise", "%u", opened.attr.precise_ip);
	explain_add_flags(f, ATTR_SCHEDULING, &opened);
}

static void add_target(struct str *out, const struct explanation *e)
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

static void explain_add_description(struct explain *f, const struct explanation *e)
{
	cleanup_str struct str words = { 0 };

	str_add(&words, e->event->full_name ? e->event->full_name : e->event->name);
	if (e->event->tool != TOOL_NONE)
		str_add(&words, ", measured by pstat itself for each run");
	else
		add_target(&words, e);
	if (e->group)
		str_addf(&words, ", together with %s", e->group);
	f->json.text.failed |= words.failed;
	explain_add_field(f, e->refused && f->format == EXPLAIN_TEXT ? "would count" : "counts",
			  "%s", str_text(&words));
}

int explain_write(const struct explanation *e, enum explain_format format, FILE *out)
{
	cleanup_str struct str scale = { 0 };
	const struct event *event = e->event;
	struct explain f;

	explain_begin(&f, format, out);
	explain_add_field(&f, "event", "%s", event->name);
	if (*e->meaning)
		explain_add_field(&f, "meaning", "%s", e->meaning);
	if (e->refused)
		explain_add_field(&f, "here", "cannot be counted: %s", e->kernel);
	explain_add_field(&f, "kernel", "%s", e->kernel);
	explain_add_description(&f, e);
	explain_add_field(&f, "source", "%s", event->source);
	explain_add_field(&f, "pmu", "%s", event->pmu);
	if (event->tool == TOOL_NONE)
		explain_add_attr(&f, e);
	explain_add_field(&f, "cpus", "%s", event->cpus ? event->cpus : "any");
	explain_add_field(&f, "unit", "%s", event->unit[0] ? event->unit : "count");
	num_add_shortest(&scale, event->factor);
	f.json.text.failed |= scale.failed;
	explain_add_field(&f, "scale", "%s", str_text(&scale));
	if (event->full_name)
		explain_add_field(&f, "full_name", "%s", event->full_name);
	return explain_end(&f);
}

int explain_write_metric(const struct metric_definition *metric, enum explain_format format,
			 FILE *out)
{
	struct explain f;

	explain_begin(&f, format, out);
	explain_add_field(&f, "metric", "%s", metric->name);
	explain_add_field(&f, "expression", "%s", metric->expression);
	if (format == EXPLAIN_TEXT)
		str_add(&f.json.text, "\n");
	return explain_end(&f);
}
