/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of --format history: what the reader accepts and refuses, and that it reads the numbers
 * of every fixed result as they are. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "document/history_csv.h"
#include "format/format.h"
#include "result/table.h"
#include "unit/format/fixed.h"
#include "unit/test.h"

#define HEADER "time,commit,branch,command,cs,page-faults\n"
#define TIME "2026-02-28T13:05:59+01:00"

static int load(const char *text, struct history *history, struct why *why)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text) ? strlen(text) : 1, "r");
	int err;

	assert_non_null(in);
	if (!*text)
		assert_int_equal(fgetc(in), '\0');
	err = history_csv_load(in, history, why);
	fclose(in);
	return err;
}

static void a_file_is_read(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(load(HEADER TIME ",abc,main,./prog,10,2.5\n" TIME
					  ",,\"a,\"\"b\"\"\n\",prog,,-1e-3\r\n" TIME
					  ",d,,prog,0,7\n",
			      &history, &why),
			 0);
	assert_int_equal(history.n, 3);
	assert_int_equal(history.metrics.n, 2);
	assert_int_equal(history.entries[0].time, 1772280359);
	assert_string_equal(history.entries[0].commit, "abc");
	assert_string_equal(history.entries[0].command, "./prog");
	assert_double(history.entries[0].values[history_find(&history, "cs")], 10);
	assert_double(history.entries[0].values[history_find(&history, "page-faults")], 2.5);
	assert_string_equal(history.entries[1].commit, "");
	assert_true(isnan(history.entries[1].values[history_find(&history, "cs")]));
	assert_double(history.entries[1].values[history_find(&history, "page-faults")], -0.001);
	assert_double(history.entries[2].values[history_find(&history, "cs")], 0);
}

static void entries_are_sorted_by_time_and_equal_times_keep_their_order(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };
	cleanup_str struct str text = { 0 };
	cleanup_why struct why why = { 0 };

	str_add(&text, HEADER);
	for (int i = 0; i < 60; i++)
		str_addf(&text, "2026-02-28T13:05:%02dZ,%d,,prog,%d,%s\n", 59 - i / 20, i, i,
			 i == 7 ? "" : "1");
	assert_int_equal(load(str_text(&text), &history, &why), 0);
	assert_int_equal(history.n, 60);
	for (size_t i = 0; i < 60; i++) {
		int line = (int)(i % 20 + 20 * (2 - i / 20));

		assert_int_equal(atoi(history.entries[i].commit), line);
		assert_double(history.entries[i].values[0], line);
		assert_int_equal(isnan(history.entries[i].values[1]), line == 7);
	}
}

static void a_file_without_entries_is_an_empty_history(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(load(HEADER, &history, &why), 0);
	assert_int_equal(history.n, 0);
}

