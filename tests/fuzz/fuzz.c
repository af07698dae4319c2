/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hands each input to the target, and limits the processor time it takes. libFuzzer's own -timeout
 * measures elapsed time, which says little on a busy machine. For the same reason the run as a
 * whole ends after FUZZ_TICKS of processor time, if that variable is set: by SIGUSR1, for which
 * libFuzzer prints its statistics and exits.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#include "fuzz.h"

enum { TICK_MS = 100, TICKS_MAX = 10 };

static volatile sig_atomic_t ticks; /* of this input */
static volatile sig_atomic_t left; /* of all inputs; no limit if it is not positive */

static void count_tick(int signal)
{
	(void)signal;
	if (++ticks > TICKS_MAX)
		abort();
	if (left > 0 && --left == 0)
		raise(SIGUSR1);
}

static void start_ticks(void)
{
	const struct itimerval interval = { { 0, TICK_MS * 1000 }, { 0, TICK_MS * 1000 } };
	const struct sigaction action = { .sa_handler = count_tick, .sa_flags = SA_RESTART };
	const char *limit = getenv("FUZZ_TICKS");
	static bool started;

	if (started)
		return;
	started = true;
	if (limit)
		left = atoi(limit);
	CHECK(sigaction(SIGPROF, &action, NULL) == 0);
	CHECK(setitimer(ITIMER_PROF, &interval, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	start_ticks();
	ticks = 0;
	fuzz(data, size);
	return 0;
}
