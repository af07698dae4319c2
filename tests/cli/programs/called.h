/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * called(), whose calls the tests count. On machines where no breakpoint on it counts, the tests
 * count its system call, which no other program of the tests makes.
 */
#include <sys/syscall.h>
#include <unistd.h>

void called(void);

__attribute__((noinline)) void called(void)
{
	syscall(SYS_sched_get_priority_max, 0);
}
