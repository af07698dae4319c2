/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls N: repeats the following N times. It calls called(), library_called() of a shared library
 * and, every second time, called_half(). It writes the variable "written". It makes the system
 * calls getppid(), and getpriority() for the process 0, 1, and so on. At the end, it reads
 * "written" once. It is built twice: once position-independent and once not.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

void called(void);
void called_half(void);
void library_called(void);

volatile int written;

__attribute__((noinline)) void called(void)
{
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void called_half(void)
{
	__asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
	long n = argc == 2 ? atol(argv[1]) : 0;

	for (long i = 0; i < n; i++) {
		called();
		if (i % 2)
			called_half();
		library_called();
		written = (int)i;
		syscall(SYS_getppid);
		syscall(SYS_getpriority, 0, i);
	}
	return n && written != n - 1;
}
