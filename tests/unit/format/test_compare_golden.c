/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every fixed comparison in every format, as it stands in golden-compare/COMPARISON.LOOK. `make
 * update-golden` writes these files anew and shows what has changed: to be read before it is committed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/html/compare_html.h"
#include "format/ruler.h"
#include "unit/format/fixed_compare.h"
#include "unit/format/golden.h"
#include "unit/test.h"

enum { COMPARISONS_MAX = 64 };

#define NUMBERS .report.numbers = { .thousands = ",", .point = "." }

/* A format, and how it is told to print. */
static const struct look {
	const char *name; /* behind the dot of the file's name */
	const struct comparison_format *format;
	struct comparison_style style;
} looks[] = {
	{ "table-60", &comparison_table, { NUMBERS, .width = 60 } },
	{ "table-80", &comparison_table, { NUMBERS, .width = 80 } },
	{ "table-100", &comparison_table, { NUMBERS, .width = 100 } },
	{ "table-200", &comparison_table, { NUMBERS, .width = 200 } },
	{ "table-80-ascii", &comparison_table, { NUMBERS, .width = 80, .ascii = true } },
	{ "table-80-colour", &comparison_table, { NUMBERS, .width = 80, .colour = true } },
	{ "markdown", &comparison_markdown, { NUMBERS } },
	{ "github", &comparison_github, { NUMBERS } },
	{ "html", &comparison_html, { NUMBERS } },
};

static struct golden golden;

static void looks_as_in_its_files(void **state)
{
	struct fixed_comparison *f = fixed_comparison_new(*state);
	size_t others = 0;

	for (size_t i = 0; i < N_OF(looks); i++) {
		cleanup_free char *text =
			fixed_comparison_print(f, looks[i].format, &looks[i].style);
		cleanup_str struct str name = { 0 };

		str_addf(&name, "%s.%s", f->name, looks[i].name);
		others += !golden_holds(&golden, str_text(&name), text);
	}
	if (others && !golden.update)
		fail_msg("%s: %zu of %zu looks are others; where that is right, "
			 "`make update-golden`",
			 f->name, others, N_OF(looks));
	fixed_comparison_free(f);
}

/* The line that is too wide, if there is one: what is longer belongs to logs. */
static void check_lines(const struct fixed_comparison *f, char *text, int width, bool ascii)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		int columns = ruler_measure(&ruler, line);

		if (strncmp(line, "pstat: ", 7) == 0)
			continue;
		if (columns > width)
			fail_msg("%s: of %d columns in %d%s: %s", f->name, columns, width,
				 ascii ? ", ASCII" : "", line);
		if (strlen(line) > 0 && line[strlen(line) - 1] == ' ')
			fail_msg("%s in %d: blanks at the end: %s", f->name, width, line);
	}
}

static void no_line_is_wider_than_the_terminal(void **state)
{
	for (const struct fixed_comparison *which = fixed_comparisons; which->name; which++) {
		struct fixed_comparison *f = fixed_comparison_new(which);

		for (int width = 45; width <= 240; width++)
			for (int ascii = 0; ascii < 2; ascii++) {
				struct comparison_style style = { NUMBERS, .width = width,
								  .ascii = ascii };
				cleanup_free char *text =
					fixed_comparison_print(f, &comparison_table, &style);

				check_lines(f, text, width, ascii);
			}
		fixed_comparison_free(f);
	}
}

static bool is_made(const char *file)
{
	for (const struct fixed_comparison *f = fixed_comparisons; f->name; f++) {
		size_t n = strlen(f->name);

		if (strncmp(file, f->name, n) != 0 || file[n] != '.')
			continue;
		for (size_t i = 0; i < N_OF(looks); i++)
			if (strcmp(file + n + 1, looks[i].name) == 0)
				return true;
	}
	return false;
}

static void no_file_is_left_of_what_is_made_no_more(void **state)
{
	assert_int_equal(golden_strays(&golden, is_made), 0);
}

int main(void)
{
	struct CMUnitTest tests[COMPARISONS_MAX] = {
		cmocka_unit_test(no_file_is_left_of_what_is_made_no_more),
		cmocka_unit_test(no_line_is_wider_than_the_terminal),
	};
	size_t n = 2;
	int failed;

	if (golden_open(&golden, "golden-compare") < 0)
		return 99;
	for (const struct fixed_comparison *f = fixed_comparisons; f->name; f++)
		tests[n++] = (struct CMUnitTest){ .name = f->name,
						  .test_func = looks_as_in_its_files,
						  .initial_state = (void *)(uintptr_t)f };
	failed = _cmocka_run_group_tests("compare_golden", tests, n, NULL, NULL);
	golden_close(&golden);
	return failed;
}
