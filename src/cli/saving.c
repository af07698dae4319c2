/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/beside.h"
#include "cli/provenance.h"
#include "cli/saving.h"
#include "count/session.h"

int saving_open(struct saving *s, const struct options *o, struct why *why)
{
	const struct beside beside = { "--save", o->save, "document" };

	s->wanted = options_want_document(o);
	s->file = o->save;
	return o->save ? beside_open(&s->output, &beside, o, why) : 0;
}

int saving_begin(struct saving *s, const struct options *o, const struct machine *m)
{
	/* some of it, as labels; on a page; or what differs from a baseline's */
	bool shown = options_format(o) == &report_openmetrics || o->html || o->comparing.baseline;

	return s->wanted || shown ? provenance_gather(&s->provenance, o, m, time(NULL)) : 0;
}

void saving_begin_run(struct saving *s)
{
	s->last_run = s->blocks_n;
}

void saving_leave_out_run(struct saving *s)
{
	while (s->blocks_n > s->last_run)
		run_release(&s->blocks[--s->blocks_n].run);
}

int saving_keep(struct saving *s, const struct block *block, size_t rows_n)
{
	struct block copy = *block;

	if (!s->wanted || s->err < 0)
		return s->err;
	copy.run.samples = calloc(rows_n + 1, sizeof(*copy.run.samples));
	if (!copy.run.samples ||
	    array_grow(&s->blocks, s->blocks_n, &s->blocks_size, sizeof(*s->blocks)) < 0) {
		free(copy.run.samples);
		s->err = -ENOMEM;
		return s->err;
	}
	memcpy(copy.run.samples, block->run.samples, rows_n * sizeof(*copy.run.samples));
	s->blocks[s->blocks_n++] = copy;
	return 0;
}

static int begin(struct saving *s, struct why *why)
{
	return s->err < 0 ? s->err : output_begin(&s->output, why);
}

/* err: of what was written. */
static int finish(struct saving *s, int err, struct why *why)
{
	return err < 0 ? output_failed(&s->output, err, why) : output_finish(&s->output, why);
}

int saving_write(struct saving *s, const struct report *report, struct why *why)
{
	const struct report_style style = { .header = true };
	int err = s->file ? begin(s, why) : 0;

	if (!s->file || err < 0)
		return err;
	return finish(s, report_json.write(report, &style, s->output.stream), why);
}

int saving_write_comparison(struct saving *s, const struct comparison *c, struct why *why)
{
	const struct comparison_style style = { .report.header = true };
	int err = s->file ? begin(s, why) : 0;

	if (!s->file || err < 0)
		return err;
	return finish(s, comparison_json.write(c, &style, s->output.stream), why);
}

void saving_release(struct saving *s)
{
	output_release(&s->output);
	provenance_release(&s->provenance);
	for (size_t i = 0; i < s->blocks_n; i++)
		run_release(&s->blocks[i].run);
	free(s->blocks);
}
