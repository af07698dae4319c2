/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/path.h"

size_t path_folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

char *path_folder(const char *path)
{
	size_t n = path_folder_length(path);

	return n > 0 ? strndup(path, n) : strdup(".");
}
