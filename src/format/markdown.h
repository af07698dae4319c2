/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Escaping of any text for GitHub's Markdown (github.github.com/gfm). */
#ifndef PSTAT_FORMAT_MARKDOWN_H
#define PSTAT_FORMAT_MARKDOWN_H

struct str;

/* Append a name as code. It cannot mention a user, link an issue or end a table cell. */
void markdown_code(struct str *out, const char *text);

/* Append a unit or a sentence. Backslashes escape all characters with a meaning. */
void markdown_word(struct str *out, const char *text);

#endif
