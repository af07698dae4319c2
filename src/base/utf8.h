/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 in texts that may hold any bytes: names of commands, files and events. */
#ifndef PSTAT_BASE_UTF8_H
#define PSTAT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The number of bytes of the character at text, 1 at the end of the text. 0: the bytes are not
 * UTF-8 (RFC 3629, section 4).
 */
size_t utf8_length(const char *text);

/* utf8_length(), and set *character unless the length is 0. */
size_t utf8_decode(const char *text, uint32_t *character);

/* The number of printable ASCII characters at the start of the n bytes at text. A NUL ends them. */
size_t utf8_plain_length(const char *text, size_t n);

/*
 * Whether a terminal or a web page would obey the character instead of showing it: C0, DEL and C1,
 * line and paragraph separators, and the direction controls, which reorder text.
 */
bool utf8_is_control(uint32_t character);

#endif
