/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a result comes from, fact by fact, as a person reads it. */
#ifndef PSTAT_RESULT_FACTS_H
#define PSTAT_RESULT_FACTS_H

#include <stdbool.h>

#include "base/str.h"
#include "result/result.h"

struct fact {
	const char *title; /* "Frequency governor" */
	const char *noun; /* the same inside a sentence */
	bool counts; /* what is counted may depend on it */
	/* Append it; nothing where it is not known. */
	void (*add)(struct str *text, const struct result *result);
};

/* Ends in one whose title is NULL. */
extern const struct fact facts[];

#endif
