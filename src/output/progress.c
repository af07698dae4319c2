/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "format/terminal/terminal.h"
#include "output/progress.h"

/* The line that is shown now; every message hides it. NULL: none. */
static struct progress *progress_line;

#define NS_OF_MS UINT64_C(1000000)
/* A shorter series needs no line, and nobody can read a line that changes faster. */
#define FIRST_NS (300 * NS_OF_MS)
#define REDRAW_NS (100 * NS_OF_MS)

/*
 * From the start of the row below: go up and clear the row. Clearing all rows below, too, would
 * clear the screen if the line is in its first row, and tmux would keep that screen for scrolling
 * back.
 */
#define TAKE_AWAY "\r\033[A\033[K"

/* Whether pstat is in the foreground of the terminal. tcgetpgrp() fails if it has no jobs. */
static bool progress_is_ours(int fd)
{
	pid_t foreground = tcgetpgrp(fd);

	return foreground < 0 || foreground == getpgrp();
}

/* Whether anybody has written to the terminal since the last call. */
static bool progress_was_written_to(const struct progress *p)
{
	char events[4096];
	bool written = false;

	while (read(p->watch_fd, events, sizeof(events)) > 0)
		written = true;
	return written;
}

/* Watch the terminal by its own name, and as /dev/tty of the processes that it controls. */
static int progress_watch_terminal(void)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (fd >= 0 && inotify_add_watch(fd, "/proc/self/fd/2", IN_MODIFY) < 0) {
		close(fd);
		return -1;
	}
	if (fd >= 0)
		inotify_add_watch(fd, "/dev/tty", IN_MODIFY);
	return fd;
}

static void progress_hide(struct progress *p)
{
	if (!p->shown)
		return;
	p->shown = false;
	if (progress_was_written_to(p) || !progress_is_ours(STDERR_FILENO))
		return;
	file_write(STDERR_FILENO, TAKE_AWAY, strlen(TAKE_AWAY), NULL);
	progress_was_written_to(p);
}

void progress_begin(struct progress *p, struct progress_plan plan)
{
	*p = (struct progress){ .plan = plan, .began_ns = clock_ns() };
	p->watch_fd = terminal_obeys_escapes(STDERR_FILENO) ? progress_watch_terminal() : -1;
	p->on = p->watch_fd >= 0;
	if (plan.timeout_ms)
		p->ends_ns = p->began_ns + plan.timeout_ms * NS_OF_MS;
	if (p->on)
		progress_line = p;
}

void progress_end(struct progress *p)
{
	if (!p->on)
		return;
	progress_hide(p);
	close(p->watch_fd);
	p->on = false;
	progress_line = NULL;
}

/* Another program has written below the line, so its position is unknown now. */
static void progress_give_up(struct progress *p)
{
	p->shown = false;
	progress_end(p);
}

static void progress_add_time(struct str *line, uint64_t ns)
{
	unsigned long long s = ns / NS_OF_S;

	if (s < 10)
		str_addf(line, "%llu.%llu s", s,
			 (unsigned long long)(ns % NS_OF_S / (NS_OF_S / 10)));
	else if (s < 60)
		str_addf(line, "%llu s", s);
	else if (s < 3600)
		str_addf(line, "%llu min %02llu s", s / 60, s % 60);
	else
		str_addf(line, "%llu h %02llu min", s / 3600, s / 60 % 60);
}

static void progress_add_run(struct str *line, const struct progress *p)
{
	bool warming_up = p->done < p->plan.warmups;
	size_t number = warming_up ? p->done + 1 : p->done - p->plan.warmups + 1;
	size_t of = warming_up ? p->plan.warmups : p->plan.runs;

	str_addf(line, "%s %zu", warming_up ? "warmup run" : "run", number);
	if (of && (warming_up || !p->plan.at_least))
		str_addf(line, " of %zu", of);
	else if (number <= of)
		str_addf(line, " of at least %zu", of);
	str_add(line, ", ");
}

