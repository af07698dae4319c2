/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/run_times.h"

enum {
	TIME_WIDTH = 18,
	PERCENT_OF_BAR = 5, /* so far from the mean is one more '#' */
	BARS_MAX = 60,
};

/* Blanks before a time, and how many there are. */
static int add_time(struct str *text, uint64_t ns, int decimals, const struct num_style *numbers)
{
	cleanup_str struct str number = { 0 };
	int width;

	num_add(&number, ns / 1e9L, decimals, numbers);
	width = TIME_WIDTH - (int)number.len;
	width = width > 0 ? width : 0;
	text->failed |= number.failed;
	str_addf(text, "%*s%s", width, "", str_text(&number));
	return width;
}

static void add_run(struct str *text, const struct result_time *time, int decimals,
		    const struct num_style *numbers)
{
	double more = fabs(time->over_percent) / PERCENT_OF_BAR;
	int bars = 1 + (more < BARS_MAX ? (int)more : BARS_MAX);

	add_time(text, time->elapsed_ns, decimals, numbers);
	str_addf(text, " (%c", time->over_ns < 0 ? '-' : '+');
	num_add(text, fabs(time->over_ns) / 1e9, decimals, numbers);
	str_add(text, ") ");
	for (; bars > 0; bars--)
		str_add(text, "#");
	str_add(text, "\n");
}

int run_times_write(const struct result *result, int decimals, const struct num_style *numbers,
		    FILE *out)
{
	struct num_style style = *numbers;
	cleanup_str struct str text = { 0 };
	int indent;

	style.thousands[0] = '\0';
	indent = add_time(&text, (uint64_t)result->elapsed_ns.mean, decimals, &style);
	text.len = 0;
	str_addf(&text, "%*s# Table of individual measurements:\n", indent, "");
	for (size_t i = 0; i < result->input.runs_n; i++)
		add_run(&text, &result->times[i], decimals, &style);
	str_addf(&text, "\n%*s# Final result:\n", indent, "");
	return str_print(&text, out);
}
