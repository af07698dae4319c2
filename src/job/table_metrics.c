/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
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
#include "metric/topdown.h"

#define NO_COUNTERS "this machine has no hardware counters; see --explain cycles"

const char *table_metrics_hint(const struct machine *m)
{
	return pmu_any_core(m) == 0 ? " (" NO_COUNTERS ")" : "";
}

/* ---- Facts about the machine. */

/* The number of different places of a split. 0: unknown. */
static size_t table_metrics_count_places(const struct machine *m, enum topology_need split)
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

static size_t table_metrics_count_cpus(const struct machine *m,
				       int (*read)(const struct machine *m, struct cpulist *list))
{
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };

	return read(m, &cpus) == 0 ? cpus.n : 0;
}

static bool table_metrics_has_smt(const struct machine *m)
{
	size_t cores_n;
	int active;

	if (machine_read_int(m, &active, "/sys/devices/system/cpu/smt/active") == 0)
		return active;
	cores_n = table_metrics_count_places(m, TOPOLOGY_CORE);
	return cores_n > 0 && cores_n < table_metrics_count_cpus(m, cpulist_online);
}

/* The number in a file of a core PMU, decimal or hexadecimal. The PMU is t->pmu; if that is NULL,
 * it is the first one that has the file. 0: there is no such file. */
static long double table_metrics_number_of_pmu(const struct table_metrics *t, const char *file)
{
	const struct machine *m = t->machine;
	cleanup_str_list struct str_list pmus = { 0 };

	if (pmu_list(m, &pmus) < 0)
		return 0;
	for (size_t i = 0; i < pmus.n; i++) {
		cleanup_free char *text = NULL;

		if (pmu_is_core(m, pmus.v[i]) && (!t->pmu || strcmp(t->pmu, pmus.v[i]) == 0) &&
		    machine_read(m, &text, PMU_DEVICES "/%s/%s", pmus.v[i], file) == 0)
			return strtold(text, NULL);
	}
	return 0;
}

/* The factor of a count of topdown_forms: the .scale file of the event. 1: there is no file. */
static long double table_metrics_scale_of(const struct table_metrics *t, const char *file)
{
	const long double scale = table_metrics_number_of_pmu(t, file);

	return scale > 0 ? scale : 1;
}

/* Whether all threads of each counted core are counted. */
static bool table_metrics_is_core_wide(const struct table_metrics *t)
{
	cleanup_with(cpulist_release) struct cpulist counted = { 0 }, online = { 0 };
	cleanup_free struct cpu_place *places = NULL;

	if (!t->target || !t->target->cpus)
		return t->target && t->target->all_cpus;
	if (cpulist_parse(&counted, t->target->cpus) < 0 ||
	    cpulist_online(t->machine, &online) < 0 ||
	    topology_read(t->machine, &online, TOPOLOGY_SOCKET | TOPOLOGY_DIE | TOPOLOGY_CORE, 0,
			  &places) < 0)
		return false;
	for (size_t i = 0; i < online.n; i++)
		for (size_t k = 0; cpulist_has(&counted, online.v[i]) && k < online.n; k++)
			if (!cpulist_has(&counted, online.v[k]) &&
			    topology_compare(TOPOLOGY_CORE, &places[i], &places[k]) == 0)
				return false;
	return true;
}

