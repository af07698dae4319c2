/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "metric/metric_list.h"

#define BLANKS " \t\r\n"

/* The characters of the name of a metric that a user defines. */
#define FIRST_LETTERS "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define MORE_LETTERS "0123456789.-:"

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

const struct metric_definition *metric_definition_find(const char *name, size_t n, bool any_case)
{
	for (const struct metric_definition *d = metric_definitions; d->name; d++)
		if (strlen(d->name) == n &&
		    (any_case ? strncasecmp : strncmp)(d->name, name, n) == 0)
			return d;
	return NULL;
}

/* The list to fill, and the position in its text. */
struct reader {
	struct metric_request_list *list;
	const struct metric_tables *tables; /* NULL: none */
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
static const char *metric_list_item_end(const char *p)
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

static void metric_list_release_request(struct metric_request *request)
{
	free(request->name);
	free(request->text);
	free(request->scale);
	free(request->threshold_trouble);
	expression_release(&request->expression);
	expression_release(&request->threshold);
}

/* Append a request, which the list owns even after an error. A metric that the list has is not
 * appended again. */
static int metric_list_add(const struct reader *r, const struct item *item,
			   struct metric_request *request)
{
	struct metric_request_list *list = r->list;
	int err = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct metric_request *known = &list->v[i];

		if (strcmp(known->name, request->name) != 0)
			continue;
		if (!(request->of_table && (known->of_table || list->keeps_known)) &&
		    !str_equal(known->text, request->text))
			err = why_at(r->why, -EINVAL, metric_list_position(r, item->name),
				     "metric '%s' has two expressions; give one of them another "
				     "name",
				     request->name);
		metric_list_release_request(request);
		return err;
	}
	if (list->n == METRIC_REQUESTS_MAX)
		err = why_at(r->why, -EINVAL, metric_list_position(r, item->name),
			     "a list may have at most %d metrics", METRIC_REQUESTS_MAX);
	if (err == 0)
		err = array_grow(&list->v, list->n, &list->size, sizeof(*list->v));
	if (err == 0)
		list->v[list->n++] = *request;
	else
		metric_list_release_request(request);
	return err;
}

/* Give the events of a named metric its modifiers, and its position. */
static int metric_list_modify(const struct reader *r, const struct item *item, struct expression *e)
{
	const char *modifiers = memchr(item->name, ':', item->n);
	const size_t n = modifiers ? item->n - (size_t)(modifiers - item->name) : 0;

	for (size_t i = 0; i < e->events_n; i++) {
		struct expression_event *event = &e->events[i];
		const size_t slash = strlen(event->text) - (strchr(event->text, '/') != NULL);
		cleanup_str struct str text = { 0 };

		event->at = metric_list_position(r, item->name);
		if (n == 0 || (!strchr(event->text, '/') && strchr(event->text, ':')))
			continue; /* it has modifiers of its own */
		str_add(&text, event->text);
		str_add_n(&text, modifiers + (event->text[slash] == '/'),
			  n - (event->text[slash] == '/'));
		if (text.failed)
			return -ENOMEM;
		free(event->text);
		event->text = take_ptr(text.text);
	}
	return 0;
}

static int metric_list_add_definition(const struct reader *r, const struct item *item,
				      const struct metric_definition *d)
{
	const size_t n = strlen(d->name); /* the item may be in capitals, and have modifiers */
	cleanup_str struct str name = { 0 };
	struct metric_request request = { .kind = d->kind,
					  .limits = d->limits,
					  .derived = d->derived };
	int err = expression_parse(&request.expression, d->expression, strlen(d->expression), 0,
				   NULL, r->why);

	str_add(&name, d->name);
	str_add_n(&name, item->name + n, item->n - n);
	request.name = strdup(str_text(&name));
	request.text = strdup(str_text(&name));
	if (err == 0)
		err = metric_list_modify(r, item, &request.expression);
	if (err == 0 && request.name && request.text)
		return metric_list_add(r, item, &request);
	metric_list_release_request(&request);
	return err < 0 ? err : -ENOMEM;
}

/* ---- Metrics of tables. */

struct table_visit {
	const struct reader *r;
	const struct item *item;
	const char *name; /* of the item, without modifiers */
	size_t n; /* metrics so far */
};

