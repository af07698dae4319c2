/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "machine/peak.h"
#include "unit/test.h"
#include "unit/tree.h"

static void the_peak_is_read(void **state)
{
	static const struct {
		int line;
		const char *text;
		int err;
		unsigned long long kib;
	} rows[] = {
		{ ROW, "Name:\tx\nVmPeak:\t    9 kB\nVmHWM:\t    1908 kB\nVmRSS:\t 1 kB\n", 0,
		  1908 },
		{ ROW, "Name:\tVmHWM: 3\nVmRSS:\t 1 kB\n", -ENOENT, 7 },
		{ ROW, "Name:\tx\nVmHWM:\tkB\n", -EINVAL, 7 },
		{ ROW, "", -ENOENT, 7 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct machine m = { .root = tree_new() };
		uint64_t kib = 7;

		tree_add(m.root, "proc/self/status", rows[i].text);
		row_int(&rows[i], peak_kib(&m, &kib), rows[i].err);
		row_int(&rows[i], kib, rows[i].kib);
		tree_remove(m.root);
	}
}

static void the_kernel_is_asked_to_forget_it(void **state)
{
	const struct machine m = { .root = tree_new() };
	cleanup_free char *text = NULL;

	assert_int_equal(peak_forget(&m), -ENOENT);
	tree_add(m.root, "proc/self/clear_refs", "");
	assert_int_equal(peak_forget(&m), 0);
	assert_int_equal(machine_read(&m, &text, "/proc/self/clear_refs"), 0);
	assert_string_equal(text, "5");
	tree_remove(m.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peak_is_read),
		cmocka_unit_test(the_kernel_is_asked_to_forget_it),
	};

	return cmocka_run_group_tests_name("peak", tests, NULL, NULL);
}
