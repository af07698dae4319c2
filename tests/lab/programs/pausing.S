/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stops itself with SIGSTOP at once; continued, it counts down from LOOPS. */

#include "lab.h"

#define SIGSTOP 19

_start:
	mov	x8, #NR_getpid
	svc	#0
	mov	x1, #SIGSTOP
	mov	x8, #NR_kill
	svc	#0
stopped:
	spin	x0, LOOPS
	finish

	.set	expected, INSNS(_start, stopped) + SPIN_INSNS(LOOPS) + FINISH_INSNS
