/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the fields of perf_event_attr, compared with the struct and with old kernels. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "event/attr_fields.h"
#include "unit/old_kernel.h"
#include "unit/test.h"

enum { LARGEST_ATTR = 144 };

static void a_field_holds_its_largest_value_and_changes_no_other(void **state)
{
	for (const struct attr_field *field = attr_fields; field->name; field++) {
		struct event event = { .name = NULL };

		field->set(&event, field->max);
		for (const struct attr_field *other = attr_fields; other->name; other++)
			if (other->get(&event) != (other == field ? field->max : 0))
				fail_msg("%s is set, and %s is %llu", field->name, other->name,
					 (unsigned long long)other->get(&event));
	}
}

static void each_name_is_that_of_the_struct(void **state)
{
	struct event event = { .attr = { .type = 1,
					 .size = 2,
					 .config = 3,
					 .read_format = 4,
					 .precise_ip = 2,
					 .bp_type = 5,
					 .config1 = 6,
					 .config2 = 7,
					 .exclude_hv = 1,
					 .exclude_guest = 1,
					 .pinned = 1 } };
	static const struct {
		const char *name;
		uint64_t value;
	} expected[] = { { "type", 1 },	       { "size", 2 },	       { "config", 3 },
			 { "read_format", 4 }, { "pinned", 1 },	       { "exclude_hv", 1 },
			 { "precise_ip", 2 },  { "exclude_guest", 1 }, { "bp_type", 5 },
			 { "config1", 6 },     { "config2", 7 },       { "config3", 8 },
			 { "config4", 9 } };
	size_t n = 0;

	event.config3 = 8;
	event.config4 = 9;
	for (const struct attr_field *field = attr_fields; field->name; field++) {
		if (field->get(&event) == 0)
			continue;
		assert_true(n < N_OF(expected));
		assert_string_equal(field->name, expected[n].name);
		assert_int_equal(field->get(&event), expected[n].value);
		n++;
	}
	assert_int_equal(n, N_OF(expected));
}

/* The smallest attr of the table ends after bp_addr, which is config1. */
static void a_field_is_in_an_attr_of_its_size(void **state)
{
	for (const struct attr_field *field = attr_fields; field->name; field++) {
		struct event event = { .name = NULL };
		unsigned char bytes[LARGEST_ATTR];
		size_t end = LARGEST_ATTR;

		field->set(&event, field->max);
		memcpy(bytes, (const char *)&event + offsetof(struct event, attr), sizeof(bytes));
		while (end > 0 && bytes[end - 1] == 0)
			end--;
		if (end > field->attr_size || (field->attr_size > 64 && end != field->attr_size))
			fail_msg("%s ends after %zu bytes, not %zu", field->name, end,
				 field->attr_size);
	}
}

static void a_field_needs_the_version_that_its_row_names(void **state)
{
	for (const struct attr_field *field = attr_fields; field->name; field++) {
		struct event event = { .name = NULL };
		const struct old_kernel_call call = { .attr = &event.attr };
		unsigned int major = 4, minor = 4;

		field->set(&event, field->max);
		event.attr.size = LARGEST_ATTR;
		if (field->since)
			assert_int_equal(sscanf(field->since, "%u.%u", &major, &minor), 2);
		if (strcmp(field->name, "read_format") == 0) /* its bits are of several versions */
			continue;
		if (old_kernel_refuses(LINUX(major, minor), OLD_COPIES_ATTR, &call) != 0)
			fail_msg("Linux %u.%u lacks %s", major, minor, field->name);
		if (field->since &&
		    old_kernel_refuses(LINUX(major, minor) - 1, OLD_COPIES_ATTR, &call) != -E2BIG)
			fail_msg("Linux before %s has %s", field->since, field->name);
	}
}

static void the_newest_field_in_use_is_found(void **state)
{
	struct event event = { .attr = { .config2 = 1 } };

	assert_null(attr_fields_newest(&event));
	event.config3 = 1;
	assert_string_equal(attr_fields_newest(&event)->name, "config3");
	event.config4 = 1;
	assert_string_equal(attr_fields_newest(&event)->name, "config4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_field_holds_its_largest_value_and_changes_no_other),
		cmocka_unit_test(each_name_is_that_of_the_struct),
		cmocka_unit_test(a_field_is_in_an_attr_of_its_size),
		cmocka_unit_test(a_field_needs_the_version_that_its_row_names),
		cmocka_unit_test(the_newest_field_in_use_is_found),
	};

	return cmocka_run_group_tests_name("attr_fields", tests, NULL, NULL);
}
