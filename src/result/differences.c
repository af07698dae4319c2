/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "document/schema.h"
#include "result/comparison_row.h"
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

/* Where both are known. */
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

/* Also the one that only said how long others were counted. */
static void add_command(struct str *text, const struct result *result)
{
	const struct provenance *p = result->input.provenance;

	for (size_t i = 0; p && i < p->argv.n; i++)
		str_addf(text, "%s%s%s", i == 0 ? "'" : " ", p->argv.v[i],
			 i == p->argv.n - 1 ? "'" : "");
}

static void add_target(struct str *text, const struct result *result)
{
	str_add(text, result->input.has_usage ? "a command" : result->input.subject);
}

static void add_scaling(struct str *text, const struct result *result)
{
	str_add(text, result->input.scaling == SCALE_NOT ? "as they were read" : "scaled");
}

static void add_min_running(struct str *text, const struct result *result)
{
	str_addf(text, "%g %%", result->input.min_running);
}

static const struct provenance_fact settings[] = {
	{ NULL, "command", true, add_command },
	{ NULL, "what was counted", true, add_target },
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

/* Whether its name says all of it: its number, or place in a file, is another one on each machine. */
static bool is_by_name(const struct event *event)
{
	return event->probed || event->symbol || event->attr.type == PERF_TYPE_TRACEPOINT;
}

static void add_encoding(struct str *text, const struct event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	str_addf(text, "%s/", event->pmu ? event->pmu : "");
	if (!is_by_name(event))
		str_addf(text, "config=0x%llx", (unsigned long long)attr->config);
	if (!is_by_name(event) && attr->config1)
		str_addf(text, ",config1=0x%llx", (unsigned long long)attr->config1);
	if (!is_by_name(event) && attr->config2)
		str_addf(text, ",config2=0x%llx", (unsigned long long)attr->config2);
	if (event->config3)
		str_addf(text, ",config3=0x%llx", (unsigned long long)event->config3);
	str_add(text, "/");
}

static void add_modes(struct str *text, const struct perf_event_attr *attr)
{
#define X(name)                                                                                    \
	if (attr->name)                                                                            \
		str_add(text, " " #name);
	SCHEMA_ATTR_FLAGS(X)
#undef X
	if (attr->precise_ip)
		str_addf(text, " precise_ip=%u", (unsigned int)attr->precise_ip);
}

/* "cpu/config=0x3c/ exclude_kernel": what is counted under its name. */
static void add_event(struct str *text, const struct result_row *row)
{
	const struct event *event = row->event;
	struct perf_event_attr attr = event->attr;

	attr.exclude_kernel |= row->opening->user_only;
	attr.exclude_hv |= row->opening->user_only;
	if (event->tool != TOOL_NONE) {
		str_add(text, event_tool_names[event->tool]);
	} else {
		add_encoding(text, event);
		add_modes(text, &attr);
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

/* Whether a row before it, of another place, is of the same event. */
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
			 compare_metrics(list, reference->input.metrics, other->input.metrics);
}

void differences_release(struct differences *list)
{
	for (size_t i = 0; i < list->n; i++)
		difference_release(&list->v[i]);
	free(list->v);
	*list = (struct differences){ 0 };
}
