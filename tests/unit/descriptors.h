/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PSTAT_UNIT_DESCRIPTORS_H
#define PSTAT_UNIT_DESCRIPTORS_H

#include <stddef.h>

/* How many descriptors are open, and what listing them takes: the same after as before, if nothing
 * stays open. */
size_t count_descriptors(void);

#endif
