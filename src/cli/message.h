/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages for people, on standard error: one line, "pstat: …", in one write. */
#ifndef PSTAT_CLI_MESSAGE_H
#define PSTAT_CLI_MESSAGE_H

void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Text as it is, without prefix or newline, in one write to standard error. */
void message_text(const char *text);

#endif
