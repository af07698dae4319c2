/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "cli/attr.h"
#include "cli/message.h"

#define RULE "------------------------------------------------------------\n"

static void add_number(struct str *out, const char *name, unsigned long long value, int hex)
{
	if (value)
		str_addf(out, hex ? "  %-32s 0x%llx\n" : "  %-32s %llu\n", name, value);
}

static void add_read_format(struct str *out, __u64 format)
{
	static const struct {
		__u64 bit;
		const char *name;
	} bits[] = {
		{ PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
		{ PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
		{ PERF_FORMAT_ID, "ID" },
		{ PERF_FORMAT_GROUP, "GROUP" },
	};
	const char *between = "";

	if (!format)
		return;
	str_addf(out, "  %-32s ", "read_format");
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (format & bits[i].bit) {
			str_addf(out, "%s%s", between, bits[i].name);
			between = "|";
		}
	str_add(out, "\n");
}

static void add_attr(struct str *out, const struct perf_event_attr *attr)
{
	add_number(out, "type", attr->type, 0);
	add_number(out, "size", attr->size, 0);
	add_number(out, "config", attr->config, 1);
	add_read_format(out, attr->read_format);
	add_number(out, "disabled", attr->disabled, 0);
	add_number(out, "inherit", attr->inherit, 0);
	add_number(out, "pinned", attr->pinned, 0);
	add_number(out, "exclusive", attr->exclusive, 0);
	add_number(out, "exclude_user", attr->exclude_user, 0);
	add_number(out, "exclude_kernel", attr->exclude_kernel, 0);
	add_number(out, "exclude_hv", attr->exclude_hv, 0);
	add_number(out, "exclude_idle", attr->exclude_idle, 0);
	add_number(out, "enable_on_exec", attr->enable_on_exec, 0);
	add_number(out, "precise_ip", attr->precise_ip, 0);
	add_number(out, "exclude_host", attr->exclude_host, 0);
	add_number(out, "exclude_guest", attr->exclude_guest, 0);
	add_number(out, "bp_type", attr->bp_type, 0);
	add_number(out, "config1", attr->config1, 1);
	add_number(out, "config2", attr->config2, 1);
#ifdef PERF_ATTR_SIZE_VER8
	add_number(out, "config3", attr->config3, 1);
#endif
}

void attr_show(const struct open_call *call)
{
	cleanup_str struct str text = { 0 };

	str_add(&text, RULE "perf_event_attr:\n");
	add_attr(&text, call->attr);
	str_addf(&text, RULE "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx",
		 call->pid, call->cpu, call->group_fd, call->flags);
	if (call->result >= 0)
		str_addf(&text, " = %d\n", call->result);
	else
		str_addf(&text, "\nsys_perf_event_open failed, error %d (%s)\n", call->result,
			 strerror(-call->result));
	message_text(str_text(&text));
}
