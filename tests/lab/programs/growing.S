/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The n-th run counts down from n * STEP: each run adds a byte to /tmp/growing, and n is the size
 * of the file. `expected` is the mean of RUNS runs, the first of them without the file. Because all
 * runs differ, a mean that omits runs is wrong.
 */

#include "lab.h"

#define AT_FDCWD -100
#define O_RDWR_CREAT_APPEND 0x442
#define SEEK_END 2

_start:
	mov	x0, #AT_FDCWD
	adr	x1, path
	mov	x2, #O_RDWR_CREAT_APPEND
	mov	x3, #0600
	mov	x8, #NR_openat
	svc	#0
	mov	x19, x0
	adr	x1, path
	mov	x2, #1
	mov	x8, #NR_write
	svc	#0
	mov	x0, x19
	mov	x1, #0
	mov	x2, #SEEK_END
	mov	x8, #NR_lseek
	svc	#0
	ldr	x1, =STEP
	mul	x0, x0, x1
prepared:
	subs	x0, x0, #1
	b.ne	prepared
	finish

path:
	.asciz	"/tmp/growing"

	/* The mean of n is (RUNS + 1) / 2, and a step has two instructions. */
	.set	expected, INSNS(_start, prepared) + (RUNS + 1) * STEP + FINISH_INSNS
