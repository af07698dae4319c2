/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process of a tree of processes. It does the following, in this order:
 *
 *   THREADS    start this number of threads. The last one counts down from LOOPS + 1, the one before
 *              it from LOOPS + 2, and so on
 *   LOOPS      count down from LOOPS
 *   CHILDREN   start these processes REPEAT times: "child NAME; child NAME; ..." executes programs of
 *              the folder DIRECTORY; "copy" counts down from LOOPS and executes none. With
 *              CLONE_FLAGS, the processes share the memory until their exec. With TOGETHER, the
 *              parent waits only after it has started all of them
 *   SIGNAL     send itself this signal, and sleep
 *   NEXT       execute this program. With FROM_THREAD, a new thread does this while the first task
 *              sleeps, and the other threads have ended
 *   STATUS     end with this status
 *
 * `expected_self` has the instructions of all tasks of the process that execute this program, and
 * `expected_stub` those of a new process until its exec. They belong to the program of the parent.
 * `expected_copy` has those of a "copy".
 */

#include "lab.h"

#define NR_execve 221

#define SIGCHLD 17

#ifndef THREADS
#define THREADS 0
#endif
#ifndef CLONE_FLAGS
#define CLONE_FLAGS 0 /* 0x4100: CLONE_VM | CLONE_VFORK */
#endif
#ifndef REPEAT
#define REPEAT 1
#endif
#ifndef STATUS
#define STATUS 0
#endif

#define STUB_LOOPS 100
#define SLEEP_NS 100000000

	.globl	expected_self, expected_stub, expected_copy

.macro	execute path
	adr	x0, \path
	adr	x1, arguments
	mov	x2, #0
	mov	x8, #NR_execve
	svc	#0
.endm
#define EXECUTE_INSNS 5

/* Sleep for this time, which no signal interrupts. */
.macro	sleep duration
	mov	x0, #CLOCK_MONOTONIC
	mov	x1, #0
	adr	x2, \duration
	mov	x3, #0
	mov	x8, #NR_clock_nanosleep
	svc	#0
.endm
#define SLEEP_INSNS 6

.macro	create_process
	ldr	x0, =(CLONE_FLAGS | SIGCHLD)
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x4, #0
	mov	x8, #NR_clone
	svc	#0
.endm

.macro	wait_for_one
	mov	x0, #-1
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x8, #NR_wait4
	svc	#0
.endm
#define WAIT_INSNS 6

/* What the parent does between two children. */
.macro	between
#ifndef TOGETHER
	wait_for_one
#endif
	.set	children, children + 1
.endm

.macro	child name
	create_process
	cbz	x0, child\@
	between
	.subsection 1
child\@:
	spin	x1, STUB_LOOPS
	execute	path\@
path\@:	.asciz	"/lab/programs/\name"
	.balign	4
	.previous
.endm

.macro	copy
	create_process
	cbz	x0, copied
	between
.endm

	.set	children, 0

_start:
#if THREADS
	ldr	x20, =LOOPS
	mov	x19, #THREADS
start_one:
	start_thread
	cbz	x0, thread
	subs	x19, x19, #1
	b.ne	start_one
all_started:
	.set	starting, 2 + THREADS * INSNS(start_one, all_started)
	/* A thread begins with the cbz. */
	.set	of_threads, THREADS * (2 + SPIN_REG_INSNS(LOOPS) + FINISH_INSNS) + \
		THREADS * (THREADS + 1) / 2 * SPIN_REG_INSNS(1)
#else
	.set	starting, 0
	.set	of_threads, 0
#endif
	spin	x0, LOOPS
	mov	x19, #REPEAT
start_children:
	CHILDREN
#ifdef TOGETHER
	.rept	children
	wait_for_one
	.endr
#endif
	subs	x19, x19, #1
	b.ne	start_children
children_ended:
	.set	before_end, starting + of_threads + SPIN_INSNS(LOOPS) + 1 + \
		REPEAT * INSNS(start_children, children_ended)

#if defined SIGNAL
	mov	x8, #NR_getpid
	svc	#0
	mov	x1, #SIGNAL
	mov	x8, #NR_kill
	svc	#0
	.set	expected_self, before_end + 5
#elif defined FROM_THREAD
	start_thread
	cbz	x0, executing
	sleep	forever
executing:
	sleep	while_others_end
	execute	next
	/* The thread begins with the cbz. */
	.set	expected_self, before_end + INSNS(children_ended, executing) + 1 + SLEEP_INSNS + \
		EXECUTE_INSNS
#elif defined NEXT
#if THREADS
	sleep	while_others_end
	.set	before_end, before_end + SLEEP_INSNS
#endif
	execute	next
	.set	expected_self, before_end + EXECUTE_INSNS
#else
	mov	x0, #STATUS
	mov	x8, #NR_exit
	svc	#0
	.set	expected_self, before_end + FINISH_INSNS
#endif

#if THREADS
thread:
	add	x20, x20, x19
	spin_reg x20
	finish
#endif

copied:
	spin	x1, LOOPS
	finish

	/* A process begins after the svc, with the cbz. */
	.set	expected_copy, 1 + SPIN_INSNS(LOOPS) + FINISH_INSNS
	.set	expected_stub, 1 + SPIN_INSNS(STUB_LOOPS) + EXECUTE_INSNS
	.set	expected, expected_self

#ifdef NEXT
next:
	.asciz	"/lab/programs/" NEXT
	.balign	8
#endif
	.balign	8
while_others_end:
	.quad	0, SLEEP_NS
forever:
	.quad	1000, 0

	.data
	.balign	8
arguments:
	.quad	name, 0
name:
	.asciz	"tree"
