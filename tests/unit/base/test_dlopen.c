/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of a library are found, or a message gives the cause. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/dlopen.h"
#include "base/why.h"
#include "unit/test.h"

struct text_functions {
	__typeof__(strlen) *strlen;
	__typeof__(strtol) *strtol;
};

static void the_functions_of_a_library_can_be_called(void **state)
{
	static const struct dlopen_library libc = { "libc.so.6", "the C library", "libc6" };
	struct text_functions text = { 0 };
	const struct dlopen_function functions[] = {
		DLOPEN_FUNCTION(&text, strlen),
		DLOPEN_FUNCTION(&text, strtol),
	};
	cleanup_why struct why why = { 0 };

	assert_int_equal(dlopen_load(&libc, functions, 2, &why), 0);
	assert_int_equal(text.strlen("four"), 4);
	assert_int_equal(text.strtol("12", NULL, 10), 12);
}

static void a_missing_library_is_named_with_its_package(void **state)
{
	static const struct dlopen_library library = { "libnowhere.so.7", "nowhere",
						       "libnowhere7" };
	cleanup_why struct why why = { 0 };
	int err = dlopen_load(&library, NULL, 0, &why);

	assert_int_equal(err, -ELIBACC);
	assert_non_null(strstr(why_text(&why, err), "nowhere cannot be loaded (libnowhere.so.7: "));
	assert_non_null(strstr(why_text(&why, err), "; install it (Debian: libnowhere7)"));
}

static void a_library_without_the_function_is_refused(void **state)
{
	static const struct dlopen_library library = { "libc.so.6", "nowhere", "libnowhere7" };
	void *pointer = NULL;
	const struct dlopen_function function = { "pstat_is_not_in_libc", &pointer };
	cleanup_why struct why why = { 0 };
	int err = dlopen_load(&library, &function, 1, &why);

	assert_int_equal(err, -ELIBACC);
	assert_null(pointer);
	assert_non_null(
		strstr(why_text(&why, err), "libc.so.6 lacks a function that pstat needs: "));
	assert_non_null(strstr(why_text(&why, err), "pstat_is_not_in_libc"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_functions_of_a_library_can_be_called),
		cmocka_unit_test(a_missing_library_is_named_with_its_package),
		cmocka_unit_test(a_library_without_the_function_is_refused),
	};

	return cmocka_run_group_tests_name("module", tests, NULL, NULL);
}
