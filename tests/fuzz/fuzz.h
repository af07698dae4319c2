/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Common parts of all fuzz targets. See tests/fuzz/run to add a target. */
#ifndef PSTAT_TESTS_FUZZ_H
#define PSTAT_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Every target defines this function for one input. */
void fuzz(const uint8_t *data, size_t size);

/* libFuzzer calls these. fuzz.c defines the first; a target may define the next two. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Report the input as a finding if the condition is false. */
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

/* The input as a string, which the caller frees. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* Cut the first line off *text, which becomes "" after the last line. */
static inline char *fuzz_line(char **text)
{
	char *line = *text;
	size_t n = strcspn(line, "\n");

	*text = line + n + (line[n] != '\0');
	line[n] = '\0';
	return line;
}

#endif
