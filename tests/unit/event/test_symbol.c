/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of programs that the test builds. Each program prints its own addresses when it runs. */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "event/source.h"
#include "event/symbol.h"
#include "machine/program.h"
#include "unit/build.h"
#include "unit/test.h"
#include "unit/tree.h"

#ifdef HAVE_LIBELF

/*
 * Print addresses relative to the entry point: a function, variables in .data and .bss, a static
 * function. Then print the first bytes of the function.
 */
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

/* The output of the program. */
struct truth {
	uint64_t called, counter, zeroed, own;
	char code[17];
};

static char *folder;
static char this_machine[] = "";
static const struct machine here = { .root = this_machine };

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
	return symbol_find(&(struct symbol_query){ str_text(&path), "", pattern, kind }, list, why);
}

/* The address of the only symbol of that name, relative to the entry point. */
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

/* Check that the file has these bytes at the offset. */
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

static void symbols_have_the_addresses_of_the_program(void **state)
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

static void symbols_have_the_sizes_of_their_types(void **state)
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

static void a_stripped_program_has_its_exported_symbols(void **state)
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
		skip(); /* objcopy of binutils is missing */
	for (size_t i = 0; i < N_OF(places); i++) {
		uint64_t offset;

		assert_true(build_run(
			folder,
			"mkdir -p %s && objcopy --only-keep-debug pie linked.debug &&"
			" objcopy --strip-all --add-gnu-debuglink=linked.debug pie linked &&"
			" { [ %s = . ] || mv linked.debug %s; }",
			places[i], places[i], places[i]));
		assert_int_equal(address_of("linked", "own", SYMBOL_FUNCTION, NULL), truth.own);
		/* the program, not the debug file, determines the file offset */
		assert_int_equal(address_of("linked", "called", SYMBOL_FUNCTION, &offset),
				 truth.called);
		check_bytes("linked", offset, truth.code);
		assert_true(build_run(folder, "rm %s/linked.debug", places[i]));
	}
}

/* A recorded machine in root/ has usr/lib/debug, too: a debug file by link and one by build ID. */
static void debug_files_of_another_machine_are_below_its_root(void **state)
{
	static const struct {
		int line;
		const char *path, *root; /* below the folder of the test */
		int err;
	} rows[] = {
		{ ROW, "root/bin/linked", "root", 0 },
		{ ROW, "root/bin/linked", "root//", 0 },
		{ ROW, "root/bin/linked", "roo", -ENOENT },
		{ ROW, "root/bin/linked", "root/bin", -ENOENT },
		{ ROW, "root/bin/with-id", "root", 0 },
		{ ROW, "root/bin/with-id", "root/", 0 },
		{ ROW, "root/bin/with-id", "other", -ENOENT },
	};

	if (!build_run(folder, "objcopy --version"))
		skip(); /* objcopy of binutils is missing */
	build_program(folder, "id", program_text, "-O1 -g0 -fPIE -pie -Wl,--build-id=0xabcdef");
	assert_true(build_run(
		folder,
		"mkdir -p root/bin root/usr/lib/debug/bin root/usr/lib/debug/.build-id/ab &&"
		" objcopy --only-keep-debug pie linked.debug &&"
		" objcopy --strip-all --add-gnu-debuglink=linked.debug pie root/bin/linked &&"
		" mv linked.debug root/usr/lib/debug/bin &&"
		" objcopy --only-keep-debug id root/usr/lib/debug/.build-id/ab/cdef.debug &&"
		" objcopy --strip-all id root/bin/with-id"));
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
		cleanup_str struct str path = { 0 };
		cleanup_str struct str root = { 0 };
		cleanup_why struct why why = { 0 };

		str_addf(&path, "%s/%s", folder, rows[i].path);
		str_addf(&root, "%s/%s", folder, rows[i].root);
		row_int(&rows[i],
			symbol_find(&(struct symbol_query){ str_text(&path), str_text(&root), "own",
							    SYMBOL_FUNCTION },
				    &list, &why),
			rows[i].err);
	}
}

