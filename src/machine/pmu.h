/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PMUs in /sys/bus/event_source/devices (kernel:
 * Documentation/ABI/testing/sysfs-bus-event_source-devices*). A PMU has a type number, format/
 * terms (the bits of the config words that a term fills), and events/ (named strings of terms).
 */
#ifndef PSTAT_MACHINE_PMU_H
#define PSTAT_MACHINE_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"

#define PMU_DEVICES "/sys/bus/event_source/devices"

enum { PMU_CONFIG_WORDS = 5 }; /* config, config1 … config4 */

/* A term of format/. The bits of a value, lowest first, go to these bits of one config word. */
struct pmu_format {
	unsigned int word; /* 0 … PMU_CONFIG_WORDS - 1 */
	unsigned int width; /* the number of bits of a value, 1 … 64 */
	uint8_t bit[64]; /* bit[i]: the bit of the word for bit i of the value, 0 … 63 */
};

/*
 * Set the bits of the term in words[] to value; other bits do not change. 0; -ERANGE: value has too
 * many bits.
 */
int pmu_format_fill(const struct pmu_format *format, uint64_t value,
		    uint64_t words[PMU_CONFIG_WORDS]);

/* The type number of the PMU. 0; -ENOENT: there is no such PMU; another -errno. */
int pmu_type(const struct machine *m, const char *pmu, uint32_t *type);

/* A term of the PMU. 0; -ENOENT: there is no such term; -EINVAL: the file has an unknown form. */
int pmu_format(const struct machine *m, const char *pmu, const char *term,
	       struct pmu_format *format);

/*
 * The CPUs of a core PMU: the content of its cpus file, "0-7". The caller frees it. 0; -ENOENT: all
 * CPUs have this PMU.
 */
int pmu_cpus(const struct machine *m, const char *pmu, char **cpus);

/* Append the sorted names of all PMUs. 0 or -errno. */
int pmu_list(const struct machine *m, struct str_list *list);

/*
 * Whether a name selects the PMU. The name is a pattern (fnmatch(3)), or a PMU without the number
 * of its instances: "imc" selects "imc_0". It may omit "uncore_".
 */
bool pmu_matches(const char *pmu, const char *name);

/*
 * Whether the Compat of an object of perf's tables matches the identifier of the PMU, as in
 * str_matches(). compat NULL: always true. False if the PMU has no identifier.
 */
bool pmu_has_identifier(const struct machine *m, const char *pmu, const char *compat);

/* Whether this is a core PMU, which can count tasks, and not an uncore or software PMU. */
bool pmu_is_core(const struct machine *m, const char *pmu);

/*
 * Add the PMUs of a machine with several kinds of cores, one for each kind, to an empty list. Add
 * nothing if all cores are alike, or if the kernel does not accept generic events for one kind. 0
 * or -ENOMEM.
 */
int pmu_hybrid(const struct machine *m, struct str_list *list);

/* The types of the PMUs of pmu_hybrid(), at most PMU_KINDS_MAX. n = 0: all cores are alike. */
enum { PMU_KINDS_MAX = 8 };

struct pmu_kinds {
	uint32_t types[PMU_KINDS_MAX];
	size_t n;
};

/* Find the types of the PMUs of pmu_hybrid(). 0 or -ENOMEM. */
int pmu_find_kinds(const struct machine *m, struct pmu_kinds *kinds);

/* 1 if the machine has a core PMU, 0 if it has none, -errno if that is unknown. */
int pmu_any_core(const struct machine *m);

#endif
