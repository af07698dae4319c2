/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts THREADS threads, each pinned to its own CPU: the first to CPU FIRST, the others to the
 * next ones. There, the n-th thread writes to n * PAGES pages for the first time, with one page
 * fault each, and counts down from n * LOOPS. `expected_cpuN` is the number of instructions on CPU
 * N, `expected` the sum of these. `expected_faults` is PAGES.
 *
 * The emulated instruction counter counts the whole machine, so each thread must run while
 * everything else sleeps. Each thread runs alone for one scheduler tick (4 ms). It starts a while
 * after the tick, when the tasks that the tick woke sleep again. Before, it sleeps on the CPU of
 * the first task until its tick, moves to its own CPU, and sleeps until the kernel has finished the
 * move. The first task and pstat must not run on the CPUs of the threads: start pstat with `taskset
 * 1`.
 */

#include "lab.h"

#define TICK 4000000
#define BEHIND_TICK 400000
#define MOVING 200000
#define SECOND 1000000000

#define SLOT_SIZE 32
#define SLOT_MASK 16 /* after a struct timespec */

/* Sleep until x23, in nanoseconds. x24 is the thread's slot. */
.macro	sleep_until_x23
	ldr	x1, =SECOND
	udiv	x2, x23, x1
	msub	x3, x2, x1, x23
	stp	x2, x3, [x24]
	mov	x0, #CLOCK_MONOTONIC
	mov	x1, #TIMER_ABSTIME
	mov	x2, x24
	mov	x3, #0
	mov	x8, #NR_clock_nanosleep
	svc	#0
.endm

_start:
	/* x20: the time of the next tick but one */
	mov	x0, #CLOCK_MONOTONIC
	ldr	x1, =slots
	mov	x8, #NR_clock_gettime
	svc	#0
	ldr	x1, =slots
	ldp	x2, x3, [x1]
	ldr	x4, =SECOND
	madd	x2, x2, x4, x3
	ldr	x4, =TICK
	udiv	x2, x2, x4
	add	x2, x2, #2
	mul	x20, x2, x4

	mov	x19, #1
start_one:
	start_thread
	cbz	x0, thread
	add	x19, x19, #1
	cmp	x19, #THREADS
	b.le	start_one
	finish

	/* The x19th thread. */
thread:
	ldr	x1, =TICK
	madd	x23, x19, x1, x20
	ldr	x1, =BEHIND_TICK
	add	x23, x23, x1
	ldr	x24, =slots
	add	x24, x24, x19, lsl #5
	sleep_until_x23

	mov	x1, #1
	add	x2, x19, #(FIRST - 1)
	lsl	x1, x1, x2
	str	x1, [x24, #SLOT_MASK]
	mov	x0, #0
	mov	x1, #8
	add	x2, x24, #SLOT_MASK
	mov	x8, #NR_sched_setaffinity
	svc	#0
moved:
	ldr	x1, =MOVING
	add	x23, x23, x1
	sleep_until_x23

	ldr	x1, =pages
	ldr	x2, =(PAGES * THREADS * 4096)
	madd	x1, x2, x19, x1
	mov	x2, #PAGES
	mul	x2, x2, x19
touch_one:
	strb	wzr, [x1]
	add	x1, x1, #4096
	subs	x2, x2, #1
	b.ne	touch_one
touched:
	ldr	x1, =LOOPS
	mul	x1, x1, x19
count_down:
	spin_reg x1
	finish

	/* The n-th thread after its move. The first difference contains its touching loop once. */
#define EXPECTED(n) (INSNS(moved, count_down) + \
		     ((n) * PAGES - 1) * INSNS(touch_one, touched) + \
		     SPIN_REG_INSNS((n) * LOOPS) + FINISH_INSNS)

	.globl	expected_faults
	.set	expected_faults, PAGES
	.set	expected, 0
	.altmacro
.macro	define_expected cpu, n
	.globl	expected_cpu\cpu
	.set	expected_cpu\cpu, EXPECTED(\n)
	.set	expected, expected + EXPECTED(\n)
.endm
	.set	number, 1
	.rept	THREADS
	define_expected %(FIRST + number - 1), %(number)
	.set	number, number + 1
	.endr

	.bss
	.balign	4096
slots:
	.skip	SLOT_SIZE * (THREADS + 1)
	.balign	4096
pages:
	.skip	PAGES * THREADS * 4096 * (THREADS + 1)
