/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "unit/test.h"

static void an_empty_text_is_a_text(void **state)
{
	struct str s = { 0 };

	assert_string_equal(str_text(&s), "");
	str_release(&s);
	str_release(&s);
}

static void text_is_appended(void **state)
{
	cleanup_str struct str s = { 0 };

	str_add(&s, "one");
	str_add(&s, "");
	str_add_n(&s, " two and more", 4);
	str_addf(&s, " %d%%%s", 3, "!");
	assert_string_equal(str_text(&s), "one two 3%!");
	assert_int_equal(s.len, strlen("one two 3%!"));
	assert_false(s.failed);
}

static void text_grows_without_end(void **state)
{
	cleanup_str struct str s = { 0 };

	for (size_t i = 0; i < 10000; i++)
		str_addf(&s, "%04zu,", i);
	assert_int_equal(s.len, 50000);
	assert_memory_equal(s.text, "0000,0001,", 10);
	assert_string_equal(s.text + 49995, "9999,");
}

static void bytes_may_be_nul(void **state)
{
	cleanup_str struct str s = { 0 };

	str_add_n(&s, "a\0b", 3);
	assert_int_equal(s.len, 3);
	assert_memory_equal(s.text, "a\0b", 4);
}

static void controls_are_escaped_byte_by_byte(void **state)
{
	static const struct {
		int line;
		const char *text, *escaped;
	} rows[] = {
		{ ROW, "", "" },
		{ ROW, "plain gr\u00f6\u00dfe \u5927", "plain gr\u00f6\u00dfe \u5927" },
		{ ROW, "a\nb\x1b[31m\x7f", "a\\x0ab\\x1b[31m\\x7f" },
		/* C1, as UTF-8 and as Latin-1 */
		{ ROW, "\xc2\x80-\xc2\x9b-\xc2\x9f-\u00a0",
		  "\\xc2\\x80-\\xc2\\x9b-\\xc2\\x9f-\u00a0" },
		{ ROW,
		  "\x9b"
		  "31m",
		  "\\x9b31m" },
		{ ROW, "\xff\xe9", "\xff\xe9" },
		/* characters that change the direction of text or end a line */
		{ ROW, "\u061c", "\\xd8\\x9c" },
		{ ROW, "\u200d\u200e\u200f\u2010", "\u200d\\xe2\\x80\\x8e\\xe2\\x80\\x8f\u2010" },
		{ ROW, "\u2029", "\\xe2\\x80\\xa9" },
		{ ROW, "\u202a\u202e", "\\xe2\\x80\\xaa\\xe2\\x80\\xae" },
		{ ROW, "\u2066\u2069\u206a", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9\u206a" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str s = { 0 };

		str_add_escaped(&s, rows[i].text);
		row_string(&rows[i], str_text(&s), rows[i].escaped);
	}
}

static void a_field_of_csv_is_one_line_and_no_command(void **state)
{
	static const struct {
		int line;
		const char *text, *field;
	} rows[] = {
		{ ROW, "", "" },
		{ ROW, "skl::INST_RETIRED:u", "skl::INST_RETIRED:u" },
		{ ROW, "a,b \"c\"", "\"a,b \"\"c\"\"\"" },
		{ ROW, "a\\b", "a\\b" },
		{ ROW, "a\n::error::b\r\n", "a\\n::error::b\\r\\n" },
		{ ROW, "::error::a", "\"::error::a\"" },
		{ ROW, " \t\u00a0::error::a", "\" \t\u00a0::error::a\"" },
		{ ROW, "\xff", "\ufffd" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str field = { 0 };

		str_add_csv(&field, rows[i].text);
		row_string(&rows[i], str_text(&field), rows[i].field);
	}
}

static void a_failed_text_stays_failed(void **state)
{
	cleanup_str struct str s = { .failed = true };

	str_add(&s, "text");
	str_addf(&s, "%d", 1);
	assert_true(s.failed);
	assert_string_equal(str_text(&s), "");
}

static void lists_own_copies(void **state)
{
	cleanup_str_list struct str_list list = { 0 };
	char text[] = "b";

	assert_int_equal(str_list_add(&list, text), 0);
	memset(text, 'x', 1);
	assert_string_equal(list.v[0], "b");
	assert_true(str_list_has(&list, "b"));
	assert_false(str_list_has(&list, "x"));
	assert_false(str_list_has(&list, ""));
}

static void lists_are_sorted_by_bytes(void **state)
{
	static const char *const words[] = { "b", "a", "B", "", "ab", "a" };
	static const char *const sorted[] = { "", "B", "a", "a", "ab", "b" };
	cleanup_str_list struct str_list list = { 0 };

	str_list_sort(&list); /* nothing to sort */
	for (size_t i = 0; i < N_OF(words); i++)
		assert_int_equal(str_list_add(&list, words[i]), 0);
	str_list_sort(&list);
	for (size_t i = 0; i < N_OF(sorted); i++)
		assert_string_equal(list.v[i], sorted[i]);
}

static void an_array_has_room_before_it_is_written(void **state)
{
	cleanup_free uint64_t *array = NULL;
	size_t n = 0, size = 0;

	for (; n < 1000; n++) {
		assert_int_equal(array_grow(&array, n, &size, sizeof(*array)), 0);
		assert_true(size > n);
		array[n] = n;
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal(array[i], i);
}

static void taking_leaves_the_variable_empty(void **state)
{
	char *text = strdup("text");
	char *taken = take_ptr(text);
	int fd = 7;

	assert_null(text);
	assert_string_equal(taken, "text");
	free(taken);
	assert_int_equal(take_fd(&fd), 7);
	assert_int_equal(fd, -1);
}

static void a_list_has_a_comma_between_each_two(void **state)
{
	cleanup_str struct str s = { 0 };

	str_add_listed(&s, "a");
	assert_string_equal(str_text(&s), "a");
	str_add_listed(&s, "b");
	str_add_listed(&s, "c");
	assert_string_equal(str_text(&s), "a, b, c");
}

static unsigned int distance(const char *a, const char *b)
{
	return str_distance(a, strlen(a), b, strlen(b));
}

static void each_kind_of_mistake_is_one_letter(void **state)
{
	static const struct {
		int line;
		const char *a, *b;
		unsigned int distance;
	} pairs[] = {
		{ ROW, "", "", 0 },
		{ ROW, "cycles", "cycles", 0 },
		{ ROW, "", "abc", 3 },
		{ ROW, "cyxles", "cycles", 1 }, /* replaced */
		{ ROW, "cyles", "cycles", 1 }, /* missing */
		{ ROW, "cyycles", "cycles", 1 }, /* added */
		{ ROW, "cylces", "cycles", 1 }, /* swapped */
		{ ROW, "Cycles", "cycles", 0 },
		{ ROW, "CYCLES", "cycles", 0 },
		{ ROW, "branch_misses", "branch-misses", 0 },
		{ ROW, "sched.switch", "sched:switch", 0 },
		{ ROW, "branches-misses", "branch-misses", 2 },
		{ ROW, "abc", "xyz", 3 },
		{ ROW, "CYLCES_x", "cycles-y", 2 },
	};

	for (size_t i = 0; i < N_OF(pairs); i++)
		row_int(&pairs[i], distance(pairs[i].a, pairs[i].b), pairs[i].distance);
}

static void the_distance_is_the_same_from_both_sides(void **state)
{
	static const char *const words[] = { "cycles",	    "cpu-cycles", "instructions",
					     "CS",	    "",		  "branch-misses",
					     "branch_miss", "l1d",	  "LLC-loads" };

	for (size_t i = 0; i < N_OF(words); i++)
		for (size_t j = 0; j < N_OF(words); j++) {
			assert_int_equal(distance(words[i], words[j]),
					 distance(words[j], words[i]));
			assert_int_equal(distance(words[i], words[j]) == 0, i == j);
		}
}

static void a_text_too_long_to_compare_is_far_away(void **state)
{
	char text[129];

	memset(text, 'a', sizeof(text));
	assert_int_equal(str_distance(text, 129, text, 129), 129);
	assert_int_equal(str_distance("a", 1, text, 129), 129);
	assert_int_equal(str_distance(text, 128, text, 128), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_text_is_a_text),
		cmocka_unit_test(text_is_appended),
		cmocka_unit_test(text_grows_without_end),
		cmocka_unit_test(bytes_may_be_nul),
		cmocka_unit_test(controls_are_escaped_byte_by_byte),
		cmocka_unit_test(a_field_of_csv_is_one_line_and_no_command),
		cmocka_unit_test(a_failed_text_stays_failed),
		cmocka_unit_test(a_list_has_a_comma_between_each_two),
		cmocka_unit_test(lists_own_copies),
		cmocka_unit_test(lists_are_sorted_by_bytes),
		cmocka_unit_test(an_array_has_room_before_it_is_written),
		cmocka_unit_test(taking_leaves_the_variable_empty),
		cmocka_unit_test(each_kind_of_mistake_is_one_letter),
		cmocka_unit_test(the_distance_is_the_same_from_both_sides),
		cmocka_unit_test(a_text_too_long_to_compare_is_far_away),
	};

	return cmocka_run_group_tests_name("str", tests, NULL, NULL);
}