static void a_damaged_file_is_refused_with_its_line(void **state)
{
#define NOT "not a history: line 1 has no column "
#define WRITES "; --format history writes one"
	static const struct {
		int line;
		const char *text, *why;
	} rows[] = {
		{ ROW, "{\"schema\": 1}\n", "not a history: line 1 is not CSV" WRITES },
		{ ROW, "\n", NOT "'time'" WRITES },
		{ ROW, "time,cs\n", NOT "'commit'" WRITES },
		{ ROW, "time,commit,cs\n", NOT "'command'" WRITES },
		{ ROW, "time,commit,command,cs,cs\n", "line 1: the column 'cs' appears twice" },
		{ ROW, HEADER TIME ",\"abc", "line 2: a quote is not closed" },
		{ ROW, HEADER TIME ",abc\"\n", "line 2: field 2 has text outside its quotes" },
		{ ROW, HEADER TIME ",\"a\"b,c\n", "line 2: field 2 has text outside its quotes" },
		{ ROW, HEADER TIME ",a,b,c,1\n",
		  "line 2: expected 6 fields, as in line 1, but found 5" },
		{ ROW, HEADER TIME ",a,b,c,1,2,3\n",
		  "line 2: expected 6 fields, as in line 1, but found 7" },
		{ ROW, HEADER "\n" TIME ",a,b,c,1,2\n",
		  "line 2: expected 6 fields, as in line 1, but found 1" },
		{ ROW, HEADER "yesterday,a,b,c,1,2\n",
		  "line 2: 'yesterday' is not a time (example: 2026-02-28T13:05:59+01:00)" },
		{ ROW, HEADER "2026-02-30T13:05:59Z,a,b,c,1,2\n",
		  "line 2: '2026-02-30T13:05:59Z' is not a time (example: 2026-02-28T13:05:59+01:00)" },
		{ ROW, HEADER TIME ",a,\"\n\",c,1,2\n" TIME ",a,b,c,x,2\n",
		  "line 4: 'x' is not a number (column 'cs')" },
		{ ROW, HEADER TIME ",a,b,c,nan,2\n",
		  "line 2: 'nan' is not a number (column 'cs')" },
		{ ROW, HEADER TIME ",a,b,c,1,0x2\n",
		  "line 2: '0x2' is not a number (column 'page-faults')" },
		{ ROW, HEADER TIME ",a,b,c,1e999,2\n",
		  "line 2: '1e999' is not a number (column 'cs')" },
		{ ROW, HEADER TIME ",a,b,c,1 2,2\n",
		  "line 2: '1 2' is not a number (column 'cs')" },
		{ ROW, HEADER TIME ",a,b,c,1",
		  "line 2: expected 6 fields, as in line 1, but found 5" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(history_release) struct history history = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i], load(rows[i].text, &history, &why), -EINVAL);
		row_string(&rows[i], why.text, rows[i].why);
	}
}

static void a_file_with_a_zero_byte_or_nothing_is_refused(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };
	cleanup_why struct why why = { 0 };
	char zero[] = "time\0commit";
	FILE *in = fmemopen(zero, sizeof(zero), "r");

	assert_non_null(in);
	assert_int_equal(history_csv_load(in, &history, &why), -EINVAL);
	assert_string_equal(why.text, "not a text file: it contains a zero byte");
	fclose(in);
	assert_int_equal(load("", &history, &why), -EINVAL);
	assert_string_equal(why.text, "the file is empty");
}

/* The text of --format history, with the names of the columns. */
static char *print(const struct table *result)
{
	const struct format_style style = { .header = true };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(format_history.write(result, &style, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void compare(const char *name, const struct history *history, const struct table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		cleanup_str struct str metric = { 0 }, shown = { 0 };
		const struct measure *m = &table->v[i];
		size_t at;

		if (!m->listed)
			continue;
		measure_add_name(&metric, m);
		str_add_utf8(&shown, str_text(&metric)); /* as CSV */
		at = history_find(history, str_text(&shown));
		if (!measure_is_known(m))
			continue;
		if (at == history->metrics.n || history->entries[0].values[at] != (double)m->value)
			fail_msg("%s: %s is not read as %.17Lg", name, str_text(&metric), m->value);
	}
}

static void every_result_is_read_with_its_numbers(void **state)
{
	for (const struct fixed_result *which = fixed_result; which->name; which++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };
		cleanup_with(table_release) struct table result = { 0 };
		cleanup_with(history_release) struct history history = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_free char *text = NULL;
		int err;

		fixed_make(&f, which);
		assert_int_equal(table_build(&result, &f.series, NULL), 0);
		text = print(&result);
		err = load(text, &history, &why);
		if (err < 0)
			fail_msg("%s: %s in\n%s", which->name, why_text(&why, err), text);
		assert_int_equal(history.n, 1);
		assert_int_equal(history.entries[0].time, f.series.started);
		compare(which->name, &history, &result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read),
		cmocka_unit_test(entries_are_sorted_by_time_and_equal_times_keep_their_order),
		cmocka_unit_test(a_file_without_entries_is_an_empty_history),
		cmocka_unit_test(a_damaged_file_is_refused_with_its_line),
		cmocka_unit_test(a_file_with_a_zero_byte_or_nothing_is_refused),
		cmocka_unit_test(every_result_is_read_with_its_numbers),
	};

	return cmocka_run_group_tests_name("history csv", tests, NULL, NULL);
}
