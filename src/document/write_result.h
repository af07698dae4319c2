/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON documents of a result and of a comparison. */
#ifndef PSTAT_DOCUMENT_WRITE_RESULT_H
#define PSTAT_DOCUMENT_WRITE_RESULT_H

#include <stdio.h>

#include "base/json.h"
#include "result/comparison.h"

/* Write the document of a result as the value of key, or with NULL as an element. */
void json_add_result(struct json_out *j, const char *key, const struct result *result);

/* Write one document. 0; -ENOMEM or -errno of the write. */
int document_write_result(const struct result *result, FILE *out);
int document_write_comparison(const struct comparison *c, FILE *out);

#endif
