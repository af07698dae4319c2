/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts down from LOOPS, from 2 * LOOPS and from 3 * LOOPS, and sleeps between them until it gets
 * a SIGUSR1. `expected_1` to `expected_3` are the instructions of each phase, including those that
 * go to sleep.
 */

#include "lab.h"

	.globl	expected_1, expected_2, expected_3

_start:
	block_signal
blocked:
	spin	x4, LOOPS
	wait_for_signal
	spin	x4, 2 * LOOPS
	wait_for_signal
	spin	x4, 3 * LOOPS
	finish

	define_signal_set

	.set	expected_1, INSNS(_start, blocked) + SPIN_INSNS(LOOPS) + WAIT_FOR_SIGNAL_INSNS
	.set	expected_2, SPIN_INSNS(2 * LOOPS) + WAIT_FOR_SIGNAL_INSNS
	.set	expected_3, SPIN_INSNS(3 * LOOPS) + FINISH_INSNS
	.set	expected, expected_1 + expected_2 + expected_3
