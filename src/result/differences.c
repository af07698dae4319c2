/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "event/attr_fields.h"
#include "result/comparison.h"
#include "result/differences.h"
#include "result/provenance.h"

static void difference_release(struct difference *difference)
{
	free(difference->what);
	free(difference->reference);
	free(difference->other);
}

static int add(struct differences *list, const char *what, const char *reference, const char *other)
{
	struct difference *difference;

	if (array_grow(&list->v, list->n, &list->size, sizeof(*list->v)) < 0)
		return -ENOMEM;
	difference = &list->v[list->n++];
	*difference = (struct difference){ strdup(what), strdup(reference), strdup(other) };
	return difference->what && difference->reference && difference->other ? 0 : -ENOMEM;
}

/* Append a difference if both texts are known, and not the same. */
static int add_if_other(struct differences *list, const char *what, const struct str *reference,
			const struct str *other)
{
	if (reference->failed || other->failed)
		return -ENOMEM;
	if (reference->len == 0 || other->len == 0 ||
	    strcmp(str_text(reference), str_text(other)) == 0)
		return 0;
	return add(list, what, str_text(reference), str_text(other));
}

/* ---- How it was measured. */

/* Append the command. In system-wide mode, it is the command that limits the time. */
static void add_command(struct str *text, const struct result *result)
{
	const struct provenance *p = result->series->provenance;

	for (size_t i = 0; p && i < p->argv.n; i++)
		str_addf(text, "%s%s%s", i == 0 ? "'" : " ", p->argv.v[i],
			 i == p->argv.n - 1 ? "'" : "");
}

static void add_target(struct str *text, const struct result *result)
{
	str_add(text, result->series->has_usage ? "a command" : result->series->subject);
}

static void add_scaling(struct str *text, const struct result *result)
{
	str_add(text, result->series->scaling == SCALE_NOT ? "not scaled" : "scaled");
}

static void add_min_running(struct str *text, const struct result *result)
{
	str_addf(text, "%g %%", result->series->min_running);
}

static const struct provenance_fact settings[] = {
	{ NULL, "command", true, add_command },
	{ NULL, "target", true, add_target },
	{ NULL, "counts of multiplexed events", true, add_scaling },
	{ NULL, "--min-running", true, add_min_running },
};

static int compare_fact(struct differences *list, const struct provenance_fact *fact,
			const struct result *reference, const struct result *other)
{
	cleanup_str struct str left = { 0 }, right = { 0 };

	fact->add(&left, reference);
	fact->add(&right, other);
	return add_if_other(list, fact->noun, &left, &right);
}

static int compare_facts(struct differences *list, const struct result *reference,
			 const struct result *other)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < sizeof(settings) / sizeof(settings[0]); i++)
		err = compare_fact(list, &settings[i], reference, other);
	for (const struct provenance_fact *fact = provenance_facts; err == 0 && fact->title; fact++)
		if (fact->counts)
			err = compare_fact(list, fact, reference, other);
	return err;
}

/* ---- Events. */

/* Whether only the name identifies the event. Its number or file offset depends on the machine. */
static bool is_by_name(const struct event *event)
{
	return event->probed || event->symbol || event->attr.type == PERF_TYPE_TRACEPOINT;
}

static void add_encoding(struct str *text, const struct event *event)
{
	const struct attr_field *field = NULL;
	const char *between = "";

	str_addf(text, "%s/", event->pmu ? event->pmu : "");
	while (!is_by_name(event) && (field = attr_fields_next(field, ATTR_CONFIG)))
		if (!*between || field->get(event)) { /* show config even if it is 0 */
			str_addf(text, "%s%s=0x%llx", between, field->name,
				 (unsigned long long)field->get(event));
			between = ",";
		}
	str_add(text, "/");
}

static void add_flags(struct str *text, const struct event *event, enum attr_role role)
{
	const struct attr_field *field = NULL;

	while ((field = attr_fields_next(field, role)))
		if (field->get(event))
			str_addf(text, " %s", field->name);
}

/* "cpu/config=0x3c/ exclude_kernel" */
static void add_event(struct str *text, const struct result_row *row)
{
	const struct event *event = row->event;
	struct event opened = *event;

	opened.attr.exclude_kernel |= row->opening->user_only;
	opened.attr.exclude_hv |= row->opening->user_only;
	if (event->tool != TOOL_NONE) {
		str_add(text, event_tool_names[event->tool]);
	} else {
		add_encoding(text, event);
		add_flags(text, &opened, ATTR_MODE);
		add_flags(text, &opened, ATTR_SCHEDULING);
		if (event->attr.precise_ip)
			str_addf(text, " precise_ip=%u", (unsigned int)event->attr.precise_ip);
	}
	if (event->filter)
		str_addf(text, " filter '%s'", event->filter);
	if (*event->unit)
		str_addf(text, " in %s", event->unit);
}

static int compare_event(struct differences *list, const struct result_row *reference,
			 const struct result_row *other)
{
	cleanup_str struct str what = { 0 }, left = { 0 }, right = { 0 };

	str_addf(&what, "event %s", reference->name);
	add_event(&left, reference);
	add_event(&right, other);
	return what.failed ? -ENOMEM : add_if_other(list, str_text(&what), &left, &right);
}

/* Whether an earlier row, of another place, has the same event. */
static bool was_seen(const struct result *result, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (result->rows[i].event == result->rows[row].event)
			return true;
	return false;
}

static int compare_events(struct differences *list, const struct result *reference,
			  const struct result *other)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < reference->rows_n; i++) {
		const struct result_row *row = &reference->rows[i];
		const struct result_row *its = comparison_row_find(other, row, i);

		if (its && !was_seen(reference, i))
			err = compare_event(list, row, its);
	}
	return err;
}

static int compare_metric(struct differences *list, const struct metric_request *reference,
			  const struct metric_request *other)
{
	cleanup_str struct str what = { 0 };

	if (strcmp(reference->name, other->name) != 0 || strcmp(reference->text, other->text) == 0)
		return 0;
	str_addf(&what, "metric %s", reference->name);
	return what.failed ? -ENOMEM : add(list, str_text(&what), reference->text, other->text);
}

static int compare_metrics(struct differences *list, const struct metric_request_list *reference,
			   const struct metric_request_list *other)
{
	int err = 0;

	for (size_t i = 0; reference && other && i < reference->n; i++)
		for (size_t j = 0; err == 0 && j < other->n; j++)
			err = compare_metric(list, &reference->v[i], &other->v[j]);
	return err;
}

int differences_find(struct differences *list, const struct result *reference,
		     const struct result *other)
{
	int err = compare_facts(list, reference, other);

	if (err == 0)
		err = compare_events(list, reference, other);
	return err < 0 ? err :
			 compare_metrics(list, reference->series->metrics, other->series->metrics);
}

void differences_release(struct differences *list)
{
	for (size_t i = 0; i < list->n; i++)
		difference_release(&list->v[i]);
	free(list->v);
	*list = (struct differences){ 0 };
}
