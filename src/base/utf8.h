/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 in texts that may be any bytes: names of commands, files and events. */
#ifndef PSTAT_BASE_UTF8_H
#define PSTAT_BASE_UTF8_H

#include <stddef.h>

struct str;

/* How many bytes the character at text has, 1 at the end of it; 0 for a byte that begins none (RFC 3629,
 * section 4). */
size_t utf8_length(const char *text);

/* Append text with U+FFFD for each byte that is no UTF-8. */
void utf8_add(struct str *out, const char *text);

#endif
