/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The looks: each format with each style that changes its text. */
#ifndef PSTAT_UNIT_FORMAT_LOOKS_H
#define PSTAT_UNIT_FORMAT_LOOKS_H

#include "format/format.h"
#include "result/comparison.h"
#include "unit/format/fixed.h"
#include "unit/format/fixed_compare.h"

struct result_look {
	const char *name; /* the format's name, and the difference from its default style */
	const struct format *format;
	struct format_style style;
};

struct comparison_look {
	const char *name;
	const struct format *format;
	struct format_style style;
};

/* Both end with a look whose name is NULL. */
extern const struct result_look result_looks[];
extern const struct comparison_look comparison_looks[];

/* The entry of that name. The test fails if there is none. */
const struct result_look *find_report_look(const char *name);
const struct comparison_look *find_comparison_look(const char *name);
const struct fixed_result *find_fixed_result(const char *name);
const struct fixed_comparison *find_fixed_comparison(const char *name);

/* Print a fixed result or comparison. Returns the text; free it. */
char *look_print_result(const struct result_look *look, const struct fixed *f);
char *look_print_comparison(const struct comparison_look *look, const struct fixed_comparison *f);

#endif
