/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CSV of --history. Whatever the bytes, history_csv_load() reads entries in the order of time
 * with finite values, or reports a mistake. The limits follow from them, and the table can be
 * printed. The columns of a file that can be appended to are those that were read.
 */
#include <errno.h>
#include <math.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "document/history_csv.h"
#include "format/format.h"
#include "fuzz.h"

static FILE *nowhere;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	nowhere = fopen("/dev/null", "w");
	CHECK(nowhere);
	return 0;
}

static FILE *open_text(const uint8_t *data, size_t size)
{
	FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");

	CHECK(in);
	return in;
}

static void check_limits(const struct history *history)
{
	for (size_t metric = 0; metric < history->metrics.n; metric++)
		for (size_t n = 0; n <= history->n; n++) {
			const struct limit limit = history_limit(history, metric, n);

			CHECK(limit.source == LIMIT_FALLBACK || limit.value > 0);
			CHECK(limit.changes_n < n || n == 0);
		}
}

static void check_history(const struct history *history)
{
	const struct format_style style = { .numbers = num_plain, .width = 80 };

	for (size_t i = 0; i < history->n; i++) {
		CHECK(i == 0 || history->entries[i].time >= history->entries[i - 1].time);
		for (size_t metric = 0; metric < history->metrics.n; metric++)
			CHECK(!isinf(history->entries[i].values[metric]));
	}
	check_limits(history);
	for (size_t i = 0; formats[i]; i++)
		CHECK(!formats[i]->write_history ||
		      formats[i]->write_history(history, &style, nowhere) == 0);
}

static int read_columns(const uint8_t *data, size_t size, struct str_list *columns)
{
	cleanup_why struct why why = { 0 };
	FILE *in = open_text(data, size);
	int err = history_csv_columns(in, columns, &why);

	fclose(in);
	CHECK(err == 0 || (err == -EINVAL && why.text));
	return err;
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_with(history_release) struct history history = { 0 };
	cleanup_str_list struct str_list columns = { 0 };
	cleanup_why struct why why = { 0 };
	FILE *in;
	int err;

	if (size == 0)
		return;
	in = open_text(data, size);
	err = history_csv_load(in, &history, &why);
	fclose(in);
	if (err == 0) {
		check_history(&history);
		CHECK(data[size - 1] != '\n' || read_columns(data, size, &columns) == 0);
	} else {
		CHECK(err == -EINVAL && why.text);
	}
}
