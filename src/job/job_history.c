/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --history alone: print how the metrics of earlier results changed. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "format/terminal/history_table.h"
#include "job/history_gates.h"
#include "job/jobs.h"
#include "output/message.h"
#include "output/print.h"

static int print_history(const struct history *history, const struct options *o, struct why *why)
{
	cleanup_with(output_release) struct output out = { .fd = -1 };
	const struct num_style numbers = print_numbers_grouped(o);
	int err = output_open(&out, o->output, o->append ? OUTPUT_APPEND : OUTPUT_OVERWRITE,
			      options_result_fd(o), why);

	if (err == 0)
		err = output_begin(&out, why);
	if (err < 0)
		return err;
	err = history_table_write(history, &numbers, out.stream);
	return err < 0 ? output_failed(&out, err, why) : output_finish(&out, why);
}

int job_history(const struct options *o)
{
	cleanup_with(history_release) struct history history = { 0 };
	cleanup_why struct why why = { 0 };
	int err;

	if (history_open(&history, o) < 0)
		return STATUS_PSTAT;
	err = print_history(&history, o, &why);
	return err < 0 ? message_of_lost_text(err, why_text(&why, err)) : 0;
}
