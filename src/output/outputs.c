/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/why.h"
#include "format/format.h"
#include "format/terminal/terminal.h"
#include "output/message.h"
#include "output/outputs.h"

/* ---- The style of the text. */

enum { LINES_OF_A_SCREEN = 25 }; /* if there is no screen */

#define CLEAR_SCREEN "\033[H\033[2J"

static struct num_style outputs_grouped_numbers(const struct options *o)
{
	if (o->big_num == BIG_NUM_NEVER)
		return num_plain;
	return (struct num_style){ .thousands = ",", .point = "." };
}

static struct num_style outputs_numbers_of(const struct outputs *out)
{
	enum big_num big_num = out->options->big_num;
	struct num_style numbers = num_plain;

	switch (out->format->locale) {
	case LOCALE_GROUPED:
		return outputs_grouped_numbers(out->options);
	case LOCALE_USER:
		numbers = num_style_of_user();
		if (big_num == BIG_NUM_NEVER)
			numbers.thousands[0] = '\0';
		else if (numbers.thousands[0] == '\0' && isatty(out->text.fd))
			strcpy(numbers.thousands, ",");
		break;
	case LOCALE_C:
		break;
	}
	return numbers;
}

/* The key of the number of CPUs in perf's JSON. Scripts that were written for perf 6.12 or older
 * expect another key. */
static const char *outputs_counters_key(const char *version)
{
	unsigned int major, minor;

	if (version && sscanf(version, "%u.%u", &major, &minor) == 2 &&
	    (major < 6 || (major == 6 && minor <= 12)))
		return "aggregate-number";
	return NULL;
}

/* Whether the user's locale can show more than ASCII. */
static bool outputs_has_utf8(void)
{
	locale_t user = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8 = user && strcmp(nl_langinfo_l(CODESET, user), "UTF-8") == 0;

	if (user)
		freelocale(user);
	return utf8;
}

/* series: NULL for a comparison. The locale is read only if needed: reading it takes longer than
 * printing a table. */
static struct format_style outputs_style_of(const struct outputs *out, const struct series *series)
{
	const struct options *o = out->options;
	bool terminal = isatty(out->text.fd);
	bool people = out->format->audience == AUDIENCE_TERMINAL;
	const char *no_colour = getenv("NO_COLOR"); /* https://no-color.org */
	bool colour =
		o->colour == WHEN_AUTO ? !(no_colour && no_colour[0]) : o->colour == WHEN_ALWAYS;
	/* the intervals of a series have its fields, too */
	bool repeated = o->repeat != 1 ||
			(series && series->runs_n > 1 && series->runs_n > series->passes_n);
	bool draws = terminal;

	for (size_t run = 0; people && series && run < series->runs_n; run++)
		for (size_t row = 0; row < series->rows_n; row++)
			draws |= series_value_of_one(series, row, &series->runs[run]).shows_error;
	return (struct format_style){
		.numbers = outputs_numbers_of(out),
		.separator = o->separator,
		.counters_key = outputs_counters_key(o->perf_version),
		.full_commands = o->full_commands,
		.metric_only = o->metric_only,
		.processes = out->processes,
		.repeated = repeated && !out->each_run,
		.run_times = o->run_times,
		.colour = people && colour &&
			  (o->colour != WHEN_AUTO || terminal_obeys_escapes(out->text.fd)),
		.width = terminal ? terminal_columns(out->text.fd) : 0,
		.ascii = draws && (o->ascii || !outputs_has_utf8()),
	};
}

/* Whether all texts in one file form one table. */
static bool outputs_has_table(const struct outputs *out)
{
	return out->format->appendable == APPENDABLE_LINES;
}

/* ---- Tables that are appended to a file. */

/* Read the columns of the file that is appended to. It may have no name (--log-fd). */
static int outputs_read_columns(struct outputs *out, struct why *why)
{
	cleanup_why struct why trouble = { 0 };
	const char *name = out->options->output ? out->options->output : "--format history";
	char path[32];
	FILE *in;
	int err;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", out->text.fd);
	in = fopen(out->options->output ? name : path, "re");
	if (!in)
		return why_set(why, -errno, "%s: cannot be read before appending: %s", name,
			       strerror(errno));
	err = out->format->read_columns(in, &out->columns, &trouble);
	fclose(in);
	return err < 0 ? why_set(why, err, "%s: %s", name, why_text(&trouble, err)) : 0;
}

