/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which options cannot be combined. The option table decides, except where a value matters. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "cli/message.h"
#include "cli/option_table.h"
#include "cli/options.h"

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

/* "-X needs -a, -c or --list", with those words of the list that are left. -EINVAL. */
static int refuse_without(const struct option_row *row, const char *list)
{
	cleanup_str struct str text = { 0 };
	struct option_spelling word;

	while (next_word(&list, &word))
		str_addf(&text, "%s%s", text.len == 0 ? "" : *list ? ", " : " or ", word.text);
	message("%s needs %s", option_spell(row).text, str_text(&text));
	return -EINVAL;
}

static int refuse_with(const struct option_row *row, const char *other)
{
	message("%s cannot be combined with %s", option_spell(row).text, other);
	return -EINVAL;
}

/* 0; -EINVAL after a message. */
static int check_row(const struct options *o, const struct option_row *row)
{
	const char *excludes = row->excludes, *needs = row->needs;
	bool is_satisfied = !needs || o->job != JOB_COUNT;
	struct option_spelling word;

	while (next_word(&excludes, &word))
		if (option_find(word.text) != row && has_word(o, word.text))
			return refuse_with(row, word.text);
	while (!is_satisfied && next_word(&needs, &word))
		is_satisfied = has_word(o, word.text);
	return is_satisfied ? 0 : refuse_without(row, row->needs);
}

static enum option_jobs job_of(const struct options *o)
{
	static const enum option_jobs jobs[] = {
		[JOB_SHOW] = IN_SHOW,
		[JOB_COMPARE] = IN_FILES,
		[JOB_LIST] = IN_LIST,
		[JOB_EXPLAIN] = IN_EXPLAIN,
	};

	if (o->job != JOB_COUNT)
		return jobs[o->job];
	return options_compare(o) ? IN_COMPARE : IN_COUNT;
}

/* The options that choose one of these jobs. */
static const char *jobs_options(unsigned int jobs)
{
	switch (jobs) {
	case IN_SHOW:
		return "--show";
	case IN_FILES:
		return "--compare";
	case IN_LIST:
		return "--list";
	case IN_EXPLAIN:
		return "--explain";
	case IN_LIST | IN_EXPLAIN:
		return "--list --explain";
	case IN_COMPARE:
		return "-c -L --baseline";
	default:
		return "-c -L --baseline --compare";
	}
}

/* 0; -EINVAL after a message. */
static int check_jobs(const struct options *o)
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
		return job == IN_COUNT ? refuse_without(row, jobs_options(row->jobs)) :
					 refuse_with(row, chosen.text);
	}
	return 0;
}

static void forget(struct options *o, const char *spelling)
{
	o->given[option_find(spelling) - option_table] = false;
}

/* Scripts give these values, which change nothing, together with any other option. */
static void forget_defaults(struct options *o)
{
	if (o->repeat == 1 && !options_compare(o))
		forget(o, "-r");
	if (o->warmup == 0)
		forget(o, "--warmup");
	if (o->timing.delay_ms == 0)
		forget(o, "-D");
}

/* 0; -EINVAL after a message. */
static int check_table(const struct options *o)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];
		const void *field = (const char *)o + row->field;

		if (!is_given(o, row))
			continue;
		if (row->kind == ARGUMENT_FILE && str_equal(*(const char *const *)field, ""))
			return refuse_without(row, "FILE");
		err = check_row(o, row);
	}
	return err;
}

static bool is_format(const struct options *o, const char *name)
{
	return o->format && strcmp(o->format, name) == 0;
}

/* Conflicts that depend on the value of an option, which the table does not know. */
static const char *check_values(const struct options *o)
{
	if (o->timing.delay_ms < 0 && !o->control)
		return "-D -1 needs --control";
	if (o->control && strcmp(o->control, "region") == 0 && !o->argv[0])
		return "--control region needs COMMAND";
	if (o->has_repeat && o->repeat == 0 && options_compare(o) &&
	    o->compare_options.order == ORDER_SEQUENTIAL)
		return "-r 0 cannot be combined with --order sequential";
	if (str_equal(o->html, "-"))
		return "--html cannot write to '-'; for standard output use --html /dev/stdout";
	if (o->interval_clear && o->format && !is_format(o, "table"))
		return "--interval-clear needs --format table";
	if (o->metric_only && o->format && !is_format(o, "table"))
		return "--metric-only needs -x, -j or --format table";
	return NULL;
}

