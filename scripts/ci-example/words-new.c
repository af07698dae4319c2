/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count the words of standard input. This version reads the whole input before it counts. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *text = NULL;
	bool in_word = false;
	size_t words = 0, n = 0, size = 0;
	int c;

	while ((c = getchar()) != EOF) {
		if (n == size) {
			char *larger = realloc(text, size ? 2 * size : 1024);

			if (!larger)
				break;
			text = larger;
			size = size ? 2 * size : 1024;
		}
		text[n++] = (char)c;
	}
	for (size_t i = 0; i < n; i++) {
		bool is_letter = !isspace((unsigned char)text[i]);

		words += is_letter && !in_word;
		in_word = is_letter;
	}
	printf("%zu\n", words);
	free(text);
	return feof(stdin) ? 0 : 1;
}
