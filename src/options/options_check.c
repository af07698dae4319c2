/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which options can be combined. The table decides, unless the value of an option matters. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/launcher.h"
#include "options/option_table.h"

static bool options_check_is_given(const struct options *o, const struct option_row *row)
{
	return o->given[row - option_table];
}

/* Whether this option was given; COMMAND: whether there is a command after the options. The lines
 * of --suite are commands like those of -c. */
static bool options_check_has_word(const struct options *o, const char *word)
{
	if (strcmp(word, "COMMAND") == 0)
		return o->argv[0];
	if (strcmp(word, "-c") == 0 && o->compare_options.suite)
		return true;
	return options_check_is_given(o, option_find(word));
}

/* The next word of the list that the row does not exclude. false: there is none. */
static bool options_check_next_allowed(const struct option_row *row, const char **list,
				       struct option_spelling *word)
{
	while (option_next_word(list, word))
		if (!option_is_listed(row->excludes, word->text))
			return true;
	return false;
}

/*
 * Refuse with "-X needs -a, -c or --list", with the options of the list that -X does not exclude.
 * Returns -EINVAL.
 */
static int options_check_refuse_without(const struct option_row *row, const char *list,
					struct why *why)
{
	cleanup_str struct str text = { 0 };
	struct option_spelling word, next;
	bool has_next = options_check_next_allowed(row, &list, &next);

	while (has_next) {
		word = next;
		has_next = options_check_next_allowed(row, &list, &next);
		str_addf(&text, "%s%s", text.len == 0 ? "" : has_next ? ", " : " or ", word.text);
	}
	return why_set(why, -EINVAL, "%s needs %s", option_spell(row).text, str_text(&text));
}

static int options_check_refuse_with(const struct options *o, const struct option_row *row,
				     const char *other, struct why *why)
{
	const char *hint = "";

	if (strcmp(other, "-c") == 0 && o->compare_options.suite)
		other = "--suite";
	if (strcmp(other, "COMMAND") == 0 && row->letter == 'c')
		hint = "; quote each command: -c './prog ARG'";
	else if (strcmp(other, "--history") == 0)
		hint = " without a command; give a command to count";
	else if (option_is_listed("-x -j --metric-only", option_spell(row).text) &&
		 option_is_listed("-c -L --suite --baseline --compare", other))
		hint = "; use --format csv-summary (means), csv (each run) or json";
	return why_set(why, -EINVAL, "%s cannot be combined with %s%s", option_spell(row).text,
		       other, hint);
}

static enum option_jobs options_check_job_of(const struct options *o)
{
	static const enum option_jobs jobs[] = {
		[JOB_SHOW] = IN_SHOW,	    [JOB_COMPARE] = IN_FILES, [JOB_MERGE] = IN_MERGE,
		[JOB_HISTORY] = IN_HISTORY, [JOB_LIST] = IN_LIST,     [JOB_EXPLAIN] = IN_EXPLAIN,
		[JOB_DOCTOR] = IN_DOCTOR,
	};

	if (o->job != JOB_COUNT)
		return jobs[o->job];
	return options_is_comparison(o) ? IN_COMPARE : IN_COUNT;
}

/* The options that choose one of these jobs. */
static const char *options_check_options_of_job(unsigned int jobs)
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
		{ IN_DOCTOR, "--doctor" },
		{ IN_LIST | IN_EXPLAIN, "--list --explain" },
		{ IN_LIST | IN_EXPLAIN | IN_DOCTOR, "--list --explain --doctor" },
		{ IN_COMPARE, "-c -L --baseline" },
		{ IN_COMPARE | IN_DOCTOR, "-c -L --baseline --doctor" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].jobs == jobs)
			return table[i].options;
	return "-c -L --baseline --compare";
}

/* 0; -EINVAL with why. */
static int options_check_jobs(const struct options *o, struct why *why)
{
	const enum option_jobs job = options_check_job_of(o);
	const char *options = options_check_options_of_job(job);
	struct option_spelling chosen;

	while (option_next_word(&options, &chosen) && !options_check_has_word(o, chosen.text))
		;
	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];

		if (!options_check_is_given(o, row) || row->jobs & job)
			continue;
		if (job != IN_COUNT)
			return options_check_refuse_with(o, row, chosen.text, why);
		/* what the row needs may say more exactly which options make such a job */
		if (row->needs && option_is_listed(row->needs, "-c"))
			return options_check_refuse_without(row, row->needs, why);
		return options_check_refuse_without(row, options_check_options_of_job(row->jobs),
						    why);
	}
	return 0;
}

