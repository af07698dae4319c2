/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PSTAT_TESTS_UNIT_FORMAT_PADDING_H
#define PSTAT_TESTS_UNIT_FORMAT_PADDING_H

#include <string.h>

/*
 * Remove the blanks at the end of each line. tests/cli/shapes.bats compares them with those of
 * perf; in expected texts they would only be hard to read.
 */
static inline void remove_padding(char *text)
{
	char *end = text;

	for (const char *from = text; *from; from++) {
		if (*from == '\n')
			while (end > text && end[-1] == ' ')
				end--;
		*end++ = *from;
	}
	*end = '\0';
}

#endif
