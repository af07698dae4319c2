/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer of the JSON documents, which --format json prints and --save saves. */
#ifndef PSTAT_DOCUMENT_WRITE_H
#define PSTAT_DOCUMENT_WRITE_H

#include <stdio.h>

#include "result/comparison.h"

/* Write one document. 0; -ENOMEM or -errno of the write. */
int write_result(const struct table *result, FILE *out);
int write_comparison(const struct comparison *c, FILE *out);

#endif
