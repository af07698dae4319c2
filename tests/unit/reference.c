/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "unit/reference.h"
#include "unit/test.h"

struct math math;

int load_math(void **state)
{
	cleanup_why struct why why = { 0 };
	int err = rmath_load(&math, &why);

	(void)state;
	if (err < 0)
		print_message("%s\n", why_text(&why, err));
	return err;
}

enum { COLUMNS_MAX = 32 };

size_t reference_rows(const char *name, size_t columns, void (*check)(char **column))
{
	cleanup_free char *path = NULL;
	cleanup_free char *line = NULL;
	size_t size = 0, rows = 0;
	FILE *file;

	assert_true(columns <= COLUMNS_MAX);
	assert_true(asprintf(&path, "%s/stats/%s", getenv("FIXTURES"), name) > 0);
	file = fopen(path, "re");
	assert_non_null(file);
	while (getline(&line, &size, file) > 0) {
		char *column[COLUMNS_MAX], *save = NULL;
		size_t n = 0;

		if (line[0] == '#')
			continue;
		for (char *word = strtok_r(line, "\t\n", &save); word && n < columns;
		     word = strtok_r(NULL, "\t\n", &save))
			column[n++] = word;
		assert_int_equal(n, columns);
		check(column);
		rows++;
	}
	fclose(file);
	return rows;
}
