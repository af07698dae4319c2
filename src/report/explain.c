/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdbool.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "report/explain.h"

static void add_line(struct str *out, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add_line(struct str *out, const char *key, const char *format, ...)
{
	va_list args;

	str_addf(out, "%-16s", key);
	va_start(args, format);
	str_vaddf(out, format, args);
	va_end(args);
	str_add(out, "\n");
}

static void add_attr(struct str *out, const struct perf_event_attr *attr)
{
	add_line(out, "type", "%u", attr->type);
	add_line(out, "config", "0x%llx", (unsigned long long)attr->config);
	add_line(out, "config1", "0x%llx", (unsigned long long)attr->config1);
	add_line(out, "config2", "0x%llx", (unsigned long long)attr->config2);
#ifdef PERF_ATTR_SIZE_VER8
	add_line(out, "config3", "0x%llx", (unsigned long long)attr->config3);
#else
	add_line(out, "config3", "0x0");
#endif
	add_line(out, "read_format", "0x%llx", (unsigned long long)attr->read_format);
	add_line(out, "exclude_user", "%u", attr->exclude_user);
	add_line(out, "exclude_kernel", "%u", attr->exclude_kernel);
	add_line(out, "exclude_hv", "%u", attr->exclude_hv);
	add_line(out, "exclude_idle", "%u", attr->exclude_idle);
	add_line(out, "exclude_host", "%u", attr->exclude_host);
	add_line(out, "exclude_guest", "%u", attr->exclude_guest);
	add_line(out, "precise", "%u", attr->precise_ip);
	add_line(out, "pinned", "%u", attr->pinned);
	add_line(out, "exclusive", "%u", attr->exclusive);
}

/* The modes that are counted, "user and kernel mode". */
static void add_modes(struct str *out, const struct perf_event_attr *attr)
{
	const struct {
		bool counted;
		const char *name;
	} modes[] = {
		{ !attr->exclude_user, "user mode" },
		{ !attr->exclude_kernel, "the kernel" },
		{ !attr->exclude_hv, "the hypervisor" },
	};
	const char *between = " in ";

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (modes[i].counted) {
			str_addf(out, "%s%s", between, modes[i].name);
			between = ", ";
		}
}

static void add_words(struct str *out, const struct explanation *e)
{
	str_addf(out, "%-16s%s", "counts",
		 e->event->full_name ? e->event->full_name : e->event->name);
	if (e->event->tool != TOOL_NONE) {
		str_add(out, ", measured by pstat itself for each run");
	} else {
		str_addf(out, " of PMU %s", e->event->pmu);
		add_modes(out, &e->attr);
		str_add(out, ", for the command and all that it starts");
	}
	if (e->group)
		str_addf(out, ", together with %s", e->group);
	str_add(out, "\n");
}

int explain_write(const struct explanation *e, FILE *out)
{
	cleanup_str struct str text = { 0 };
	const struct event *event = e->event;

	add_line(&text, "event", "%s", event->name);
	add_line(&text, "source", "%s", event->source);
	add_line(&text, "pmu", "%s", event->pmu);
	if (event->tool == TOOL_NONE)
		add_attr(&text, &e->attr);
	add_line(&text, "cpus", "%s", event->cpus ? event->cpus : "any");
	add_line(&text, "unit", "%s", event->unit[0] ? event->unit : "count");
	add_line(&text, "scale", "%.17g", event->factor);
	if (event->full_name)
		add_line(&text, "full_name", "%s", event->full_name);
	add_line(&text, "kernel", "%s", e->kernel);
	add_words(&text, e);
	if (text.failed)
		return -ENOMEM;
	return fwrite(str_text(&text), 1, text.len, out) < text.len ? -errno : 0;
}
