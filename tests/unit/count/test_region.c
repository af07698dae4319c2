/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pstat-region.h, in a child that acts as the command; this process acts as pstat. The system calls
 * of the header are counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/control.h"
#include "unit/build.h"
#include "unit/test.h"
#include "unit/tree.h"

static int sends, writes, reads, others;

#define send(fd, text, n, flags) (sends++, send(fd, text, n, flags))
#define write(fd, text, n) (writes++, write(fd, text, n))
#define read(fd, text, n) (reads++, read(fd, text, n))
#define open(path, flags) (others++, open(path, flags))
#define close(fd) (others++, close(fd))
#define fcntl(...) (others++, fcntl(__VA_ARGS__))
#define fstat(fd, st) (others++, fstat(fd, st))
#define poll(fds, n, timeout) (others++, poll(fds, n, timeout))
#define getsockopt(fd, level, option, value, n) (others++, getsockopt(fd, level, option, value, n))
#define getenv(name) (others++, getenv(name))
#include "pstat-region.h"
#undef send
#undef write
#undef read
#undef open
#undef close
#undef fcntl
#undef fstat
#undef poll
#undef getsockopt
#undef getenv

enum { CTL = 30, ACK = 31 };

static char *folder;
static struct control control;
static struct {
	volatile bool is_counting; /* set before that is answered */
} * shared; /* with the child */

static void make_fifo(const char *name, int fd, int flags)
{
	int opened;

	assert_int_equal(mkfifo(name, 0600), 0);
	opened = open(name, O_RDWR | flags);
	assert_int_equal(dup2(opened, fd), fd);
	close(opened);
}

static int start(void **state)
{
	folder = tree_new();
	assert_int_equal(chdir(folder), 0);
	make_fifo("ctl", CTL, 0);
	make_fifo("ack", ACK, 0);
	control = (struct control){ 0 };
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	assert_true(shared != MAP_FAILED);
	unsetenv("PSTAT_CONTROL");
	return 0;
}

static int finish(void **state)
{
	control_release(&control);
	munmap(shared, sizeof(*shared));
	close(CTL);
	close(ACK);
	assert_int_equal(chdir("/"), 0);
	tree_remove(folder);
	return 0;
}