/* False: the fact is unknown. */
static bool table_metrics_fact_of(const void *data, const char *name, long double *value)
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
			*value = (long double)table_metrics_count_places(m, places[i].split);
	if (strcasecmp(name, "num_cpus") == 0)
		*value = (long double)table_metrics_count_cpus(m, cpulist_present);
	else if (strcasecmp(name, "num_cpus_online") == 0)
		*value = (long double)table_metrics_count_cpus(m, cpulist_online);
	else if (strcasecmp(name, "system_tsc_freq") == 0)
		*value = (long double)host_tsc_hz(m);
	else if (strcasecmp(name, "slots") == 0)
		*value = table_metrics_number_of_pmu(t, "caps/slots");
	else if (strcmp(name, "total_slots_scale") == 0)
		*value = table_metrics_scale_of(t, "events/topdown-total-slots.scale");
	else if (strcmp(name, "recovery_scale") == 0)
		*value = table_metrics_scale_of(t, "events/topdown-recovery-bubbles.scale");
	if (*value > 0)
		return true;
	/* these may be 0 */
	if (strcasecmp(name, "smt_on") == 0)
		*value = table_metrics_has_smt(m);
	else if (strcasecmp(name, "core_wide") == 0 && !t->of_result)
		*value = table_metrics_is_core_wide(t);
	else if (strcasecmp(name, "has_pmem") == 0)
		*value = machine_has(m, "/sys/firmware/acpi/tables/NFIT");
	else
		return false;
	return true;
}

/* ---- Names. */

static const char *table_metrics_unit_of(const struct table_metrics *t,
					 const struct perf_object *metric)
{
	const char *unit = perf_tables_member(t->machine->tables, metric, "Unit");

	return unit && strncmp(unit, "cpu_", 4) == 0 ? unit : NULL;
}

static const char *table_metrics_metric_of(const void *data, const char *name)
{
	const struct table_metrics *t = data;
	const struct perf_tables *tables = t->machine->tables;
	const struct perf_object *end = tables->metrics + tables->metrics_n;
	cleanup_why struct why ignored = { 0 };
	const struct perf_object *found = perf_tables_find_metric(tables, name, &ignored);

	for (const struct perf_object *it = found; it && it < end; it++)
		if (strcasecmp(it->name, name) != 0)
			break;
		else if (str_equal(table_metrics_unit_of(t, it), t->pmu) &&
			 host_suits_object(t->machine, it))
			return perf_tables_member(tables, it, "MetricExpr");
	return NULL;
}

static bool table_metrics_has_event(const void *data, const char *name)
{
	const struct table_metrics *t = data;
	cleanup_with(event_list_release) struct event_list list = { .no_suggestions = true };
	cleanup_why struct why why = { 0 };

	return resolve_events(t->machine, RESOLVE_BY_ALL, name, &list, &why) == 0;
}

static bool table_metrics_is_of_core(const void *data, const char *event)
{
	const struct table_metrics *t = data;
	cleanup_with(event_list_release) struct event_list list = { .no_suggestions = true };
	cleanup_why struct why why = { 0 };

	/* a result may be of another machine, so only the name shows whether it is a core event */
	if (resolve_events(t->machine, RESOLVE_BY_ALL, event, &list, &why) < 0)
		return t->of_result && strncasecmp(event, "unc_", strlen("unc_")) != 0;
	for (size_t i = 0; i < list.n; i++)
		if (pmu_is_core(t->machine, list.events[i].pmu))
			return true;
	return false;
}

/* Whether the CPU is that of arm64 with this MIDR, or one of its later variants and revisions. */
static bool table_metrics_is_midr(const struct machine *m, const char *pattern)
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
static bool table_metrics_is_cpu(const void *data, const char *pattern)
{
	const struct table_metrics *t = data;
	cleanup_free char *cpu = host_cpu_id(t->machine);

	if (strncmp(pattern, "0x", 2) == 0)
		return table_metrics_is_midr(t->machine, pattern);
	if (!cpu)
		return false;
	if (str_matches(cpu, pattern))
		return true;
	if (strrchr(cpu, '-'))
		*strrchr(cpu, '-') = '\0';
	return str_matches(cpu, pattern);
}

