/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of programs that are built here. Where they are is asked of the programs themselves:
 * each prints the addresses it has them at when it runs.
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/bind.h"
#include "event/resolve.h"
#include "event/symbol.h"
#include "machine/library.h"
#include "unit/build.h"
#include "unit/test.h"
#include "unit/tree.h"

#ifdef HAVE_LIBELF

/* Prints, each from its entry point: a function, variables in .data and in .bss, a file's own
 * function; then the first bytes of the function. */
static const char program_text[] =
	"#include <stdint.h>\n"
	"#include <stdio.h>\n"
	"void _start(void);\n"
	"volatile int counter = 5;\n"
	"volatile uint64_t zeroed;\n"
	"volatile short pair[3];\n"
	"__attribute__((noinline)) void called(void) { counter++; }\n"
	"__attribute__((noinline)) void called_again(void) { counter += 2; }\n"
	"__attribute__((noinline)) static void own(void) { zeroed++; }\n"
	"static void print(uintptr_t p) { printf(\"%jx \", (uintmax_t)(p - (uintptr_t)_start)); }\n"
	"int main(void)\n"
	"{\n"
	"	const volatile unsigned char *code = (const void *)(uintptr_t)called;\n"
	"	called(), called_again(), own();\n"
	"	print((uintptr_t)called), print((uintptr_t)&counter);\n"
	"	print((uintptr_t)&zeroed), print((uintptr_t)own);\n"
	"	for (int i = 0; i < 8; i++)\n"
	"		printf(\"%02x\", code[i]);\n"
	"	return pair[0];\n"
	"}\n";

/* What the program says of itself. */
struct truth {
	uint64_t called, counter, zeroed, own;
	char code[17];
};

static char *folder;

static int set_up(void **state)
{
	folder = tree_new();
	build_program(folder, "pie", program_text, "-O1 -g0 -fPIE -pie");
	build_program(folder, "fixed", program_text, "-O1 -g0 -fno-pie -no-pie");
	build_program(folder, "exporting", program_text, "-O1 -g0 -fPIE -pie -rdynamic -s");
	build_program(folder, "bare", program_text, "-O1 -g0 -fPIE -pie -s");
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(folder);
	return 0;
}

static struct truth ask(const char *program)
{
	cleanup_str struct str command = { 0 };
	cleanup_free char *output = NULL;
	struct truth truth;

	str_addf(&command, "./%s", program);
	output = build_output(folder, str_text(&command));
	assert_int_equal(sscanf(output, "%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %16s",
				&truth.called, &truth.counter, &truth.zeroed, &truth.own,
				truth.code),
			 5);
	return truth;
}

static int find(const char *program, const char *pattern, enum symbol_kind kind,
		struct symbol_list *list, struct why *why)
{
	cleanup_str struct str path = { 0 };

	str_addf(&path, "%s/%s", folder, program);
	return symbol_find(str_text(&path), pattern, kind, list, why);
}

/* The one symbol of that name: its address from the entry point on. */
static uint64_t address_of(const char *program, const char *name, enum symbol_kind kind,
			   uint64_t *offset)
{
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_why struct why why = { 0 };
	int err = find(program, name, kind, &list, &why);

	if (err < 0)
		fail_msg("%s: %s", program, why_text(&why, err));
	assert_int_equal(list.n, 1);
	assert_string_equal(list.v[0].name, name);
	if (offset)
		*offset = list.v[0].offset;
	return list.v[0].address - list.entry;
}

/* Whether these bytes stand at that place of the file. */
static void check_bytes(const char *program, uint64_t offset, const char *code)
{
	cleanup_str struct str path = { 0 };
	cleanup_str struct str got = { 0 };
	unsigned char bytes[8];
	FILE *in;

	str_addf(&path, "%s/%s", folder, program);
	in = fopen(str_text(&path), "rb");
	assert_non_null(in);
	assert_int_equal(fseek(in, (long)offset, SEEK_SET), 0);
	assert_int_equal(fread(bytes, sizeof(bytes), 1, in), 1);
	fclose(in);
	for (size_t i = 0; i < sizeof(bytes); i++)
		str_addf(&got, "%02x", bytes[i]);
	assert_string_equal(str_text(&got), code);
}

