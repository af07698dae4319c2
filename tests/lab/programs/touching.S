/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes to PAGES pages for the first time, one page fault each, and counts down from LOOPS between
 * two of them.
 *
 * QEMU with -icount runs the CPUs in turns. A CPU that is busy in user mode may keep its turn
 * forever; the yield ends the turn.
 */

#include "lab.h"

_start:
	ldr	x1, =pages
	ldr	x2, =PAGES
touch_one:
	strb	wzr, [x1]
	add	x1, x1, #4096
	yield
	spin	x3, LOOPS
	subs	x2, x2, #1
	b.ne	touch_one
	finish

	/* For each page: strb, add, yield, the spin, subs, b.ne. */
	.set	expected, 2 + PAGES * (5 + SPIN_INSNS(LOOPS)) + FINISH_INSNS

	.bss
	.balign	4096
pages:
	.skip	PAGES * 4096
