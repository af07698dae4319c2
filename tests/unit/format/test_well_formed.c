/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules for every fixed result and comparison in every look: valid UTF-8, nothing that a terminal
 * or a page would obey, lines and cells as the format defines them, and colours that only add to
 * the text. test_csv.c and test_openmetrics.c have more rules of these formats. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/load.c" /* for its values of a JSON text */

#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/why.h"
#include "format/terminal/terminal.h"
#include "unit/format/looks.h"
#include "unit/test.h"

/* The check of one look of one fixed result, or of one comparison. */
typedef void check_result(const char *name, const struct result_look *look, struct fixed *f);
typedef void check_comparison(const char *name, const struct comparison_look *look,
			      const struct fixed_comparison *f);

static void for_each(check_result *of_result, check_comparison *of_comparison)
{
	for (const struct fixed_result *result = fixed_result; of_result && result->name;
	     result++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };

		fixed_make(&f, result);
		for (const struct result_look *look = result_looks; look->name; look++)
			of_result(result->name, look, &f);
	}
	for (const struct fixed_comparison *which = fixed_comparisons; of_comparison && which->name;
	     which++) {
		struct fixed_comparison *f = fixed_comparison_new(which);

		for (const struct comparison_look *look = comparison_looks; look->name; look++)
			of_comparison(which->name, look, f);
		fixed_comparison_free(f);
	}
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* ---- Characters. */

static bool is_utf8(const char *text)
{
	cleanup_str struct str clean = { 0 };

	str_add_utf8(&clean, text);
	assert_false(clean.failed);
	return strcmp(str_text(&clean), text) == 0;
}

/* The first control character other than a newline or, if allowed, a colour; NULL: there is
 * none. */
static const char *find_control(const char *text, bool colours)
{
	while (*text) {
		uint32_t character = 0;
		size_t n = utf8_decode(text, &character);

		if (colours && begins(text, "\033[")) {
			n = 2 + strspn(text + 2, "0123456789");
			if (text[n] == 'm')
				character = ' ';
		}
		if (character != '\n' && utf8_is_control(character))
			return text;
		text += n ? n : 1;
	}
	return NULL;
}

/* Formats whose text is one JSON value. */
static bool is_json(const char *look)
{
	return begins(look, "json") || begins(look, "bmf") || begins(look, "benchmark-action");
}

/* Formats whose strings can hold control characters, because their readers treat them as data. */
static bool may_hold_controls(const char *look)
{
	return begins(look, "csv") || begins(look, "openmetrics") || is_json(look) ||
	       begins(look, "history") || begins(look, "perf-json") || begins(look, "html");
}

static void check_characters(const char *name, const char *look, const char *text)
{
	const char *control = NULL;

	/* Like perf's CSV, -x writes the bytes unchanged. */
	if (begins(look, "perf-csv") &&
	    (strcmp(name, "invalid-utf8-names") == 0 || strcmp(name, "per-thread") == 0))
		return;
	if (!is_utf8(text))
		fail_msg("%s.%s is not UTF-8", name, look);
	if (!may_hold_controls(look))
		control = find_control(text, strstr(look, "colour"));
	if (control)
		fail_msg("%s.%s: a control character, byte %02X: %.60s", name, look,
			 (unsigned char)*control, control);
	if (is_json(look) || begins(look, "perf-json"))
		for (const char *p = text; *p; p++)
			if ((unsigned char)*p < ' ' && *p != '\n')
				fail_msg("%s.%s: byte %02X is not escaped", name, look,
					 (unsigned char)*p);
}

/* In a page, the document between its tags has no markup. */
static void check_markup(const char *name, const char *look, const char *text)
{
	static const char tag[] = "<script type=\"application/json\" id=\"document\">";
	const char *document = strstr(text, tag);

	if (strcmp(look, "html") != 0)
		return;
	assert_non_null(document);
	document += strlen(tag);
	if (strncmp(strchr(document, '<'), "</script>\n<script>\n", 19) != 0)
		fail_msg("%s: a name is markup: %.60s", name, strchr(document, '<'));
}

static void check_characters_of_result(const char *name, const struct result_look *look,
				       struct fixed *f)
{
	cleanup_free char *text = look_print_result(look, f);

	check_characters(name, look->name, text);
	check_markup(name, look->name, text);
}

static void check_characters_of_comparison(const char *name, const struct comparison_look *look,
					   const struct fixed_comparison *f)
{
	cleanup_free char *text = look_print_comparison(look, f);

	check_characters(name, look->name, text);
	check_markup(name, look->name, text);
}

