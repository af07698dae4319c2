/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PSTAT_BASE_PUT_H
#define PSTAT_BASE_PUT_H

#include <stdio.h>

#include "base/str.h"

/* Write a text that was built. 0; -ENOMEM where an allocation had failed, and nothing is written; -errno of the
 * write. */
int put_text(const struct str *text, FILE *out);

#endif
