/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "count/control.h"

/* As perf's answer, with the NUL at its end. */
static const char ack_line[] = "ack\n";

/* ---- fd: */

/*
 * A descriptor that pstat has inherited, with its number in word. If it is close-on-exec, pstat
 * itself has opened it. position: that of the word, for why.
 */
static int control_inherited_fd(const char *word, size_t n, size_t position, int wrong_mode,
				struct why *why)
{
	uint64_t number;
	int flags;

	if (num_parse(word, n, &number) < 0 || number > INT_MAX)
		return why_at(why, -EINVAL, position, "'%.*s' is not the number of a descriptor",
			      (int)n, word);
	flags = fcntl((int)number, F_GETFD);
	if (flags < 0 || flags & FD_CLOEXEC)
		return why_at(why, -EBADF, position, "descriptor %d is not open", (int)number);
	flags = fcntl((int)number, F_GETFL);
	if (flags < 0 || flags & O_PATH || (flags & O_ACCMODE) == wrong_mode)
		return why_at(why, -EBADF, position, "descriptor %d is not open for %s",
			      (int)number, wrong_mode == O_WRONLY ? "reading" : "writing");
	return (int)number;
}

/* ---- fifo: */

/*
 * Open the pipe for reading and writing, as perf does. pstat then counts as a writer of CTL, so
 * reading never reaches the end of file. Opening also does not wait for the other side.
 */
static int control_open_fifo(const char *word, size_t n, size_t position, char **path,
			     struct why *why)
{
	cleanup_free char *name = strndup(word, n);
	struct stat st;
	int fd;

	if (!name)
		return -ENOMEM;
	/* check before opening, because opening a device may have effects */
	if (stat(name, &st) < 0)
		return why_at(why, -errno, position, "%s: %s", name, strerror(errno));
	if (!S_ISFIFO(st.st_mode))
		return why_at(why, -EINVAL, position, "%s is not a named pipe (see mkfifo(1))",
			      name);
	fd = open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return why_at(why, -errno, position, "%s: %s", name, strerror(errno));
	/* NULL for a name such as /dev/fd/3 */
	*path = realpath(name, NULL);
	return fd;
}

/* Open the pipes CTL[,ACK] of fd: or fifo:, which begin at this position of text. */
static int control_open_pipes(struct control *control, const char *text, size_t position,
			      struct why *why)
{
	bool fifos = control->form == CONTROL_FIFO;
	const char *what = fifos ? "the name of a pipe" : "the number of a descriptor";
	const char *word = text + position;
	size_t n = strcspn(word, ",");
	bool has_ack = word[n] == ',';
	struct stat ctl, ack;

	if (n == 0)
		return why_at(why, -EINVAL, position, "%s is missing", what);
	if (has_ack && !word[n + 1])
		return why_at(why, -EINVAL, position + n + 1,
			      "%s for the answers is missing after the comma", what);
	control->ctl_fd = fifos ? control_open_fifo(word, n, position, &control->ctl_path, why) :
				  control_inherited_fd(word, n, position, O_WRONLY, why);
	if (control->ctl_fd < 0 || !has_ack)
		return control->ctl_fd < 0 ? control->ctl_fd : 0;
	position += n + 1;
	word = text + position;
	n = strlen(word);
	control->ack_fd = fifos ? control_open_fifo(word, n, position, &control->ack_path, why) :
				  control_inherited_fd(word, n, position, O_RDONLY, why);
	if (control->ack_fd < 0)
		return control->ack_fd;
	/* if both were the same pipe, pstat would read its answers as commands */
	if (fstat(control->ctl_fd, &ctl) == 0 && fstat(control->ack_fd, &ack) == 0 &&
	    S_ISFIFO(ctl.st_mode) && ctl.st_dev == ack.st_dev && ctl.st_ino == ack.st_ino)
		return why_at(why, -EINVAL, position,
			      "commands and answers cannot go through the same pipe");
	return 0;
}

/* ---- region */

/*
 * The command's end of the channel gets a high descriptor number. The files that the command opens
 * then have the same numbers as without pstat. If the limit is too low, any number is used.
 */
static int control_open_region(struct control *control, struct why *why)
{
	cleanup_fd int commands = -1;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return why_set(why, -errno, "cannot make a channel to the command: %s",
			       strerror(errno));
	control->ctl_fd = pair[0];
	control->ack_fd = pair[0];
	commands = pair[1];
	control->command_fd = fcntl(commands, F_DUPFD, 200);
	if (control->command_fd < 0)
		control->command_fd = fcntl(commands, F_DUPFD, 3);
	if (control->command_fd < 0)
		return why_set(why, -errno, "cannot make a channel to the command: %s",
			       strerror(errno));
	return 0;
}

