/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/launcher.h"
#include "options/file_name.h"
#include "options/option_table.h"

/* ---- What the options mean together. */

bool options_has_target(const struct options *o)
{
	return o->target.pids || o->target.tids || o->target.cpus || o->target.all_cpus;
}

bool options_is_strict_scaling(const struct options *o)
{
	return o->min_running >= 100;
}

bool options_is_comparison(const struct options *o)
{
	return o->compare_options.commands.n > 0 || o->compare_options.lists.n > 0 ||
	       o->compare_options.baseline;
}

static bool reads_documents(const struct options *o)
{
	return o->job == JOB_SHOW || o->job == JOB_COMPARE || o->job == JOB_MERGE ||
	       o->job == JOB_HISTORY;
}

const struct format *options_format(const struct options *o)
{
	if (o->json)
		return &format_perf_json;
	if (o->separator)
		return &format_perf_csv;
	return o->format ? format_find(o->format) : &format_table;
}

int options_usage_status(const struct options *o)
{
	return o->as_perf ? STATUS_PERF_USAGE : STATUS_PSTAT;
}

bool options_prints_as_perf(const struct options *o)
{
	return o->separator || o->json || (o->as_perf && !o->format);
}

bool options_has_destination(const struct options *o)
{
	return o->output || o->log_fd >= 0;
}

/* Whether the destination would be standard output if no command wrote to it. */
static bool prefers_stdout(const struct options *o)
{
	const struct format *format = options_format(o);

	return options_is_comparison(o) || (format && format->destination == DESTINATION_STDOUT);
}

/* Whether the output of the counted commands is shown on standard output. */
static bool shows_output(const struct options *o)
{
	if (options_is_comparison(o))
		return o->show_output;
	return o->job == JOB_COUNT && o->argv && o->argv[0] && !o->discard;
}

bool options_shares_stdout(const struct options *o)
{
	return !options_has_destination(o) && prefers_stdout(o) && shows_output(o);
}

int options_result_fd(const struct options *o)
{
	if (o->log_fd >= 0)
		return o->log_fd;
	if (reads_documents(o))
		return STDOUT_FILENO;
	return prefers_stdout(o) && !shows_output(o) ? STDOUT_FILENO : STDERR_FILENO;
}

struct comparison_input options_comparison_input(const struct compare_options *c)
{
	return (struct comparison_input){
		.confidence = c->confidence,
		.seed = c->seed,
		.effects = c->effects,
		.effects_n = c->effects_n,
		.gates = c->gates,
		.gates_n = c->gates_n,
		.gate_scaled = c->gate_scaled,
		.only_asked = c->rows == ROWS_ASKED,
	};
}

void options_release(struct options *o)
{
	struct compare_options *c = &o->compare_options;

	for (size_t i = 0; i < c->gates_n; i++)
		free(c->gates[i].name);
	for (size_t i = 0; i < c->effect_names_n; i++)
		free(c->effect_names[i]);
	series_parameters_release(&o->labels);
	free(c->commands.v);
	free(c->lists.v);
	free(c->gates);
	free(c->effects);
	free(c->effect_names);
	free(o->requests);
	for (size_t i = 0; i < sizeof(o->file_names) / sizeof(o->file_names[0]); i++)
		free(o->file_names[i]);
	if (o->file_notes)
		str_release(o->file_notes);
	free(o->file_notes);
}

/* ---- Which options can be combined. The table decides, unless the value of an option matters. */

static bool is_given(const struct options *o, const struct option_row *row)
{
	return o->given[row - option_table];
}

/* The next word of a list of the table. false: there is none. */
static bool next_word(const char **list, struct option_spelling *word)
{
	const char *start = *list ? *list : "";
	size_t n = strcspn(start, " ");

	*word = (struct option_spelling){ 0 };
	memcpy(word->text, start, n < sizeof(word->text) ? n : sizeof(word->text) - 1);
	*list = start + n + (start[n] == ' ');
	return n > 0;
}

/* Whether this option was given; COMMAND: whether there is a command after the options. */
static bool has_word(const struct options *o, const char *word)
{
	if (strcmp(word, "COMMAND") == 0)
		return o->argv[0];
	return is_given(o, option_find(word));
}

static bool is_listed(const char *list, const char *text)
{
	struct option_spelling word;

	while (next_word(&list, &word))
		if (strcmp(word.text, text) == 0)
			return true;
	return false;
}

/* The next word of the list that the row does not exclude. false: there is none. */
static bool next_allowed(const struct option_row *row, const char **list,
			 struct option_spelling *word)
{
	while (next_word(list, word))
		if (!is_listed(row->excludes, word->text))
			return true;
	return false;
}

/*
 * Refuse with "-X needs -a, -c or --list", with the options of the list that -X does not exclude.
 * Returns -EINVAL.
 */
static int refuse_without(const struct option_row *row, const char *list, struct why *why)
{
	cleanup_str struct str text = { 0 };
	struct option_spelling word, next;
	bool has_next = next_allowed(row, &list, &next);

	while (has_next) {
		word = next;
		has_next = next_allowed(row, &list, &next);
		str_addf(&text, "%s%s", text.len == 0 ? "" : has_next ? ", " : " or ", word.text);
	}
	return why_set(why, -EINVAL, "%s needs %s", option_spell(row).text, str_text(&text));
}