static void options_check_forget(struct options *o, const char *spelling)
{
	o->given[option_find(spelling) - option_table] = false;
}

/* Scripts combine these values, which have no effect, with any other option. */
static void options_check_forget_defaults(struct options *o)
{
	if (o->repeat == 1 && !options_is_comparison(o))
		options_check_forget(o, "-r");
	if (o->warmup == 0)
		options_check_forget(o, "--warmup");
	if (o->timing.delay_ms == 0)
		options_check_forget(o, "-D");
	if (o->timing.interval_ms == 0)
		options_check_forget(o, "-I");
	if (o->timing.timeout_ms == 0)
		options_check_forget(o, "--timeout");
	if (o->timing.interval_count == 0)
		options_check_forget(o, "--interval-count");
}

/* Whether an option says what to count, how to split the rows, or when to count. */
static bool options_check_says_what_to_count(const struct options *o)
{
	for (size_t i = 0; i < option_table_n; i++)
		if (o->given[i] && (option_table[i].section == SECTION_EVENTS ||
				    option_table[i].section == SECTION_ROWS ||
				    option_table[i].section == SECTION_TIME))
			return true;
	return false;
}

/* The first given option that needs counts of whole CPUs. NULL: there is none. */
static const struct option_row *options_check_split_of_cpus(const struct options *o)
{
	for (size_t i = 0; i < option_table_n; i++)
		if (options_check_is_given(o, &option_table[i]) &&
		    str_equal(option_table[i].needs, "-a -C"))
			return &option_table[i];
	return NULL;
}

int options_check_split(const struct options *o, const struct event_list *events, struct why *why)
{
	if (o->assumes_whole_cpus && !event_list_counts_whole_cpus(events))
		return options_check_refuse_without(options_check_split_of_cpus(o), "-a -C", why);
	return 0;
}

/* If options contradict each other, the option that perf stat obeys wins. */
static void options_check_settle_conflicts(struct options *o)
{
	struct target_request *target = &o->target;
	const struct option_row *split = option_of_split(target->split);

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
		if (option_table[i].section == SECTION_ROWS && &option_table[i] != split)
			o->given[i] = false;
	if ((target->pids || target->tids) && (target->all_cpus || target->cpus)) {
		o->ignored = target->cpus ? "-C" : "-a";
		target->all_cpus = false;
		target->cpus = NULL;
		options_check_forget(o, "-a");
		options_check_forget(o, "-C");
	}
	if (!o->argv[0] && !options_has_target(o) &&
	    (o->as_perf || options_check_says_what_to_count(o))) {
		o->assumes_all_cpus = target->all_cpus = true;
		o->given[option_find("-a") - option_table] = true;
	}
	if (o->argv[0] && !options_has_target(o) && o->requests_n > 0 && !o->ignored &&
	    options_check_split_of_cpus(o)) {
		o->assumes_whole_cpus = target->all_cpus = true;
		o->given[option_find("-a") - option_table] = true;
	}
	if (o->as_perf || (options_prints_as_perf(o) && !o->compare_options.history))
		o->ignore_failure = true;
}

/* Check what the row excludes and needs. 0; -EINVAL with why. */
static int options_check_row(const struct options *o, const struct option_row *row, struct why *why)
{
	const char *excludes = row->excludes, *needs = row->needs;
	bool is_satisfied = !needs || o->job != JOB_COUNT;
	struct option_spelling word;

	while (option_next_word(&excludes, &word)) {
		bool is_assumed = o->assumes_all_cpus && needs && strcmp(word.text, "-a") == 0;

		if (!is_assumed && options_check_has_word(o, word.text))
			return options_check_refuse_with(o, row, word.text, why);
	}
	while (!is_satisfied && option_next_word(&needs, &word))
		is_satisfied = options_check_has_word(o, word.text);
	if (is_satisfied)
		return 0;
	if (o->ignored && row->section == SECTION_ROWS) /* because of -p or -t */
		return options_check_refuse_with(o, row, o->target.pids ? "-p" : "-t", why);
	return options_check_refuse_without(row, row->needs, why);
}