/* The first of the columns that the others lack; NULL: they have all. */
static const char *outputs_find_missing(const struct str_list *columns,
					const struct str_list *others)
{
	for (size_t i = 0; i < columns->n; i++)
		if (!str_list_has(others, columns->v[i]))
			return columns->v[i];
	return NULL;
}

static int outputs_compare_columns(const struct outputs *out, const struct str_list *columns,
				   struct why *why)
{
	const char *name = out->options->output ? out->options->output : "the result";
	const char *more = outputs_find_missing(columns, &out->columns);
	const char *fewer = outputs_find_missing(&out->columns, columns);

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
		if (strcmp(columns->v[i], out->columns.v[i]) != 0)
			return why_set(why, -EINVAL,
				       "%s has its columns in another order: '%s' before '%s'",
				       name, out->columns.v[i], columns->v[i]);
	return 0;
}

int outputs_check_columns(struct outputs *out, const struct series *series, struct why *why)
{
	cleanup_with(table_release) struct table table = { 0 };
	cleanup_str_list struct str_list columns = { 0 };
	int err = 0;

	if (!out->prints || !out->format->add_columns)
		return 0;
	if (out->columns.n == 0 && out->continued)
		err = outputs_read_columns(out, why);
	if (err == 0)
		err = table_build(&table, series, NULL);
	if (err < 0)
		return err;
	if (out->columns.n == 0)
		return out->format->add_columns(&table, &out->columns);
	err = out->format->add_columns(&table, &columns);
	return err < 0 ? err : outputs_compare_columns(out, &columns, why);
}

/* Lock the file that a table is appended to, and check whether it already has the column names.
 * Another process may have written them after the file was opened. 0; -errno with why. */
static int outputs_lock_table(struct outputs *out, struct why *why)
{
	const unsigned int wait_ms =
		out->options->timing.interval_ms ? FILE_LOCK_INTERVAL_MS : FILE_LOCK_MS;
	cleanup_str_list struct str_list columns = { 0 };
	int err;

	if (!outputs_has_table(out))
		return 0;
	err = output_lock(&out->text, wait_ms);
	if (err < 0)
		return output_failed(&out->text, err, why);
	if (!notes_share_result(out->options)) /* messages of this pstat are not column names */
		out->continued = output_is_continued(&out->text);
	if (!out->continued || out->lines != SIZE_MAX || out->columns.n == 0)
		return 0;
	columns = out->columns;
	out->columns = (struct str_list){ 0 };
	err = outputs_read_columns(out, why);
	return err < 0 ? err : outputs_compare_columns(out, &columns, why);
}

/* ---- Writing the text. */

/* About the number of lines of an interval: each further metric has its own line. */
static size_t outputs_lines_of(const struct outputs *out, const struct table *table)
{
	size_t events_n = table->series->events->n / table->series->cgroups_n;

	return out->options->metric_only && events_n ? table->events_n / events_n : table->events_n;
}

