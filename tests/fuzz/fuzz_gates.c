/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments of --fail-if and --min-effect. Whatever the text, option_gate_parse() and
 * option_effect_parse() return a name and a finite limit, or report a mistake at a position in the
 * text.
 */
#include <errno.h>
#include <math.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "fuzz.h"
#include "options/option_table.c" /* for its static functions */

static void check_refusal(int err, const struct why *why, const char *text)
{
	CHECK(err == -EINVAL && why->text && why->has_position && why->position <= strlen(text));
}

static void check_gate(const char *text)
{
	cleanup_why struct why why = { 0 };
	struct gate_request gate;
	int err = option_gate_parse(&gate, text, &why);

	if (err < 0) {
		check_refusal(err, &why, text);
		return;
	}
	CHECK(gate.text == text && gate.name[0] && strstr(text, gate.name));
	CHECK(isfinite(gate.limit.value) &&
	      (gate.above ? gate.limit.value >= 0 : gate.limit.value <= 0));
	CHECK(!gate.relative || gate.limit.value > -1);
	free(gate.name);
}

static void check_effect(const char *text)
{
	cleanup_why struct why why = { 0 };
	cleanup_free char *name = NULL;
	double minimum = -1;
	int err = option_effect_parse(&name, &minimum, text, &why);

	if (err < 0) {
		check_refusal(err, &why, text);
		return;
	}
	CHECK(isfinite(minimum) && minimum >= 0);
	CHECK(!name || (name[0] && strstr(text, name)));
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *text = fuzz_text(data, size);

	check_gate(text);
	check_effect(text);
}
