/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/why.h"
#include "options/option_table.h"

/* Enums are stored as unsigned int, which is the type that gcc and clang give them. */
_Static_assert(sizeof(enum job) == sizeof(unsigned int), "SET_VALUE stores enums as unsigned int");

#define BLANKS " \t"
#define GATES_BETWEEN " or "

static const char *option_pass_blanks(const char *p)
{
	return p + strspn(p, BLANKS);
}

static int option_add_detail(struct options *o, const char *text, struct why *why)
{
	(void)text;
	(void)why;
	o->detail += o->detail < 3;
	return 0;
}

static int option_add_metrics_file(struct options *o, const char *path, struct why *why)
{
	(void)why;
	return str_list_add(&o->metrics_files, path);
}

/* All these options are one request, because the parts of all levels are counted together. A later
 * level replaces an earlier one. */
static int option_add_topdown(struct options *o, const char *text, struct why *why)
{
	static const char *const names[] = { "topdown1", "topdown2", "topdown3",
					     "topdown4", "topdown5", "topdown6" };
	const size_t n = sizeof(names) / sizeof(names[0]);
	uint64_t level = 1;

	if (text && (num_parse(text, strlen(text), &level) < 0 || level < 1 || level > n))
		return why_set(why, -EINVAL, "'%s' is not a topdown level (1 to %zu)", text, n);
	for (size_t i = 0; i < o->requests_n; i++)
		if (o->requests[i].kind == REQUEST_TOPDOWN) {
			o->requests[i].text = text ? names[level - 1] : o->requests[i].text;
			return 0;
		}
	if (array_grow(&o->requests, o->requests_n, &o->requests_size, sizeof(*o->requests)) < 0)
		return -ENOMEM;
	o->requests[o->requests_n++] = (struct event_request){ REQUEST_TOPDOWN, names[level - 1] };
	return 0;
}

static int option_read_cache_level(struct options *o, const char *level, struct why *why)
{
	const char *digit = level && (level[0] == 'L' || level[0] == 'l') ? level + 1 : level;

	if (digit && (digit[0] < '1' || digit[0] > '9' || digit[1] != '\0'))
		return why_set(why, -EINVAL, "--per-cache=%s: not a level from L1 to L9", level);
	o->target.cache_level = digit ? digit[0] - '0' : 0;
	o->target.split = PLACE_CACHE;
	return 0;
}

static int option_read_scale(struct options *o, const char *method, struct why *why)
{
	if (method && strcmp(method, "perf") != 0)
		return why_set(why, -EINVAL, "--scale=%s: the only value is perf", method);
	o->no_scale = false;
	o->no_error = method != NULL;
	return 0;
}

static int option_read_delay(struct options *o, const char *text, struct why *why)
{
	const char *number = option_pass_blanks(text);
	bool never = strcmp(number, "-1") == 0;
	uint64_t delay = 0;

	if (!never && (num_parse(number, strlen(number), &delay) < 0 || delay > INT_MAX))
		return why_set(why, -EINVAL, "-D %s: not an integer from -1 to %d", text, INT_MAX);
	o->timing.delay_ms = never ? -1 : (int)delay;
	return 0;
}

static int option_read_separator(struct options *o, const char *text, struct why *why)
{
	if (text[0] == '\0' && !o->as_perf)
		return why_set(
			why, -EINVAL,
			"-x '': the separator is empty; give at least one character, such as -x,");
	o->separator = strcmp(text, "\\t") == 0 ? "\t" : text;
	return 0;
}

static int option_read_seed(struct options *o, const char *text, struct why *why)
{
	struct compare_options *c = &o->compare_options;

	if (num_parse(text, strlen(text), &c->seed) < 0)
		return why_set(why, -EINVAL,
			       "--seed %s: not a number from 0 to 18446744073709551615", text);
	c->has_seed = true;
	return 0;
}

/*
 * ---- --fail-if, --min-effect and --more-is-better.
 *
 *	GATES  = GATE { ' or ' GATE }
 *	GATE   = NAME ( '>' '+' | '<' '-' ) NUMBER [ '%' ] | NAME ( '>' | '<' ) 'auto'
 *	       | 'geomean' NAME ( '>' '+' | '<' '-' ) NUMBER '%'
 *	EFFECT = [ NAME '=' ] NUMBER [ '%' ]
 *
 * White space around NAME, NUMBER and the signs is ignored. The last '>' or '<' ends the NAME of a
 * GATE; the last '=' ends the NAME of an EFFECT.
 */

/* A copy of the text up to end, without blanks at its end. NULL: out of memory. */
static char *option_copy_name(const char *text, const char *end)
{
	while (end > text && strchr(BLANKS, end[-1]))
		end--;
	return strndup(text, (size_t)(end - text));
}

/* Parse the number at p. Only a '%' may follow it; *percent becomes true if one does. */
static int option_parse_number(const char *text, const char *p, double *value, bool *percent,
			       struct why *why)
{
	size_t n = strspn(p, "0123456789.");
	const char *end;

	if (num_parse_decimal(p, n, value) < 0)
		return why_at(why, -EINVAL, (size_t)(p - text), "a number is missing here");
	end = option_pass_blanks(p + n);
	*percent = *end == '%';
	end = option_pass_blanks(end + *percent);
	if (*end)
		return why_at(why, -EINVAL, (size_t)(end - text),
			      "only a %% may follow the number");
	return 0;
}

