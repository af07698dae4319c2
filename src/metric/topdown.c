/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "metric/topdown.h"

/* The limits are those of Intel's tables, which also require a remarkable parent. */
static const struct topdown_kind retiring = {
	"retiring", 70,
	"most slots do useful work: only fewer instructions, or vector instructions, help", NULL,
	.is_good = true
};
static const struct topdown_kind bad_speculation = {
	"bad speculation", 15, "work is thrown away, mostly after mispredicted branches",
	"-M branch-miss-rate", NULL
};
static const struct topdown_kind frontend_bound = {
	"frontend bound", 15, "the core waits for instructions",
	"-e instructions,L1-icache-load-misses,iTLB-load-misses", NULL
};
static const struct topdown_kind backend_bound = { "backend bound", 20,
						   "the core waits for data or execution units",
						   "-M l1d-miss-rate,dtlb-miss-rate", NULL };
static const struct topdown_kind smt_contention = { "SMT contention", 20,
						    "the other thread of the core uses the slots",
						    NULL, NULL };
static const struct topdown_kind not_stalled = { "not stalled", 100, "", NULL, NULL };

static const struct topdown_kind heavy_operations = {
	"heavy operations", 10, "many instructions need several operations or microcode", NULL,
	&retiring
};
static const struct topdown_kind light_operations = { "light operations", 100, "", NULL,
						      &retiring };
static const struct topdown_kind branch_mispredicts = {
	"branch mispredicts", 10, "work is thrown away after mispredicted branches",
	"-M branch-miss-rate", &bad_speculation
};
static const struct topdown_kind machine_clears = {
	"machine clears", 10,
	"the pipeline is flushed, for example after conflicting memory accesses", NULL,
	&bad_speculation
};
static const struct topdown_kind fetch_latency = {
	"fetch latency", 10,
	"the core waits for instructions, for example after cache or TLB misses",
	"-e instructions,L1-icache-load-misses,iTLB-load-misses", &frontend_bound
};
static const struct topdown_kind fetch_bandwidth = {
	"fetch bandwidth", 20, "the front end delivers too few operations per cycle", NULL,
	&frontend_bound
};
static const struct topdown_kind memory_bound = { "memory bound", 20, "the core waits for data",
						  "-M l1d-miss-rate,dtlb-miss-rate",
						  &backend_bound };
static const struct topdown_kind core_bound = {
	"core bound", 10, "operations wait for each other or for execution units", NULL,
	&backend_bound
};

/* ---- Intel. The names of the events are those of the kernel (arch/x86/events/intel/core.c). */

/* The counter of slots leads the group, although its value is not used (kernel:
 * tools/perf/Documentation/topdown.txt). */
#define INTEL_PART(event)                                                                          \
	"topdown\\-" event " / (topdown\\-retiring + topdown\\-bad\\-spec + "                      \
	"topdown\\-fe\\-bound + topdown\\-be\\-bound)"
#define INTEL_REST(event, part)                                                                    \
	"max(0, topdown\\-" event " - topdown\\-" part                                             \
	") / (topdown\\-retiring + topdown\\-bad\\-spec + "                                        \
	"topdown\\-fe\\-bound + topdown\\-be\\-bound) + 0 * slots"
#define INTEL_SLOTS(event) INTEL_PART(event) " + 0 * slots"

/* Until Cascade Lake. The kernel knows the width of the core. */
#define INTEL_TOTAL "(#total_slots_scale * topdown\\-total\\-slots)"
#define INTEL_BUBBLES "topdown\\-fetch\\-bubbles"
#define INTEL_RECOVERY "#recovery_scale * topdown\\-recovery\\-bubbles"

/* ---- AMD: the metrics of perf's tables amdzen4 and amdzen5 (pipeline.json). SMT contention is the
 * remainder, so that five counters are enough. */

#define AMD_CYCLES "cpu@event\\=0x76@"
#define AMD_NO_OPS "cpu@event\\=0x1a0\\,umask\\=0x1@"
#define AMD_STALLS "cpu@event\\=0x1a0\\,umask\\=0x1e@"
#define AMD_DISPATCHED "cpu@event\\=0xaa\\,umask\\=0x7@"
#define AMD_RETIRED "cpu@event\\=0xc1@"
#define AMD_NODES(width)                                                                           \
	{                                                                                          \
		{ &retiring, "retiring", AMD_RETIRED " / (" width " * " AMD_CYCLES ")" },          \
			{ &bad_speculation, "bad_speculation",                                     \
			  "(" AMD_DISPATCHED " - " AMD_RETIRED ") / (" width " * " AMD_CYCLES      \
			  ")" },                                                                   \
			{ &frontend_bound, "frontend_bound",                                       \
			  AMD_NO_OPS " / (" width " * " AMD_CYCLES ")" },                          \
			{ &backend_bound, "backend_bound",                                         \
			  AMD_STALLS " / (" width " * " AMD_CYCLES ")" },                          \
			{ &smt_contention, "smt_contention",                                       \
			  "1 - (" AMD_DISPATCHED " + " AMD_NO_OPS " + " AMD_STALLS ") / (" width   \
			  " * " AMD_CYCLES ")" },                                                  \
			{ .kind = NULL },                                                          \
	}

