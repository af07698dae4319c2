/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The abilities of a terminal. */
#ifndef PSTAT_CLI_TERMINAL_H
#define PSTAT_CLI_TERMINAL_H

#include <stdbool.h>

/* Whether fd is a terminal that obeys escape sequences, according to TERM. */
bool terminal_is_capable(int fd);

/* The same, unless NO_COLOR (https://no-color.org) is set. */
bool terminal_wants_colour(int fd);

/* The number of columns of the terminal; 80 if it is unknown. */
int terminal_columns(int fd);

/* Whether pstat is in the foreground of the terminal, or fd is not a terminal with jobs. */
bool terminal_is_ours(int fd);

#endif