/* Once, and at the top of each screen of a table. */
static bool outputs_needs_header(const struct outputs *out, const struct table *table)
{
	size_t screen = LINES_OF_A_SCREEN;
	struct winsize size;

	if (out->continued)
		return false;
	if (out->lines == SIZE_MAX || out->options->interval_clear)
		return true;
	if (ioctl(out->text.fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 2)
		screen = size.ws_row - 1U;
	return out->format->audience == AUDIENCE_TERMINAL &&
	       out->lines + outputs_lines_of(out, table) > screen;
}

/* The rows of --per-process that the options choose; PROCESS_BY_AUTO: those of the result. */
static struct process_view outputs_view_of(const struct outputs *out, const struct series *series)
{
	struct process_view view = out->options->processes;
	size_t n = process_rows_count(series);

	if (n == 0 || out->format->is_document)
		return (struct process_view){ 0 };
	if (view.by == PROCESS_BY_TREE && (out->format->has_no_sums || out->options->metric_only))
		view.by = PROCESS_BY_PROCESS;
	if (view.by != PROCESS_BY_AUTO)
		return view;
	view.by = PROCESS_BY_PROCESS;
	if (series->runs_n > 1 || process_rows_are_names(series) ||
	    (n > PROCESS_ROWS_FEW && isatty(out->text.fd)))
		view.by = PROCESS_BY_NAME;
	return view;
}

/* 0; -errno with out->why. */
static int outputs_write_text(struct outputs *out, const struct table *table,
			      const struct format_style *style)
{
	int err = out->format->write(table, style, out->text.stream);

	return err < 0 ? output_failed(&out->text, err, &out->why) : 0;
}

/* Write the text so far. 0; -errno with out->why. */
static int outputs_flush(struct outputs *out)
{
	int err = output_flush(&out->text);

	return err < 0 ? output_failed(&out->text, err, &out->why) : 0;
}

/* Write the rows of --per-process. 0; -errno with why. */
static int outputs_write_processes(struct outputs *out, const struct series *series,
				   const struct process_view *view,
				   const struct format_style *style)
{
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };
	cleanup_with(table_release) struct table table = { 0 };
	int err = process_rows_build(&rows, series, view, &out->why);

	if (rows.sorted_by)
		note_print(out->options, "--sort %s: not counted; the rows are sorted by %s",
			   view->sort, rows.sorted_by);
	if (err == 0)
		err = table_build(&table, &rows.series, NULL);
	if (err < 0)
		return err;
	return outputs_write_text(out, &table, style);
}

/* Later results must not be compared with a failed run. Returns whether the result is withheld. */
static bool outputs_withhold(struct outputs *out, const struct table *table)
{
	if (!out->format->is_history || out->options->ignore_failure ||
	    !series_has_failed(table->series))
		return false;
	message("--format %s: %s failed: result not written; use --ignore-failure",
		out->format->name, table->series->ranks ? "a rank" : table->command);
	out->withheld = true;
	return true;
}

/* ---- Losing a result. */

/* A job that only prints is silent if the reader of its text has gone. */
static void outputs_report_loss(struct outputs *out, int err, const struct why *why)
{
	int status = STATUS_PSTAT;

	if (out->options->job == JOB_COUNT)
		message_of_loss(why_text(why, err));
	else
		status = message_of_lost_text(err, why_text(why, err));
	if (out->status == 0)
		out->status = status;
}

void outputs_lose(struct outputs *out, int err, const struct why *why)
{
	if (err == 0)
		return;
	out->text_lost = true;
	outputs_report_loss(out, err, why);
}

void outputs_keep(struct outputs *out, struct series *series, const struct interval *interval)
{
	const struct why none = { 0 };
	int err = out->keeps_intervals ? series_keep_interval(series, interval) : 0;

	if (err == 0)
		return;
	out->keeps_intervals = false;
	out->files_lost = true;
	outputs_report_loss(out, err, &none);
}

/* ---- The text. */

/* Whether the text is wanted, and nothing of it was lost so far. */
static bool outputs_writes_text(const struct outputs *out)
{
	return out->prints && !out->text_lost;
}

void outputs_begin(struct outputs *out, time_t started)
{
	bool first = !out->text.stream;
	char text[32];
	int err = 0;

	if (!outputs_writes_text(out))
		return;
	if (first && !out->replaces)
		err = output_begin(&out->text, &out->why);
	if (first || !outputs_has_table(out))
		out->lines = SIZE_MAX;
	if (err == 0 && out->options->output && out->format->appendable == APPENDABLE_DATED &&
	    fprintf(out->text.stream, "# started on %s\n", ctime_r(&started, text)) < 0)
		err = output_failed(&out->text, -errno, &out->why);
	outputs_lose(out, err, &out->why);
}