static void every_text_is_utf8_without_control_characters(void **state)
{
	for_each(check_characters_of_result, check_characters_of_comparison);
}

/* ---- JSON: the document, and each line of perf's. */

static void check_json(const char *name, const char *text, size_t n)
{
	cleanup_why struct why why = { 0 };
	struct load_value top;
	struct load load = { 0 };
	int err = load_begin(&load, text, n, &top, &why);

	if (err < 0)
		fail_msg("%s: %s in\n%.*s", name, why_text(&why, err), (int)n, text);
	load_release(&load);
}

static void check_json_of_result(const char *name, const struct result_look *look, struct fixed *f)
{
	cleanup_free char *text = look_print_result(look, f);

	if (is_json(look->name))
		check_json(name, text, strlen(text));
	for (char *line = text; begins(look->name, "perf-json") && *line;) {
		size_t n = strcspn(line, "\n");

		check_json(name, line, n);
		line += n + 1;
	}
}

static void check_json_of_comparison(const char *name, const struct comparison_look *look,
				     const struct fixed_comparison *f)
{
	cleanup_free char *text = look_print_comparison(look, f);

	if (is_json(look->name))
		check_json(name, text, strlen(text));
}

static void json_is_read_by_its_library(void **state)
{
	if (!dlopen("libjansson.so.4", RTLD_LAZY))
		skip();
	for_each(check_json_of_result, check_json_of_comparison);
}

/* ---- Fields and cells. */

/* The number of separators in the line that are not after a backslash. */
static size_t count_separators(const char *line, size_t n, char separator)
{
	size_t separators = 0;

	for (size_t i = 0; i < n; i++) {
		if (line[i] == '\\' && separator == '|')
			i++;
		else
			separators += line[i] == separator;
	}
	return separators;
}

/* All consecutive lines with this beginning have the same number of separators. */
static void check_cells(const char *name, const char *text, const char *begin, char separator)
{
	size_t expected = 0;

	for (const char *line = text; *line;) {
		size_t n = strcspn(line, "\n");
		size_t cells = begins(line, begin) ? count_separators(line, n, separator) : 0;

		if (expected && cells && cells != expected)
			fail_msg("%s: %zu separators, not %zu: %.*s", name, cells, expected, (int)n,
				 line);
		expected = cells;
		line += n + 1;
	}
}

static void check_cells_of_result(const char *name, const struct result_look *look, struct fixed *f)
{
	cleanup_free char *text = look_print_result(look, f);

	if (strcmp(look->name, "markdown") == 0)
		check_cells(name, text, "|", '|');
	/* Like perf's CSV, -x does not quote a name that contains the separator. */
	if (strcmp(look->name, "perf-csv") == 0 && strcmp(name, "hostile-names") != 0 &&
	    strcmp(name, "cgroups-per-cpu") != 0)
		check_cells(name, text, "", ',');
}

static void check_cells_of_comparison(const char *name, const struct comparison_look *look,
				      const struct fixed_comparison *f)
{
	cleanup_free char *text = look_print_comparison(look, f);

	if (strcmp(look->name, "markdown") == 0)
		check_cells(name, text, "|", '|');
}

static void lines_have_as_many_cells(void **state)
{
	for_each(check_cells_of_result, check_cells_of_comparison);
}

/* ---- Colours. */

/* How often text appears in this colour; in NULL: any text. */
static size_t count_coloured(const char *text, enum colour colour, const char *in)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const struct line_style style = { .ruler = &ruler, .colour = true };
	cleanup_line struct line wanted = { .style = &style };
	size_t n = 0;

	line_right(&wanted, in ? in : "", 0, colour);
	assert_non_null(strchr(str_text(&wanted.text), 'm'));
	if (!in) /* only the sequence that begins the colour */
		strchr(wanted.text.text, 'm')[1] = '\0';
	for (; (text = strstr(text, str_text(&wanted.text))); text++)
		n++;
	return n;
}

static void check_count(const char *name, const char *text, enum colour colour, const char *in,
			size_t expected)
{
	size_t n = count_coloured(text, colour, in);

	if (n != expected)
		fail_msg("%s: %zu times '%s' in colour %d, not %zu:\n%s", name, n,
			 in ? in : "anything", colour, expected, text);
}

