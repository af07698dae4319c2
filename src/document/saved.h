/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A saved document of either kind, as it was read back: a result, or a comparison with one of each side. */
#ifndef PSTAT_DOCUMENT_SAVED_H
#define PSTAT_DOCUMENT_SAVED_H

#include <stdio.h>

#include "base/str.h"
#include "document/document.h"
#include "result/comparison.h"

struct why;

/* All zero is none. */
struct saved {
	bool is_comparison;
	struct document *documents; /* owned: one, or of a comparison that of each side */
	struct side_input *sides; /* owned, as their names: the sides of a comparison; else NULL */
	size_t n; /* of both */
	struct comparison_input settings; /* what it says of a comparison; see saved_comparison() */
	size_t *order; /* owned */
	struct effect_request *effects; /* owned */
	struct gate_request *gates; /* owned, as their names */
	struct str_list texts; /* of gates, and the names of effects */
};

/*
 * Read a document from a stream. What is accepted holds together: a result of it, and a comparison unless
 * it has a gate on what none of its sides has, can be built and printed. 0; -EINVAL with why: this is
 * no such document, a damaged one or one of a later version, and where; -ELIBACC or -ENOSYS with why: there
 * is no jansson; -errno of the read; -ENOMEM. On failure the document is empty.
 */
int saved_load(struct saved *saved, FILE *in, struct why *why);

/* What a comparison was made of, but for the mathematics; valid as long as saved. */
struct comparison_input saved_comparison(const struct saved *saved);

void saved_release(struct saved *saved);

#endif
