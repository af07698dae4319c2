/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <limits.h>

#include "document/schema.h"
#include "result/comparison.h"
#include "result/series.h"
#include "result/table.h"

const char *const schema_states[ELSEWHERE + 1] = {
	[COUNTED] = "counted",	       [SCALED] = "scaled",
	[NOT_COUNTED] = "not counted", [NOT_SUPPORTED] = "not supported",
	[FAILED] = "failed",	       [ELSEWHERE] = "in another pass",
};

const char *const schema_splits[PLACE_N] = {
	[PLACE_TARGET] = "target",   [PLACE_CPU] = "cpu",     [PLACE_CORE] = "core",
	[PLACE_CLUSTER] = "cluster", [PLACE_CACHE] = "cache", [PLACE_DIE] = "die",
	[PLACE_SOCKET] = "socket",   [PLACE_NODE] = "node",   [PLACE_THREAD] = "thread",
	[PLACE_PROCESS] = "process",
};

const char *const schema_ends[PROCESS_ENDED + 1] = {
	[PROCESS_RUNNING] = "running",
	[PROCESS_EXECUTED] = "executed",
	[PROCESS_ENDED] = "ended",
};

const char *const schema_estimators[ESTIMATOR_UNSCALED + 1] = {
	[ESTIMATOR_EXACT] = "exact",
	[ESTIMATOR_MODEL] = "model",
	[ESTIMATOR_SCALING] = "scaling",
	[ESTIMATOR_UNSCALED] = "unscaled",
};

static const char *const schema_limit_sources[] = { NULL, "history", "too little history" };

#define AT(member) offsetof(struct provenance, member)

const struct schema_field schema_pstat[] = {
	{ "version", SCHEMA_STRING, SCHEMA_REQUIRED, AT(pstat) },
	{ "libpfm4", SCHEMA_STRING, SCHEMA_NULLABLE, AT(libpfm4) },
	{ "seed", SCHEMA_OTHER, SCHEMA_NULLABLE, AT(seed) },
	{ .key = NULL },
};

const struct schema_field schema_target[] = {
	{ "subject", SCHEMA_OTHER, SCHEMA_REQUIRED, 0 },
	{ "argv", SCHEMA_TEXTS, SCHEMA_NULLABLE, AT(argv) },
	{ "cwd", SCHEMA_TEXT, SCHEMA_NULLABLE, AT(cwd) },
	{ "job", SCHEMA_TEXT, SCHEMA_OPTIONAL, AT(job) },
	{ "rank", SCHEMA_KNOWN_INT, SCHEMA_OPTIONAL, AT(rank), 0, RANKS_MAX - 1 },
	{ "ranks", SCHEMA_KNOWN_INT, SCHEMA_OPTIONAL, AT(ranks), 1, RANKS_MAX },
	{ .key = NULL },
};

const struct schema_field schema_host[] = {
	{ "name", SCHEMA_STRING, SCHEMA_NULLABLE, AT(host) },
	{ "kernel", SCHEMA_STRING, SCHEMA_NULLABLE, AT(kernel) },
	{ "machine", SCHEMA_STRING, SCHEMA_NULLABLE, AT(machine) },
	{ "cpu_model", SCHEMA_STRING, SCHEMA_NULLABLE, AT(cpu_model) },
	{ "cpus_online", SCHEMA_STRING, SCHEMA_NULLABLE, AT(cpus_online) },
	{ "pmus", SCHEMA_STRINGS, SCHEMA_REQUIRED, AT(pmus) },
	{ "governors", SCHEMA_STRINGS, SCHEMA_REQUIRED, AT(governors) },
	{ "turbo", SCHEMA_KNOWN_BOOL, SCHEMA_NULLABLE, AT(turbo) },
	{ "aslr", SCHEMA_KNOWN_INT, SCHEMA_NULLABLE, AT(aslr), INT_MIN, INT_MAX },
	{ "perf_event_paranoid", SCHEMA_KNOWN_INT, SCHEMA_NULLABLE, AT(paranoid), INT_MIN,
	  INT_MAX },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct series, member)

const struct schema_field schema_settings[] = {
	{ "place_kind", SCHEMA_WORD, SCHEMA_REQUIRED, AT(split), .words = schema_splits,
	  .words_n = PLACE_N },
	{ "scaled", SCHEMA_SCALING, SCHEMA_REQUIRED, AT(scaling) },
	{ "no_error", SCHEMA_BOOL, SCHEMA_OPTIONAL, AT(no_error) },
	{ "min_running_percent", SCHEMA_NUMBER, SCHEMA_REQUIRED, AT(min_running), .high = 100 },
	{ "passes", SCHEMA_SIZE, SCHEMA_REQUIRED, AT(passes_n) },
	{ "cpus", SCHEMA_NUMBER, SCHEMA_REQUIRED, AT(cpus), .high = DBL_MAX },
	{ "cgroups", SCHEMA_SIZE, SCHEMA_REQUIRED, AT(cgroups_n) },
	{ "null_run", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(null_run) },
	{ "only_counted", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(only_counted) },
	{ "has_usage", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(has_usage) },
	{ "max_rss_floor_kib", SCHEMA_UNSIGNED, SCHEMA_OPTIONAL, AT(max_rss_floor_kib) },
	{ "interval_ms", SCHEMA_UINT, SCHEMA_REQUIRED, AT(interval_ms) },
	{ "show_summary", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(summary_asked) },
	{ "topdown", SCHEMA_BOOL, SCHEMA_OPTIONAL, AT(topdown) },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct event, member)

