/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saved documents. Whatever the bytes, load_saved() returns a document or reports a mistake. The
 * result of the document and of each of its intervals, or the comparison of its results, can be
 * built and printed in every format. The output of --format json can be read again, and prints the
 * same bytes.
 *
 * The mutator of this target changes one value of the JSON text. One time in four, libFuzzer's own
 * mutator changes arbitrary bytes, which seldom leaves valid JSON.
 */
#include <dlfcn.h>
#include <errno.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "document/load.h"
#include "format/format.h"
#include "fuzz.h"
#include "result/process_rows.h"
#include "result/suite.h"
#include "stats/rmath.h"

static FILE *nowhere;
static struct math math;
static bool has_math; /* without libRmath, no comparison is built */

/* Load jansson once. Each load_saved() then finds it loaded. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	cleanup_why struct why why = { 0 };

	(void)argc, (void)argv;
	nowhere = fopen("/dev/null", "w");
	CHECK(nowhere && dlopen("libjansson.so.4", RTLD_NOW));
	has_math = rmath_load(&math, &why) == 0;
	return 0;
}

/* looks: one bit for each option that changes the output. */
static void print(const struct table *result, const struct format *format, size_t looks, FILE *out)
{
	const struct format_style style = { .numbers = { ",", "." },
					    .separator = ",",
					    .header = looks & 1,
					    .colour = looks & 2,
					    .metric_only = looks & 4,
					    .run_times = looks & 8,
					    .is_summary = looks & 16 };

	CHECK(format->write(result, &style, out) == 0);
}

static void print_in_all(const struct series *series, const struct interval *interval, size_t looks)
{
	cleanup_with(table_release) struct table result = { 0 };

	CHECK(table_build(&result, series, interval) == 0);
	print(&result, &format_perf_csv, looks, nowhere);
	print(&result, &format_perf_json, looks, nowhere);
	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->write)
			print(&result, formats[i], looks, nowhere);
}

static int load(struct saved *saved, const void *text, size_t size)
{
	cleanup_why struct why why = { 0 };
	FILE *in = fmemopen((void *)(uintptr_t)text, size, "r");
	int err;

	CHECK(in);
	err = load_saved(saved, in, &why);
	fclose(in);
	CHECK(err == 0 || why.text);
	return err;
}

/* Return whether the comparison can be built: a gate may name a row that no side has. */
static bool compare(struct suite *suite, const struct saved *saved)
{
	cleanup_why struct why why = { 0 };
	struct comparison_input input = saved->comparison;
	int err;

	if (!has_math)
		return false;
	input.math = &math;
	err = suite_build(suite, &input, &why);
	CHECK(err == 0 || (err == -ENOENT && why.text));
	return err == 0;
}

static void compare_in_all(const struct saved *saved, size_t looks)
{
	cleanup_with(suite_release) struct suite suite = { 0 };
	const struct format_style style = { .numbers = { ",", "." },
					    .header = looks & 1,
					    .width = 20 + (int)(looks % 200),
					    .ascii = looks & 2,
					    .colour = looks & 4 };

	if (!compare(&suite, saved))
		return;
	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->write_comparison &&
		    (formats[i]->has_cases || !suite_has_cases(&suite)))
			CHECK(formats[i]->write_comparison(&suite, &style, nowhere) == 0);
}

/* The document as JSON; empty if the comparison cannot be built. */
static char *as_json(const struct saved *saved)
{
	const struct format_style style = { .width = 80 };
	cleanup_with(suite_release) struct suite suite = { 0 };
	cleanup_with(table_release) struct table result = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CHECK(out && table_build(&result, &saved->documents->series, NULL) == 0);
	if (!saved->is_comparison)
		print(&result, &format_json, 0, out);
	else if (compare(&suite, saved))
		CHECK(format_json.write_comparison(&suite, &style, out) == 0);
	CHECK(fclose(out) == 0);
	return text;
}

static void check_second(const struct saved *saved)
{
	cleanup_with(saved_release) struct saved second = { 0 };
	cleanup_free char *once = as_json(saved), *twice = NULL;

	if (once[0] == '\0')
		return;
	CHECK(load(&second, once, strlen(once)) == 0);
	twice = as_json(&second);
	CHECK(strcmp(once, twice) == 0);
}

/* The rows of --per-process, added up in each way. */
static void print_processes(const struct series *series, size_t looks)
{
	for (enum process_by by = PROCESS_BY_PROCESS; by <= PROCESS_BY_TREE; by++) {
		const struct process_view view = { .by = by, .top = looks % 4 };
		cleanup_with(process_rows_release) struct process_rows rows = { 0 };
		cleanup_why struct why why = { 0 };
		int err = process_rows_build(&rows, series, &view, &why);

		CHECK(err == 0 || (err == -EINVAL && why.text));
		if (err == 0)
			print_in_all(&rows.series, NULL, looks);
	}
}

