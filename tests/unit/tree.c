/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "unit/test.h"
#include "unit/tree.h"

/* The cheapest place for thousands of small files: memory, if programs can run there. */
static const char *parent(void)
{
	const char *tmp = getenv("TMPDIR");
	struct statvfs shm;

	if (tmp)
		return tmp;
	if (access("/dev/shm", W_OK | X_OK) == 0 && statvfs("/dev/shm", &shm) == 0 &&
	    !(shm.f_flag & ST_NOEXEC))
		return "/dev/shm";
	return "/tmp";
}

char *tree_new(void)
{
	char *path;

	assert_true(asprintf(&path, "%s/pstat-unit.XXXXXX", parent()) > 0);
	assert_non_null(mkdtemp(path));
	return path;
}

char *tree_of_machine(const char *name)
{
	const char *fixtures = getenv("FIXTURES");
	char *root = tree_new();
	char *command;

	if (!fixtures)
		fail_msg("FIXTURES is not set: run the tests by make check");
	assert_true(asprintf(&command, "'%s/unpack' '%s' '%s'", fixtures, name, root) > 0);
	assert_int_equal(system(command), 0);
	free(command);
	return root;
}

static char *join(const char *root, const char *path)
{
	char *joined;

	assert_true(asprintf(&joined, "%s/%s", root, path) > 0);
	return joined;
}

void tree_add(const char *root, const char *path, const char *text)
{
	char *file = join(root, path);
	FILE *out;

	for (char *p = file + strlen(root) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		assert_true(mkdir(file, 0777) == 0 || errno == EEXIST);
	}
	out = fopen(file, "w");
	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
	free(file);
}

char *tree_read(const char *root, const char *path)
{
	char *file = join(root, path);
	FILE *in = fopen(file, "r");
	char *text = NULL;
	size_t size = 0;

	assert_non_null(in);
	if (getdelim(&text, &size, '\0', in) < 0) { /* an empty file */
		free(text);
		text = strdup("");
	}
	fclose(in);
	free(file);
	assert_non_null(text);
	return text;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

void tree_remove(char *root)
{
	assert_int_equal(nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
	free(root);
}