void outputs_interval(struct outputs *out, const struct table *table)
{
	struct format_style style;
	int err = 0;

	if (!outputs_writes_text(out) || !out->streams ||
	    (table->interval->of_run > 0 && options_prints_as_perf(out->options)))
		return;
	if (out->replaces)
		err = output_begin(&out->text, &out->why);
	if (err == 0)
		err = outputs_lock_table(out, &out->why);
	if (err == 0) {
		style = outputs_style_of(out, table->series);
		style.header = outputs_needs_header(out, table);
		out->lines = style.header ? 1 : out->lines;
		out->lines += outputs_lines_of(out, table);
		if (out->options->interval_clear && isatty(out->text.fd) &&
		    fputs(CLEAR_SCREEN, out->text.stream) == EOF)
			err = output_failed(&out->text, -errno, &out->why);
	}
	if (err == 0)
		err = outputs_write_text(out, table, &style);
	if (err == 0)
		err = outputs_flush(out);
	if (err == 0 && out->replaces)
		err = output_finish(&out->text, &out->why);
	outputs_lose(out, err, &out->why);
}

/* Print the result, unless the command failed and the format does not write failed results. */
static void outputs_print_result(struct outputs *out, const struct table *table)
{
	const struct process_view view = outputs_view_of(out, table->series);
	const struct options *o = out->options;
	struct format_style style;
	int err = out->replaces ? output_begin(&out->text, &out->why) : 0;

	if (err == 0 && outputs_withhold(out, table))
		return;
	if (err == 0)
		err = outputs_lock_table(out, &out->why);
	if (err == 0) {
		style = outputs_style_of(out, table->series);
		style.is_summary =
			(out->streams || o->summary) && !(o->separator && o->no_csv_summary);
		style.header = out->lines == SIZE_MAX && !out->continued;
		out->lines = 0;
		err = view.by != PROCESS_BY_AUTO ?
			      outputs_write_processes(out, table->series, &view, &style) :
			      outputs_write_text(out, table, &style);
	}
	outputs_lose(out, err, &out->why);
}

void outputs_run(struct outputs *out, const struct table *table)
{
	if (!out->text.stream)
		outputs_begin(out, table->series->started);
	if (outputs_writes_text(out))
		outputs_print_result(out, table);
	if (outputs_writes_text(out))
		outputs_lose(out, outputs_flush(out), &out->why);
}

bool outputs_print_result_of(const struct outputs *out, const struct series *series)
{
	return outputs_writes_text(out) && !out->each_run &&
	       (!out->streams || series->summary_asked || out->options->summary);
}

static void outputs_print_comparison(struct outputs *out, const struct suite *suite)
{
	const struct options *o = out->options;
	struct format_style style = outputs_style_of(out, NULL);
	bool first = !out->text.stream;
	int err = first ? output_begin(&out->text, &out->why) : 0;

	for (size_t i = 0; err == 0 && i < suite->input.sides_n; i++)
		if (outputs_withhold(out,
				     &suite->cases[i / suite->sides_n].tables[i % suite->sides_n]))
			return;
	if (err == 0)
		err = outputs_lock_table(out, &out->why);
	style.header = !outputs_has_table(out) || (first && !out->continued);
	style.parameters = out->parameters;
	style.draw = o->draw == WHEN_ALWAYS;
	style.details = o->details || o->verbose;
	style.ascii = o->ascii || !outputs_has_utf8();
	if (err == 0) {
		err = out->format->write_comparison(suite, &style, out->text.stream);
		err = err < 0 ? output_failed(&out->text, err, &out->why) : 0;
	}
	outputs_lose(out, err, &out->why);
}

int outputs_close(struct outputs *out)
{
	const struct str *notes = out->options->file_notes;
	FILE *text = out->text.stream;
	int err;

	if (outputs_writes_text(out) && text && !(out->withheld && ftell(text) == 0)) {
		if (notes && fputs(str_text(notes), text) == EOF)
			err = output_failed(&out->text, -errno, &out->why);
		else
			err = output_finish(&out->text, &out->why);
		outputs_lose(out, err, &out->why);
	}
	/* the status of a command that failed says it by itself */
	if (out->status == 0 && out->withheld && out->options->job != JOB_COUNT)
		out->status = STATUS_PSTAT;
	return out->status;
}

/* ---- The document and the page. */

