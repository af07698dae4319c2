/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that may be anything, in GitHub's Markdown (github.github.com/gfm). */
#ifndef PSTAT_FORMAT_MARKDOWN_H
#define PSTAT_FORMAT_MARKDOWN_H

struct str;

/* Append a name: nobody is mentioned, no issue linked and no cell ended by what is in it. */
void markdown_code(struct str *out, const char *text);

/* Append a word of ours or a unit: a backslash takes its meaning from whatever has one. */
void markdown_word(struct str *out, const char *text);

#endif
