/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of each recorded machine against tests/fixtures/encodings/, whose values are from the
 * documents of the vendors.
 */
#include <errno.h>
#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/why.h"
#include "event/resolve.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { ATTR_COLUMNS = 4, EVENTS_MAX = 12, COLUMNS_MAX = 1 + EVENTS_MAX * ATTR_COLUMNS };

/* A table and its current line. */
struct table {
	const char *name;
	int line;
	struct machine machine;
	size_t accepted, refused;
};

static uint64_t number(const struct table *table, const char *text)
{
	uint64_t value = 0;

	if (num_parse(text, strlen(text), &value) < 0)
		fail_msg("%s:%d: '%s' is not a number", table->name, table->line, text);
	return value;
}

static void check_attr(const struct table *table, const struct event *event, char *const columns[])
{
	const struct perf_event_attr *attr = &event->attr;

	if (attr->type != number(table, columns[0]) || attr->config != number(table, columns[1]) ||
	    attr->config1 != number(table, columns[2]) ||
	    attr->config2 != number(table, columns[3]))
		fail_msg("%s:%d: %s: got type %u config 0x%llx 0x%llx 0x%llx", table->name,
			 table->line, event->name, attr->type, (unsigned long long)attr->config,
			 (unsigned long long)attr->config1, (unsigned long long)attr->config2);
}

/* A row: event, then type, config, config1 and config2 for each of the n events of that name. */
static void check_encoding(struct table *table, char *const columns[], size_t n)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };
	int err = resolve_events(&table->machine, RESOLVE_BY_ALL, columns[0], &list, &why);

	if (err < 0)
		fail_msg("%s:%d: %s: %s", table->name, table->line, columns[0],
			 why_text(&why, err));
	if (list.n != n)
		fail_msg("%s:%d: %s: %zu events", table->name, table->line, columns[0], list.n);
	for (size_t i = 0; i < n; i++)
		check_attr(table, &list.events[i], columns + 1 + i * ATTR_COLUMNS);
	table->accepted++;
}

/* A row: "!", event, a part of the message. The position has to be inside the event. */
static void check_refusal(struct table *table, char *const columns[])
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };
	int err = resolve_events(&table->machine, RESOLVE_BY_ALL, columns[1], &list, &why);

	if (err == 0)
		fail_msg("%s:%d: %s: is accepted", table->name, table->line, columns[1]);
	if (!strstr(why_text(&why, err), columns[2]))
		fail_msg("%s:%d: %s: '%s' does not name '%s'", table->name, table->line, columns[1],
			 why_text(&why, err), columns[2]);
	if (!why.has_position || why.position > strlen(columns[1]))
		fail_msg("%s:%d: %s: no place", table->name, table->line, columns[1]);
	table->refused++;
}

static void check_line(struct table *table, char *line)
{
	char *columns[COLUMNS_MAX + 1] = { NULL };
	size_t n = 0;

	line[strcspn(line, "\n")] = '\0';
	if (line[0] == '#' || line[0] == '\0')
		return;
	while (line && n <= COLUMNS_MAX)
		columns[n++] = strsep(&line, "\t");
	if (n == 3 && strcmp(columns[0], "!") == 0)
		check_refusal(table, columns);
	else if (n > 1 && n <= COLUMNS_MAX && n % ATTR_COLUMNS == 1)
		check_encoding(table, columns, n / ATTR_COLUMNS);
	else
		fail_msg("%s:%d: %zu columns", table->name, table->line, n);
}

static void check_table(const char *path)
{
	cleanup_free char *copy = strdup(path);
	cleanup_free char *line = NULL;
	struct table table = { .name = basename(copy) };
	FILE *in = fopen(path, "r");
	size_t size = 0;
	char *dot;

	assert_non_null(in);
	dot = strrchr(copy, '.');
	*dot = '\0';
	table.machine.root = tree_of_machine(basename(copy));
	*dot = '.';
	for (table.line = 1; getline(&line, &size, in) > 0; table.line++)
		check_line(&table, line);
	fclose(in);
	tree_remove(table.machine.root);
	if (table.accepted < 10 || table.refused == 0)
		fail_msg("%s: %zu encodings and %zu refusals", table.name, table.accepted,
			 table.refused);
}

static void recorded_machines_give_the_documented_encodings(void **state)
{
	const char *fixtures = getenv("FIXTURES");
	cleanup_free char *pattern = NULL;
	glob_t tables;

	if (!fixtures)
		fail_msg("FIXTURES is not set: run the tests by make check");
	assert_true(asprintf(&pattern, "%s/encodings/*.tsv", fixtures) > 0);
	assert_int_equal(glob(pattern, 0, NULL, &tables), 0);
	for (size_t i = 0; i < tables.gl_pathc; i++)
		check_table(tables.gl_pathv[i]);
	globfree(&tables);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_machines_give_the_documented_encodings),
	};

	return cmocka_run_group_tests_name("encodings", tests, NULL, NULL);
}
