/* SPDX-License-Identifier: 0BSD */
/*
 * Count one region of a program with pstat(1). Any program may include this file, under any
 * license. No library is needed. It needs Linux, C99 or C++11 or later, and gcc or clang.
 *
 *	#include <pstat-region.h>
 *
 *	pstat_region_enable();
 *	work();
 *	pstat_region_disable();
 *
 *	$ pstat --control region -e instructions:u ./program
 *
 * The environment variable PSTAT_CONTROL, which pstat sets, names the control channel:
 * "fd:CTL[,ACK]", or "fifo:CTL[,ACK]" with absolute paths. Without the variable, the functions do
 * nothing.
 *
 * Cost: the first call reads PSTAT_CONTROL and opens the FIFOs. Each call is one write(2) or
 * send(2) and, if there is an ACK (as with --control region), one read(2): the function returns
 * after pstat has switched the counters. Without an ACK, the function returns at once, and pstat
 * switches the counters a little later.
 *
 * The functions switch all counters of pstat, regardless of which thread or process calls them:
 * - If several threads call them, including the first call, the program must serialise the calls.
 * - A child of fork(2) shares the channel and switches the same counters. Only one process may call
 *   at a time; otherwise one process could read another's answer.
 * - Do not call them in a signal handler.
 * - A program that is set-user-ID or set-group-ID, or that gains capabilities at its exec, ignores
 *   the variable.
 *
 * The functions do not raise SIGPIPE: they write to a socket with MSG_NOSIGNAL, and they keep the
 * FIFO open for reading, too. The exception is a PSTAT_CONTROL that was set by hand and names the
 * write end of a pipe.
 */
#ifndef PSTAT_REGION_H
#define PSTAT_REGION_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Switch the counters on or off. 0: done. 1: nothing to do, because the program does not run under
 * pstat --control. -1 with errno: the command did not reach pstat. Some values of errno:
 * EBADF   the descriptors in PSTAT_CONTROL are closed, or are no longer a pipe or a socket
 * EINVAL  PSTAT_CONTROL has neither of the two forms
 * ENXIO   no process reads the FIFO: pstat has ended
 * EPIPE   pstat has ended, or no longer listens
 * EAGAIN  the FIFO is full, because no process reads it
 * If the first call cannot open the channel, later calls do not try again.
 */
static inline int pstat_region_enable(void);
static inline int pstat_region_disable(void);

/* ---- Everything below is internal. */

struct pstat_region_channel {
	int is_known; /* the other members are valid */
	int result; /* 0: there is a channel; 1: there is none; -1: none, because of error */
	int error; /* an errno */
	int ctl_fd;
	int ack_fd; /* -1: no answers */
	int ctl_is_socket;
};

/* Weak, so that the program has one channel even if several of its files include this header. */
extern struct pstat_region_channel pstat_region_channel_found
	__attribute__((weak, visibility("hidden")));
struct pstat_region_channel pstat_region_channel_found;

static inline int pstat_region_is_socket(int fd)
{
	int type;
	socklen_t size = sizeof(type);

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

static inline int pstat_region_is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

/*
 * Whether fd can still be the descriptor that pstat passed on. The program may have closed it, and
 * may have opened a file of its own that got the same number.
 */
static inline int pstat_region_is_channel(int fd, int other_way)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) != other_way &&
	       (pstat_region_is_pipe(fd) || pstat_region_is_socket(fd));
}

/* Parse a number below a million at the start of *text and advance *text. -1: not a number. */
static inline int pstat_region_number(const char **text)
{
	int number = -1;

	for (; **text >= '0' && **text <= '9' && number < 100000; (*text)++)
		number = (number < 0 ? 0 : number) * 10 + (**text - '0');
	return number;
}

/* 0 or an errno. */
static inline int pstat_region_find_fd(struct pstat_region_channel *channel, const char *text)
{
	channel->ctl_fd = pstat_region_number(&text);
	if (channel->ctl_fd >= 0 && *text == ',') {
		text++;
		channel->ack_fd = pstat_region_number(&text);
		if (channel->ack_fd < 0)
			return EINVAL;
	}
	if (channel->ctl_fd < 0 || *text)
		return EINVAL;
	if (!pstat_region_is_channel(channel->ctl_fd, O_RDONLY))
		return EBADF;
	if (channel->ack_fd >= 0 && !pstat_region_is_channel(channel->ack_fd, O_WRONLY))
		return EBADF;
	return 0;
}