/* For the child, in which a failed check of cmocka would continue with the tests. */
#define check(expression)                                                                          \
	do {                                                                                       \
		if (!(expression)) {                                                               \
			dprintf(STDERR_FILENO, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__,       \
				#expression, errno);                                               \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

static pid_t begin(void (*command)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		command();
		_exit(0);
	}
	assert_true(pid > 0);
	return pid;
}

static void expect_success(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void open_as(const char *text)
{
	cleanup_why struct why why = { 0 };
	cleanup_str struct str value = { 0 };
	int err = control_open(&control, text, &why);

	if (err < 0)
		fail_msg("%s: %s", text, why_text(&why, err));
	assert_int_equal(control_environment(&control, &value), 0);
	setenv("PSTAT_CONTROL", str_text(&value), 1);
}

/* Like pstat, with a command that runs until it has sent stop. *lines: all that it has sent. */
static void serve(pid_t pid, struct str *lines)
{
	struct pollfd ctl = { .fd = control.ctl_fd, .events = POLLIN };
	enum control_command command = CONTROL_NONE;
	const char *line;

	while (command != CONTROL_STOP) {
		command = control_next(&control, &line);
		if (command == CONTROL_NONE) {
			assert_int_equal(poll(&ctl, 1, 20000), 1);
			continue;
		}
		assert_true(command != CONTROL_CLOSED);
		str_addf(lines, "%s ", line);
		shared->is_counting = command == CONTROL_ENABLE;
		/* so that the child waits for the answer */
		usleep(2000);
		assert_int_equal(control_ack(&control), 0);
	}
	expect_success(pid);
}

static void say_stop(void)
{
	check(pstat_region_send("stop\n", 5) == 0);
}

/* ---- Commands that the child sends */

static void use_nothing(void)
{
	check(pstat_region_enable() == 1);
	others = 0;
	check(pstat_region_disable() == 1);
	check(pstat_region_enable() == 1);
	check(sends == 0 && writes == 0 && reads == 0 && others == 0);
}

static void use_twice(int sends_each, int writes_each, int reads_each)
{
	bool is_answered = reads_each > 0;

	check(pstat_region_enable() == 0);
	check(!is_answered || shared->is_counting);
	for (int i = 0; i < 2; i++) {
		sends = writes = reads = others = 0;
		check(pstat_region_disable() == 0);
		check(!is_answered || !shared->is_counting);
		check(sends == sends_each && writes == writes_each && reads == reads_each);
		sends = writes = reads = 0;
		check(pstat_region_enable() == 0);
		check(!is_answered || shared->is_counting);
		check(sends == sends_each && writes == writes_each && reads == reads_each);
		check(others == 0);
	}
	say_stop();
}

static void use_socket(void)
{
	use_twice(1, 0, 1);
}

static void use_pipes(void)
{
	use_twice(0, 1, 1);
}

static void use_pipe(void)
{
	use_twice(0, 1, 0);
}

/* All calls fail with this error, and only the first one makes system calls. */
static int expected_errno;

static void use_in_vain(void)
{
	check(pstat_region_enable() == -1 && errno == expected_errno);
	others = 0;
	errno = 0;
	check(pstat_region_disable() == -1 && errno == expected_errno);
	check(sends == 0 && writes == 0 && reads == 0 && others == 0);
}

static void use_socket_without_pstat(void)
{
	check(pstat_region_enable() == -1 && errno == EPIPE);
	check(pstat_region_disable() == -1 && errno == EPIPE);
}

static void use_ack_without_pstat(void)
{
	check(pstat_region_enable() == 0);
	check(pstat_region_disable() == -1 && errno == EPIPE);
}

static void fill_pipe(void)
{
	int n = 0;

	while (pstat_region_enable() == 0)
		check(++n < 1000000);
	check(errno == EAGAIN && n > 100);
}

/* The FIFO is opened while pstat reads it, and written when pstat has ended. */
static void outlive_pstat(void)
{
	check(pstat_region_enable() == 0);
	control_release(&control);
	close(CTL);
	while (!shared->is_counting)
		usleep(1000);
	check(pstat_region_disable() == 0);
}

static void use_once(void)
{
	check(pstat_region_enable() == 0);
}

static void note_signal(int sig)
{
}

/* A signal every millisecond, without SA_RESTART. */
static void use_interrupted(void)
{
	struct sigaction action = { .sa_handler = note_signal };
	struct itimerval often = { .it_interval.tv_usec = 1000, .it_value.tv_usec = 1000 };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	check(pstat_region_enable() == 0);
	check(reads > 1);
}

/* ---- Tests */

static void without_pstat_nothing_is_done(void **state)
{
	expect_success(begin(use_nothing));
}

static void a_call_is_one_write_and_one_read_of_the_answer(void **state)
{
	static const struct {
		int line;
		const char *text;
		void (*command)(void);
	} forms[] = {
		{ ROW, "region", use_socket }, { ROW, "fd:30,31", use_pipes },
		{ ROW, "fd:30", use_pipe },    { ROW, "fifo:ctl,ack", use_pipes },
		{ ROW, "fifo:ctl", use_pipe },
	};

	for (size_t i = 0; i < N_OF(forms); i++) {
		cleanup_str struct str lines = { 0 };

		open_as(forms[i].text);
		serve(begin(forms[i].command), &lines);
		row_string(&forms[i], str_text(&lines),
			   "enable disable enable disable enable stop ");
		control_release(&control);
	}
}

static void an_invalid_channel_is_an_error(void **state)
{
	static const struct {
		int line;
		const char *value;
		int error;
	} values[] = {
		{ ROW, "", EINVAL },
		{ ROW, "region", EINVAL },
		{ ROW, "fd:", EINVAL },
		{ ROW, "fd:x", EINVAL },
		{ ROW, "fd:-1", EINVAL },
		{ ROW, "fd:30x", EINVAL },
		{ ROW, "fd:30,", EINVAL },
		{ ROW, "fd:30,31,", EINVAL },
		{ ROW, "fd:30,31 ", EINVAL },
		{ ROW, "fd:42949673", EINVAL },
		{ ROW, "fd:99", EBADF },
		{ ROW, "fd:30,99", EBADF },
		{ ROW, "fd:40", EBADF },
		{ ROW, "fd:41", EBADF },
		{ ROW, "fd:30,42", EBADF },
		{ ROW, "fifo:", EINVAL },
		{ ROW, "fifo:ctl", EINVAL },
		{ ROW, "fifo:/nonexistent/ctl", ENOENT },
		{ ROW, "fifo:/dev/null", EINVAL },
		{ ROW, "fifo:/dev", EISDIR },
		{ ROW, "fifo:/proc/self/fd/30,/nonexistent/ack", ENOENT },
		{ ROW, "fifo:/proc/self/fd/30,/dev/null", EINVAL },
	};
	int ends[2];

	/* a file with the number of a channel, and the wrong ends of a pipe */
	tree_add(folder, "file", "as it was");
	assert_int_equal(dup2(open("file", O_RDWR), 40), 40);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[0], 41), 41);
	assert_int_equal(dup2(ends[1], 42), 42);
	for (size_t i = 0; i < N_OF(values); i++) {
		int status;
		pid_t pid;

		setenv("PSTAT_CONTROL", values[i].value, 1);
		expected_errno = values[i].error;
		pid = begin(use_in_vain);
		row_int(&values[i], waitpid(pid, &status, 0), pid);
		row_int(&values[i], status, 0);
	}
	cleanup_free char *text = tree_read(folder, "file");
	assert_string_equal(text, "as it was");
	for (int fd = 40; fd <= 42; fd++)
		close(fd);
	close(ends[0]);
	close(ends[1]);
}

static void a_path_too_long_is_an_error(void **state)
{
	char value[5000];

	memset(value, '/', sizeof(value));
	memcpy(value, "fifo:", 5);
	value[sizeof(value) - 1] = '\0';
	setenv("PSTAT_CONTROL", value, 1);
	expected_errno = ENAMETOOLONG;
	expect_success(begin(use_in_vain));
}

static void pstat_that_has_ended_is_an_error_and_no_signal(void **state)
{
	int ends[2];
	char number[32];

	open_as("region");
	/* only the command has this one */
	assert_true(dup2(control.command_fd, 40) == 40);
	control_release(&control);
	setenv("PSTAT_CONTROL", "fd:40,40", 1);
	expect_success(begin(use_socket_without_pstat));
	close(40);

	open_as("fifo:ctl,ack");
	control_release(&control);
	close(CTL);
	expected_errno = ENXIO;
	expect_success(begin(use_in_vain));

	/* an answer, and then the end of the file */
	assert_int_equal(pipe(ends), 0);
	assert_true(dup2(open("ctl", O_RDWR), CTL) == CTL);
	snprintf(number, sizeof(number), "fd:%d,%d", CTL, ends[0]);
	setenv("PSTAT_CONTROL", number, 1);
	assert_int_equal(write(ends[1], "ack\n", 4), 4);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	close(ends[1]);
	expect_success(begin(use_ack_without_pstat));
	close(ends[0]);
}

static void a_region_that_is_not_answered_any_more_fails(void **state)
{
	struct pollfd ctl;
	pid_t pid;

	open_as("region");
	pid = begin(use_socket_without_pstat);
	ctl = (struct pollfd){ .fd = control.ctl_fd, .events = POLLIN };
	assert_int_equal(poll(&ctl, 1, 20000), 1); /* the command waits for the answer now */
	control_end(&control);
	expect_success(pid);
}

static void a_full_fifo_does_not_block(void **state)
{
	open_as("fifo:ctl");
	expect_success(begin(fill_pipe));
}

static void a_fifo_without_a_reader_does_not_raise_a_signal(void **state)
{
	pid_t pid;

	open_as("fifo:ctl");
	pid = begin(outlive_pstat);
	control_release(&control);
	close(CTL);
	shared->is_counting = true;
	expect_success(pid);
}

static void come_back(const char *text, size_t n)
{
	usleep(10000);
	assert_int_equal(write(ACK, text, n), n);
}

static void an_answer_may_come_in_pieces_and_with_perfs_nul(void **state)
{
	pid_t pid;

	setenv("PSTAT_CONTROL", "fd:30,31", 1);
	pid = begin(use_once);
	come_back("\0a", 2);
	come_back("c", 1);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	come_back("k\n\0", 3);
	expect_success(pid);
}

static void a_signal_does_not_end_the_wait(void **state)
{
	pid_t pid;

	setenv("PSTAT_CONTROL", "fd:30,31", 1);
	pid = begin(use_interrupted);
	usleep(20000);
	come_back("ack\n", 4);
	expect_success(pid);
}

static void a_channel_without_blocking_is_waited_for(void **state)
{
	pid_t pid;

	assert_int_equal(fcntl(ACK, F_SETFL, O_NONBLOCK), 0);
	setenv("PSTAT_CONTROL", "fd:30,31", 1);
	pid = begin(use_once);
	usleep(20000);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	come_back("ack\n", 4);
	expect_success(pid);
}

/* ---- The header in other programs */

static const char use[] = "#include \"pstat-region.h\"\n"
			  "int other(void);\n"
			  "int main(void)\n"
			  "{\n"
			  "\treturn pstat_region_enable() == 1 && other() == 1 &&\n"
			  "\t       pstat_region_channel_found.is_known == 7 ? 0 : 1;\n"
			  "}\n";

/* Two files of a program share the channel. */
static const char use_in_other_file[] = "#include \"pstat-region.h\"\n"
					"int other(void);\n"
					"int other(void)\n"
					"{\n"
					"\tpstat_region_channel_found.is_known = 7;\n"
					"\treturn pstat_region_disable();\n"
					"}\n";

#define WARNINGS "-Wall -Wextra -Wconversion -Wshadow -Wundef -pedantic -Werror"

static void build_in(const char *compiler, const char *standard, const char *extension)
{
	const char *sources = getenv("TOP_SRCDIR");

	if (!sources)
		fail_msg("TOP_SRCDIR is not set: run the tests by make check");
	if (!build_run(folder, "%s %s " WARNINGS " -I'%s/src' -o program main.%s other.%s",
		       compiler, standard, sources, extension, extension))
		fail_msg("%s %s: pstat-region.h is not accepted", compiler, standard);
	if (!build_run(folder, "./program"))
		fail_msg("%s %s: two files do not share what they have found", compiler, standard);
}

/* With each of two compilers that is installed. */
static void check_compilers(const char *const compilers[2], const char *const standards[3],
			    const char *extension)
{
	bool is_checked = false;

	for (size_t i = 0; i < 2; i++) {
		if (!build_run(folder, "command -v %s", compilers[i]))
			continue;
		for (size_t j = 0; j < 3; j++)
			build_in(compilers[i], standards[j], extension);
		is_checked = true;
	}
	if (!is_checked)
		skip();
}

static void programs_in_c_include_it(void **state)
{
	static const char *const compilers[] = { "gcc", "clang" };
	static const char *const standards[] = { "-std=c99", "-std=gnu99", "-std=gnu17 -O2" };

	tree_add(folder, "main.c", use);
	tree_add(folder, "other.c", use_in_other_file);
	check_compilers(compilers, standards, "c");
}

static void programs_in_cxx_include_it(void **state)
{
	static const char *const compilers[] = { "g++", "clang++" };
	static const char *const standards[] = { "-std=c++11 -Wold-style-cast", "-std=gnu++17",
						 "-std=c++20 -O2" };

	tree_add(folder, "main.cc", use);
	tree_add(folder, "other.cc", use_in_other_file);
	check_compilers(compilers, standards, "cc");
}

#define test(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(without_pstat_nothing_is_done),
		test(a_call_is_one_write_and_one_read_of_the_answer),
		test(an_invalid_channel_is_an_error),
		test(a_path_too_long_is_an_error),
		test(pstat_that_has_ended_is_an_error_and_no_signal),
		test(a_region_that_is_not_answered_any_more_fails),
		test(a_full_fifo_does_not_block),
		test(a_fifo_without_a_reader_does_not_raise_a_signal),
		test(an_answer_may_come_in_pieces_and_with_perfs_nul),
		test(a_signal_does_not_end_the_wait),
		test(a_channel_without_blocking_is_waited_for),
		test(programs_in_c_include_it),
		test(programs_in_cxx_include_it),
	};

	return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
