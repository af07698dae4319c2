/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/perf/metric_only.h"

static bool metric_only_has_name(const struct metric_only *m, const char *name)
{
	for (size_t i = 0; i < m->columns_n; i++)
		if (strcmp(m->columns[i].name, name) == 0)
			return true;
	return false;
}

/*
 * perf's name: a percentage "of all …" begins with its event. So does a second metric with the
 * same unit. A metric of a second cgroup ends with the cgroup. A metric that was requested twice
 * has one column. 0 or -ENOMEM.
 */
static int metric_only_add_column(struct metric_only *m, const struct series *series, size_t index,
				  const char *unit, const char *scale)
{
	const struct event *event = &series->events->events[index];
	bool is_share = strncmp(unit, "of all", strlen("of all")) == 0;
	cleanup_str struct str name = { 0 };

	for (size_t i = 0; i < m->columns_n; i++)
		if (m->columns[i].event == index && strcmp(m->columns[i].unit, unit) == 0)
			return 0;
	if (scale)
		str_addf(&name, "%s  ", scale);
	if (is_share || metric_only_has_name(m, unit))
		str_addf(&name, "%s %s", event->name, unit);
	else
		str_add(&name, unit);
	if (event->cgroup && metric_only_has_name(m, str_text(&name)))
		str_addf(&name, " %s", event->cgroup);
	if (name.failed)
		return -ENOMEM;
	if (metric_only_has_name(m, str_text(&name)))
		return 0;
	if (array_grow(&m->columns, m->columns_n, &m->columns_size, sizeof(*m->columns)) < 0)
		return -ENOMEM;
	m->columns[m->columns_n++] =
		(struct metric_column){ .name = take_ptr(name.text), .unit = unit, .event = index };
	return 0;
}

/* Whether a metric of -M needs the event. */
static bool metric_only_is_of_request(const struct series *series, size_t event)
{
	const struct metric_request_list *requests = series->metrics;

	for (size_t i = 0; requests && i < requests->n; i++)
		for (size_t k = 0; k < requests->v[i].expression.events_n; k++)
			if (requests->v[i].expression.events[k].index == event)
				return true;
	return false;
}

/* perf's metrics of the events of -e, then those of -M. */
static int metric_only_add_columns(struct metric_only *m, const struct series *series,
				   size_t events_n)
{
	const struct metric_request_list *requests = series->metrics;
	const char *units[METRIC_UNITS_MAX];
	int err = 0;

	for (size_t i = 0; i < events_n; i++) {
		const struct event *events = series->events->events;
		size_t n = events[i].merged || metric_only_is_of_request(series, i) ?
				   0 :
				   metric_units(events, events_n, i, units);

		for (size_t j = 0; err == 0 && j < n; j++)
			err = metric_only_add_column(m, series, i, units[j], NULL);
	}
	for (size_t i = 0; err == 0 && requests && i < requests->n; i++)
		err = metric_only_add_column(m, series, metric_list_at(&requests->v[i]),
					     requests->v[i].name, requests->v[i].scale);
	return err;
}

int metric_only_init(struct metric_only *m, const struct table *table)
{
	const struct series *series = table->series;
	size_t n = series->events->n / (series->cgroups_n ? series->cgroups_n : 1);

	*m = (struct metric_only){ .lines = calloc(series->rows_n + 1, sizeof(*m->lines)) };
	if (!m->lines)
		return -ENOMEM;
	for (size_t i = 0; n > 0 && i + n <= series->rows_n; i += n)
		for (size_t j = 0; j < n; j++)
			if (table->rows[i + j]) {
				m->lines[m->lines_n++] =
					(struct metric_line){ table->rows[i + j], &table->rows[i] };
				break;
			}
	m->by_cgroup = m->lines_n > 0 && n < series->events->n;
	return metric_only_add_columns(m, series, n);
}

void metric_only_release(struct metric_only *m)
{
	for (size_t i = 0; i < m->columns_n; i++)
		free(m->columns[i].name);
	free(m->columns);
	free(m->lines);
	*m = (struct metric_only){ 0 };
}

const struct metric *metric_only_value(const struct metric_line *line,
				       const struct metric_column *column)
{
	const struct measure *row = line->rows[column->event];

	for (size_t i = 0; row && i < row->metrics_n; i++)
		if (strcmp(row->metrics[i].unit, column->unit) == 0)
			return &row->metrics[i];
	return NULL;
}
