/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage: millisecond [N]: the same work each time, of about one millisecond, or N of them: 20.6. */
#include <stdlib.h>

enum { ROUNDS = 4000000 };

int main(int argc, char **argv)
{
	const double n = argc > 1 ? atof(argv[1]) : 1;
	volatile int i = 0;

	while (i < n * ROUNDS)
		i++;
	return 0;
}
