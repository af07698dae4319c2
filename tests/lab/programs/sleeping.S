/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts down from BEFORE, sleeps for MS milliseconds, and counts down from AFTER.
 * `expected_before` and `expected_after` are the instructions of the two parts.
 */

#include "lab.h"

	.globl	expected_before, expected_after

_start:
	spin	x4, BEFORE
falling_asleep:
	mov	x0, #CLOCK_MONOTONIC
	mov	x1, #0
	adr	x2, duration
	mov	x3, #0
	mov	x8, #NR_clock_nanosleep
	svc	#0
awake:
	spin	x4, AFTER
	finish

	.balign	8
duration:
	.quad	MS / 1000
	.quad	MS % 1000 * 1000000

	.set	expected_before, SPIN_INSNS(BEFORE) + INSNS(falling_asleep, awake)
	.set	expected_after, SPIN_INSNS(AFTER) + FINISH_INSNS
	.set	expected, expected_before + expected_after
