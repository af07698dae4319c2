/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe:FILE:FUNCTION[+OFFSET], kprobe:FUNCTION[+OFFSET] and return probes, on a machine that the
 * test creates. test_symbol tests the positions of symbols.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "event/symbol.h"
#include "unit/build.h"
#include "unit/test.h"
#include "unit/tree.h"

#define DEVICES "sys/bus/event_source/devices/"

enum { KPROBE = 6, UPROBE = 7 };

static struct machine machine;
static char old_folder[4096];

/*
 * The kernel chooses the type numbers and the retprobe bits. The programs are in the current
 * folder.
 */
static int set_up(void **state)
{
	static const char text[] = "int parse_line(void) { return 1; }\n"
				   "int parse_word(void) { return 2; }\n"
				   "int main(void) { return parse_line() - parse_word() + 1; }\n";

	machine.root = tree_new();
	tree_add(machine.root, DEVICES "kprobe/type", "6\n");
	tree_add(machine.root, DEVICES "kprobe/format/retprobe", "config:0\n");
	tree_add(machine.root, DEVICES "uprobe/type", "7\n");
	tree_add(machine.root, DEVICES "uprobe/format/retprobe", "config:3\n");
	build_program(machine.root, "prog", text, "-O0");
	assert_true(
		build_run(machine.root, "cp prog 'odd:name,x' && cp prog 'pro gram' && mkdir f"));
	assert_non_null(getcwd(old_folder, sizeof(old_folder)));
	assert_int_equal(chdir(machine.root), 0);
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(chdir(old_folder), 0);
	tree_remove(machine.root);
	return 0;
}

static const char *probed(const struct event *event)
{
	return (const char *)(uintptr_t)event->attr.config1;
}

static void a_kprobe_is_the_name_and_the_offset(void **state)
{
	static const struct {
		int line;
		const char *text, *function;
		unsigned int config, offset;
	} rows[] = {
		{ ROW, "kprobe:do_exit", "do_exit", 0, 0 },
		{ ROW, "kprobe:do_exit+4", "do_exit", 0, 4 },
		{ ROW, "kprobe:do_exit+0x10:k", "do_exit", 0, 16 },
		{ ROW, "kretprobe:do_exit", "do_exit", 1, 0 },
		{ ROW, "kprobe:ext4_file_write_iter.cold", "ext4_file_write_iter.cold", 0, 0 },
		/* characters whose special meaning a backslash removes */
		{ ROW, "kprobe:a\\:b", "a:b", 0, 0 },
		{ ROW, "kprobe:a\\\\b", "a\\b", 0, 0 },
		{ ROW, "kprobe:a\\,b", "a,b", 0, 0 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };
		int err = resolve_events(&machine, RESOLVE_BY_ALL, rows[i].text, &list, &why);

		if (err < 0)
			print_error("%s: %s\n", rows[i].text, why_text(&why, err));
		row_int(&rows[i], err, 0);
		row_int(&rows[i], list.n, 1);
		row_int(&rows[i], list.events[0].attr.type, KPROBE);
		row_int(&rows[i], list.events[0].attr.config, rows[i].config);
		row_string(&rows[i], probed(&list.events[0]), rows[i].function);
		row_int(&rows[i], list.events[0].attr.config2, rows[i].offset);
		row_string(&rows[i], list.events[0].name, rows[i].text);
		row_string(&rows[i], list.events[0].source, "probe");
	}
}

static void modifiers_follow_the_function(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL,
					"kprobe:do_exit:kD,kprobe:do_exit", &list, &why),
			 0);
	assert_int_equal(list.events[0].attr.exclude_user, 1);
	assert_int_equal(list.events[0].attr.pinned, 1);
	assert_true(list.events[0].has_modifiers);
	assert_int_equal(list.events[1].attr.exclude_user, 0);
	assert_false(list.events[1].has_modifiers);
}

