/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "job/table_metrics.h"
#include "machine/cpulist.h"
#include "machine/host.h"
#include "machine/perf_tables.h"
#include "machine/pmu.h"
#include "machine/topology.h"

/* ---- Facts about the machine. */

/* The number of different places of a split. 0: unknown. */
static size_t count_places(const struct machine *m, enum topology_need split)
{
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };
	cleanup_free struct cpu_place *places = NULL;
	size_t n = 0;

	if (cpulist_online(m, &cpus) < 0 ||
	    topology_read(m, &cpus, TOPOLOGY_SOCKET | TOPOLOGY_DIE | TOPOLOGY_CORE, 0, &places) < 0)
		return 0;
	for (size_t i = 0; i < cpus.n; i++) {
		size_t k = 0;

		while (k < i && topology_compare(split, &places[k], &places[i]) != 0)
			k++;
		n += k == i;
	}
	return n;
}

static size_t count_cpus(const struct machine *m,
			 int (*read)(const struct machine *m, struct cpulist *list))
{
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };

	return read(m, &cpus) == 0 ? cpus.n : 0;
}

static bool has_smt(const struct machine *m)
{
	size_t cores_n;
	int active;

	if (machine_read_int(m, &active, "/sys/devices/system/cpu/smt/active") == 0)
		return active;
	cores_n = count_places(m, TOPOLOGY_CORE);
	return cores_n > 0 && cores_n < count_cpus(m, cpulist_online);
}

/* The width of the pipeline of arm64: a hexadecimal number. */
static long double pipeline_slots(const struct machine *m)
{
	cleanup_str_list struct str_list pmus = { 0 };

	if (pmu_list(m, &pmus) < 0)
		return 0;
	for (size_t i = 0; i < pmus.n; i++) {
		cleanup_free char *text = NULL;

		if (pmu_is_core(m, pmus.v[i]) &&
		    machine_read(m, &text, PMU_DEVICES "/%s/caps/slots", pmus.v[i]) == 0)
			return strtold(text, NULL);
	}
	return 0;
}

/* False: the fact is unknown. */
static bool fact_of(const void *data, const char *name, long double *value)
{
	const struct table_metrics *t = data;
	const struct machine *m = t->machine;
	static const struct {
		const char *name;
		enum topology_need split;
	} places[] = {
		{ "num_cores", TOPOLOGY_CORE },
		{ "num_dies", TOPOLOGY_DIE },
		{ "num_packages", TOPOLOGY_SOCKET },
	};

	*value = 0;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (strcasecmp(name, places[i].name) == 0)
			*value = (long double)count_places(m, places[i].split);
	if (strcasecmp(name, "num_cpus") == 0)
		*value = (long double)count_cpus(m, cpulist_present);
	else if (strcasecmp(name, "num_cpus_online") == 0)
		*value = (long double)count_cpus(m, cpulist_online);
	else if (strcasecmp(name, "system_tsc_freq") == 0)
		*value = (long double)host_tsc_hz(m);
	else if (strcasecmp(name, "slots") == 0)
		*value = pipeline_slots(m);
	if (*value > 0)
		return true;
	/* these may be 0 */
	if (strcasecmp(name, "smt_on") == 0)
		*value = has_smt(m);
	else if (strcasecmp(name, "core_wide") == 0)
		*value = t->core_wide;
	else if (strcasecmp(name, "has_pmem") == 0)
		*value = machine_has(m, "/sys/firmware/acpi/tables/NFIT");
	else
		return false;
	return true;
}

/* ---- Names. */

static const char *unit_of(const struct table_metrics *t, const struct perf_object *metric)
{
	const char *unit = perf_tables_member(t->machine->tables, metric, "Unit");

	return unit && (strcmp(unit, "cpu_core") == 0 || strcmp(unit, "cpu_atom") == 0) ? unit :
											  NULL;
}

static const char *metric_of(const void *data, const char *name)
{
	const struct table_metrics *t = data;
	const struct perf_tables *tables = t->machine->tables;
	const struct perf_object *end = tables->metrics + tables->metrics_n;
	const struct perf_object *found =
		perf_tables_find(tables->metrics, tables->metrics_n, name);

	for (const struct perf_object *it = found; it && it < end; it++)
		if (strcasecmp(it->name, name) != 0)
			break;
		else if (str_equal(unit_of(t, it), t->pmu))
			return perf_tables_member(tables, it, "MetricExpr");
	return NULL;
}

static bool has_event(const void *data, const char *name)
{
	const struct table_metrics *t = data;
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	return resolve_events(t->machine, RESOLVE_BY_ALL, name, &list, &why) == 0;
}

