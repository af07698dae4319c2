/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/str.h"
#include "document/schema.h"
#include "format/perf/place.h"

/* What is special in perf's formats. */
static const struct {
	const char *title; /* in the table */
	int width; /* in the table */
	const char *second_title; /* in the table: the label is split at its last '-' */
	const char *csv_key; /* NULL: as in JSON */
	const char *omitted; /* at the beginning of the label in JSON */
} kinds[PLACE_N] = {
	[PLACE_TARGET] = { .title = "" },
	[PLACE_CPU] = { .title = "CPU", .width = 11, .omitted = "CPU" },
	[PLACE_CORE] = { .title = "core", .width = 15 },
	[PLACE_CLUSTER] = { .title = "cluster", .width = 17 },
	[PLACE_CACHE] = { .title = "cache", .width = 19 },
	[PLACE_DIE] = { .title = "die", .width = 12 },
	[PLACE_SOCKET] = { .title = "socket", .width = 6 },
	[PLACE_NODE] = { .title = "node", .width = 6 },
	[PLACE_THREAD] = { "comm", 16, "-tid", .csv_key = "comm-tid" },
	[PLACE_PROCESS] = { "comm", 16, "-pid", .csv_key = "comm-pid" },
};

enum { SECOND_WIDTH = 10 }; /* with the '-' */

struct place_columns place_columns(enum place_kind kind)
{
	const char *key = kind == PLACE_TARGET ? NULL : schema_splits[kind];
	const char *second = kinds[kind].second_title;

	return (struct place_columns){
		.key = key,
		.csv_key = kinds[kind].csv_key ? kinds[kind].csv_key : key,
		.title = kinds[kind].title,
		.second_title = second ? second : "",
		.width = kinds[kind].width,
		.second_width = second ? SECOND_WIDTH : 0,
		.has_cpus = place_sums_cpus(kind),
	};
}

const char *place_json_label(const struct place *place)
{
	const char *omitted = kinds[place->kind].omitted;
	size_t n = omitted ? strlen(omitted) : 0;

	return omitted && strncmp(place->label, omitted, n) == 0 ? place->label + n : place->label;
}

const char *place_table_label(const struct place *place, struct str *first)
{
	const char *end = place->label + strlen(place->label);
	const char *dash = kinds[place->kind].second_title ? strrchr(place->label, '-') : NULL;
	const char *second = dash ? dash : end;

	str_add_n(first, place->label, (size_t)(second - place->label));
	return second;
}
