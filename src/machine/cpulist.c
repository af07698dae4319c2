/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "machine/cpulist.h"

static int add_range(struct cpulist *list, uint64_t first, uint64_t last)
{
	for (uint64_t cpu = first; cpu <= last; cpu++) {
		if (array_grow(&list->v, list->n, &list->size, sizeof(*list->v)) < 0)
			return -ENOMEM;
		list->v[list->n++] = (int)cpu;
	}
	return 0;
}

static int compare_cpus(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* In order, each once. */
static void tidy(struct cpulist *list)
{
	size_t n = 0;

	qsort(list->v, list->n, sizeof(*list->v), compare_cpus);
	for (size_t i = 0; i < list->n; i++)
		if (n == 0 || list->v[n - 1] != list->v[i])
			list->v[n++] = list->v[i];
	list->n = n;
}

static int parse_cpu(const char **text, uint64_t *cpu)
{
	size_t n = strspn(*text, "0123456789");

	if (num_parse(*text, n, cpu) < 0 || *cpu > CPULIST_MAX)
		return -EINVAL;
	*text += n;
	return 0;
}

int cpulist_parse(struct cpulist *list, const char *text)
{
	for (;;) {
		uint64_t first, last;
		int err = parse_cpu(&text, &first);

		last = first;
		if (err == 0 && *text == '-') {
			text++;
			err = parse_cpu(&text, &last);
		}
		if (err < 0 || last < first)
			return -EINVAL;
		err = add_range(list, first, last);
		if (err < 0)
			return err;
		if (*text == '\0') {
			tidy(list);
			return 0;
		}
		if (*text++ != ',')
			return -EINVAL;
	}
}

void cpulist_release(struct cpulist *list)
{
	free(list->v);
	*list = (struct cpulist){ 0 };
}
