/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Perf's tables. Each line of the input is an object, "KEY=VALUE~KEY=VALUE"; an input that begins
 * with '[' is the table itself. Whatever it contains, pstat accepts or refuses each of its events,
 * metrics and groups.
 *
 * FUZZ_MACHINE names the folder of the machine (see tests/fixtures/unpack).
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "fuzz.h"
#include "fuzz_no_libraries.h"
#include "job/table_metrics.h"
#include "machine/perf_tables.h"

enum { NAMES_MAX = 8 }; /* that are looked up: each looks at the whole table */

static char *machine_root;
static char *path;
static int file = -1;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	machine_root = getenv("FUZZ_MACHINE");
	file = memfd_create("table", MFD_CLOEXEC);
	CHECK(machine_root && file >= 0);
	CHECK(asprintf(&path, "/proc/self/fd/%d", file) > 0);
	return 0;
}

static void add_string(struct str *json, const char *text, size_t n)
{
	str_add(json, "\"");
	for (size_t i = 0; i < n; i++) {
		const int c = text[i] & 0x7f;

		if (c == '"' || c == '\\' || c < ' ')
			str_addf(json, "\\u%04x", (unsigned int)c);
		else
			str_addf(json, "%c", c);
	}
	str_add(json, "\"");
}

static void add_object(struct str *json, const char *line)
{
	for (const char *member = line; *member; member += strspn(member, "~")) {
		const size_t key_n = strcspn(member, "=~");
		const char *value = member + key_n + (member[key_n] == '=');
		const size_t n = strcspn(value, "~");

		str_add(json, member == line ? "{" : ",");
		add_string(json, member, key_n);
		str_add(json, ":");
		add_string(json, value, n);
		member = value + n;
	}
	str_add(json, *line ? "}" : "{}");
}

static void write_table(char *lines)
{
	cleanup_str struct str json = { 0 };

	str_add(&json, "[");
	if (*lines == '[') {
		str_add(&json, lines + 1);
		*lines = '\0';
	}
	while (*lines) {
		add_object(&json, fuzz_line(&lines));
		str_add(&json, *lines ? ",\n" : "");
	}
	str_add(&json, "]");
	CHECK(ftruncate(file, 0) == 0);
	CHECK(pwrite(file, str_text(&json), json.len, 0) == (ssize_t)json.len);
}

static void check_event(const struct machine *m, const char *name)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	/* only optional events ("x?") may be left out, with a reason */
	if (resolve_events(m, RESOLVE_BY_ALL, name, &list, &why) == 0)
		CHECK(list.n + list.left_out.n > 0);
	else
		CHECK(why.text);
}

static void check_metric(const struct metric_request *request)
{
	const struct expression *e = &request->expression;
	long double values[EXPRESSION_EVENTS_MAX] = { 0 }, value = 0;

	CHECK(e->events_n > 0 && e->events_n <= EXPRESSION_EVENTS_MAX);
	CHECK(expression_evaluate(e, values, 1, 4, &value) < 0 || isfinite((double)value));
}

static void check_metrics(const struct machine *m, const char *name)
{
	struct table_metrics data = { .machine = m };
	const struct metric_tables tables = table_metrics_of(&data);
	cleanup_with(metric_list_release) struct metric_request_list list = { 0 };
	cleanup_why struct why why = { 0 };

	if (metric_list_parse_with(&list, name, &tables, &why) < 0) {
		CHECK(why.text && list.n == 0);
		return;
	}
	for (size_t i = 0; i < list.n; i++)
		check_metric(&list.v[i]);
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *lines = fuzz_text(data, size);
	cleanup_with(machine_release) struct machine m = { 0 };
	cleanup_why struct why why = { 0 };

	write_table(lines);
	CHECK(machine_init(&m, machine_root, &why) == 0);
	if (perf_tables_read(m.tables, path, &why) < 0) {
		CHECK(why.text); /* for example, a key twice */
		return;
	}
	for (size_t i = 0; i < m.tables->events_n && i < NAMES_MAX; i++)
		check_event(&m, m.tables->events[i].name);
	for (size_t i = 0; i < m.tables->metrics_n && i < NAMES_MAX; i++) {
		const char *groups =
			perf_tables_member(m.tables, &m.tables->metrics[i], "MetricGroup");

		check_metrics(&m, m.tables->metrics[i].name);
		if (groups)
			check_metrics(&m, groups);
	}
}
