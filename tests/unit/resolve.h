/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PSTAT_UNIT_RESOLVE_H
#define PSTAT_UNIT_RESOLVE_H

#include "event/event.h"
#include "machine/machine.h"
#include "metric/metric_list.h"

/* Append the events of text on the machine. The test fails if they are refused. */
void resolve_on(const struct machine *m, const char *text, struct event_list *list);

/* Append the metrics of text. indices: for each of them in turn, those of its events. */
void resolve_metrics(struct metric_request_list *list, const char *text, const size_t *indices);

#endif
