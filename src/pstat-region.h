/* SPDX-License-Identifier: 0BSD */
/*
 * Count one region of a program with pstat(1). Any program may include this file, whatever its
 * license; there is nothing to link. C99 or later, C++11 or later, gcc or clang, Linux.
 *
 *	#include <pstat-region.h>
 *
 *	pstat_region_enable();
 *	work();
 *	pstat_region_disable();
 *
 *	$ pstat --control region -e instructions:u ./program
 *
 * pstat says in the environment variable PSTAT_CONTROL where it listens: "fd:CTL[,ACK]" or
 * "fifo:CTL[,ACK]" with absolute paths. Without that variable the functions do nothing.
 *
 * What it costs: the first call looks for PSTAT_CONTROL, and opens the FIFOs. Each call is then one
 * write(2) or send(2), and one read(2) if there is an ACK, as with --control region: the function
 * returns when pstat has switched the counters. Without an ACK it returns at once, and the counters
 * are switched some time after.
 *
 * The counters are those of the whole pstat, whatever thread or process calls:
 * - Calls by several threads at once are the caller's to serialise, the first ones too.
 * - A child of fork(2) shares the channel and switches the same counters. Let one process at a time
 *   call, or one gets the answer that was meant for the other.
 * - Not for signal handlers.
 * - A program that is set-uid, set-gid or got capabilities by its exec does not look at the variable.
 *
 * No SIGPIPE: a socket is written with MSG_NOSIGNAL, and the FIFO of "fifo:" or of a descriptor that
 * pstat has handed on is open for reading here too. Only a PSTAT_CONTROL made by hand, with the write
 * end of a pipe, can raise it.
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
 * Switch the counters on, or off. 0: done. 1: nothing to be done, since the program does not run
 * under pstat --control. -1 with errno: pstat was not reached. Some values of errno:
 * EBADF   the descriptors in PSTAT_CONTROL are closed, or are no longer a pipe or a socket
 * EINVAL  PSTAT_CONTROL is none of the two forms
 * ENXIO   nobody reads the FIFO: pstat has ended
 * EPIPE   pstat has ended, or listens no more
 * EAGAIN  nobody has read the FIFO for so long that it is full
 * A channel that the first call could not open is not tried again.
 */
static inline int pstat_region_enable(void);
static inline int pstat_region_disable(void);

/* ---- The rest is no interface. */

struct pstat_region_channel {
	int is_known; /* the other members hold what was found */
	int result; /* 0: a channel, 1: none, -1: none because of error */
	int error; /* an errno */
	int ctl_fd;
	int ack_fd; /* -1: no answers */
	int ctl_is_socket;
};

/* Weak: one for the whole program, however many of its files include this one. */
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
 * Whether fd can still be what pstat has handed on: a program may have closed it, and a file of its
 * own may have got the number since.
 */
static inline int pstat_region_is_channel(int fd, int other_way)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) != other_way &&
	       (pstat_region_is_pipe(fd) || pstat_region_is_socket(fd));
}

/* A number below a million from the start of *text, which is moved behind it; -1 if there is none. */
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
 * Opened for writing alone first, which fails when nobody reads; then for both, so that it has a
 * reader as long as it is open here. It stays non-blocking: a full FIFO is an error, not a wait that
 * could last for ever.
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

/* For reading alone, so that the end of pstat is the end of the file. */
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

/* The first call: which channel there is. */
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

/* An ACK that was handed on non-blocking, or a signal handler that has run: wait on. 0, or -1. */
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
 * "ack\n", most often in one piece. No more is read, because what follows belongs to a later call.
 * The line ends within what was read: perf stat --control sends a NUL behind it.
 */
static inline int pstat_region_answered(int fd)
{
	char answer[4];
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

/* So short a line is written whole or not at all. */
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
