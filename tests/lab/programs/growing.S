/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The n-th run counts down from n * STEP: it adds a byte to /tmp/growing, and n is the file's size.
 * `expected` is the mean of RUNS runs, the first of them without the file. A mean that leaves runs
 * out is another one then, which it is not when all runs are alike.
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

	/* n is (RUNS + 1) / 2 in the mean, and a step two instructions. */
	.set	expected, INSNS(_start, prepared) + (RUNS + 1) * STEP + FINISH_INSNS
