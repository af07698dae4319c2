/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/why.h"
#include "format/terminal/terminal.h"
#include "output/message.h"
#include "output/notes.h"
#include "output/print.h"

enum { LINES_OF_A_SCREEN = 25 }; /* if there is no screen */

#define CLEAR_SCREEN "\033[H\033[2J"

/* NO_COLOR: https://no-color.org */
static bool wants_colour(const struct printing *p)
{
	const char *none = getenv("NO_COLOR");

	if (p->options->colour != WHEN_AUTO)
		return p->options->colour == WHEN_ALWAYS;
	return !(none && none[0]) && terminal_obeys_escapes(p->output.fd);
}

struct num_style print_numbers_grouped(const struct options *o)
{
	if (o->big_num == BIG_NUM_NEVER)
		return num_plain;
	return (struct num_style){ .thousands = ",", .point = "." };
}

static struct num_style numbers_of(const struct printing *p)
{
	enum big_num big_num = p->options->big_num;
	struct num_style numbers = num_plain;

	switch (p->format->locale) {
	case LOCALE_GROUPED:
		return print_numbers_grouped(p->options);
	case LOCALE_USER:
		numbers = num_style_of_user();
		if (big_num == BIG_NUM_NEVER)
			numbers.thousands[0] = '\0';
		else if (numbers.thousands[0] == '\0' &&
			 (big_num == BIG_NUM_ALWAYS || isatty(p->output.fd)))
			strcpy(numbers.thousands, ",");
		break;
	case LOCALE_C:
		break;
	}
	return numbers;
}

/* The key of the number of CPUs in perf's JSON. Scripts that were written for perf 6.12 or older
 * expect another key. */
static const char *counters_key(const char *version)
{
	unsigned int major, minor;

	if (version && sscanf(version, "%u.%u", &major, &minor) == 2 &&
	    (major < 6 || (major == 6 && minor <= 12)))
		return "aggregate-number";
	return NULL;
}

/* Whether the user's locale can show more than ASCII. */
static bool has_utf8(void)
{
	locale_t user = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8 = user && strcmp(nl_langinfo_l(CODESET, user), "UTF-8") == 0;

	if (user)
		freelocale(user);
	return utf8;
}

/* Whether the runs of a series show a spread. The intervals of a series have its fields, too. */
static bool is_repeated(const struct options *o, const struct series *series)
{
	return o->repeat != 1 ||
	       (series && series->runs_n > 1 && series->runs_n > series->passes_n);
}

static bool has_estimates(const struct series *series)
{
	for (size_t run = 0; series && run < series->runs_n; run++)
		for (size_t row = 0; row < series->rows_n; row++)
			if (series->runs[run].readings[row].has_estimate)
				return true;
	return false;
}

/* series: NULL for a comparison. The locale is read only if needed: reading it takes longer than
 * printing a table. */
static struct format_style style_of(const struct printing *p, const struct series *series)
{
	const struct options *o = p->options;
	bool terminal = isatty(p->output.fd);
	bool people = p->format->audience == AUDIENCE_TERMINAL;

	return (struct format_style){
		.numbers = numbers_of(p),
		.separator = o->separator,
		.counters_key = counters_key(o->perf_version),
		.metric_only = o->metric_only,
		.processes = p->processes,
		.repeated = !p->each_run && is_repeated(o, series),
		.run_times = o->run_times,
		.colour = people && wants_colour(p),
		.width = terminal ? terminal_columns(p->output.fd) : 0,
		.ascii = (terminal || (people && has_estimates(series))) &&
			 (o->ascii || !has_utf8()),
	};
}

/* Whether all texts in one file form one table. */
static bool has_table(const struct printing *p)
{
	return p->format->appendable == APPENDABLE_LINES;
}

int printing_open(struct printing *p, const struct options *o, enum print_parts parts,
		  struct why *why)
{
	enum output_mode mode;
	int err;

	p->options = o;
	p->format = options_format(o);
	p->streams = parts == PRINT_INTERVALS && p->format->intervals != INTERVALS_INSIDE;
	p->each_run = parts == PRINT_RUNS;
	p->replaces = p->streams && p->format->intervals == INTERVALS_REPLACED;
	mode = p->format->intervals == INTERVALS_REPLACED ? OUTPUT_REPLACE : OUTPUT_OVERWRITE;
	if (o->append)
		mode = OUTPUT_APPEND;
	else if (p->each_run || (p->streams && !p->replaces))
		mode = OUTPUT_AS_IT_COMES;
	err = output_open(&p->output, o->output, mode, options_result_fd(o), why);
	/* the column names are there if the text is appended to a file that is not empty */
	p->continued = has_table(p) && output_is_continued(&p->output);
	p->replaces &=
		p->output.mode == OUTPUT_REPLACE; /* a descriptor gets one text after the other */
	return err;
}

void printing_release(struct printing *p)
{
	output_release(&p->output);
	str_list_release(&p->columns);
}

