/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of a command in all formats, added up in each way: the numbers are there, and sums
 * of several processes are marked. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "format/format.h"
#include "result/process_rows.h"
#include "unit/format/looks.h"
#include "unit/test.h"

/* The fixed result "processes" in one view. */
struct viewed {
	struct fixed f;
	struct process_rows rows;
	struct table result;
};

static void viewed_make(struct viewed *v, enum process_by by)
{
	const struct process_view view = { .by = by };
	cleanup_why struct why why = { 0 };

	fixed_make(&v->f, find_fixed_result("processes"));
	assert_int_equal(process_rows_build(&v->rows, &v->f.series, &view, &why), 0);
	assert_int_equal(table_build(&v->result, &v->rows.series, NULL), 0);
}

static void viewed_release(struct viewed *v)
{
	table_release(&v->result);
	process_rows_release(&v->rows);
	fixed_release(&v->f);
}

static char *print(enum process_by by, const char *look)
{
	cleanup_with(viewed_release) struct viewed v = { 0 };
	struct fixed of_view = { 0 };

	viewed_make(&v, by);
	of_view.series = v.rows.series;
	return look_print_result(find_report_look(look), &of_view);
}

static void check_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

static void every_count_is_in_the_table(void **state)
{
	for (enum process_by by = PROCESS_BY_PROCESS; by <= PROCESS_BY_TREE; by++) {
		cleanup_with(viewed_release) struct viewed v = { 0 };
		cleanup_free char *text = print(by, "table");

		viewed_make(&v, by);
		for (size_t i = 0; i < v.result.events_n; i++) {
			const struct measure *row = &v.result.v[i];
			cleanup_str struct str number = { 0 };

			str_add(&number, " ");
			if (measure_absent(row->state))
				str_add(&number, measure_absent(row->state));
			else
				num_add(&number, row->value,
					row->event->factor == 1 ? 0 : row->decimals,
					&(const struct num_style){ ",", "." });
			check_contains(text, str_text(&number));
		}
	}
}

static void set_command(const struct fixed *f, size_t place_index, const char *name,
			const char *command)
{
	struct process *process = f->places[place_index].process;

	free(process->name);
	free(process->command);
	process->name = strdup(name);
	process->command = strdup(command);
	assert_non_null(process->name);
	assert_non_null(process->command);
}

#define COMPILER "/usr/lib/gcc/x86_64-linux-gnu/12/cc1 -quiet -imultiarch x86_64-linux-gnu"

/* Two compilers in a terminal of 80 columns, without the lines above and below the table. */
static void check_screen(enum process_by by, const char *expected)
{
	const struct process_view view = { .by = by };
	struct format_style style = find_report_look("table")->style;
	cleanup_with(viewed_release) struct viewed v = { 0 };
	cleanup_free char *text = NULL;
	struct fixed of_view = { 0 };
	const char *table;

	fixed_make(&v.f, find_fixed_result("processes"));
	set_command(&v.f, 3, "cc1", COMPILER " f1.c -quiet -dumpbase f1.c -o /tmp/ccA.s");
	set_command(&v.f, 5, "cc1", COMPILER " src/f13.c -quiet -dumpbase src/f13.c -o /tmp/ccB.s");
	assert_int_equal(process_rows_build(&v.rows, &v.f.series, &view, NULL), 0);
	of_view.series = v.rows.series;
	style.width = 80;
	text = fixed_print(&of_view, &format_table, style);
	table = strstr(text, ":\n\n");
	assert_non_null(table);
	table += strlen(":\n\n");
	*strstr(table, "\n\n") = 0;
	assert_string_equal(table, expected);
}

#define PARTIAL "*: only the rows with a count; the shares are relative to this sum"

static const char by_process[] =
	" pid start s elapsed s   status task-clock (msec)         cycles  command\n"
	" 100   0.000     0.950        2              1.00     2,000,006   make -j2\n"
	" 101   0.010     0.390        0             15.00    18,000,054   cc1 f1.c\n"
	" 102   0.310     0.080 signal 9              9.00    10,000,030   as -\n"
	" 103   0.500     0.450        -             11.00  <not counted>  cc1 src/f13.c\n"
	"                                            36.00    30,000,090*  total\n" PARTIAL;