/*
 * Write a result, or a comparison if suite is not NULL. A pipe without a reader is an error here:
 * message_of_lost_text() is silent only if the reader of the text itself has gone.
 */
static void outputs_write_file(struct outputs *out, struct output *file,
			       const struct format *format, const struct table *table,
			       const struct suite *suite)
{
	static const struct format_style style; /* neither format has one */
	cleanup_why struct why why = { 0 };
	int err = output_begin(file, &why);

	if (err == 0) {
		err = suite ? format->write_comparison(suite, &style, file->stream) :
			      format->write(table, &style, file->stream);
		err = err < 0 ? output_failed(file, err, &why) : output_finish(file, &why);
	}
	if (err < 0)
		outputs_report_loss(out, err == -EPIPE ? -EIO : err, &why);
}

/* ---- An output must not be an input, or another output. */

struct output_file {
	const char *option; /* the option that names it: "--save" */
	const char *path; /* NULL: the descriptor fd */
	int fd;
	const char *what; /* its content, for messages */
	struct stat st; /* all zero: it does not exist */
};

enum { OUTPUT_RESULT, OUTPUT_MESSAGES, OUTPUT_DOCUMENT, OUTPUT_PAGE, OUTPUTS_N };

struct file_check {
	const struct options *options;
	struct why *why;
	struct output_file outputs[OUTPUTS_N];
};

static bool outputs_is_same_regular(const struct stat *a, const struct stat *b)
{
	return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * Refuse the file of an option that is also the output. what: the content of the one that
 * needs another file. Returns -EINVAL.
 */
static int outputs_refuse_output(const struct output_file *output, const char *option,
				 const char *path, const char *what, struct why *why)
{
	if (output->path)
		return why_set(why, -EINVAL,
			       "%s %s and %s %s are the same file: use another file for the %s",
			       option, path, output->option, output->path, what);
	return why_set(
		why, -EINVAL,
		"%s %s is the file that descriptor %d writes to: use another file for the %s",
		option, path, output->fd, what);
}

static int outputs_check_input(const struct file_check *c, const char *option, const char *path,
			       const struct stat *st)
{
	for (size_t i = 0; i < OUTPUTS_N; i++)
		if (i != OUTPUT_MESSAGES && outputs_is_same_regular(&c->outputs[i].st, st))
			return outputs_refuse_output(&c->outputs[i], option, path,
						     c->outputs[i].what, c->why);
	return 0;
}

static int outputs_check_document(const struct file_check *c, const char *option, const char *path)
{
	struct stat st;

	if ((strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st)) < 0)
		return 0; /* the reader reports it */
	return outputs_check_input(c, option, file_name_shown(path), &st);
}

static int outputs_check_history(const struct file_check *c)
{
	const struct options *o = c->options;
	const char *path = o->compare_options.history;
	cleanup_dir DIR *folder = path ? opendir(path) : NULL;
	struct file_check others = *c;
	const struct dirent *entry;
	struct stat st;
	int err = 0;

	if (!path)
		return 0;
	if (!folder) {
		/* the history is read before the result is appended to it */
		if (o->job == JOB_COUNT && options_format(o)->is_history &&
		    (o->output ? o->append :
				 (fcntl(options_result_fd(o), F_GETFL) & O_APPEND) != 0))
			others.outputs[OUTPUT_RESULT].st = (struct stat){ 0 };
		return outputs_check_document(&others, "--history", path);
	}
	while (err == 0 && (entry = readdir(folder))) {
		cleanup_str struct str name = { 0 };

		if (!file_name_is_document(entry->d_name) ||
		    fstatat(dirfd(folder), entry->d_name, &st, 0) < 0)
			continue;
		str_addf(&name, "%s/%s", path, entry->d_name);
		err = outputs_check_input(c, "--history", str_text(&name), &st);
	}
	return err;
}