static void a_symbol_that_is_not_found_is_explained(void **state)
{
	static const struct {
		int line;
		const char *program, *pattern;
		enum symbol_kind kind;
		int error;
		const char *why; /* after the path */
	} rows[] = {
		{ ROW, "pie", "nosuch", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'nosuch' in its symbol tables" },
		{ ROW, "pie", "nosuch*", SYMBOL_VARIABLE, -ENOENT,
		  " has no variable 'nosuch*' in its symbol tables" },
		{ ROW, "pie", "claled", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'claled' in its symbol tables; did you mean 'called'?" },
		{ ROW, "pie", "couter", SYMBOL_VARIABLE, -ENOENT,
		  " has no variable 'couter' in its symbol tables; did you mean 'counter'?" },
		/* symbols of the wrong kind */
		{ ROW, "pie", "counter", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'counter' in its symbol tables" },
		{ ROW, "fixed", "called", SYMBOL_VARIABLE, -ENOENT,
		  " has no variable 'called' in its symbol tables" },
		/* used but not defined */
		{ ROW, "pie", "printf", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'printf' in its symbol tables; did you mean 'print'?" },
		/* a version cannot be chosen */
		{ ROW, "pie", "called@VERSION", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'called@VERSION' in its symbol tables" },
		{ ROW, "bare", "called", SYMBOL_FUNCTION, -ENOENT,
		  " has no function 'called' in its symbol tables (it is stripped: only exported "
		  "symbols can be found)" },
		{ ROW, "pie.c", "called", SYMBOL_FUNCTION, -ENOEXEC, ": is not an ELF file" },
		{ ROW, "empty", "called", SYMBOL_FUNCTION, -ENOEXEC, ": is not an ELF file" },
		{ ROW, "cut", "called", SYMBOL_FUNCTION, -ENOEXEC, ": is not an ELF file" },
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

/* Check that at most a few seconds of CPU time have passed. */
static void check_time(clock_t before)
{
	assert_in_range(clock() - before, 0, 3 * CLOCKS_PER_SEC);
}

/* Versions and indirect functions, in a library that the test builds. */

#	ifdef __GLIBC__

/*
 * call and choice have an old version, which only old programs use, and a default version. The old
 * version of choice is a plain function; its default version is an indirect function.
 */
static const char library_text[] =
	"#define KEEP __attribute__((used, noinline))\n"
	"KEEP int old_call(void) { return 1; }\n"
	"KEEP int new_call(void) { return 2; }\n"
	"KEEP int old_retired(void) { return 3; }\n"
	"KEEP int choice_exported(void) { return 9; }\n"
	"KEEP int old_choice(void) { return 4; }\n"
	"KEEP static int choice_plain(void) { return 5; }\n"
	"KEEP static int __choice_fast(void) { return 6; }\n"
	"KEEP static int choice_chk_fast(void) { return 7; }\n"
	"KEEP static int choices(void) { return 8; }\n"
	"static int fast;\n"
	"static void *choice_ifunc(void) { return fast ? __choice_fast : choice_plain; }\n"
	"int new_choice(void) __attribute__((ifunc(\"choice_ifunc\")));\n"
	"int last(void) __attribute__((ifunc(\"choice_ifunc\")));\n"
	"__asm__(\".symver old_call, call@V1\\n.symver new_call, call@@V2\\n\"\n"
	"	\".symver old_retired, retired@V1\\n\"\n"
	"	\".symver old_choice, choice@V1\\n.symver new_choice, choice@@V2\\n\");\n";

static const char library_versions[] = "V1 { global: call; retired; choice; local: *; };\n"
				       "V2 { global: call; choice; choice_exported; } V1;\n";

static void build_library(void)
{
	static const char flags[] = "-O1 -g0 -fPIC -shared -Wl,--version-script=versions";
	cleanup_str struct str stripped = { 0 };

	tree_add(folder, "versions", library_versions);
	build_program(folder, "library.so", library_text, flags);
	str_addf(&stripped, "%s -s", flags);
	build_program(folder, "bare.so", library_text, str_text(&stripped));
}

/* Check the matches of the pattern, "call retired@ ", or the message if there are none. */
static void check_found(int line, const char *library, const char *pattern, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_str struct str found = { 0 };
	cleanup_why struct why why = { 0 };
	int err = find(library, pattern, SYMBOL_FUNCTION, &list, &why);

	for (size_t i = 0; i < list.n; i++)
		str_addf(&found, "%s%s ", list.v[i].name, list.v[i].old ? "@" : "");
	row_string(&row, err < 0 ? why_text(&why, err) : str_text(&found), expected);
	row_int(&row, err, list.n ? 0 : -ENOENT);
}

static void the_default_version_is_taken_if_there_is_one(void **state)
{
	static const char *const libraries[] = { "library.so", "bare.so" };
	static const struct {
		int line;
		const char *pattern, *found;
	} rows[] = {
		{ ROW, "call", "call " },
		{ ROW, "cal[l]", "call " },
		{ ROW, "retired", "retired@ " }, /* there is no default version */
		{ ROW, "[cr][ae][lt]*", "call retired@ " },
	};

	build_library();
	for (size_t i = 0; i < N_OF(rows); i++)
		for (size_t j = 0; j < N_OF(libraries); j++)
			check_found(rows[i].line, libraries[j], rows[i].pattern, rows[i].found);
	assert_int_equal(address_of("library.so", "call", SYMBOL_FUNCTION, NULL),
			 address_of("library.so", "new_call", SYMBOL_FUNCTION, NULL));
}

static void an_indirect_function_is_refused(void **state)
{
	static const char choices[] = "'choice' is an indirect function; name one that it can "
				      "resolve to, or all: '*choice_*'";
	cleanup_str struct str stripped = { 0 };

	build_library();
	check_found(__LINE__, "library.so", "choice", choices);
	check_found(__LINE__, "library.so", "choic[e]", choices);
	check_found(__LINE__, "library.so", "__choice_fast", "__choice_fast ");
	/* neither the indirect function nor the function that chooses for it is listed */
	check_found(__LINE__, "library.so", "*choice*",
		    "__choice_fast choice_chk_fast choice_exported choice_plain choices "
		    "old_choice ");
	/* one exported function does not reveal the names of the others */
	str_addf(&stripped,
		 "'choice' is an indirect function; install the debug symbols of %s/bare.so, and "
		 "name one that it can resolve to",
		 folder);
	check_found(__LINE__, "bare.so", "choice", str_text(&stripped));
}

#	endif

/* Each function is compared with a few others only. */
static void many_functions_take_little_time(void **state)
{
	static const char text[] = "__asm__(\".altmacro\\n\"\n"
				   "	\".macro one n\\n.type many_\\\\n,%function\\n\"\n"
				   "	\"many_\\\\n: .byte 0\\n.endm\\n\"\n"
				   "	\".set i, 0\\n.rept 200000\\none %i\\n.set i, i+1\\n\"\n"
				   "	\".endr\\n\");\n";
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_why struct why why = { 0 };
	clock_t before;

	build_program(folder, "many", text, "-shared -nostdlib");
	before = clock();
	assert_int_equal(find("many", "many_*", SYMBOL_FUNCTION, &list, &why), 0);
	assert_int_equal(list.n, 200000);
	check_time(before);
}

/* An empty .gnu_debuglink has no data. A sanitizer notices a read. */
static void an_empty_debug_link_names_no_file(void **state)
{
	struct truth truth = ask("pie");

	if (!build_run(folder, "objcopy --version"))
		skip(); /* objcopy of binutils is missing */
	assert_true(
		build_run(folder, "objcopy --add-section .gnu_debuglink=/dev/null pie empty-link"));
	assert_int_equal(address_of("empty-link", "called", SYMBOL_FUNCTION, NULL), truth.called);
}

/* The C library that the loader uses. */

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
	assert_int_equal(program_find_library(&here, "libc.so.6", &found), 0);
	real = realpath(found, NULL);
	loaded = realpath(info.dli_fname, NULL);
	assert_string_equal(real, loaded);
	dlclose(library);
}

#	if defined(__x86_64__) && defined(__GLIBC__)

/* Since glibc 2.3.2 there is a new function next to the old one. */
static void a_version_is_the_one_that_the_loader_takes(void **state)
{
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_free char *path = NULL;
	cleanup_why struct why why = { 0 };
	void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	struct symbol_query query = { .root = "", .pattern = "pthread_cond_wait" };
	char *address;
	Dl_info info;

	assert_non_null(library);
	assert_int_equal(program_find_library(&here, "libc.so.6", &path), 0);
	address = dlvsym(library, "pthread_cond_wait", "GLIBC_2.3.2");
	assert_true(address && dladdr(address, &info));
	query.path = path;
	assert_int_equal(symbol_find(&query, &list, &why), 0);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.v[0].name, "pthread_cond_wait");
	assert_int_equal(list.v[0].address, address - (char *)info.dli_fbase);
	dlclose(library);
}

#	endif

/* Breakpoints on symbols. */

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
			resolve_events(&machine, RESOLVE_BY_ALL, str_text(&text), &list, &why), 0);
		row_int(&rows[i], source_breakpoint_bind(&list, "-e", str_text(&path), &why), 0);
		event = &list.events[1];
		row_int(&rows[i],
			find(rows[i].program, event->symbol, rows[i].kind, &symbols, &why), 0);
		row_int(&rows[i], event->attr.bp_addr, symbols.v[0].address);
		row_int(&rows[i], event->attr.bp_type, rows[i].type);
		row_int(&rows[i], event->attr.bp_len, rows[i].length);
		row_int(&rows[i], event->relocated, rows[i].relocated);
		row_int(&rows[i], event->entry, symbols.entry);
		row_int(&rows[i], list.events[0].relocated, false);
	}
}

static void a_breakpoint_needs_exactly_one_symbol(void **state)
{
	static const struct {
		int line;
		const char *text;
		int error;
		const char *parts[2];
	} rows[] = {
		{ ROW,
		  "mem:called*:x",
		  -EINVAL,
		  { "-e 'mem:called*:x', column 5: 'called*' matches 2 symbols of ",
		    "; use an address" } },
		{ ROW,
		  "mem:nosuch:w",
		  -ENOENT,
		  { "-e 'mem:nosuch:w', column 5: ", "has no variable 'nosuch'" } },
		{ ROW, "mem:called:w", -ENOENT, { "has no variable 'called'" } },
	};
	const struct machine machine = { .root = folder };
	cleanup_str struct str path = { 0 };

	str_addf(&path, "%s/pie", folder);
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i],
			resolve_events(&machine, RESOLVE_BY_ALL, rows[i].text, &list, &why), 0);
		row_int(&rows[i], source_breakpoint_bind(&list, "-e", str_text(&path), &why),
			rows[i].error);
		for (size_t j = 0; j < N_OF(rows[i].parts) && rows[i].parts[j]; j++)
			if (!strstr(why_text(&why, -EINVAL), rows[i].parts[j]))
				row_string(&rows[i], why_text(&why, -EINVAL), rows[i].parts[j]);
	}
}

