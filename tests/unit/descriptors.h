/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PSTAT_UNIT_DESCRIPTORS_H
#define PSTAT_UNIT_DESCRIPTORS_H

#include <stddef.h>

/*
 * The number of open descriptors, including the one that lists them. It is equal before and after a
 * test that closes all its descriptors.
 */
size_t count_descriptors(void);

#endif
