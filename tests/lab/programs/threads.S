/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts THREADS threads, each of which counts down from LOOPS. The first task ends at once, before
 * most of them have begun: waiting would take a number of instructions that depends on the timing.
 */

#include "lab.h"

	.globl	expected_first

_start:
	mov	x19, #THREADS
start_one:
	start_thread
	cbz	x0, thread
	subs	x19, x19, #1
	b.ne	start_one
all_started:
	finish

thread:
	spin	x1, LOOPS
	finish

	/* A thread begins after the svc, with the cbz. */
	.set	expected_first, 1 + THREADS * INSNS(start_one, all_started) + FINISH_INSNS
	.set	expected, expected_first + THREADS * (1 + SPIN_INSNS(LOOPS) + FINISH_INSNS)