static const char by_name[] =
	" processes elapsed s task-clock (msec)                 cycles          program\n"
	"         2     0.839             23.00  63.9 %  <not counted>          cc1\n"
	"         1     0.080              9.00  25.0 %    10,000,030   62.5 %  as\n"
	"         1     0.951              4.00  11.1 %     6,000,018   37.5 %  make\n"
	"                                 36.00 100.0 %    16,000,048* partial  total\n" PARTIAL;

static const char by_tree[] =
	" pid start s elapsed s   status task-clock (msec) with children  command\n"
	" 100   0.000     0.950        2              1.00         25.00  make -j2\n"
	" 101   0.010     0.390        0             15.00         24.00    cc1 f1.c\n"
	" 102   0.310     0.080 signal 9              9.00          9.00      as -\n"
	" 103   0.500     0.450        -             11.00         11.00  cc1 src/f13.c\n"
	"                                            36.00                total";

/* The status stays, because it is not 0 everywhere. */
static void a_screen_shows_what_tells_processes_apart(void **state)
{
	check_screen(PROCESS_BY_PROCESS, by_process);
	check_screen(PROCESS_BY_NAME, by_name);
	check_screen(PROCESS_BY_TREE, by_tree);
}

static void csv_has_the_attributes_of_each_process(void **state)
{
	cleanup_free char *text = print(PROCESS_BY_PROCESS, "csv");

	/* the process with its last program, from its creation to its end */
	check_contains(text, ",task-clock,msec,counted,15.000045,");
	check_contains(text, ",exact,101,100,cc1,cc1 b.c,0.010000000,0.390000001,0,,1,0\r\n");
	check_contains(text, ",exact,102,101,as,as -,0.310000000,0.080000000,,9,1,0\r\n");
	check_contains(text, ",exact,103,,a|b é,,0.500000000,0.450000000,,,1,0\r\n");
}

static void csv_has_the_number_of_processes_of_a_name(void **state)
{
	cleanup_free char *text = print(PROCESS_BY_NAME, "csv-summary");

	check_contains(text, ",process,cc1,");
	check_contains(text, ",exact,,,cc1,,,,,,1,0\r\n");
	check_contains(text, ",exact,,,make,,,,,,1,0\r\n");
}

/* Otherwise a program that adds up the rows would count processes twice. */
static void sums_of_a_tree_are_marked(void **state)
{
	cleanup_free char *csv = print(PROCESS_BY_TREE, "csv");
	cleanup_free char *markdown = print(PROCESS_BY_TREE, "markdown");
	cleanup_free char *openmetrics = print(PROCESS_BY_TREE, "openmetrics");

	/* of make and of cc1, for two events each */
	assert_int_equal(count(csv, ",1,1\r\n"), 4);
	assert_int_equal(count(csv, ",1,0\r\n"), 8);
	check_contains(csv, ",make-100,1,,task-clock,msec,counted,1.000003,");
	check_contains(csv, ",make-100,5,,task-clock,msec,counted,25.000075,");
	assert_int_equal(count(markdown, " with children |"), 4);
	check_contains(markdown, "\n| `make-100` with children | `task-clock` | 25.00 |");
	check_contains(openmetrics, "process=\"make-100\",pid=\"100\",program=\"make\","
				    "with_children=\"1\",event=\"task-clock\",unit=\"msec\"} "
				    "25.000075\n");
}

/* perf's formats and those of trackers have no place for a mark. */
static void some_formats_have_no_sums(void **state)
{
	const struct format *const with_sums[] = { &format_table, &format_csv, &format_csv_summary,
						   &format_markdown, &format_openmetrics };

	assert_true(format_perf_csv.has_no_sums && format_perf_json.has_no_sums);
	assert_true(format_bmf.has_no_sums && format_benchmark_action.has_no_sums);
	assert_true(format_influx.has_no_sums && format_history.has_no_sums);
	for (size_t i = 0; i < N_OF(with_sums); i++)
		assert_false(with_sums[i]->has_no_sums);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_count_is_in_the_table),
		cmocka_unit_test(a_screen_shows_what_tells_processes_apart),
		cmocka_unit_test(csv_has_the_attributes_of_each_process),
		cmocka_unit_test(csv_has_the_number_of_processes_of_a_name),
		cmocka_unit_test(sums_of_a_tree_are_marked),
		cmocka_unit_test(some_formats_have_no_sums),
	};

	return cmocka_run_group_tests_name("processes", tests, NULL, NULL);
}
