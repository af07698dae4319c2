/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * EARLY threads and the first task sleep until the first task gets a SIGUSR1. Then the n-th thread
 * counts down from LOOPS + (n - 1) * STEP, and the first task starts LATE more threads, each of
 * which counts down from LOOPS. All tasks end by themselves, the first task first.
 *
 * `expected` has the instructions after the signal. `expected_thread` is the part of the first
 * early thread, `expected_step` the difference between an early thread and the previous one, and
 * `expected_late` the part of each late thread.
 */

#include "lab.h"

#define FUTEX_WAIT_PRIVATE 128
#define FUTEX_WAKE_PRIVATE 129

	.globl	expected_first, expected_thread, expected_step, expected_late

_start:
	block_signal
	ldr	x20, =LOOPS
	ldr	x21, =STEP
	ldr	x19, =EARLY
start_one:
	start_thread
	cbz	x0, thread
	add	x20, x20, x21
	subs	x19, x19, #1
	b.ne	start_one
	wait_for_signal
signalled:
	ldr	x0, =go
	mov	w1, #1
	str	w1, [x0]
	mov	x1, #FUTEX_WAKE_PRIVATE
	mov	x2, #EARLY
	mov	x8, #NR_futex
	svc	#0
#if LATE
	mov	x19, #LATE
start_late_one:
	start_thread
	cbz	x0, late_thread
	subs	x19, x19, #1
	b.ne	start_late_one
all_started:
	finish

late_thread:
	spin	x1, LOOPS
	finish
	.set	expected_late, 1 + SPIN_INSNS(LOOPS) + FINISH_INSNS
#else
start_late_one:
all_started:
	finish
	.set	expected_late, 0
#endif

thread:
	ldr	x0, =go
	mov	x1, #FUTEX_WAIT_PRIVATE
	mov	x2, #0
	mov	x3, #0
	mov	x8, #NR_futex
	svc	#0
	spin_reg x20
	finish

	define_signal_set

	.set	expected_step, 2 * STEP
	.set	expected_thread, SPIN_REG_INSNS(LOOPS) + FINISH_INSNS
	.set	expected_first, INSNS(signalled, start_late_one) + \
		LATE * INSNS(start_late_one, all_started) + FINISH_INSNS
	.set	expected, expected_first + EARLY * expected_thread + \
		EARLY * (EARLY - 1) / 2 * expected_step + LATE * expected_late

	.bss
	.balign	4
go:
	.skip	4
