/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"
#include "cli/message.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "event/suggest.h"

bool options_attach(const struct options *o)
{
	return o->target.pids || o->target.tids || o->target.cpus || o->target.all_cpus;
}

bool options_compare(const struct options *o)
{
	return o->compare_options.commands.n > 0 || o->compare_options.lists.n > 0 ||
	       o->compare_options.baseline;
}

static bool reads_documents(const struct options *o)
{
	return o->job == JOB_SHOW || o->job == JOB_COMPARE;
}

const struct format *options_format(const struct options *o)
{
	if (o->separator)
		return &format_perf_csv;
	if (o->json)
		return &format_perf_json;
	return o->format ? format_find(o->format) : &format_table;
}

int options_result_fd(const struct options *o)
{
	if (o->log_fd >= 0)
		return o->log_fd;
	return reads_documents(o) ? STDOUT_FILENO : STDERR_FILENO;
}

bool options_look_json(const struct options *o)
{
	return o->json || (o->format && strcmp(o->format, "json") == 0);
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
	};
}

/* What getopt_long() returns for a long name: its position after all letters. */
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
static void make_arrays(struct getopt_arrays *arrays)
{
	char *letter = stpcpy(arrays->letters, "+:");

	memset(arrays->names, 0, sizeof(arrays->names));
	for (size_t i = 0; i < option_table_n; i++) {
		arrays->names[i] = (struct option){
			.name = option_table[i].name,
			.has_arg = has_argument(&option_table[i]),
			.val = FIRST_NAME + (int)i,
		};
		if (!option_table[i].letter)
			continue;
		*letter++ = option_table[i].letter;
		if (option_table[i].argument)
			*letter++ = ':';
	}
	*letter = '\0';
}

/* The row that getopt_long() means by code; NULL: there is none. */
static const struct option_row *find_row(int code)
{
	const char spelling[] = { '-', (char)code, '\0' };

	return code >= FIRST_NAME ? &option_table[code - FIRST_NAME] : option_find(spelling);
}

static int set_number(const struct option_row *row, const char *argument, unsigned int *field)
{
	uint64_t value;

	if (num_parse(argument, strlen(argument), &value) < 0 || value < row->min ||
	    value > row->max) {
		message("%s %s: not a number from %u to %u", option_spell(row).text, argument,
			row->min, row->max);
		return -EINVAL;
	}
	*field = (unsigned int)value;
	return 0;
}

static int set_choice(const struct option_row *row, const char *argument, unsigned int *field)
{
	unsigned int position = 0;

	for (const char *word = row->values; *word; position++) {
		size_t n = strcspn(word, " ");

		if (strlen(argument) == n && strncmp(argument, word, n) == 0) {
			*field = position;
			return 0;
		}
		word += n + strspn(word + n, " ");
	}
	message("%s: unknown value '%s'; known are: %s", option_spell(row).text, argument,
		row->values);
	return -EINVAL;
}

static int add_request(struct options *o, const struct option_row *row, const char *text)
{
	enum request_kind kind = (enum request_kind)row->min;

	if (o->requests_n == 0 && (kind == REQUEST_FILTER || kind == REQUEST_CGROUPS)) {
		message("%s '%s': no -e before it has events to which it could apply",
			option_spell(row).text, text);
		return -EINVAL;
	}
	if (array_grow(&o->requests, o->requests_n, &o->requests_size, sizeof(*o->requests)) < 0)
		return message_no_memory();
	o->requests[o->requests_n++] = (struct event_request){ kind, text };
	return 0;
}

static int apply(struct options *o, const struct option_row *row, const char *argument)
{
	void *field = (char *)o + row->field;

	o->given[row - option_table] = true;
	switch (row->effect) {
	case SET_FLAG:
	case CLEAR_FLAG:
		*(bool *)field = row->effect == SET_FLAG;
		return 0;
	case SET_VALUE:
		*(unsigned int *)field = row->min;
		return 0;
	case SET_TEXT:
		*(const char **)field = argument;
		return 0;
	case SET_NUMBER:
		return set_number(row, argument, field);
	case SET_CHOICE:
		return set_choice(row, argument, field);
	case ADD_REQUEST:
		return add_request(o, row, argument);
	case CALL:
	case ADD:
		break;
	}
	return row->read(o, argument);
}

/* The option whose name is nearest to these n letters; NULL: none is near. */
static const char *nearest_option(const char *name, size_t n)
{
	/* In tenths of a letter: two and a half letters, or half of a short name. */
	unsigned int best = n < 5 ? 5 * (unsigned int)n : 25;
	const char *nearest = NULL;

	for (size_t i = 0; i < option_table_n; i++) {
		const char *other = option_table[i].name;
		unsigned int distance = suggest_distance(name, n, other, strlen(other), best);

		if (distance < best) {
			best = distance;
			nearest = other;
		}
	}
	return nearest;
}