/*
 * ---- Arm: the metrics TopdownL1 of each core's telemetry specification; for other cores those of
 * Arm's SBSA. STALL_SLOT is the sum of STALL_SLOT_FRONTEND and STALL_SLOT_BACKEND.
 */

#define ARM_SLOTS "stall_slot_frontend stall_slot_backend op_retired op_spec"
#define ARM_LOST(slots) slots " * br_mis_pred / cpu_cycles" /* after mispredicted branches */
#define ARM_ISSUED(frontend, width)                                                                \
	"(1 - (" frontend " + stall_slot_backend) / (" width " * cpu_cycles))"
/* lost…: the slots lost to mispredicted branches, which the stall events count, too */
#define ARM_NODES(frontend, width, lost, lost_frontend, lost_backend)                              \
	{                                                                                          \
		{ &retiring, "retiring", "op_retired / op_spec * " ARM_ISSUED(frontend, width) },  \
			{ &bad_speculation, "bad_speculation",                                     \
			  "(1 - op_retired / op_spec) * " ARM_ISSUED(frontend, width) "" lost },   \
			{ &frontend_bound, "frontend_bound",                                       \
			  frontend " / (" width " * cpu_cycles)" lost_frontend },                  \
			{ &backend_bound, "backend_bound",                                         \
			  "stall_slot_backend / (" width " * cpu_cycles)" lost_backend },          \
			{ .kind = NULL },                                                          \
	}

/* A core whose mispredicted branches cost four slots, of which these stall events count a part. */
#define ARM_FORM(midr, frontend, width, lost_frontend, lost_backend)                               \
	{                                                                                          \
		.cpu = (midr), .events = ARM_SLOTS " br_mis_pred", .prefix = "",                   \
		.nodes = ARM_NODES(frontend, width, " + " ARM_LOST("4"),                           \
				   " - " ARM_LOST(lost_frontend), lost_backend)                    \
	}

/* Cores without events for slots: parts of the cycles. */
#define ARM_NOT_STALLED "(1 - (stall_frontend + stall_backend) / cpu_cycles)"

