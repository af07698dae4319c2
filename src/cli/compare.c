/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "cli/compare.h"
#include "cli/notes.h"
#include "result/provenance.h"

/* Print one difference. noted: what was printed already, and of which measurement. */
static int print_difference(const struct options *o, const struct comparison *c, size_t side,
			    size_t of, const struct difference *it, struct str_list *noted)
{
	const struct side_input *sides = c->input.sides;
	cleanup_str struct str what = { 0 }, mark = { 0 };

	str_addf(&what, "differ in %s: %s and %s", it->what, it->reference, it->other);
	str_addf(&mark, "%zu %s", of, str_text(&what));
	if (what.failed || mark.failed)
		return -ENOMEM;
	if (str_list_has(noted, str_text(&mark)))
		return 0;
	note_print(o, "%s and %s %s", sides[0].name, sides[side].name, str_text(&what));
	return str_list_add(noted, str_text(&mark));
}

int compare_print_differences(const struct options *o, const struct comparison *c, const size_t *of)
{
	cleanup_str_list struct str_list noted = { 0 };
	int err = 0;

	for (size_t side = 1; err == 0 && side < c->input.sides_n; side++) {
		cleanup_with(provenance_release_differences) struct differences list = { 0 };

		if (of[side] == of[0])
			continue;
		err = provenance_compare(&list, &c->results[0], &c->results[side]);
		for (size_t i = 0; err == 0 && i < list.n; i++)
			err = print_difference(o, c, side, of[side], &list.v[i], &noted);
	}
	return err;
}

int compare_write(struct printing *printing, struct saving *saving, const struct comparison *c,
		  struct why *why)
{
	int err = saving->options->quiet ? 0 : printing_comparison(printing, c, why);

	if (err == 0)
		err = printing_end(printing, why);
	saving_write_comparison(saving, c);
	return err;
}

int compare_status(const struct saving *saving, enum gate_outcome outcome)
{
	if (saving->err < 0)
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
