/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format github of a comparison: annotations of a workflow run (docs.github.com, "Workflow
 * commands for GitHub Actions"). Each gate gets a line: an error if it is crossed, a warning if it
 * is unclear, otherwise a notice. A difference without a gate is a notice. */
#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/format.h"
#include "format/terminal/compare_text.h"
#include "result/suite.h"

/* Append text with the given characters as %XX: those that would end the line or be an escape, and
 * in a property those that would end the property. GitHub decodes no other escapes, so U+FFFD
 * stands for the other control characters. */
static void github_add_escaped(struct str *out, const char *text, const char *special)
{
	cleanup_str struct str clean = { 0 };

	str_add_utf8_visible(&clean, text);
	out->failed |= clean.failed;
	for (const char *p = str_text(&clean); *p; p++)
		if (strchr(special, *p))
			str_addf(out, "%%%02X", (unsigned char)*p);
		else if (iscntrl((unsigned char)*p))
			str_add(out, "\xef\xbf\xbd");
		else
			str_add_n(out, p, 1);
}

/* The message repeats the subject, because the log does not show titles. */
static void github_add_annotation(struct str *out, const char *kind, const struct str *subject,
				  const struct str *message)
{
	out->failed |= subject->failed || message->failed;
	str_addf(out, "::%s title=", kind);
	github_add_escaped(out, "pstat: ", "%\r\n:,");
	github_add_escaped(out, str_text(subject), "%\r\n:,");
	str_add(out, "::");
	github_add_escaped(out, str_text(subject), "%\r\n");
	str_add(out, " ");
	github_add_escaped(out, str_text(message), "%\r\n");
	str_add(out, "\n");
}

static void github_add_contrast(struct str *out, const struct comparison *c,
				const struct comparison_row *row, size_t side,
				const struct text_style *text)
{
	const struct row_style style = text_row_style_of(row, c->input.sides_n, text);
	enum verdict word = comparison_verdict(row, side);
	cleanup_str struct str subject = { 0 }, message = { 0 };

	if (word != VERDICT_BETTER && word != VERDICT_WORSE)
		return;
	if (c->input.sides_n > 2)
		str_addf(&subject, "%s: ", c->input.sides[side].name);
	text_add_name(&subject, row);
	text_add_contrast(&message, &style, &row->contrasts[side]);
	str_addf(&message, " %s", comparison_verdict_text(word));
	github_add_annotation(out, "notice", &subject, &message);
}

static int github_write(const struct suite *suite, const struct format_style *style, FILE *out)
{
	const struct comparison *c = suite->cases;
	const struct text_style plain = { .numbers = &style->numbers };
	cleanup_str struct str text = { 0 };
	size_t before;

	for (size_t i = 0; i < c->input.different_work.n; i++) {
		cleanup_str struct str subject = { 0 }, message = { 0 };

		str_add(&subject, "different work:");
		str_add(&message, c->input.different_work.v[i]);
		github_add_annotation(&text, "warning", &subject, &message);
	}
	before = text.len;
	for (size_t i = 0; i < c->rows_n; i++) {
		bool gated = false;

		for (size_t gate = 0; gate < c->gates_n; gate++)
			gated |= c->gates[gate].row == &c->rows[i];
		for (size_t side = 1; !gated && side < c->input.sides_n; side++)
			github_add_contrast(&text, c, &c->rows[i], side, &plain);
	}
	for (size_t i = 0; i < c->gates_n; i++) {
		static const char *const kinds[] = {
			[GATE_CROSSED] = "error",
			[GATE_KEPT] = "notice",
			[GATE_UNCLEAR] = "warning",
		};
		cleanup_str struct str subject = { 0 }, message = { 0 };

		text_gate_add_subject(&subject, c, &c->gates[i]);
		text_gate_add_outcome(&message, &c->gates[i], &plain);
		github_add_annotation(&text, kinds[c->gates[i].evidence.outcome], &subject,
				      &message);
	}
	if (text.len == before && !text.failed)
		str_add(&text, "::notice title=pstat::no difference was found\n");
	return str_print(&text, out);
}

const struct format format_github = {
	.name = "github",
	.audience = AUDIENCE_READERS,
	.notes = NOTES_LINES,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_TEXT,
	.locale = LOCALE_GROUPED,
	.write_comparison = github_write,
};