/* Read the columns of the file that is appended to. It may have no name (--log-fd). */
static int read_columns(struct printing *p, struct why *why)
{
	cleanup_why struct why trouble = { 0 };
	const char *name = p->options->output ? p->options->output : "--format history";
	char path[32];
	FILE *in;
	int err;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", p->output.fd);
	in = fopen(p->options->output ? name : path, "re");
	if (!in)
		return why_set(why, -errno, "%s: cannot be read before appending: %s", name,
			       strerror(errno));
	err = p->format->read_columns(in, &p->columns, &trouble);
	fclose(in);
	return err < 0 ? why_set(why, err, "%s: %s", name, why_text(&trouble, err)) : 0;
}

/* The first of the columns that the others lack; NULL: they have all. */
static const char *find_missing(const struct str_list *columns, const struct str_list *others)
{
	for (size_t i = 0; i < columns->n; i++)
		if (!str_list_has(others, columns->v[i]))
			return columns->v[i];
	return NULL;
}

static int compare_columns(const struct printing *p, const struct str_list *columns,
			   struct why *why)
{
	const char *name = p->options->output ? p->options->output : "the result";
	const char *more = find_missing(columns, &p->columns);
	const char *fewer = find_missing(&p->columns, columns);

	if (more)
		return why_set(
			why, -EINVAL,
			"%s has no column '%s'; use another file, or the same events and labels",
			name, more);
	if (fewer)
		return why_set(
			why, -EINVAL,
			"%s has a column '%s'; use another file, or the same events and labels",
			name, fewer);
	for (size_t i = 0; i < columns->n; i++)
		if (strcmp(columns->v[i], p->columns.v[i]) != 0)
			return why_set(why, -EINVAL,
				       "%s has its columns in another order: '%s' before '%s'",
				       name, p->columns.v[i], columns->v[i]);
	return 0;
}

int printing_check_columns(struct printing *p, const struct series *series, struct why *why)
{
	cleanup_with(table_release) struct table result = { 0 };
	cleanup_str_list struct str_list columns = { 0 };
	int err = 0;

	if (!p->format || !p->format->add_columns)
		return 0;
	if (p->columns.n == 0 && p->continued)
		err = read_columns(p, why);
	if (err == 0)
		err = table_build(&result, series, NULL);
	if (err < 0)
		return err;
	if (p->columns.n == 0)
		return p->format->add_columns(&result, &p->columns);
	err = p->format->add_columns(&result, &columns);
	return err < 0 ? err : compare_columns(p, &columns, why);
}

int printing_begin(struct printing *p, time_t started, struct why *why)
{
	char text[32];
	bool first = !p->output.stream;
	int err = first && !p->replaces ? output_begin(&p->output, why) : 0;

	if (first || !has_table(p))
		p->lines = SIZE_MAX;
	if (err == 0 && p->options->output && p->format->appendable == APPENDABLE_DATED &&
	    fprintf(p->output.stream, "# started on %s\n", ctime_r(&started, text)) < 0)
		err = output_failed(&p->output, -errno, why);
	return err;
}

/* Lock the file that a table is appended to, and check whether it already has the column names.
 * Another process may have written them after the file was opened. 0; -errno with why. */
static int lock_table(struct printing *p, struct why *why)
{
	const unsigned int wait_ms =
		p->options->timing.interval_ms ? FILE_LOCK_INTERVAL_MS : FILE_LOCK_MS;
	cleanup_str_list struct str_list columns = { 0 };
	int err;

	if (!has_table(p))
		return 0;
	err = output_lock(&p->output, wait_ms);
	if (err < 0)
		return output_failed(&p->output, err, why);
	if (!notes_share_result(p->options)) /* messages of this pstat are not column names */
		p->continued = output_is_continued(&p->output);
	if (!p->continued || p->lines != SIZE_MAX || p->columns.n == 0)
		return 0;
	columns = p->columns;
	p->columns = (struct str_list){ 0 };
	err = read_columns(p, why);
	return err < 0 ? err : compare_columns(p, &columns, why);
}

/* About the number of lines of an interval: each further metric has its own line. */
static size_t lines_of(const struct printing *p, const struct table *result)
{
	size_t events_n = result->series->events->n / result->series->cgroups_n;

	return p->options->metric_only && events_n ? result->events_n / events_n : result->events_n;
}

