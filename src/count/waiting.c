/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "count/waiting.h"

#define NS_OF_MS UINT64_C(1000000)

/* A look at which CPUs are online costs a few microseconds (hotplug.h). */
#define CHECK_NS (100 * NS_OF_MS)

static bool uses_time(const struct waiting *wait)
{
	const struct timing *timing = wait->timing;

	return timing->interval_ms || timing->timeout_ms || timing->delay_ms > 0 ||
	       timing->progress_ms || wait->checks ||
	       (wait->lifelines && lifelines_need_checks(wait->lifelines));
}

int waiting_begin(struct waiting *wait, struct workload *w, const struct timing *timing,
		  struct control *control, struct lifelines *lifelines, bool checks)
{
	*wait = (struct waiting){ .workload = w,
				  .timing = timing,
				  .control = control,
				  .lifelines = w->argv[0] ? NULL : lifelines,
				  .tasks_stir = true,
				  .checks = checks,
				  .timer_fd = -1,
				  .origin_ns = w->start_ns };
	if (timing->delay_ms > 0)
		wait->start_ns = wait->origin_ns + (uint64_t)timing->delay_ms * NS_OF_MS;
	if (checks)
		wait->check_ns = wait->origin_ns + CHECK_NS;
	if (timing->progress_ms)
		wait->progress_ns = wait->origin_ns + timing->progress_ms * NS_OF_MS;
	if (!uses_time(wait))
		return 0;
	wait->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return wait->timer_fd < 0 ? -errno : 0;
}

/* Behind the delay, where there is one: the clock of the grid runs from there. */
static uint64_t tick_ns(const struct waiting *wait)
{
	uint64_t interval = wait->timing->interval_ms * NS_OF_MS;

	return interval && !wait->start_ns ? wait->origin_ns + (wait->ticks + 1) * interval : 0;
}

static uint64_t timeout_ns(const struct waiting *wait)
{
	uint64_t timeout = wait->timing->timeout_ms * NS_OF_MS;

	return timeout && !wait->start_ns ? wait->origin_ns + timeout : 0;
}

static bool is_over(uint64_t due, uint64_t now)
{
	return due && now >= due;
}

/* A wake-up that comes too late has all that it missed behind it, and says how many ticks these are. */
static void pass_ticks(struct waiting *wait, uint64_t now)
{
	uint64_t over = (now - wait->origin_ns) / (wait->timing->interval_ms * NS_OF_MS);

	wait->woke_ns = now - wait->origin_ns;
	wait->late = over - wait->ticks - 1;
	wait->ticks = over;
}

/* Whether something is due by now. A tick comes before the timeout of the same moment. */
static bool is_due(struct waiting *wait, enum wake *wake)
{
	uint64_t now = clock_ns();

	if (is_over(wait->start_ns, now)) {
		wait->start_ns = 0;
		wait->origin_ns = now;
		*wake = WAKE_START;
	} else if (is_over(tick_ns(wait), now)) {
		pass_ticks(wait, now);
		*wake = WAKE_TICK;
	} else if (is_over(timeout_ns(wait), now)) {
		*wake = WAKE_TIMEOUT;
	} else if (is_over(wait->check_ns, now)) {
		wait->check_ns = now + CHECK_NS;
		*wake = WAKE_CHECK;
	} else if (is_over(wait->progress_ns, now)) {
		wait->progress_ns = now + wait->timing->progress_ms * NS_OF_MS;
		*wake = WAKE_PROGRESS;
	} else {
		return false;
	}
	return true;
}

static void take_earlier(uint64_t *first, uint64_t due)
{
	if (due && (!*first || due < *first))
		*first = due;
}