static void symbols_are_where_the_program_has_them(void **state)
{
	static const struct {
		int line;
		const char *program;
		bool position_independent;
	} rows[] = { { ROW, "pie", true }, { ROW, "fixed", false } };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
		const char *program = rows[i].program;
		struct truth truth = ask(program);
		cleanup_why struct why why = { 0 };
		uint64_t offset;

		row_int(&rows[i], address_of(program, "called", SYMBOL_FUNCTION, &offset),
			truth.called);
		check_bytes(program, offset, truth.code);
		row_int(&rows[i], address_of(program, "own", SYMBOL_FUNCTION, NULL), truth.own);
		row_int(&rows[i], address_of(program, "counter", SYMBOL_VARIABLE, NULL),
			truth.counter);
		row_int(&rows[i], address_of(program, "zeroed", SYMBOL_VARIABLE, &offset),
			truth.zeroed);
		row_int(&rows[i], offset, 0); /* nothing of it is in the file */
		row_int(&rows[i], find(program, "called", SYMBOL_FUNCTION, &list, &why), 0);
		row_int(&rows[i], list.position_independent, rows[i].position_independent);
	}
}

static void sizes_are_those_of_the_types(void **state)
{
	static const struct {
		int line;
		const char *name;
		uint64_t size;
	} rows[] = { { ROW, "counter", 4 }, { ROW, "zeroed", 8 }, { ROW, "pair", 6 } };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i], find("pie", rows[i].name, SYMBOL_VARIABLE, &list, &why), 0);
		row_int(&rows[i], list.v[0].size, rows[i].size);
	}
}

static void a_pattern_gives_all_that_it_matches_sorted(void **state)
{
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(find("pie", "called*", SYMBOL_FUNCTION, &list, &why), 0);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.v[0].name, "called");
	assert_string_equal(list.v[1].name, "called_again");
}

static void a_stripped_program_has_what_it_exports(void **state)
{
	struct truth truth = ask("exporting");
	uint64_t offset;

	assert_int_equal(address_of("exporting", "called", SYMBOL_FUNCTION, &offset), truth.called);
	check_bytes("exporting", offset, truth.code);
	assert_int_equal(address_of("exporting", "counter", SYMBOL_VARIABLE, NULL), truth.counter);
}

static void a_debug_file_is_found_by_its_link(void **state)
{
	static const char *const places[] = { ".", ".debug" };
	struct truth truth = ask("pie");

	if (!build_run(folder, "objcopy --version"))
		skip(); /* binutils' objcopy is missing */
	for (size_t i = 0; i < N_OF(places); i++) {
		uint64_t offset;

		assert_true(build_run(
			folder,
			"mkdir -p %s && objcopy --only-keep-debug pie linked.debug &&"
			" objcopy --strip-all --add-gnu-debuglink=linked.debug pie linked &&"
			" { [ %s = . ] || mv linked.debug %s; }",
			places[i], places[i], places[i]));
		assert_int_equal(address_of("linked", "own", SYMBOL_FUNCTION, NULL), truth.own);
		/* where it is in the file is the program's business, not the debug file's */
		assert_int_equal(address_of("linked", "called", SYMBOL_FUNCTION, &offset),
				 truth.called);
		check_bytes("linked", offset, truth.code);
		assert_true(build_run(folder, "rm %s/linked.debug", places[i]));
	}
}