/* 0; -EINVAL with why. */
static int options_check_table(const struct options *o, struct why *why)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];
		const void *field = (const char *)o + row->field;

		if (!options_check_is_given(o, row))
			continue;
		if (!row->read && (row->kind == ARGUMENT_FILE || row->kind == ARGUMENT_DOCUMENT) &&
		    str_equal(*(const char *const *)field, ""))
			return options_check_refuse_without(row, "FILE", why);
		err = options_check_row(o, row, why);
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
static const char *options_check_values(const struct options *o)
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
	if (o->compare_options.suite && o->compare_options.commands.n > 0)
		return "--suite cannot be combined with -c";
	if (str_equal(o->control, "region") && !o->argv[0])
		return "--control region needs COMMAND";
	if (o->target.split == PLACE_THREAD && !options_has_target(o) &&
	    (o->repeat != 1 || o->timing.interval_ms || o->no_inherit || o->no_multiplex))
		return "--per-thread of a command cannot be combined with -r, -I, -i or --no-multiplex";
	if (o->processes.by != PROCESS_BY_AUTO && o->processes.by != PROCESS_BY_NAME &&
	    o->job == JOB_COUNT && (options_is_comparison(o) || o->repeat != 1))
		return "--by: several runs can only be combined by name";
	if (str_equal(o->processes.sort, PROCESS_SORT_ELAPSED) && o->job == JOB_COUNT &&
	    o->repeat != 1)
		return "--sort elapsed: several runs have no times of their processes; omit -r";
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

/* ---- "pstat stat -e cs COMMAND", as with perf. */

/* Whether this is an option of stat(1) (coreutils, busybox), or its beginning. */
static bool options_check_is_option_of_stat(const char *name, size_t n)
{
	static const char *const names[] = { "cached", "dereference", "file-system", "format",
					     "help",   "printf",      "terse",	     "version" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(names[i], name, n) == 0)
			return true;
	return false;
}

/* Whether the word has an option of pstat, and so of perf stat, that stat(1) does not have. */
static bool options_check_is_for_pstat(const char *word)
{
	struct option_spelling spelling = { "" };

	if (word[0] != '-' || word[1] == '\0')
		return false;
	if (word[1] == '-') {
		size_t n = strcspn(word, "=");

		if (n >= sizeof(spelling.text) || options_check_is_option_of_stat(word + 2, n - 2))
			return false;
		memcpy(spelling.text, word, n);
		return option_find(spelling.text) != NULL;
	}
	word += 1 + strspn(word + 1, "Lft");
	if (*word == '\0' || *word == 'c') /* the rest is the format of -c */
		return false;
	memcpy(spelling.text, (const char[]){ '-', *word }, 2);
	return option_find(spelling.text) != NULL;
}

/* Append a word as a shell reads it. */
static void options_check_add_shell_word(struct str *out, const char *word)
{
	bool plain = word[0] && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					     "0123456789_-+=.,:/@%^") == strlen(word);

	if (plain) {
		str_addf(out, " %s", word);
		return;
	}
	str_add(out, " '");
	for (; *word; word++)
		if (*word == '\'')
			str_add(out, "'\\''");
		else
			str_add_n(out, word, 1);
	str_add(out, "'");
}

/*
 * Refuse the command stat(1) with options that only perf stat has: without its first word, the
 * command line is probably what was meant. stat(1) would fail. 0; -EINVAL with why.
 */
static int options_check_refuse_subcommand(const struct options *o, char *const argv[],
					   struct why *why)
{
	cleanup_str struct str meant = { 0 };
	char *const *word = o->argv;
	bool is_meant = false;

	if (o->job != JOB_COUNT || o->as_perf || !*word || strcmp(*word, "stat") != 0)
		return 0;
	while (!is_meant && *++word && strcmp(*word, "--") != 0)
		is_meant = options_check_is_for_pstat(*word);
	if (!is_meant)
		return 0;
	for (word = argv + 1; *word; word++)
		if (word != o->argv && !(word + 1 == o->argv && strcmp(*word, "--") == 0))
			options_check_add_shell_word(&meant, *word);
	return why_set(why, -EINVAL, "pstat has no subcommand 'stat'; use: pstat%s",
		       str_text(&meant));
}

/* 'EVENT>auto' has no limit without a history. 0; -EINVAL with why. */
static int options_check_gates(const struct options *o, struct why *why)
{
	const struct compare_options *c = &o->compare_options;

	for (size_t i = 0; !c->history && i < c->gates_n; i++)
		if (c->gates[i].limit.source != LIMIT_FIXED)
			return why_set(
				why, -EINVAL,
				"--fail-if '%s' needs --history FILE; or give a limit: '%s%s'",
				c->gates[i].text, c->gates[i].name,
				c->gates[i].above ? ">+1%" : "<-1%");
	return 0;
}

/* With "-o ./prog" alone, the option takes the word that is meant as the command. 0; -EINVAL with
 * why. */