/* The rest of the time if later runs take as long as the runs so far; 0: unknown. */
static uint64_t progress_rest_of_runs(const struct progress *p, uint64_t now)
{
	size_t runs = p->plan.warmups + p->plan.runs;

	if (!p->plan.runs || !p->done || p->done >= runs)
		return 0;
	return (uint64_t)((double)(now - p->began_ns) / (double)p->done * (double)(runs - p->done));
}

static uint64_t progress_rest_until(uint64_t end, uint64_t now)
{
	return end > now ? end - now : 0;
}

/* Append how long it will still take, if that is known. Returns whether it is. */
static bool progress_add_rest(struct str *text, const struct progress *p, uint64_t now)
{
	uint64_t runs = progress_rest_of_runs(p, now);
	uint64_t limit = progress_rest_until(p->began_ns + p->plan.limit_ns, now);
	const char *how = "about ";
	uint64_t rest = runs;

	if (p->ends_ns) {
		rest = progress_rest_until(p->ends_ns, now);
		how = "";
	} else if (limit > runs) { /* the runs may be precise enough before */
		rest = limit;
		how = "at most ";
	}
	if (!rest)
		return false;
	str_add(text, how);
	progress_add_time(text, rest);
	str_add(text, " left");
	return true;
}

/* Which times the line shows. The rest is shown only if it is known. */
enum times { TIMES_SO_FAR_AND_REST, TIMES_REST };

/* Append the line, cut to the columns. Returns whether all of it fits. */
static bool progress_compose(struct str *line, const struct progress *p, uint64_t now, int columns,
			     enum times times)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	cleanup_str struct str text = { 0 }, rest = { 0 };
	bool known = progress_add_rest(&rest, p, now);

	str_add(&text, "pstat: ");
	if (p->done)
		progress_add_run(&text, p);
	else
		str_add(&text, "counting, ");
	if (!known || times == TIMES_SO_FAR_AND_REST)
		progress_add_time(&text, now - p->began_ns);
	if (known)
		str_addf(&text, "%s%s", times == TIMES_SO_FAR_AND_REST ? ", " : "",
			 str_text(&rest));
	if (p->plan.add_text)
		p->plan.add_text(&text, p->plan.data);
	ruler_add_cut(&ruler, line, str_text(&text), columns, "");
	line->failed |= text.failed || rest.failed;
	return ruler_measure(&ruler, str_text(&text)) <= columns;
}

static void progress_draw(struct progress *p, uint64_t now)
{
	cleanup_str struct str line = { 0 }, whole = { 0 };
	int columns = terminal_columns(STDERR_FILENO) - 1;

	if (!progress_compose(&whole, p, now, columns, TIMES_SO_FAR_AND_REST)) {
		str_release(&whole);
		progress_compose(&whole, p, now, columns, TIMES_REST);
	}
	str_addf(&line, "%s%s\r\n", p->shown ? TAKE_AWAY : "", str_text(&whole));
	if (line.failed || whole.failed)
		return;
	file_write(STDERR_FILENO, str_text(&line), line.len, NULL);
	progress_was_written_to(p);
	p->shown = true;
	p->drawn_ns = clock_ns();
}

static bool progress_is_due(const struct progress *p, uint64_t now)
{
	return now - p->began_ns >= FIRST_NS && now - p->drawn_ns >= REDRAW_NS;
}

void progress_tick(struct progress *p)
{
	uint64_t now = clock_ns();

	if (!p->on)
		return;
	if (progress_was_written_to(p)) {
		progress_give_up(p);
		return;
	}
	if (progress_is_due(p, now) &&
	    progress_is_ours(STDERR_FILENO)) /* in the background, there is no line */
		progress_draw(p, now);
}

void progress_run(struct progress *p)
{
	if (p->done)
		progress_tick(p); /* --pre may have written */
}

void progress_ran(struct progress *p)
{
	p->done++;
	if (p->on && progress_was_written_to(p))
		progress_give_up(p);
}

void progress_before_message(void)
{
	if (progress_line)
		progress_hide(progress_line);
}

void progress_after_message(void)
{
	if (progress_line)
		progress_was_written_to(progress_line); /* forget the message */
}