static int option_parse_limit(struct gate_request *gate, const char *sign, struct why *why)
{
	const char *text = gate->text;
	const char *p = option_pass_blanks(sign + 1);
	int err;

	gate->above = *sign == '>';
	if (strncmp(p, "auto", 4) == 0 && *option_pass_blanks(p + 4) == '\0') {
		gate->relative = true;
		gate->limit.source = LIMIT_FALLBACK; /* until the history is known */
		return 0;
	}
	if (*p != (gate->above ? '+' : '-'))
		return why_at(
			why, -EINVAL, (size_t)(p - text),
			gate->above ?
				"a '+' is missing here: NAME>+N%% is crossed by an increase of "
				"more than N %%" :
				"a '-' is missing here: NAME<-N%% is crossed by a decrease of "
				"more than N %%");
	p = option_pass_blanks(p + 1);
	err = option_parse_number(text, p, &gate->limit.value, &gate->relative, why);
	if (err < 0)
		return err;
	if (gate->relative)
		gate->limit.value /= 100;
	if (gate->above)
		return 0;
	if (gate->relative && gate->limit.value >= 1)
		return why_at(why, -EINVAL, (size_t)(p - text),
			      "a count cannot decrease by 100 %% or more");
	gate->limit.value = -gate->limit.value;
	return 0;
}

#define GEOMEAN "geomean "

/* Fill gate. gate->text points to text; the caller frees gate->name. */
static int option_gate_parse(struct gate_request *gate, const char *text, struct why *why)
{
	const char *name = option_pass_blanks(text);
	const char *more = strrchr(text, '>'), *less = strrchr(text, '<');
	const char *sign = !more || (less && less > more) ? less : more; /* the last one */
	int err;

	*gate = (struct gate_request){ .text = text };
	if (strncmp(name, GEOMEAN, strlen(GEOMEAN)) == 0) {
		gate->is_geomean = true;
		name = option_pass_blanks(name + strlen(GEOMEAN));
	}
	if (!sign)
		return why_at(
			why, -EINVAL, strlen(text),
			"a limit is missing here: quote the gate, 'NAME>+0.5%%' or 'NAME<-2%%'");
	if (name == sign)
		return why_at(why, -EINVAL, (size_t)(sign - text),
			      "the name of an event or a metric is missing here");
	err = option_parse_limit(gate, sign, why);
	if (err < 0)
		return err;
	if (gate->is_geomean && (!gate->relative || gate->limit.source != LIMIT_FIXED))
		return why_at(why, -EINVAL, (size_t)(sign - text),
			      "the limit of a geometric mean is a percentage, as in >+1%%");
	gate->name = option_copy_name(name, sign);
	return gate->name ? 0 : -ENOMEM;
}

/*
 * The caller frees *name, which is NULL for all events and metrics; *minimum is relative, 0.01 for
 * 1 %.
 */
static int option_effect_parse(char **name, double *minimum, const char *text, struct why *why)
{
	const char *equals = strrchr(text, '=');
	const char *start = option_pass_blanks(text);
	bool percent;
	int err;

	if (start == equals)
		return why_at(why, -EINVAL, (size_t)(start - text),
			      "the name of an event or a metric is missing here");
	err = option_parse_number(text, option_pass_blanks(equals ? equals + 1 : text), minimum,
				  &percent, why);
	if (err < 0)
		return err;
	*minimum /= 100;
	*name = equals ? option_copy_name(start, equals) : NULL;
	return equals && !*name ? -ENOMEM : 0;
}

static int option_append_gate(struct compare_options *c, const char *text, struct why *why)
{
	int err;

	if (array_grow(&c->gates, c->gates_n, &c->gates_size, sizeof(*c->gates)) < 0)
		return -ENOMEM;
	err = option_gate_parse(&c->gates[c->gates_n], text, why);
	c->gates_n += err == 0;
	return err;
}

/* The end of the first gate of the text. A name may contain " or ", too, but no limit does. */
static const char *option_end_of_gate(const char *text)
{
	const char *end = text;

	while ((end = strstr(end, GATES_BETWEEN)) && strcspn(text, "<>") > (size_t)(end - text))
		end++;
	return end ? end : text + strlen(text);
}

static int option_add_gates(struct options *o, const char *text, struct why *why)
{
	struct compare_options *c = &o->compare_options;
	struct str_list *texts = &c->gate_texts;
	const char *part = text, *end = option_end_of_gate(text);
	int err;

	if (*end == '\0')
		return option_append_gate(c, text, why);
	for (;;) {
		cleanup_free char *copy = strndup(part, (size_t)(end - part));

		if (!copy || str_list_add(texts, copy) < 0)
			return -ENOMEM;
		err = option_append_gate(c, texts->v[texts->n - 1], why);
		if (err < 0) {
			why->position += (size_t)(part - text);
			return err;
		}
		c->gates[c->gates_n - 1].is_alternative = part > text;
		if (*end == '\0')
			return 0;
		part = end + strlen(GATES_BETWEEN);
		end = option_end_of_gate(part);
	}
}

/* Takes over the name; NULL: for all events and metrics. */
static int option_add_effect(struct compare_options *c, char *name, struct effect_request effect)
{
	if (array_grow(&c->effect_names, c->effect_names_n, &c->effect_names_size,
		       sizeof(*c->effect_names)) < 0) {
		free(name);
		return -ENOMEM;
	}
	c->effect_names[c->effect_names_n++] = name;
	if (array_grow(&c->effects, c->effects_n, &c->effects_size, sizeof(*c->effects)) < 0)
		return -ENOMEM;
	effect.name = name;
	c->effects[c->effects_n++] = effect;
	return 0;
}