static int outputs_check_inputs(const struct file_check *c)
{
	static const char *const readers[JOB_VERSION + 1] = {
		[JOB_SHOW] = "--show", [JOB_COMPARE] = "--compare", [JOB_MERGE] = "--merge"
	};
	const struct options *o = c->options;
	const char *reader = readers[o->job];
	int err = 0;

	for (size_t i = 0; reader && err == 0 && o->argv[i]; i++)
		err = outputs_check_document(c, reader, o->argv[i]);
	if (err == 0 && o->compare_options.baseline)
		err = outputs_check_document(c, "--baseline", o->compare_options.baseline);
	if (err == 0 && o->input)
		err = outputs_check_document(c, "--input", o->input);
	if (err == 0 && o->compare_options.suite)
		err = outputs_check_document(c, "--suite", o->compare_options.suite);
	for (size_t i = 0; err == 0 && i < o->metrics_files.n; i++)
		err = outputs_check_document(c, "--metrics-file", o->metrics_files.v[i]);
	for (size_t i = 0; err == 0 && i < o->compare_options.lists.n; i++) {
		const char *values = strchr(o->compare_options.lists.v[i], '=');

		/* NAME=@FILE; the files of NAME=@PATTERN are not read */
		if (values && values[1] == '@' && !strpbrk(values, "*?["))
			err = outputs_check_document(c, "-L", values + 2);
	}
	return err < 0 ? err : outputs_check_history(c);
}

