/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of JSON (RFC 8259). */
#ifndef PSTAT_REPORT_JSON_TEXT_H
#define PSTAT_REPORT_JSON_TEXT_H

struct str;

/* Append text as a JSON string, quotes and all. What is no UTF-8 becomes U+FFFD. */
void json_add_string(struct str *out, const char *text);

#endif
