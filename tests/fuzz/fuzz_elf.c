/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol tables of an ELF file. Whatever the file contains, symbol_find() returns matching
 * symbols in order, one for each address, or reports the reason for a failure.
 *
 * The mutator of this target writes an interesting number into one field of the file. One time in
 * four, libFuzzer's own mutator changes arbitrary bytes.
 */
#include <errno.h>
#include <fnmatch.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/symbol.h"
#include "fuzz.h"

static const char *const patterns[] = { "*", "f*", "f", "indirect", "variable" };

enum { FILE_FD = 100 }; /* tests/fuzz/run makes a seed whose debug link is this number */

static const char path[] = "/proc/self/fd/100";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	CHECK(dup2(memfd_create("elf", MFD_CLOEXEC), FILE_FD) == FILE_FD);
	return 0;
}

static void write_file(const uint8_t *data, size_t size)
{
	CHECK(ftruncate(FILE_FD, 0) == 0 && pwrite(FILE_FD, data, size, 0) == (ssize_t)size);
}

static void check_symbols(const struct symbol_list *list, const char *pattern)
{
	CHECK(list->n > 0);
	for (size_t i = 0; i < list->n; i++) {
		const struct symbol *symbol = &list->v[i];

		CHECK(symbol->name && !symbol->indirect);
		CHECK(fnmatch(pattern, symbol->name, 0) == 0);
		CHECK(i == 0 || strcmp(list->v[i - 1].name, symbol->name) <= 0);
		for (size_t j = 0; j < i; j++)
			CHECK(list->v[j].address != symbol->address);
	}
}

static void check_find(const char *pattern, enum symbol_kind kind)
{
	cleanup_with(symbol_list_release) struct symbol_list list = { 0 };
	cleanup_why struct why why = { 0 };
	int err = symbol_find(&(struct symbol_query){ path, "", pattern, kind }, &list, &why);

	if (err < 0)
		CHECK(why.text && list.n == 0);
	else
		check_symbols(&list, pattern);
}

void fuzz(const uint8_t *data, size_t size)
{
	const size_t patterns_n = sizeof(patterns) / sizeof(patterns[0]);
	/* Any part of the input may choose the pattern; this is where the padding of e_ident is. */
	size_t chosen = size > 15 ? data[15] % patterns_n : 0;

	write_file(data, size);
	check_find(patterns[chosen], chosen == patterns_n - 1 ? SYMBOL_VARIABLE : SYMBOL_FUNCTION);
}

/* A number that some field of an ELF file may be compared with or added to. */
static uint64_t interesting(unsigned int random, size_t size)
{
	static const uint64_t numbers[] = {
		0,	    1,		 2,	     3,		 4,
		8,	    11,		 16,	     24,	 64,
		0x7f,	    0xff,	 0x7fff,     0x8000,	 0x8001,
		0xffff,	    0x10000,	 0x7fffffff, 0x80000000, 0xfffffff0,
		0xffffffff, 0x100000000, INT64_MAX,  UINT64_MAX, UINT64_MAX - 15,
		0x6ffffffd, 0x6fffffff
	};
	const size_t n = sizeof(numbers) / sizeof(numbers[0]);

	if (random % 4 == 0)
		return random / 4 % (size + 1); /* a place in the file */
	return numbers[random / 4 % n];
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	unsigned int random = seed * 2654435761U;
	size_t width = (size_t)1 << (random >> 8) % 4;
	uint64_t number = interesting(random >> 10, size);
	size_t at;

	if (seed % 4 == 0 || size < 64)
		return LLVMFuzzerMutate(data, size, max_size);
	random = random * 1664525U + 1013904223U;
	at = (random >> 4) % (size / width) * width;
	memcpy(data + at, &number, width);
	return size;
}
