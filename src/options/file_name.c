/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/str.h"
#include "base/why.h"
#include "machine/launcher.h"
#include "options/file_name.h"

/* A value may come from the environment, so it must not name a folder, not even "..". */
static void file_name_add_value(struct str *out, const char *value)
{
	for (const char *p = value; *p; p++) {
		bool plain =
			isalnum((unsigned char)*p) || strchr("_-", *p) || (*p == '.' && p > value);

		str_add_n(out, plain ? p : "_", 1);
	}
}

/* letter: after the '%', or the NUL at the end of the name. */
static int add_letter(struct str *out, char letter, size_t at, struct why *why)
{
	struct utsname names;

	switch (letter) {
	case '%':
		str_add(out, "%");
		return 0;
	case 'h':
		file_name_add_value(out, uname(&names) == 0 ? names.nodename : "localhost");
		return 0;
	case 'p':
		str_addf(out, "%d", getpid());
		return 0;
	case 'r':
		if (launcher_rank() < 0)
			return why_at(
				why, -EINVAL, at,
				"%%r: no launcher (mpirun, srun) has given this process a rank");
		str_addf(out, "%d", launcher_rank());
		return 0;
	case 'j':
		if (!launcher_job())
			return why_at(why, -EINVAL, at, "%%j: no launcher has named a job");
		file_name_add_value(out, launcher_job());
		return 0;
	default:
		return why_at(why, -EINVAL, at,
			      "unknown %%%.1s; choose from %%h, %%p, %%r, %%j, or write %%%% for a "
			      "percent sign",
			      &letter);
	}
}

int file_name_expand(struct str *out, const char *name, struct why *why)
{
	for (const char *p = name; *p; p++) {
		int err;

		if (*p != '%') {
			str_add_n(out, p, 1);
			continue;
		}
		err = add_letter(out, p[1], (size_t)(p - name), why);
		if (err < 0)
			return err;
		p++;
	}
	return out->failed ? -ENOMEM : 0;
}

const char *file_name_shown(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool file_name_is_document(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && strcmp(name + n - 5, ".json") == 0;
}
