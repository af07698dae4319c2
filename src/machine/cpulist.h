/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs as the kernel and people write them: "0-3,7" (cpuset(7), "List format"). */
#ifndef PSTAT_MACHINE_CPULIST_H
#define PSTAT_MACHINE_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

struct str;
struct why;

/* Beyond what Linux can be built for (CONFIG_NR_CPUS); keeps a typo from taking time and memory. */
enum { CPULIST_MAX = (1 << 14) - 1 };

/* All zero is a valid empty list. */
struct cpulist {
	int *v; /* owned; in order, each once */
	size_t n, size;
};

/* Append the CPUs of text. 0; -EINVAL: it is no list of CPUs; -ENOMEM. */
int cpulist_parse(struct cpulist *list, const char *text);

/* The same of what a person wrote: with -EINVAL, why says what is wrong and where in text. */
int cpulist_parse_user(struct cpulist *list, const char *text, struct why *why);

bool cpulist_has(const struct cpulist *list, int cpu);

/* Append the list as cpulist_parse() reads it, "0-3,7"; nothing for an empty one. 0 or -ENOMEM. */
int cpulist_format(const struct cpulist *list, struct str *out);

void cpulist_release(struct cpulist *list);

#endif
