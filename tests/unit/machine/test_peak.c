/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "machine/peak.h"
#include "unit/test.h"

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
		uint64_t kib = 7;

		row_int(&rows[i], peak_parse(rows[i].text, &kib), rows[i].err);
		row_int(&rows[i], kib, rows[i].kib);
	}
}

enum { TAKEN = 64 << 20 };

static void what_this_process_had_is_forgotten(void **state)
{
	uint64_t before = 0, taken = 0, after = 0;
	void *memory;

	if (peak_kib(&before) < 0)
		skip();
	memory = mmap(NULL, TAKEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	memset(memory, 1, TAKEN);
	munmap(memory, TAKEN);
	assert_int_equal(peak_kib(&taken), 0);
	assert_true(taken > before);
	if (peak_forget() < 0)
		skip();
	assert_int_equal(peak_kib(&after), 0);
	assert_true(after < taken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peak_is_read),
		cmocka_unit_test(what_this_process_had_is_forgotten),
	};

	return cmocka_run_group_tests_name("peak", tests, NULL, NULL);
}
