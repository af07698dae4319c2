/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
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
	const struct compare_options *c = &o->compare_options;

	return c->commands.n > 0 || c->lists.n > 0 || c->suite || c->baseline;
}

static bool options_reads_documents(const struct options *o)
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
static bool options_prefers_stdout(const struct options *o)
{
	const struct format *format = options_format(o);

	return options_is_comparison(o) || (format && format->destination == DESTINATION_STDOUT);
}

/* Whether the output of the counted commands is shown on standard output. */
static bool options_shows_output(const struct options *o)
{
	if (options_is_comparison(o))
		return o->show_output;
	return o->job == JOB_COUNT && o->argv && o->argv[0] && !o->discard;
}

bool options_shares_stdout(const struct options *o)
{
	return !options_has_destination(o) && options_prefers_stdout(o) && options_shows_output(o);
}

int options_result_fd(const struct options *o)
{
	if (o->log_fd >= 0)
		return o->log_fd;
	if (options_reads_documents(o))
		return STDOUT_FILENO;
	return options_prefers_stdout(o) && !options_shows_output(o) ? STDOUT_FILENO :
								       STDERR_FILENO;
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
		.all_rows = c->rows == ROWS_ALL,
	};
}

void options_release(struct options *o)
{
	struct compare_options *c = &o->compare_options;

	for (size_t i = 0; i < c->gates_n; i++)
		free(c->gates[i].name);
	str_list_release(&c->gate_texts);
	for (size_t i = 0; i < c->effect_names_n; i++)
		free(c->effect_names[i]);
	series_parameters_release(&o->labels);
	str_list_release(&o->metrics_files);
	free(c->commands.v);
	free(c->lists.v);
	free(c->side_values.v);
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

/* ---- Reading the command line. */

/*
 * getopt_long() returns FIRST_NAME plus the position of the option for a long name, and
 * FIRST_NEGATED plus this position for a name that negates the option. All letters are smaller.
 */
enum {
	FIRST_NAME = UCHAR_MAX + 1,
	FIRST_NEGATED = FIRST_NAME + OPTIONS_MAX,
	WITHOUT_EFFECT = FIRST_NEGATED + OPTIONS_MAX,
};

struct getopt_arrays {
	char letters[3 + 2 * OPTIONS_MAX + 1];
	struct option names[OPTIONS_MAX + 1];
};

static int options_has_argument(const struct option_row *row)
{
	if (!row->argument)
		return no_argument;
	return row->argument[0] == '[' ? optional_argument : required_argument;
}

/*
 * "+": options end at the command. ":": getopt reports a missing argument as ':', not as '?'. -g of
 * perf has no effect.
 */
static void options_make_arrays(struct getopt_arrays *arrays, bool as_perf)
{
	struct option *name = arrays->names;
	char *letter = stpcpy(arrays->letters, "+:g");

	memset(arrays->names, 0, sizeof(arrays->names));
	for (size_t i = 0; i < option_table_n; i++) {
		if (as_perf && strcmp(option_table[i].name, "merge") == 0)
			continue; /* the opposite of perf's --no-merge */
		name->name = option_table[i].name;
		name->has_arg = options_has_argument(&option_table[i]);
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
static const struct option_row *options_find_row(int code)
{
	const char spelling[] = { '-', (char)code, '\0' };

	return code >= FIRST_NAME ? &option_table[code - FIRST_NAME] : option_find(spelling);
}

static int options_set_number(const struct option_row *row, const char *argument,
			      unsigned int *field, struct why *why)
{
	const char *number = argument + strspn(argument, " \t");
	uint64_t value;

	if (num_parse(number, strlen(number), &value) < 0 || value < row->min || value > row->max)
		return why_set(why, -EINVAL, "%s %s: not a number from %u to %u",
			       option_spell(row).text, argument, row->min, row->max);
	*field = (unsigned int)value;
	return 0;
}

static int options_set_decimal(const struct option_row *row, const char *argument, double *field,
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

static int options_set_choice(const struct option_row *row, const char *argument,
			      unsigned int *field, struct why *why)
{
	const char *values = row->values;
	struct option_spelling value;

	for (unsigned int position = 0; option_next_word(&values, &value); position++)
		if (strcmp(argument, value.text) == 0) {
			*field = position;
			return 0;
		}
	return why_set(why, -EINVAL, "%s: unknown value '%s'; choose from: %s",
		       option_spell(row).text, argument, row->values);
}

static int options_add_request(struct options *o, const struct option_row *row, const char *text,
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

static int options_add_text(struct texts *texts, const char *text)
{
	if (array_grow(&texts->v, texts->n, &texts->size, sizeof(*texts->v)) < 0)
		return -ENOMEM;
	texts->v[texts->n++] = text;
	return 0;
}

static int options_apply(struct options *o, const struct option_row *row, const char *argument,
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
		return options_set_number(row, argument, field, why);
	case SET_DECIMAL:
		return options_set_decimal(row, argument, field, why);
	case SET_CHOICE:
		return options_set_choice(row, argument, field, why);
	case ADD_REQUEST:
		return options_add_request(o, row, argument, why);
	case ADD_TEXT:
		return options_add_text(field, argument);
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
static const char *options_nearest_option(const char *name)
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
static const struct option_row *options_find_negated(const char *name)
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

/* Refuse an option of perf stat that pstat does not have. If pstat runs as perf, name the way to
 * the real one. */
static int options_refuse_of_perf(const struct options *o, const char *option, struct why *why)
{
	return why_set(
		why, -EINVAL, "'%s' is an option of perf stat that pstat does not have; %s", option,
		o->as_perf ? "call perf by its path, or set PSTAT_PERF" : "use perf stat for it");
}

/*
 * The option of pstat that corresponds to an option of hyperfine, poop or another tool; NULL:
 * unknown.
 */
static const char *options_find_own(const char *name)
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

static int options_refuse_name(const struct options *o, const char *argument, struct why *why)
{
	cleanup_free char *name = strndup(argument + 2, strcspn(argument + 2, "="));
	const char *nearest = name ? options_nearest_option(name) : NULL;
	const char *own = name ? options_find_own(name) : NULL;
	cleanup_str struct str first_matches = { 0 };
	size_t matches = 0;

	if (!name)
		return -ENOMEM;
	for (size_t i = 0; i < option_table_n; i++)
		if (strncmp(option_table[i].name, name, strlen(name)) == 0 && ++matches <= 4)
			str_addf(&first_matches, "%s--%s", matches > 1 ? ", " : "",
				 option_table[i].name);
	if (optopt)
		return why_set(why, -EINVAL, "option '--%s' takes no argument", name);
	if (option_is_listed("percore-show-thread smi-cost transaction iostat "
			     "bpf-counters bpf-prog bpf-attr-map cputype",
			     name))
		return options_refuse_of_perf(o, argument, why);
	if (own)
		return why_set(why, -EINVAL,
			       "unknown option '%s'; use '%s'. 'pstat --help-all' lists all",
			       argument, own);
	if (matches > 1)
		return why_set(why, -EINVAL, "option '%s' is ambiguous: %s%s", argument,
			       str_text(&first_matches),
			       matches > 4 ? ", ...; 'pstat --help-all' lists all" : "");
	if (nearest)
		return why_set(
			why, -EINVAL,
			"unknown option '%s'; did you mean '--%s'? 'pstat --help-all' lists all",
			argument, nearest);
	return why_set(why, -EINVAL, "unknown option '%s'; 'pstat --help-all' lists all", argument);
}

/* optopt is an unknown letter or a wrongly used option; 0 for an unknown name. getopt_long() has
 * moved optind past the word, except within a word of several letters. */
static int options_refuse_option(const struct options *o, int code, char **argv, struct why *why)
{
	const char *argument = argv[optind - 1];
	const char letter[] = { '-', (char)optopt, '\0' };

	if (code == ':')
		return why_set(why, -EINVAL, "option '%s' needs an argument", argument);
	if (optopt == 'T' || optopt == 'b')
		return options_refuse_of_perf(o, letter, why);
	if (optopt && optopt < FIRST_NAME && !options_find_row(optopt))
		return why_set(why, -EINVAL, "unknown option '-%c'; 'pstat --help-all' lists all",
			       optopt);
	return options_refuse_name(o, argument, why);
}

/* The options of perf stat 6.1 that pstat has, and the names that negate them. The beginning of one
 * of these names is enough if no other one begins with it. */
static const char options_of_perf[] =
	"--aggr --all-cpus --all-kernel --all-user --append --big-num --cgroup --control --cpu "
	"--csv-summary --delay --detailed --event --field-separator --filter --for-each-cgroup "
	"--group --hybrid-merge --inherit --interval-clear --interval-count --interval-print "
	"--json-output --log-fd --metric-no-group --metric-no-merge --metric-no-threshold "
	"--metric-only --metrics --no-aggr --no-all-cpus --no-all-kernel --no-all-user "
	"--no-append --no-big-num --no-csv-summary --no-inherit --no-interval-clear "
	"--no-json-output --no-merge --no-metric-only --no-null --no-per-core --no-per-die "
	"--no-per-node --no-per-socket --no-per-thread --no-quiet --no-scale --no-summary "
	"--no-sync --no-table --no-verbose --null --output --per-core --per-die --per-node "
	"--per-socket --per-thread --pid --post --pre --quiet --repeat --scale --summary --sync "
	"--table --td-level --tid --timeout --topdown --verbose";

/* Read the last word again, which is unknown or ambiguous, as an option of perf stat. */
static int options_reread_as_perf(const char *letters, int argc, char **argv)
{
	const char *list = options_of_perf;
	struct option_spelling words[OPTIONS_MAX];
	struct option names[OPTIONS_MAX + 1] = { 0 };

	for (size_t i = 0; i < OPTIONS_MAX && option_next_word(&list, &words[i]); i++) {
		const char *name = words[i].text + strlen("--");
		const struct option_row *row = option_find(words[i].text);
		const struct option_row *negated = row ? NULL : options_find_negated(name);
		int code = WITHOUT_EFFECT;

		if (row)
			code = FIRST_NAME + (int)(row - option_table);
		else if (negated)
			code = FIRST_NEGATED + (int)(negated - option_table);
		names[i].name = name;
		names[i].has_arg = row ? options_has_argument(row) : no_argument;
		names[i].val = code;
	}
	optind--;
	return getopt_long(argc, argv, letters, names, NULL);
}

/*
 * Like getopt_long(), with the names that negate an option. Only if pstat is called as perf, the
 * abbreviations of perf are accepted, too: otherwise, an ambiguous name may be meant as an option
 * that perf does not have.
 */
static int options_next_code(const struct options *o, const struct getopt_arrays *arrays, int argc,
			     char **argv)
{
	int code = getopt_long(argc, argv, arrays->letters, arrays->names, NULL);
	const struct option_row *negated;

	if (code != '?' || optopt)
		return code;
	negated = options_find_negated(argv[optind - 1] + 2);
	if (negated)
		return FIRST_NEGATED + (int)(negated - option_table);
	if (!o->as_perf && !option_is_listed(options_of_perf, argv[optind - 1]))
		return code;
	return options_reread_as_perf(arrays->letters, argc, argv);
}

/*
 * Like options_next_code(). --show and --compare have no command, so options may also follow the
 * file names. The file names are moved to the start of argv, and *n is their number.
 */
static int options_next(struct options *o, const struct getopt_arrays *arrays, int argc,
			char **argv, int *n)
{
	for (;;) {
		int before = optind ? optind : 1;
		int id = options_next_code(o, arrays, argc, argv);

		o->names_bisect |= id != -1 && strncmp(argv[before], "--bis", 5) == 0;
		if (id != -1 || !options_reads_documents(o) || optind == argc)
			return id;
		if (optind > before) /* after "--" */
			break;
		argv[++*n] = argv[optind++];
	}
	while (optind < argc)
		argv[++*n] = argv[optind++];
	return -1;
}

/* Set the field of an option back, as if the option had not been given before. */
static void options_negate(struct options *o, const struct option_row *row)
{
	void *field = (char *)o + row->field;

	o->given[row - option_table] = false;
	if (row->effect == SET_FLAG)
		*(bool *)field = false;
	else if (*(unsigned int *)field == row->constant)
		*(unsigned int *)field = 0;
}

/* Apply an option, or refuse it. argv: getopt_long() has moved optind past the word. */
static int options_take(struct options *o, int code, char **argv, struct why *why)
{
	if (code == '?' || code == ':')
		return options_refuse_option(o, code, argv, why);
	if (code == 'g' || code == WITHOUT_EFFECT)
		return 0;
	if (code < FIRST_NEGATED)
		return options_apply(o, options_find_row(code), optarg, why);
	options_negate(o, &option_table[code - FIRST_NEGATED]);
	return 0;
}

/* --bisect-check compares GOOD with itself and with BAD. 0; -EINVAL with why; -ENOMEM. */
static int options_take_endpoints(struct options *o, struct why *why)
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
		if (options_add_text(&c->commands, commands[i]) < 0)
			return -ENOMEM;
	if (!c->names)
		c->names = "good,good again,bad";
	c->bisect = true;
	o->given[option_find("-c") - option_table] = true;
	o->argv += 2;
	return 0;
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
	o->no_hybrid_merge = o->as_perf; /* as in perf */
	if (o->as_perf && argc > 1 && strcmp(argv[1], "stat") == 0) {
		argv++;
		argc--;
	}
	options_make_arrays(&arrays, o->as_perf);
	opterr = 0;
	while ((code = options_next(o, &arrays, argc, argv, &moved)) != -1)
		if (err == 0) /* after an error, only names_bisect matters */
			err = options_take(o, code, argv, why);
	if (err < 0)
		return err;
	if (str_equal(o->output, "-")) /* as in perf: no file */
		o->output = NULL;
	o->has_repeat = o->given[option_find("-r") - option_table];
	o->compare_options.has_confidence = o->given[option_find("--confidence") - option_table];
	o->argv = argv + optind;
	if (moved) {
		argv[moved + 1] = NULL;
		o->argv = argv + 1;
	}
	/* without anything to count or to compare, --history shows the history */
	if (o->job == JOB_COUNT && o->compare_options.history && !o->argv[0] &&
	    !options_has_target(o) && !options_is_comparison(o))
		o->job = JOB_HISTORY;
	return o->compare_options.bisect_check && o->job == JOB_COUNT ?
		       options_take_endpoints(o, why) :
		       0;
}

/* ---- --help and --help-all. */

/* Columns of --help-all: the texts begin at HELP_INDENT, and no line is longer than HELP_WIDTH. */
enum { HELP_INDENT = 30, HELP_WIDTH = 79 };

static void options_help_option(const struct option_row *row, struct str *out)
{
	size_t start = out->len, column;

	if (row->letter)
		str_addf(out, "  -%c, ", row->letter);
	else
		str_add(out, "      ");
	str_addf(out, "--%s%s%s", row->name,
		 options_has_argument(row) == required_argument ? " " : "",
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

/* With the next prompt, this fits on a terminal of 24 lines. */
int options_help(FILE *out)
{
	cleanup_str struct str text = { 0 };

	str_add(&text,
		"Usage: pstat [OPTIONS] [--] COMMAND [ARG...]\n"
		"Count hardware and kernel events while COMMAND runs, or compare commands.\n"
		"\n"
		"Count             pstat ./prog\n"
		"Compare           pstat -c ./old -c ./new\n"
		"Find the process  pstat --per-process --by process --sort task-clock make\n"
		"Find the commit   pstat --bisect --fail-if 'task-clock>+5%' -c ./good -c ./new\n"
		"Gate in CI        pstat --fail-if 'task-clock>+5%' -c ./old -c ./new\n"
		"\n"
		"  -e, --event LIST          events to count: cycles,page-faults (pstat --list)\n"
		"  -p, --pid LIST            count running processes with all their threads\n"
		"  -a, --all-cpus            count everything that runs on any CPU\n"
		"  -I, --interval-print MS   print the counts every MS milliseconds\n"
		"  -r, --repeat N            run N times, show mean and standard error\n"
		"      --warmup N            run N times first, not counted\n"
		"  -L NAME=V,...             compare COMMAND with {NAME} replaced by each value\n"
		"  -o, --output FILE         write the result to FILE\n"
		"      --format FMT          print markdown, csv, json or another format\n"
		"      --save FILE           keep the result for --show, --compare, --baseline\n"
		"\n"
		"Status with --fail-if: 0 kept, 1 crossed, 2 unclear, 125 to 127 failure.\n"
		"All options: pstat --help-all. Why no cycles: pstat --explain cycles. man pstat\n");
	return str_print(&text, out);
}

int options_help_all(FILE *out)
{
	cleanup_str struct str text = { 0 };

	str_add(&text,
		"Usage: pstat [OPTIONS] [--] COMMAND [ARG...]\n"
		"       pstat [OPTIONS] -a | -C CPUS | -p PID | -t TID [COMMAND [ARG...]]\n"
		"       pstat [OPTIONS] -c 'CMD A' -c 'CMD B' ...\n"
		"       pstat [OPTIONS] --baseline FILE COMMAND [ARG...]\n"
		"       pstat [OPTIONS] --compare FILE...\n"
		"       pstat [OPTIONS] --doctor\n"
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
		options_help_option(row, &text);
	}
	str_add(&text,
		"\nEvents: cycles, page-faults, L1-dcache-load-misses (generic);\n"
		"INST_RETIRED:u (libpfm4); cpu/event=0x3c,umask=0x1/ (sysfs); r1a2b and 4:0x3c\n"
		"(raw); duration_time (measured by pstat itself). {a,b} is a group.\n"
		"Exit status: that of the command; 125 if pstat failed, 126 or 127 if the\n"
		"command could not be executed or found, 128+n if signal n killed it.\n"
		"With --fail-if: 0 if each limit is kept, 1 if one is crossed, else 2.\n"
		"See pstat(1).\n");
	return str_print(&text, out);
}
