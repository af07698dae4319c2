/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format github of a comparison: annotations of a workflow's run (docs.github.com, "Workflow commands
 * for GitHub Actions"), a line for each limit: an error where it is crossed, a warning where that cannot
 * be told, else a notice. What differs and has no limit is a notice.
 */
#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/put.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/compare_gate.h"

/* Append what would end the line, or be taken for an escape, as %XX; of a property, also what would end
 * that. GitHub decodes no other escapes: U+FFFD stands for the remaining control characters. */
static void add_escaped(struct str *out, const char *text, const char *special)
{
	cleanup_str struct str clean = { 0 };

	utf8_add_visible(&clean, text);
	out->failed |= clean.failed;
	for (const char *p = str_text(&clean); *p; p++)
		if (strchr(special, *p))
			str_addf(out, "%%%02X", (unsigned char)*p);
		else if (iscntrl((unsigned char)*p))
			str_add(out, "\xef\xbf\xbd");
		else
			str_add_n(out, p, 1);
}

/* The message begins with its subject: the log shows no titles. */
static void add_annotation(struct str *out, const char *kind, const struct str *subject,
			   const struct str *message)
{
	out->failed |= subject->failed || message->failed;
	str_addf(out, "::%s title=", kind);
	add_escaped(out, "pstat: ", "%\r\n:,");
	add_escaped(out, str_text(subject), "%\r\n:,");
	str_add(out, "::");
	add_escaped(out, str_text(subject), "%\r\n");
	str_add(out, " ");
	add_escaped(out, str_text(message), "%\r\n");
	str_add(out, "\n");
}

static const char *kind_of(const struct gate *gate)
{
	switch (gate->evidence.outcome) {
	case GATE_CROSSED:
		return "error";
	case GATE_KEPT:
		return "notice";
	case GATE_UNCLEAR:
		break;
	}
	return "warning";
}

static bool is_gated(const struct comparison *c, const struct compared_row *row)
{
	for (size_t i = 0; i < c->gates_n; i++)
		if (c->gates[i].row == row)
			return true;
	return false;
}

static void add_contrast(struct str *out, const struct comparison *c,
			 const struct compared_row *row, size_t side, const struct text_style *text)
{
	const struct row_style style = row_style_of(row, c->input.sides_n, text);
	enum word word = comparison_word(row, side);
	cleanup_str struct str subject = { 0 }, message = { 0 }, interval = { 0 };

	if (word != WORD_BETTER && word != WORD_WORSE)
		return;
	if (c->input.sides_n > 2)
		str_addf(&subject, "%s: ", c->input.sides[side].name);
	text_add_name(&subject, row);
	text_add_change(&message, &style, &row->contrasts[side]);
	text_add_interval(&interval, &style, &row->contrasts[side]);
	if (interval.len)
		str_addf(&message, " %s", str_text(&interval));
	str_addf(&message, " %s", comparison_word_text(word));
	message.failed |= interval.failed;
	add_annotation(out, "notice", &subject, &message);
}

static int github_write(const struct comparison *c, const struct comparison_style *style, FILE *out)
{
	const struct text_style plain = { .numbers = &style->report.numbers };
	cleanup_str struct str text = { 0 };

	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t side = 1; !is_gated(c, &c->rows[i]) && side < c->input.sides_n; side++)
			add_contrast(&text, c, &c->rows[i], side, &plain);
	for (size_t i = 0; i < c->gates_n; i++) {
		cleanup_str struct str subject = { 0 }, message = { 0 };

		gate_add_subject(&subject, c, &c->gates[i]);
		gate_add_outcome(&message, &c->gates[i], &plain);
		add_annotation(&text, kind_of(&c->gates[i]), &subject, &message);
	}
	if (text.len == 0 && !text.failed)
		str_add(&text, "::notice title=pstat::no difference was found\n");
	return put_text(&text, out);
}

const struct comparison_format comparison_github = { .name = "github", .write = github_write };
