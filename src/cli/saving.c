/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/extra_output.h"
#include "run/provenance.h"
#include "cli/saving.h"
#include "count/session.h"
#include "document/write.h"
#include "format/format.h"

int saving_open(struct saving *s, const struct options *o, struct why *why)
{
	const struct extra_output extra_output = { "--save", o->save, "document" };

	s->wanted = options_want_document(o);
	s->file = o->save;
	return o->save ? extra_output_open(&s->output, &extra_output, o, why) : 0;
}

int saving_begin(struct saving *s, const struct options *o, const struct machine *m)
{
	/* some of it, as labels; on a page; or what differs from a baseline's */
	bool shown =
		options_format(o) == &format_openmetrics || o->html || o->compare_options.baseline;

	return s->wanted || shown ? provenance_gather(&s->provenance, o->argv, m, time(NULL)) : 0;
}

void saving_begin_run(struct saving *s)
{
	s->last_run = s->intervals_n;
}

void saving_leave_out_run(struct saving *s)
{
	while (s->intervals_n > s->last_run)
		run_release(&s->intervals[--s->intervals_n].run);
}

int saving_keep(struct saving *s, const struct interval *interval, size_t rows_n)
{
	struct interval copy = *interval;

	if (!s->wanted || s->err < 0)
		return s->err;
	copy.run.readings = calloc(rows_n + 1, sizeof(*copy.run.readings));
	if (!copy.run.readings || array_grow(&s->intervals, s->intervals_n, &s->intervals_size,
					     sizeof(*s->intervals)) < 0) {
		free(copy.run.readings);
		s->err = -ENOMEM;
		return s->err;
	}
	memcpy(copy.run.readings, interval->run.readings, rows_n * sizeof(*copy.run.readings));
	s->intervals[s->intervals_n++] = copy;
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

int saving_write(struct saving *s, const struct result *result, struct why *why)
{
	int err = s->file ? begin(s, why) : 0;

	if (!s->file || err < 0)
		return err;
	return finish(s, write_result(result, s->output.stream), why);
}

int saving_write_comparison(struct saving *s, const struct comparison *c, struct why *why)
{
	int err = s->file ? begin(s, why) : 0;

	if (!s->file || err < 0)
		return err;
	return finish(s, write_comparison(c, s->output.stream), why);
}

void saving_release(struct saving *s)
{
	output_release(&s->output);
	provenance_release(&s->provenance);
	for (size_t i = 0; i < s->intervals_n; i++)
		run_release(&s->intervals[i].run);
	free(s->intervals);
}