int control_open(struct control *control, const char *text, struct why *why)
{
	*control = (struct control){ .ctl_fd = -1, .ack_fd = -1, .command_fd = -1 };
	if (strcmp(text, "region") == 0) {
		control->form = CONTROL_REGION;
		return control_open_region(control, why);
	}
	if (strncmp(text, "fd:", 3) == 0) {
		control->form = CONTROL_FD;
		return control_open_pipes(control, text, 3, why);
	}
	if (strncmp(text, "fifo:", 5) == 0) {
		control->form = CONTROL_FIFO;
		return control_open_pipes(control, text, 5, why);
	}
	return why_at(why, -EINVAL, 0, "'%s' is not fd:CTL[,ACK], fifo:CTL[,ACK] or region", text);
}

/* ---- For the command */

static bool control_is_two_way_pipe(int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == O_RDWR && fstat(fd, &st) == 0 &&
	       S_ISFIFO(st.st_mode);
}

static int control_add_fds(struct str *value, int ctl_fd, int ack_fd)
{
	str_addf(value, "fd:%d", ctl_fd);
	if (ack_fd >= 0)
		str_addf(value, ",%d", ack_fd);
	return value->failed ? -ENOMEM : 0;
}

int control_environment(const struct control *control, struct str *value)
{
	switch (control->form) {
	case CONTROL_FD:
		if (!control_is_two_way_pipe(control->ctl_fd) ||
		    (control->ack_fd >= 0 && !control_is_two_way_pipe(control->ack_fd)))
			return -ENOTSUP;
		return control_add_fds(value, control->ctl_fd, control->ack_fd);
	case CONTROL_FIFO:
		/* pstat-region.h looks for ",/" to find the second path */
		if (!control->ctl_path || strstr(control->ctl_path, ",/") ||
		    (control->ack_fd >= 0 && !control->ack_path))
			return -ENOTSUP;
		str_addf(value, "fifo:%s", control->ctl_path);
		if (control->ack_path)
			str_addf(value, ",%s", control->ack_path);
		return value->failed ? -ENOMEM : 0;
	case CONTROL_REGION:
		return control_add_fds(value, control->command_fd, control->command_fd);
	case CONTROL_NOT_OPEN:
		break;
	}
	return -ENOTSUP;
}

/* ---- Commands */

/*
 * Descriptors of the caller may be blocking. pstat must not change their flags, because other
 * processes share them. So pstat reads and writes only when poll(2) reports that it will not block.
 */
static bool control_is_ready(int fd, short event)
{
	enum { TRIES = 100 }; /* without an answer, the command would wait forever */
	struct pollfd ready = { .fd = fd, .events = event };
	int n = -1;

	for (int tries = 0; n < 0 && tries < TRIES; tries++)
		n = poll(&ready, 1, 0);
	return n == 1;
}

void control_end(const struct control *control)
{
	if (control->form == CONTROL_REGION)
		shutdown(control->ctl_fd, SHUT_RDWR);
}

/* Read once, into the free part of text. */
static void control_read(struct control *control)
{
	ssize_t n;

	if (control->at_end || !control_is_ready(control->ctl_fd, POLLIN))
		return;
	if (control->start > 0) {
		control->end -= control->start;
		memmove(control->text, control->text + control->start, control->end);
		control->start = 0;
	}
	/* the last byte is for a newline that control_next() adds */
	n = read(control->ctl_fd, control->text + control->end,
		 sizeof(control->text) - 1 - control->end);
	if (n > 0) {
		control->end += (size_t)n;
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		control->at_end = true;
		control_end(control);
	}
}

static bool control_is_line_end(char c)
{
	return c == '\n' || c == '\0';
}

/* The next line that is not empty, with NUL as its end. NULL: there is no complete line. */
static char *control_take_line(struct control *control)
{
	while (control->start < control->end && control_is_line_end(control->text[control->start]))
		control->start++;
	for (size_t i = control->start; i < control->end; i++) {
		if (control_is_line_end(control->text[i])) {
			char *line = control->text + control->start;

			control->text[i] = '\0';
			control->start = i + 1;
			return line;
		}
	}
	return NULL;
}

