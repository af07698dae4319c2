/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format json: the document that --save writes, too. */
#include "document/write.h"
#include "format/format.h"

static int json_result(const struct result *result, const struct format_style *style, FILE *out)
{
	(void)style;
	return write_result(result, out);
}

static int json_comparison(const struct comparison *c, const struct format_style *style, FILE *out)
{
	(void)style;
	return write_comparison(c, out);
}

const struct format format_json = {
	.name = "json",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_NEVER,
	.intervals = INTERVALS_INSIDE,
	.appendable = APPENDABLE_NEVER,
	.locale = LOCALE_C,
	.write_result = json_result,
	.write_comparison = json_comparison,
};