static const struct refused_with refused[] = {
	{ ROW, "kprobe:", -EINVAL, 7, "the name of a function is missing" },
	{ ROW, "cs,kprobe::u", -EINVAL, 10, "the name of a function is missing" },
	{ ROW, "kretprobe:+8", -EINVAL, 10, "the name of a function is missing" },
	{ ROW, "kprobe:do_exit+", -EINVAL, 15, "'' is not an offset; write FUNCTION+OFFSET" },
	{ ROW, "kprobe:do_exit+x", -EINVAL, 15, "'x' is not an offset; write FUNCTION+OFFSET" },
	{ ROW, "cs,kprobe:do_exit+-1:k", -EINVAL, 18,
	  "'-1' is not an offset; write FUNCTION+OFFSET" },
	{ ROW, "kprobe:f+0x10000000000000000", -ERANGE, 9,
	  "'0x10000000000000000' is not an offset; write FUNCTION+OFFSET" },
	{ ROW, "kprobe:do_exit:x", -EINVAL, 15,
	  "unknown modifier 'x'; choose from u k h G H I p P S D e W b" },
	{ ROW, "kprobe:do_exit:kk", -EINVAL, 16, "modifier 'k' is given twice" },
	{ ROW, "kprobe:do_exit:u:k", -EINVAL, 17, "nothing may follow the modifiers" },
	{ ROW, "uprobe:", -EINVAL, 7,
	  "the file or the function is missing; write uprobe:FILE:FUNCTION" },
	{ ROW, "uprobe:./prog", -EINVAL, 7,
	  "the file or the function is missing; write uprobe:FILE:FUNCTION" },
	{ ROW, "cs,uretprobe::main", -EINVAL, 13,
	  "the file or the function is missing; write uretprobe:FILE:FUNCTION" },
	{ ROW, "uprobe:./prog:", -EINVAL, 14, "the name of a function is missing" },
	{ ROW, "uprobe:./prog\\:main", -EINVAL, 7,
	  "the file or the function is missing; write uprobe:FILE:FUNCTION" },
	{ ROW, "uprobe:./prog:main+zz", -EINVAL, 19,
	  "'zz' is not an offset; write FUNCTION+OFFSET" },
	{ ROW, "uprobe:./nosuch:main", -EINVAL, 7, "./nosuch: no such file, library or program" },
	{ ROW, "uprobe:no-such-name:main", -EINVAL, 7,
	  "no-such-name: no such file, library or program" },
};

static void check_refused(int line, const struct machine *m, const char *text, int error,
			  size_t position, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	row_int(&row, resolve_events(m, RESOLVE_BY_ALL, text, &list, &why), error);
	row_string(&row, why_text(&why, error), expected);
	row_true(&row, why.has_position);
	row_int(&row, why.position, position);
}

static void an_error_has_a_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++)
		check_refused(refused[i].line, &machine, refused[i].text, refused[i].error,
			      refused[i].position, refused[i].why);
}

static void a_kernel_without_probes_says_so(void **state)
{
	const struct machine bare = { .root = tree_new() };

	check_refused(__LINE__, &bare, "uprobe:./prog:main", -ENODEV, 0,
		      "the PMU 'uprobe' cannot be found: /sys is not mounted (mount -t sysfs sysfs "
		      "/sys)");
	tree_add(bare.root, "sys/bus/event_source/uevent", "");
	check_refused(
		__LINE__, &bare, "cs,kprobe:do_exit", -ENODEV, 3,
		"this kernel has no PMU 'kprobe': it needs Linux 4.17 and CONFIG_KPROBE_EVENTS");
	check_refused(
		__LINE__, &bare, "uprobe:./prog:main", -ENODEV, 0,
		"this kernel has no PMU 'uprobe': it needs Linux 4.17 and CONFIG_UPROBE_EVENTS");
	tree_remove(bare.root);
}

/* With symbols. */

static uint64_t offset_of(const char *function)
{
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(
		symbol_find(&(struct symbol_query){ "prog", "", function, SYMBOL_FUNCTION }, &list,
			    &why),
		0);
	return list.v[0].offset;
}