/* A long name that getopt_long() refused. optopt: the option that takes no argument, or 0. */
static int refuse_name(const char *argument)
{
	size_t n = strcspn(argument + 2, "=");
	const char *nearest = nearest_option(argument + 2, n);
	size_t matches = 0;

	for (size_t i = 0; i < option_table_n; i++)
		matches += strncmp(option_table[i].name, argument + 2, n) == 0;
	if (optopt)
		message("option '--%s' takes no argument", find_row(optopt)->name);
	else if (matches > 1)
		message("option '%s' is ambiguous: write more of it; 'pstat --help' lists all",
			argument);
	else if (nearest)
		message("unknown option '%s'; did you mean '--%s'? 'pstat --help' lists all",
			argument, nearest);
	else
		message("unknown option '%s'; 'pstat --help' lists all", argument);
	return -EINVAL;
}

/* optopt is an unknown letter or a wrongly used option; 0 for an unknown name. getopt_long() has
 * moved optind past the word, except within a word of several letters. */
static int refuse(int code, char **argv)
{
	const char *argument = argv[optind - 1];

	if (code == ':')
		message("option '%s' needs an argument", argument);
	else if (optopt && !find_row(optopt))
		message("unknown option '-%c'; 'pstat --help' lists all", optopt);
	else
		return refuse_name(argument);
	return -EINVAL;
}

/* As getopt_long(). --show and --compare have no command, so options may also follow their
 * arguments: these are moved to the beginning of argv, and *n counts them. */
static int next_option(const struct options *o, const struct getopt_arrays *arrays, int argc,
		       char **argv, int *n)
{
	for (;;) {
		int before = optind;
		int id = getopt_long(argc, argv, arrays->letters, arrays->names, NULL);

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

int options_parse(struct options *o, int argc, char **argv)
{
	struct getopt_arrays arrays;
	int code, err, moved = 0;

	*o = (struct options){
		.repeat = 1, .log_fd = -1, .min_running = 5, .compare_options.confidence = 0.95
	};
	make_arrays(&arrays);
	opterr = 0;
	while ((code = next_option(o, &arrays, argc, argv, &moved)) != -1) {
		if (code == '?' || code == ':')
			err = refuse(code, argv);
		else
			err = apply(o, find_row(code), optarg);
		if (err < 0)
			return err;
	}
	o->has_repeat = o->given[option_find("-r") - option_table];
	o->argv = argv + optind;
	if (moved) {
		argv[moved + 1] = NULL;
		o->argv = argv + 1;
	}
	return options_check(o);
}

static void compare_options_release(struct compare_options *c)
{
	for (size_t i = 0; i < c->gates_n; i++)
		free(c->gates[i].name);
	for (size_t i = 0; i < c->effect_names_n; i++)
		free(c->effect_names[i]);
	free(c->commands.v);
	free(c->lists.v);
	free(c->gates);
	free(c->effects);
	free(c->effect_names);
}

void options_release(struct options *o)
{
	free(o->requests);
	compare_options_release(&o->compare_options);
}

/* Columns of --help: the texts begin at HELP_INDENT, and no line is longer than HELP_WIDTH. */
enum { HELP_INDENT = 30, HELP_WIDTH = 79 };

static void help_option(const struct option_row *row, FILE *out)
{
	int column;

	if (row->letter)
		column = fprintf(out, "  -%c, ", row->letter);
	else
		column = fprintf(out, "      ");
	column += fprintf(out, "--%s%s%s", row->name,
			  has_argument(row) == required_argument ? " " : "",
			  row->argument ? row->argument : "");
	if (column >= HELP_INDENT)
		column = HELP_WIDTH; /* the text begins on the next line */
	for (const char *word = row->help; *word;) {
		int n = (int)strcspn(word, " ");

		if (column + 1 + n > HELP_WIDTH) {
			fputc('\n', out);
			column = 0;
		}
		column += fprintf(out, "%*s%.*s", column < HELP_INDENT ? HELP_INDENT - column : 1,
				  "", n, word);
		word += n + (word[n] == ' ');
	}
	fputc('\n', out);
}

void options_help(FILE *out)
{
	fputs("Usage: pstat [OPTIONS] [--] COMMAND [ARG...]\n"
	      "       pstat [OPTIONS] -a | -C CPUS | -p PID | -t TID [COMMAND [ARG...]]\n"
	      "       pstat [OPTIONS] -c 'CMD A' -c 'CMD B' ...\n"
	      "       pstat [OPTIONS] --baseline FILE COMMAND [ARG...]\n"
	      "       pstat [OPTIONS] --compare FILE...\n"
	      "       pstat [OPTIONS] --explain EVENT...\n"
	      "       pstat [OPTIONS] --list [GLOB]\n"
	      "       pstat [OPTIONS] --show FILE...\n"
	      "Count hardware and kernel events while COMMAND runs, or compare commands.\n",
	      out);
	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];

		if (i == 0 || row->section != row[-1].section)
			fprintf(out, "\n%s:\n", option_sections[row->section]);
		help_option(row, out);
	}
	fputs("\nEvents: cycles, page-faults, L1-dcache-load-misses (generic);\n"
	      "INST_RETIRED:u (libpfm4); cpu/event=0x3c,umask=0x1/ (sysfs); r1a2b and 4:0x3c\n"
	      "(raw); duration_time (measured by pstat itself). {a,b} is a group.\n"
	      "Exit status: that of the command; 125 if pstat failed, 126 or 127 if the\n"
	      "command could not be executed or found, 128+n if signal n killed it.\n"
	      "See pstat(1).\n",
	      out);
}
