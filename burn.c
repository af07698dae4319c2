/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * burn SIDE CASE PROGRAM ARG...
 *
 * Spins as many times as the line "SIDE CASE TIMES" of the file BURNS says, and executes PROGRAM: a
 * build whose cases need a known share of CPU time more or less.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TROUBLE = 99 };

int main(int argc, char **argv)
{
	const char *path = getenv("BURNS");
	FILE *in = path ? fopen(path, "r") : NULL;
	char side[32], name[32];
	long times, wanted = -1;

	if (!in || argc < 4)
		return TROUBLE;
	while (fscanf(in, "%31s %31s %ld", side, name, &times) == 3)
		if (strcmp(side, argv[1]) == 0 && strcmp(name, argv[2]) == 0)
			wanted = times;
	if (wanted < 0)
		return TROUBLE;
	for (volatile long i = 0; i < wanted; i++)
		;
	execvp(argv[3], argv + 3);
	return TROUBLE;
}
