/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All is written, or the errno of the write that failed is told. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/write.h"
#include "unit/test.h"

enum { MORE_THAN_A_PIPE_HOLDS = 300000 };

static size_t read_all(int fd)
{
	char part[4096];
	size_t all = 0;
	ssize_t n;

	while ((n = read(fd, part, sizeof(part))) > 0)
		all += (size_t)n;
	return all;
}

/* As standard error is when another program has made the pipe or the terminal so. */
static void a_descriptor_that_does_not_block_is_waited_for(void **state)
{
	cleanup_free char *text = calloc(1, MORE_THAN_A_PIPE_HOLDS);
	int ends[2], status;
	size_t written;
	pid_t reader;

	assert_non_null(text);
	assert_int_equal(pipe(ends), 0);
	reader = fork();
	if (reader == 0) {
		close(ends[1]);
		usleep(50000);
		_exit(read_all(ends[0]) != MORE_THAN_A_PIPE_HOLDS);
	}
	close(ends[0]);
	assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(write_whole(ends[1], text, MORE_THAN_A_PIPE_HOLDS, &written), 0);
	assert_int_equal(written, MORE_THAN_A_PIPE_HOLDS);
	close(ends[1]);
	assert_int_equal(waitpid(reader, &status, 0), reader);
	assert_int_equal(status, 0);
}

static void an_error_is_told_with_what_was_written_before(void **state)
{
	cleanup_fd int full = open("/dev/full", O_WRONLY);
	size_t written = 1;
	int ends[2];

	assert_int_equal(write_whole(full, "text", 4, &written), -ENOSPC);
	assert_int_equal(written, 0);
	assert_int_equal(write_whole(-1, "text", 4, NULL), -EBADF);
	assert_int_equal(write_whole(-1, "", 0, &written), 0);

	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	assert_true(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	assert_int_equal(write_whole(ends[1], "text", 4, &written), -EPIPE);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_descriptor_that_does_not_block_is_waited_for),
		cmocka_unit_test(an_error_is_told_with_what_was_written_before),
	};

	return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
