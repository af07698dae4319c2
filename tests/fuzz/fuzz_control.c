/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --control. The first line of the input is the option's argument: control_open() accepts it, or
 * reports what is wrong. The rest is written into the channel in pieces: each byte 0xff ends a
 * piece. Wherever pieces end, control_next() returns the commands of the lines, and nothing else.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/control.h"
#include "fuzz.h"

enum { PIECE_END = 0xff };

static void check_open(const char *how)
{
	struct control control;
	cleanup_str struct str value = { 0 };
	cleanup_why struct why why = { 0 };
	int err = control_open(&control, how, &why);

	if (err < 0)
		CHECK(why.text && (!why.has_position || why.position <= strlen(how)));
	else
		control_environment(&control, &value);
	control_release(&control);
}

static bool is_line_end(uint8_t c)
{
	return c == '\n' || c == '\0';
}

/* The bytes of the channel, and the position after the last compared line. */
struct lines {
	uint8_t *bytes;
	size_t n, at;
};

/* Get the next line that is not empty. Return false if there are no more lines. */
static bool next_line(struct lines *lines, const char **line, size_t *n)
{
	while (lines->at < lines->n && is_line_end(lines->bytes[lines->at]))
		lines->at++;
	*line = (const char *)lines->bytes + lines->at;
	*n = 0;
	while (lines->at < lines->n && !is_line_end(lines->bytes[lines->at]))
		lines->at++, ++*n;
	return *n > 0;
}

static bool is_command(const char *line, size_t n, const char *command)
{
	return strlen(command) == n && memcmp(line, command, n) == 0;
}

static enum control_command command_of(const char *line, size_t n)
{
	if (is_command(line, n, "enable"))
		return CONTROL_ENABLE;
	if (is_command(line, n, "disable"))
		return CONTROL_DISABLE;
	if (is_command(line, n, "ping"))
		return CONTROL_PING;
	return is_command(line, n, "stop") ? CONTROL_STOP : CONTROL_UNKNOWN;
}

/* Read all commands that have arrived, and compare each with the next line. */
static enum control_command take_all(struct control *control, struct lines *lines)
{
	for (;;) {
		const char *given, *line;
		enum control_command command = control_next(control, &given);
		size_t n;

		if (command == CONTROL_NONE || command == CONTROL_CLOSED) {
			CHECK(!given && !control_has_line(control));
			return command;
		}
		CHECK(given && next_line(lines, &line, &n) && command == command_of(line, n));
		CHECK(strlen(given) <= n && strlen(given) < CONTROL_LINE_MAX);
		CHECK(memcmp(given, line, strlen(given)) == 0);
	}
}

/* Read the answers: otherwise they would soon fill the pipe. */
static void check_answer(struct control *control, int reader)
{
	char answer[8];

	CHECK(control_ack(control) == 0);
	CHECK(recv(reader, answer, sizeof(answer), MSG_DONTWAIT) == 4);
	CHECK(memcmp(answer, "ack\n", 4) == 0);
}

/* Return the number of readable bytes. */
static int waiting(int fd)
{
	int n = 0;

	CHECK(ioctl(fd, FIONREAD, &n) == 0);
	return n;
}

/* One control_next() reads only once: repeat it until all bytes are read. */
static void read_all(struct control *control, struct lines *lines)
{
	do
		CHECK(take_all(control, lines) == CONTROL_NONE);
	while (waiting(control->ctl_fd) > 0);
}

/* The last line may lack its line feed. */
static void read_end(struct control *control, struct lines *lines)
{
	enum control_command last = take_all(control, lines);

	CHECK(last == CONTROL_CLOSED || take_all(control, lines) == CONTROL_CLOSED);
}

static void check_commands(const uint8_t *data, size_t size)
{
	struct control control = { .form = CONTROL_FD, .command_fd = -1 };
	struct lines lines = { .bytes = malloc(size + 1) };
	const char *line;
	size_t n;
	int pair[2];

	CHECK(lines.bytes && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	control.ctl_fd = control.ack_fd = pair[0];
	for (size_t at = 0; at < size; at += n + 1) {
		const uint8_t *end = memchr(data + at, PIECE_END, size - at);

		n = end ? (size_t)(end - data) - at : size - at;
		memcpy(lines.bytes + lines.n, data + at, n);
		lines.n += n;
		CHECK(write(pair[1], data + at, n) == (ssize_t)n);
		read_all(&control, &lines);
		check_answer(&control, pair[1]);
	}
	shutdown(pair[1], SHUT_WR);
	read_end(&control, &lines);
	CHECK(!next_line(&lines, &line, &n));
	control_release(&control);
	close(pair[0]);
	close(pair[1]);
	free(lines.bytes);
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *text = fuzz_text(data, size);
	char *rest = text;

	check_open(fuzz_line(&rest));
	check_commands(data + (rest - text), size - (size_t)(rest - text));
}
