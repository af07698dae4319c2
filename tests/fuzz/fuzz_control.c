/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --control. The first line of the input is the option's argument: control_open() accepts it, or
 * reports what is wrong. The rest is written into the channel in pieces: each byte 0xff ends a
 * piece. Wherever pieces end, control_next() returns the commands, and nothing else.
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

/* A line of the channel. */
struct line {
	const char *text;
	size_t n;
	bool ended; /* false: no line end has arrived */
};

/* Get the next line that is not empty. Return false if there are no more lines. */
static bool next_line(struct lines *lines, struct line *line)
{
	while (lines->at < lines->n && is_line_end(lines->bytes[lines->at]))
		lines->at++;
	*line = (struct line){ .text = (const char *)lines->bytes + lines->at };
	while (lines->at < lines->n && !is_line_end(lines->bytes[lines->at]))
		lines->at++, line->n++;
	line->ended = lines->at < lines->n;
	return line->n > 0;
}

/* Whether line is this command. If a word follows, it is removed from line. */
static bool is_command(struct line *line, const char *command, bool with_word)
{
	size_t n = strlen(command);

	if (line->n < n || memcmp(line->text, command, n) != 0)
		return false;
	if (!with_word)
		return line->n == n;
	if (line->n < n + 2 || line->text[n] != ' ')
		return false;
	line->text += n + 1;
	line->n -= n + 1;
	return true;
}

/* The command of a line, which becomes the word that follows, if there is one. */
static enum control_command command_of(struct line *line)
{
	struct line option = *line;

	/* the end of the line has to fit, too, if there is one */
	if (line->n + line->ended >= CONTROL_LINE_MAX)
		return CONTROL_UNKNOWN;
	if (is_command(line, "enable", false))
		return CONTROL_ENABLE;
	if (is_command(line, "disable", false))
		return CONTROL_DISABLE;
	if (is_command(line, "enable", true))
		return CONTROL_ENABLE_EVENT;
	if (is_command(line, "disable", true))
		return CONTROL_DISABLE_EVENT;
	if (is_command(line, "evlist", false))
		return CONTROL_LIST;
	if (is_command(&option, "evlist", true)) {
		if (option.n != 2 || option.text[0] != '-' || !strchr("vgF", option.text[1]))
			return CONTROL_UNKNOWN;
		*line = option;
		return CONTROL_LIST;
	}
	if (is_command(line, "ping", false))
		return CONTROL_PING;
	return is_command(line, "stop", false) ? CONTROL_STOP : CONTROL_UNKNOWN;
}

/* Read all commands that have arrived, and compare each with the next line. */
static enum control_command take_all(struct control *control, struct lines *lines)
{
	for (;;) {
		const char *given;
		struct line line;
		enum control_command command = control_next(control, &given);

		if (command == CONTROL_NONE || command == CONTROL_CLOSED) {
			CHECK(!given && !control_has_line(control));
			return command;
		}
		CHECK(given && next_line(lines, &line) && command == command_of(&line));
		CHECK(strlen(given) <= line.n && strlen(given) < CONTROL_LINE_MAX);
		CHECK(memcmp(given, line.text, strlen(given)) == 0);
	}
}

/* Commands are obeyed without the end of their line. What is no command may still become one. */
static void check_rest(const struct lines *lines)
{
	struct lines rest = *lines;
	struct line line;

	CHECK(!next_line(&rest, &line) || (!line.ended && command_of(&line) == CONTROL_UNKNOWN));
}

/* Read the answers: otherwise they would soon fill the pipe. */
static void check_answer(struct control *control, int reader)
{
	char answer[8];

	CHECK(control_ack(control) == 0);
	CHECK(recv(reader, answer, sizeof(answer), MSG_DONTWAIT) == 5);
	CHECK(memcmp(answer, "ack\n", 5) == 0);
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
	struct line line;
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
		check_rest(&lines);
		check_answer(&control, pair[1]);
	}
	shutdown(pair[1], SHUT_WR);
	read_end(&control, &lines);
	CHECK(!next_line(&lines, &line));
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