static void check_without_colours(const char *name, const char *coloured, const char *plain)
{
	cleanup_str struct str text = { 0 };

	for (const char *p = coloured; *p; p++) {
		if (begins(p, "\033["))
			p += strcspn(p, "m");
		else
			str_add_n(&text, p, 1);
	}
	if (strcmp(str_text(&text), plain) != 0)
		fail_msg("%s: without its colours\n%s\nand printed without colours\n%s", name,
			 str_text(&text), plain);
}

/* The numbers of coloured texts in the rows of a result. */
struct coloured {
	size_t unsupported, missing, scaled;
	size_t levels[LEVEL_SEVERE + 1]; /* metrics of each level */
};

static struct coloured coloured_of(const struct table *result)
{
	struct coloured coloured = { 0 };

	for (size_t i = 0; i < result->events_n; i++) {
		const struct measure *row = &result->v[i];

		coloured.unsupported += row->state == NOT_SUPPORTED;
		coloured.missing += row->state != NOT_SUPPORTED && measure_absent(row->state);
		coloured.scaled += row->state == SCALED;
		for (size_t k = 0; k < row->metrics_n; k++)
			coloured.levels[row->metrics[k].level]++;
	}
	return coloured;
}

/* Yellow marks estimates and slightly raised metrics; red marks higher ones. */
static void check_colours(const char *name, const struct table *result, const char *text)
{
	const struct coloured of = coloured_of(result);

	check_count(name, text, COLOUR_UNSUPPORTED, measure_absent(NOT_SUPPORTED), of.unsupported);
	check_count(name, text, COLOUR_UNSUPPORTED, NULL, of.unsupported);
	check_count(name, text, COLOUR_MISSING, measure_absent(NOT_COUNTED), of.missing);
	check_count(name, text, COLOUR_SEVERE, NULL, of.missing + of.levels[LEVEL_SEVERE]);
	check_count(name, text, COLOUR_HIGH, NULL, of.levels[LEVEL_HIGH]);
	check_count(name, text, COLOUR_RAISED, NULL, of.levels[LEVEL_RAISED] + of.scaled);
	for (size_t i = 0; i < result->events_n; i++) {
		cleanup_str struct str share = { 0 };

		num_add(&share, result->v[i].running_percent, 2, &num_plain);
		str_add(&share, "%");
		if (result->v[i].state == SCALED &&
		    count_coloured(text, COLOUR_ESTIMATE, str_text(&share)) == 0)
			fail_msg("%s: %s is not in its colour in\n%s", name, str_text(&share),
				 text);
	}
}

static void only_rows_that_need_attention_are_coloured(void **state)
{
	const struct result_look *plain_look = find_report_look("table");
	const struct result_look *look = find_report_look("table-colour");

	for (const struct fixed_result *which = fixed_result; which->name; which++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };
		cleanup_with(table_release) struct table result = { 0 };
		cleanup_free char *text = NULL, *plain = NULL;

		fixed_make(&f, which);
		text = look_print_result(look, &f);
		plain = look_print_result(plain_look, &f);
		check_without_colours(which->name, text, plain);
		/* the rows of each interval have the colours of other results */
		if (f.series.intervals_n > 0 || f.series.split == PLACE_PROCESS)
			continue;
		assert_int_equal(table_build(&result, &f.series, NULL), 0);
		check_colours(which->name, &result, text);
	}
}

static void check_compared_colours(const struct fixed_comparison *f, const char *text)
{
	static const enum colour colours[] = {
		[VERDICT_BETTER] = COLOUR_BETTER,
		[VERDICT_WORSE] = COLOUR_WORSE,
		[VERDICT_UNCLEAR] = COLOUR_UNCLEAR,
		[VERDICT_TOO_FEW] = COLOUR_ASIDE,
	};
	const struct comparison *c = f->comparison;
	size_t words[VERDICT_NONE + 1] = { 0 };

	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t side = 1; side < c->input.sides_n; side++)
			words[comparison_verdict(&c->rows[i], side)]++;
	for (enum verdict word = 0; word < N_OF(colours); word++)
		if (colours[word] != COLOUR_NONE)
			check_count(f->name, text, colours[word], comparison_verdict_text(word),
				    words[word]);
}

static void colours_of_a_comparison_follow_its_words(void **state)
{
	for (const struct fixed_comparison *which = fixed_comparisons; which->name; which++) {
		struct fixed_comparison *f = fixed_comparison_new(which);
		cleanup_free char *plain =
			look_print_comparison(find_comparison_look("table-80"), f);
		cleanup_free char *text =
			look_print_comparison(find_comparison_look("table-80-colour"), f);

		check_without_colours(f->name, text, plain);
		check_compared_colours(f, text);
		assert_true(count_coloured(text, COLOUR_NAME, NULL) > 0);
		fixed_comparison_free(f);
	}
}

