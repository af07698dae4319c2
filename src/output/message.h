/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages: what pstat writes to standard error for people. */
#ifndef PSTAT_OUTPUT_MESSAGE_H
#define PSTAT_OUTPUT_MESSAGE_H

/*
 * Print a message: one line, "pstat: …", in one write. Control characters are escaped: they neither
 * end the line nor reach the terminal. Only a terminal shows a long message on several lines.
 */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Report that a result was lost. If standard error cannot be written, perhaps for the same reason,
 * the message goes to the terminal that pstat was started from, if there is one.
 */
void message_of_loss(const char *text);

/*
 * Report that a job that only prints could not write its text to standard output. Print no message
 * if the reader closed the pipe, as head(1) does. Returns the status of the job: STATUS_PSTAT or
 * -SIGPIPE.
 */
int message_of_lost_text(int err, const char *text);

/* Write text without a prefix or newline, in one write to standard error. 0 or -errno. */
int message_text(const char *text);

#endif
