/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shared library of the program calls. */
void library_called(void);

__attribute__((noinline)) void library_called(void)
{
	__asm__ volatile("" ::: "memory");
}
