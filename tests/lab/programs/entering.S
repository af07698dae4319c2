/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Enters the cgroup whose cgroup.procs is its first argument, and counts down from LOOPS.
 * `expected` has the instructions inside the cgroup.
 */

#include "lab.h"

#define AT_FDCWD -100
#define O_WRONLY 1

_start:
	mov	x0, #AT_FDCWD
	ldr	x1, [sp, #16]
	mov	x2, #O_WRONLY
	mov	x8, #NR_openat
	svc	#0
	adr	x1, myself
	mov	x2, #1
	mov	x8, #NR_write
	svc	#0
	spin	x1, LOOPS
	finish

myself:
	.asciz	"0"

	.set	expected, SPIN_INSNS(LOOPS) + FINISH_INSNS
