/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer of the JSON documents, which --format json prints and --save saves. */
#ifndef PSTAT_DOCUMENT_WRITE_H
#define PSTAT_DOCUMENT_WRITE_H

#include <stdio.h>

#include "base/str.h"
#include "result/comparison.h"

/* The texts for people in the document of a comparison. All zero is empty. */
struct comparison_texts {
	/* for each row, and in it for each side but the reference; "": there is none */
	struct str_list changes, hints;
	struct str_list outcomes; /* of each gate */
	struct str_list conclusions; /* on each side but the reference */
	struct str_list remarks, notes; /* on all sides */
};

/* The finished numbers of a result. */
enum write_rows {
	WRITE_ALL_ROWS,
	/* without those of single processes, each of which has one run with its counts: the page
	 * does not need them, and a command may have thousands */
	WRITE_SUMS,
};

/* Write one document. 0; -ENOMEM or -errno of the write. */
int write_result(const struct table *table, enum write_rows rows, FILE *out);
int write_comparison(const struct comparison *c, const struct comparison_texts *texts, FILE *out);

#endif
