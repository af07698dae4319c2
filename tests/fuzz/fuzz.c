/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hands each input to the target, and limits the processor time it takes. libFuzzer's own -timeout
 * measures elapsed time, which says little on a busy machine.
 */
#include <signal.h>
#include <sys/time.h>

#include "fuzz.h"

enum { TICK_MS = 100, TICKS_MAX = 10 };

static volatile sig_atomic_t ticks;

static void input_takes_too_long(int signal)
{
	(void)signal;
	if (++ticks > TICKS_MAX)
		abort();
}

static void start_ticks(void)
{
	const struct itimerval interval = { { 0, TICK_MS * 1000 }, { 0, TICK_MS * 1000 } };
	const struct sigaction action = { .sa_handler = input_takes_too_long,
					  .sa_flags = SA_RESTART };
	static bool started;

	if (started)
		return;
	started = true;
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
