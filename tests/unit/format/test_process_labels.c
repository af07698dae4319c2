/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a table names processes if there is no room for their commands. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/reading.h"
#include "format/terminal/process_labels.h"
#include "unit/test.h"

enum { PLACES_MOST = 6 };

#define TEXT(text) ((char *)(uintptr_t)(text))

struct command {
	const char *name, *command;
};

/* The labels, with '|' where each differs from the others. */
static void assert_labels(const struct command *commands, const char *expected)
{
	struct process processes[PLACES_MOST] = { 0 };
	struct place places[PLACES_MOST] = { 0 };
	cleanup_with(process_labels_release) struct process_labels labels = { 0 };
	cleanup_str struct str text = { 0 };
	size_t n = 0;

	for (; commands[n].name; n++) {
		assert_true(n < PLACES_MOST);
		processes[n].name = TEXT(commands[n].name);
		processes[n].command = TEXT(commands[n].command);
		places[n].process = &processes[n];
	}
	assert_int_equal(process_labels_make(&labels, places, n), 0);
	for (size_t i = 0; i < n; i++) {
		const char *brief = str_text(&labels.v[i].brief);
		size_t apart = labels.v[i].apart;

		assert_true(apart <= strlen(brief));
		assert_string_equal(labels.v[i].whole,
				    commands[i].command ? commands[i].command : commands[i].name);
		str_add_n(&text, brief, apart);
		str_addf(&text, "|%s\n", brief + apart);
	}
	assert_string_equal(str_text(&text), expected);
}

static void a_label_has_the_arguments_that_differ(void **state)
{
	static const struct command compilers[] = {
		{ "make", "/usr/bin/make -s all" },
		{ "cc1", "/usr/lib/cc1 -quiet -O2 f1.c -quiet -dumpbase f1.c -o /tmp/ccA.s" },
		{ "cc1", "/usr/lib/cc1 -quiet -O2 f13.c -quiet -dumpbase f13.c -o /tmp/ccB.s" },
		{ "cc1", "/usr/lib/cc1 -quiet -O2 f2.c -g -quiet -dumpbase f2.c -o /tmp/ccC.s" },
		{ NULL },
	};

	assert_labels(compilers, "|make -s all\n"
				 "cc1 f1|.c\n"
				 "cc1 f1|3.c\n"
				 "cc1 f|2.c -g\n");
}

/* Nothing differs if only one process of the program is shown (--top 1): its files tell most. */
static void a_single_process_has_its_files(void **state)
{
	static const struct command compiler[] = {
		{ "cc1",
		  "/usr/lib/cc1 -quiet -imultiarch x86_64-linux-gnu src/f1.c src/f1.c -dumpdir src/ "
		  "-dumpbase f1.c -dumpbase-ext .c -mtune=generic -O 1.5 -o /tmp/ccA.s" },
		{ "make", "make -s -j2 all" },
		{ NULL },
	};

	assert_labels(compiler, "|cc1 src/f1.c\n"
				"|make -s -j2 all\n");
}

/* A script has its own name, not that of its interpreter. A sum has no command. */
static void the_name_is_that_of_the_program(void **state)
{
	static const struct command scripts[] = {
		{ "configure", "/bin/sh ./configure --prefix=/usr" },
		{ "configure", "/bin/sh ./configure --prefix=/opt" },
		{ "(others)", NULL },
		{ "Web Content", NULL },
		{ NULL },
	};

	assert_labels(scripts, "configure --prefix=/|usr\nconfigure --prefix=/|opt\n|(others)\n"
			       "|Web Content\n");
}

static void equal_commands_are_shown_with_all_arguments(void **state)
{
	static const struct command equal[] = {
		{ "sh", "/bin/sh -c 'ls  x'" },
		{ "sh", "/bin/sh -c 'ls  x'" },
		{ "ls", NULL },
		{ NULL },
	};
	static const struct command same_words[] = {
		{ "x", "x a b" },
		{ "x", "x b a" },
		{ NULL },
	};

	assert_labels(equal, "|sh -c 'ls  x'\n|sh -c 'ls  x'\n|ls\n");
	assert_labels(same_words, "x |a b\nx |b a\n");
}

/* It has nothing that the other lacks. */
static void a_part_of_another_command_has_all_arguments(void **state)
{
	static const struct command parts[] = {
		{ "cc", "cc -c a.c" },
		{ "cc", "cc -c a.c -g" },
		{ NULL },
	};

	assert_labels(parts, "cc -|c a.c\ncc -|g\n");
}

/* Its words cannot be understood alone. */
static void the_script_of_a_shell_stays_whole(void **state)
{
	static const struct command scripts[] = {
		{ "sh", "/bin/sh -c cd src && cc f1.c  && cc f2.c" },
		{ "sh", "/bin/sh -c cd src && cc f1.c" },
		{ "sh", "/bin/sh -e run x" },
		{ "cc", "cc -c f1.c -O2" },
		{ "cc", "cc -c f2.c -O2" },
		{ NULL },
	};

	assert_labels(scripts, "sh -c cd src && cc f1.c|  && cc f2.c\n"
			       "sh -c cd src && cc f1.c|\n"
			       "sh -|e run x\n"
			       "cc f|1.c\n"
			       "cc f|2.c\n");
}

static void temporary_files_tell_only_if_nothing_else_does(void **state)
{
	static const struct command both[] = {
		{ "as", "as -o /tmp/build/a.o /tmp/ccA.s" },
		{ "as", "as -o /tmp/build/b.o /tmp/ccB.s" },
		{ NULL },
	};
	static const struct command alone[] = {
		{ "as", "as /tmp/ccA.s" },
		{ "as", "as /tmp/ccB.s" },
		{ NULL },
	};

	assert_labels(both, "as /tmp/build/|a.o\nas /tmp/build/|b.o\n");
	assert_labels(alone, "as /tmp/cc|A.s\nas /tmp/cc|B.s\n");
}

static void labels_differ_between_characters(void **state)
{
	static const struct command wide[] = {
		{ "x", "x \xc3\xa9" },
		{ "x", "x \xc3\xa8" },
		{ "x", "x \xc3\xa8" },
		{ NULL },
	};

	assert_labels(wide, "x |\xc3\xa9\nx |\xc3\xa8\nx |\xc3\xa8\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_label_has_the_arguments_that_differ),
		cmocka_unit_test(a_single_process_has_its_files),
		cmocka_unit_test(the_name_is_that_of_the_program),
		cmocka_unit_test(equal_commands_are_shown_with_all_arguments),
		cmocka_unit_test(a_part_of_another_command_has_all_arguments),
		cmocka_unit_test(the_script_of_a_shell_stays_whole),
		cmocka_unit_test(temporary_files_tell_only_if_nothing_else_does),
		cmocka_unit_test(labels_differ_between_characters),
	};

	return cmocka_run_group_tests_name("process_labels", tests, NULL, NULL);
}
