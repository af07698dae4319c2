/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar of -e. Whatever the text, spec_parse() returns a tree whose words are parts of the
 * text and whose groups cover all events, or reports a mistake at a position in the text.
 */
#include "base/cleanup.h"
#include "base/why.h"
#include "event/modifiers.h"
#include "event/spec.h"
#include "fuzz.h"

static void check_word(const struct spec_list *list, const struct spec_word *word)
{
	size_t size = strlen(list->text);

	if (!word->text)
		return;
	CHECK(word->text >= list->text && word->at + word->len <= size);
	CHECK(word->text == list->text + word->at);
}

static void check_event(const struct spec_list *list, const struct event_spec *event)
{
	cleanup_why struct why why = { 0 };
	struct modifiers modifiers;

	CHECK(event->text.len > 0 && event->words_n > 0);
	check_word(list, &event->text);
	check_word(list, &event->modifiers);
	for (size_t i = 0; i < event->words_n; i++)
		check_word(list, &event->words[i]);
	for (size_t i = 0; i < event->terms_n; i++) {
		check_word(list, &event->terms[i].name);
		check_word(list, &event->terms[i].value);
	}
	if (modifiers_parse(&event->modifiers, &modifiers, &why) < 0)
		CHECK(why.text && why.has_position && why.position <= strlen(list->text));
}

static void check_groups(const struct spec_list *list)
{
	size_t next = 0;

	for (size_t i = 0; i < list->groups_n; i++) {
		CHECK(list->groups[i].first == next && list->groups[i].n > 0);
		next += list->groups[i].n;
		check_word(list, &list->groups[i].name);
		check_word(list, &list->groups[i].modifiers);
	}
	CHECK(next == list->events_n);
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *text = fuzz_text(data, size);
	cleanup_with(spec_list_release) struct spec_list list = { 0 };
	cleanup_why struct why why = { 0 };

	if (spec_parse(&list, text, &why) < 0) {
		CHECK(why.text && why.has_position && why.position <= strlen(text));
		CHECK(list.events_n == 0 && list.groups_n == 0);
		return;
	}
	for (size_t i = 0; i < list.events_n; i++)
		check_event(&list, &list.events[i]);
	check_groups(&list);
}
