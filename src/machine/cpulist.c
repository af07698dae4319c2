/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/cpulist.h"

/* A flag for each possible CPU: a range that is repeated needs no additional memory. */
struct cpuset {
	bool has[CPULIST_MAX + 1];
	size_t end; /* one more than the highest CPU */
};

static void cpulist_add_range(struct cpuset *set, size_t first, size_t last)
{
	memset(&set->has[first], true, last - first + 1);
	if (last >= set->end)
		set->end = last + 1;
}

static int cpulist_compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* whole: the start of the list; *text: the current position in it. */
static int cpulist_parse_cpu(const char *whole, const char **text, uint64_t *cpu, struct why *why)
{
	size_t n = strspn(*text, "0123456789");
	size_t position = (size_t)(*text - whole);

	if (n == 0)
		return why_at(why, -EINVAL, position, "a CPU number is missing here");
	if (num_parse(*text, n, cpu) < 0 || *cpu > CPULIST_MAX)
		return why_at(why, -EINVAL, position,
			      "there is no CPU %.*s: %d is the highest number", (int)n, *text,
			      CPULIST_MAX);
	*text += n;
	return 0;
}

/* Parse a number, or two numbers with a '-' between them. */
static int cpulist_parse_range(struct cpuset *set, const char *whole, const char **text,
			       struct why *why)
{
	const char *start = *text;
	uint64_t first, last;
	int err = cpulist_parse_cpu(whole, text, &first, why);

	if (err < 0)
		return err;
	last = first;
	if (**text == '-') {
		(*text)++;
		err = cpulist_parse_cpu(whole, text, &last, why);
		if (err < 0)
			return err;
	}
	if (last < first)
		return why_at(why, -EINVAL, (size_t)(start - whole),
			      "the range %.*s ends before it begins", (int)(*text - start), start);
	cpulist_add_range(set, first, last);
	return 0;
}

int cpulist_parse_user(struct cpulist *list, const char *text, struct why *why)
{
	const char *whole = text;
	struct cpuset set = { 0 };

	for (size_t i = 0; i < list->n; i++)
		cpulist_add_range(&set, (size_t)list->v[i], (size_t)list->v[i]);
	for (;; text++) {
		int err = cpulist_parse_range(&set, whole, &text, why);

		if (err < 0)
			return err;
		if (*text == '\0')
			break;
		if (*text != ',')
			return why_at(why, -EINVAL, (size_t)(text - whole),
				      "a ',' is missing here; write a list of CPUs like 0-3,7");
		if (text[1] == '\0') /* as in perf: scripts put a comma after each CPU */
			break;
	}
	list->n = 0; /* the set contains all of the list */
	for (size_t cpu = 0; cpu < set.end; cpu++) {
		if (!set.has[cpu])
			continue;
		if (array_grow(&list->v, list->n, &list->size, sizeof(*list->v)) < 0)
			return -ENOMEM;
		list->v[list->n++] = (int)cpu;
	}
	return 0;
}

int cpulist_parse(struct cpulist *list, const char *text)
{
	cleanup_why struct why why = { 0 };

	return cpulist_parse_user(list, text, &why);
}

bool cpulist_has(const struct cpulist *list, int cpu)
{
	return list->n > 0 &&
	       bsearch(&cpu, list->v, list->n, sizeof(*list->v), cpulist_compare) != NULL;
}

int cpulist_format(const struct cpulist *list, struct str *out)
{
	for (size_t i = 0, end; i < list->n; i = end) {
		for (end = i + 1; end < list->n && list->v[end] == list->v[end - 1] + 1;)
			end++;
		str_addf(out, "%s%d", i ? "," : "", list->v[i]);
		if (end - i > 1)
			str_addf(out, "-%d", list->v[end - 1]);
	}
	return out->failed ? -ENOMEM : 0;
}

void cpulist_release(struct cpulist *list)
{
	free(list->v);
	*list = (struct cpulist){ 0 };
}

/* Append the CPUs that a file lists. Without the file, append CPUs 0 to sysconf(variable) - 1. */
static int cpulist_read_cpus(const struct machine *m, const char *name, int variable,
			     struct cpulist *list)
{
	cleanup_free char *text = NULL;
	int err = machine_read(m, &text, "/sys/devices/system/cpu/%s", name);

	if (err == -ENOENT && machine_is_here(m)) {
		long n = sysconf(variable);

		if (n < 1)
			return -ENOENT;
		if (asprintf(&text, "0-%ld", n - 1) < 0) {
			text = NULL;
			return -ENOMEM;
		}
		err = 0;
	}
	return err < 0 ? err : cpulist_parse(list, text);
}

int cpulist_online(const struct machine *m, struct cpulist *list)
{
	return cpulist_read_cpus(m, "online", _SC_NPROCESSORS_ONLN, list);
}

int cpulist_present(const struct machine *m, struct cpulist *list)
{
	return cpulist_read_cpus(m, "present", _SC_NPROCESSORS_CONF, list);
}