static void a_uprobe_is_the_file_and_the_place_in_it(void **state)
{
	static const struct {
		int line;
		const char *text, *file;
		unsigned int config, offset;
	} rows[] = {
		{ ROW, "uprobe:./prog:parse_line", "prog", 0, 0 },
		{ ROW, "uprobe:./prog:parse_line+0x4", "prog", 0, 4 },
		{ ROW, "uretprobe:./prog:parse_line", "prog", 8, 0 },
		{ ROW, "uprobe:f/../prog:parse_line:u", "prog", 0, 0 },
		{ ROW, "uprobe:./odd\\:name\\,x:parse_line", "odd:name,x", 0, 0 },
		{ ROW, "uprobe:./pro gram:parse_line", "pro gram", 0, 0 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_free char *path = realpath(rows[i].file, NULL);
		int err = resolve_events(&machine, RESOLVE_BY_ALL, rows[i].text, &list, &why);

		if (err < 0)
			print_error("%s: %s\n", rows[i].text, why_text(&why, err));
		row_int(&rows[i], err, 0);
		row_int(&rows[i], list.n, 1);
		row_int(&rows[i], list.events[0].attr.type, UPROBE);
		row_int(&rows[i], list.events[0].attr.config, rows[i].config);
		row_string(&rows[i], probed(&list.events[0]), path);
		row_int(&rows[i], list.events[0].attr.config2,
			offset_of("parse_line") + rows[i].offset);
		row_string(&rows[i], list.events[0].name, rows[i].text);
	}
}

static void each_match_of_a_glob_is_a_row_named_after_it(void **state)
{
	static const struct {
		int line;
		const char *text, *names[2];
	} rows[] = {
		{ ROW,
		  "uprobe:./prog:parse_*",
		  { "uprobe:./prog:parse_line", "uprobe:./prog:parse_word" } },
		{ ROW,
		  "uretprobe:./prog:parse_[lw]*+4:uD",
		  { "uretprobe:./prog:parse_line+0x4:uD", "uretprobe:./prog:parse_word+0x4:uD" } },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i],
			resolve_events(&machine, RESOLVE_BY_ALL, rows[i].text, &list, &why), 0);
		row_int(&rows[i], list.n, 2);
		row_int(&rows[i], list.groups_n, 2);
		for (size_t j = 0; j < 2; j++)
			row_string(&rows[i], list.events[j].name, rows[i].names[j]);
		row_int(&rows[i], list.events[1].attr.config2 - list.events[0].attr.config2,
			offset_of("parse_word") - offset_of("parse_line"));
	}
}

static void a_missing_symbol_is_explained(void **state)
{
	cleanup_free char *prog = realpath("prog", NULL);
	cleanup_free char *source = realpath("prog.c", NULL);
	cleanup_free char *folder = realpath("f", NULL);
	cleanup_str struct str text = { 0 };

	str_addf(&text, "%s has no function 'nosuch' in its symbol tables", prog);
	check_refused(__LINE__, &machine, "cs,uprobe:./prog:nosuch+4:u", -EINVAL, 17,
		      str_text(&text));
	str_release(&text);
	str_addf(&text, "%s: is not an ELF file", source);
	check_refused(__LINE__, &machine, "cs,uprobe:./prog.c:main", -ENOEXEC, 10, str_text(&text));
	str_release(&text);
	str_addf(&text, "%s: is not an ELF file", folder);
	check_refused(__LINE__, &machine, "uprobe:./f:main", -ENOEXEC, 7, str_text(&text));
}

/* More functions than the limit for one glob. */
static void a_glob_has_a_limit_and_says_so(void **state)
{
	cleanup_free char *path = NULL;
	cleanup_str struct str source = { 0 };
	cleanup_str struct str text = { 0 };
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	for (size_t i = 0; i < 257; i++)
		str_addf(&source, "void f%03zu(void) { }\n", i);
	str_add(&source, "int main(void) { return 0; }\n");
	build_program(machine.root, "many", str_text(&source), "-O0");
	path = realpath("many", NULL);
	assert_int_equal(
		resolve_events(&machine, RESOLVE_BY_ALL, "uprobe:./many:f[01]*", &list, &why), 0);
	assert_int_equal(list.n, 200);
	str_addf(&text, "'f[0-9]*' matches 257 functions of %s; a glob may match at most 256",
		 path);
	check_refused(__LINE__, &machine, "uprobe:./many:f[0-9]*", -E2BIG, 14, str_text(&text));
}

static bool has_libelf(void)
{
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_why struct why why = { 0 };
	const struct symbol_query query = { "/proc/self/exe", "", "main", SYMBOL_FUNCTION };
	int err = symbol_find(&query, &list, &why);

	return err != -ELIBACC && err != -ENOSYS;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kprobe_is_the_name_and_the_offset),
		cmocka_unit_test(modifiers_follow_the_function),
		cmocka_unit_test(an_error_has_a_position),
		cmocka_unit_test(a_kernel_without_probes_says_so),
		cmocka_unit_test(a_uprobe_is_the_file_and_the_place_in_it),
		cmocka_unit_test(each_match_of_a_glob_is_a_row_named_after_it),
		cmocka_unit_test(a_missing_symbol_is_explained),
		cmocka_unit_test(a_glob_has_a_limit_and_says_so),
	};

	if (!has_libelf()) {
		printf("skipped: libelf cannot be loaded\n");
		return 77;
	}
	return cmocka_run_group_tests_name("probe", tests, set_up, tear_down);
}
