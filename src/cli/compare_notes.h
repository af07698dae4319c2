/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts about the commands that are compared, besides the result. */
#ifndef PSTAT_CLI_COMPARE_NOTES_H
#define PSTAT_CLI_COMPARE_NOTES_H

#include "cli/counting.h"
#include "run/stopping.h"

/*
 * For the progress line, append the deciding event, and how far each side has changed from the
 * reference, with the CI: "; cs +1.3 % [+0.2, +2.4]". Nothing before each side has two runs. The
 * time is proportional to the number of runs, so this is not for every run.
 */
void compare_notes_add_estimate(struct str *out, const struct counting *job,
				const struct stopping *stopping);

/*
 * With --shell, run the shell a few times with a command that does nothing, and print how long that
 * takes. No result is corrected by it. 0; -EINTR: pstat was interrupted, without a message; other
 * -errno after a message.
 */
int compare_notes_print_shell_time(struct counting *job);

/*
 * Print how the machine or the conditions of each side differ from those of the reference. of: for
 * each side, a number of its measurement; sides of one measurement do not differ. 0 or -ENOMEM.
 */
int compare_notes_print_differences(const struct options *o, const struct comparison *c,
				    const size_t *of);

#endif
