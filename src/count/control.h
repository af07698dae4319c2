/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The channel of --control. Each line is a command. pstat answers a command after it has carried it
 * out. The protocol is that of perf stat --control (perf-stat(1)).
 */
#ifndef PSTAT_COUNT_CONTROL_H
#define PSTAT_COUNT_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

struct str;
struct why;

/* A longer line is not a command. Its first CONTROL_SHOWN bytes are kept for a message. */
enum { CONTROL_LINE_MAX = 256, CONTROL_SHOWN = 64 };

enum control_form {
	CONTROL_NOT_OPEN,
	CONTROL_FD, /* descriptors inherited from the caller, and not changed */
	CONTROL_FIFO, /* named pipes that pstat opens */
	CONTROL_REGION, /* a socket pair that pstat makes, for pstat-region.h in the command */
};

/* All zero: the channel is not open, and control_release() may be called. */
struct control {
	enum control_form form;
	int ctl_fd; /* commands, to be polled for POLLIN */
	int ack_fd; /* answers, or -1; for a region, the same as ctl_fd */
	int command_fd; /* for a region: the end that the command inherits; otherwise -1 */
	char *ctl_path, *ack_path; /* owned: absolute paths that a command can open, or NULL */
	char text[CONTROL_LINE_MAX]; /* the bytes that were read */
	size_t start; /* text[start] to text[end - 1] is not returned yet */
	size_t end;
	bool is_long; /* text begins a line that is too long; its end is not read yet */
	bool at_end; /* end of file, or an error */
};

/*
 * Open the channel: "fd:CTL[,ACK]", "fifo:CTL[,ACK]" or "region". Call this before pstat opens
 * files, so that only inherited descriptors are open. 0; -errno with why and the position in text.
 * Call control_release() in any case.
 */
int control_open(struct control *control, const char *text, struct why *why);

/*
 * Append the value of PSTAT_CONTROL in the command's environment. pstat-region.h finds the channel
 * with it. 0; -ENOMEM; -ENOTSUP: the command cannot use this channel. Inherited descriptors have to
 * be FIFOs that are open for reading and writing, because the command gets the same descriptors as
 * pstat.
 */
int control_environment(const struct control *control, struct str *value);

enum control_command {
	CONTROL_NONE, /* no complete command was read */
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_ENABLE_EVENT, /* "enable EVENT"; the line is EVENT */
	CONTROL_DISABLE_EVENT,
	CONTROL_LIST, /* "evlist [-v|-g|-F]"; the line is what follows "evlist" */
	CONTROL_PING,
	CONTROL_STOP,
	CONTROL_UNKNOWN, /* not a command, or too long */
	CONTROL_CLOSED, /* end of file, or an error: do not poll the channel again */
};

/*
 * The next command. This never waits, and reads at most once. Call it when ctl_fd is readable (or
 * POLLHUP), and again while control_has_line() is true. Lines end with a newline or NUL; empty
 * lines are skipped. As by perf, a command is obeyed without the end of its line if nothing follows
 * it. *line: the line without its end, valid until the next call; NULL for CONTROL_NONE and
 * CONTROL_CLOSED.
 */
enum control_command control_next(struct control *control, const char **line);

/* Whether control_next() can return another line without reading. */
bool control_has_line(const struct control *control);

/*
 * Acknowledge the last command. This never waits. 0, also if there is no ACK; -EAGAIN: the pipe is
 * full, because nobody reads the answers; another -errno. SIGPIPE has to be blocked, as main()
 * does.
 */
int control_ack(struct control *control);

/* Close the channel of a region in both directions. A pstat_region_*() that waits for an answer
 * then fails, and does not wait for ever. */
void control_end(const struct control *control);

/*
 * Call this before the command is started again. It discards the bytes that an earlier run left
 * unread, in both directions. Only the channel of a region is changed, because no other process
 * uses it.
 */
void control_discard_unread(struct control *control);

/*
 * Close the descriptors that control_open() has opened. If the command still runs, its
 * pstat_region_*() fail from then on, and do not wait for an answer.
 */
void control_release(struct control *control);

#endif
