/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder of a path is what stands before its last word, as written. */
#include "base/cleanup.h"
#include "base/path.h"
#include "unit/test.h"

static void the_folder_is_what_stands_before_the_last_word(void **state)
{
	static const struct {
		const char *path;
		const char *folder;
		const char *word;
	} cases[] = {
		{ "a", ".", "a" },	    { "./a", "./", "a" },   { "/a", "/", "a" },
		{ "a/b/c", "a/b/", "c" },   { "a//b", "a//", "b" }, { "a/", "a/", "" },
		{ "../a.b", "../", "a.b" }, { "", ".", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_free char *folder = path_folder(cases[i].path);

		assert_string_equal(folder, cases[i].folder);
		assert_string_equal(cases[i].path + path_folder_length(cases[i].path),
				    cases[i].word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_folder_is_what_stands_before_the_last_word),
	};

	return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
