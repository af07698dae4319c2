/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's functions and their addresses, from /proc/kallsyms. */
#ifndef PSTAT_MACHINE_KALLSYMS_H
#define PSTAT_MACHINE_KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"

struct kallsyms_function {
	const char *name; /* filled in by the caller */
	size_t found; /* how many functions have this name */
	uint64_t address; /* of the last of them; 0: the kernel hides it (kptr_restrict) */
};

/* Find n functions in one pass, which takes about 50 ms. 0 or -errno. */
int kallsyms_find(const struct machine *m, struct kallsyms_function *functions, size_t n);

#endif
