/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "result/history.h"

/* No count decreases by 100 % or more, so such a limit would never be crossed. */
#define DECREASE_MAX 0.99

void history_release(struct history *history)
{
	for (size_t i = 0; i < history->n; i++) {
		free(history->entries[i].commit);
		free(history->entries[i].command);
		free(history->entries[i].values);
	}
	free(history->entries);
	str_list_release(&history->metrics);
	str_list_release(&history->units);
	*history = (struct history){ 0 };
}

/* Give an entry, which has before values, a value of each metric. */
static int history_widen(struct history_entry *entry, size_t before, size_t n)
{
	double *values = reallocarray(entry->values, n + 1, sizeof(*values));

	if (!values)
		return -ENOMEM;
	entry->values = values;
	for (size_t i = before; i < n; i++)
		values[i] = NAN;
	return 0;
}

int history_add_entry(struct history *history, time_t time, const char *commit, const char *command)
{
	struct history_entry *entry;

	if (array_grow(&history->entries, history->n, &history->size, sizeof(*entry)) < 0)
		return -ENOMEM;
	entry = &history->entries[history->n++];
	*entry = (struct history_entry){ .time = time,
					 .commit = str_one_line(commit),
					 .command = str_one_line(command) };
	if (!entry->commit || !entry->command)
		return -ENOMEM;
	return history_widen(entry, 0, history->metrics.n);
}

size_t history_find(const struct history *history, const char *metric)
{
	cleanup_free char *line = str_one_line(metric);
	size_t i = 0;

	while (i < history->metrics.n && (!line || strcmp(history->metrics.v[i], line) != 0))
		i++;
	return i;
}

/* The unit of a metric in a file that has only names. The row of a clock may have a modifier and a
 * place: "task-clock:u CPU0". */
static const char *history_unit_of_name(const char *name)
{
	static const char *const clocks[] = { "task-clock", "cpu-clock" };

	for (enum tool_event tool = TOOL_DURATION_TIME; tool <= TOOL_MAX_RSS; tool++)
		if (strcmp(name, event_tool_names[tool]) == 0)
			return tool == TOOL_MAX_RSS ? "KiB" : "ns";
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		size_t n = strlen(clocks[i]);

		if (strncmp(name, clocks[i], n) == 0 && strchr(": ", name[n]))
			return "msec";
	}
	return "";
}

int history_add_metric(struct history *history, const char *metric, const char *unit)
{
	cleanup_free char *line = str_one_line(metric);
	size_t n = history->metrics.n;
	int err = line ? str_list_add(&history->metrics, line) : -ENOMEM;

	if (err == 0)
		err = str_list_add(&history->units, unit ? unit : history_unit_of_name(line));
	for (size_t k = 0; err == 0 && k < history->n; k++)
		err = history_widen(&history->entries[k], n, n + 1);
	return err;
}

int history_add_table(struct history *history, const struct table *table)
{
	const struct series *series = table->series;
	const char *commit = series_parameter(series->labels, "commit");
	int err = history_add_entry(history, series->started, commit ? commit : "", table->command);

	if (err == 0)
		history->entries[history->n - 1].time_ns = series->started_ns;
	for (size_t i = 0; err == 0 && i < table->n; i++) {
		const struct measure *m = &table->v[i];
		cleanup_str struct str name = { 0 };
		size_t metric;

		if (!m->listed || !measure_is_known(m))
			continue;
		measure_add_name(&name, m);
		if (name.failed)
			return -ENOMEM;
		metric = history_find(history, str_text(&name));
		if (metric == history->metrics.n)
			err = history_add_metric(history, str_text(&name), m->unit);
		if (err == 0)
			history->entries[history->n - 1].values[metric] = (double)measure_mean(m);
	}
	return err;
}

static int history_compare_entries(const void *a, const void *b)
{
	const struct history_entry *left = a, *right = b;
	int by_time = clock_compare(left->time, left->time_ns, right->time, right->time_ns);

	return by_time ? by_time : (left->order > right->order) - (left->order < right->order);
}

void history_sort(struct history *history)
{
	for (size_t i = 0; i < history->n; i++)
		history->entries[i].order = i;
	if (history->n > 1)
		qsort(history->entries, history->n, sizeof(*history->entries),
		      history_compare_entries);
}

bool history_change(const struct history *history, size_t metric, size_t i, double *change)
{
	double before = history->entries[i - 1].values[metric];
	double after = history->entries[i].values[metric];

	if (isnan(before) || isnan(after) || (before == 0 && after != 0))
		return false;
	*change = before == 0 ? 0 : (after - before) / fabs(before);
	return true;
}