static int refuse_with(const struct option_row *row, const char *other, struct why *why)
{
	const char *hint = "";

	if (strcmp(other, "COMMAND") == 0)
		hint = "; quote each command: -c './prog ARG'";
	else if (strcmp(other, "--history") == 0)
		hint = " without a command; give a command to count";
	return why_set(why, -EINVAL, "%s cannot be combined with %s%s", option_spell(row).text,
		       other, hint);
}

static enum option_jobs job_of(const struct options *o)
{
	static const enum option_jobs jobs[] = {
		[JOB_SHOW] = IN_SHOW,	    [JOB_COMPARE] = IN_FILES, [JOB_MERGE] = IN_MERGE,
		[JOB_HISTORY] = IN_HISTORY, [JOB_LIST] = IN_LIST,     [JOB_EXPLAIN] = IN_EXPLAIN,
	};

	if (o->job != JOB_COUNT)
		return jobs[o->job];
	return options_is_comparison(o) ? IN_COMPARE : IN_COUNT;
}

/* The options that choose one of these jobs. */
static const char *jobs_options(unsigned int jobs)
{
	static const struct {
		unsigned int jobs;
		const char *options;
	} table[] = {
		{ IN_SHOW, "--show" },
		{ IN_FILES, "--compare" },
		{ IN_MERGE, "--merge" },
		{ IN_HISTORY, "--history" },
		{ IN_LIST, "--list" },
		{ IN_EXPLAIN, "--explain" },
		{ IN_LIST | IN_EXPLAIN, "--list --explain" },
		{ IN_COMPARE, "-c -L --baseline" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].jobs == jobs)
			return table[i].options;
	return "-c -L --baseline --compare";
}

/* 0; -EINVAL with why. */
static int check_jobs(const struct options *o, struct why *why)
{
	const enum option_jobs job = job_of(o);
	const char *options = jobs_options(job);
	struct option_spelling chosen;

	while (next_word(&options, &chosen) && !has_word(o, chosen.text))
		;
	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];

		if (!is_given(o, row) || row->jobs & job)
			continue;
		return job == IN_COUNT ? refuse_without(row, jobs_options(row->jobs), why) :
					 refuse_with(row, chosen.text, why);
	}
	return 0;
}

static void option_forget(struct options *o, const char *spelling)
{
	o->given[option_find(spelling) - option_table] = false;
}

/* Scripts combine these values, which have no effect, with any other option. */
static void forget_defaults(struct options *o)
{
	if (o->repeat == 1 && !options_is_comparison(o))
		option_forget(o, "-r");
	if (o->warmup == 0)
		option_forget(o, "--warmup");
	if (o->timing.delay_ms == 0)
		option_forget(o, "-D");
	if (o->timing.interval_ms == 0)
		option_forget(o, "-I");
	if (o->timing.timeout_ms == 0)
		option_forget(o, "--timeout");
	if (o->timing.interval_count == 0)
		option_forget(o, "--interval-count");
}

/* Whether an option says what to count, how to split the rows, or when to count. */
static bool says_what_to_count(const struct options *o)
{
	for (size_t i = 0; i < option_table_n; i++)
		if (o->given[i] && (option_table[i].section == SECTION_EVENTS ||
				    option_table[i].section == SECTION_ROWS ||
				    option_table[i].section == SECTION_TIME))
			return true;
	return false;
}

/* The first given option that needs counts of whole CPUs. NULL: there is none. */
static const struct option_row *split_of_cpus(const struct options *o)
{
	for (size_t i = 0; i < option_table_n; i++)
		if (is_given(o, &option_table[i]) && str_equal(option_table[i].needs, "-a -C"))
			return &option_table[i];
	return NULL;
}

int options_check_split(const struct options *o, const struct event_list *events, struct why *why)
{
	if (o->assumes_whole_cpus && !event_list_counts_whole_cpus(events))
		return refuse_without(split_of_cpus(o), "-a -C", why);
	return 0;
}

/* If options contradict each other, the option that perf stat obeys wins. */
static void settle_conflicts(struct options *o)
{
	struct target_request *target = &o->target;

	if (o->job != JOB_COUNT)
		return;
	if (options_is_comparison(o) || o->repeat != 1)
		target->process_places = PROCESS_PLACES_NAMES;
	if (o->strict_scaling)
		o->min_running = 100;
	if (o->null_run)
		o->detail = 0;
	if (o->requests_n > 0)
		o->null_run = false;
	if (o->json)
		o->separator = NULL;
	if (o->quiet)
		o->verbose = false;
	if (options_is_comparison(o))
		return;
	/* The last option that splits the rows wins. The earlier ones are treated as not given, so
	 * their requirements and conflicts are not checked. */
	for (size_t i = 0; i < option_table_n; i++)
		if (option_table[i].section == SECTION_ROWS &&
		    &option_table[i] != option_of_split(target->split))
			o->given[i] = false;
	if ((target->pids || target->tids) && (target->all_cpus || target->cpus)) {
		o->ignored = target->cpus ? "-C" : "-a";
		target->all_cpus = false;
		target->cpus = NULL;
		option_forget(o, "-a");
		option_forget(o, "-C");
	}
	if (!o->argv[0] && !options_has_target(o) && (o->as_perf || says_what_to_count(o))) {
		o->assumes_all_cpus = target->all_cpus = true;
		o->given[option_find("-a") - option_table] = true;
	}
	if (o->argv[0] && !options_has_target(o) && o->requests_n > 0 && !o->ignored &&
	    split_of_cpus(o)) {
		o->assumes_whole_cpus = target->all_cpus = true;
		o->given[option_find("-a") - option_table] = true;
	}
	if (o->as_perf)
		o->ignore_failure = true;
}