const struct schema_field schema_event[] = {
	{ "name", SCHEMA_TEXT, SCHEMA_REQUIRED, AT(name) },
	{ "source", SCHEMA_STRING, SCHEMA_REQUIRED, AT(source) },
	{ "pmu", SCHEMA_STRING, SCHEMA_NULLABLE, AT(pmu) },
	{ "unit", SCHEMA_TEXT, SCHEMA_REQUIRED, AT(unit) },
	{ "factor", SCHEMA_NUMBER, SCHEMA_REQUIRED, AT(factor), -SCHEMA_LARGE, SCHEMA_LARGE },
	{ "tool", SCHEMA_WORD, SCHEMA_NULLABLE, AT(tool), .words = event_tool_names,
	  .words_n = TOOL_N },
	{ "attr", SCHEMA_ATTR, SCHEMA_REQUIRED, 0 },
	{ "libpfm4_name", SCHEMA_STRING, SCHEMA_OPTIONAL, AT(full_name) },
	{ "probed", SCHEMA_TEXT, SCHEMA_OPTIONAL, AT(probed) },
	{ "filter", SCHEMA_TEXT, SCHEMA_OPTIONAL, AT(filter) },
	{ "symbol", SCHEMA_TEXT, SCHEMA_OPTIONAL, AT(symbol) },
	{ "cgroup", SCHEMA_TEXT, SCHEMA_OPTIONAL, AT(cgroup) },
	{ "cpus", SCHEMA_STRING, SCHEMA_OPTIONAL, AT(cpus) },
	{ "merged", SCHEMA_BOOL, SCHEMA_OPTIONAL, AT(merged) },
	{ "implied", SCHEMA_BOOL, SCHEMA_OPTIONAL, AT(implied) },
	{ "snapshot", SCHEMA_BOOL, SCHEMA_OPTIONAL, AT(snapshot) },
	{ "has_modifiers", SCHEMA_BOOL, SCHEMA_OPTIONAL, AT(has_modifiers) },
	{ "opening", SCHEMA_OTHER, SCHEMA_REQUIRED, 0 },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct opening, member)

const struct schema_field schema_opening[] = {
	{ "refused", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(refused) },
	{ "user_only", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(user_only) },
	{ "ungrouped", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(apart) },
	{ "first_task_only", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(first_only) },
	{ "reason", SCHEMA_TEXT, SCHEMA_NULLABLE, AT(reason.text) },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct event_group, member)

const struct schema_field schema_group[] = {
	{ "name", SCHEMA_TEXT, SCHEMA_NULLABLE, AT(name) },
	{ "first", SCHEMA_SIZE, SCHEMA_REQUIRED, AT(first) },
	{ "n", SCHEMA_SIZE, SCHEMA_REQUIRED, AT(n) },
	{ "weak", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(weak) },
	{ "pass", SCHEMA_OTHER, SCHEMA_NULLABLE, 0 },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct schema_placed_row, member)

const struct schema_field schema_row[] = {
	{ "event", SCHEMA_SIZE, SCHEMA_REQUIRED, AT(row.event) },
	{ "place", SCHEMA_SIZE, SCHEMA_REQUIRED, AT(row.place_index) },
	{ "label", SCHEMA_TEXT, SCHEMA_NULLABLE, AT(label) },
	{ "counters", SCHEMA_SIZE, SCHEMA_REQUIRED, AT(row.counters) },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct process, member)

const struct schema_field schema_process[] = {
	{ "place", SCHEMA_OTHER, SCHEMA_REQUIRED, 0 },
	{ "pid", SCHEMA_UINT, SCHEMA_NULLABLE, AT(pid) },
	{ "parent", SCHEMA_PLACE, SCHEMA_NULLABLE, AT(parent) },
	{ "first", SCHEMA_PLACE, SCHEMA_REQUIRED, AT(first) },
	{ "name", SCHEMA_TEXT, SCHEMA_REQUIRED, AT(name) },
	{ "command", SCHEMA_TEXT, SCHEMA_NULLABLE, AT(command) },
	{ "start_ns", SCHEMA_UNSIGNED, SCHEMA_REQUIRED, AT(start_ns) },
	{ "end_ns", SCHEMA_UNSIGNED, SCHEMA_REQUIRED, AT(end_ns) },
	{ "end", SCHEMA_WORD, SCHEMA_REQUIRED, AT(end), .words = schema_ends,
	  .words_n = PROCESS_ENDED + 1 },
	{ "exit_status", SCHEMA_OTHER, SCHEMA_NULLABLE, 0 },
	{ "signal", SCHEMA_OTHER, SCHEMA_NULLABLE, 0 },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct reading, member)