/* Once, and at the top of each screen of a table. */
static bool needs_header(const struct printing *p, const struct table *result)
{
	size_t screen = LINES_OF_A_SCREEN;
	struct winsize size;

	if (p->continued)
		return false;
	if (p->lines == SIZE_MAX || p->options->interval_clear)
		return true;
	if (ioctl(p->output.fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 2)
		screen = size.ws_row - 1U;
	return p->format->audience == AUDIENCE_TERMINAL && p->lines + lines_of(p, result) > screen;
}

static int write_interval(struct printing *p, const struct table *result)
{
	struct format_style style = style_of(p, result->series);
	FILE *out = p->output.stream;
	int err;

	style.header = needs_header(p, result);
	p->lines = style.header ? 1 : p->lines;
	p->lines += lines_of(p, result);
	if (p->options->interval_clear && isatty(p->output.fd) && fputs(CLEAR_SCREEN, out) == EOF)
		return -errno;
	err = p->format->write(result, NULL, &style, out);
	return err == 0 ? output_flush(&p->output) : err;
}

int printing_interval(struct printing *p, const struct table *result, struct why *why)
{
	int err = 0;

	if (!p->streams || (result->interval->of_run > 0 && options_prints_as_perf(p->options)))
		return 0;
	if (p->replaces)
		err = output_begin(&p->output, why);
	if (err == 0)
		err = lock_table(p, why);
	if (err < 0)
		return err;
	err = write_interval(p, result);
	if (err < 0)
		return output_failed(&p->output, err, why);
	return p->replaces ? output_finish(&p->output, why) : 0;
}

/* The rows of --per-process that the options choose; PROCESS_BY_AUTO: those of the result. */
static struct process_view view_of(const struct printing *p, const struct series *series)
{
	struct process_view view = p->options->processes;
	size_t n = process_rows_count(series);

	if (n == 0 || p->format->is_document)
		return (struct process_view){ 0 };
	if (view.by == PROCESS_BY_TREE && (p->format->has_no_sums || p->options->metric_only))
		view.by = PROCESS_BY_PROCESS;
	if (view.by != PROCESS_BY_AUTO)
		return view;
	view.by = PROCESS_BY_PROCESS;
	if (series->runs_n > 1 || process_rows_are_names(series) ||
	    (n > PROCESS_ROWS_FEW && isatty(p->output.fd)))
		view.by = PROCESS_BY_NAME;
	return view;
}

/* Write the rows of --per-process. */
static int write_processes(struct printing *p, const struct series *series,
			   const struct process_view *view, const struct format_style *style,
			   struct why *why)
{
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };
	cleanup_with(table_release) struct table result = { 0 };
	int err = process_rows_build(&rows, series, view, why);

	if (err == 0)
		err = table_build(&result, &rows.series, NULL);
	if (err < 0)
		return err;
	err = p->format->write(&result, NULL, style, p->output.stream);
	return err < 0 ? output_failed(&p->output, err, why) : 0;
}

/* Later results must not be compared with a failed run. Returns whether the result is withheld. */
static bool withhold(struct printing *p, const struct table *result)
{
	if (!p->format->is_history || p->options->ignore_failure ||
	    !series_has_failed(result->series))
		return false;
	message("--format %s: %s failed: result not written; use --ignore-failure", p->format->name,
		result->series->ranks ? "a rank" : result->command);
	p->withheld = true;
	return true;
}

int printing_result(struct printing *p, const struct table *result, struct why *why)
{
	const struct process_view view = view_of(p, result->series);
	struct format_style style;
	int err = p->replaces ? output_begin(&p->output, why) : 0;

	if (err < 0)
		return err;
	if (withhold(p, result))
		return 0;
	err = lock_table(p, why);
	if (err < 0)
		return err;
	style = style_of(p, result->series);
	style.is_summary = (p->streams || p->options->summary) &&
			   !(p->options->separator && p->options->no_csv_summary);
	style.header = p->lines == SIZE_MAX && !p->continued;
	p->lines = 0;
	if (view.by != PROCESS_BY_AUTO)
		return write_processes(p, result->series, &view, &style, why);
	err = p->format->write(result, NULL, &style, p->output.stream);
	return err < 0 ? output_failed(&p->output, err, why) : 0;
}

int printing_run(struct printing *p, const struct table *result, struct why *why)
{
	int err = p->output.stream ? 0 : printing_begin(p, result->series->started, why);

	if (err == 0)
		err = printing_result(p, result, why);
	if (err < 0)
		return err;
	err = output_flush(&p->output);
	return err < 0 ? output_failed(&p->output, err, why) : 0;
}

int printing_end(struct printing *p, struct why *why)
{
	const struct str *notes;

	if (!p->output.stream || (p->withheld && ftell(p->output.stream) == 0))
		return 0;
	notes = p->options->file_notes;
	if (notes && fputs(str_text(notes), p->output.stream) == EOF)
		return output_failed(&p->output, -errno, why);
	return output_finish(&p->output, why);
}

int printing_comparison(struct printing *p, const struct comparison *c, struct why *why)
{
	struct format_style style = style_of(p, NULL);
	bool first = !p->output.stream;
	int err = first ? output_begin(&p->output, why) : 0;

	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		if (withhold(p, &c->tables[i]))
			return 0;
	if (err == 0)
		err = lock_table(p, why);
	style.header = !has_table(p) || (first && !p->continued);
	style.parameters = p->parameters;
	style.draw = p->options->draw == WHEN_AUTO ? isatty(p->output.fd) :
						     p->options->draw == WHEN_ALWAYS;
	style.ascii = p->options->ascii || !has_utf8();
	if (err < 0)
		return err;
	err = p->format->write(c->tables, c, &style, p->output.stream);
	return err < 0 ? output_failed(&p->output, err, why) : 0;
}