/* Multiply by the number before the unit of "100%". */
static int metric_list_scale(struct metric_request *request, const char *scale_unit)
{
	char *unit;
	const long double factor = strtold(scale_unit, &unit);

	bool shown = unit[0];

	for (const char *p = unit; *p; p++)
		shown &= isprint((unsigned char)*p) != 0; /* a terminal may show it */
	request->scale = shown ? strdup(unit) : NULL;
	if (shown && !request->scale)
		return -ENOMEM;
	return unit == scale_unit || factor == 1 ?
		       0 :
		       expression_multiply(&request->expression, factor);
}

/* Core events without a PMU are those of this one: "X:k" becomes "cpu_core/X/k". */
static int metric_list_add_pmu(const struct metric_tables *tables, struct expression *e,
			       const char *pmu)
{
	for (size_t i = 0; i < e->events_n; i++) {
		struct expression_event *event = &e->events[i];
		const size_t n = strcspn(event->text, ":");
		char *text;

		if (strchr(event->text, '/') ||
		    !tables->is_of_core(tables->names.data, event->text))
			continue;
		if (asprintf(&text, "%s/%.*s/%s", pmu, (int)n, event->text,
			     event->text + n + (event->text[n] == ':')) < 0)
			return -ENOMEM;
		free(event->text);
		event->text = text;
	}
	return 0;
}

/* The threshold of a metric. One that is not valid is left out, with its trouble. 0 or -ENOMEM. */
static int metric_list_parse_threshold(const struct table_visit *v,
				       const struct metric_of_table *metric,
				       struct metric_request *request)
{
	struct expression *threshold = &request->threshold;
	cleanup_why struct why why = { 0 };
	int err = expression_parse(threshold, metric->threshold, strlen(metric->threshold), 0,
				   &v->r->tables->names, &why);

	if (err == -EINVAL) {
		request->threshold_trouble = strdup(why_text(&why, err));
		return request->threshold_trouble ? 0 : -ENOMEM;
	}
	if (err == 0 && metric->pmu)
		err = metric_list_add_pmu(v->r->tables, threshold, metric->pmu);
	return err < 0 ? err : metric_list_modify(v->r, v->item, threshold);
}

static int metric_list_parse_of_table(const struct table_visit *v,
				      const struct metric_of_table *metric,
				      struct metric_request *request)
{
	const struct expression_names *names = &v->r->tables->names;
	struct expression *e = &request->expression;
	cleanup_why struct why trouble = { 0 };
	const size_t at = metric_list_position(v->r, v->item->name);
	int err = expression_parse(e, metric->expression, strlen(metric->expression), 0, names,
				   &trouble);

	if (err == 0 && e->events_n == 0) /* it is known, but every metric is shown at an event */
		err = expression_add_needed(e, "duration_time");
	if (err < 0)
		return why_at(v->r->why, err, at, "%s", why_text(&trouble, err));
	if (metric->pmu && metric_list_add_pmu(v->r->tables, e, metric->pmu) < 0)
		return -ENOMEM;
	if (metric_list_modify(v->r, v->item, e) < 0 ||
	    (metric->threshold && metric_list_parse_threshold(v, metric, request) < 0))
		return -ENOMEM;
	return metric->scale_unit ? metric_list_scale(request, metric->scale_unit) : 0;
}

/* A metric of a table cannot be used for the reason in the reader's why. If it belongs to a group
 * that the user named, it is left out. */
static int metric_list_refuse(const struct table_visit *v, const struct metric_request *request,
			      const char *name, int err)
{
	const size_t at = metric_list_position(v->r, v->item->name);
	cleanup_why struct why why = *v->r->why;
	cleanup_str struct str reason = { 0 };

	*v->r->why = (struct why){ 0 };
	if (err == -ENOMEM)
		return err;
	if (!request->of_group)
		return why_at(v->r->why, err, at, "metric %s: %s", name, why_text(&why, err));
	str_addf(&reason, "metric '%s' is left out: %s", name, why_text(&why, err));
	return reason.failed ? -ENOMEM : str_list_add(&v->r->list->left_out, str_text(&reason));
}

/* Whether a metric of a table may have this name, so that it can be written in a list. */
static bool metric_list_is_name(const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isprint((unsigned char)name[i]) || strchr(",='()", name[i]))
			return false;
	return n > 0 && !strchr(BLANKS, name[0]) && !strchr(BLANKS, name[n - 1]);
}