/* Check what the row excludes and needs. 0; -EINVAL with why. */
static int check_row(const struct options *o, const struct option_row *row, struct why *why)
{
	const char *excludes = row->excludes, *needs = row->needs;
	bool is_satisfied = !needs || o->job != JOB_COUNT;
	struct option_spelling word;

	while (next_word(&excludes, &word)) {
		bool is_assumed = o->assumes_all_cpus && needs && strcmp(word.text, "-a") == 0;

		if (!is_assumed && has_word(o, word.text))
			return refuse_with(row, word.text, why);
	}
	while (!is_satisfied && next_word(&needs, &word))
		is_satisfied = has_word(o, word.text);
	if (is_satisfied)
		return 0;
	if (o->ignored && row->section == SECTION_ROWS) /* because of -p or -t */
		return refuse_with(row, o->target.pids ? "-p" : "-t", why);
	return refuse_without(row, row->needs, why);
}

/* 0; -EINVAL with why. */
static int check_table(const struct options *o, struct why *why)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];
		const void *field = (const char *)o + row->field;

		if (!is_given(o, row))
			continue;
		if ((row->kind == ARGUMENT_FILE || row->kind == ARGUMENT_DOCUMENT) &&
		    str_equal(*(const char *const *)field, ""))
			return refuse_without(row, "FILE", why);
		err = check_row(o, row, why);
	}
	return err;
}

const char *options_history_trouble(enum place_kind split)
{
	if (split < PLACE_THREAD)
		return NULL;
	return "rows of --per-process and --per-thread cannot be part of a history";
}

/* Conflicts that depend on the value of an option, which the table does not know. */
static const char *check_values(const struct options *o)
{
	const struct format *format = options_format(o);
	bool appends = o->output && o->append && format && format->appendable == APPENDABLE_NEVER;
	bool replaces = format && format->intervals == INTERVALS_REPLACED;
	bool is_for_screens = !o->format || (format && format->audience == AUDIENCE_TERMINAL);

	if (o->compare_options.history && o->job != JOB_HISTORY && o->compare_options.gates_n == 0)
		return "--history needs --fail-if, unless it is used alone";
	if (((format && format->has_no_tasks) || o->compare_options.history) &&
	    options_history_trouble(o->target.split))
		return options_history_trouble(o->target.split);
	if (str_equal(o->control, "region") && !o->argv[0])
		return "--control region needs COMMAND";
	if (o->target.split == PLACE_THREAD && !options_has_target(o) &&
	    (o->repeat != 1 || o->timing.interval_ms || o->no_inherit || o->no_multiplex))
		return "--per-thread of a command cannot be combined with -r, -I, -i or --no-multiplex";
	if (o->processes.by != PROCESS_BY_AUTO && o->processes.by != PROCESS_BY_NAME &&
	    o->job == JOB_COUNT && (options_is_comparison(o) || o->repeat != 1))
		return "--by: several runs can only be combined by name";
	if (o->processes.by == PROCESS_BY_TREE && (o->processes.top || o->processes.sort))
		return "--by tree cannot be combined with --top or --sort";
	if (o->repeat == 0 && options_is_comparison(o) &&
	    o->compare_options.order == ORDER_SEQUENTIAL)
		return "-r 0 cannot be combined with --order sequential";
	if (o->repeat == 0 && o->compare_options.bisect)
		return "-r 0 cannot be combined with --bisect";
	if (str_equal(o->html, "-"))
		return "--html cannot write to '-'; for standard output use --html /dev/stdout";
	if (o->interval_clear && !is_for_screens)
		return "--interval-clear needs --format table";
	if (o->metric_only && !is_for_screens)
		return "--metric-only needs -x, -j or --format table";
	/* a JSON document is alone in its file, and "# EOF" is the last line of OpenMetrics */
	if (appends && format->intervals == INTERVALS_INSIDE)
		return "--append cannot be combined with --format json, bmf or benchmark-action";
	if (appends && replaces)
		return "--append cannot be combined with --format openmetrics";
	if (o->append && o->save && !o->output)
		return "--append concerns -o; --save replaces its FILE";
	if (o->html && o->job == JOB_SHOW && o->argv[0] && o->argv[1])
		return "--show with --html takes one FILE";
	if (replaces && o->job == JOB_SHOW && o->argv[0] && o->argv[1])
		return "--show with --format openmetrics takes one FILE";
	if (replaces && o->timing.interval_ms && !o->output)
		return "-I with --format openmetrics needs -o, because each interval replaces the file";
	return NULL;
}