/* Whether the events of a metric are not in a group. */
static bool table_metrics_is_apart(const struct table_metrics *t, const struct perf_object *metric,
				   const char *name)
{
	const struct perf_tables *tables = t->machine->tables;
	const char *constraint = perf_tables_member(tables, metric, "MetricConstraint");

	if (perf_tables_has_name(perf_tables_member(tables, metric, "MetricgroupNoGroup"), name))
		return true;
	if (!constraint)
		return false;
	if (strcmp(constraint, "NO_GROUP_EVENTS_NMI") == 0 ||
	    strcmp(constraint, "NO_NMI_WATCHDOG") == 0)
		return host_nmi_watchdog(t->machine);
	if (strcmp(constraint, "NO_GROUP_EVENTS_SMT") == 0)
		return table_metrics_has_smt(t->machine);
	return strcmp(constraint, "NO_GROUP_EVENTS") == 0;
}

/* Core PMUs, and the levels of topdown that are built in for each. */
struct core_pmus {
	struct str_list names; /* owned */
	unsigned int *levels; /* owned */
};

static void table_metrics_core_pmus_release(struct core_pmus *cores)
{
	str_list_release(&cores->names);
	free(cores->levels);
}

/* Where the metrics that are found go. */
struct visitor {
	int (*visit)(const struct metric_of_table *metric, void *to);
	void *to;
	size_t n; /* visited metrics */
	/* skip the metrics of a PMU that has this level already; NULL: visit all */
	const struct core_pmus *cores;
	unsigned int level;
};

static bool table_metrics_has_level(const struct visitor *v, const char *pmu)
{
	for (size_t i = 0; v->cores && i < v->cores->names.n; i++)
		if (!pmu || strcmp(v->cores->names.v[i], pmu) == 0)
			return v->cores->levels[i] >= v->level;
	return false;
}

static int table_metrics_find_in_tables(struct table_metrics *t, const char *name,
					struct visitor *v)
{
	const struct perf_tables *tables = t->machine->tables;
	int err = 0;

	for (size_t i = 0; err == 0 && i < tables->metrics_n; i++) {
		const struct perf_object *it = &tables->metrics[i];
		struct metric_of_table metric = { .name = it->name };
		cleanup_why struct why trouble = { 0 };

		if (strcasecmp(it->name, name) != 0 && !perf_tables_has_name(it->groups, name))
			continue;
		err = perf_tables_check(tables, it, &trouble);
		if (err == -ENOMEM)
			return err;
		if (err == 0 && !host_suits_object(t->machine, it))
			continue;
		t->pmu = table_metrics_unit_of(t, it);
		if (table_metrics_has_level(v, t->pmu))
			continue;
		v->n++;
		metric.expression = perf_tables_member(tables, it, "MetricExpr");
		if (err < 0)
			metric.trouble = why_text(&trouble, err);
		else if (!metric.expression)
			metric.trouble = "it has no MetricExpr";
		metric.meaning = perf_tables_member(tables, it, "BriefDescription");
		metric.groups = perf_tables_member(tables, it, "MetricGroup");
		metric.scale_unit = perf_tables_member(tables, it, "ScaleUnit");
		metric.threshold = perf_tables_member(tables, it, "MetricThreshold");
		metric.pmu = t->pmu;
		metric.apart = table_metrics_is_apart(t, it, name);
		err = v->visit(&metric, v->to);
	}
	t->pmu = NULL;
	return err;
}

/* ---- Topdown. */

static bool table_metrics_has_events(const struct machine *m, const char *pmu, const char *events)
{
	cleanup_str_list struct str_list names = { 0 };

	if (str_list_split(&names, events, ' ') < 0)
		return false;
	for (size_t i = 0; i < names.n; i++)
		if (names.v[i][0] && !machine_has(m, PMU_DEVICES "/%s/events/%s", pmu, names.v[i]))
			return false;
	return true;
}

/* NULL: none fits. */
static const struct topdown_form *table_metrics_form_of(const struct table_metrics *t,
							const char *pmu)
{
	for (const struct topdown_form *form = topdown_forms; form->events; form++)
		if ((!form->cpu || table_metrics_is_cpu(t, form->cpu)) &&
		    table_metrics_has_events(t->machine, pmu, form->events))
			return form;
	return NULL;
}

