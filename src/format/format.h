/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats. A format writes a result, a comparison or both; its traits say how the rest of pstat
 * handles the text. Nothing outside this folder decides anything by the name of a format.
 *
 * A new format is one file with a struct format, a line below and a line in format.c.
 */
#ifndef PSTAT_FORMAT_FORMAT_H
#define PSTAT_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/num.h"

struct history;
struct suite;
struct table;
struct str_list;
struct why;

/* How to write one text. A format ignores the members it has no use for. */
struct format_style {
	struct num_style numbers; /* see enum format_locale */
	const char *separator; /* of perf's CSV: between fields */
	const char *counters_key; /* of perf's JSON: that of the number of CPUs; NULL: "counters" */
	bool only_sums; /* of JSON: no finished numbers of single processes */
	bool header; /* name the columns; a file or a screen of intervals needs that once */
	bool is_summary; /* the result follows intervals, or --summary is given */
	bool full_commands; /* of processes: whole, however long they are */
	bool metric_only; /* only metrics, one line for each place (--metric-only) */
	bool repeated; /* -r asks for several runs: perf's fields have a spread, even for one run */
	bool run_times; /* add the table of the time of each run (--table) */
	bool colour;
	bool draw; /* comparisons have charts */
	bool details; /* comparisons have all numbers of each row */
	bool ascii; /* draw with ASCII characters only */
	int width; /* columns of the terminal; 0: unknown */
	bool processes; /* of CSV: the columns of processes, even if this result has none */
	/* of CSV: fill the columns with these names; NULL: no such column */
	const char *side, *case_name;
	const struct str_list *parameters; /* of CSV: the columns that follow; NULL: those
					   * of the comparison */
};

enum format_audience {
	AUDIENCE_TERMINAL, /* colour, and the column names again at the top of each screen */
	AUDIENCE_READERS, /* people who read it elsewhere: a pull request, a log, a browser */
	AUDIENCE_PROGRAMS,
};

/* Unless -o or --log-fd names another destination. */
enum format_destination {
	DESTINATION_STDOUT, /* unless a command that is counted writes to it */
	/* a result goes to standard error, as perf's; a comparison to standard output */
	DESTINATION_STDERR,
	DESTINATION_FILE, /* only a file that an option of its own names */
};

/* Whether a note may appear if the result and the notes share standard error. -v prints it in any
 * case. */
enum format_notes {
	NOTES_LINES, /* yes */
	NOTES_COMMENTS, /* yes; a file of -o or --log-fd ends with them, after "# " */
	NOTES_TERMINAL, /* only on a terminal, where people read the lines */
	NOTES_NEVER, /* a program parses the whole text */
	NOTES_VERBOSE, /* never, even if they share nothing: perf prints none */
};

/* Of -I. */
enum format_intervals {
	INTERVALS_STREAMED, /* each is written when it ends */
	INTERVALS_INSIDE, /* they are part of the one document at the end */
	INTERVALS_REPLACED, /* each is a complete text and replaces the previous one */
};

/* What --append, or a second result, adds to a file. */
enum format_appendable {
	APPENDABLE_TEXT, /* one text after the other */
	APPENDABLE_DATED, /* the same, and each begins with "# started on" */
	APPENDABLE_LINES, /* more lines of the same table, without the column names */
	APPENDABLE_NEVER,
};

enum format_locale {
	LOCALE_USER, /* numbers as the user's locale writes them */
	LOCALE_GROUPED, /* thousands separated by commas in every locale */
	LOCALE_C,
};

struct format {
	const char *name; /* of --format; NULL: an option of its own chooses it */
	enum format_audience audience;
	enum format_destination destination;
	enum format_notes notes;
	enum format_intervals intervals;
	enum format_appendable appendable;
	enum format_locale locale;
	bool shows_provenance; /* of one result: machine, commit, labels */
	bool is_document; /* it has all places of --per-process, which other formats add up */
	/* Later results are compared with its output: write no failed results, and sort by time. */
	bool is_history;
	bool has_no_tasks; /* it cannot show rows of threads and processes */
	bool has_no_sums; /* it cannot mark a row of --by tree as a sum of several processes */
	/* Append the names of the columns that this result needs, or read those of a file that
	 * --append continues. 0; -EINVAL with why; -ENOMEM or -errno. NULL: all results have the
	 * same columns. */
	int (*add_columns)(const struct table *table, struct str_list *columns);
	int (*read_columns)(FILE *in, struct str_list *columns, struct why *why);
	/* Write the result of one command, a comparison, or the changes of --history. NULL: the
	 * format cannot show it. 0; -ENOMEM or -errno of the write. */
	int (*write)(const struct table *table, const struct format_style *style, FILE *out);
	int (*write_comparison)(const struct suite *suite, const struct format_style *style,
				FILE *out);
	bool has_cases; /* write_comparison() can show several cases */
	int (*write_history)(const struct history *history, const struct format_style *style,
			     FILE *out);
};

extern const struct format format_table;
extern const struct format format_json;
extern const struct format format_csv;
extern const struct format format_csv_summary;
extern const struct format format_markdown;
extern const struct format format_openmetrics;
extern const struct format format_github;
extern const struct format format_bmf;
extern const struct format format_benchmark_action;
extern const struct format format_influx;
extern const struct format format_history;
extern const struct format format_perf_csv;
extern const struct format format_perf_json;
extern const struct format format_html;

/* The formats that have a name. Ends with NULL. */
extern const struct format *const formats[];

/* The format that --format names; NULL: there is none. */
const struct format *format_find(const char *name);

#endif
