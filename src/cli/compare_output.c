/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/why.h"
#include "cli/compare_output.h"
#include "cli/message.h"

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

static void write_page(struct page *page, const struct comparison *c)
{
	cleanup_why struct why why = { 0 };

	page->err = page_write(page, c, &why);
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
