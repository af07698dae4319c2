/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments of -c, --pre and similar options. Whatever the text, sides_words_split() returns
 * words, or reports a mistake at a position in the text. The words, each in single quotes, are
 * split into the same words again.
 */
#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "fuzz.h"
#include "job/sides.c" /* for its static functions */

static void add_quoted(struct str *out, const char *word)
{
	str_add(out, out->len ? " '" : "'");
	for (; *word; word++) {
		if (*word == '\'')
			str_add(out, "'\\''");
		else
			str_add_n(out, word, 1);
	}
	str_add(out, "'");
}

static void check_again(const struct str_list *words)
{
	cleanup_str_list struct str_list again = { 0 };
	cleanup_why struct why why = { 0 };
	cleanup_str struct str text = { 0 };

	for (size_t i = 0; i < words->n; i++)
		add_quoted(&text, words->v[i]);
	CHECK(sides_words_split(str_text(&text), &again, &why) == 0);
	CHECK(again.n == words->n);
	for (size_t i = 0; i < words->n; i++)
		CHECK(strcmp(again.v[i], words->v[i]) == 0);
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *text = fuzz_text(data, size);
	cleanup_str_list struct str_list words = { 0 };
	cleanup_why struct why why = { 0 };
	size_t bytes = 0;

	if (sides_words_split(text, &words, &why) < 0) {
		CHECK(why.text && why.has_position && why.position <= strlen(text));
		CHECK(words.n == 0 && !words.v);
		return;
	}
	CHECK(words.n > 0 && !words.v[words.n]);
	for (size_t i = 0; i < words.n; i++)
		bytes += strlen(words.v[i]);
	CHECK(bytes + words.n - 1 <= strlen(text));
	check_again(&words);
}