/* With "-o ./prog" alone, the option takes the word that is meant as the command. 0; -EINVAL with
 * why. */
static int check_command(const struct options *o, int argc, char *const argv[], struct why *why)
{
	if (o->job != JOB_COUNT || o->argv[0] || options_has_target(o) || options_is_comparison(o))
		return 0;
	if (argc > 2 && argv[argc - 2][0] == '-' && argv[argc - 1][0] != '-')
		return why_set(why, -EINVAL, "no command to count: '%s' is the argument of %s",
			       argv[argc - 1], argv[argc - 2]);
	return why_set(why, -EINVAL,
		       "no command to count: pstat [OPTIONS] COMMAND [ARG...]; see 'pstat --help'");
}

static bool has_option(char *const words[])
{
	for (size_t i = 0; words[i]; i++)
		if (words[i][0] == '-' && words[i][1] != '\0')
			return true;
	return false;
}

/* The words after the options: events, a pattern or files. */
static const char *check_arguments(const struct options *o)
{
	switch (o->job) {
	case JOB_COUNT: /* see check_command() */
		return NULL;
	case JOB_EXPLAIN:
		if (has_option(o->argv))
			return "--explain: options must precede the events";
		return o->argv[0] ? NULL : "--explain needs an event: pstat --explain EVENT...";
	case JOB_LIST:
		if (has_option(o->argv))
			return "--list: options must precede the GLOB";
		if (o->argv[0] && o->argv[1])
			return "--list takes one GLOB; quote it, so that the shell does not expand it";
		return NULL;
	case JOB_HISTORY:
		return NULL;
	case JOB_SHOW:
		return o->argv[0] ? NULL :
				    "--show needs a FILE: pstat --show FILE... [--format FMT]";
	case JOB_MERGE:
		return o->argv[0] ? NULL : "--merge needs FILEs: pstat --merge RANK.json...";
	default:
		return o->argv[0] ? NULL :
				    "--compare needs FILEs: pstat --compare OLD.json NEW.json";
	}
}

/* Whether --format may name the format for that kind of output. */
static bool is_format_of(const struct format *format, enum document_kind kind)
{
	if (!format || format->destination == DESTINATION_FILE)
		return false;
	return kind == KIND_RESULT ? format->has_results : format->has_comparisons;
}

/* 0; -EINVAL with why. */
static int check_format_of(const struct options *o, enum document_kind kind, struct why *why)
{
	const struct format *format = format_find(o->format);
	const char *wrong = kind == KIND_RESULT ? "only for comparisons" : "not for comparisons";
	cleanup_str struct str names = { 0 };

	if (is_format_of(format, kind))
		return 0;
	for (size_t i = 0; formats[i]; i++)
		if (is_format_of(formats[i], kind))
			str_add_listed(&names, formats[i]->name);
	return why_set(why, -EINVAL, "--format %s: %s; choose from: %s", o->format,
		       format ? wrong : "unknown format", str_text(&names));
}

const char *options_of_processes(const struct options *o)
{
	for (size_t i = 0; i < option_table_n; i++)
		if (o->given[i] && str_equal(option_table[i].needs, "--per-process"))
			return option_table[i].name;
	return NULL;
}

int options_check_kind(const struct options *o, enum document_kind kind, struct why *why)
{
	if (kind == KIND_COMPARISON && (o->separator || o->json || o->metric_only || o->run_times))
		return why_set(
			why, -EINVAL,
			"--show: a saved comparison cannot be printed with -x, -j, --metric-only or "
			"--table; use --format");
	return o->format ? check_format_of(o, kind, why) : 0;
}

/* 0; -EINVAL with why. */
static int check_format(const struct options *o, struct why *why)
{
	const struct format *format = o->format ? format_find(o->format) : NULL;
	bool is_table = format && format->audience == AUDIENCE_TERMINAL;

	if (!o->format || (o->job == JOB_SHOW && is_format_of(format, KIND_COMPARISON)))
		return 0; /* see options_check_kind() */
	if (o->job == JOB_COMPARE || (o->job == JOB_COUNT && options_is_comparison(o)))
		return check_format_of(o, KIND_COMPARISON, why);
	if (o->job == JOB_COUNT || o->job == JOB_SHOW || o->job == JOB_MERGE)
		return check_format_of(o, KIND_RESULT, why);
	if (is_table)
		return 0;
	if (o->job == JOB_HISTORY)
		return why_set(why, -EINVAL, "--format %s: --history prints only table", o->format);
	if (format && format->is_document)
		return 0;
	return why_set(why, -EINVAL, "--format %s: --list and --explain print only table and json",
		       o->format);
}

/* trouble: NULL for none. 0; -EINVAL with why. */
static int refuse_trouble(const char *trouble, struct why *why)
{
	return trouble ? why_set(why, -EINVAL, "%s", trouble) : 0;
}

