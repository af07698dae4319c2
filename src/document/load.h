/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of saved documents. */
#ifndef PSTAT_DOCUMENT_LOAD_H
#define PSTAT_DOCUMENT_LOAD_H

#include <stdio.h>

#include "document/document.h"

struct why;

/*
 * Read a file from a stream. After success, the result can be built and printed. A comparison can
 * be built and printed unless it has a gate on a row that no side has.
 *
 * Returns 0 or, with *saved empty:
 * - -EINVAL with why and the position: not JSON, not a document, damaged, or of a later version
 * - -ELIBACC with why: jansson is not installed
 * - -ENOSYS with why: this pstat was built without jansson
 * - -ENOMEM, or the -errno of the read
 */
int load_saved(struct saved *saved, FILE *in, struct why *why);

#endif
