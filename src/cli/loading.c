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
	int err = saved_load(saved, in, &why);

	if (err < 0)
		message("%s %s: %s", option, name, why_text(&why, err));
	return err;
}

int loading_file(struct saved *saved, const char *option, const char *path)
{
	FILE *in;
	int err;

	if (strcmp(path, "-") == 0)
		return load_stream(saved, option, "standard input", stdin);
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

int loading_all(struct loading *loading, const char *option, char *const *paths)
{
	size_t n = 0;
	int err = 0;

	while (paths[n])
		n++;
	loading->paths = (const char *const *)paths;
	loading->v = calloc(n + 1, sizeof(*loading->v));
	if (!loading->v)
		return -ENOMEM;
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