static int options_check_command(const struct options *o, int argc, char *const argv[],
				 struct why *why)
{
	if (o->job != JOB_COUNT || o->argv[0] || options_has_target(o) || options_is_comparison(o))
		return 0;
	if (argc > 2 && argv[argc - 2][0] == '-' && argv[argc - 1][0] != '-')
		return why_set(why, -EINVAL, "no command to count: '%s' is the argument of %s",
			       argv[argc - 1], argv[argc - 2]);
	return why_set(why, -EINVAL,
		       "no command to count: pstat [OPTIONS] COMMAND [ARG...]; see 'pstat --help'");
}

static bool options_check_has_option(char *const words[])
{
	for (size_t i = 0; words[i]; i++)
		if (words[i][0] == '-' && words[i][1] != '\0')
			return true;
	return false;
}

/* The words after the options: events, a pattern or files. */
static const char *options_check_arguments(const struct options *o)
{
	switch (o->job) {
	case JOB_COUNT: /* see options_check_command() */
		return NULL;
	case JOB_EXPLAIN:
		if (options_check_has_option(o->argv))
			return "--explain: options must precede the events";
		return o->argv[0] ? NULL : "--explain needs an event: pstat --explain EVENT...";
	case JOB_LIST:
		if (options_check_has_option(o->argv))
			return "--list: options must precede the GLOB";
		if (o->argv[0] && o->argv[1])
			return "--list takes one GLOB; quote it, so that the shell does not expand it";
		return NULL;
	case JOB_HISTORY:
		return NULL;
	case JOB_DOCTOR:
		if (o->argv[0])
			return "--doctor takes no command";
		return options_format(o) == &format_table || options_format(o) == &format_json ?
			       NULL :
			       "--doctor: the formats are table and json";
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
static bool options_check_is_format_of(const struct format *format, enum document_kind kind)
{
	if (!format || format->destination == DESTINATION_FILE)
		return false;
	switch (kind) {
	case KIND_RESULT:
		return format->write;
	case KIND_COMPARISON:
		return format->write_comparison;
	case KIND_HISTORY:
		break;
	}
	return format->write_history;
}

/* 0; -EINVAL with why. */
static int options_check_format_of(const struct options *o, enum document_kind kind,
				   struct why *why)
{
	const struct format *format = format_find(o->format);
	static const char *const wrong[] = {
		[KIND_RESULT] = "only for comparisons",
		[KIND_COMPARISON] = "not for comparisons",
		[KIND_HISTORY] = "not for --history alone",
	};
	cleanup_str struct str names = { 0 };

	if (options_check_is_format_of(format, kind))
		return 0;
	for (size_t i = 0; formats[i]; i++)
		if (options_check_is_format_of(formats[i], kind))
			str_add_listed(&names, formats[i]->name);
	return why_set(why, -EINVAL, "--format %s: %s; choose from: %s", o->format,
		       format ? wrong[kind] : "unknown format", str_text(&names));
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
	if (kind == KIND_RESULT && (o->details || o->compare_options.rows != ROWS_AUTO))
		return why_set(why, -EINVAL, "--show: %s is only for saved comparisons",
			       o->details ? "--details" : "--rows");
	return o->format ? options_check_format_of(o, kind, why) : 0;
}

/* 0; -EINVAL with why. */
static int options_check_format(const struct options *o, struct why *why)
{
	const struct format *format = o->format ? format_find(o->format) : NULL;
	bool is_table = format && format->audience == AUDIENCE_TERMINAL;

	if (!o->format ||
	    (o->job == JOB_SHOW && options_check_is_format_of(format, KIND_COMPARISON)))
		return 0; /* see options_check_kind() */
	if (o->job == JOB_COMPARE || (o->job == JOB_COUNT && options_is_comparison(o)))
		return options_check_format_of(o, KIND_COMPARISON, why);
	if (o->job == JOB_COUNT || o->job == JOB_SHOW || o->job == JOB_MERGE)
		return options_check_format_of(o, KIND_RESULT, why);
	if (o->job == JOB_HISTORY)
		return options_check_format_of(o, KIND_HISTORY, why);
	if (is_table)
		return 0;
	if (format && format->is_document)
		return 0;
	return why_set(why, -EINVAL, "--format %s: --list and --explain print only table and json",
		       o->format);
}

/* trouble: NULL for none. 0; -EINVAL with why. */
static int options_check_refuse_trouble(const char *trouble, struct why *why)
{
	return trouble ? why_set(why, -EINVAL, "%s", trouble) : 0;
}

/* ---- The names of result files. */

/* A value may come from the environment, so it must not name a folder, not even "..". */
static void options_check_add_value_to_name(struct str *out, const char *value)
{
	for (const char *p = value; *p; p++) {
		bool plain =
			isalnum((unsigned char)*p) || strchr("_-", *p) || (*p == '.' && p > value);

		str_add_n(out, plain ? p : "_", 1);
	}
}

/* letter: after the '%', or the NUL at the end of the name. */
static int options_check_add_letter(struct str *out, char letter, size_t at, struct why *why)
{
	struct utsname names;

	switch (letter) {
	case '%':
		str_add(out, "%");
		return 0;
	case 'h':
		options_check_add_value_to_name(out,
						uname(&names) == 0 ? names.nodename : "localhost");
		return 0;
	case 'p':
		str_addf(out, "%d", getpid());
		return 0;
	case 'r':
		if (launcher_rank() < 0)
			return why_at(
				why, -EINVAL, at,
				"%%r: no launcher (mpirun, srun) has given this process a rank");
		str_addf(out, "%d", launcher_rank());
		return 0;
	case 'j':
		if (!launcher_job())
			return why_at(why, -EINVAL, at, "%%j: no launcher has named a job");
		options_check_add_value_to_name(out, launcher_job());
		return 0;
	default: /* as in perf; the letter may be the NUL */
		str_addf(out, "%%%.1s", &letter);
		return 0;
	}
}

/*
 * Append the name: %h becomes the host, %p the number of this process, %r the rank, %j the job, and
 * %% a percent sign. Any other letter stays after its '%'. The values never add a folder: each
 * character other than letters, digits and "._-" becomes '_'. 0; -EINVAL with why and the position:
 * a value that is unknown here.
 */
static int options_check_expand_file_name(struct str *out, const char *name, struct why *why)
{
	for (const char *p = name; *p; p++) {
		int err;

		if (*p != '%') {
			str_add_n(out, p, 1);
			continue;
		}
		err = options_check_add_letter(out, p[1], (size_t)(p - name), why);
		if (err < 0)
			return err;
		p += p[1] != '\0';
	}
	return out->failed ? -ENOMEM : 0;
}

/* Whether all ranks of a job would write the same file of this name. A shell may have put the rank
 * into the name. */
static bool options_check_is_shared(const char *name, int rank)
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
static int options_check_expand_file_names(struct options *o, struct why *why)
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

		if (is_rank && given && options_check_is_shared(given, 1) &&
		    !(o->append && given == o->output))
			o->shared_files[i] = given;
		if (!given || !strchr(given, '%'))
			continue;
		err = options_check_expand_file_name(&name, given, &trouble);
		if (err < 0)
			return why_of_argument(why, err, files[i].option, given, &trouble);
		*files[i].name = o->file_names[i] = take_ptr(name.text);
	}
	return 0;
}

