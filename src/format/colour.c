/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/str.h"
#include "format/colour.h"

/* perf's three for figures; all of the first eight, which every terminal's user has chosen to be read. */
static const char *const codes[] = {
	[COLOUR_RAISED] = "\033[33m",  [COLOUR_HIGH] = "\033[35m",
	[COLOUR_SEVERE] = "\033[31m",  [COLOUR_ESTIMATE] = "\033[33m",
	[COLOUR_MISSING] = "\033[31m", [COLOUR_UNSUPPORTED] = "\033[2m",
	[COLOUR_NAME] = "\033[1m",     [COLOUR_BETTER] = "\033[32m",
	[COLOUR_WORSE] = "\033[31m",   [COLOUR_UNCLEAR] = "\033[33m",
	[COLOUR_ASIDE] = "\033[2m",
};

void colour_begin(struct str *out, enum colour colour)
{
	if (colour != COLOUR_NONE)
		str_add(out, codes[colour]);
}

void colour_end(struct str *out, enum colour colour)
{
	if (colour != COLOUR_NONE)
		str_add(out, "\033[m");
}
