/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages for people, on standard error: one line, "pstat: …", in one write. A name in it that holds
 * control characters does not end the line, nor reach the terminal. */
#ifndef PSTAT_CLI_MESSAGE_H
#define PSTAT_CLI_MESSAGE_H

void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, with something before it. */
void message_behind(const char *before, const char *text);

/* Report that memory ran out. Returns -ENOMEM. */
int message_no_memory(void);

/* The message that a result was lost. Where standard error cannot be written to, which may be why, it
 * is shown on the terminal that pstat was started from, if there is one. */
void message_of_loss(const char *text);

/* Text as it is, without prefix or newline, in one write to standard error. 0 or -errno. */
int message_text(const char *text);

/* From now on take that line away for each message; NULL: there is none. */
struct progress;
void message_beside(struct progress *progress);

#endif
