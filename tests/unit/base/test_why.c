/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "unit/test.h"

static void setting_a_reason_returns_the_error(void **state)
{
	cleanup_why struct why why = { 0 };

	assert_int_equal(why_set(&why, -EBUSY, "%s is %d", "it", 1), -EBUSY);
	assert_string_equal(why_text(&why, -EBUSY), "it is 1");
	assert_false(why.has_position);
}

static void a_reason_may_have_a_position(void **state)
{
	cleanup_why struct why why = { 0 };

	assert_int_equal(why_at(&why, -EINVAL, 0, "here"), -EINVAL);
	assert_true(why.has_position);
	assert_int_equal(why.position, 0);
	assert_int_equal(why_at(&why, -EINVAL, 12, "there"), -EINVAL);
	assert_int_equal(why.position, 12);
}

static void a_later_reason_replaces_an_earlier_one(void **state)
{
	cleanup_why struct why why = { 0 };

	why_at(&why, -EINVAL, 12, "first");
	why_set(&why, -EPERM, "second");
	assert_string_equal(why_text(&why, -EPERM), "second");
	assert_false(why.has_position);
}

static void without_a_reason_the_text_is_that_of_the_errno(void **state)
{
	struct why why = { 0 };

	assert_string_equal(why_text(&why, -EPERM), "Operation not permitted");
	assert_string_equal(why_text(&why, -ENOMEM), "out of memory");
	why_release(&why);
	why_release(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_a_reason_returns_the_error),
		cmocka_unit_test(a_reason_may_have_a_position),
		cmocka_unit_test(a_later_reason_replaces_an_earlier_one),
		cmocka_unit_test(without_a_reason_the_text_is_that_of_the_errno),
	};

	return cmocka_run_group_tests_name("why", tests, NULL, NULL);
}
