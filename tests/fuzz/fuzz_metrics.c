/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of -M. Whatever the text, metric_list_parse() returns metrics whose events are words of
 * the text and whose values are finite or missing, or reports a mistake at a position in the text.
 * The same text is also parsed as one expression, in the user's language and in that of perf's
 * tables, where "again" is a metric with this text as its expression.
 */
#include <errno.h>
#include <math.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "fuzz.h"
#include "metric/metric_list.h"

static void check_value(const struct expression *e, const long double *values, long double time_s)
{
	long double value = -1;
	int err = expression_evaluate(e, values, time_s, 4, &value);

	CHECK(err == 0 || (err == -EDOM && value == -1));
	CHECK(isfinite((double)value));
}

static void check_values(const struct expression *e)
{
	static const long double counts[] = { 0, 1, 3e9L, 18446744073709551615.0L };
	long double values[EXPRESSION_EVENTS_MAX];

	CHECK(e->steps_n > 0 && e->events_n <= EXPRESSION_EVENTS_MAX);
	for (size_t i = 0; i < e->events_n; i++)
		values[i] = counts[i % 4];
	check_value(e, values, 0);
	for (size_t i = 0; i < e->events_n; i++)
		values[i] = counts[(i + 1) % 4];
	check_value(e, values, 1.25L);
}

/* Check that each event exists once, at its position. Positions count from `at`. */
static void check_events(const struct expression *e, const char *text, size_t at)
{
	for (size_t i = 0; i < e->events_n; i++) {
		const struct expression_event *event = &e->events[i];
		size_t n = strlen(event->text);

		CHECK(n > 0 && event->at >= at && event->at - at + n <= strlen(text));
		CHECK(memcmp(event->text, text + event->at - at, n) == 0);
		for (size_t j = 0; j < i; j++)
			CHECK(strcmp(event->text, e->events[j].text) != 0);
	}
}

static void check_expression(const char *text)
{
	cleanup_with(expression_release) struct expression e = { 0 };
	cleanup_why struct why why = { 0 };

	if (expression_parse(&e, text, strlen(text), 1000, NULL, &why) < 0) {
		CHECK(why.text && why.has_position);
		CHECK(why.position >= 1000 && why.position <= 1000 + strlen(text));
		CHECK(e.steps_n == 0 && e.events_n == 0);
		return;
	}
	check_events(&e, text, 1000);
	check_values(&e);
}

static const char *again(const void *data, const char *name)
{
	return strcmp(name, "again") == 0 ? data : NULL;
}

static bool fact(const void *data, const char *name, long double *value)
{
	(void)data;
	*value = (long double)strlen(name);
	return name[0] == 'n';
}

static bool is_short(const void *data, const char *name)
{
	(void)data;
	return strlen(name) < 4;
}

static void check_table_expression(const char *text)
{
	const struct expression_names names = { text, again, fact, is_short, is_short };
	cleanup_with(expression_release) struct expression e = { 0 };
	cleanup_why struct why why = { 0 };

	if (expression_parse(&e, text, strlen(text), 0, &names, &why) < 0)
		CHECK(why.text && e.steps_n == 0 && e.events_n == 0);
	else
		check_values(&e);
}

static void check_list(const char *text)
{
	cleanup_with(metric_list_release) struct metric_request_list list = { 0 };
	cleanup_why struct why why = { 0 };

	if (metric_list_parse(&list, text, &why) < 0) {
		CHECK(why.text && why.has_position && why.position <= strlen(text));
		CHECK(list.n == 0);
		return;
	}
	CHECK(list.n > 0);
	for (size_t i = 0; i < list.n; i++) {
		const struct metric_request *request = &list.v[i];

		CHECK(request->name[0] && request->expression.events_n > 0);
		for (size_t j = 0; j < i; j++)
			CHECK(strcmp(request->name, list.v[j].name) != 0);
		if (request->kind == METRIC_OF_USER)
			check_events(&request->expression, text, 0);
		check_values(&request->expression);
	}
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *text = fuzz_text(data, size);

	check_expression(text);
	check_table_expression(text);
	check_list(text);
}
