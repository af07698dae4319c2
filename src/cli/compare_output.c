/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/compare_output.h"
#include "cli/message.h"
#include "format/format.h"
#include "result/comparison.h"

int page_open(struct page *page, const struct options *o, struct why *why)
{
	const struct extra_file file = { "--html", o->html, "page" };

	if (!o->html)
		return 0;
	page->options = o;
	if (o->save && saving_is_same(o->save, o->html))
		return why_set(why, -EINVAL,
			       "--save %s and --html %s are the same file: give the page one of "
			       "its own",
			       o->save, o->html);
	return saving_open_extra(&page->output, &file, o, why);
}

void page_release(struct page *page)
{
	output_release(&page->output);
}

static int print(const struct compare_output *output, const struct comparison *c, struct why *why)
{
	int err = output->options->quiet ? 0 : printing_comparison(output->printing, c, why);

	return err < 0 ? err : printing_end(output->printing, why);
}

static void save(struct saving *saving, const struct comparison *c)
{
	cleanup_why struct why why = { 0 };

	saving->err = saving_write_comparison(saving, c, &why);
	if (saving->err < 0)
		message_of_loss(why_text(&why, saving->err));
}

static int print_page(struct page *page, const struct comparison *c, struct why *why)
{
	const struct format_style style = { .numbers = print_numbers_grouped(page->options) };
	int err = output_begin(&page->output, why);

	if (err < 0)
		return err;
	err = format_html.write_comparison(c, &style, page->output.stream);
	return err < 0 ? output_failed(&page->output, err, why) : output_finish(&page->output, why);
}

static void write_page(struct page *page, const struct comparison *c)
{
	cleanup_why struct why why = { 0 };

	page->err = page->options ? print_page(page, c, &why) : 0;
	if (page->err < 0)
		message_of_loss(why_text(&why, page->err));
}

int compare_output_write(const struct compare_output *output, const struct comparison *c,
			 struct why *why)
{
	int err = print(output, c, why);

	save(output->saving, c);
	write_page(output->page, c);
	return err;
}

int compare_output_status(const struct compare_output *output, enum gate_outcome outcome)
{
	if (output->saving->err < 0 || output->page->err < 0)
		return STATUS_PSTAT;
	switch (outcome) {
	case GATE_KEPT:
		return 0;
	case GATE_CROSSED:
		return 1;
	case GATE_UNCLEAR:
		break;
	}
	return 2;
}
