/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the lab's programs share. Each is assembly without a C library, touches no stack and defines
 * the symbol `expected`: the number of instructions it executes in user mode, summed over all its
 * tasks, which the assembler works out from the code it assembles. `expected_first`, where there is
 * one, is the first task's part of it.
 *
 * A system call counts as one instruction, as seen from user mode.
 */

#define NR_openat 56
#define NR_lseek 62
#define NR_write 64
#define NR_exit 93
#define NR_kill 129
#define NR_getpid 172
#define NR_getppid 173
#define NR_clone 220
#define NR_wait4 260

/* Instructions between two labels. */
#define INSNS(from, to) (((to) - (from)) / 4)

/* Count a register down from N: N is at least 1. */
.macro	spin	reg, n
	ldr	\reg, =\n
9:	subs	\reg, \reg, #1
	b.ne	9b
.endm
#define SPIN_INSNS(n) (1 + 2 * (n))

/* End this task, and no other, with status 0. */
.macro	finish
	mov	x0, #0
	mov	x8, #NR_exit
	svc	#0
.endm
#define FINISH_INSNS 3

	.section .note.GNU-stack, "", %progbits
	.text
	.globl	_start, expected