static void print_series(const struct series *series, size_t looks)
{
	if (process_rows_count(series) > 0)
		print_processes(series, looks);
	for (size_t i = 0; i < series->intervals_n; i++)
		print_in_all(series, &series->intervals[i], looks);
	print_in_all(series, NULL, looks);
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_with(saved_release) struct saved saved = { 0 };

	if (size == 0 || load(&saved, data, size) < 0)
		return;
	if (saved.is_comparison)
		compare_in_all(&saved, size);
	else
		print_series(&saved.documents->series, size);
	if (size % 4 == 3) /* these steps take as long as everything else together */
		check_second(&saved);
}

/* The start of the first value, or name with its ':', in the text from `from` on; size: none. */
static size_t find_value(const uint8_t *data, size_t size, size_t from)
{
	while (from < size && !strchr(":[,", data[from]))
		from++;
	while (from < size && strchr(":[, \n", data[from]))
		from++;
	return from;
}

/* The end of the value that begins at this position. */
static size_t end_of_value(const uint8_t *data, size_t size, size_t from)
{
	size_t depth = 0;
	bool quoted = false;

	for (size_t i = from; i < size; i++) {
		if (quoted && data[i] == '\\')
			i++;
		else if (data[i] == '"')
			quoted = !quoted;
		else if (!quoted && strchr("{[", data[i]) && data[i])
			depth++;
		else if (!quoted && strchr("}],", data[i]) && data[i] && depth == 0)
			return i;
		else if (!quoted && strchr("}]", data[i]) && data[i])
			depth--;
	}
	return size;
}

static const char *const values[] = {
	"0",
	"1",
	"2",
	"-1",
	"3",
	"0.5",
	"100",
	"4294967295",
	"4294967296",
	"9007199254740993",
	"9223372036854775807",
	"\"9223372036854775808\"",
	"\"18446744073709551615\"",
	"\"18446744073709551616\"",
	"1e308",
	"1e-308",
	"-1e308",
	"null",
	"true",
	"false",
	"[]",
	"{}",
	"\"\"",
	"\"a\"",
	"\"a,b\\\"c\\n\\u001b\"",
	"\"\xc3\xa4\xe4\xb8\xad\xcc\x81\"",
	"{\"bytes\":\"ff2c0a22\",\"text\":\"\"}",
	"\"0xffffffffffffffff\"",
	"\"0x0\"",
	"\"counted\"",
	"\"scaled\"",
	"\"not counted\"",
	"\"not supported\"",
	"\"failed\"",
	"\"elsewhere\"",
	"\"target\"",
	"\"cpu\"",
	"\"core\"",
	"\"thread\"",
	"\"process\"",
	"\"running\"",
	"\"executed\"",
	"\"ended\"",
	"\"socket\"",
	"\"duration_time\"",
	"\"max_rss\"",
	"\"estimate\"",
	"\"half_width\"",
	"\"exclude_kernel\"",
	"\"ipc\"",
	"0.95",
	"\"x=a/b\"",
	"\"x=-a*1e308*1e308\"",
	"[0,1]",
	"[null]",
	"[{}]",
};

/* Replace the bytes from `from` to `end` - 1 with the n bytes at text. Return the new size. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, size_t from, size_t end,
		      const void *text, size_t n)
{
	if (size - (end - from) + n > max_size)
		return size;
	memmove(data + from + n, data + end, size - end);
	memcpy(data + from, text, n);
	return size - (end - from) + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	unsigned int random = seed * 2654435761U;
	size_t from = find_value(data, size, size ? random % size : 0);
	size_t end = end_of_value(data, size, from), to;
	const char *value = values[(random >> 8) % (sizeof(values) / sizeof(values[0]))];
	uint8_t *copy;

	if (seed % 4 == 0 || from == size)
		return LLVMFuzzerMutate(data, size, max_size);
	if (seed % 4 != 1)
		return replace(data, size, max_size, from, end, value, strlen(value));
	/* Copy the value over another value. */
	copy = malloc(end - from + 1);
	CHECK(copy);
	memcpy(copy, data + from, end - from);
	random = random * 1664525U + 1013904223U;
	to = find_value(data, size, random % size);
	size = replace(data, size, max_size, to, end_of_value(data, size, to), copy, end - from);
	free(copy);
	return size;
}
