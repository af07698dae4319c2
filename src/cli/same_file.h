/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refuse a command line with an output file that is also an input, or also another output. */
#ifndef PSTAT_CLI_SAME_FILE_H
#define PSTAT_CLI_SAME_FILE_H

#include "cli/options.h"

/*
 * Call this before any file is opened. Files are the same if they have one device and inode, or
 * will have: links have other names. Devices and pipes may have several users. A history may be
 * continued: lines of --format history can be appended to the file of --history, because it is read
 * before. 0; -EINVAL after a message.
 */
int same_file_check(const struct options *o);

#endif
