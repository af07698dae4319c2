/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a descriptor can show if it is a terminal. */
#ifndef PSTAT_CLI_TERMINAL_H
#define PSTAT_CLI_TERMINAL_H

#include <stdbool.h>

/* Whether fd is a terminal that obeys escape sequences, as far as TERM says. */
bool terminal_is_capable(int fd);

/* Whether to use colour on fd. NO_COLOR (https://no-color.org) forbids it. */
bool terminal_wants_colour(int fd);

/* The number of columns; 80 if it is unknown. */
int terminal_columns(int fd);

/* Whether pstat may write to the terminal now: another job may be in the foreground. */
bool terminal_is_ours(int fd);

#endif
