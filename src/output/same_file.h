/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refuse a command line with an output file that is also an input, or also another output. */
#ifndef PSTAT_OUTPUT_SAME_FILE_H
#define PSTAT_OUTPUT_SAME_FILE_H

#include "options/options.h"

/*
 * Call this before any file is opened. Two paths are the same file if they have the same device and
 * inode, or will have once the file exists. A link is therefore the same file. Devices and pipes
 * may be used twice. Lines of --format history may be appended to the file of --history, because
 * pstat reads that file first. 0; -EINVAL with why.
 */
int same_file_check(const struct options *o, struct why *why);

#endif
