/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How each family of formats names and prints a place. Formats print these columns and do not
 * depend on the kind of the place. */
#ifndef PSTAT_FORMAT_PERF_PLACE_H
#define PSTAT_FORMAT_PERF_PLACE_H

#include "count/reading.h"

struct str;

/* The columns of all places of a kind. Without key there are none: the whole target. */
struct place_columns {
	const char *key; /* names the label in perf's JSON and in pstat's formats; or NULL */
	const char *csv_key; /* the same in perf's CSV */
	const char *title, *second_title; /* of perf's table, above intervals */
	int width, second_width; /* in perf's table; 0: no such column */
	bool has_cpus; /* the number of CPUs follows the label */
};

struct place_columns place_columns(enum place_kind kind);

/* The label in perf's JSON. */
const char *place_json_label(const struct place *place);

/* Append the first column of the label in perf's table. Returns the second one, a part of the
 * label: "" if there is none. */
const char *place_table_label(const struct place *place, struct str *first);

#endif
