/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/why.h"
#include "job/loading.h"
#include "result/process_rows.h"

/* Wait until no pstat writes to the file, read it, and detect whether another program has written
 * to it. */
static int loading_read_stream(FILE *in, loading_reader *reader, void *into, struct why *why)
{
	struct stat before;
	int err;

	file_lock(fileno(in), F_RDLCK, FILE_LOCK_MS);
	if (fstat(fileno(in), &before) < 0)
		before = (struct stat){ 0 };
	err = reader(in, into, why);
	if (file_has_changed(fileno(in), &before))
		err = why_set(why, -EAGAIN, "changed while it was read; try again");
	file_lock(fileno(in), F_UNLCK, 0);
	return err;
}

static bool loading_is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

int loading_read(const char *option, const char *path, loading_reader *reader, void *into,
		 struct why *why)
{
	cleanup_why struct why trouble = { 0 };
	FILE *in = loading_is_stdin(path) ? stdin : fopen(path, "re");
	int err = in ? loading_read_stream(in, reader, into, &trouble) : -errno;

	if (in && in != stdin)
		fclose(in);
	return err < 0 ? why_set(why, err, "%s %s: %s", option, file_name_shown(path),
				 why_text(&trouble, err)) :
			 0;
}

static int loading_read_saved(FILE *in, void *saved, struct why *why)
{
	return load_saved(saved, in, why);
}

int loading_file(struct saved *saved, const char *option, const char *path, struct why *why)
{
	return loading_read(option, path, loading_read_saved, saved, why);
}

int loading_check_stdin(const char *option, char *const *paths, struct why *why)
{
	size_t stdin_n = 0;

	for (size_t i = 0; paths[i]; i++)
		stdin_n += loading_is_stdin(paths[i]);
	return stdin_n > 1 ?
		       why_set(why, -EINVAL,
			       "%s: standard input can be read only once; give - once", option) :
		       0;
}

int loading_all(struct loading *loading, const char *option, char *const *paths, struct why *why)
{
	size_t n = 0;
	int err = loading_check_stdin(option, paths, why);

	if (err < 0)
		return err;
	while (paths[n])
		n++;
	loading->paths = (const char *const *)paths;
	loading->v = calloc(n + 1, sizeof(*loading->v));
	if (!loading->v)
		return -ENOMEM;
	while (err == 0 && loading->n < n) {
		err = loading_file(&loading->v[loading->n], option, paths[loading->n], why);
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
static int loading_sum_processes(struct document *document)
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
	int err = 0;

	for (size_t i = 0; err == 0 && i < saved->n; i++) {
		const struct series *series = &saved->documents[i].series;

		if (process_rows_count(series) > 0 && !process_rows_are_names(series))
			err = loading_sum_processes(&saved->documents[i]);
	}
	return err;
}
