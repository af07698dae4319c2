/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "machine/kallsyms.h"

/* Compare one line, such as "ffffffffc0200000 t init\t[module]", with the functions. */
static void see_line(char *line, struct kallsyms_function *functions, size_t n)
{
	char *end;
	uint64_t address = strtoull(line, &end, 16);

	if (end[0] != ' ' || !strchr("tTwW", end[1]) || end[2] != ' ')
		return;
	line = end + 3;
	line[strcspn(line, "\t\n")] = '\0';
	for (size_t i = 0; i < n; i++)
		if (strcmp(line, functions[i].name) == 0) {
			functions[i].found++;
			functions[i].address = address;
		}
}

int kallsyms_find(const struct machine *m, struct kallsyms_function *functions, size_t n)
{
	cleanup_free char *path = machine_path(m, "/proc/kallsyms");
	cleanup_free char *line = NULL;
	size_t size = 0;
	FILE *file;
	int err;

	if (!path)
		return -ENOMEM;
	file = fopen(path, "re");
	if (!file)
		return -errno;
	errno = 0;
	while (getline(&line, &size, file) > 0)
		see_line(line, functions, n);
	err = -errno;
	fclose(file);
	return err;
}
