/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a table of processes names each of them if there is no room for the whole command: by the
 * program and the words that its other processes do not have, for example "cc1 f13.c".
 */
#ifndef PSTAT_FORMAT_TERMINAL_PROCESS_LABELS_H
#define PSTAT_FORMAT_TERMINAL_PROCESS_LABELS_H

#include <stddef.h>

#include "base/str.h"

struct place;

struct process_label {
	const char *whole; /* the command, or the name if that is unknown; not owned. NULL: none */
	struct str brief; /* owned: the program and the words that other processes of it lack */
	size_t apart; /* at this byte, brief differs from all others that begin like it */
	size_t program; /* an index: processes with the same program have the same */
};

/* All zero is valid for process_labels_release(). */
struct process_labels {
	struct process_label *v; /* owned: for each place */
	size_t n;
};

/* Places that are not processes, and sums with children, have no label. 0 or -ENOMEM. */
int process_labels_make(struct process_labels *labels, const struct place *places, size_t n);

void process_labels_release(struct process_labels *labels);

#endif
