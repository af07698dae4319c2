/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders of files for a test to look at, below a temporary folder of their own. */
#ifndef PSTAT_UNIT_TREE_H
#define PSTAT_UNIT_TREE_H

/* An empty folder: its path, for tree_remove(). */
char *tree_new(void);

/* The recorded machine of tests/fixtures/machines/, laid out. */
char *tree_of_machine(const char *name);

/* A file of the tree with this text; the folders that its path needs are made. */
void tree_add(const char *root, const char *path, const char *text);

/* The whole text of a file, which is to be freed. */
char *tree_read(const char *root, const char *path);

/* Remove the tree, and free its path. */
void tree_remove(char *root);

#endif
