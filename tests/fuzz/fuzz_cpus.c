/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of CPUs (-C, --cpu-list, sysfs) and of tasks (-p, -t). Whatever the text, the parser
 * returns numbers in their range, each once, or reports a mistake at a position in the text. A list
 * of CPUs that is formatted and parsed again is the same list.
 */
#include <errno.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "fuzz.h"
#include "machine/cpulist.h"
#include "machine/tasks.h"

static void check_again(const struct cpulist *list)
{
	cleanup_with(cpulist_release) struct cpulist again = { 0 };
	cleanup_str struct str text = { 0 };

	CHECK(cpulist_format(list, &text) == 0);
	CHECK(cpulist_parse(&again, str_text(&text)) == 0);
	CHECK(again.n == list->n && memcmp(again.v, list->v, list->n * sizeof(*list->v)) == 0);
}

static void check_cpus(const char *text)
{
	cleanup_with(cpulist_release) struct cpulist list = { 0 };
	cleanup_why struct why why = { 0 };
	int err = cpulist_parse_user(&list, text, &why);

	if (err < 0) {
		CHECK(err == -EINVAL && why.text && why.has_position &&
		      why.position <= strlen(text));
		return;
	}
	CHECK(list.n > 0);
	for (size_t i = 0; i < list.n; i++)
		CHECK(list.v[i] >= 0 && list.v[i] <= CPULIST_MAX &&
		      (i == 0 || list.v[i] > list.v[i - 1]));
	check_again(&list);
}

static void check_tasks(const char *text)
{
	cleanup_with(task_list_release) struct task_list list = { 0 };
	cleanup_why struct why why = { 0 };
	int err = tasks_parse(text, &list, &why);

	if (err < 0) {
		/* an empty list has no position */
		CHECK(err == -EINVAL && why.text &&
		      (why.has_position ? why.position <= strlen(text) :
					  text[strspn(text, ", \t\n")] == '\0'));
		return;
	}
	CHECK(list.n > 0);
	for (size_t i = 0; i < list.n; i++) {
		CHECK(list.v[i] > 0 && list.v[i] <= TASK_MAX);
		for (size_t j = 0; j < i; j++)
			CHECK(list.v[i] != list.v[j]);
	}
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *text = fuzz_text(data, size);

	check_cpus(text);
	check_tasks(text);
}