/* Whether all ranks of a job would write the same file of this name. A shell may have put the rank
 * into the name. */
static bool is_shared(const char *name, int rank)
{
	char number[16];
	struct stat st;

	snprintf(number, sizeof(number), "%d", rank);
	if (strstr(name, "%r") || strstr(name, "%p") || strstr(name, number))
		return false;
	if (strncmp(name, "/dev/", 5) == 0 || strncmp(name, "/proc/", 6) == 0)
		return false;
	return stat(name, &st) < 0 || S_ISREG(st.st_mode);
}

/*
 * Replace %r and the like in the names of result files. perf has no such names. Rank 1 notes a file
 * that all ranks replace: the script that starts them may have rank 0, too. 0; -EINVAL with why;
 * -ENOMEM.
 */
static int expand_file_names(struct options *o, struct why *why)
{
	const struct {
		const char *option, **name;
	} files[] = { { "-o", &o->output }, { "--save", &o->save }, { "--html", &o->html } };
	bool is_rank = o->job == JOB_COUNT && launcher_rank() == 1;

	for (size_t i = 0; !o->as_perf && i < sizeof(files) / sizeof(files[0]); i++) {
		const char *given = *files[i].name;
		cleanup_why struct why trouble = { 0 };
		cleanup_str struct str name = { 0 };
		int err;

		if (is_rank && given && is_shared(given, 1) && !(o->append && given == o->output))
			o->shared_files[i] = given;
		if (!given || !strchr(given, '%'))
			continue;
		err = file_name_expand(&name, given, &trouble);
		if (err < 0)
			return why_of_argument(why, err, files[i].option, given, &trouble);
		*files[i].name = o->file_names[i] = take_ptr(name.text);
	}
	return 0;
}

static int option_add_text(struct texts *texts, const char *text)
{
	if (array_grow(&texts->v, texts->n, &texts->size, sizeof(*texts->v)) < 0)
		return -ENOMEM;
	texts->v[texts->n++] = text;
	return 0;
}

/* --bisect-check compares GOOD with itself and with BAD. 0; -EINVAL with why; -ENOMEM. */
static int take_endpoints(struct options *o, struct why *why)
{
	struct compare_options *c = &o->compare_options;
	const char *const commands[] = { o->argv[0], o->argv[0], o->argv[0] ? o->argv[1] : NULL };

	if (c->commands.n > 0)
		return why_set(why, -EINVAL,
			       "--bisect-check cannot be combined with -c; "
			       "use pstat --bisect-check --fail-if GATE GOOD BAD");
	if (!commands[2] || o->argv[2])
		return why_set(why, -EINVAL,
			       "--bisect-check needs two commands: pstat --bisect-check --fail-if "
			       "GATE GOOD BAD");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (option_add_text(&c->commands, commands[i]) < 0)
			return -ENOMEM;
	if (!c->names)
		c->names = "good,good again,bad";
	c->bisect = true;
	o->given[option_find("-c") - option_table] = true;
	o->argv += 2;
	return 0;
}

int options_check(struct options *o, int argc, char *const argv[], struct why *why)
{
	int err = 0;

	/* without anything to count or to compare, --history shows the history */
	if (o->job == JOB_COUNT && o->compare_options.history && !o->argv[0] &&
	    !options_has_target(o) && !options_is_comparison(o))
		o->job = JOB_HISTORY;
	if (o->job == JOB_HELP || o->job == JOB_VERSION)
		return 0;
	if (o->compare_options.bisect_check && o->job == JOB_COUNT)
		err = take_endpoints(o, why);
	if (err == 0)
		err = check_jobs(o, why);
	forget_defaults(o);
	settle_conflicts(o);
	if (err == 0)
		err = check_command(o, argc, argv, why);
	if (err == 0)
		err = refuse_trouble(check_arguments(o), why);
	if (err == 0)
		err = expand_file_names(o, why);
	if (err == 0)
		err = check_table(o, why);
	if (err == 0)
		err = refuse_trouble(check_values(o), why);
	if (err == 0)
		err = check_format(o, why);
	if (err < 0 || o->as_perf || !options_has_destination(o) ||
	    options_format(o)->notes != NOTES_COMMENTS)
		return err;
	/* if a table is written to a file, the notes are appended to that file */
	o->file_notes = calloc(1, sizeof(*o->file_notes));
	return o->file_notes ? 0 : -ENOMEM;
}

/* ---- Reading the command line. */

/*
 * getopt_long() returns this value plus the position of the option for a long name. All letters are
 * smaller.
 */
enum { FIRST_NAME = UCHAR_MAX + 1 };

struct getopt_arrays {
	char letters[2 + 2 * OPTIONS_MAX + 1];
	struct option names[OPTIONS_MAX + 1];
};

static int has_argument(const struct option_row *row)
{
	if (!row->argument)
		return no_argument;
	return row->argument[0] == '[' ? optional_argument : required_argument;
}

