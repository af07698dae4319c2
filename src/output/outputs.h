/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the results of a job go: the text in the format of the options, the document of --save, the
 * page of --html, and the notes. Every job has one struct outputs, from outputs_open() to
 * outputs_close().
 *
 * A failure to write is reported at once and changes the status, but does not end the job: what can
 * still be written is written.
 */
#ifndef PSTAT_OUTPUT_OUTPUTS_H
#define PSTAT_OUTPUT_OUTPUTS_H

#include <time.h>

#include "base/output.h"
#include "base/why.h"
#include "options/options.h"
#include "output/notes.h"
#include "result/history.h"
#include "result/suite.h"
#include "result/table.h"

/* OUTPUTS_OF(options) before outputs_open(). */
struct outputs {
	const struct options *options;
	bool prints; /* there is a text: not with -q, and with --bisect only on request */
	bool text_lost, files_lost; /* nothing more is written to them */
	/* a document is shown or saved, or there is a page; otherwise intervals are not kept */
	bool keeps_intervals;
	const struct format *format; /* of the text */
	struct output text, document, page;
	bool streams; /* intervals are written as they end */
	bool each_run; /* each run is a result of its own, which is written when the run ends */
	bool replaces; /* each interval replaces the file of the previous one */
	bool continued; /* the file already had text, so the column names are there */
	bool withheld; /* a result was not written, because the command failed */
	bool processes; /* some result has processes, so all have their columns */
	const struct str_list *parameters; /* of all comparisons; NULL: there is one comparison */
	struct str_list columns; /* owned: of the file, see outputs_check_columns() */
	size_t lines; /* of intervals since the last column names; SIZE_MAX: nothing was written */
	struct why why; /* of the failure that is reported next */
	struct notes notes;
	int status; /* 0; STATUS_PSTAT or -SIGPIPE: something was lost, and that was reported */
};

/* Without files. */
#define OUTPUTS_OF(o)                                                                              \
	{                                                                                          \
		.options = (o), .text.fd = -1, .document.fd = -1, .page.fd = -1                    \
	}

/* What is printed: the result, possibly after intervals, or a result for each run. */
enum print_parts { PRINT_RESULT, PRINT_INTERVALS, PRINT_RUNS };

/*
 * Check that everything can be written, before anything runs. Refuses a file that is also an input,
 * or another output. 0; -errno with why.
 */
int outputs_open(struct outputs *out, enum print_parts parts, struct why *why);

/*
 * If the format has columns that depend on the result: check that they are those of the file that
 * --append continues, and of the results before this one. The series may lack its runs. 0; -errno
 * with why.
 */
int outputs_check_columns(struct outputs *out, const struct series *series, struct why *why);

/* Begin the text of intervals, or of one of several documents, which started at this time.
 * outputs_run(), outputs_result() and outputs_comparison() begin a text if there is none. */
void outputs_begin(struct outputs *out, time_t started);

/*
 * Print an interval, unless the format keeps intervals for its one document. In perf's formats,
 * only the intervals of the first run are printed, as in perf.
 */
void outputs_interval(struct outputs *out, const struct table *table);

/* Keep a copy of the interval in its series if a document will show it. */
void outputs_keep(struct outputs *out, struct series *series, const struct interval *interval);

/* Print the result of one run at once. */
void outputs_run(struct outputs *out, const struct table *table);

/*
 * Print, save and draw the result. After intervals, it is printed only if --summary asks for it or
 * did so when the result was saved.
 */
void outputs_result(struct outputs *out, const struct table *table);

/* Whether outputs_result() prints the result of the series. */
bool outputs_print_result_of(const struct outputs *out, const struct series *series);

/*
 * Whether the format of the text can show this many cases. 0; -EINVAL with why.
 */
int outputs_check_cases(const struct outputs *out, size_t cases_n, struct why *why);

/* Print, save and draw the comparison, or those of all cases. */
void outputs_comparison(struct outputs *out, const struct suite *suite);

/* Print how the metrics of earlier results changed. */
void outputs_history(struct outputs *out, const struct history *history);

/* Report that a result is lost, and print nothing more. err: 0 if nothing is lost. */
void outputs_lose(struct outputs *out, int err, const struct why *why);

/* End the text. Returns the status: 0; STATUS_PSTAT or -SIGPIPE if anything was lost. */
int outputs_close(struct outputs *out);

void outputs_release(struct outputs *out);

#endif
