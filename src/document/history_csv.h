/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of the file that --format history writes: CSV as in RFC 4180, also with LF line
 * ends. */
#ifndef PSTAT_DOCUMENT_HISTORY_CSV_H
#define PSTAT_DOCUMENT_HISTORY_CSV_H

#include <stdio.h>

#include "result/history.h"

struct why;

/* The columns "time", "commit", the other labels, and HISTORY_COMMAND. All others are metrics. */
#define HISTORY_TIME "time"
#define HISTORY_COMMIT "commit"
#define HISTORY_COMMAND "command"

/*
 * Append the names of the columns. 0; -EINVAL with why: not a history, or its last line has no line
 * end, so that no line can be appended; -ENOMEM or the -errno of the read. An empty file has no
 * columns.
 */
int history_csv_columns(FILE *in, struct str_list *columns, struct why *why);

/* Read the whole file, and sort its entries by time. 0; -EINVAL with why and the line; -ENOMEM or
 * the -errno of the read. The caller releases history in any case. */
int history_csv_load(FILE *in, struct history *history, struct why *why);

#endif