/* "+": options end at the command. ":": getopt reports a missing argument as ':', not as '?'. */
static void make_arrays(struct getopt_arrays *arrays, bool as_perf)
{
	struct option *name = arrays->names;
	char *letter = stpcpy(arrays->letters, "+:");

	memset(arrays->names, 0, sizeof(arrays->names));
	for (size_t i = 0; i < option_table_n; i++) {
		if (as_perf && strcmp(option_table[i].name, "merge") == 0)
			continue; /* the opposite of perf's --no-merge */
		name->name = option_table[i].name;
		name->has_arg = has_argument(&option_table[i]);
		name->val = FIRST_NAME + (int)i;
		name++;
		if (!option_table[i].letter)
			continue;
		*letter++ = option_table[i].letter;
		if (option_table[i].argument)
			*letter++ = ':';
	}
	*letter = '\0';
}

/* The row of the option for which getopt_long() returned code; NULL: unknown. */
static const struct option_row *find_row(int code)
{
	const char spelling[] = { '-', (char)code, '\0' };

	return code >= FIRST_NAME ? &option_table[code - FIRST_NAME] : option_find(spelling);
}

static int set_number(const struct option_row *row, const char *argument, unsigned int *field,
		      struct why *why)
{
	const char *number = argument + strspn(argument, " \t");
	uint64_t value;

	if (num_parse(number, strlen(number), &value) < 0 || value < row->min || value > row->max)
		return why_set(why, -EINVAL, "%s %s: not a number from %u to %u",
			       option_spell(row).text, argument, row->min, row->max);
	*field = (unsigned int)value;
	return 0;
}

static int set_decimal(const struct option_row *row, const char *argument, double *field,
		       struct why *why)
{
	double value;

	if (num_parse_decimal(argument, strlen(argument), &value) < 0 || value <= row->above ||
	    value > row->up_to)
		return why_set(why, -EINVAL, "%s %s: not %s", option_spell(row).text, argument,
			       row->range);
	*field = value / row->divided_by;
	return 0;
}

static int set_choice(const struct option_row *row, const char *argument, unsigned int *field,
		      struct why *why)
{
	const char *values = row->values;
	struct option_spelling value;

	for (unsigned int position = 0; next_word(&values, &value); position++)
		if (strcmp(argument, value.text) == 0) {
			*field = position;
			return 0;
		}
	return why_set(why, -EINVAL, "%s: unknown value '%s'; choose from: %s",
		       option_spell(row).text, argument, row->values);
}

static int add_request(struct options *o, const struct option_row *row, const char *text,
		       struct why *why)
{
	enum request_kind kind = (enum request_kind)row->constant;

	if (o->requests_n == 0 && (kind == REQUEST_FILTER || kind == REQUEST_CGROUPS))
		return why_set(why, -EINVAL,
			       "%s '%s': there are no events before it; give -e first",
			       option_spell(row).text, text);
	if (array_grow(&o->requests, o->requests_n, &o->requests_size, sizeof(*o->requests)) < 0)
		return -ENOMEM;
	o->requests[o->requests_n++] = (struct event_request){ kind, text };
	return 0;
}

static int option_apply(struct options *o, const struct option_row *row, const char *argument,
			struct why *why)
{
	void *field = (char *)o + row->field;
	int err;

	o->given[row - option_table] = true;
	switch (row->effect) {
	case SET_FLAG:
	case CLEAR_FLAG:
		*(bool *)field = row->effect == SET_FLAG;
		return 0;
	case SET_VALUE:
		*(unsigned int *)field = row->constant;
		return 0;
	case SET_TEXT:
		*(const char **)field = argument;
		return 0;
	case SET_NUMBER:
		return set_number(row, argument, field, why);
	case SET_DECIMAL:
		return set_decimal(row, argument, field, why);
	case SET_CHOICE:
		return set_choice(row, argument, field, why);
	case ADD_REQUEST:
		return add_request(o, row, argument, why);
	case ADD_TEXT:
		return option_add_text(field, argument);
	case CALL:
	case ADD:
		break;
	}
	err = row->read(o, argument, why);
	return err < 0 && why->has_position ?
		       why_of_argument(why, err, option_spell(row).text, argument, why) :
		       err;
}

/* The option whose name is nearest to this one; NULL: none is near. */
static const char *nearest_option(const char *name)
{
	const size_t n = strlen(name);
	/* at most two letters, and less than half of a name shorter than 5 */
	unsigned int best = n < 5 ? (unsigned int)(n + 1) / 2 : 3;
	const char *nearest = NULL;

	for (size_t i = 0; i < option_table_n; i++) {
		const char *other = option_table[i].name;
		unsigned int distance = str_distance(name, n, other, strlen(other));

		if (distance < best) {
			best = distance;
			nearest = other;
		}
	}
	return nearest;
}

/*
 * The option without an argument that a name negates. As in perf stat, "no-X" negates X, and "X"
 * negates "no-X". NULL: there is none.
 */
static const struct option_row *find_negated(const char *name)
{
	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];
		bool has_no = strncmp(row->name, "no-", 3) == 0;

		if (row->jobs & IN_COUNT && (row->effect == SET_FLAG || row->effect == SET_VALUE) &&
		    ((strncmp(name, "no-", 3) == 0 && strcmp(name + 3, row->name) == 0) ||
		     (has_no && strcmp(name, row->name + 3) == 0)))
			return row;
	}
	return NULL;
}

