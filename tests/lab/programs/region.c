/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ROUNDS times a loop that is to be counted, between two that are not. The one function counts down
 * from its argument: `expected` are the instructions of the regions, but for what the two calls
 * around each of them take.
 */

#include <stdio.h>

#include "pstat-region.h"

void count_down(long n);

__asm__("	.text\n"
	"	.globl	count_down, expected\n"
	"	.type	count_down, %function\n"
	"count_down:\n"
	"	subs	x0, x0, #1\n"
	"	b.ne	count_down\n"
	"	ret\n"
	"	.size	count_down, . - count_down\n");
#define NUMBER_(n) #n
#define NUMBER(n) NUMBER_(n)
__asm__("	.set	expected, " NUMBER(ROUNDS) " * (2 * " NUMBER(LOOPS) " + 1)\n");

int main(void)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		count_down(3 * LOOPS);
		if (pstat_region_enable() < 0) {
			perror("region: enable");
			return 1;
		}
		count_down(LOOPS);
		if (pstat_region_disable() < 0) {
			perror("region: disable");
			return 1;
		}
		count_down(LOOPS / 2);
	}
	return 0;
}