/* Whether the cores have several threads, and topdown-total-slots counts all of them (any=1). */
static bool table_metrics_counts_any_thread(const struct machine *m)
{
	cleanup_free char *text = NULL;

	return machine_read(m, &text, PMU_DEVICES "/cpu/events/topdown-total-slots") == 0 &&
	       strstr(text, "any=1");
}

/* Visit the nodes up to a level. t->pmu: one of several core PMUs, or NULL. */
static int table_metrics_visit_nodes(const struct table_metrics *t, const struct topdown_form *form,
				     size_t set, unsigned int level, struct visitor *v,
				     struct why *why)
{
	int err = 0;

	if (form->of_cores && !t->whole_cores && table_metrics_counts_any_thread(t->machine))
		return why_set(
			why, -EINVAL,
			"this CPU counts the slots of whole cores only (SMT); use -a without "
			"-A, -C, cgroups or --per-thread");
	for (const struct topdown_node *node = form->nodes; err == 0 && node->kind; node++) {
		cleanup_str struct str name = { 0 };
		struct metric_of_table metric = { .expression = node->expression,
						  .scale_unit = "100%",
						  .pmu = t->pmu,
						  .set = set,
						  .topdown = node->kind,
						  .next = topdown_next(node, level) };

		if (topdown_level(node->kind) > level)
			continue;
		str_addf(&name, "%s%s", form->prefix, node->name);
		if (name.failed)
			return -ENOMEM;
		metric.name = str_text(&name);
		v->n++;
		err = v->visit(&metric, v->to);
	}
	return err;
}

/* The core PMUs. */
static int table_metrics_list_core_pmus(const struct machine *m, struct str_list *core)
{
	cleanup_str_list struct str_list pmus = { 0 };
	int err = pmu_hybrid(m, core);

	if (err == 0 && core->n == 0)
		err = pmu_list(m, &pmus);
	for (size_t i = 0; err == 0 && i < pmus.n; i++)
		if (pmu_is_core(m, pmus.v[i]))
			err = str_list_add(core, pmus.v[i]);
	return err;
}

/* Visit the parts of the slots of all core PMUs up to a level, and fill cores. */
static int table_metrics_find_topdown(struct table_metrics *t, unsigned int level,
				      struct core_pmus *cores, struct visitor *v, struct why *why)
{
	int err = table_metrics_list_core_pmus(t->machine, &cores->names);

	cores->levels = calloc(cores->names.n + 1, sizeof(*cores->levels));
	if (!cores->levels)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < cores->names.n; i++) {
		const struct topdown_form *form = table_metrics_form_of(t, cores->names.v[i]);

		if (!form)
			continue;
		cores->levels[i] = topdown_levels(form);
		t->pmu = cores->names.n > 1 ? cores->names.v[i] : NULL;
		err = table_metrics_visit_nodes(t, form, ++t->sets, level, v, why);
	}
	t->pmu = NULL;
	return err;
}

/* --topdown=LEVEL: the built-in levels, and the missing ones from the tables. */
static int table_metrics_find_levels(struct table_metrics *t, unsigned int level, struct visitor *v,
				     struct why *why)
{
	static const char *const groups[] = { "TopdownL", "PipelineL" }; /* PipelineL: of AMD */
	cleanup_with(table_metrics_core_pmus_release) struct core_pmus cores = { 0 };
	unsigned int known = 0, least = TOPDOWN_LEVELS_MAX; /* levels of some, and of each core */
	int err = table_metrics_find_topdown(t, level, &cores, v, why);

