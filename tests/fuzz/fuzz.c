/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes each input to the target, and limits its CPU time. libFuzzer's own -timeout measures
 * elapsed time, which means little on a busy machine. For the same reason, FUZZ_TENTHS limits the
 * CPU time of the whole run, in tenths of a second: the process sends itself SIGUSR1, for which
 * libFuzzer prints its statistics and exits.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#include "fuzz.h"

enum { PERIOD_MS = 100, TENTHS_MAX = 10 };

static volatile sig_atomic_t tenths; /* of this input */
static volatile sig_atomic_t left; /* of all inputs; no limit if it is not positive */

static void count_tenth(int signal)
{
	(void)signal;
	if (++tenths > TENTHS_MAX)
		abort();
	if (left > 0 && --left == 0)
		raise(SIGUSR1);
}

static void start_timer(void)
{
	const struct itimerval interval = { { 0, PERIOD_MS * 1000 }, { 0, PERIOD_MS * 1000 } };
	const struct sigaction action = { .sa_handler = count_tenth, .sa_flags = SA_RESTART };
	const char *limit = getenv("FUZZ_TENTHS");
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
	start_timer();
	tenths = 0;
	fuzz(data, size);
	return 0;
}
