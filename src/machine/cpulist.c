/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "machine/cpulist.h"

enum {
	CPU_MAX = 1 << 20
}; /* far beyond what the kernel can have; keeps a typo from filling memory */

static int add_cpu(struct cpulist *list, int cpu)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i] == cpu)
			return 0;
	if (array_grow(&list->v, list->n, &list->size, sizeof(*list->v)) < 0)
		return -ENOMEM;
	list->v[list->n++] = cpu;
	return 0;
}

static int parse_cpu(const char **text, uint64_t *cpu)
{
	size_t n = strspn(*text, "0123456789");

	if (num_parse(*text, n, cpu) < 0 || *cpu > CPU_MAX)
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
		for (uint64_t cpu = first; err == 0 && cpu <= last; cpu++)
			err = add_cpu(list, (int)cpu);
		if (err < 0)
			return err;
		if (*text == '\0')
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

void cpulist_release(struct cpulist *list)
{
	free(list->v);
	*list = (struct cpulist){ 0 };
}
