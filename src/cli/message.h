/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages on standard error: one line, "pstat: ...", in one write. Control characters are escaped,
 * so a name with such characters can neither end the line nor command the terminal. */
#ifndef PSTAT_CLI_MESSAGE_H
#define PSTAT_CLI_MESSAGE_H

void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As message(), but the line begins with prefix. */
void message_with_prefix(const char *prefix, const char *text);

/* Report that memory ran out. Returns -ENOMEM. */
int message_no_memory(void);

/* Report that a result was lost. If standard error cannot be written either, the message goes to
 * the controlling terminal, if there is one. */
void message_of_loss(const char *text);

/* Write text unchanged, without prefix or newline, to standard error in one write. 0 or -errno. */
int message_text(const char *text);

/* From now on, hide this progress line while a message is written; NULL: there is none. */
struct progress;
void message_set_progress(struct progress *progress);

#endif
