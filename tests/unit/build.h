/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Build programs during a test, with the compiler that built the test. */
#ifndef PSTAT_UNIT_BUILD_H
#define PSTAT_UNIT_BUILD_H

#include <stdbool.h>

/* Run a shell command, given as for printf(3), in the folder. Returns whether it succeeded. */
bool build_run(const char *folder, const char *command, ...) __attribute__((format(printf, 2, 3)));

/* Compile and link the C program text as folder/name. The test fails if this fails. */
void build_program(const char *folder, const char *name, const char *text, const char *flags);

/* The standard output of a command. The caller frees it. */
char *build_output(const char *folder, const char *command);

#endif
