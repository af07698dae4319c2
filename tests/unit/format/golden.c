/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "unit/format/golden.h"
#include "unit/test.h"
#include "unit/tree.h"

int golden_open(struct golden *golden, const char *folder)
{
	struct str path = { 0 };

	if (!getenv("TOP_SRCDIR"))
		return -1;
	str_addf(&path, "%s/tests/unit/format/%s", getenv("TOP_SRCDIR"), folder);
	*golden = (struct golden){ path.text, getenv("UPDATE_GOLDEN") != NULL };
	return path.failed ? -1 : 0;
}

void golden_close(struct golden *golden)
{
	free(golden->folder);
}

/* Show how the file at path is to be changed to hold what new holds. */
static void show_difference(const char *path, const char *new)
{
	cleanup_str struct str command = { 0 };

	str_addf(&command, "diff -u --label '%s' --label printed", path);
	str_addf(&command, " '%s' '%s'", access(path, F_OK) == 0 ? path : "/dev/null", new);
	fflush(stdout);
	if (system(str_text(&command)) < 0)
		fail_msg("diff does not run");
}

bool golden_holds(const struct golden *golden, const char *name, const char *text)
{
	cleanup_str struct str path = { 0 }, new = { 0 };
	cleanup_free char *old = NULL;
	char *tree;

	str_addf(&path, "%s/%s", golden->folder, name);
	if (access(str_text(&path), F_OK) == 0)
		old = tree_read(golden->folder, name);
	if (old && strcmp(old, text) == 0)
		return true;
	tree = tree_new();
	str_addf(&new, "%s/printed", tree);
	tree_add(tree, "printed", text);
	show_difference(str_text(&path), str_text(&new));
	tree_remove(tree);
	if (golden->update)
		tree_add(golden->folder, name, text);
	return false;
}

size_t golden_strays(const struct golden *golden, bool (*is_made)(const char *file))
{
	cleanup_dir DIR *dir = opendir(golden->folder);
	struct dirent *entry;
	size_t strays = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || is_made(entry->d_name))
			continue;
		print_error("%s/%s: of nothing that is printed\n", golden->folder, entry->d_name);
		strays++;
	}
	return strays;
}
