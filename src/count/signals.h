/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signals that pstat takes. They are passed on to the command, and some request that pstat end
 * its series. While pstat writes results, signals wait.
 */
#ifndef PSTAT_COUNT_SIGNALS_H
#define PSTAT_COUNT_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct signals {
	sigset_t mask; /* of pstat when it was started, and of the command */
	sigset_t before; /* of pstat before signals_take(), restored by signals_release() */
	sigset_t awaited; /* SIGCHLD, and the signals that are passed on to the command */
	bool child_ignored; /* pstat was started with SIGCHLD ignored; so is the command */
	int fd; /* owned: readable when a signal is pending */
	int interrupted; /* the signal that ends the series; 0: none */
	/* errno of a signal that was not passed on; 0: none; the caller resets it */
	int kill_error;
};

/* Take signals from now on. mask: the signal mask of the command. 0 or -errno. Call
 * signals_release() in any case. */
int signals_take(struct signals *s, const sigset_t *mask);

/* Call this in the child: give it the mask and dispositions that pstat was started with. */
void signals_restore(const struct signals *s);

/* Wait for a signal and take it. A signal that was sent only to pstat is passed on to the command.
 * command: its pid; 0: none runs. */
void signals_await(struct signals *s, pid_t command);

/* Take the pending signals, as signals_await(). Returns true if one of them, or an earlier signal,
 * requests that pstat end. */
bool signals_interrupted(struct signals *s, pid_t command);

/* The time that pstat has to write its results after a signal that requests its end. */
enum { SIGNALS_PATIENCE_S = 2 };

/*
 * Call this after the last run. While pstat writes results, signals do not end it at once. If
 * writing takes longer than SIGNALS_PATIENCE_S after a signal, the signal ends pstat. This
 * happens, for example, if nobody reads the pipe.
 */
void signals_begin_writing(struct signals *s);

/* The results are written. No signal ends pstat before signals_release(). */
void signals_end_writing(void);

/* Stop taking signals, so that they can interrupt pstat again. */
void signals_release(struct signals *s);

#endif
