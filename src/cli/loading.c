/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/loading.h"
#include "cli/message.h"

static int load_stream(struct saved *saved, const char *option, const char *name, FILE *in)
{
	cleanup_why struct why why = { 0 };
	int err = load_saved(saved, in, &why);

	if (err < 0)
		message("%s %s: %s", option, name, why_text(&why, err));
	return err;
}

static bool is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

const char *loading_name(const char *path)
{
	return is_stdin(path) ? "standard input" : path;
}

int loading_file(struct saved *saved, const char *option, const char *path)
{
	FILE *in;
	int err;

	if (is_stdin(path))
		return load_stream(saved, option, loading_name(path), stdin);
	in = fopen(path, "re");
	if (!in) {
		err = -errno;
		message("%s %s: %s", option, path, strerror(-err));
		return err;
	}
	err = load_stream(saved, option, path, in);
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