/* ---- All checks. */

bool options_has_topdown(const struct options *o)
{
	for (size_t i = 0; i < o->requests_n; i++)
		if (o->requests[i].kind == REQUEST_TOPDOWN)
			return true;
	return false;
}

/* Whether the result has the parts of --topdown in place of counts. */
static bool options_check_shows_topdown(const struct options *o)
{
	return o->job == JOB_COUNT && !options_is_comparison(o) && options_has_topdown(o) &&
	       (!o->format || options_format(o)->audience == AUDIENCE_TERMINAL);
}

int options_check(struct options *o, int argc, char *const argv[], struct why *why)
{
	int err;

	if (o->job == JOB_HELP || o->job == JOB_HELP_ALL || o->job == JOB_VERSION)
		return 0;
	err = options_check_refuse_subcommand(o, argv, why);
	if (err == 0)
		err = options_check_jobs(o, why);
	options_check_forget_defaults(o);
	options_check_settle_conflicts(o);
	if (err == 0)
		err = options_check_command(o, argc, argv, why);
	if (err == 0)
		err = options_check_refuse_trouble(options_check_arguments(o), why);
	if (err == 0)
		err = options_check_expand_file_names(o, why);
	if (err == 0)
		err = options_check_table(o, why);
	if (err == 0)
		err = options_check_refuse_trouble(options_check_values(o), why);
	if (err == 0)
		err = options_check_gates(o, why);
	if (err == 0)
		err = options_check_format(o, why);
	if (err == 0 && options_check_shows_topdown(o))
		o->metric_only = true;
	if (err < 0 || o->as_perf || !options_has_destination(o) ||
	    options_format(o)->notes != NOTES_COMMENTS)
		return err;
	/* if a table is written to a file, the notes are appended to that file */
	o->file_notes = calloc(1, sizeof(*o->file_notes));
	return o->file_notes ? 0 : -ENOMEM;
}
