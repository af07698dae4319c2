/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/why.h"
#include "job/loading.h"
#include "options/file_name.h"
#include "output/message.h"
#include "result/process_rows.h"

void loading_begin(FILE *in, struct stat *before)
{
	file_lock(fileno(in), F_RDLCK, FILE_LOCK_MS);
	if (fstat(fileno(in), before) < 0)
		*before = (struct stat){ 0 };
}

int loading_end(FILE *in, const struct stat *before, const char *option, const char *name)
{
	bool changed = file_has_changed(fileno(in), before);

	file_lock(fileno(in), F_UNLCK, 0);
	if (!changed)
		return 0;
	message("%s %s: changed while it was read; try again", option, name);
	return -EAGAIN;
}

int loading_stream(struct saved *saved, const char *option, const char *name, FILE *in)
{
	cleanup_why struct why why = { 0 };
	struct stat before;
	int err;

	loading_begin(in, &before);
	err = load_saved(saved, in, &why);
	if (loading_end(in, &before, option, name) < 0)
		return -EAGAIN;
	if (err < 0)
		message("%s %s: %s", option, name, why_text(&why, err));
	return err;
}

static bool is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

int loading_file(struct saved *saved, const char *option, const char *path)
{
	FILE *in;
	int err;

	if (is_stdin(path))
		return loading_stream(saved, option, file_name_shown(path), stdin);
	in = fopen(path, "re");
	if (!in) {
		err = -errno;
		message("%s %s: %s", option, path, strerror(-err));
		return err;
	}
	err = loading_stream(saved, option, path, in);
	fclose(in);
	return err;
}

int loading_check_stdin(const char *option, char *const *paths)
{
	size_t stdin_n = 0;

	for (size_t i = 0; paths[i]; i++)
		stdin_n += is_stdin(paths[i]);
	if (stdin_n <= 1)
		return 0;
	message("%s: standard input can be read only once; give - once", option);
	return -EINVAL;
}

int loading_all(struct loading *loading, const char *option, char *const *paths)
{
	size_t n = 0;
	int err = loading_check_stdin(option, paths);

	if (err < 0)
		return err;
	while (paths[n])
		n++;
	loading->paths = (const char *const *)paths;
	loading->v = calloc(n + 1, sizeof(*loading->v));
	if (!loading->v)
		return message_no_memory();
	while (err == 0 && loading->n < n) {
		err = loading_file(&loading->v[loading->n], option, paths[loading->n]);
		loading->n++;
	}
	return err;
}

void loading_release(struct loading *loading)
{
	for (size_t i = 0; i < loading->n; i++)
		saved_release(&loading->v[i]);
	free(loading->v);
}

/* Replace the places, rows and runs of the document. 0 or -ENOMEM. */
static int add_up_processes(struct document *document)
{
	const struct process_view by_name = { .by = PROCESS_BY_NAME, .as_runs = true };
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };
	const struct process_rows before = { .series = document->series,
					     .places = document->places,
					     .rows = document->rows };
	int err = process_rows_build(&rows, &document->series, &by_name, NULL);

	if (err < 0)
		return err;
	document->series = rows.series;
	document->places = rows.places;
	document->places_n = series_places_n(&rows.series);
	document->rows = rows.rows;
	rows = before; /* to be released */
	return 0;
}

int loading_add_up_processes(struct saved *saved)
{
	for (size_t i = 0; i < saved->n; i++) {
		const struct series *series = &saved->documents[i].series;

		if (process_rows_count(series) == 0 || process_rows_are_names(series))
			continue;
		if (add_up_processes(&saved->documents[i]) < 0)
			return message_no_memory();
	}
	return 0;
}