/* Let the timer go off at what is due first. */
static void set_timer(const struct waiting *wait)
{
	struct itimerspec timer = { 0 };
	uint64_t first = 0;

	take_earlier(&first, wait->start_ns);
	take_earlier(&first, tick_ns(wait));
	take_earlier(&first, timeout_ns(wait));
	take_earlier(&first, wait->check_ns);
	take_earlier(&first, wait->progress_ns);
	if (wait->lifelines && lifelines_need_checks(wait->lifelines))
		take_earlier(&first, clock_ns() + LIFELINES_CHECK_MS * NS_OF_MS);
	timer.it_value.tv_sec = (time_t)(first / 1000000000);
	timer.it_value.tv_nsec = (long)(first % 1000000000);
	timerfd_settime(wait->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

static bool control_is_open(const struct waiting *wait)
{
	return wait->control && !wait->control->at_end;
}

/* Until there is something to look at: a signal, the timer, a command, the end of a task. */
static bool await(struct waiting *wait, bool *commanded)
{
	size_t tasks = wait->lifelines ? wait->lifelines->n : 0;
	cleanup_free struct pollfd *fds = calloc(3 + tasks, sizeof(*fds));

	*commanded = false;
	if (!fds)
		return false;
	fds[0] = (struct pollfd){ .fd = wait->workload->signal_fd, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = wait->timer_fd, .events = POLLIN };
	fds[2] = (struct pollfd){ .fd = control_is_open(wait) ? wait->control->ctl_fd : -1,
				  .events = POLLIN };
	for (size_t i = 0; i < tasks; i++)
		fds[3 + i] = (struct pollfd){ .fd = wait->lifelines->v[i].fd, .events = POLLIN };
	if (wait->timer_fd >= 0)
		set_timer(wait);
	poll(fds, 3 + tasks, -1);
	*commanded = fds[2].revents != 0;
	wait->tasks_stir = wait->lifelines && lifelines_need_checks(wait->lifelines);
	for (size_t i = 0; i < tasks; i++)
		wait->tasks_stir |= fds[3 + i].revents != 0;
	return true;
}

static bool has_more(const struct waiting *wait)
{
	return wait->timer_fd >= 0 || control_is_open(wait) || wait->lifelines;
}

/* Of a command and nothing beside it: its end is a signal, as is all else that may happen. */
static enum wake await_end(struct workload *w, struct run *run)
{
	do
		workload_await_signal(w);
	while (!workload_reap(w, run));
	return WAKE_ENDED;
}

enum wake waiting_next(struct waiting *wait, struct run *run)
{
	struct workload *w = wait->workload;
	bool has_command = w->argv[0] != NULL;
	bool commanded = false;
	enum wake wake;

	if (has_command && !has_more(wait))
		return await_end(w, run);
	for (;;) {
		/* Signals first: of a command that ends behind the look at it, SIGCHLD is still to come. */
		bool interrupted = workload_interrupted(w);

		if (has_command && workload_reap(w, run))
			return WAKE_ENDED;
		if (interrupted && !has_command)
			return WAKE_INTERRUPTED;
		if (commanded)
			return WAKE_CONTROL;
		if (wait->timer_fd >= 0 && is_due(wait, &wake))
			return wake;
		if (wait->lifelines && wait->tasks_stir && lifelines_all_gone(wait->lifelines))
			return WAKE_GONE;
		if (!has_more(wait))
			workload_await_signal(w);
		else if (!await(wait, &commanded))
			return WAKE_INTERRUPTED;
	}
}

void waiting_forget_times(struct waiting *wait)
{
	static const struct timing none = { 0 };

	wait->timing = &none;
	wait->start_ns = wait->check_ns = wait->progress_ns = 0;
}

uint64_t waiting_elapsed(const struct waiting *wait)
{
	return clock_ns() - wait->origin_ns;
}

size_t waiting_missed(const struct waiting *wait, uint64_t elapsed_ns)
{
	uint64_t interval = wait->timing->interval_ms * NS_OF_MS;
	uint64_t over = interval && !wait->start_ns ? elapsed_ns / interval : 0;

	return over > wait->ticks ? over - wait->ticks - 1 : 0;
}

void waiting_release(struct waiting *wait)
{
	if (wait->timer_fd >= 0)
		close(wait->timer_fd);
	wait->timer_fd = -1;
}
