/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that a test builds for itself, by the compiler that built the test. */
#ifndef PSTAT_UNIT_BUILD_H
#define PSTAT_UNIT_BUILD_H

#include <stdbool.h>

/* Run a command of the shell, as printf makes it, in the folder. Whether it succeeded. */
bool build_run(const char *folder, const char *command, ...) __attribute__((format(printf, 2, 3)));

/* Compile and link text as C: folder/name. The test fails where this fails. */
void build_program(const char *folder, const char *name, const char *text, const char *flags);

/* What a command writes to its standard output, the caller's to free. */
char *build_output(const char *folder, const char *command);

#endif
