/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limited PATH ARG...: becomes the program PATH, which gets SIGALRM after SECONDS. timeout(1) would
 * be a second process that wakes up from time to time, and -a would count its instructions.
 */

#include "lab.h"

#define NR_setitimer 103
#define NR_execve 221
#define ITIMER_REAL 0

_start:
	mov	x0, #ITIMER_REAL
	adr	x1, limit
	mov	x2, #0
	mov	x8, #NR_setitimer
	svc	#0
	ldr	x3, [sp]
	add	x1, sp, #16
	ldr	x0, [x1]
	add	x2, sp, #16
	add	x2, x2, x3, lsl #3
	mov	x8, #NR_execve
	svc	#0
	mov	x0, #127
	mov	x8, #NR_exit
	svc	#0

	.balign	8
limit:
	.quad	0, 0, SECONDS, 0

	.set	expected, 0
