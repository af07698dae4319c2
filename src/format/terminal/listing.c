/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "event/attr_fields.h"
#include "format/terminal/listing.h"

enum { NAME_WIDTH = 48 };

/* A line for the event, after a heading if its PMU is another one. */
static int listing_add_line(struct listing *l, struct str *line, const struct listed *event)
{
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

static void listing_add_object(struct json_out *j, const struct listed *event)
{
	const struct attr_field *field = NULL;

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
}

void listing_begin(struct listing *l, FILE *out, enum listing_format format)
{
	*l = (struct listing){ .out = out, .json = { .out = out }, .format = format };
	if (format == LISTING_JSON)
		json_array(&l->json, NULL, JSON_PERF);
}

int listing_add(struct listing *l, const struct listed *event)
{
	cleanup_str struct str line = { 0 };
	int err;

	l->n++;
	if (l->format == LISTING_JSON) {
		listing_add_object(&l->json, event);
		return l->json.err;
	}
	err = listing_add_line(l, &line, event);
	return err < 0 ? err : str_print(&line, l->out);
}

int listing_end(struct listing *l)
{
	free(take_ptr(l->pmu));
	if (l->format == LISTING_TEXT)
		return 0;
	json_end(&l->json);
	return json_finish(&l->json);
}
