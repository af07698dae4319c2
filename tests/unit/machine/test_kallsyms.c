/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the kernel, in a /proc/kallsyms that the test makes. */
#include <errno.h>

#include "machine/kallsyms.h"
#include "unit/test.h"
#include "unit/tree.h"

static struct machine machine;

static int set_up(void **state)
{
	machine.root = tree_new();
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static void each_function_has_its_address(void **state)
{
	static const struct {
		int line;
		const char *name;
		size_t found;
		uint64_t address;
	} cases[] = {
		{ ROW, "vfs_read", 1, 0xffffffff81234560 },
		{ ROW, "local", 1, 0xffff800000000010 },
		{ ROW, "weak", 1, 0x20 },
		{ ROW, "in_module", 1, 0xffffffffc0200000 },
		{ ROW, "twice", 2, 0x40 },
		{ ROW, "hidden", 1, 0 },
		{ ROW, "variable", 0, 0 }, /* no code */
		{ ROW, "vfs", 0, 0 },
		{ ROW, "broken", 0, 0 },
		{ ROW, "", 0, 0 },
	};
	struct kallsyms_function functions[N_OF(cases)] = { 0 };

	tree_add(machine.root, "proc/kallsyms",
		 "ffffffff81234560 T vfs_read\n"
		 "ffff800000000010 t local\n"
		 "0000000000000020 W weak\n"
		 "ffffffffc0200000 t in_module\t[module]\n"
		 "0000000000000030 t twice\n"
		 "0000000000000040 t twice\n"
		 "0000000000000000 T hidden\n"
		 "0000000000000050 D variable\n"
		 "broken\n"
		 "0000000000000060");
	for (size_t i = 0; i < N_OF(cases); i++)
		functions[i].name = cases[i].name;
	assert_int_equal(kallsyms_find(&machine, functions, N_OF(cases)), 0);
	for (size_t i = 0; i < N_OF(cases); i++) {
		row_int(&cases[i], functions[i].found, cases[i].found);
		row_true(&cases[i], functions[i].address == cases[i].address);
	}
}

static void a_machine_without_the_file_is_an_error(void **state)
{
	struct kallsyms_function function = { .name = "vfs_read" };

	assert_int_equal(kallsyms_find(&machine, &function, 1), -ENOENT);
	assert_int_equal(function.found, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_function_has_its_address, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_machine_without_the_file_is_an_error, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