/* The command of a line. *line becomes the event of the command, or the options of evlist. */
static enum control_command control_command(const char **line)
{
	static const struct {
		const char *line;
		enum control_command command;
		bool has_more; /* the command continues after these letters */
	} commands[] = {
		{ "enable", CONTROL_ENABLE, false },
		{ "disable", CONTROL_DISABLE, false },
		{ "enable ", CONTROL_ENABLE_EVENT, true },
		{ "disable ", CONTROL_DISABLE_EVENT, true },
		{ "evlist", CONTROL_LIST, false },
		{ "evlist ", CONTROL_LIST, true },
		{ "ping", CONTROL_PING, false },
		{ "stop", CONTROL_STOP, false },
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		size_t n = strlen(commands[i].line);

		if (strncmp(*line, commands[i].line, n) != 0 ||
		    commands[i].has_more != ((*line)[n] != '\0'))
			continue;
		if (!commands[i].has_more)
			return commands[i].command;
		*line += n;
		if (commands[i].command == CONTROL_LIST && strcmp(*line, "-v") != 0 &&
		    strcmp(*line, "-g") != 0 && strcmp(*line, "-F") != 0) {
			*line -= n;
			break;
		}
		return commands[i].command;
	}
	return CONTROL_UNKNOWN;
}

/* The next line that is complete. Or the rest of text, if it is a command and nothing more can be
 * read. NULL: there is none. */
static char *control_read_line(struct control *control)
{
	char *found = control_take_line(control);
	const char *line;

	if (found)
		return found;
	control_read(control);
	/* like perf, accept a last line without a newline */
	if (control->at_end && control->end > control->start)
		control->text[control->end++] = '\n';
	found = control_take_line(control);
	if (found || control->start == control->end || control->is_long ||
	    control_is_ready(control->ctl_fd, POLLIN))
		return found;
	control->text[control->end] = '\0';
	line = control->text + control->start;
	if (control_command(&line) == CONTROL_UNKNOWN)
		return NULL;
	found = control->text + control->start;
	control->start = control->end;
	return found;
}

enum control_command control_next(struct control *control, const char **line)
{
	char *found = control_read_line(control);
	bool was_long = control->is_long;

	*line = found;
	if (!found) {
		/* if text is full, keep only the beginning of the line */
		if (control->start == 0 && control->end == sizeof(control->text) - 1) {
			control->is_long = true;
			control->end = CONTROL_SHOWN;
		}
		return control->at_end ? CONTROL_CLOSED : CONTROL_NONE;
	}
	control->is_long = false;
	if (!was_long)
		return control_command(line);
	found[CONTROL_SHOWN] = '\0';
	return CONTROL_UNKNOWN;
}

bool control_has_line(const struct control *control)
{
	bool begun = false;

	for (size_t i = control->start; i < control->end; i++) {
		if (begun && control_is_line_end(control->text[i]))
			return true;
		begun |= !control_is_line_end(control->text[i]);
	}
	return false;
}

int control_ack(struct control *control)
{
	size_t n = sizeof(ack_line);
	ssize_t written;
	int err;

	if (control->ack_fd < 0)
		return 0;
	if (!control_is_ready(control->ack_fd, POLLOUT))
		return -EAGAIN;
	do
		written = write(control->ack_fd, ack_line, n);
	while (written < 0 && errno == EINTR);
	if (written == (ssize_t)n)
		return 0;
	err = written < 0 ? -errno : -EIO;
	control_end(control);
	return err;
}

/* ---- The next run, and the end */

static void control_discard_unread_bytes(int fd)
{
	char text[CONTROL_LINE_MAX];

	while (recv(fd, text, sizeof(text), MSG_DONTWAIT) > 0)
		;
}

void control_discard_unread(struct control *control)
{
	if (control->form != CONTROL_REGION)
		return;
	control_discard_unread_bytes(control->ctl_fd);
	control_discard_unread_bytes(control->command_fd);
	control->start = 0;
	control->end = 0;
	control->is_long = false;
}

void control_release(struct control *control)
{
	if (control->form == CONTROL_FIFO) {
		cleanup_fd_value(&control->ctl_fd);
		cleanup_fd_value(&control->ack_fd);
	}
	if (control->form == CONTROL_REGION) {
		cleanup_fd_value(&control->ctl_fd);
		cleanup_fd_value(&control->command_fd);
	}
	free(control->ctl_path);
	free(control->ack_path);
	*control = (struct control){ .ctl_fd = -1, .ack_fd = -1, .command_fd = -1 };
}
