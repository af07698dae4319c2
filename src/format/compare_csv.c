/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format csv and csv-summary of a comparison: the lines of all sides, each with its side's name. */
#include "result/comparison.h"

static int write_sides(const struct comparison *c, const struct comparison_style *style,
		       const struct result_format *format, FILE *out)
{
	struct result_style of_side = style->result;
	int err = 0;

	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++) {
		of_side.side = c->input.sides[i].name;
		err = format->write(&c->results[i], &of_side, out);
		of_side.header = false;
	}
	return err;
}

static int csv_write(const struct comparison *c, const struct comparison_style *style, FILE *out)
{
	return write_sides(c, style, &result_csv, out);
}

static int csv_summary_write(const struct comparison *c, const struct comparison_style *style,
			     FILE *out)
{
	return write_sides(c, style, &result_csv_summary, out);
}

const struct comparison_format comparison_csv = { .name = "csv",
						  .continuous = true,
						  .write = csv_write };

const struct comparison_format comparison_csv_summary = { .name = "csv-summary",
							  .continuous = true,
							  .write = csv_summary_write };