static void what_cannot_be_found_is_told(void **state)
{
	static const struct {
		int line;
		const char *program, *pattern;
		enum symbol_kind kind;
		int error;
		const char *why; /* behind the path */
	} rows[] = {
		{ ROW, "pie", "nosuch", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'nosuch' in its symbol tables" },
		{ ROW, "pie", "nosuch*", SYMBOL_VARIABLE, -ENOENT,
		  " has no variable 'nosuch*' in its symbol tables" },
		/* each of the wrong kind */
		{ ROW, "pie", "counter", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'counter' in its symbol tables" },
		{ ROW, "fixed", "called", SYMBOL_VARIABLE, -ENOENT,
		  " has no variable 'called' in its symbol tables" },
		/* only used, not defined */
		{ ROW, "pie", "printf", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'printf' in its symbol tables" },
		{ ROW, "pie", "called@VERSION", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'called@VERSION' in its symbol tables" },
		{ ROW, "bare", "called", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'called' in its symbol tables (it is stripped: only what it "
		  "exports can be found)" },
		{ ROW, "pie.c", "called", SYMBOL_FUNCTION, -ENOEXEC, ": is no ELF file" },
		{ ROW, "empty", "called", SYMBOL_FUNCTION, -ENOEXEC, ": is no ELF file" },
		{ ROW, "cut", "called", SYMBOL_FUNCTION, -ENOEXEC, ": is no ELF file" },
		{ ROW, "nosuch", "called", SYMBOL_FUNCTION, -ENOENT,
		  ": No such file or directory" },
	};

	tree_add(folder, "empty", "");
	tree_add(folder, "cut", "\177ELF");
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str expected = { 0 };

		str_addf(&expected, "%s/%s%s", folder, rows[i].program, rows[i].why);
		row_int(&rows[i], find(rows[i].program, rows[i].pattern, rows[i].kind, &list, &why),
			rows[i].error);
		row_string(&rows[i], why_text(&why, rows[i].error), str_text(&expected));
		row_int(&rows[i], list.n, 0);
	}
}

/* ---- The C library: versions, and where the loader finds it. */

static void a_library_is_found_where_the_loader_has_it(void **state)
{
	cleanup_free char *found = NULL;
	cleanup_free char *real = NULL;
	cleanup_free char *loaded = NULL;
	void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	void *address;
	Dl_info info;

	if (!library)
		skip(); /* another C library */
	address = dlsym(library, "puts");
	assert_true(address && dladdr(address, &info));
	assert_int_equal(library_find("libc.so.6", &found), 0);
	real = realpath(found, NULL);
	loaded = realpath(info.dli_fname, NULL);
	assert_string_equal(real, loaded);
	dlclose(library);
}

#	if defined(__x86_64__) && defined(__GLIBC__)

static void check_version(const char *path, void *library, const char *name, const char *version)
{
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_str struct str pattern = { 0 };
	cleanup_why struct why why = { 0 };
	char *address = dlvsym(library, name, version);
	Dl_info info;

	assert_true(address && dladdr(address, &info));
	str_addf(&pattern, "%s@%s", name, version);
	assert_int_equal(symbol_find(path, str_text(&pattern), SYMBOL_FUNCTION, &list, &why), 0);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.v[0].name, name);
	assert_int_equal(list.v[0].address, address - (char *)info.dli_fbase);
}

static void a_version_is_the_one_that_the_loader_takes(void **state)
{
	cleanup_free char *path = NULL;
	void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

	assert_non_null(library);
	assert_int_equal(library_find("libc.so.6", &path), 0);
	/* since glibc 2.3.2 a new function beside the old one */
	check_version(path, library, "pthread_cond_wait", "GLIBC_2.2.5");
	check_version(path, library, "pthread_cond_wait", "GLIBC_2.3.2");
	dlclose(library);
}

static void without_a_version_each_function_of_the_name_is_one(void **state)
{
	static const struct {
		int line;
		const char *pattern;
		size_t n;
	} rows[] = {
		/* of 2.14 on it is an ifunc, whose code only chooses the function */
		{ ROW, "memcpy@GLIBC_2.2.5", 1 }, { ROW, "memcpy@GLIBC_2.14", 0 },
		{ ROW, "memcpy@@GLIBC_2.14", 0 }, { ROW, "memcpy", 1 },
		{ ROW, "memcpy@GLIBC_9.99", 0 },  { ROW, "memcpy@GLIBC_2.2", 0 },
	};
	cleanup_free char *path = NULL;

	assert_int_equal(library_find("libc.so.6", &path), 0);
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i], symbol_find(path, rows[i].pattern, SYMBOL_FUNCTION, &list, &why),
			rows[i].n ? 0 : -ENOENT);
		row_int(&rows[i], list.n, rows[i].n);
	}
}

#	endif

/* ---- Breakpoints by symbol. */

