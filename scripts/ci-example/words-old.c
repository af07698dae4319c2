/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many words standard input has. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

int main(void)
{
	static char piece[16384];
	bool in_word = false;
	size_t words = 0, n;

	while ((n = fread(piece, 1, sizeof(piece), stdin)) > 0)
		for (size_t i = 0; i < n; i++) {
			bool is_letter = !isspace((unsigned char)piece[i]);

			words += is_letter && !in_word;
			in_word = is_letter;
		}
	printf("%zu\n", words);
	return feof(stdin) ? 0 : 1;
}
