/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "machine/program.h"

/* Whether path is a file that may be executed. 0 or -errno. */
static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

static int explain(const char *name, int err, struct why *why)
{
	switch (err) {
	case -ENOENT:
	case -ENOTDIR:
		return why_set(why, -ENOENT, "%s: command not found", name);
	case -EISDIR:
		return why_set(why, err, "%s: is a directory, not a command", name);
	case -EACCES:
		return why_set(why, err, "%s: found, but not executable", name);
	default:
		return why_set(why, err, "%s: %s", name, strerror(-err));
	}
}

static int check_path(const char *name, char **path, struct why *why)
{
	int err = check_file(name);

	if (err < 0)
		return explain(name, err, why);
	*path = strdup(name);
	return *path ? 0 : -ENOMEM;
}

/* The next folder of PATH joined with name; an empty folder is the current one. */
static char *next_candidate(const char **folders, const char *name)
{
	size_t n = strcspn(*folders, ":");
	char *path;

	if (asprintf(&path, "%.*s%s%s", (int)n, *folders, n ? "/" : "./", name) < 0)
		return NULL;
	*folders += n;
	return path;
}

int program_find(const char *name, char **path, struct why *why)
{
	const char *folders = getenv("PATH");
	int found = -ENOENT; /* a file that may not be executed counts if there is no better one */

	if (strchr(name, '/'))
		return check_path(name, path, why);
	if (!folders)
		folders = "/bin:/usr/bin"; /* confstr(3), _CS_PATH */
	while (name[0]) {
		cleanup_free char *candidate = next_candidate(&folders, name);
		int err;

		if (!candidate)
			return -ENOMEM;
		err = check_file(candidate);
		if (err == 0) {
			*path = take_ptr(candidate);
			return 0;
		}
		if (err == -EACCES && access(candidate, F_OK) == 0)
			found = err; /* and not: a folder that may not be searched */
		if (*folders++ == '\0')
			break;
	}
	return explain(name, found, why);
}
