/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writer of the JSON documents that pstat-result-2.schema.json and
 * pstat-comparison-2.schema.json describe: the part that load_saved() reads. --format json, which
 * --save uses, too, adds the finished numbers for other programs (format/export/json.c). pstat does
 * not read these numbers; it recomputes them.
 *
 * The caller calls json_finish(), which returns the first error.
 */
#ifndef PSTAT_DOCUMENT_WRITE_H
#define PSTAT_DOCUMENT_WRITE_H

#include "base/json.h"
#include "result/comparison.h"

/* Begin the document of a result. The caller adds members, and closes the object. key: NULL: it is
 * a whole document. */
void write_series(struct json_out *j, const char *key, const struct series *series);

/* Begin the document of a comparison, which the caller closes. The next member is "sides": an array
 * with an object for each side. */
void write_comparison(struct json_out *j, const struct comparison_input *input);

/* Begin the object of a side. Its last member is the document of the side's result. The caller
 * closes both. */
void write_side(struct json_out *j, const struct side_input *side);

#endif