/* Whether two files that do not exist yet will be the same file. */
static bool outputs_is_same_new_file(const char *a, const char *b)
{
	cleanup_free char *folder = file_folder(a), *other = file_folder(b);
	struct stat left, right;

	return strcmp(a + file_folder_length(a), b + file_folder_length(b)) == 0 && folder &&
	       other && stat(folder, &left) == 0 && stat(other, &right) == 0 &&
	       left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* Whether both outputs name the same file, or will do so once it exists. The result and
 * messages may share a file. */
static bool outputs_is_same_output(const struct output_file *a, const struct output_file *b)
{
	if (!b->path || a->st.st_mode != b->st.st_mode)
		return false;
	if (!a->path && output_names_descriptor(b->path)) /* it continues the text there */
		return false;
	if (a->st.st_mode != 0)
		return outputs_is_same_regular(&a->st, &b->st);
	return a->path && outputs_is_same_new_file(a->path, b->path);
}

/*
 * Call this before any file is opened. Two paths are the same file if they have the same device and
 * inode, or will have once the file exists. A link is therefore the same file. Devices and pipes
 * may be used twice. Lines of --format history may be appended to the file of --history, because
 * pstat reads that file first. 0; -EINVAL with why.
 */
static int outputs_check_files(const struct options *o, struct why *why)
{
	struct file_check c = {
		.options = o,
		.why = why,
		.outputs = { [OUTPUT_RESULT] = { "-o", o->output, options_result_fd(o), "result" },
			     [OUTPUT_MESSAGES] = { .fd = STDERR_FILENO },
			     [OUTPUT_DOCUMENT] = { "--save", o->save, -1, "document" },
			     [OUTPUT_PAGE] = { "--html", o->html, -1, "page" } },
	};

	for (size_t i = 0; i < OUTPUTS_N; i++) {
		struct output_file *it = &c.outputs[i];

		if ((it->path ? stat(it->path, &it->st) : fstat(it->fd, &it->st)) < 0)
			it->st = (struct stat){ 0 };
	}
	for (size_t i = 0; i < OUTPUTS_N; i++)
		for (size_t k = 0; k < i; k++)
			if (outputs_is_same_output(&c.outputs[k], &c.outputs[i])) {
				const struct output_file *a = &c.outputs[k], *b = &c.outputs[i];

				return a->path ? outputs_refuse_output(b, a->option, a->path,
								       b->what, why) :
						 outputs_refuse_output(a, b->option, b->path,
								       b->what, why);
			}
	return outputs_check_inputs(&c);
}

/* ---- All of them. */

static int outputs_open_text(struct outputs *out, enum print_parts parts, struct why *why)
{
	const struct options *o = out->options;
	bool replaces = out->format->intervals == INTERVALS_REPLACED;
	enum output_mode mode = replaces ? OUTPUT_REPLACE : OUTPUT_OVERWRITE;
	int err;

	out->streams = parts == PRINT_INTERVALS && out->format->intervals != INTERVALS_INSIDE;
	out->each_run = parts == PRINT_RUNS;
	if (o->append)
		mode = OUTPUT_APPEND;
	else if (out->each_run || (out->streams && !replaces))
		mode = OUTPUT_AS_IT_COMES;
	err = output_open(&out->text, o->output, mode, options_result_fd(o), why);
	/* the column names are there if the text is appended to a file that is not empty */
	out->continued = outputs_has_table(out) && output_is_continued(&out->text);
	/* a descriptor gets one text after the other */
	out->replaces = out->streams && replaces && out->text.mode == OUTPUT_REPLACE;
	return err;
}

int outputs_open(struct outputs *out, enum print_parts parts, struct why *why)
{
	const struct options *o = out->options;
	int err = outputs_check_files(o, why);

	out->format = options_format(o);
	out->keeps_intervals = o->save || o->html || out->format->is_document;
	out->prints = !o->quiet && (!o->compare_options.bisect || o->verbose || o->format ||
				    options_has_destination(o));
	if (err == 0 && out->prints)
		err = outputs_open_text(out, parts, why);
	if (err == 0 && o->save)
		err = output_open(&out->document, o->save, OUTPUT_REPLACE, -1, why);
	if (err == 0 && o->html)
		err = output_open(&out->page, o->html, OUTPUT_REPLACE, -1, why);
	return err;
}

void outputs_result(struct outputs *out, const struct table *table)
{
	if (outputs_print_result_of(out, table->series)) {
		if (!out->text.stream && !out->streams)
			outputs_begin(out, table->series->started);
		if (outputs_writes_text(out))
			outputs_print_result(out, table);
		/* notes about the result follow it */
		if (outputs_writes_text(out) && out->text.stream &&
		    notes_share_result(out->options))
			outputs_lose(out, outputs_flush(out), &out->why);
	}
	if (out->options->save && !out->files_lost)
		outputs_write_file(out, &out->document, &format_json, table, NULL);
	if (out->options->html && !out->files_lost)
		outputs_write_file(out, &out->page, &format_html, table, NULL);
}

int outputs_check_cases(const struct outputs *out, size_t cases_n, struct why *why)
{
	const struct format *format = options_format(out->options);

	if (cases_n == 0 || format->has_cases)
		return 0;
	return why_set(why, -EINVAL, "--format %s cannot show several cases", format->name);
}

void outputs_comparison(struct outputs *out, const struct suite *suite)
{
	if (outputs_writes_text(out))
		outputs_print_comparison(out, suite);
	if (out->options->save)
		outputs_write_file(out, &out->document, &format_json, NULL, suite);
	if (out->options->html)
		outputs_write_file(out, &out->page, &format_html, NULL, suite);
}

/* Write a history in a format to a file that was opened. 0; -errno with why. */
static int outputs_write_history(struct output *file, const struct format *format,
				 const struct history *history, const struct format_style *style,
				 struct why *why)
{
	int err = output_begin(file, why);

	if (err < 0)
		return err;
	err = format->write_history(history, style, file->stream);
	return err < 0 ? output_failed(file, err, why) : 0;
}

void outputs_history(struct outputs *out, const struct history *history)
{
	static const struct format_style of_page;
	struct format_style style = outputs_style_of(out, NULL);
	cleanup_why struct why why = { 0 };
	int err;

	style.ascii = out->options->ascii || !outputs_has_utf8();
	if (out->format->locale == LOCALE_USER)
		style.numbers = outputs_grouped_numbers(out->options);
	err = outputs_write_history(&out->text, out->format, history, &style, &out->why);
	outputs_lose(out, err, &out->why);
	if (!out->options->html)
		return;
	err = outputs_write_history(&out->page, &format_html, history, &of_page, &why);
	if (err == 0)
		err = output_finish(&out->page, &why);
	if (err < 0)
		outputs_report_loss(out, err == -EPIPE ? -EIO : err, &why);
}

void outputs_release(struct outputs *out)
{
	notes_release(&out->notes);
	output_release(&out->text);
	str_list_release(&out->columns);
	output_release(&out->document);
	output_release(&out->page);
	why_release(&out->why);
}