static int option_add_min_effect(struct options *o, const char *text, struct why *why)
{
	struct effect_request effect = { 0 };
	char *name = NULL;
	int err = option_effect_parse(&name, &effect.minimum, text, why);

	return err < 0 ? err : option_add_effect(&o->compare_options, name, effect);
}

static int option_add_more_is_better(struct options *o, const char *text, struct why *why)
{
	const struct effect_request effect = { .minimum = -1, .more_is_better = true };

	for (;;) {
		size_t n = strcspn(text, ",");
		char *name = strndup(text, n);
		int err;

		if (n == 0) {
			free(name);
			return why_set(
				why, -EINVAL,
				"--more-is-better: the name of an event or a metric is missing");
		}
		err = name ? option_add_effect(&o->compare_options, name, effect) : -ENOMEM;
		if (err < 0 || text[n] == '\0')
			return err;
		text += n + 1;
	}
}

/* ---- --label. */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Add the label NAME=VALUE, or replace the value of an earlier label of this name. */
static int option_add_label(struct options *o, const char *text, struct why *why)
{
	struct series_parameters *labels = &o->labels;
	size_t n = strspn(text, LETTERS "0123456789_.-"), i = 0;
	const char *value = text + n + 1;
	cleanup_free char *name = strndup(text, n);
	char *copy;

	if (!name)
		return -ENOMEM;
	if (n == 0 || !strchr(LETTERS, text[0]))
		return why_at(why, -EINVAL, 0, "a name that begins with a letter is missing here");
	if (text[n] != '=')
		return why_at(why, -EINVAL, n,
			      "a '=' is missing here: NAME=VALUE; NAME has letters, digits, _ . -");
	/* the columns and tags that pstat itself writes next to the labels */
	if (option_is_listed("time command event unit place_kind place cgroup", name))
		return why_at(why, -EINVAL, 0, "pstat itself uses the name '%s'", name);
	if (value[0] == '\0')
		return why_at(why, -EINVAL, n + 1, "a value is missing here");
	for (const char *p = value; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return why_at(why, -EINVAL, (size_t)(p - text),
				      "a value cannot contain control characters");
	while (i < labels->names.n && strcmp(labels->names.v[i], name) != 0)
		i++;
	if (i == labels->names.n)
		return str_list_add(&labels->names, name) < 0 ||
				       str_list_add(&labels->values, value) < 0 ?
			       -ENOMEM :
			       0;
	copy = strdup(value);
	if (!copy)
		return -ENOMEM;
	free(labels->values.v[i]);
	labels->values.v[i] = copy;
	return 0;
}

/* ---- The table. */

#define LOOK (IN_LIST | IN_EXPLAIN)
#define COMPARISON (IN_COMPARE | IN_FILES)
#define RUN (IN_COUNT | IN_COMPARE | LOOK)
#define ALL (RUN | IN_FILES | IN_SHOW | IN_MERGE | IN_HISTORY)

#define AT(member) .field = offsetof(struct options, member)
#define FLAG(member) .effect = SET_FLAG, AT(member)
#define VALUE(member, word) .effect = SET_VALUE, AT(member), .constant = (word)
#define TEXT(member) .effect = SET_TEXT, AT(member)
#define NUMBER(member, least, most)                                                                \
	.kind = ARGUMENT_NUMBER, .effect = SET_NUMBER, AT(member), .min = (least), .max = (most)
#define DECIMAL(member, least, most, divisor)                                                      \
	.effect = SET_DECIMAL, AT(member), .above = (least), .up_to = (most),                      \
	.divided_by = (divisor)
#define REQUEST(request_kind) .effect = ADD_REQUEST, .constant = (request_kind)
#define METRICS "ipc cpi branch-miss-rate l1d-miss-rate llc-miss-rate dtlb-miss-rate ghz cpus"
#define ROWS .kind = ARGUMENT_ROWS, .values = METRICS
#define CHOICE(member, words)                                                                      \
	.kind = ARGUMENT_CHOICE, .values = (words), .effect = SET_CHOICE, AT(member)

const char *const option_sections[SECTIONS_N] = {
	[SECTION_EVENTS] = "What to count",
	[SECTION_TARGET] = "Targets",
	[SECTION_ROWS] = "How to split the rows",
	[SECTION_TIME] = "When to count",
	[SECTION_RUN] = "How to run",
	[SECTION_COMPARE] = "What to compare",
	[SECTION_SHOW] = "How to show it",
	[SECTION_OTHER] = "Other",
};

const struct option_row option_table[] = {
	{ SECTION_EVENTS, RUN & ~IN_EXPLAIN, 'e', "event", "LIST",
	  "events and {groups}, separated by commas; repeatable", .kind = ARGUMENT_EVENTS,
	  REQUEST(REQUEST_EVENTS) },
	{ SECTION_EVENTS, RUN & ~IN_EXPLAIN, 0, "pfm-events", "LIST",
	  "the same, but libpfm4 alone reads each name", REQUEST(REQUEST_PFM_EVENTS) },
	{ SECTION_EVENTS, (RUN & ~IN_EXPLAIN) | IN_FILES | IN_SHOW, 'M', "metrics", "LIST",
	  "metrics such as ipc, or NAME=EXPRESSION over events", .kind = ARGUMENT_LIST,
	  .values = METRICS, REQUEST(REQUEST_METRICS) },
	{ SECTION_EVENTS, RUN & ~IN_EXPLAIN, 0, "topdown", "[=LEVEL]",
	  "show which part of the core's slots does useful work, and why the rest does not",
	  .kind = ARGUMENT_CHOICE, .values = "1 2", .effect = ADD, .read = option_add_topdown },
	{ SECTION_EVENTS, RUN & ~IN_EXPLAIN, 0, "td-level", "LEVEL", "the same as --topdown=LEVEL",
	  .kind = ARGUMENT_CHOICE, .values = "1 2", .effect = ADD, .read = option_add_topdown },
	{ SECTION_EVENTS, RUN | IN_FILES | IN_SHOW, 0, "metrics-file", "FILE",
	  "read metrics and events of perf's tables; repeatable", .kind = ARGUMENT_FILE,
	  .effect = ADD, .read = option_add_metrics_file },
	{ SECTION_EVENTS, RUN & ~IN_EXPLAIN, 0, "filter", "EXPR",
	  "count the tracepoints before it only if EXPR holds", REQUEST(REQUEST_FILTER) },
	{ SECTION_EVENTS, IN_COUNT, 'G', "cgroup", "LIST",
	  "count the events before it in these cgroups, one for each event", .needs = "-a -C",
	  .excludes = "--for-each-cgroup", .kind = ARGUMENT_CGROUPS, REQUEST(REQUEST_CGROUPS) },
	{ SECTION_EVENTS, IN_COUNT, 0, "for-each-cgroup", "LIST",
	  "count every event in each of these cgroups", .needs = "-a -C", .kind = ARGUMENT_CGROUPS,
	  TEXT(each_cgroup) },
	{ SECTION_EVENTS, RUN, 0, "no-merge", NULL, "a row for each instance of an uncore PMU",
	  FLAG(no_merge) },
	{ SECTION_EVENTS, RUN, 0, "no-hybrid-merge", NULL, "a row for each kind of core",
	  FLAG(no_hybrid_merge) },
	{ SECTION_EVENTS, RUN & ~IN_EXPLAIN, 0, "skip-unknown", NULL,
	  "leave out events that this machine cannot count, as EVENT? does", FLAG(skip_unknown) },
	{ SECTION_EVENTS, RUN & ~IN_EXPLAIN, 'd', "detailed", NULL,
	  "add cache events to the default events; -dd and -ddd add more", .effect = ADD,
	  .read = option_add_detail },
	{ SECTION_EVENTS, RUN & ~IN_EXPLAIN, 'n', "null", NULL,
	  "no counters, only elapsed, user and system time", .excludes = "--no-multiplex",
	  FLAG(null_run) },
	{ SECTION_EVENTS, RUN, 0, "all-user", NULL, "count user mode only, as :u on every event",
	  .excludes = "--all-kernel", FLAG(all_user) },
	{ SECTION_EVENTS, RUN, 0, "all-kernel", NULL, "count the kernel only, as :k on every event",
	  FLAG(all_kernel) },

	{ SECTION_TARGET, IN_COUNT, 'p', "pid", "LIST",
	  "count running processes with all their threads", .kind = ARGUMENT_PIDS,
	  TEXT(target.pids) },
	{ SECTION_TARGET, IN_COUNT, 't', "tid", "LIST", "count running threads",
	  .kind = ARGUMENT_TIDS, TEXT(target.tids) },
	{ SECTION_TARGET, IN_COUNT, 'a', "all-cpus", NULL, "count everything that runs on any CPU",
	  FLAG(target.all_cpus) },
	{ SECTION_TARGET, IN_COUNT, 'C', "cpu", "LIST",
	  "count everything that runs on these CPUs, such as 0-3,7", .kind = ARGUMENT_CPUS,
	  TEXT(target.cpus) },
	{ SECTION_TARGET, RUN, 'i', "no-inherit", NULL, "count only the first task of the command",
	  FLAG(no_inherit) },

	{ SECTION_ROWS, IN_COUNT, 'A', "no-aggr", NULL, "a row for each CPU", .needs = "-a -C",
	  VALUE(target.split, PLACE_CPU) },
	{ SECTION_ROWS, IN_COUNT, 0, "per-core", NULL, "a row for each core", .needs = "-a -C",
	  VALUE(target.split, PLACE_CORE) },
	{ SECTION_ROWS, IN_COUNT, 0, "per-cluster", NULL, "a row for each cluster of cores",
	  .needs = "-a -C", VALUE(target.split, PLACE_CLUSTER) },
	{ SECTION_ROWS, IN_COUNT, 0, "per-cache", "[=LEVEL]",
	  "a row for each cache of LEVEL, or of the last level", .needs = "-a -C",
	  .kind = ARGUMENT_CHOICE, .values = "L1 L2 L3", .effect = CALL,
	  .read = option_read_cache_level },
	{ SECTION_ROWS, IN_COUNT, 0, "per-die", NULL, "a row for each die", .needs = "-a -C",
	  VALUE(target.split, PLACE_DIE) },
	{ SECTION_ROWS, IN_COUNT, 0, "per-socket", NULL, "a row for each socket", .needs = "-a -C",
	  VALUE(target.split, PLACE_SOCKET) },
	{ SECTION_ROWS, IN_COUNT, 0, "per-node", NULL, "a row for each NUMA node", .needs = "-a -C",
	  VALUE(target.split, PLACE_NODE) },
	{ SECTION_ROWS, IN_COUNT, 0, "per-thread", NULL, "a row for each thread",
	  .needs = "COMMAND -p -t -a", .excludes = "-C -G --for-each-cgroup",
	  VALUE(target.split, PLACE_THREAD) },
	{ SECTION_ROWS, IN_COUNT | IN_COMPARE, 0, "per-process", NULL,
	  "a row for each process of the command", .needs = "COMMAND -c",
	  .excludes = "-p -t -a -C -G --for-each-cgroup -I -i --no-multiplex",
	  VALUE(target.split, PLACE_PROCESS) },

	{ SECTION_TIME, IN_COUNT, 'I', "interval-print", "MS",
	  "print the counts every MS milliseconds", NUMBER(timing.interval_ms, 0, UINT_MAX) },
	{ SECTION_TIME, IN_COUNT | LOOK, 0, "interval-count", "N",
	  "stop counting after N intervals", .needs = "-I",
	  NUMBER(timing.interval_count, 0, UINT_MAX) },
	{ SECTION_TIME, IN_COUNT | LOOK, 0, "interval-clear", NULL,
	  "clear the screen before each interval is printed", FLAG(interval_clear) },
	{ SECTION_TIME, IN_COUNT | LOOK | IN_SHOW, 0, "summary", NULL,
	  "with -I, print the usual result at the end, too", FLAG(summary) },
	{ SECTION_TIME, RUN | IN_SHOW, 0, "no-csv-summary", NULL,
	  "with -x and --summary, do not print the word summary", FLAG(no_csv_summary) },
	{ SECTION_TIME, RUN, 'D', "delay", "MS",
	  "start counting after MS milliseconds; -1: only when --control enables it",
	  .kind = ARGUMENT_NUMBER, .effect = CALL, .read = option_read_delay },
	{ SECTION_TIME, RUN, 0, "timeout", "MS",
	  "stop counting after MS milliseconds, and end the command",
	  NUMBER(timing.timeout_ms, 0, UINT_MAX) },
	{ SECTION_TIME, IN_COUNT, 0, "control", "HOW",
	  "obey enable [EVENT], disable [EVENT], evlist, ping and stop from fd:N[,N], "
	  "fifo:FILE[,FILE] or region",
	  .kind = ARGUMENT_CHOICE, .values = "fd: fifo: region", TEXT(control) },

	{ SECTION_RUN, RUN, 'r', "repeat", "N",
	  "run N times, show mean and standard error; 0: until interrupted",
	  .excludes = "--duration --precision", NUMBER(repeat, 0, UINT_MAX) },
	{ SECTION_RUN, RUN, 0, "warmup", "N", "run N times first, not counted",
	  .needs = "COMMAND -c", NUMBER(warmup, 0, UINT_MAX) },
	{ SECTION_RUN, RUN, 0, "pre", "CMD", "run CMD before each run, not counted",
	  .kind = ARGUMENT_COMMAND, TEXT(pre) },
	{ SECTION_RUN, RUN, 0, "post", "CMD", "run CMD after each run, not counted",
	  .kind = ARGUMENT_COMMAND, TEXT(post) },
	{ SECTION_RUN, RUN, 0, "setup", "CMD",
	  "run CMD once before all runs of a command, not counted", .needs = "COMMAND -c",
	  .kind = ARGUMENT_COMMAND, TEXT(setup) },
	{ SECTION_RUN, RUN, 0, "cleanup", "CMD",
	  "run CMD once after all runs of a command, not counted", .needs = "COMMAND -c",
	  .kind = ARGUMENT_COMMAND, TEXT(cleanup) },
	{ SECTION_RUN, RUN, 0, "input", "FILE",
	  "standard input of the command, opened again for each run", .needs = "COMMAND -c",
	  .kind = ARGUMENT_FILE, TEXT(input) },
	{ SECTION_RUN, RUN, 0, "discard", NULL,
	  "discard the output of the command (default with -c)", .needs = "COMMAND -c",
	  .excludes = "--show-output", FLAG(discard) },
	{ SECTION_RUN, IN_COMPARE, 0, "show-output", NULL,
	  "with -c, show the output of the commands", FLAG(show_output) },
	{ SECTION_RUN, RUN, 0, "randomize-env", NULL,
	  "change the size of the environment in each run, which moves the stack",
	  .needs = "COMMAND -c", FLAG(randomize_env) },
	{ SECTION_RUN, RUN, 0, "no-aslr", NULL, "run the command at the same addresses each time",
	  .needs = "COMMAND -c", FLAG(no_aslr) },
	{ SECTION_RUN, RUN, 0, "cpu-list", "LIST", "run the command on these CPUs only",
	  .needs = "COMMAND -c", .kind = ARGUMENT_CPUS, TEXT(cpu_list) },
	{ SECTION_RUN, RUN, 'S', "sync", NULL, "call sync(2) before each run", FLAG(sync) },
	{ SECTION_RUN, ALL, 0, "ignore-failure", NULL,
	  "with -r, continue after a run that fails; write failed results to histories, too",
	  FLAG(ignore_failure) },
	{ SECTION_RUN, RUN, 0, "strict", NULL, "do not start unless every event can be counted",
	  FLAG(strict) },
	{ SECTION_RUN, RUN, 0, "strict-scaling", NULL,
	  "do not start unless all events fit on the counters at once", .excludes = "--min-running",
	  FLAG(strict_scaling) },
	{ SECTION_RUN, IN_COUNT | LOOK, 0, "no-multiplex", NULL,
	  "repeat the run until every event is counted unscaled",
	  .excludes = "-p -t -a -C -I -D --timeout --control -i", FLAG(no_multiplex) },

	{ SECTION_COMPARE, IN_COMPARE, 'c', "command", "CMD",
	  "compare CMD with the other -c; the first is the reference", .excludes = "COMMAND",
	  .kind = ARGUMENT_COMMAND, .effect = ADD_TEXT, AT(compare_options.commands) },
	{ SECTION_COMPARE, IN_COMPARE, 0, "baseline", "FILE",
	  "compare the command, or each -c, with the result saved in FILE", .needs = "COMMAND -c",
	  .kind = ARGUMENT_DOCUMENT, TEXT(compare_options.baseline) },
	{ SECTION_COMPARE, IN_COMPARE, 0, "shell", "SHELL", "run each -c as SHELL -c CMD",
	  .needs = "-c", .kind = ARGUMENT_COMMAND, TEXT(compare_options.shell) },
	{ SECTION_COMPARE, IN_COMPARE, 'L', "parameter-list", "NAME=V,...",
	  "run and compare the command with {NAME} replaced by each value; repeatable",
	  .needs = "COMMAND -c", .effect = ADD_TEXT, AT(compare_options.lists) },
	{ SECTION_COMPARE, IN_COMPARE, 0, "side", "NAME=VALUE",
	  "compare the commands with {side} replaced by each VALUE; the first is the reference",
	  .needs = "-c --suite", .excludes = "--baseline --bisect --names", .effect = ADD_TEXT,
	  AT(compare_options.side_values) },
	{ SECTION_COMPARE, IN_COMPARE, 0, "suite", "FILE",
	  "compare the sides in each case of FILE, whose lines are NAME: CMD with {side}",
	  .needs = "--side", .excludes = "COMMAND", .kind = ARGUMENT_FILE,
	  TEXT(compare_options.suite) },
	{ SECTION_COMPARE, COMPARISON, 0, "names", "A,B,...", "names of the sides in the result",
	  TEXT(compare_options.names) },
	{ SECTION_COMPARE, IN_COMPARE, 0, "order", "ORDER",
	  "order of the sides: random (default), alternate or sequential",
	  CHOICE(compare_options.order, "random alternate sequential") },
	{ SECTION_COMPARE, RUN | IN_FILES, 0, "seed", "N",
	  "seed of the random order and of --randomize-env",
	  .needs = "--randomize-env -c -L --baseline", .kind = ARGUMENT_NUMBER, .effect = CALL,
	  .read = option_read_seed },
	{ SECTION_COMPARE, IN_COMPARE | IN_DOCTOR, 0, "duration", "S",
	  "compare for S seconds at most (default: 10; with --fail-if or cases 60)",
	  .kind = ARGUMENT_NUMBER, DECIMAL(compare_options.duration_s, 0, 1e9, 1),
	  .range = "a number of seconds above 0" },
	{ SECTION_COMPARE, IN_COMPARE, 0, "precision", "PCT",
	  "compare until the means of the first measure are known to PCT %",
	  .kind = ARGUMENT_PERCENT, DECIMAL(compare_options.precision, 0, 100, 100),
	  .range = "a percentage above 0, 100 at most" },
	{ SECTION_COMPARE, COMPARISON, 0, "confidence", "PCT",
	  "confidence of intervals and verdicts (default 95)", .kind = ARGUMENT_PERCENT,
	  /* 2^24 permutations (stats/permutation.h) can still prove a difference here */
	  DECIMAL(compare_options.confidence, 50, 99.9999, 100),
	  .range = "a percentage above 50 and up to 99.9999, the limit of the permutation test" },
	{ SECTION_COMPARE, IN_COUNT | COMPARISON, 0, "fail-if", "GATE",
	  "exit with 1 if NAME>+X% or NAME<-X%, 2 if unclear; without %: in ms, KiB or counts",
	  .needs = "-c -L --baseline --compare --history", ROWS, .effect = ADD,
	  .read = option_add_gates },
	{ SECTION_COMPARE, IN_COMPARE, 0, "same-output", NULL,
	  "refuse to compare commands whose standard outputs differ",
	  .excludes = "--show-output --baseline --bisect --no-output-check", FLAG(same_output) },
	{ SECTION_COMPARE, IN_COMPARE, 0, "no-output-check", NULL,
	  "do not run each command once to compare their outputs", FLAG(no_output_check) },
	{ SECTION_COMPARE, IN_COMPARE, 0, "bisect", NULL,
	  "run until the gates are decided; exit as git bisect run expects", .needs = "--fail-if",
	  .excludes = "-L --order --precision", FLAG(compare_options.bisect) },
	{ SECTION_COMPARE, IN_COUNT | IN_COMPARE, 0, "bisect-check", NULL,
	  "check that the command GOOD keeps the gates, and BAD does not", .needs = "--fail-if",
	  .excludes = "-L --order --precision --baseline --bisect",
	  FLAG(compare_options.bisect_check) },
	{ SECTION_COMPARE, IN_COUNT | COMPARISON | IN_HISTORY, 0, "history", "FILE",
	  "take the limits of NAME>auto from a CSV of --format history, or a folder of results; "
	  "alone: show its changes",
	  .kind = ARGUMENT_FILE, TEXT(compare_options.history) },
	{ SECTION_COMPARE, COMPARISON, 0, "gate-scaled", NULL,
	  "compare scaled counts without a confidence interval, too, by their spread",
	  FLAG(compare_options.gate_scaled) },
	{ SECTION_COMPARE, COMPARISON, 0, "min-effect", "PCT",
	  "a difference below PCT % is the same; NAME=PCT: for one event", ROWS, .effect = ADD,
	  .read = option_add_min_effect },
	{ SECTION_COMPARE, COMPARISON, 0, "more-is-better", "NAME,...",
	  "events and metrics for which more is better", ROWS, .effect = ADD,
	  .read = option_add_more_is_better },
	{ SECTION_COMPARE, COMPARISON | IN_SHOW, 0, "rows", "ROWS",
	  "rows of a comparison: asked (named by options), all, or auto (default: as saved, "
	  "otherwise asked)",
	  CHOICE(compare_options.rows, "auto asked all") },
	{ SECTION_COMPARE, COMPARISON | IN_SHOW, 0, "details", NULL,
	  "show medians, spreads, outliers and hints of a comparison, as -v does for its runs",
	  FLAG(details) },

	{ SECTION_SHOW, RUN, 0, "scale", "[=perf]",
	  "estimate multiplexed counts (the default); =perf: the same as --no-error",
	  .kind = ARGUMENT_CHOICE, .values = "perf", .effect = CALL, .read = option_read_scale },
	{ SECTION_SHOW, RUN, 0, "no-scale", NULL, "show multiplexed counts as read",
	  FLAG(no_scale) },
	{ SECTION_SHOW, RUN, 0, "no-error", NULL,
	  "no confidence intervals for multiplexed counts: scale as perf stat does",
	  FLAG(no_error) },
	{ SECTION_SHOW, RUN, 0, "min-running", "PCT",
	  "an event that ran for less of its time is <not counted> (default 5)",
	  .kind = ARGUMENT_PERCENT, DECIMAL(min_running, -1, 100, 1),
	  .range = "a percentage from 0 to 100" },
	{ SECTION_SHOW, IN_COUNT | IN_SHOW | IN_MERGE | LOOK, 'x', "field-separator", "SEP",
	  "print perf stat's CSV with fields separated by SEP", .excludes = "--format",
	  .effect = CALL, .read = option_read_separator },
	{ SECTION_SHOW, IN_COUNT | IN_SHOW | IN_MERGE | LOOK, 'j', "json-output", NULL,
	  "print perf stat's JSON, one object per line", .excludes = "--format", FLAG(json) },
	{ SECTION_SHOW, IN_COUNT | IN_SHOW | LOOK, 0, "metric-only", NULL,
	  "print only derived numbers, no counts", FLAG(metric_only) },
	{ SECTION_SHOW, IN_COUNT | IN_SHOW | LOOK, 0, "table", NULL,
	  "with -r, also print a table of the time of each run", .needs = "-r", FLAG(run_times) },
	{ SECTION_SHOW, IN_COUNT | IN_COMPARE | IN_SHOW, 0, "by", "HOW",
	  "rows of --per-process: process, exec (each program), name or tree",
	  .needs = "--per-process", CHOICE(processes.by, "auto process exec name tree") },
	{ SECTION_SHOW, IN_COUNT | IN_SHOW, 0, "top", "N",
	  "show N rows of --per-process, and the sum of the others", .needs = "--per-process",
	  NUMBER(processes.top, 1, UINT_MAX) },
	{ SECTION_SHOW, IN_COUNT | IN_SHOW, 0, "sort", "EVENT",
	  "sort the rows of --per-process by EVENT, or by elapsed time (elapsed)",
	  .needs = "--per-process", ROWS, TEXT(processes.sort) },
	{ SECTION_SHOW, IN_COUNT | IN_SHOW, 0, "full-commands", NULL,
	  "do not shorten the commands of --per-process", .needs = "--per-process",
	  FLAG(full_commands) },
	{ SECTION_SHOW, ALL, 'o', "output", "FILE", "write the result to FILE",
	  .excludes = "--log-fd", .kind = ARGUMENT_FILE, TEXT(output) },
	{ SECTION_SHOW, ALL, 0, "append", NULL, "with -o, append to FILE", FLAG(append) },
	{ SECTION_SHOW, ALL, 0, "log-fd", "N", "write the result to descriptor N",
	  NUMBER(log_fd, 0, INT_MAX) },
	{ SECTION_SHOW, IN_COUNT | COMPARISON | IN_MERGE, 0, "save", "FILE",
	  "also write the whole result to FILE, as --format json does", .kind = ARGUMENT_FILE,
	  TEXT(save) },
	{ SECTION_SHOW, IN_COUNT | IN_COMPARE, 0, "label", "NAME=VALUE",
	  "record a label with the result, such as commit=1234; repeatable", .effect = ADD,
	  .read = option_add_label },
	{ SECTION_SHOW, IN_COUNT | COMPARISON | IN_SHOW | IN_HISTORY, 0, "html", "FILE",
	  "also write the result to FILE, as a page with charts", .kind = ARGUMENT_FILE,
	  TEXT(html) },
	{ SECTION_SHOW, ALL, 'B', "big-num", NULL, "the locale's thousands separators (default)",
	  VALUE(big_num, BIG_NUM_OF_USER) },
	{ SECTION_SHOW, ALL, 0, "no-big-num", NULL, "no thousands separators",
	  VALUE(big_num, BIG_NUM_NEVER) },
	{ SECTION_SHOW, ALL, 0, "color", "WHEN",
	  "colour in the table: auto (default), always or never",
	  CHOICE(colour, "auto always never") },
	{ SECTION_SHOW, ALL, 0, "draw", NULL, "draw the runs of a comparison",
	  VALUE(draw, WHEN_ALWAYS) },
	{ SECTION_SHOW, ALL, 0, "no-draw", NULL, "do not draw the runs (default)",
	  VALUE(draw, WHEN_NEVER) },
	{ SECTION_SHOW, ALL, 0, "ascii", NULL, "draw comparisons with ASCII characters only",
	  FLAG(ascii) },
	{ SECTION_SHOW, ALL, 0, "no-progress", NULL, "do not show the progress of the runs",
	  FLAG(no_progress) },
	{ SECTION_SHOW, ALL | IN_DOCTOR, 0, "format", "FMT",
	  "table, json, csv, csv-summary, markdown, openmetrics, github, bmf, benchmark-action, "
	  "influx or history",
	  .excludes = "-x -j", .kind = ARGUMENT_CHOICE,
	  .values = "table json csv csv-summary markdown openmetrics github bmf benchmark-action "
		    "influx history",
	  TEXT(format) },
	{ SECTION_SHOW, IN_COUNT | COMPARISON | IN_MERGE, 0, "quiet", NULL,
	  "print no result, and only error messages", FLAG(quiet) },
	{ SECTION_SHOW, RUN, 'v', "verbose", NULL,
	  "print opened events, their raw counts and times", FLAG(verbose) },

	{ SECTION_OTHER, IN_DOCTOR, 0, "doctor", NULL,
	  "show what limits or disturbs measurements here, and how small a change is detected",
	  VALUE(job, JOB_DOCTOR) },
	{ SECTION_OTHER, LOOK | IN_DOCTOR, 0, "sysroot", "DIR", "read /sys and /proc below DIR",
	  .kind = ARGUMENT_FOLDER, TEXT(sysroot) },
	{ SECTION_OTHER, LOOK, 0, "explain", NULL,
	  "explain the events given as arguments; count nothing", VALUE(job, JOB_EXPLAIN) },
	{ SECTION_OTHER, LOOK, 0, "list", NULL,
	  "list the events that match the GLOB given as argument, or all", VALUE(job, JOB_LIST) },
	{ SECTION_OTHER, IN_LIST, 0, "all", NULL,
	  "with --list, also events of PMUs that this machine lacks", FLAG(list_all) },
	{ SECTION_OTHER, IN_SHOW, 0, "show", NULL,
	  "print the saved documents given as arguments; - is stdin", VALUE(job, JOB_SHOW) },
	{ SECTION_OTHER, IN_FILES, 0, "compare", NULL,
	  "compare the saved documents given as arguments with the first of them",
	  VALUE(job, JOB_COMPARE) },
	{ SECTION_OTHER, IN_MERGE, 0, "merge", NULL,
	  "add up the saved results of the ranks of a job, given as arguments",
	  VALUE(job, JOB_MERGE) },
	{ SECTION_OTHER, LOOK, 'h', "help", NULL, "print the most important commands and options",
	  VALUE(job, JOB_HELP) },
	{ SECTION_OTHER, LOOK, 0, "help-all", NULL, "print this list of all options",
	  VALUE(job, JOB_HELP_ALL) },
	{ SECTION_OTHER, LOOK, 0, "version", NULL, "print the version", VALUE(job, JOB_VERSION) },
};

const size_t option_table_n = sizeof(option_table) / sizeof(option_table[0]);
_Static_assert(sizeof(option_table) / sizeof(option_table[0]) <= OPTIONS_MAX, "raise OPTIONS_MAX");

struct option_spelling option_spell(const struct option_row *row)
{
	struct option_spelling s;

	if (row->letter)
		snprintf(s.text, sizeof(s.text), "-%c", row->letter);
	else
		snprintf(s.text, sizeof(s.text), "--%s", row->name);
	return s;
}

const struct option_row *option_find(const char *spelling)
{
	bool is_name = strncmp(spelling, "--", 2) == 0;

	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];

		/* most names differ in their first letter */
		if (is_name ? row->name[0] == spelling[2] && strcmp(row->name, spelling + 2) == 0 :
			      row->letter == spelling[1])
			return row;
	}
	return NULL;
}

const struct option_row *option_of_split(enum place_kind split)
{
	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];
		enum place_kind kind = row->effect == SET_VALUE ? row->constant : PLACE_CACHE;

		if (row->section == SECTION_ROWS && kind == split)
			return row;
	}
	return NULL;
}

bool option_next_word(const char **list, struct option_spelling *word)
{
	const char *start = *list ? *list : "";
	size_t n = strcspn(start, " ");

	*word = (struct option_spelling){ 0 };
	memcpy(word->text, start, n < sizeof(word->text) ? n : sizeof(word->text) - 1);
	*list = start + n + (start[n] == ' ');
	return n > 0;
}

bool option_is_listed(const char *list, const char *text)
{
	struct option_spelling word;

	while (option_next_word(&list, &word))
		if (strcmp(word.text, text) == 0)
			return true;
	return false;
}
