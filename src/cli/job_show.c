/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --show: print saved documents again. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/jobs.h"
#include "cli/loading.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/special.h"
#include "cli/tell.h"

struct showing {
	const struct options *options;
	struct printing printing;
	struct loading loading;
	struct special special; /* for comparisons */
};

static void showing_release(struct showing *s)
{
	loading_release(&s->loading);
	output_release(&s->printing.output);
}

static int show_block(struct showing *s, const struct document *document, size_t i,
		      struct telling *telling, struct why *why)
{
	const struct report_input input = document_block_input(document, i);
	cleanup_with(report_release) struct report report = { 0 };
	int err = report_build(&report, &input);

	if (err == 0)
		err = printing_block(&s->printing, &report, why);
	if (err == 0)
		tell_gaps(telling, &report);
	return err;
}

/* Behind the blocks of -I only where it was asked for, then or now. */
static bool wants_result(const struct showing *s, const struct report_input *input)
{
	return !s->printing.streams || input->summary_asked || s->options->summary;
}

/* All, or where each takes the place of the one before the last, unless the result does. */
static int show_blocks(struct showing *s, const struct document *document, struct telling *telling,
		       struct why *why)
{
	bool replaced = s->printing.format->blocks == BLOCKS_REPLACED;
	size_t n = document->settings.blocks_n;
	int err = 0;

	if (replaced && wants_result(s, &document->settings))
		return 0;
	for (size_t i = replaced && n > 0 ? n - 1 : 0; err == 0 && i < n; i++)
		err = show_block(s, document, i, telling, why);
	return err;
}

static int show_result(struct showing *s, const struct report_input *input, struct telling *telling,
		       struct why *why)
{
	cleanup_with(report_release) struct report report = { 0 };
	int err = report_build(&report, input);

	if (err < 0)
		return err;
	tell_gaps(telling, &report);
	return wants_result(s, input) ? printing_result(&s->printing, &report, why) : 0;
}

static int show_document(struct showing *s, const struct document *document, struct why *why)
{
	const struct report_input input = document_input(document);
	cleanup_with(telling_release) struct telling telling = { 0 };
	int err = telling_init(&telling, s->options, input.events, input.openings);

	if (err < 0)
		return err;
	tell_reasons(&telling);
	s->printing.streams = input.interval_ms != 0 && s->printing.format->blocks != BLOCKS_INSIDE;
	err = printing_begin(&s->printing, input.started, why);
	if (err == 0)
		err = show_blocks(s, document, &telling, why);
	return err < 0 ? err : show_result(s, &input, &telling, why);
}

static int show_comparison(struct showing *s, const struct saved *saved, struct why *why)
{
	cleanup_with(comparison_release) struct comparison comparison = { 0 };
	cleanup_with(telling_release) struct telling telling = { 0 };
	struct comparison_input input = saved_comparison(saved);
	int err;

	input.special = &s->special;
	err = comparison_build(&comparison, &input, why);
	if (err == 0)
		err = telling_init(&telling, s->options, input.sides[0].input.events,
				   input.sides[0].input.openings);
	if (err < 0)
		return err;
	tell_reasons(&telling);
	tell_gaps_of_sides(s->options, &comparison);
	return printing_comparison(&s->printing, &comparison, why);
}

static int show_all(struct showing *s, struct why *why)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < s->loading.n; i++) {
		const struct saved *saved = &s->loading.v[i];

		err = saved->is_comparison ? show_comparison(s, saved, why) :
					     show_document(s, saved->documents, why);
	}
	return err < 0 ? err : printing_end(&s->printing, why);
}

/* One kind has other formats, and columns, than the other. 0; -EINVAL after a message. */
static int check_kinds(const struct loading *loading)
{
	for (size_t i = 1; i < loading->n; i++) {
		bool first = loading->v[0].is_comparison;

		if (loading->v[i].is_comparison == first)
			continue;
		message("--show: %s is a comparison, and %s is none: show them one after the other",
			loading->paths[first ? 0 : i], loading->paths[first ? i : 0]);
		return -EINVAL;
	}
	return 0;
}

static int open_printing(struct showing *s, struct why *why)
{
	if (!s->loading.v[0].is_comparison)
		return printing_open(&s->printing, s->options, false, why);
	if (special_load(&s->special, why) < 0)
		return -ELIBACC;
	return printing_open_comparison(&s->printing, s->options, why);
}

int job_show(const struct options *o)
{
	cleanup_with(showing_release) struct showing s = { .options = o, .printing.output.fd = -1 };
	cleanup_why struct why why = { 0 };
	int err;

	if (loading_all(&s.loading, "--show", o->argv) < 0 || check_kinds(&s.loading) < 0 ||
	    options_check_kind(o, s.loading.v[0].is_comparison) < 0)
		return STATUS_PSTAT;
	err = open_printing(&s, &why);
	if (err == 0)
		err = show_all(&s, &why);
	if (err < 0)
		message_of_loss(why_text(&why, err));
	return err < 0 ? STATUS_PSTAT : 0;
}
