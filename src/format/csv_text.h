/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of CSV as RFC 4180 wants them, and the fields that --format csv and csv-summary share. */
#ifndef PSTAT_FORMAT_CSV_TEXT_H
#define PSTAT_FORMAT_CSV_TEXT_H

#include "result/result.h"

struct str;

/* Between fields of a header, for the text of one. */
#define CSV_END "\r\n"

/* The names of what csv_add_place() and csv_add_event() add. */
#define CSV_PLACE "place_kind,place,counters,cgroup"
#define CSV_EVENT "event,unit,state"

/* Append a field: of text, quoted where it needs that, with U+FFFD for what is no UTF-8; a whole number;
 * a number; a time, in seconds; n empty ones. */
void csv_add_text(struct str *line, const char *text);
void csv_add_whole(struct str *line, uint64_t value);
void csv_add_number(struct str *line, long double value);
void csv_add_seconds(struct str *line, uint64_t ns);
void csv_add_empty(struct str *line, size_t n);

/* End the header, or a line, which has a field at least; side: of a comparison the last one, else NULL. */
void csv_end_header(struct str *line, const char *side);
void csv_end_line(struct str *line, const char *side);

/* Append where the row was counted. */
void csv_add_place(struct str *line, const struct result_row *row);

/* Append its event, and what became of it. */
void csv_add_event(struct str *line, const struct result_row *row, enum count_state state);

/* Write the line and make it empty. 0 or -errno. */
int csv_put(struct str *line, FILE *out);

#endif
