/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The strips of a comparison's rows, one after another. */
#ifndef PSTAT_FORMAT_COMPARE_STRIPS_H
#define PSTAT_FORMAT_COMPARE_STRIPS_H

#include "format/compare_layout.h"

/* Write those in which there is something to see, and an empty line behind them. 0; -ENOMEM or -errno of
 * the write. */
int strips_write(const struct compare_layout *layout, FILE *out);

#endif
