/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a path, by its text alone. */
#ifndef PSTAT_BASE_PATH_H
#define PSTAT_BASE_PATH_H

#include <stddef.h>

/* How many bytes stand before the path's last word: of "a/b" 2, of "b" none. */
size_t path_folder_length(const char *path);

/* The folder that the last word is in: "a/", or ".". To be freed; NULL: there is no memory. */
char *path_folder(const char *path);

#endif
