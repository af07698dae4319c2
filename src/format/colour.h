/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The colours of the tables for people: only where they say something. */
#ifndef PSTAT_FORMAT_COLOUR_H
#define PSTAT_FORMAT_COLOUR_H

struct str;

enum colour {
	COLOUR_NONE,
	COLOUR_RAISED, /* a figure beyond the limits that perf gives it */
	COLOUR_HIGH,
	COLOUR_SEVERE,
	COLOUR_ESTIMATE, /* the share of its time that a scaled count ran */
	COLOUR_MISSING, /* <not counted> */
	COLOUR_UNSUPPORTED, /* <not supported> */
	COLOUR_NAME, /* of an event that lines below it are of */
	COLOUR_BETTER, /* of two sides */
	COLOUR_WORSE,
	COLOUR_UNCLEAR,
	COLOUR_ASIDE, /* what there is to read, and no need to */
};

/* Begin and end text in that colour; nothing for COLOUR_NONE. They take no column. */
void colour_begin(struct str *out, enum colour colour);
void colour_end(struct str *out, enum colour colour);

#endif
