/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/why.h"
#include "cli/extra_output.h"
#include "cli/page.h"
#include "cli/print.h"
#include "format/format.h"

int page_open(struct page *page, const struct options *o, struct why *why)
{
	const struct extra_output extra_output = { "--html", o->html, "page" };

	if (!o->html)
		return 0;
	page->options = o;
	if (o->save && extra_output_is_same(o->save, o->html))
		return why_set(why, -EINVAL,
			       "--save %s and --html %s are the same file: give the page one of "
			       "its own",
			       o->save, o->html);
	return extra_output_open(&page->output, &extra_output, o, why);
}

int page_write(struct page *page, const struct comparison *c, struct why *why)
{
	struct format_style style = { 0 };
	int err;

	if (!page->options)
		return 0;
	style.numbers = print_numbers_grouped(page->options);
	err = output_begin(&page->output, why);
	if (err < 0)
		return err;
	err = format_html.write_comparison(c, &style, page->output.stream);
	return err < 0 ? output_failed(&page->output, err, why) : output_finish(&page->output, why);
}

void page_release(struct page *page)
{
	output_release(&page->output);
}