static int metric_list_visit(const struct metric_of_table *metric, void *to)
{
	struct table_visit *v = to;
	const char *modifiers = memchr(v->item->name, ':', v->item->n);
	cleanup_str struct str name = { 0 };
	struct metric_request request = { .kind = METRIC_OF_USER,
					  .of_table = true,
					  .of_group = strcasecmp(metric->name, v->name) != 0,
					  .apart = metric->apart,
					  .set = metric->set,
					  .topdown = metric->topdown,
					  .next = metric->next };
	int err;

	v->n++;
	if (metric->trouble)
		err = why_set(v->r->why, -EINVAL, "%s", metric->trouble);
	else if (!metric_list_is_name(metric->name, strlen(metric->name)))
		err = why_set(v->r->why, -EINVAL,
			      "its name has a character that -M does not allow");
	else
		err = metric_list_parse_of_table(v, metric, &request);
	str_add(&name, metric->name);
	if (metric->pmu)
		str_addf(&name, ".%s", metric->pmu);
	if (modifiers)
		str_add_n(&name, modifiers, v->item->n - (size_t)(modifiers - v->item->name));
	if (err == 0 && name.failed)
		err = -ENOMEM;
	if (err < 0) {
		err = metric_list_refuse(v, &request, metric->name, err);
		metric_list_release_request(&request);
		return err;
	}
	request.name = take_ptr(name.text);
	return metric_list_add(v->r, v->item, &request);
}

int metric_list_add_of_table(struct metric_request_list *list, const struct metric_tables *tables,
			     const char *word, const struct metric_of_table *metric,
			     struct why *why)
{
	const struct reader r = { .list = list, .tables = tables, .text = word, .why = why };
	const struct item item = { word, word + strlen(word), strlen(word) };
	struct table_visit visit = { .r = &r, .item = &item, .name = word };

	return metric_list_visit(metric, &visit);
}

/* The name nearest to one that is unknown. Empty: none is near. */
static void metric_list_find_nearest(const struct metric_tables *tables, const char *name,
				     struct str *nearest)
{
	const unsigned int n = (unsigned int)strlen(name);
	/* up to a third of the letters may be wrong, or two of six, or one of four */
	unsigned int limit = n > 6 ? n / 3 + 1 : (n + 1) / 2;

	if (tables)
		tables->nearest(tables->names.data, name, &limit, nearest);
	for (const struct metric_definition *d = metric_definitions; d->name; d++) {
		const unsigned int distance = str_distance(name, n, d->name, strlen(d->name));

		if (distance >= limit)
			continue;
		limit = distance;
		str_release(nearest);
		str_add(nearest, d->name);
	}
}

static int metric_list_refuse_unknown(const struct reader *r, const struct item *item,
				      const char *name)
{
	cleanup_str struct str nearest = { 0 }, known = { 0 };

	metric_list_find_nearest(r->tables, name, &nearest);
	if (nearest.len > 0)
		str_addf(&known, "did you mean '%s'? --list metric lists all", nearest.text);
	else
		str_add(&known, "use ");
	for (const struct metric_definition *d = metric_definitions; !nearest.len && d->name; d++)
		str_addf(&known, "%s%s", d->name, d[1].name ? ", " : " or NAME=EXPRESSION");
	/* perf's words, for which programs search */
	return why_at(r->why, -EINVAL, metric_list_position(r, item->name),
		      "Cannot find metric or group `%s'; %s", name, str_text(&known));
}

static int metric_list_add_named(const struct reader *r, const struct item *item)
{
	const char *colon = memchr(item->name, ':', item->n);
	const size_t n = colon ? (size_t)(colon - item->name) : item->n;
	const struct metric_definition *d = metric_definition_find(item->name, n, false);
	cleanup_free char *name = strndup(item->name, n);
	struct table_visit visit = { .r = r, .item = item, .name = name };
	int err = 0;

	if (!name)
		return -ENOMEM;
	if (d && !(r->tables && r->tables->replaces(r->tables->names.data, name)))
		return metric_list_add_definition(r, item, d);
	if (r->tables)
		err = r->tables->find(r->tables->names.data, name, metric_list_visit, &visit,
				      r->why);
	if (err < 0 || visit.n > 0)
		return err;
	d = metric_definition_find(name, n, true);
	return d ? metric_list_add_definition(r, item, d) :
		   metric_list_refuse_unknown(r, item, name);
}