	if (err == 0 && cores.names.n == 0)
		return why_set(why, -ENOENT, NO_COUNTERS);
	for (size_t i = 0; err == 0 && i < cores.names.n; i++) {
		known = cores.levels[i] > known ? cores.levels[i] : known;
		least = cores.levels[i] < least ? cores.levels[i] : least;
	}
	v->cores = &cores;
	for (unsigned int i = 1; err == 0 && i <= level; i++) {
		const size_t before = v->n;

		v->level = i;
		for (size_t k = 0; err == 0 && i > least && k < sizeof(groups) / sizeof(groups[0]);
		     k++) {
			char name[sizeof("PipelineL6")];

			snprintf(name, sizeof(name), "%s%c", groups[k], (char)('0' + i));
			err = table_metrics_find_in_tables(t, name, v);
		}
		if (err == 0 && v->n == before && i > known)
			err = why_set(why, -ENOENT,
				      "level %u is unknown for this CPU; add perf's tables with "
				      "--metrics-file",
				      i);
	}
	v->cores = NULL;
	return err;
}

/* The level of a name that is the prefix, whatever its case, and a level. 0: it is another name. */
static unsigned int table_metrics_level_of_name(const char *name, const char *prefix)
{
	const size_t n = strlen(prefix);

	if (strncasecmp(name, prefix, n) != 0 || name[n] < '1' ||
	    name[n] > '0' + TOPDOWN_LEVELS_MAX || name[n + 1])
		return 0;
	return (unsigned int)(name[n] - '0');
}

static int table_metrics_find(const void *data, const char *name,
			      int (*visit)(const struct metric_of_table *metric, void *to),
			      void *to, struct why *why)
{
	struct table_metrics *t = (struct table_metrics *)(uintptr_t)data;
	const unsigned int level = table_metrics_level_of_name(name, "topdown");
	cleanup_with(table_metrics_core_pmus_release) struct core_pmus cores = { 0 };
	struct visitor v = { .visit = visit, .to = to };
	int err;

	host_complete_tables(t->machine);
	err = level > 0 ? table_metrics_find_levels(t, level, &v, why) :
			  table_metrics_find_in_tables(t, name, &v);
	if (err == 0 && v.n == 0 && table_metrics_level_of_name(name, "topdownl") == 1)
		err = table_metrics_find_topdown(t, 1, &cores, &v, why);
	return err == 0 && v.n == 0 && t->machine->tables->trouble ?
		       why_set(why, -EINVAL, "%s", t->machine->tables->trouble) :
		       err;
}

static bool table_metrics_replaces(const void *data, const char *name)
{
	const struct table_metrics *t = data;

	return t->machine->tables && perf_tables_gives_metric(t->machine->tables, name);
}

/* Set out to the n bytes at `known` if they are nearer to the name. */
static void table_metrics_keep_nearer(const char *name, const char *known, size_t n,
				      unsigned int *limit, struct str *out)
{
	const unsigned int distance = str_distance(name, strlen(name), known, n);

	if (distance >= *limit)
		return;
	*limit = distance;
	str_release(out);
	str_add_n(out, known, n);
}

static void table_metrics_nearest(const void *data, const char *name, unsigned int *limit,
				  struct str *out)
{
	const struct table_metrics *t = data;
	const struct perf_tables *tables = t->machine->tables;

	for (size_t i = 0; i < tables->metrics_n; i++) {
		const struct perf_object *it = &tables->metrics[i];
		const char *groups = it->groups, *group;

		table_metrics_keep_nearer(name, it->name, strlen(it->name), limit, out);
		for (size_t n; (n = perf_tables_next_name(&groups, &group)) > 0;)
			table_metrics_keep_nearer(name, group, n, limit, out);
	}
}

struct metric_tables table_metrics_of(struct table_metrics *t)
{
	return (struct metric_tables){ .names = { .data = t,
						  .metric = table_metrics_metric_of,
						  .fact = table_metrics_fact_of,
						  .has_event = table_metrics_has_event,
						  .is_cpu = table_metrics_is_cpu },
				       .find = table_metrics_find,
				       .is_of_core = table_metrics_is_of_core,
				       .replaces = table_metrics_replaces,
				       .nearest = table_metrics_nearest };
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
