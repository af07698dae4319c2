/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that may be anything, in HTML that is well-formed XML as well. */
#ifndef PSTAT_FORMAT_HTML_TEXT_H
#define PSTAT_FORMAT_HTML_TEXT_H

struct str;

/* Append text, between tags or quotes: nothing in it is markup, control characters are shown as \xNN, and
 * what is no character becomes U+FFFD. */
void html_add(struct str *out, const char *text);

/* Append a name, between tags: however it is written, it does not turn what stands beside it round. */
void html_add_name(struct str *out, const char *name);

#endif