/* A JSON document is alone in its file, and "# EOF" is the last line of OpenMetrics. */
static const char *check_whole_files(const struct options *o)
{
	const struct format *format = options_format(o);
	bool appends = o->output && o->append && format && format->appendable == APPENDABLE_NEVER;

	if (appends && format->intervals == INTERVALS_INSIDE)
		return "--append cannot be combined with --format json";
	if (!format || format->intervals != INTERVALS_REPLACED)
		return NULL;
	if (appends)
		return "--append cannot be combined with --format openmetrics";
	if (o->job == JOB_SHOW && o->argv[0] && o->argv[1])
		return "--show with --format openmetrics takes one FILE";
	if (o->timing.interval_ms && !o->output)
		return "-I with --format openmetrics needs -o: it replaces the file in each interval";
	return NULL;
}

/* The words after the options: a command, events, a pattern or files. */
static const char *check_arguments(const struct options *o)
{
	switch (o->job) {
	case JOB_COUNT:
		if (!o->argv[0] && !options_attach(o) && !options_compare(o))
			return "no command to count: pstat [OPTIONS] COMMAND [ARG...]; "
			       "'pstat --help' says more";
		return NULL;
	case JOB_EXPLAIN:
		return o->argv[0] ? NULL : "--explain needs an event: pstat --explain EVENT...";
	case JOB_LIST:
		if (o->argv[0] && o->argv[1])
			return "--list takes one GLOB; quote it, so that the shell does not expand it";
		return NULL;
	case JOB_SHOW:
		return o->argv[0] ? NULL :
				    "--show needs a FILE: pstat --show FILE... [--format FMT]";
	default:
		return o->argv[0] ? NULL :
				    "--compare needs FILEs: pstat --compare OLD.json NEW.json";
	}
}

enum kind { RESULTS, COMPARISONS };

/* Whether --format may name the format for that kind of output. */
static bool is_format_of(const struct format *format, enum kind kind)
{
	if (!format || format->destination == DESTINATION_FILE)
		return false;
	return kind == RESULTS ? format->write_result != NULL : format->write_comparison != NULL;
}

/* 0; -EINVAL after a message. */
static int check_format_of(const struct options *o, enum kind kind)
{
	const struct format *format = format_find(o->format);
	const char *wrong = kind == RESULTS ? "only for comparisons" : "not for comparisons";
	cleanup_str struct str names = { 0 };

	if (is_format_of(format, kind))
		return 0;
	for (size_t i = 0; formats[i]; i++)
		if (is_format_of(formats[i], kind))
			str_add_listed(&names, formats[i]->name);
	message("--format %s: %s; known are: %s", o->format, format ? wrong : "unknown format",
		str_text(&names));
	return -EINVAL;
}

int options_check_kind(const struct options *o, bool are_comparisons)
{
	if (are_comparisons && (o->separator || o->json || o->metric_only || o->run_times)) {
		message("--show: a saved comparison cannot be printed with -x, -j, --metric-only or "
			"--table; use --format");
		return -EINVAL;
	}
	if (!o->format)
		return 0;
	return check_format_of(o, are_comparisons ? COMPARISONS : RESULTS);
}

/* 0; -EINVAL after a message. */
static int check_format(const struct options *o)
{
	if (!o->format || (o->job == JOB_SHOW && is_format_of(format_find(o->format), COMPARISONS)))
		return 0; /* see options_check_kind() */
	if (o->job == JOB_COMPARE || (o->job == JOB_COUNT && options_compare(o)))
		return check_format_of(o, COMPARISONS);
	if (o->job == JOB_COUNT || o->job == JOB_SHOW)
		return check_format_of(o, RESULTS);
	if (is_format(o, "json") || is_format(o, "table"))
		return 0;
	message("--format %s: --list and --explain print only table and json", o->format);
	return -EINVAL;
}

/* trouble: NULL for none. 0; -EINVAL after a message. */
static int report(const char *trouble)
{
	if (!trouble)
		return 0;
	message("%s", trouble);
	return -EINVAL;
}

int options_check(struct options *o)
{
	int err;

	if (o->job == JOB_HELP || o->job == JOB_VERSION)
		return 0;
	err = check_jobs(o);
	forget_defaults(o);
	if (err == 0)
		err = report(check_arguments(o));
	if (err == 0)
		err = check_table(o);
	if (err == 0)
		err = report(check_values(o));
	if (err == 0)
		err = report(check_whole_files(o));
	return err < 0 ? err : check_format(o);
}