/* Whether this is an option of perf stat that has no effect in pstat. */
static bool is_without_effect(int code, const char *word)
{
	return code == '?' &&
	       (optopt ? optopt == 'g' :
			 is_listed("--group --hybrid-merge --metric-no-group --metric-no-merge "
				   "--metric-no-threshold",
				   word));
}

/* Refuse an option of perf stat that pstat does not have. If pstat runs as perf, name the way to
 * the real one. */
static int refuse_of_perf(const struct options *o, const char *option, struct why *why)
{
	return why_set(
		why, -EINVAL, "'%s' is an option of perf stat that pstat does not have; %s", option,
		o->as_perf ? "call perf by its path, or set PSTAT_PERF" : "use perf stat for it");
}

/*
 * The option of pstat that corresponds to an option of hyperfine, poop or another tool; NULL:
 * unknown.
 */
static const char *own_option(const char *name)
{
	static const char *const table[][2] = {
		{ "runs", "-r" },
		{ "min-runs", "-r" },
		{ "max-runs", "-r" },
		{ "prepare", "--pre" },
		{ "conclude", "--post" },
		{ "parameter-list", "-L" },
		{ "parameter-scan", "-L" },
		{ "command-name", "--names" },
		{ "reference", "--baseline" },
		{ "csv", "--format csv" },
		{ "json-file", "--save" },
		{ "markdown", "--format markdown" },
		{ "export-csv", "--format csv-summary -o" },
		{ "export-json", "--save" },
		{ "export-markdown", "--format markdown -o" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(table[i][0], name) == 0)
			return table[i][1];
	return NULL;
}

static int refuse_name(const struct options *o, const char *argument, struct why *why)
{
	cleanup_free char *name = strndup(argument + 2, strcspn(argument + 2, "="));
	const char *nearest = name ? nearest_option(name) : NULL;
	const char *own = name ? own_option(name) : NULL;
	size_t matches = 0;

	if (!name)
		return -ENOMEM;
	for (size_t i = 0; i < option_table_n; i++)
		matches += strncmp(option_table[i].name, name, strlen(name)) == 0;
	if (optopt)
		return why_set(why, -EINVAL, "option '--%s' takes no argument",
			       find_row(optopt)->name);
	if (is_listed("topdown td-level percore-show-thread smi-cost transaction iostat "
		      "bpf-counters bpf-prog bpf-attr-map cputype",
		      name))
		return refuse_of_perf(o, argument, why);
	if (own)
		return why_set(why, -EINVAL,
			       "unknown option '%s'; use '%s'. 'pstat --help' lists all", argument,
			       own);
	if (matches > 1)
		return why_set(
			why, -EINVAL,
			"option '%s' is ambiguous; use the full name ('pstat --help' lists all)",
			argument);
	if (nearest)
		return why_set(why, -EINVAL,
			       "unknown option '%s'; did you mean '--%s'? 'pstat --help' lists all",
			       argument, nearest);
	return why_set(why, -EINVAL, "unknown option '%s'; 'pstat --help' lists all", argument);
}

/* optopt is an unknown letter or a wrongly used option; 0 for an unknown name. getopt_long() has
 * moved optind past the word, except within a word of several letters. */
static int refuse_option(const struct options *o, int code, char **argv, struct why *why)
{
	const char *argument = argv[optind - 1];
	const char letter[] = { '-', (char)optopt, '\0' };

	if (code == ':')
		return why_set(why, -EINVAL, "option '%s' needs an argument", argument);
	if (optopt == 'T' || optopt == 'b')
		return refuse_of_perf(o, letter, why);
	if (optopt && !find_row(optopt))
		return why_set(why, -EINVAL, "unknown option '-%c'; 'pstat --help' lists all",
			       optopt);
	return refuse_name(o, argument, why);
}

/*
 * Like getopt_long(). --show and --compare have no command, so options may also follow the file
 * names. The file names are moved to the start of argv, and *n is their number.
 */
static int next_option(struct options *o, const struct getopt_arrays *arrays, int argc, char **argv,
		       int *n)
{
	for (;;) {
		int before = optind ? optind : 1;
		int id = getopt_long(argc, argv, arrays->letters, arrays->names, NULL);

		o->names_bisect |= id != -1 && strncmp(argv[before], "--bis", 5) == 0;
		if (id != -1 || !reads_documents(o) || optind == argc)
			return id;
		if (optind > before) /* after "--" */
			break;
		argv[++*n] = argv[optind++];
	}
	while (optind < argc)
		argv[++*n] = argv[optind++];
	return -1;
}

/* Apply an option, or refuse it. argv: getopt_long() has moved optind past the word. */
static int take_option(struct options *o, int code, char **argv, struct why *why)
{
	const struct option_row *negated =
		code == '?' && !optopt ? find_negated(argv[optind - 1] + 2) : NULL;

	if (negated) { /* forget that it was given before */
		void *field = (char *)o + negated->field;

		o->given[negated - option_table] = false;
		if (negated->effect == SET_FLAG)
			*(bool *)field = false;
		else if (*(unsigned int *)field == negated->constant)
			*(unsigned int *)field = 0;
		return 0;
	}
	if ((code == '?' || code == ':') && !is_without_effect(code, argv[optind - 1]))
		return refuse_option(o, code, argv, why);
	return code == '?' ? 0 : option_apply(o, find_row(code), optarg, why);
}

int options_read(struct options *o, int argc, char **argv, struct why *why)
{
	const char *slash = argv[0] ? strrchr(argv[0], '/') : NULL;
	const char *name = slash ? slash + 1 : argv[0];
	struct getopt_arrays arrays;
	int code, err = 0, moved = 0;

	*o = (struct options){ .repeat = 1,
			       .log_fd = -1,
			       .min_running = 5,
			       .compare_options.confidence = COMPARISON_CONFIDENCE };
	/* the command does not inherit the variable of the shim; unsetenv() does not free its
	 * text */
	o->perf_version = getenv("PSTAT_PERF_VERSION");
	if (!o->perf_version)
		o->perf_version = getenv("PSTAT_SHIM_VERSION");
	unsetenv("PSTAT_SHIM_VERSION");
	/* perf-stat-shim executes pstat through a link named perf, as "perf stat ARGS" */
	o->as_perf = str_equal(name, "perf");
	if (o->as_perf && argc > 1 && strcmp(argv[1], "stat") == 0) {
		argv++;
		argc--;
	}
	make_arrays(&arrays, o->as_perf);
	opterr = 0;
	while ((code = next_option(o, &arrays, argc, argv, &moved)) != -1)
		if (err == 0) /* after an error, only names_bisect matters */
			err = take_option(o, code, argv, why);
	if (err < 0)
		return err;
	o->has_repeat = is_given(o, option_find("-r"));
	o->compare_options.has_confidence = is_given(o, option_find("--confidence"));
	o->argv = argv + optind;
	if (moved) {
		argv[moved + 1] = NULL;
		o->argv = argv + 1;
	}
	return 0;
}

/* ---- --help. */

/* Columns of --help: the texts begin at HELP_INDENT, and no line is longer than HELP_WIDTH. */
enum { HELP_INDENT = 30, HELP_WIDTH = 79 };

static void help_option(const struct option_row *row, struct str *out)
{
	size_t start = out->len, column;

	if (row->letter)
		str_addf(out, "  -%c, ", row->letter);
	else
		str_add(out, "      ");
	str_addf(out, "--%s%s%s", row->name, has_argument(row) == required_argument ? " " : "",
		 row->argument ? row->argument : "");
	column = out->len - start;
	if (column >= HELP_INDENT)
		column = HELP_WIDTH; /* the text begins on the next line */
	for (const char *word = row->help; *word;) {
		size_t n = strcspn(word, " "), blanks;

		if (column + 1 + n > HELP_WIDTH) {
			str_add(out, "\n");
			column = 0;
		}
		blanks = column < HELP_INDENT ? HELP_INDENT - column : 1;
		str_addf(out, "%*s%.*s", (int)blanks, "", (int)n, word);
		column += blanks + n;
		word += n + (word[n] == ' ');
	}
	str_add(out, "\n");
}

int options_help(FILE *out)
{
	cleanup_str struct str text = { 0 };

	str_add(&text,
		"Usage: pstat [OPTIONS] [--] COMMAND [ARG...]\n"
		"       pstat [OPTIONS] -a | -C CPUS | -p PID | -t TID [COMMAND [ARG...]]\n"
		"       pstat [OPTIONS] -c 'CMD A' -c 'CMD B' ...\n"
		"       pstat [OPTIONS] --baseline FILE COMMAND [ARG...]\n"
		"       pstat [OPTIONS] --compare FILE...\n"
		"       pstat [OPTIONS] --explain EVENT... [PROGRAM]\n"
		"       pstat [OPTIONS] --history FILE|FOLDER\n"
		"       pstat [OPTIONS] --list [GLOB]\n"
		"       pstat [OPTIONS] --merge RANK.json...\n"
		"       pstat [OPTIONS] --show FILE...\n"
		"Count hardware and kernel events while COMMAND runs, or compare commands.\n");
	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];

		if (i == 0 || row->section != row[-1].section)
			str_addf(&text, "\n%s:\n", option_sections[row->section]);
		help_option(row, &text);
	}
	str_add(&text,
		"\nEvents: cycles, page-faults, L1-dcache-load-misses (generic);\n"
		"INST_RETIRED:u (libpfm4); cpu/event=0x3c,umask=0x1/ (sysfs); r1a2b and 4:0x3c\n"
		"(raw); duration_time (measured by pstat itself). {a,b} is a group.\n"
		"Exit status: that of the command; 125 if pstat failed, 126 or 127 if the\n"
		"command could not be executed or found, 128+n if signal n killed it.\n"
		"With --fail-if: 0 if each limit is kept, 1 if one is not, 2 if unclear.\n"
		"See pstat(1).\n");
	return str_print(&text, out);
}
