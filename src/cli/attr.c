/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "cli/attr.h"
#include "cli/message.h"
#include "event/attr_fields.h"

#define RULE "------------------------------------------------------------\n"

static void add_read_format(struct str *out, uint64_t format)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} bits[] = {
		{ PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
		{ PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
		{ PERF_FORMAT_ID, "ID" },
		{ PERF_FORMAT_GROUP, "GROUP" },
	};
	const char *between = "";

	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (format & bits[i].bit) {
			str_addf(out, "%s%s", between, bits[i].name);
			between = "|";
		}
}

static void add_field(struct str *out, const struct attr_field *field, uint64_t value)
{
	str_addf(out, "  %-32s ", field->name);
	if (strcmp(field->name, "read_format") == 0)
		add_read_format(out, value);
	else
		str_addf(out, field->role == ATTR_CONFIG ? "0x%llx" : "%llu",
			 (unsigned long long)value);
	str_add(out, "\n");
}

void attr_show(const struct open_call *call)
{
	const struct event event = { .attr = *call->attr };
	cleanup_str struct str text = { 0 };

	str_add(&text, RULE "perf_event_attr:\n");
	for (const struct attr_field *field = attr_fields; field->name; field++)
		if (field->get(&event))
			add_field(&text, field, field->get(&event));
	str_addf(&text, RULE "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx",
		 call->pid, call->cpu, call->group_fd, call->flags);
	if (call->result >= 0)
		str_addf(&text, " = %d\n", call->result);
	else
		str_addf(&text, "\nsys_perf_event_open failed, error %d (%s)\n", call->result,
			 strerror(-call->result));
	message_text(str_text(&text));
}
