/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding a shared library by its bare name, as the loader would. */
#ifndef PSTAT_MACHINE_LIBRARY_H
#define PSTAT_MACHINE_LIBRARY_H

/*
 * The file of a library such as "libc.so.6": LD_LIBRARY_PATH (ignored with raised privileges), the
 * loader's cache, then its usual folders (ld.so(8)). *path is the caller's to free. 0, -ENOENT or
 * -ENOMEM.
 */
int library_find(const char *name, char **path);

#endif
