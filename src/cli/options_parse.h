/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the command line into struct options, as the table of options says, and print --help. */
#ifndef PSTAT_CLI_OPTIONS_PARSE_H
#define PSTAT_CLI_OPTIONS_PARSE_H

#include <stdbool.h>
#include <stdio.h>

struct options;

/* Read and check the command line. argv still owns the strings. 0; -EINVAL after a message;
 * -ENOMEM. */
int options_parse(struct options *o, int argc, char **argv);

/* --show calls this after it has read the documents: can the options print this kind of document?
 * 0; -EINVAL after a message. */
int options_check_kind(const struct options *o, bool are_comparisons);

/* Print --help. */
void options_help(FILE *out);

#endif
