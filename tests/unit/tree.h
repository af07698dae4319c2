/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree of files for one test, in a temporary folder. */
#ifndef PSTAT_UNIT_TREE_H
#define PSTAT_UNIT_TREE_H

/* Create an empty folder. Returns its path, for tree_remove(). */
char *tree_new(void);

/* Create the tree of a recorded machine from tests/fixtures/machines/. */
char *tree_of_machine(const char *name);

/* Create a file with this text, and the folders of its path. */
void tree_add(const char *root, const char *path, const char *text);

/* The whole text of a file. The caller frees it. */
char *tree_read(const char *root, const char *path);

/* Remove the tree, and free its path. */
void tree_remove(char *root);

#endif
