/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "event/attr_fields.h"
#include "format/terminal/listing.h"

enum { NAME_WIDTH = 48 };

static int add_heading(struct listing *l, struct str *line, const struct listed *event)
{
	if (l->pmu && strcmp(l->pmu, event->pmu) == 0)
		return 0;
	str_add(line, l->n ? "\n" : "");
	str_add_escaped(line, event->pmu);
	str_addf(line, " (%s)%s:\n", event->source, event->present ? "" : ", not here");
	free(l->pmu);
	l->pmu = strdup(event->pmu);
	return l->pmu ? 0 : -ENOMEM;
}

static int add_line(struct listing *l, struct str *line, const struct listed *event)
{
	cleanup_str struct str name = { 0 };
	const struct attr_field *field = NULL;
	const char *description = event->encoded ? "" : event->description;
	int err = add_heading(l, line, event);

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
	return err;
}

static void add_member(struct str *line, const char *key, const char *value)
{
	str_addf(line, "\"%s\" : ", key);
	str_add_json(line, value);
	str_add(line, ", ");
}

static void add_object(struct listing *l, struct str *line, const struct listed *event)
{
	const struct attr_field *field = NULL;

	str_add(line, l->n ? ",\n{" : "[\n{");
	add_member(line, "event", event->name);
	add_member(line, "pmu", event->pmu);
	add_member(line, "source", event->source);
	add_member(line, "description", event->description);
	if (event->encoded)
		str_addf(line, "\"type\" : %u, ", event->encoded->attr.type);
	while (event->encoded && (field = attr_fields_next(field, ATTR_CONFIG)))
		if (field->attr_size <= ATTR_SIZE_SHOWN || field->get(event->encoded))
			str_addf(line, "\"%s\" : \"0x%llx\", ", field->name,
				 (unsigned long long)field->get(event->encoded));
	str_addf(line, "\"present\" : %s}", event->present ? "true" : "false");
}

int listing_add(struct listing *l, const struct listed *event)
{
	cleanup_str struct str line = { 0 };
	int err = 0;

	if (l->json)
		add_object(l, &line, event);
	else
		err = add_line(l, &line, event);
	l->n++;
	return err < 0 ? err : str_print(&line, l->out);
}

int listing_end(struct listing *l)
{
	free(take_ptr(l->pmu));
	if (l->json && fputs(l->n ? "\n]\n" : "[]\n", l->out) == EOF)
		return -errno;
	return 0;
}