static void a_breakpoint_gets_its_symbols_address_and_length(void **state)
{
	static const struct {
		int line;
		const char *program, *text;
		enum symbol_kind kind;
		unsigned int type, length;
		bool relocated;
	} rows[] = {
		{ ROW, "pie", "counter:w", SYMBOL_VARIABLE, HW_BREAKPOINT_W, 4, true },
		{ ROW, "pie", "zeroed:rw", SYMBOL_VARIABLE, HW_BREAKPOINT_RW, 8, true },
		{ ROW, "pie", "pair", SYMBOL_VARIABLE, HW_BREAKPOINT_RW, 4, true },
		{ ROW, "pie", "zeroed/1", SYMBOL_VARIABLE, HW_BREAKPOINT_RW, 1, true },
		{ ROW, "pie", "called:x", SYMBOL_FUNCTION, HW_BREAKPOINT_X, sizeof(long), true },
		{ ROW, "fixed", "counter:w", SYMBOL_VARIABLE, HW_BREAKPOINT_W, 4, false },
		{ ROW, "fixed", "called:x", SYMBOL_FUNCTION, HW_BREAKPOINT_X, sizeof(long), false },
	};
	const struct machine machine = { .root = folder };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_with(symbol_list_release) struct symbol_list symbols = { 0 };
		cleanup_str struct str path = { 0 };
		cleanup_str struct str text = { 0 };
		cleanup_why struct why why = { 0 };
		const struct event *event;

		str_addf(&path, "%s/%s", folder, rows[i].program);
		str_addf(&text, "cs,mem:%s", rows[i].text);
		row_int(&rows[i],
			event_resolve(&machine, RESOLVE_BY_ALL, str_text(&text), &list, &why), 0);
		row_int(&rows[i], event_bind(&list, str_text(&path), &why), 0);
		event = &list.events[1];
		row_int(&rows[i],
			symbol_find(str_text(&path), event->symbol, rows[i].kind, &symbols, &why),
			0);
		row_int(&rows[i], event->attr.bp_addr, symbols.v[0].address);
		row_int(&rows[i], event->attr.bp_type, rows[i].type);
		row_int(&rows[i], event->attr.bp_len, rows[i].length);
		row_int(&rows[i], event->relocated, rows[i].relocated);
		row_int(&rows[i], event->entry, symbols.entry);
		row_int(&rows[i], list.events[0].relocated, false);
	}
}

static void a_breakpoint_on_several_or_none_is_refused(void **state)
{
	static const struct {
		int line;
		const char *text;
		int error;
		const char *parts[2];
	} rows[] = {
		{ ROW, "mem:called*:x", -EINVAL, { "'mem:called*:x': ", " has 2 of that name" } },
		{ ROW, "mem:nosuch:w", -ENOENT, { "has no variable 'nosuch'" } },
		{ ROW, "mem:called:w", -ENOENT, { "has no variable 'called'" } },
	};
	const struct machine machine = { .root = folder };
	cleanup_str struct str path = { 0 };

	str_addf(&path, "%s/pie", folder);
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i],
			event_resolve(&machine, RESOLVE_BY_ALL, rows[i].text, &list, &why), 0);
		row_int(&rows[i], event_bind(&list, str_text(&path), &why), rows[i].error);
		for (size_t j = 0; j < N_OF(rows[i].parts) && rows[i].parts[j]; j++)
			if (!strstr(why_text(&why, -EINVAL), rows[i].parts[j]))
				row_string(&rows[i], why_text(&why, -EINVAL), rows[i].parts[j]);
	}
}

/* Whether libelf can be loaded at all. */
static bool has_libelf(void)
{
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_why struct why why = { 0 };

	return symbol_find("/proc/self/exe", "main", SYMBOL_FUNCTION, &list, &why) != -ELIBACC;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_where_the_program_has_them),
		cmocka_unit_test(sizes_are_those_of_the_types),
		cmocka_unit_test(a_pattern_gives_all_that_it_matches_sorted),
		cmocka_unit_test(a_stripped_program_has_what_it_exports),
		cmocka_unit_test(a_debug_file_is_found_by_its_link),
		cmocka_unit_test(what_cannot_be_found_is_told),
		cmocka_unit_test(a_library_is_found_where_the_loader_has_it),
#	if defined(__x86_64__) && defined(__GLIBC__)
		cmocka_unit_test(a_version_is_the_one_that_the_loader_takes),
		cmocka_unit_test(without_a_version_each_function_of_the_name_is_one),
#	endif
		cmocka_unit_test(a_breakpoint_gets_its_symbols_address_and_length),
		cmocka_unit_test(a_breakpoint_on_several_or_none_is_refused),
	};

	if (!has_libelf()) {
		printf("skipped: libelf cannot be loaded\n");
		return 77;
	}
	return cmocka_run_group_tests_name("symbol", tests, set_up, tear_down);
}

#else

static void without_libelf_a_symbol_cannot_be_looked_up(void **state)
{
	struct symbol_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(symbol_find("/bin/sh", "main", SYMBOL_FUNCTION, &list, &why), -ENOSYS);
	assert_string_equal(
		why_text(&why, -ENOSYS),
		"'main' of /bin/sh cannot be looked up: this pstat was built without libelf");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_libelf_a_symbol_cannot_be_looked_up),
	};

	return cmocka_run_group_tests_name("symbol", tests, NULL, NULL);
}

#endif
