/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding the file of a library. The libraries are ELF headers alone, and the test writes the
 * loader's cache. test_symbol compares with the real loader.
 */
#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "machine/program.h"
#include "machine/program.h"
#include "unit/test.h"
#include "unit/tree.h"

static char *root;
static char this_machine[] = "";
static const struct machine here = { .root = this_machine };

static const struct program_abi x86_64 = { ELFCLASS64, ELFDATA2LSB, EM_X86_64 };
static const struct program_abi x32 = { ELFCLASS32, ELFDATA2LSB, EM_X86_64 };
static const struct program_abi ia32 = { ELFCLASS32, ELFDATA2LSB, EM_386 };
static const struct program_abi arm64 = { ELFCLASS64, ELFDATA2LSB, EM_AARCH64 };

static void add_file(const char *path, const void *data, size_t n)
{
	cleanup_str struct str full = { 0 };
	FILE *out;

	tree_add(root, path, "");
	str_addf(&full, "%s/%s", root, path);
	out = fopen(str_text(&full), "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, n, out), n);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(str_text(&full), 0755), 0);
}

static void add_elf(const char *path, const struct program_abi *abi)
{
	Elf64_Ehdr header = { .e_machine = abi->machine };

	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = abi->class;
	header.e_ident[EI_DATA] = abi->data;
	add_file(path, &header, sizeof(header));
}

/* The file format of the loader's cache since glibc 2.32. */
struct cache {
	char magic[20];
	uint32_t entries_n, strings_size, unused[5];
	struct {
		int32_t flags;
		uint32_t name, path, os_version;
		uint64_t capabilities;
	} entries[4];
	char strings[512];
};

/* All entries have the same name. */
static void add_cache(const char *name, const char *const paths[4])
{
	struct cache cache = { .magic = "glibc-ld.so.cache1.", .entries_n = 4 };
	size_t used = strlen(name) + 1;

	cache.magic[19] = '1';
	memcpy(cache.strings, name, used);
	for (size_t i = 0; i < 4; i++) {
		cache.entries[i].name = offsetof(struct cache, strings);
		cache.entries[i].path = (uint32_t)(offsetof(struct cache, strings) + used);
		assert_true(used + strlen(paths[i]) < sizeof(cache.strings));
		memcpy(cache.strings + used, paths[i], strlen(paths[i]) + 1);
		used += strlen(paths[i]) + 1;
	}
	add_file("etc/ld.so.cache", &cache, sizeof(cache));
}

static int set_up(void **state)
{
	struct program_abi own, other;

	root = tree_new();
	assert_int_equal(program_abi_of_command("/proc/self/exe", &own), 0);
	other = own;
	other.class = own.class == ELFCLASS64 ? ELFCLASS32 : ELFCLASS64;
	add_elf("one/libtest-pstat.so.1", &own);
	add_elf("two/libtest-pstat.so.1", &own);
	add_elf("two/libtest-pstat.so.2", &own);
	add_elf("other/libtest-pstat.so.1", &other);
	tree_add(root, "text/libtest-pstat.so.1", "GROUP ( libtest-pstat.so.0 )\n");
	tree_add(root, "folder/libtest-pstat.so.1/file", "");
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(unsetenv("LD_LIBRARY_PATH"), 0);
	tree_remove(root);
	return 0;
}

static void the_folders_of_the_environment_come_first(void **state)
{
	static const struct {
		int line;
		const char *folders[3]; /* below the tree; "" is an empty element */
		const char *name, *found; /* NULL: not found */
	} rows[] = {
		{ ROW, { "one", "two" }, "libtest-pstat.so.1", "one" },
		{ ROW, { "two", "one" }, "libtest-pstat.so.1", "two" },
		{ ROW, { "one", "two" }, "libtest-pstat.so.2", "two" },
		{ ROW, { "missing", "", "two" }, "libtest-pstat.so.2", "two" },
		{ ROW, { "one" }, "libtest-pstat.so.2", NULL },
		{ ROW, { "one", "two" }, "libtest-pstat.so", NULL },
		{ ROW, { NULL }, "libtest-pstat.so.1", NULL },
		/* the loader would not load these, either */
		{ ROW, { "other", "two" }, "libtest-pstat.so.1", "two" },
		{ ROW, { "text", "two" }, "libtest-pstat.so.1", "two" },
		{ ROW, { "folder", "two" }, "libtest-pstat.so.1", "two" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str folders = { 0 };
		cleanup_str struct str expected = { 0 };
		cleanup_free char *path = NULL;

		for (size_t j = 0; j < N_OF(rows[i].folders) && rows[i].folders[j]; j++)
			str_addf(&folders, "%s%s%s%s", j ? ":" : "",
				 rows[i].folders[j][0] ? root : "",
				 rows[i].folders[j][0] ? "/" : "", rows[i].folders[j]);
		row_int(&rows[i], setenv("LD_LIBRARY_PATH", str_text(&folders), 1), 0);
		row_int(&rows[i], program_find_library(&here, rows[i].name, &path),
			rows[i].found ? 0 : -ENOENT);
		if (!rows[i].found)
			continue;
		str_addf(&expected, "%s/%s/%s", root, rows[i].found, rows[i].name);
		row_string(&rows[i], path, str_text(&expected));
	}
}

static void without_the_environment_a_library_is_still_searched(void **state)
{
	cleanup_free char *path = NULL;

	assert_int_equal(unsetenv("LD_LIBRARY_PATH"), 0);
	assert_int_equal(program_find_library(&here, "libtest-pstat.so.1", &path), -ENOENT);
	assert_null(path);
}

static void the_cache_gives_the_library_of_the_targets_abi(void **state)
{
	static const char *const cached[] = { "/libx32/libt.so.6", "/lib/removed/libt.so.6",
					      "/lib/x86_64/libt.so.6", "/lib32/libt.so.6" };
	static const struct {
		int line;
		const char *program; /* NULL: unknown */
		const char *found; /* NULL: none */
	} rows[] = {
		{ ROW, "bin/x86_64", "lib/x86_64/libt.so.6" },
		{ ROW, "bin/x32", "libx32/libt.so.6" },
		{ ROW, "bin/i386", "lib32/libt.so.6" },
		{ ROW, "bin/arm64", NULL },
		{ ROW, "bin/script", "lib32/libt.so.6" },
		{ ROW, "bin/script-of-script", "lib32/libt.so.6" },
		/* another machine, and a program of unknown ABI: any ABI is accepted */
		{ ROW, NULL, "libx32/libt.so.6" },
		{ ROW, "bin/nosuch", "libx32/libt.so.6" },
		{ ROW, "bin/loop", "libx32/libt.so.6" },
	};
	cleanup_str struct str script = { 0 };

	add_cache("libt.so.6", cached);
	add_elf("lib/x86_64/libt.so.6", &x86_64);
	add_elf("libx32/libt.so.6", &x32);
	add_elf("lib32/libt.so.6", &ia32);
	add_elf("bin/x86_64", &x86_64);
	add_elf("bin/x32", &x32);
	add_elf("bin/i386", &ia32);
	add_elf("bin/arm64", &arm64);
	str_addf(&script, "#! %s/bin/i386 -option\n", root);
	add_file("bin/script", str_text(&script), script.len);
	str_release(&script);
	str_addf(&script, "#!%s/bin/script", root);
	add_file("bin/script-of-script", str_text(&script), script.len);
	str_release(&script);
	str_addf(&script, "#!%s/bin/loop", root);
	add_file("bin/loop", str_text(&script), script.len);
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str program = { 0 };
		cleanup_str struct str expected = { 0 };
		cleanup_free char *path = NULL;
		struct machine m = { .root = root };

		str_addf(&program, "%s/%s", root, rows[i].program ? rows[i].program : "");
		m.program = rows[i].program ? program.text : NULL;
		m.mixed_abis = true;
		row_int(&rows[i], program_find_library(&m, "libt.so.6", &path), -ENOTUNIQ);
		m.mixed_abis = false;
		row_int(&rows[i], program_find_library(&m, "libt.so.6", &path),
			rows[i].found ? 0 : -ENOENT);
		str_addf(&expected, "%s/%s", root, rows[i].found ? rows[i].found : "");
		row_string(&rows[i], rows[i].found ? path : "",
			   rows[i].found ? str_text(&expected) : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_folders_of_the_environment_come_first),
		cmocka_unit_test(without_the_environment_a_library_is_still_searched),
		cmocka_unit_test(the_cache_gives_the_library_of_the_targets_abi),
	};

	return cmocka_run_group_tests_name("library", tests, set_up, tear_down);
}
