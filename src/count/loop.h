/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event loop of a run. It waits for everything that may happen during a run: signals, commands
 * of --control, the end of a task, deadlines. Each turn of the loop waits once. It then calls every
 * client that is ready exactly once. A client that is always ready, such as an interval shorter
 * than its own readings, therefore cannot starve the others.
 */
#ifndef PSTAT_COUNT_LOOP_H
#define PSTAT_COUNT_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pollfd;

/* 0: go on waiting; a positive number or -errno: the loop ends and returns it. */
typedef int loop_client(void *data, int fd);

struct loop_descriptor {
	loop_client *ready;
	void *data;
};

/* A point in time. Owned by its client, which sets due_ns again for the next deadline. */
struct loop_deadline {
	uint64_t due_ns; /* on CLOCK_MONOTONIC; 0: never */
	loop_client *passed; /* called with fd -1 */
	void *data;
};

enum { LOOP_DEADLINES_MAX = 8 };

/* All zero: there is nothing to wait for. */
struct loop {
	struct pollfd *fds; /* owned */
	size_t fds_size;
	struct loop_descriptor *descriptors; /* owned: the client of each of fds */
	size_t descriptors_size;
	size_t n;
	struct loop_deadline *deadlines[LOOP_DEADLINES_MAX];
	size_t deadlines_n;
	bool has_timer; /* if false, deadlines cannot be used */
	int timer_fd; /* owned */
};

/* Open the timer that deadlines need. 0 or -errno. */
int loop_open_timer(struct loop *loop);

/* Wait for fd to be readable, or closed at its other end. Clients are called in the order in which
 * they were added. 0 or -ENOMEM. */
int loop_add(struct loop *loop, int fd, loop_client *ready, void *data);

/* Stop waiting for fd. Clients may call this. */
void loop_remove(struct loop *loop, int fd);

/* Also wait for this deadline, which has to exist until the loop ends. In each turn, the clients of
 * deadlines are called after those of descriptors, in the order in which they were added. */
void loop_add_deadline(struct loop *loop, struct loop_deadline *deadline);

/* Take turns until a client ends the loop. Returns what that client returned, or -errno of poll(2).
 * At least one descriptor has to be added first. */
int loop_run(struct loop *loop);

/* Remove all clients. The timer stays open. */
void loop_clear(struct loop *loop);

void loop_release(struct loop *loop);

#endif