/* Whether the CPU is that of arm64 with this MIDR, or one of its later variants and revisions. */
static bool is_midr(const struct machine *m, const char *pattern)
{
	const unsigned long long wanted = strtoull(pattern, NULL, 16), changing = 0xf0000f;
	cleanup_free char *text = NULL;
	unsigned long long midr;

	if (machine_read(m, &text, HOST_MIDR) < 0)
		return false;
	midr = strtoull(text, NULL, 16);
	return (midr & ~changing) == (wanted & ~changing) &&
	       (midr & changing) >= (wanted & changing);
}

/* Whether the whole name of this CPU matches, with or without its stepping. */
static bool is_cpu(const void *data, const char *pattern)
{
	const struct table_metrics *t = data;
	cleanup_free char *cpu = host_cpu_id(t->machine);
	bool matches = false;
	regmatch_t match;
	regex_t regex;

	if (strncmp(pattern, "0x", 2) == 0)
		return is_midr(t->machine, pattern);
	if (!cpu || regcomp(&regex, pattern, REG_EXTENDED) != 0)
		return false;
	for (size_t i = 0; i < 2; i++) {
		matches |= regexec(&regex, cpu, 1, &match, 0) == 0 && match.rm_so == 0 &&
			   cpu[match.rm_eo] == '\0';
		if (strrchr(cpu, '-'))
			*strrchr(cpu, '-') = '\0';
	}
	regfree(&regex);
	return matches;
}

/* Whether a list of names, separated by ';', has this name. */
static bool has_name(const char *list, const char *name)
{
	const size_t n = strlen(name);

	while (list) {
		const char *begin = list + strspn(list, " ");
		size_t len = strcspn(begin, ";");

		list = begin[len] ? begin + len + 1 : NULL;
		while (len > 0 && begin[len - 1] == ' ')
			len--;
		if (len == n && strncasecmp(begin, name, n) == 0)
			return true;
	}
	return false;
}

/* Whether the events of a metric are not in a group. */
static bool is_apart(const struct table_metrics *t, const struct perf_object *metric,
		     const char *name)
{
	const struct perf_tables *tables = t->machine->tables;
	const char *constraint = perf_tables_member(tables, metric, "MetricConstraint");

	if (has_name(perf_tables_member(tables, metric, "MetricgroupNoGroup"), name))
		return true;
	if (!constraint)
		return false;
	if (strcmp(constraint, "NO_GROUP_EVENTS_NMI") == 0 ||
	    strcmp(constraint, "NO_NMI_WATCHDOG") == 0)
		return host_nmi_watchdog(t->machine);
	if (strcmp(constraint, "NO_GROUP_EVENTS_SMT") == 0)
		return has_smt(t->machine);
	return strcmp(constraint, "NO_GROUP_EVENTS") == 0;
}

static int find(const void *data, const char *name,
		int (*visit)(const struct metric_of_table *metric, void *to), void *to,
		struct why *why)
{
	struct table_metrics *t = (struct table_metrics *)(uintptr_t)data;
	const struct perf_tables *tables = t->machine->tables;
	size_t n = 0;
	int err = 0;

	host_complete_tables(t->machine);
	for (size_t i = 0; err == 0 && i < tables->metrics_n; i++) {
		const struct perf_object *it = &tables->metrics[i];
		struct metric_of_table metric = { .name = it->name };

		if (strcasecmp(it->name, name) != 0 &&
		    !has_name(perf_tables_member(tables, it, "MetricGroup"), name))
			continue;
		n++;
		t->pmu = unit_of(t, it);
		metric.expression = perf_tables_member(tables, it, "MetricExpr");
		metric.scale_unit = perf_tables_member(tables, it, "ScaleUnit");
		metric.threshold = perf_tables_member(tables, it, "MetricThreshold");
		metric.pmu = t->pmu;
		metric.apart = is_apart(t, it, name);
		err = visit(&metric, to);
	}
	t->pmu = NULL;
	return n == 0 && tables->trouble ? why_set(why, -EINVAL, "%s", tables->trouble) : err;
}

struct metric_tables table_metrics_of(struct table_metrics *t)
{
	return (struct metric_tables){ .names = { .data = t,
						  .metric = metric_of,
						  .fact = fact_of,
						  .has_event = has_event,
						  .is_cpu = is_cpu },
				       .find = find };
}

int table_metrics_machine(struct machine *m, const struct options *o, struct why *why)
{
	int err = machine_init(m, o->sysroot, why);

	for (size_t i = 0; err == 0 && i < o->metrics_files.n; i++) {
		cleanup_why struct why trouble = { 0 };

		err = perf_tables_read(m->tables, o->metrics_files.v[i], &trouble);
		if (err < 0)
			why_set(why, err, "--metrics-file %s", why_text(&trouble, err));
	}
	return err;
}
