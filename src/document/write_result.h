/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document of one report, for what embeds it. */
#ifndef PSTAT_DOCUMENT_WRITE_RESULT_H
#define PSTAT_DOCUMENT_WRITE_RESULT_H

#include "base/json.h"
#include "result/result.h"

/* Write the whole document, an object, as the value of key, or with NULL as an element. */
void json_add_result(struct json_out *j, const char *key, const struct result *result);

#endif
