/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls the function `called` and makes the system call getppid, each expected_calls times. */

#include "lab.h"

	.globl	called, expected_calls
	.type	called, %function

_start:
	mov	x19, #CALLS
one_call:
	bl	called
	mov	x8, #NR_getppid
	svc	#0
	subs	x19, x19, #1
	b.ne	one_call
all_called:
	finish

called:
	nop
	ret
called_end:
	.size	called, called_end - called

	.set	expected_calls, CALLS
	.set	expected, 1 + CALLS * (INSNS(one_call, all_called) + INSNS(called, called_end)) + \
		FINISH_INSNS
