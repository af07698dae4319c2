/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "job/events.h"
#include "job/saved_metrics.h"
#include "job/table_metrics.h"
#include "output/notes.h"

/* The number of events of the document, without the copies for other cgroups. */
static size_t saved_metrics_events_n(const struct document *d)
{
	return d->events.n / d->series.cgroups_n;
}

/* Whether the name means the saved event. A clock has no modes, so it matches exactly or not. */
static bool saved_metrics_means(const struct event *event, const char *name, enum name_match match)
{
	if (event->merged)
		return false;
	if (event->tool != TOOL_NONE || event_is_clock(event))
		match = NAME_EXACT;
	return comparison_is_named(event->name, name, match) ||
	       (match == NAME_EXACT && strcasecmp(event->name, name) == 0);
}

/* The saved event that the name means: of the cgroup of the event `like`, if possible also of its
 * group. saved_metrics_events_n(): there is none. */
static size_t saved_metrics_find(const struct document *d, const char *name, enum name_match match,
				 size_t like)
{
	const struct event *events = d->events.events;
	const size_t n = saved_metrics_events_n(d), group = event_list_group_of(&d->events, like);
	size_t found = n;

	for (size_t i = 0; i < n; i++) {
		if (!saved_metrics_means(&events[i], name, match) ||
		    !str_equal(events[i].cgroup, events[like].cgroup))
			continue;
		if (event_list_group_of(&d->events, i) == group)
			return i;
		found = found == n ? i : found;
	}
	return found;
}

/* Let the events of the expression be saved ones of one cgroup, and of the same modes unless the
 * names have modifiers. False: there are none. */
static bool saved_metrics_use(struct expression *e, const struct document *d)
{
	const size_t n = saved_metrics_events_n(d);

	for (enum name_match match = NAME_EXACT; match < NAME_MATCHES_N; match++)
		for (size_t first = 0; first < n; first++) {
			size_t i = 0, index = first;

			if (e->events_n > 0 && !saved_metrics_means(&d->events.events[first],
								    e->events[0].text, match))
				continue;
			for (; i < e->events_n && index < n; i++) {
				index = i == 0 ? first :
						 saved_metrics_find(d, e->events[i].text, match,
								    first);
				if (index < n)
					events_bind(e, i, index, &d->events);
			}
			if (index < n)
				return true;
		}
	return false;
}

/* Append why the events of the metric are not there. */
static void saved_metrics_add_missing(struct str *out, const struct metric_request *metric,
				      const struct document *d)
{
	const struct expression *e = &metric->expression;
	const size_t n = saved_metrics_events_n(d);
	cleanup_str struct str names = { 0 };

	for (size_t i = 0; i < e->events_n; i++) {
		bool is_there = false;

		for (enum name_match match = NAME_EXACT; match < NAME_MATCHES_N; match++)
			for (size_t k = 0; k < n; k++)
				is_there |= saved_metrics_means(&d->events.events[k],
								e->events[i].text, match);
		if (is_there)
			continue;
		for (size_t k = 0; k < n; k++)
			if (!d->events.events[k].merged)
				str_add_listed(&names, d->events.events[k].name);
		str_addf(out, "'%s' was not counted; the result has %s", e->events[i].text,
			 str_text(&names));
		out->failed |= names.failed;
		return;
	}
	str_add(out, "its events were counted in different modes or cgroups");
}

/* Print a note unless another document caused the same one. metric: its threshold is ignored for
 * the reason in text; NULL: text is the note. 0 or -ENOMEM. */
static int saved_metrics_note_once(const struct options *o, struct str_list *noted,
				   const char *metric, const char *text)
{
	cleanup_str struct str note = { 0 };

	if (metric)
		str_addf(&note, "metric %s: its MetricThreshold is ignored: ", metric);
	str_add(&note, text);
	if (note.failed)
		return -ENOMEM;
	if (str_list_has(noted, note.text))
		return 0;
	note_print(o, "%s", note.text);
	return str_list_add(noted, note.text);
}

/* Add the metrics of text, the argument of -M, to the document. A metric of a group is left out,
 * with a note, if one of its events was not counted. 0; -errno with why. */
static int saved_metrics_add_all(const struct options *o, struct document *d,
				 struct str_list *noted, const struct metric_tables *tables,
				 const char *text, struct why *why)
{
	struct metric_request_list *list = &d->metrics;
	const size_t first = list->n;
	int err;

	list->keeps_known = true;
	err = metric_list_parse_with(list, text, tables, why);
	for (size_t i = list->n; err == 0 && i-- > first;) {
		struct metric_request *metric = &list->v[i];
		cleanup_str struct str reason = { 0 };

		if (saved_metrics_use(&metric->expression, d)) {
			if (metric->threshold_trouble)
				err = saved_metrics_note_once(o, noted, metric->name,
							      metric->threshold_trouble);
			if (err < 0)
				break;
			if (!saved_metrics_use(&metric->threshold, d))
				expression_release(&metric->threshold);
			err = metric->of_table ? metric_list_set_text(metric) : 0;
			if (err == 0)
				err = metric_list_settle_threshold(metric);
			continue;
		}
		str_addf(&reason, "metric '%s' is left out: ", metric->name);
		saved_metrics_add_missing(&reason, metric, d);
		err = reason.failed ? -ENOMEM : 0;
		if (err == 0 && !metric->of_group)
			return why_set(why, -ENOENT, "%s", strchr(reason.text, ':') + 2);
		if (err == 0)
			err = str_list_add(&list->left_out, reason.text);
		metric_list_remove(list, i);
	}
	for (size_t i = 0; err == 0 && i < list->left_out.n; i++)
		err = saved_metrics_note_once(o, noted, NULL, list->left_out.v[i]);
	if (err == 0 && list->n == first && list->left_out.n > 0)
		err = why_set(why, -ENOENT, "the result has none of these metrics");
	str_list_release(&list->left_out);
	return err;
}

int saved_metrics_add(const struct options *o, struct loading *loading, struct why *why)
{
	cleanup_with(machine_release) struct machine machine = { 0 };
	cleanup_str_list struct str_list noted = { 0 };
	struct table_metrics of_tables = { .machine = &machine, .of_result = true };
	const struct metric_tables tables = table_metrics_of(&of_tables);
	int err = table_metrics_machine(&machine, o, why);

	for (size_t i = 0; err == 0 && i < loading->n; i++) {
		struct saved *saved = &loading->v[i];

		for (size_t r = 0; err == 0 && r < o->requests_n; r++) {
			const char *text = o->requests[r].text;
			cleanup_why struct why trouble = { 0 };

			for (size_t k = 0; err == 0 && k < saved->n; k++)
				err = saved_metrics_add_all(o, &saved->documents[k], &noted,
							    &tables, text, &trouble);
			if (err < 0)
				why_of_argument(why, err, "-M", text, &trouble);
		}
	}
	return err;
}
