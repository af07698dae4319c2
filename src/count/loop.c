/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "count/loop.h"

int loop_open_timer(struct loop *loop)
{
	loop->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (loop->timer_fd < 0)
		return -errno;
	loop->has_timer = true;
	return 0;
}

int loop_add(struct loop *loop, int fd, loop_client *ready, void *data)
{
	/* fds has space for the timer after the last client, so that waiting does not allocate
	 * memory. */
	if (array_grow(&loop->fds, loop->n + 1, &loop->fds_size, sizeof(*loop->fds)) < 0 ||
	    array_grow(&loop->descriptors, loop->n, &loop->descriptors_size,
		       sizeof(*loop->descriptors)) < 0)
		return -ENOMEM;
	loop->fds[loop->n] = (struct pollfd){ .fd = fd, .events = POLLIN };
	loop->descriptors[loop->n++] = (struct loop_descriptor){ ready, data };
	return 0;
}

void loop_remove(struct loop *loop, int fd)
{
	for (size_t i = 0; i < loop->n; i++)
		if (loop->fds[i].fd == fd)
			loop->fds[i] = (struct pollfd){ .fd = -1 };
}

void loop_add_deadline(struct loop *loop, struct loop_deadline *deadline)
{
	assert(loop->deadlines_n < LOOP_DEADLINES_MAX);
	loop->deadlines[loop->deadlines_n++] = deadline;
}

/* Set the timer to the first deadline. The time is absolute, so the slack of poll(2) cannot delay
 * it. */
static int loop_set_timer(const struct loop *loop)
{
	struct itimerspec timer = { 0 };
	uint64_t first = 0;

	for (size_t i = 0; i < loop->deadlines_n; i++) {
		uint64_t due = loop->deadlines[i]->due_ns;

		if (due && (!first || due < first))
			first = due;
	}
	timer.it_value.tv_sec = (time_t)(first / 1000000000);
	timer.it_value.tv_nsec = (long)(first % 1000000000);
	return timerfd_settime(loop->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL) < 0 ? -errno : 0;
}

static int loop_take_turn(struct loop *loop)
{
	uint64_t now;
	int result = 0;

	/* the timer is polled last, and has no client: it only ends the wait */
	loop->fds[loop->n] = (struct pollfd){ .fd = -1, .events = POLLIN };
	if (loop->has_timer) {
		result = loop_set_timer(loop);
		if (result < 0)
			return result;
		loop->fds[loop->n].fd = loop->timer_fd;
	}
	if (poll(loop->fds, loop->n + 1, -1) < 0)
		return errno == EINTR ? 0 : -errno;
	for (size_t i = 0; result == 0 && i < loop->n; i++)
		if (loop->fds[i].revents)
			result = loop->descriptors[i].ready(loop->descriptors[i].data,
							    loop->fds[i].fd);
	now = loop->deadlines_n > 0 ? clock_ns() : 0;
	for (size_t i = 0; result == 0 && i < loop->deadlines_n; i++) {
		struct loop_deadline *deadline = loop->deadlines[i];

		if (deadline->due_ns && now >= deadline->due_ns)
			result = deadline->passed(deadline->data, -1);
	}
	return result;
}

int loop_run(struct loop *loop)
{
	int result;

	assert(loop->n > 0);
	do
		result = loop_take_turn(loop);
	while (result == 0);
	return result;
}

void loop_clear(struct loop *loop)
{
	loop->n = 0;
	loop->deadlines_n = 0;
}

void loop_release(struct loop *loop)
{
	if (loop->has_timer)
		close(loop->timer_fd);
	free(loop->fds);
	free(loop->descriptors);
	*loop = (struct loop){ 0 };
}