/* ---- Columns of the tables. */

/* The column that follows the name in a line of the table, or -1 if the name is not in the line. */
static int column_of(struct ruler *ruler, const char *line, size_t n, const char *name)
{
	cleanup_str struct str wanted = { 0 }, before = { 0 };
	const char *found;

	str_add(&wanted, " ");
	ruler_add(ruler, &wanted, name);
	wanted.len -= name[strlen(name) - 1] == ' ';
	wanted.text[wanted.len] = '\0';
	found = memmem(line, n, str_text(&wanted), wanted.len);
	if (!found || !strchr(" \n", found[wanted.len]))
		return -1;
	str_add_n(&before, line, (size_t)(found - line));
	return ruler_measure(ruler, str_text(&before));
}

/* The names of all rows begin in the same column. */
static void check_columns(const char *name, const struct table *result, const char *text)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const char *line = strchr(strstr(text, ":\n") + 2, '\n') + 1;
	int column = -1;

	for (size_t i = 0; i < result->events_n; line = strchr(line, '\n') + 1) {
		int found = column_of(&ruler, line, strcspn(line, "\n") + 1, result->v[i].name);

		if (*line == '\n')
			fail_msg("%s: no row of %s in\n%s", name, result->v[i].name, text);
		if (found < 0)
			continue;
		column = i == 0 ? found : column;
		if (found != column)
			fail_msg("%s: %s is in column %d, not %d:\n%s", name, result->v[i].name,
				 found, column, text);
		i++;
	}
}

static void names_are_aligned(void **state)
{
	for (const struct fixed_result *which = fixed_result; which->name; which++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };
		cleanup_with(table_release) struct table result = { 0 };
		cleanup_free char *text = NULL;

		fixed_make(&f, which);
		if (f.series.intervals_n > 0 || f.series.split == PLACE_PROCESS)
			continue;
		text = look_print_result(find_report_look("table"), &f);
		assert_int_equal(table_build(&result, &f.series, NULL), 0);
		check_columns(which->name, &result, text);
	}
}

/* The first line that is too wide. Only lines for logs may be. */
static void check_lines(const struct fixed_comparison *f, char *text, int width, bool ascii)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		int columns = ruler_measure(&ruler, line);

		if (begins(line, "pstat: "))
			continue;
		if (columns > width)
			fail_msg("%s: %d columns in %d%s: %s", f->name, columns, width,
				 ascii ? ", ASCII" : "", line);
		if (strlen(line) > 0 && line[strlen(line) - 1] == ' ')
			fail_msg("%s in %d: blanks at the end: %s", f->name, width, line);
		for (const char *p = line; ascii && *p; p++)
			if (*p & 0x80 && f->comparison->input.sides_n == 2 &&
			    strcmp(f->name, "two-sides") == 0)
				fail_msg("%s: not ASCII: %s", f->name, line);
	}
}

static void check_widths(const struct fixed_comparison *f, const char *name, int least)
{
	for (int width = least; width <= 240; width++)
		for (int ascii = 0; ascii < 2; ascii++) {
			struct comparison_look look = *find_comparison_look(name);
			cleanup_free char *text = NULL;

			look.style.width = width;
			look.style.ascii = ascii;
			text = look_print_comparison(&look, f);
			check_lines(f, text, width, ascii);
		}
}

static void no_line_is_wider_than_the_terminal(void **state)
{
	for (const struct fixed_comparison *which = fixed_comparisons; which->name; which++) {
		struct fixed_comparison *f = fixed_comparison_new(which);

		check_widths(f, "answer-80", 40);
		check_widths(f, "table-80", 45);
		fixed_comparison_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_is_utf8_without_control_characters),
		cmocka_unit_test(json_is_read_by_its_library),
		cmocka_unit_test(lines_have_as_many_cells),
		cmocka_unit_test(only_rows_that_need_attention_are_coloured),
		cmocka_unit_test(colours_of_a_comparison_follow_its_words),
		cmocka_unit_test(names_are_aligned),
		cmocka_unit_test(no_line_is_wider_than_the_terminal),
	};

	return cmocka_run_group_tests_name("well formed", tests, NULL, NULL);
}
