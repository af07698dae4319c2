/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 in texts that may be any bytes: names of commands, files and events. */
#ifndef PSTAT_BASE_UTF8_H
#define PSTAT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/* How many bytes the character at text has, 1 at the end of it; 0 for a byte that begins none (RFC 3629,
 * section 4). */
size_t utf8_length(const char *text);

/* The same. *character becomes the character, and is unchanged if the length is 0. */
size_t utf8_decode(const char *text, uint32_t *character);

/* How many printable characters of ASCII the n bytes at text begin with. A NUL ends them. */
size_t utf8_plain_length(const char *text, size_t n);

/* Whether a terminal or a web page would obey the character instead of showing it. These are C0,
 * DEL and C1, the line and paragraph separators, and the direction controls, which reorder text. */
bool utf8_is_control(uint32_t character);

/* Append text with U+FFFD for each byte that is not UTF-8. */
void utf8_add(struct str *out, const char *text);

/* As utf8_add(), but also with U+FFFD for each control character of more than one byte. */
void utf8_add_visible(struct str *out, const char *text);

#endif
