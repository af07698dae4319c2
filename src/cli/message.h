/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages for people, on standard error: one line, "pstat: …", in one write. Control characters
 * are escaped: they neither end the line nor reach the terminal.
 */
#ifndef PSTAT_CLI_MESSAGE_H
#define PSTAT_CLI_MESSAGE_H

void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, with a prefix before "pstat: ". */
void message_with_prefix(const char *prefix, const char *text);

/* Report that memory ran out. Returns -ENOMEM. */
int message_no_memory(void);

/*
 * Report that a result was lost. If standard error cannot be written, perhaps for the same reason,
 * the message goes to the terminal that pstat was started from, if there is one.
 */
void message_of_loss(const char *text);

/* Write text without a prefix or newline, in one write to standard error. 0 or -errno. */
int message_text(const char *text);

/* From now on, hide this progress line during each message; NULL: there is none. */
struct progress;
void message_set_progress(struct progress *progress);

#endif
