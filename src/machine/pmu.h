/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PMUs that sysfs describes below /sys/bus/event_source/devices (kernel: Documentation/ABI/
 * testing/sysfs-bus-event_source-devices*): a PMU's type number, its format/ terms (which bits of
 * which config word a term fills) and its events/ (named strings of terms).
 */
#ifndef PSTAT_MACHINE_PMU_H
#define PSTAT_MACHINE_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"

enum { PMU_CONFIG_WORDS = 5 }; /* config, config1 … config4 */

/* One term of format/: value bits, lowest first, go to these bits of one config word. */
struct pmu_format {
	unsigned int word; /* 0 … PMU_CONFIG_WORDS - 1 */
	unsigned int width; /* how many bits a value may have, 1 … 64 */
	uint8_t bit[64]; /* bit[i]: where bit i of the value goes, 0 … 63 */
};

/* The text of a format/ file, "config1:1,6-10,44". 0 or -EINVAL. */
int pmu_format_parse(const char *text, struct pmu_format *format);

/* Put value into the term's bits of words[], beside the bits that are set there already. 0, or
 * -ERANGE: value is too wide. */
int pmu_format_fill(const struct pmu_format *format, uint64_t value,
		    uint64_t words[PMU_CONFIG_WORDS]);

/* The PMU's type number. 0; -ENOENT: there is no such PMU; other -errno. */
int pmu_type(const struct machine *m, const char *pmu, uint32_t *type);

/* A term of the PMU. 0; -ENOENT: it has no such term; -EINVAL: sysfs holds what cannot be read. */
int pmu_format(const struct machine *m, const char *pmu, const char *term,
	       struct pmu_format *format);

/* An entry of the PMU's events/: its terms, the caller's to free. 0; -ENOENT: no such event. */
int pmu_event(const struct machine *m, const char *pmu, const char *event, char **terms);

/* What stands beside an entry of events/. unit: the caller's to free, NULL where there is none;
 * scale: 1 where there is none. 0 or -ENOMEM; a file that makes no sense counts as none. */
int pmu_event_unit(const struct machine *m, const char *pmu, const char *event, char **unit,
		   double *scale);

/* Whether an entry of events/ is a level at the time of reading (its .snapshot file), not a count. */
bool pmu_event_snapshot(const struct machine *m, const char *pmu, const char *event);

/* The CPUs on which an uncore PMU is to be opened, as in its cpumask file ("0,18"), the caller's to
 * free. 0; -ENOENT: the PMU is no uncore PMU, it goes with tasks. */
int pmu_cpumask(const struct machine *m, const char *pmu, char **cpus);

/* The CPUs whose core PMU this is, as in its cpus file ("0-7"), the caller's to free. 0; -ENOENT: it
 * does not say, it is that of all CPUs. */
int pmu_cpus(const struct machine *m, const char *pmu, char **cpus);

/*
 * Append the PMUs that name stands for, in order: the one of that very name; else those that match
 * it as a pattern (fnmatch(3)), or are instances of it: a number behind it ("imc_0", "cha12"), with
 * "uncore_" before it or not. 0, also when there are none, or -errno.
 */
int pmu_match(const struct machine *m, const char *name, struct str_list *list);

/* Names, sorted, appended to list. 0 or -errno; a PMU without such a folder adds nothing. */
int pmu_list(const struct machine *m, struct str_list *list);
int pmu_list_formats(const struct machine *m, const char *pmu, struct str_list *list);
int pmu_list_events(const struct machine *m, const char *pmu, struct str_list *list);

/* Whether the PMU counts what tasks do on a core, as opposed to an uncore or a software PMU. */
bool pmu_is_core(const struct machine *m, const char *pmu);

/* Whether two PMUs are instances of one: "uncore_imc_0" and "uncore_imc_1". */
bool pmu_same_stem(const char *a, const char *b);

/* Append the core PMUs of a hybrid machine, which has several, in the order of their types: nothing on
 * a machine whose cores are all alike. 0 or -ENOMEM. */
int pmu_hybrid(const struct machine *m, struct str_list *list);

/* 1 if this machine shows a core PMU, 0 if it does not, -errno if that is unknown. */
int pmu_any_core(const struct machine *m);

#endif