const struct topdown_form topdown_forms[] = {
	/* Sapphire Rapids and later */
	{ .events = "slots topdown-retiring topdown-mem-bound",
	  .prefix = "tma_",
	  .nodes = { { &retiring, "retiring", INTEL_SLOTS("retiring") },
		     { &light_operations, "light_operations",
		       INTEL_REST("retiring", "heavy\\-ops") },
		     { &heavy_operations, "heavy_operations", INTEL_SLOTS("heavy\\-ops") },
		     { &bad_speculation, "bad_speculation", INTEL_SLOTS("bad\\-spec") },
		     { &branch_mispredicts, "branch_mispredicts", INTEL_SLOTS("br\\-mispredict") },
		     { &machine_clears, "machine_clears",
		       INTEL_REST("bad\\-spec", "br\\-mispredict") },
		     { &frontend_bound, "frontend_bound", INTEL_SLOTS("fe\\-bound") },
		     { &fetch_latency, "fetch_latency", INTEL_SLOTS("fetch\\-lat") },
		     { &fetch_bandwidth, "fetch_bandwidth",
		       INTEL_REST("fe\\-bound", "fetch\\-lat") },
		     { &backend_bound, "backend_bound", INTEL_SLOTS("be\\-bound") },
		     { &memory_bound, "memory_bound", INTEL_SLOTS("mem\\-bound") },
		     { &core_bound, "core_bound", INTEL_REST("be\\-bound", "mem\\-bound") } } },
	/* Ice Lake and later */
	{ .events = "slots topdown-retiring",
	  .prefix = "tma_",
	  .nodes = { { &retiring, "retiring", INTEL_SLOTS("retiring") },
		     { &bad_speculation, "bad_speculation", INTEL_SLOTS("bad\\-spec") },
		     { &frontend_bound, "frontend_bound", INTEL_SLOTS("fe\\-bound") },
		     { &backend_bound, "backend_bound", INTEL_SLOTS("be\\-bound") } } },
	/* the efficient cores of hybrid machines, and Tremont */
	{ .events = "topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound",
	  .prefix = "tma_",
	  .nodes = { { &retiring, "retiring", INTEL_PART("retiring") },
		     { &bad_speculation, "bad_speculation", INTEL_PART("bad\\-spec") },
		     { &frontend_bound, "frontend_bound", INTEL_PART("fe\\-bound") },
		     { &backend_bound, "backend_bound", INTEL_PART("be\\-bound") } } },
	/* Sandy Bridge to Cascade Lake, Goldmont */
	{ .events = "topdown-total-slots topdown-slots-issued topdown-slots-retired "
		    "topdown-fetch-bubbles topdown-recovery-bubbles",
	  .of_cores = true,
	  .prefix = "tma_",
	  .nodes = { { &retiring, "retiring", "topdown\\-slots\\-retired / " INTEL_TOTAL },
		     { &bad_speculation, "bad_speculation",
		       "(topdown\\-slots\\-issued - topdown\\-slots\\-retired + " INTEL_RECOVERY
		       ") / " INTEL_TOTAL },
		     { &frontend_bound, "frontend_bound", INTEL_BUBBLES " / " INTEL_TOTAL },
		     { &backend_bound, "backend_bound",
		       "1 - (" INTEL_BUBBLES " + topdown\\-slots\\-issued + " INTEL_RECOVERY
		       ") / " INTEL_TOTAL } } },
	/* Zen 4 and Zen 5 */
	{ .cpu = "AuthenticAMD-25-(1|[6-9A])[[:xdigit:]]",
	  .events = "cpu-cycles",
	  .prefix = "",
	  .nodes = AMD_NODES("6") },
	{ .cpu = "AuthenticAMD-26-[[:xdigit:]]+",
	  .events = "cpu-cycles",
	  .prefix = "",
	  .nodes = AMD_NODES("8") },
	/* Neoverse V2, V1, and N2; STALL_SLOT_FRONTEND of N2 before r0p3 also counts each cycle */
	ARM_FORM("0x410fd4f0", "stall_slot_frontend", "8", "1", " - " ARM_LOST("3")),
	ARM_FORM("0x410fd400", "stall_slot_frontend", "8", "4", ""),
	ARM_FORM("0x410fd493", "stall_slot_frontend", "5", "1", " - " ARM_LOST("3")),
	ARM_FORM("0x410fd490", "(stall_slot_frontend - cpu_cycles)", "5", "1", " - " ARM_LOST("3")),
	{ .events = ARM_SLOTS,
	  .prefix = "",
	  .nodes = ARM_NODES("stall_slot_frontend", "#slots", "", "", "") },
	/* Neoverse N1, Cortex-A76 */
	{ .events = "stall_frontend stall_backend inst_spec",
	  .prefix = "",
	  .nodes = { { &retiring, "retiring", "inst_retired / inst_spec * " ARM_NOT_STALLED },
		     { &bad_speculation, "bad_speculation",
		       "(1 - inst_retired / inst_spec) * " ARM_NOT_STALLED },
		     { &frontend_bound, "frontend_bound", "stall_frontend / cpu_cycles" },
		     { &backend_bound, "backend_bound", "stall_backend / cpu_cycles" } } },
	/* other cores of ARMv8.1 */
	{ .events = "stall_frontend stall_backend",
	  .prefix = "",
	  .nodes = { { &not_stalled, "not_stalled", ARM_NOT_STALLED },
		     { &frontend_bound, "frontend_bound", "stall_frontend / cpu_cycles" },
		     { &backend_bound, "backend_bound", "stall_backend / cpu_cycles" } } },
	{ .events = NULL },
};

const struct topdown_kind *topdown_find(const char *title)
{
	for (const struct topdown_form *form = topdown_forms; form->events; form++)
		for (const struct topdown_node *node = form->nodes; node->kind; node++)
			if (strcmp(node->kind->title, title) == 0)
				return node->kind;
	return NULL;
}

unsigned int topdown_level(const struct topdown_kind *kind)
{
	return kind->parent ? 1 + topdown_level(kind->parent) : 1;
}

unsigned int topdown_levels(const struct topdown_form *form)
{
	unsigned int levels = 1;

	for (const struct topdown_node *node = form->nodes; node->kind; node++)
		if (topdown_level(node->kind) > levels)
			levels = topdown_level(node->kind);
	return levels;
}

const char *topdown_next(const struct topdown_node *node, unsigned int level)
{
	const bool has_parts = node[1].kind && node[1].kind->parent == node->kind;

	return has_parts && level == topdown_level(node->kind) ? TOPDOWN_LEVEL_2 : node->kind->next;
}

bool topdown_is_remarkable(const struct topdown_kind *kind, double percent)
{
	return percent > kind->limit;
}
