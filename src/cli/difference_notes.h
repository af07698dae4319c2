/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The warnings beside a comparison of what was not measured in one go. */
#ifndef PSTAT_CLI_DIFFERENCE_NOTES_H
#define PSTAT_CLI_DIFFERENCE_NOTES_H

#include "cli/options.h"
#include "result/comparison.h"

/*
 * Say what the sides were measured in otherwise than the reference. of: of each side, the measurement that it
 * is part of; what differs between the sides of one was meant to, and what holds for all of them is said once.
 * 0 or -ENOMEM.
 */
int difference_notes_print(const struct options *o, const struct comparison *c, const size_t *of);

#endif