/* Open a FIFO without waiting for its other end. The descriptor, or -1 with errno. */
static inline int pstat_region_open_fifo(const char *path, int flags)
{
	int fd;

#ifdef O_CLOEXEC
	flags |= O_CLOEXEC;
#endif
	fd = open(path, flags | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (!pstat_region_is_pipe(fd)) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

/*
 * First open the FIFO write-only, which fails if no process reads it. Then open it for reading and
 * writing, so that it always has a reader. It stays non-blocking: a full FIFO is an error, because
 * waiting could take forever.
 */
static inline int pstat_region_open_ctl(struct pstat_region_channel *channel, const char *path)
{
	int probe = pstat_region_open_fifo(path, O_WRONLY);

	if (probe < 0)
		return errno;
	channel->ctl_fd = pstat_region_open_fifo(path, O_RDWR);
	close(probe);
	return channel->ctl_fd < 0 ? errno : 0;
}

/* Open the FIFO of the answers read-only, so that read(2) returns 0 when pstat ends. */
static inline int pstat_region_open_ack(struct pstat_region_channel *channel, const char *path)
{
	channel->ack_fd = pstat_region_open_fifo(path, O_RDONLY);
	return channel->ack_fd < 0 || fcntl(channel->ack_fd, F_SETFL, 0) < 0 ? errno : 0;
}

static inline int pstat_region_find_fifo(struct pstat_region_channel *channel, const char *text)
{
	const char *ack = strstr(text, ",/");
	char path[4096];
	size_t length;
	int error;

	length = ack ? strlen(text) - strlen(ack) : strlen(text);
	if (*text != '/')
		return EINVAL;
	if (length >= sizeof(path))
		return ENAMETOOLONG;
	memcpy(path, text, length);
	path[length] = '\0';
	error = pstat_region_open_ctl(channel, path);
	if (error || !ack)
		return error;
	error = pstat_region_open_ack(channel, ack + 1);
	if (error)
		close(channel->ctl_fd);
	return error;
}

/* Find the channel, at the first call. */
static __attribute__((cold, noinline, unused)) void pstat_region_find(
	struct pstat_region_channel *channel)
{
	const char *text = getauxval(AT_SECURE) ? NULL : getenv("PSTAT_CONTROL");

	channel->ack_fd = -1;
	if (!text)
		channel->result = 1;
	else if (strncmp(text, "fd:", 3) == 0)
		channel->error = pstat_region_find_fd(channel, text + 3);
	else if (strncmp(text, "fifo:", 5) == 0)
		channel->error = pstat_region_find_fifo(channel, text + 5);
	else
		channel->error = EINVAL;
	if (channel->error)
		channel->result = -1;
	if (channel->result == 0)
		channel->ctl_is_socket = pstat_region_is_socket(channel->ctl_fd);
	channel->is_known = 1;
}

/* After a failed read(2): wait if the ACK is non-blocking. 0: read again. -1: error. */
static __attribute__((cold, noinline, unused)) int pstat_region_wait(int fd)
{
	struct pollfd ack;

	if (errno == EINTR)
		return 0;
	if (errno != EAGAIN)
		return -1;
	ack.fd = fd;
	ack.events = POLLIN;
	return poll(&ack, 1, -1) < 0 && errno != EINTR ? -1 : 0;
}

/*
 * Read the answer, usually with one read(2): "ack\n" and a NUL, as perf stat --control sends it,
 * too. pstat 0.1 sent no NUL. Do not read more: the bytes that follow belong to a later call. A
 * read(2) may return less than the answer, so the NUL may come first in the bytes of the next call.
 */
static inline int pstat_region_answered(int fd)
{
	char answer[5];
	ssize_t n;

	for (;;) {
		n = read(fd, answer, sizeof(answer));
		if (n == 0) {
			errno = EPIPE;
			return -1;
		}
		if (n < 0 && pstat_region_wait(fd) < 0)
			return -1;
		while (n > 0)
			if (answer[--n] == '\n')
				return 0;
	}
}

/* The line is shorter than PIPE_BUF, so it is written completely or not at all. */
static inline int pstat_region_send(const char *line, size_t length)
{
	struct pstat_region_channel *channel = &pstat_region_channel_found;
	ssize_t n;

	if (!channel->is_known)
		pstat_region_find(channel);
	if (channel->result) {
		if (channel->error)
			errno = channel->error;
		return channel->result;
	}
	do
		n = channel->ctl_is_socket ? send(channel->ctl_fd, line, length, MSG_NOSIGNAL) :
					     write(channel->ctl_fd, line, length);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -1;
	return channel->ack_fd < 0 ? 0 : pstat_region_answered(channel->ack_fd);
}

static inline int pstat_region_enable(void)
{
	return pstat_region_send("enable\n", sizeof("enable\n") - 1);
}

static inline int pstat_region_disable(void)
{
	return pstat_region_send("disable\n", sizeof("disable\n") - 1);
}

#ifdef __cplusplus
}
#endif

#endif
