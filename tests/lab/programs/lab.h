/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Macros for the programs of the lab. Each program is assembly without a C library, uses no stack
 * and defines the symbol `expected`: the number of instructions of all its tasks in user mode,
 * which the assembler computes from the code. `expected_first`, if it exists, is the part of the
 * first task.
 *
 * A system call counts as one instruction, as seen from user mode.
 */

#define NR_openat 56
#define NR_lseek 62
#define NR_write 64
#define NR_exit 93
#define NR_futex 98
#define NR_clock_gettime 113
#define NR_clock_nanosleep 115
#define NR_sched_setaffinity 122
#define NR_kill 129
#define NR_rt_sigprocmask 135
#define NR_rt_sigtimedwait 137
#define NR_getpid 172
#define NR_getppid 173
#define NR_clone 220
#define NR_wait4 260

#define CLOCK_MONOTONIC 1
#define TIMER_ABSTIME 1

#define SIG_BLOCK 0
#define SIGUSR1 10
#define SIGNAL_SET_SIZE 8

/* CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD */
#define THREAD_FLAGS 0x10f00

/* Instructions between two labels. */
#define INSNS(from, to) (((to) - (from)) / 4)

/* Count a register down from N, which is at least 1. */
.macro	spin	reg, n
	ldr	\reg, =\n
9:	subs	\reg, \reg, #1
	b.ne	9b
.endm
#define SPIN_INSNS(n) (1 + 2 * (n))

/* The same from the present value of reg, which must be at least 1. */
.macro	spin_reg reg
9:	subs	\reg, \reg, #1
	b.ne	9b
.endm
#define SPIN_REG_INSNS(n) (2 * (n))

/*
 * Start a thread. It begins after the svc, like its creator, but with x0 = 0. It inherits the
 * values of all other registers. No task uses the stack.
 */
.macro	start_thread
	ldr	x0, =THREAD_FLAGS
	mov	x1, #0
	mov	x8, #NR_clone
	svc	#0
.endm

/* Block SIGUSR1 for wait_for_signal, which sleeps until it arrives. */
.macro	block_signal
	mov	x0, #SIG_BLOCK
	adr	x1, signal_set
	mov	x2, #0
	mov	x3, #SIGNAL_SET_SIZE
	mov	x8, #NR_rt_sigprocmask
	svc	#0
.endm

.macro	wait_for_signal
	adr	x0, signal_set
	mov	x1, #0
	mov	x2, #0
	mov	x3, #SIGNAL_SET_SIZE
	mov	x8, #NR_rt_sigtimedwait
	svc	#0
.endm
#define WAIT_FOR_SIGNAL_INSNS 6

.macro	define_signal_set
	.balign	8
signal_set:
	.quad	1 << (SIGUSR1 - 1)
.endm

/* End only this task, with status 0. */
.macro	finish
	mov	x0, #0
	mov	x8, #NR_exit
	svc	#0
.endm
#define FINISH_INSNS 3

	.section .note.GNU-stack, "", %progbits
	.text
	.globl	_start, expected
