/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The channel of --control: opening it, reading commands, answering them. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/control.h"
#include "unit/test.h"
#include "unit/tree.h"

/* Numbers that are free in a test program, and below a low limit of descriptors. */
enum {
	CTL = 30,
	ACK = 31,
	CLOSED = 32,
	OUTPUT = 33,
	INPUT = 34,
	OURS = 35,
	PATH_ONLY = 36,
	TWO_WAY = 37
};

static char *folder;
static struct control control;

/* The pipe's ends as these descriptors, not close-on-exec. */
static void make_pipe(int output, int input)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[0], output), output);
	assert_int_equal(dup2(ends[1], input), input);
	close(ends[0]);
	close(ends[1]);
}

/* A new FIFO in the folder, open both ways as this descriptor. */
static void make_fifo(const char *name, int fd)
{
	int opened;

	assert_int_equal(mkfifo(name, 0600), 0);
	opened = open(name, O_RDWR);
	assert_int_equal(dup2(opened, fd), fd);
	close(opened);
}

static int start(void **state)
{
	folder = tree_new();
	assert_int_equal(chdir(folder), 0);
	tree_add(folder, "file", "");
	make_fifo("ctl", CTL);
	make_fifo("ack", ACK);
	make_pipe(OUTPUT, INPUT);
	assert_int_equal(dup3(CTL, OURS, O_CLOEXEC), OURS);
	assert_int_equal(dup2(open("file", O_PATH), PATH_ONLY), PATH_ONLY);
	control = (struct control){ 0 };
	return 0;
}

static int finish(void **state)
{
	control_release(&control);
	for (int fd = CTL; fd <= TWO_WAY; fd++)
		close(fd);
	assert_int_equal(chdir("/"), 0);
	tree_remove(folder);
	return 0;
}

static void open_as(const char *text)
{
	cleanup_why struct why why = { 0 };
	int err = control_open(&control, text, &why);

	if (err < 0)
		fail_msg("%s: %s", text, why_text(&why, err));
}

static void come(const char *text, size_t n)
{
	assert_int_equal(write(CTL, text, n), n);
}

static void expect_at(int line_number, enum control_command command, const char *expected)
{
	const struct {
		int line;
	} row = { line_number };
	const char *line = "";

	row_int(&row, control_next(&control, &line), command);
	if (expected)
		row_string(&row, line, expected);
	else
		row_true(&row, line == NULL);
}
#define expect(command, line) expect_at(__LINE__, command, line)

/* ---- Opening */

static void an_invalid_channel_is_refused_with_its_position(void **state)
{
	static const struct refused_with texts[] = {
		{ ROW, "", -EINVAL, 0, "'' is not fd:CTL[,ACK], fifo:CTL[,ACK] or region" },
		{ ROW, "30", -EINVAL, 0, "'30' is not fd:CTL[,ACK], fifo:CTL[,ACK] or region" },
		{ ROW, "regions", -EINVAL, 0,
		  "'regions' is not fd:CTL[,ACK], fifo:CTL[,ACK] or region" },
		{ ROW, "fd:", -EINVAL, 3, "the number of a descriptor is missing" },
		{ ROW, "fd:,31", -EINVAL, 3, "the number of a descriptor is missing" },
		{ ROW, "fd:30,", -EINVAL, 6,
		  "the number of a descriptor for the answers is missing after the comma" },
		{ ROW, "fd:x", -EINVAL, 3, "'x' is not the number of a descriptor" },
		{ ROW, "fd:-1", -EINVAL, 3, "'-1' is not the number of a descriptor" },
		{ ROW, "fd:4294967326", -EINVAL, 3,
		  "'4294967326' is not the number of a descriptor" },
		{ ROW, "fd:30,31,32", -EINVAL, 6, "'31,32' is not the number of a descriptor" },
		{ ROW, "fd:32", -EBADF, 3, "descriptor 32 is not open" },
		{ ROW, "fd:30,32", -EBADF, 6, "descriptor 32 is not open" },
		{ ROW, "fd:34", -EBADF, 3, "descriptor 34 is not open for reading" },
		{ ROW, "fd:30,33", -EBADF, 6, "descriptor 33 is not open for writing" },
		{ ROW, "fd:35", -EBADF, 3, "descriptor 35 is not open" },
		{ ROW, "fd:36", -EBADF, 3, "descriptor 36 is not open for reading" },
		{ ROW, "fd:30,30", -EINVAL, 6,
		  "commands and answers cannot go through the same pipe" },
		{ ROW, "fd:33,34", -EINVAL, 6,
		  "commands and answers cannot go through the same pipe" },
		{ ROW, "fifo:", -EINVAL, 5, "the name of a pipe is missing" },
		{ ROW, "fifo:,ack", -EINVAL, 5, "the name of a pipe is missing" },
		{ ROW, "fifo:ctl,", -EINVAL, 9,
		  "the name of a pipe for the answers is missing after the comma" },
		{ ROW, "fifo:none", -ENOENT, 5, "none: No such file or directory" },
		{ ROW, "fifo:ctl,none", -ENOENT, 9, "none: No such file or directory" },
		{ ROW, "fifo:file", -EINVAL, 5, "file is not a named pipe (see mkfifo(1))" },
		{ ROW, "fifo:ctl,.", -EINVAL, 9, ". is not a named pipe (see mkfifo(1))" },
		{ ROW, "fifo:ctl,./ctl", -EINVAL, 9,
		  "commands and answers cannot go through the same pipe" },
	};

	for (size_t i = 0; i < N_OF(texts); i++) {
		cleanup_why struct why why = { 0 };
		int err = control_open(&control, texts[i].text, &why);

		row_int(&texts[i], err, texts[i].error);
		row_why(&texts[i], &why);
		control_release(&control);
	}
}

