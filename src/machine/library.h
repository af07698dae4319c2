/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding a shared library by its bare name, as the loader would. */
#ifndef PSTAT_MACHINE_LIBRARY_H
#define PSTAT_MACHINE_LIBRARY_H

#include "machine/machine.h"

/*
 * The file of a library such as "libc.so.6" that the target of m would load. It is searched in
 * LD_LIBRARY_PATH (ignored with raised privileges), the loader's cache and the usual folders of the
 * loader (ld.so(8)). Files whose ABI is not that of the target are skipped. The cache and the usual
 * folders are those below the root of m. LD_LIBRARY_PATH is used only on this machine. *path is the
 * caller's to free. 0, -ENOENT, -ENOMEM, or -ENOTUNIQ: the compared commands have different ABIs.
 */
int library_find(const struct machine *m, const char *name, char **path);

#endif
