/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts CHILDREN processes, each of which counts down from LOOPS, and waits for all of them. */

#include "lab.h"

#define SIGCHLD 17

	.globl	expected_first

_start:
	mov	x19, #CHILDREN
start_one:
	mov	x0, #SIGCHLD
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x4, #0
	mov	x8, #NR_clone
	svc	#0
	cbz	x0, child
	subs	x19, x19, #1
	b.ne	start_one
all_started:
	mov	x19, #CHILDREN
wait_one:
	mov	x0, #-1
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x8, #NR_wait4
	svc	#0
	subs	x19, x19, #1
	b.ne	wait_one
all_ended:
	finish

child:
	spin	x1, LOOPS
	finish

	/* A child begins after the svc, with the cbz. */
	.set	expected_first, 1 + CHILDREN * INSNS(start_one, all_started) + \
		1 + CHILDREN * INSNS(wait_one, all_ended) + FINISH_INSNS
	.set	expected, expected_first + CHILDREN * (1 + SPIN_INSNS(LOOPS) + FINISH_INSNS)
