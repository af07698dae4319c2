/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The most memory that this process has had. execve(2) hands it on: what a program that is started here has
 * had at the most (ru_maxrss of getrusage(2)) begins with it, so that less cannot be told. It is that of this
 * process whatever the root of a struct machine is: nothing here goes through one.
 */
#ifndef PSTAT_MACHINE_PEAK_H
#define PSTAT_MACHINE_PEAK_H

#include <stdint.h>

/* 0; -ENOENT: the kernel does not say; other -errno, and *kib is as it was. */
int peak_kib(uint64_t *kib);

/* The same from the text of /proc/self/status; -EINVAL: no number stands there. */
int peak_parse(const char *status, uint64_t *kib);

/* Give memory that is free back to the system, and begin anew with what is left. 0; -errno: the peak is as it
 * was. */
int peak_forget(void);

#endif
