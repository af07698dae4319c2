/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expected_calls times: writes the variable `written`, reads it twice, calls the function `called`,
 * and makes the system call getppid. The exit status is the number of arguments.
 */

#include "lab.h"

	.globl	called, written, expected_calls
	.type	called, %function
	.type	written, %object
	.size	written, 4

_start:
	adr	x20, written
	mov	x19, #CALLS
one_call:
	str	w19, [x20]
	ldr	w21, [x20]
	ldr	w21, [x20]
	bl	called
	mov	x8, #NR_getppid
	svc	#0
	subs	x19, x19, #1
	b.ne	one_call
all_called:
	ldr	x0, [sp]
	sub	x0, x0, #1
	mov	x8, #NR_exit
	svc	#0
finished:

called:
	nop
	ret
called_end:
	.size	called, called_end - called

	.data
written:
	.word	0

	.set	expected_calls, CALLS
	.set	expected, 2 + CALLS * (INSNS(one_call, all_called) + INSNS(called, called_end)) + \
		INSNS(all_called, finished)
