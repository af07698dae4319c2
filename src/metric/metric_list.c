/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "metric/metric_list.h"

#define BLANKS " \t\r\n"

/* The characters of the name of a metric. */
#define FIRST_LETTERS "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define MORE_LETTERS "0123456789.-"

/* Units and decimals are those of perf's derived column. */
const struct metric_definition metric_definitions[] = {
	{ "ipc", "instructions / cycles", METRIC_RATIO, LIMITS_NONE, "insn per cycle" },
	{ "cpi", "cycles / instructions", METRIC_RATIO, LIMITS_NONE, "cycles per insn" },
	{ "branch-miss-rate", "100 * branch-misses / branches", METRIC_PERCENT, LIMITS_MISSES,
	  "of all branches" },
	{ "l1d-miss-rate", "100 * L1-dcache-load-misses / L1-dcache-loads", METRIC_PERCENT,
	  LIMITS_MISSES, "of all L1-dcache accesses" },
	{ "llc-miss-rate", "100 * LLC-load-misses / LLC-loads", METRIC_PERCENT, LIMITS_MISSES,
	  "of all LL-cache accesses" },
	{ "dtlb-miss-rate", "100 * dTLB-load-misses / dTLB-loads", METRIC_PERCENT, LIMITS_MISSES,
	  "of all dTLB cache accesses" },
	{ "ghz", "cycles / task-clock", METRIC_RATE, LIMITS_NONE, "GHz" }, /* 1/ns is GHz */
	{ "cpus", "task-clock / 1e9 / time", METRIC_RATE, LIMITS_NONE, "CPUs utilized" },
	{ .name = NULL },
};

const struct metric_definition *metric_definition_find(const char *name, size_t n)
{
	for (const struct metric_definition *d = metric_definitions; d->name; d++)
		if (strlen(d->name) == n && memcmp(d->name, name, n) == 0)
			return d;
	return NULL;
}

/* The list to fill, and the position in its text. */
struct reader {
	struct metric_request_list *list;
	const char *text, *p;
	struct why *why;
};

/* One item of the list, which ends at end. Its name has n bytes. */
struct item {
	const char *name, *end;
	size_t n;
};

static size_t metric_list_position(const struct reader *r, const char *p)
{
	return (size_t)(p - r->text);
}

/*
 * The end of the item that begins at p: a ',' outside quotes and parentheses. The parser of the
 * expression reports a quote that is not closed.
 */
static const char *item_end(const char *p)
{
	size_t depth = 0;

	while (*p && (depth > 0 || *p != ',')) {
		if (*p == '\'')
			p = strchrnul(p + 1, '\'');
		else if (*p == '(')
			depth++;
		else if (*p == ')' && depth > 0)
			depth--;
		p += *p != '\0';
	}
	return p;
}

static int fill_by_name(const struct reader *r, const struct item *item,
			struct metric_request *request)
{
	const struct metric_definition *d = metric_definition_find(item->name, item->n);
	int err;

	if (!d) {
		cleanup_str struct str known = { 0 };

		for (d = metric_definitions; d->name; d++)
			str_addf(&known, "%s%s", d->name, d[1].name ? ", " : " ");
		/* perf's words, for which programs search */
		return why_at(r->why, -EINVAL, metric_list_position(r, item->name),
			      "Cannot find metric or group `%.*s'; use %sor NAME=EXPRESSION",
			      (int)item->n, item->name, str_text(&known));
	}
	request->kind = d->kind;
	request->limits = d->limits;
	request->derived = d->derived;
	err = expression_parse(&request->expression, d->expression, strlen(d->expression), 0, NULL,
			       r->why);
	for (size_t i = 0; i < request->expression.events_n; i++)
		request->expression.events[i].at = metric_list_position(r, item->name);
	return err;
}

/* -EEXIST: the list has the metric. */
static int fill(const struct reader *r, const struct item *item, struct metric_request *request)
{
	const char *rest = item->name + item->n;
	int err;

	rest += strspn(rest, BLANKS);
	if (item->n == 0 || (rest < item->end && *rest != '='))
		return why_at(r->why, -EINVAL, metric_list_position(r, item->name), "%s",
			      item->name == item->end ?
				      "a metric is missing here" :
				      "this is neither a metric's name nor NAME=EXPRESSION");
	request->name = strndup(item->name, item->n);
	request->text = strndup(item->name, (size_t)(item->end - item->name));
	if (!request->name || !request->text)
		return -ENOMEM;
	for (size_t i = 0; i < r->list->n; i++) {
		const struct metric_request *known = &r->list->v[i];

		if (strcmp(known->name, request->name) != 0)
			continue;
		if (strcmp(known->text, request->text) == 0)
			return -EEXIST;
		return why_at(r->why, -EINVAL, metric_list_position(r, item->name),
			      "metric '%s' has two expressions; give one of them another name",
			      request->name);
	}
	if (rest == item->end)
		return fill_by_name(r, item, request);
	rest++; /* the '=' */
	request->kind = METRIC_OF_USER;
	err = expression_parse(&request->expression, rest, (size_t)(item->end - rest),
			       metric_list_position(r, rest), NULL, r->why);
	if (err == 0 && request->expression.events_n == 0)
		return why_at(r->why, -EINVAL, metric_list_position(r, rest),
			      "there is no event in '%s'", request->name);
	return err;
}

static void request_release(struct metric_request *request)
{
	free(request->name);
	free(request->text);
	expression_release(&request->expression);
}

static int metric_list_read_item(struct reader *r)
{
	struct metric_request_list *list = r->list;
	struct metric_request request = { 0 };
	struct item item = { .name = r->p + strspn(r->p, BLANKS) };
	int err;

	item.end = item_end(item.name);
	item.n = strspn(item.name, FIRST_LETTERS) > 0 ?
			 strspn(item.name, FIRST_LETTERS MORE_LETTERS) :
			 0;
	if (list->n == METRIC_REQUESTS_MAX)
		return why_at(r->why, -EINVAL, metric_list_position(r, item.name),
			      "a list may have at most %d metrics", METRIC_REQUESTS_MAX);
	err = fill(r, &item, &request);
	if (err == 0)
		err = array_grow(&list->v, list->n, &list->size, sizeof(*list->v));
	if (err == 0)
		list->v[list->n++] = request;
	else
		request_release(&request);
	r->p = item.end;
	return err == -EEXIST ? 0 : err;
}

int metric_list_parse(struct metric_request_list *list, const char *text, struct why *why)
{
	struct reader r = { .list = list, .text = text, .p = text, .why = why };
	size_t before = list->n;
	int err;

	do {
		err = metric_list_read_item(&r);
	} while (err == 0 && *r.p++ == ',');
	while (err < 0 && list->n > before)
		request_release(&list->v[--list->n]);
	return err;
}

void metric_list_release(struct metric_request_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		request_release(&list->v[i]);
	free(list->v);
	*list = (struct metric_request_list){ 0 };
}