static void descriptors_stay_as_they_are(void **state)
{
	int ctl_flags = fcntl(CTL, F_GETFL);
	int ack_flags = fcntl(ACK, F_GETFL);

	open_as("fd:30,31");
	assert_int_equal(control.ctl_fd, CTL);
	assert_int_equal(control.ack_fd, ACK);
	assert_int_equal(fcntl(CTL, F_GETFL), ctl_flags);
	assert_int_equal(fcntl(ACK, F_GETFL), ack_flags);
	assert_int_equal(fcntl(CTL, F_GETFD), 0);
	assert_int_equal(fcntl(ACK, F_GETFD), 0);
	control_release(&control);
	assert_int_equal(fcntl(CTL, F_GETFD), 0);
	assert_int_equal(fcntl(ACK, F_GETFD), 0);
}

static void fifos_are_opened_without_a_wait_and_closed(void **state)
{
	int ctl_fd;
	int ack_fd;

	open_as("fifo:ctl,ack");
	ctl_fd = control.ctl_fd;
	ack_fd = control.ack_fd;
	assert_int_equal(fcntl(ctl_fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fcntl(ack_fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fcntl(ctl_fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK), O_RDWR | O_NONBLOCK);
	assert_int_equal(fcntl(ack_fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK), O_RDWR | O_NONBLOCK);
	control_release(&control);
	assert_int_equal(fcntl(ctl_fd, F_GETFD), -1);
	assert_int_equal(fcntl(ack_fd, F_GETFD), -1);
}

static void the_command_inherits_only_its_end_of_a_region(void **state)
{
	int ctl_fd;
	int command_fd;

	open_as("region");
	ctl_fd = control.ctl_fd;
	command_fd = control.command_fd;
	assert_int_equal(control.ack_fd, ctl_fd);
	assert_true(command_fd >= 200);
	assert_int_equal(fcntl(ctl_fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fcntl(command_fd, F_GETFD), 0);
	assert_int_equal(fcntl(command_fd, F_GETFL) & O_NONBLOCK, 0);
	control_release(&control);
	assert_int_equal(fcntl(ctl_fd, F_GETFD), -1);
	assert_int_equal(fcntl(command_fd, F_GETFD), -1);
}

static void release_is_harmless_before_and_again(void **state)
{
	control_release(&control);
	control_release(&control);
	assert_true(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
	assert_int_equal(control.ctl_fd, -1);
}

/* ---- The environment of the command */

static void the_environment_names_a_channel_that_the_command_can_use(void **state)
{
	static const struct {
		int line;
		const char *text;
		int error;
		const char *value; /* @ stands for the folder */
	} texts[] = {
		{ ROW, "fd:30", 0, "fd:30" },
		{ ROW, "fd:30,31", 0, "fd:30,31" },
		{ ROW, "fd:33", -ENOTSUP, "" },
		{ ROW, "fd:30,34", -ENOTSUP, "" },
		{ ROW, "fd:37", -ENOTSUP, "" },
		{ ROW, "fd:30,37", -ENOTSUP, "" },
		{ ROW, "fifo:ctl", 0, "fifo:@/ctl" },
		{ ROW, "fifo:./ctl,ack", 0, "fifo:@/ctl,@/ack" },
		{ ROW, "fifo:/dev/fd/33", -ENOTSUP, "" },
		{ ROW, "fifo:ctl,/dev/fd/33", -ENOTSUP, "" },
		{ ROW, "fifo:link", -ENOTSUP, "" },
		{ ROW, "fifo:ctl,link", 0, "fifo:@/ctl,@/a,/b" },
	};
	cleanup_free char *path = realpath(folder, NULL);
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	assert_int_equal(dup2(pair[0], TWO_WAY), TWO_WAY);
	assert_int_equal(mkdir("a,", 0700), 0);
	assert_int_equal(mkfifo("a,/b", 0600), 0);
	assert_int_equal(symlink("a,/b", "link"), 0);
	for (size_t i = 0; i < N_OF(texts); i++) {
		cleanup_str struct str expected = { 0 };
		cleanup_str struct str value = { 0 };

		for (const char *c = texts[i].value; *c; c++)
			str_add_n(&expected, *c == '@' ? path : c, *c == '@' ? strlen(path) : 1);
		open_as(texts[i].text);
		row_int(&texts[i], control_environment(&control, &value), texts[i].error);
		row_string(&texts[i], str_text(&value), str_text(&expected));
		control_release(&control);
	}
	close(pair[0]);
	close(pair[1]);
}

static void the_environment_of_a_region_is_the_commands_end(void **state)
{
	cleanup_str struct str expected = { 0 };
	cleanup_str struct str value = { 0 };

	assert_int_equal(control_environment(&control, &value), -ENOTSUP);
	open_as("region");
	assert_int_equal(control_environment(&control, &value), 0);
	str_addf(&expected, "fd:%d,%d", control.command_fd, control.command_fd);
	assert_string_equal(str_text(&value), str_text(&expected));
}

/* ---- Commands */

static void commands_are_taken_by_their_whole_line(void **state)
{
	static const struct {
		int line;
		const char *text;
		enum control_command command;
	} lines[] = {
		{ ROW, "enable", CONTROL_ENABLE },	{ ROW, "disable", CONTROL_DISABLE },
		{ ROW, "ping", CONTROL_PING },		{ ROW, "stop", CONTROL_STOP },
		{ ROW, "Enable", CONTROL_UNKNOWN },	{ ROW, "enabled", CONTROL_UNKNOWN },
		{ ROW, "enable ", CONTROL_UNKNOWN },	{ ROW, " enable", CONTROL_UNKNOWN },
		{ ROW, "enabl", CONTROL_UNKNOWN },	{ ROW, "ack", CONTROL_UNKNOWN },
		{ ROW, "evlists", CONTROL_UNKNOWN },	{ ROW, "evlist ", CONTROL_UNKNOWN },
		{ ROW, "evlist zzz", CONTROL_UNKNOWN }, { ROW, "evlist -v -g", CONTROL_UNKNOWN },
	};

	open_as("fifo:ctl");
	for (size_t i = 0; i < N_OF(lines); i++) {
		come(lines[i].text, strlen(lines[i].text));
		come("\n", 1);
		expect_at(lines[i].line, lines[i].command, lines[i].text);
		expect_at(lines[i].line, CONTROL_NONE, NULL);
	}
}

static void commands_may_name_an_event_or_options(void **state)
{
	static const char lines[] = "enable cs:u\ndisable a b\nevlist\nevlist -v\nevlist -g";

	open_as("fifo:ctl");
	come(lines, sizeof(lines) - 1);
	expect(CONTROL_ENABLE_EVENT, "cs:u");
	expect(CONTROL_DISABLE_EVENT, "a b");
	expect(CONTROL_LIST, "evlist");
	expect(CONTROL_LIST, "-v");
	expect(CONTROL_LIST, "-g");
	expect(CONTROL_NONE, NULL);
}

static void a_part_of_a_line_waits_for_its_end(void **state)
{
	static const char *const forms[] = { "fd:30", "fifo:ctl" };

	for (size_t i = 0; i < N_OF(forms); i++) {
		open_as(forms[i]);
		expect(CONTROL_NONE, NULL);
		come("ena", 3);
		expect(CONTROL_NONE, NULL);
		expect(CONTROL_NONE, NULL);
		come("ble", 3);
		expect(CONTROL_ENABLE, "enable"); /* as by perf: a whole command needs no newline */
		come("\nst", 3);
		expect(CONTROL_NONE, NULL);
		come("op\n", 3);
		expect(CONTROL_STOP, "stop");
		expect(CONTROL_NONE, NULL);
		control_release(&control);
	}
}

static void several_commands_are_given_one_by_one(void **state)
{
	static const char lines[] = "enable\nping\0\n\n\0disable\n\0bogus\nsto";

	open_as("fd:30");
	come(lines, sizeof(lines) - 1);
	expect(CONTROL_ENABLE, "enable");
	expect(CONTROL_PING, "ping");
	expect(CONTROL_DISABLE, "disable");
	expect(CONTROL_UNKNOWN, "bogus");
	expect(CONTROL_NONE, NULL);
	come("p", 1);
	come("", 1);
	expect(CONTROL_STOP, "stop");
	come("\n\n", 2);
	expect(CONTROL_NONE, NULL);
}

/* Many more than one read returns, so that some lines are divided between two reads. */
static void no_command_is_lost_between_two_reads(void **state)
{
	const char *line;
	int n = 0;

	open_as("fifo:ctl");
	for (int i = 0; i < 1000; i++)
		come(i % 3 ? "disable\n" : "enable\n", i % 3 ? 8 : 7);
	for (enum control_command command; (command = control_next(&control, &line)); n++)
		assert_int_equal(command, n % 3 ? CONTROL_DISABLE : CONTROL_ENABLE);
	assert_int_equal(n, 1000);
}

static void lines_that_were_read_but_not_returned_are_known(void **state)
{
	open_as("fifo:ctl");
	assert_false(control_has_line(&control));
	come("ping\n\nstop\n\n\n", 13);
	assert_false(control_has_line(&control)); /* nothing was read yet */
	expect(CONTROL_PING, "ping");
	assert_true(control_has_line(&control));
	expect(CONTROL_STOP, "stop");
	assert_false(control_has_line(&control)); /* empty lines are none */
	come("ping\nst", 7);
	expect(CONTROL_PING, "ping");
	assert_false(control_has_line(&control));
}

/* A read may return only part of a line. poll(2) then reports the rest. */
static enum control_command next_but_none(const char **line)
{
	enum control_command command;

	do
		command = control_next(&control, line);
	while (command == CONTROL_NONE);
	return command;
}

static void a_line_too_long_is_dropped_whole(void **state)
{
	enum { LONGEST = 3 * CONTROL_LINE_MAX };
	char text[LONGEST + 6];
	char shown[CONTROL_SHOWN + 1] = { 0 };

	open_as("fifo:ctl");
	memset(text, 'x', sizeof(text));
	memset(shown, 'x', CONTROL_SHOWN);
	for (size_t n = CONTROL_LINE_MAX - 3; n <= LONGEST; n++) {
		const char *line;

		memcpy(text + n, "\nping\n", 6);
		come(text, n + 6);
		assert_int_equal(next_but_none(&line), CONTROL_UNKNOWN);
		if (n < CONTROL_LINE_MAX - 1)
			assert_int_equal(strlen(line), n);
		else
			assert_string_equal(line, shown);
		expect(CONTROL_PING, "ping");
		expect(CONTROL_NONE, NULL);
		memcpy(text + n, "xxxxxx", 6);
	}
}

static void the_end_of_the_file_comes_after_the_last_line(void **state)
{
	static const struct {
		int line;
		const char *text;
		enum control_command command; /* CONTROL_NONE: none */
	} texts[] = {
		{ ROW, "", CONTROL_NONE },
		{ ROW, "\n", CONTROL_NONE },
		{ ROW, "enable\n", CONTROL_ENABLE },
		{ ROW, "disable", CONTROL_DISABLE },
	};

	for (size_t i = 0; i < N_OF(texts); i++) {
		const char *line;

		make_pipe(OUTPUT, INPUT);
		open_as("fd:33");
		assert_int_equal(write(INPUT, texts[i].text, strlen(texts[i].text)),
				 strlen(texts[i].text));
		close(INPUT);
		if (texts[i].command)
			row_int(&texts[i], next_but_none(&line), texts[i].command);
		row_int(&texts[i], next_but_none(&line), CONTROL_CLOSED);
		expect_at(texts[i].line, CONTROL_CLOSED, NULL);
		control_release(&control);
	}
}

static void a_fifo_does_not_end_with_its_writer(void **state)
{
	open_as("fifo:ctl");
	come("ping\n", 5);
	close(CTL);
	expect(CONTROL_PING, "ping");
	expect(CONTROL_NONE, NULL);
}

static void a_descriptor_that_was_closed_is_at_its_end(void **state)
{
	open_as("fd:30");
	close(CTL);
	expect(CONTROL_CLOSED, NULL);
}

/* ---- Answers */

static void each_answer_is_perfs(void **state)
{
	static const char *const forms[] = { "fd:30,31", "fifo:ctl,ack" };
	char text[16];

	for (size_t i = 0; i < N_OF(forms); i++) {
		open_as(forms[i]);
		assert_int_equal(control_ack(&control), 0);
		assert_int_equal(control_ack(&control), 0);
		assert_int_equal(read(ACK, text, sizeof(text)), 10);
		assert_memory_equal(text, "ack\n\0ack\n", 10);
		control_release(&control);
	}
}

static void without_an_ack_nothing_is_answered(void **state)
{
	open_as("fd:30");
	assert_int_equal(control_ack(&control), 0);
	expect(CONTROL_NONE, NULL);
}

static void nobody_has_to_read_the_answers(void **state)
{
	static const char *const forms[] = { "fd:30,31", "fifo:ctl,ack", "fd:30,34", "region" };

	for (size_t i = 0; i < N_OF(forms); i++) {
		int n = 0;
		int err;

		open_as(forms[i]);
		for (err = 0; err == 0 && n < 1000000; n++)
			err = control_ack(&control);
		assert_int_equal(err, -EAGAIN);
		assert_int_equal(control_ack(&control), -EAGAIN);
		control_release(&control);
	}
}

static void the_reader_of_the_answers_may_have_exited(void **state)
{
	sigset_t sigpipe;

	/* as main() does */
	sigemptyset(&sigpipe);
	sigaddset(&sigpipe, SIGPIPE);
	sigprocmask(SIG_BLOCK, &sigpipe, NULL);
	open_as("fd:30,34");
	close(OUTPUT);
	assert_int_equal(control_ack(&control), -EPIPE);
}

/* ---- The next run */

static void a_new_run_finds_nothing_of_the_last_one(void **state)
{
	char text[16];

	open_as("region");
	assert_int_equal(send(control.command_fd, "ping\nping\ndisa", 13, 0), 13);
	expect(CONTROL_PING, "ping");
	assert_int_equal(control_ack(&control), 0);
	assert_int_equal(send(control.command_fd, "ble", 3, 0), 3);
	control_discard_unread(&control);
	expect(CONTROL_NONE, NULL);
	assert_int_equal(recv(control.command_fd, text, sizeof(text), MSG_DONTWAIT), -1);
	assert_int_equal(send(control.command_fd, "stop\n", 5, 0), 5);
	expect(CONTROL_STOP, "stop");
}

static void commands_of_other_programs_are_kept_for_a_new_run(void **state)
{
	open_as("fifo:ctl,ack");
	come("ping\nstop\n", 10);
	expect(CONTROL_PING, "ping");
	control_discard_unread(&control);
	expect(CONTROL_STOP, "stop");
}

#define test(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(an_invalid_channel_is_refused_with_its_position),
		test(descriptors_stay_as_they_are),
		test(fifos_are_opened_without_a_wait_and_closed),
		test(the_command_inherits_only_its_end_of_a_region),
		test(release_is_harmless_before_and_again),
		test(the_environment_names_a_channel_that_the_command_can_use),
		test(the_environment_of_a_region_is_the_commands_end),
		test(commands_are_taken_by_their_whole_line),
		test(commands_may_name_an_event_or_options),
		test(a_part_of_a_line_waits_for_its_end),
		test(several_commands_are_given_one_by_one),
		test(no_command_is_lost_between_two_reads),
		test(lines_that_were_read_but_not_returned_are_known),
		test(a_line_too_long_is_dropped_whole),
		test(the_end_of_the_file_comes_after_the_last_line),
		test(a_fifo_does_not_end_with_its_writer),
		test(a_descriptor_that_was_closed_is_at_its_end),
		test(each_answer_is_perfs),
		test(without_an_ack_nothing_is_answered),
		test(nobody_has_to_read_the_answers),
		test(the_reader_of_the_answers_may_have_exited),
		test(a_new_run_finds_nothing_of_the_last_one),
		test(commands_of_other_programs_are_kept_for_a_new_run),
	};

	return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
