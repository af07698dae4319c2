/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the file of a shared library as the loader would. */
#ifndef PSTAT_MACHINE_LIBRARY_H
#define PSTAT_MACHINE_LIBRARY_H

#include "machine/machine.h"

/*
 * Find the file of a library ("libc.so.6") that the target of m would load. The search uses
 * LD_LIBRARY_PATH (unless pstat has raised privileges), the cache of the loader, and the default
 * folders of the loader (ld.so(8)). Files with another ABI than the target are skipped. The cache
 * and the default folders are those below the root of m; LD_LIBRARY_PATH applies to this machine
 * only.
 *
 * The caller frees *path. 0; -ENOENT; -ENOMEM; -ENOTUNIQ: the compared commands have different
 * ABIs.
 */
int library_find(const struct machine *m, const char *name, char **path);

#endif