bool history_exceeds(const struct history *history, size_t metric, size_t i,
		     const struct limit *limit, double *change)
{
	return history_change(history, metric, i, change) && limit->source == LIMIT_HISTORY &&
	       fabs(*change) > limit->value;
}

size_t history_unjudged(const struct history *history, size_t metric, const struct limit *limits)
{
	size_t n = 0;
	double change;

	for (size_t i = 1; i < history->n; i++)
		n += history_change(history, metric, i, &change) &&
		     limits[i].source != LIMIT_HISTORY;
	return n;
}

double history_noise_limit(const long double *sorted, size_t n)
{
	double first = summary_quantile(sorted, n, 0.25);
	double third = summary_quantile(sorted, n, 0.75);
	double limit = third + 3 * (third - first);

	return limit > HISTORY_LIMIT_MIN ? limit : HISTORY_LIMIT_MIN;
}

/* The latest changes, in order of time and sorted: sorting for each entry would be slow. */
struct changes {
	long double latest[HISTORY_CHANGES_MAX]; /* a ring */
	long double sorted[HISTORY_CHANGES_MAX];
	size_t n; /* in latest, and in sorted */
	size_t added_n; /* since the start */
};

/* The number of changes that are smaller than this change. */
static size_t history_changes_below(const struct changes *c, long double change)
{
	size_t low = 0, n = c->n;

	while (n > 0) {
		const size_t half = (n + 1) / 2;

		low += c->sorted[low + half - 1] < change ? half : 0;
		n -= half;
	}
	return low;
}

static void history_changes_add(struct changes *c, long double change)
{
	long double *const oldest = &c->latest[c->added_n++ % HISTORY_CHANGES_MAX];
	long double *to = &c->sorted[history_changes_below(c, change)];
	/* the oldest change, or the first free element */
	long double *from =
		&c->sorted[c->n == HISTORY_CHANGES_MAX ? history_changes_below(c, *oldest) :
							 c->n++];

	if (from < to)
		memmove(from, from + 1, (size_t)(--to - from) * sizeof(*to));
	else
		memmove(to + 1, to, (size_t)(from - to) * sizeof(*to));
	*to = *oldest = change;
}

static struct limit history_changes_limit(const struct changes *c)
{
	if (c->n < HISTORY_CHANGES_MIN)
		return (struct limit){ .source = LIMIT_FALLBACK, .changes_n = c->n };
	return (struct limit){ history_noise_limit(c->sorted, c->n), LIMIT_HISTORY, c->n };
}

/* history_limit(), and the limit of each entry on the way. limits: NULL if nobody needs them. */
static struct limit history_walk(const struct history *history, size_t metric, size_t n,
				 struct limit *limits)
{
	struct changes changes = { .n = 0 };
	double change;

	for (size_t i = 1; i <= n && metric < history->metrics.n; i++) {
		if (i > 1 && history_change(history, metric, i - 1, &change))
			history_changes_add(&changes, (long double)fabs(change));
		if (limits)
			limits[i] = history_changes_limit(&changes);
	}
	return history_changes_limit(&changes);
}

struct limit history_limit(const struct history *history, size_t metric, size_t n)
{
	return history_walk(history, metric, n, NULL);
}

void history_limits(const struct history *history, size_t metric, struct limit *limits)
{
	const struct limit last = history_walk(history, metric, history->n, limits);

	for (size_t i = 1; i < history->n && limits[i].source == LIMIT_FALLBACK; i++)
		limits[i] = last;
}

struct limit *history_all_limits(const struct history *history)
{
	struct limit *limits = calloc(history->metrics.n * (history->n + 1) + 1, sizeof(*limits));

	for (size_t i = 0; limits && i < history->metrics.n; i++)
		history_limits(history, i, limits + i * (history->n + 1));
	return limits;
}

struct limit history_gate_limit(const struct history *history, size_t metric,
				const struct gate_request *gate, const struct event *event)
{
	struct limit limit = history_limit(history, metric, history->n);

	if (limit.source == LIMIT_FALLBACK)
		limit.value = event && event_is_repeatable(event) ? HISTORY_DEFAULT_OF_PROGRAM :
								    HISTORY_DEFAULT_OF_MACHINE;
	if (!gate->above)
		limit.value = -(limit.value < DECREASE_MAX ? limit.value : DECREASE_MAX);
	return limit;
}
