/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may be shown on a descriptor, if it is a terminal. */
#ifndef PSTAT_CLI_TERMINAL_H
#define PSTAT_CLI_TERMINAL_H

#include <stdbool.h>

/* Whether fd is a terminal that obeys escape sequences, as far as TERM says. */
bool terminal_is_capable(int fd);

/* Whether it is to have colour: also NO_COLOR (https://no-color.org) has a say. */
bool terminal_wants_colour(int fd);

/* How many columns it has; 80 where it does not say. */
int terminal_columns(int fd);

/* Whether what pstat writes there comes up: another job may be in the foreground. */
bool terminal_is_ours(int fd);

#endif