/* A document has the optional arrays if any reading has an estimate. */
const struct schema_field schema_reading[] = {
	{ "state", SCHEMA_WORD, SCHEMA_REQUIRED, AT(state), .words = schema_states,
	  .words_n = ELSEWHERE + 1 },
	{ "raw", SCHEMA_UNSIGNED, SCHEMA_REQUIRED, AT(counts.raw) },
	{ "enabled_ns", SCHEMA_UNSIGNED, SCHEMA_REQUIRED, AT(counts.enabled_ns) },
	{ "running_ns", SCHEMA_UNSIGNED, SCHEMA_REQUIRED, AT(counts.running_ns) },
	{ "estimate", SCHEMA_NUMBER, SCHEMA_OPTIONAL, AT(estimate.count), 0, SCHEMA_LARGE },
	{ "half_width", SCHEMA_NUMBER, SCHEMA_OPTIONAL, AT(estimate.half_width), 0, SCHEMA_LARGE },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct interval, member)

const struct schema_field schema_interval[] = {
	{ "run", SCHEMA_SIZE, SCHEMA_REQUIRED, AT(of_run) },
	{ "end_ns", SCHEMA_UNSIGNED, SCHEMA_REQUIRED, AT(at_ns) },
	{ "missed", SCHEMA_SIZE, SCHEMA_REQUIRED, AT(missed) },
	{ "duration_time", SCHEMA_UNSIGNED, SCHEMA_REQUIRED, AT(run.tool[TOOL_DURATION_TIME]) },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct rank_summary, member)

const struct schema_field schema_rank_summary[] = {
	{ "sum", SCHEMA_NUMBER, SCHEMA_NULLABLE, AT(v[RANK_SUM]), .high = DBL_MAX },
	{ "min", SCHEMA_NUMBER, SCHEMA_NULLABLE, AT(v[RANK_MIN]), .high = DBL_MAX },
	{ "median", SCHEMA_NUMBER, SCHEMA_NULLABLE, AT(v[RANK_MEDIAN]), .high = DBL_MAX },
	{ "max", SCHEMA_NUMBER, SCHEMA_NULLABLE, AT(v[RANK_MAX]), .high = DBL_MAX },
	{ "imbalance", SCHEMA_NUMBER, SCHEMA_NULLABLE, AT(v[RANK_IMBALANCE]), .high = DBL_MAX },
	{ "largest", SCHEMA_TEXT, SCHEMA_NULLABLE, AT(largest) },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct comparison_input, member)

const struct schema_field schema_comparison[] = {
	{ "confidence", SCHEMA_NUMBER, SCHEMA_REQUIRED, AT(confidence), 0.5, 1 },
	{ "seed", SCHEMA_UNSIGNED, SCHEMA_REQUIRED, AT(seed) },
	{ "paired", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(paired) },
	{ "any_time", SCHEMA_BOOL, SCHEMA_OPTIONAL, AT(any_time) },
	{ "reference_runs", SCHEMA_SIZE, SCHEMA_OPTIONAL, AT(reference_n) },
	{ "all_rows", SCHEMA_BOOL, SCHEMA_OPTIONAL, AT(all_rows) },
	{ "different_work", SCHEMA_TEXTS, SCHEMA_OPTIONAL, AT(different_work) },
	{ "gate_scaled", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(gate_scaled) },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct comparison_case, member)

const struct schema_field schema_case[] = {
	{ "name", SCHEMA_TEXT, SCHEMA_REQUIRED, AT(name) },
	{ "any_time", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(any_time) },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct effect_request, member)

const struct schema_field schema_effect[] = {
	{ "name", SCHEMA_TEXT, SCHEMA_NULLABLE, AT(name) },
	{ "minimum_effect", SCHEMA_NUMBER, SCHEMA_NULLABLE, AT(minimum), 0, SCHEMA_LARGE },
	{ "more_is_better", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(more_is_better) },
	{ .key = NULL },
};

#undef AT
#define AT(member) offsetof(struct gate_request, member)

const struct schema_field schema_gate[] = {
	{ "text", SCHEMA_TEXT, SCHEMA_REQUIRED, AT(text) },
	{ "name", SCHEMA_TEXT, SCHEMA_REQUIRED, AT(name) },
	{ "above", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(above) },
	{ "relative", SCHEMA_BOOL, SCHEMA_REQUIRED, AT(relative) },
	{ "geomean", SCHEMA_BOOL, SCHEMA_OPTIONAL, AT(is_geomean) },
	{ "limit", SCHEMA_NUMBER, SCHEMA_REQUIRED, AT(limit.value), -SCHEMA_LARGE, SCHEMA_LARGE },
	{ "limit_source", SCHEMA_WORD, SCHEMA_OPTIONAL, AT(limit.source),
	  .words = schema_limit_sources, .words_n = LIMIT_FALLBACK + 1 },
	{ "changes", SCHEMA_SIZE, SCHEMA_OPTIONAL, AT(limit.changes_n) },
	{ .key = NULL },
};

bool schema_attr_is_optional(const struct attr_field *field)
{
	return field->role == ATTR_BREAKPOINT || field->since;
}