/* Whether libelf can be loaded. */
static bool has_libelf(void)
{
	const struct symbol_query query = { "/proc/self/exe", "", "main", SYMBOL_FUNCTION };
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_why struct why why = { 0 };

	return symbol_find(&query, &list, &why) != -ELIBACC;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_have_the_addresses_of_the_program),
		cmocka_unit_test(symbols_have_the_sizes_of_their_types),
		cmocka_unit_test(a_pattern_gives_all_that_it_matches_sorted),
		cmocka_unit_test(a_stripped_program_has_its_exported_symbols),
		cmocka_unit_test(a_debug_file_is_found_by_its_link),
		cmocka_unit_test(debug_files_of_another_machine_are_below_its_root),
		cmocka_unit_test(a_symbol_that_is_not_found_is_explained),
#	ifdef __GLIBC__
		cmocka_unit_test(the_default_version_is_taken_if_there_is_one),
		cmocka_unit_test(an_indirect_function_is_refused),
#	endif
		cmocka_unit_test(many_functions_take_little_time),
		cmocka_unit_test(an_empty_debug_link_names_no_file),
		cmocka_unit_test(a_library_is_found_where_the_loader_has_it),
#	if defined(__x86_64__) && defined(__GLIBC__)
		cmocka_unit_test(a_version_is_the_one_that_the_loader_takes),
#	endif
		cmocka_unit_test(a_breakpoint_gets_its_symbols_address_and_length),
		cmocka_unit_test(a_breakpoint_needs_exactly_one_symbol),
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
	const struct symbol_query query = { "/bin/sh", "", "main", SYMBOL_FUNCTION };
	struct symbol_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(symbol_find(&query, &list, &why), -ENOSYS);
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
