/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The channel of --control: commands come in, one a line, and each is answered when it is done. The
 * protocol is that of perf stat --control (perf-stat(1)).
 */
#ifndef PSTAT_COUNT_CONTROL_H
#define PSTAT_COUNT_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

struct str;
struct why;

/* A longer line is no command; of such a line the first CONTROL_SHOWN bytes are kept for a message. */
enum { CONTROL_LINE_MAX = 256, CONTROL_SHOWN = 64 };

enum control_form {
	CONTROL_NOT_OPEN,
	CONTROL_FD, /* descriptors that pstat was started with: the caller's, left as they are */
	CONTROL_FIFO, /* named pipes, opened here */
	CONTROL_REGION, /* a socket pair made here, for pstat-region.h in the command */
};

/* All zero is a channel that is not open, and may be released. */
struct control {
	enum control_form form;
	int ctl_fd; /* commands, to be polled for POLLIN */
	int ack_fd; /* answers, or -1; of a region the same as ctl_fd */
	int command_fd; /* of a region: the command's end, which it inherits by this number; else -1 */
	char *ctl_path; /* owned: a FIFO's absolute path; NULL: it has none that a command could open */
	char *ack_path;
	char text[CONTROL_LINE_MAX]; /* what was read */
	size_t start; /* text[start] to text[end - 1] was not given yet */
	size_t end;
	bool is_long; /* text begins a line that is too long, and whose end has not come */
	bool at_end; /* nothing more will come */
};

/*
 * Open the channel: "fd:CTL[,ACK]", "fifo:CTL[,ACK]" or "region". To be called early, while the
 * descriptors are those that pstat was started with. 0; -errno with why and the position in text.
 * control is to be released in any case.
 */
int control_open(struct control *control, const char *text, struct why *why);

/*
 * Append what PSTAT_CONTROL is to be in the command's environment, so that pstat-region.h finds the
 * channel. 0; -ENOMEM; -ENOTSUP: the command cannot use this channel. That is so for descriptors that
 * are no FIFOs open for both reading and writing: the command has the same ends as pstat.
 */
int control_environment(const struct control *control, struct str *value);

enum control_command {
	CONTROL_NONE, /* no whole line has come */
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_PING,
	CONTROL_STOP,
	CONTROL_UNKNOWN, /* or too long */
	CONTROL_CLOSED, /* the end of the file, or an error: poll it no more */
};

/*
 * The next command. It never waits, and reads once at most: call it when ctl_fd is readable (or
 * POLLHUP), and then for as long as control_has_line(). Lines end with a newline or NUL;
 * empty ones are passed over. *line: the line without its end, as it came, valid until the next call;
 * for CONTROL_NONE and CONTROL_CLOSED NULL.
 */
enum control_command control_next(struct control *control, const char **line);

/* Whether control_next() has one more command without reading. */
bool control_has_line(const struct control *control);

/*
 * Answer a command that is done. It never waits: 0, also where no answers are wanted; -EAGAIN when
 * nobody reads them and there is no more room; another -errno. SIGPIPE is to be blocked, as main()
 * does.
 */
int control_ack(struct control *control);

/* No command is answered any more: a region that waits for an answer gets none, and goes on. */
void control_end(const struct control *control);

/*
 * Before the command is started again: what an earlier run has left unread in either direction would
 * be taken for this run's. Only a region's channel is the command's alone, so others are left as
 * they are.
 */
void control_renew(struct control *control);

/*
 * Close what was opened here. Where the command runs on, its pstat_region_*() fail from then on, and
 * do not wait for an answer that nobody gives.
 */
void control_release(struct control *control);

#endif