int metric_list_set_text(struct metric_request *request)
{
	cleanup_str struct str text = { 0 };

	if (expression_settle(&request->expression) == -ENOMEM)
		return -ENOMEM;
	str_addf(&text, "%s=", request->name);
	expression_add_text(&text, &request->expression);
	if (text.failed)
		return -ENOMEM;
	free(request->text);
	request->text = take_ptr(text.text);
	return 0;
}

int metric_list_settle_threshold(struct metric_request *request)
{
	int err = request->threshold.steps_n > 0 ? expression_settle(&request->threshold) : 0;

	if (err == -EINVAL)
		expression_release(&request->threshold);
	return err == -ENOMEM ? err : 0;
}

/* ---- Lists. */

static int metric_list_add_defined(const struct reader *r, const struct item *item,
				   const char *expression)
{
	struct metric_request request = {
		.name = strndup(item->name, item->n),
		.text = strndup(item->name, (size_t)(item->end - item->name)),
		.kind = METRIC_OF_USER,
	};
	int err = request.name && request.text ? 0 : -ENOMEM;

	if (err == 0)
		err = expression_parse(&request.expression, expression,
				       (size_t)(item->end - expression),
				       metric_list_position(r, expression), NULL, r->why);
	if (err == 0 && request.expression.events_n == 0)
		err = why_at(r->why, -EINVAL, metric_list_position(r, expression),
			     "there is no event in '%s'", request.name);
	if (err == 0)
		return metric_list_add(r, item, &request);
	metric_list_release_request(&request);
	return err;
}

/* The name of a metric of a table, which may have more characters. Without tables, the item is a
 * saved one: NAME=EXPRESSION. */
static int metric_list_read_other(const struct reader *r, struct item *item)
{
	const size_t length = (size_t)(item->end - item->name);
	const char *equals = memchr(item->name, '=', length);

	item->n = equals ? (size_t)(equals - item->name) : length;
	while (item->n > 0 && strchr(BLANKS, item->name[item->n - 1]))
		item->n--;
	if (item->n == 0 || !r->tables != !!equals || !metric_list_is_name(item->name, item->n))
		return why_at(r->why, -EINVAL, metric_list_position(r, item->name), "%s",
			      item->name == item->end ?
				      "a metric is missing here" :
				      "this is neither a metric's name nor NAME=EXPRESSION");
	return equals ? metric_list_add_defined(r, item, equals + 1) :
			metric_list_add_named(r, item);
}

static int metric_list_read_item(struct reader *r)
{
	struct item item = { .name = r->p + strspn(r->p, BLANKS) };
	const char *rest;

	item.end = metric_list_item_end(item.name);
	item.n = strspn(item.name, FIRST_LETTERS) > 0 ?
			 strspn(item.name, FIRST_LETTERS MORE_LETTERS) :
			 0;
	rest = item.name + item.n + strspn(item.name + item.n, BLANKS);
	r->p = item.end;
	if (item.n == 0 || (rest < item.end && *rest != '='))
		return metric_list_read_other(r, &item);
	return rest == item.end ? metric_list_add_named(r, &item) :
				  metric_list_add_defined(r, &item, rest + 1);
}

int metric_list_parse_with(struct metric_request_list *list, const char *text,
			   const struct metric_tables *tables, struct why *why)
{
	struct reader r = { .list = list, .tables = tables, .text = text, .p = text, .why = why };
	size_t before = list->n;
	int err;

	do {
		err = metric_list_read_item(&r);
	} while (err == 0 && *r.p++ == ',');
	while (err < 0 && list->n > before)
		metric_list_release_request(&list->v[--list->n]);
	return err;
}

int metric_list_parse(struct metric_request_list *list, const char *text, struct why *why)
{
	return metric_list_parse_with(list, text, NULL, why);
}

void metric_list_remove(struct metric_request_list *list, size_t i)
{
	metric_list_release_request(&list->v[i]);
	list->n--;
	memmove(&list->v[i], &list->v[i + 1], (list->n - i) * sizeof(*list->v));
}

void metric_list_release(struct metric_request_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		metric_list_release_request(&list->v[i]);
	free(list->v);
	str_list_release(&list->left_out);
	*list = (struct metric_request_list){ 0 };
}
