/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "event/attr_fields.h"
#include "event/spec.h"

#define BLANKS " \t\r\n"

/* The list, and the current position in it. */
struct reader {
	struct spec_list *list;
	const char *p;
	struct why *why;
};

bool spec_word_is(const struct spec_word *word, const char *text)
{
	return word->len == strlen(text) && memcmp(word->text, text, word->len) == 0;
}

static size_t spec_position(const struct reader *r, const char *p)
{
	return (size_t)(p - r->list->text);
}

static void spec_skip_blanks(struct reader *r)
{
	r->p += strspn(r->p, BLANKS);
}

/* The word between from and to, without trailing blanks. */
static struct spec_word spec_word_between(const struct reader *r, const char *from, const char *to)
{
	while (to > from && strchr(BLANKS, to[-1]))
		to--;
	return (struct spec_word){ .text = from,
				   .len = (size_t)(to - from),
				   .at = spec_position(r, from) };
}

/* The text of an event between from and to, which may end with '?'. */
static struct spec_word spec_event_text(const struct reader *r, struct event_spec *spec,
					const char *from, const char *to)
{
	struct spec_word text = spec_word_between(r, from, to);

	if (text.len < 2 || text.text[text.len - 1] != '?')
		return text;
	spec->optional = true;
	return spec_word_between(r, from, from + text.len - 1);
}

static int spec_add_word(struct event_spec *spec, struct spec_word word)
{
	if (array_grow(&spec->words, spec->words_n, &spec->words_size, sizeof(*spec->words)) < 0)
		return -ENOMEM;
	spec->words[spec->words_n++] = word;
	return 0;
}

/*
 * The position after the closing quote of the quoted text at p; NULL if there is no closing quote.
 */
static const char *spec_quoted_end(const char *p, const char *to)
{
	const char *end = memchr(p + 1, *p, (size_t)(to - p - 1));

	return end ? end + 1 : NULL;
}

/* The end of a term's value; NULL if a quote is not closed. */
static const char *spec_value_end(const char *p, const char *to)
{
	while (p < to && *p != ',') {
		if (*p == '\'' || *p == '"') {
			p = spec_quoted_end(p, to);
			if (!p)
				return NULL;
		} else {
			p++;
		}
	}
	return p;
}

static int spec_add_term(struct event_spec *spec, struct spec_word whole, struct why *why)
{
	const char *equals = memchr(whole.text, '=', whole.len);
	struct spec_term term = { .name = whole, .has_value = equals != NULL };

	if (equals) {
		size_t before = (size_t)(equals - whole.text);
		struct spec_word *value = &term.value;

		term.name.len = before;
		*value = (struct spec_word){ equals + 1, whole.len - before - 1,
					     whole.at + before + 1 };
		if (value->len >= 2 && strchr("'\"", value->text[0]) &&
		    value->text[value->len - 1] == value->text[0])
			*value = (struct spec_word){ value->text + 1, value->len - 2,
						     value->at + 1 };
		if (term.value.len == 0)
			return why_at(why, -EINVAL, whole.at + before + 1,
				      "a value is missing after '%.*s='", (int)before, whole.text);
	}
	if (term.name.len == 0)
		return why_at(why, -EINVAL, whole.at, "the name of a term is missing");
	if (array_grow(&spec->terms, spec->terms_n, &spec->terms_size, sizeof(*spec->terms)) < 0)
		return -ENOMEM;
	spec->terms[spec->terms_n++] = term;
	return 0;
}

int spec_parse_terms(struct event_spec *spec, const char *from, const char *to, size_t at,
		     struct why *why)
{
	const char *start = from;

	while (from < to) {
		const char *end = spec_value_end(from, to);
		size_t term_at = at + (size_t)(from - start);
		int err;

		if (!end)
			return why_at(why, -EINVAL, term_at, "a quote is not closed");
		if (end + 1 == to)
			return why_at(why, -EINVAL, at + (size_t)(end + 1 - start),
				      "a term is missing after the ','");
		err = spec_add_term(spec, (struct spec_word){ from, (size_t)(end - from), term_at },
				    why);
		if (err < 0)
			return err;
		from = end < to ? end + 1 : end;
	}
	return 0;
}

/* The end of a plain form: a separator of events, the brace of a group, or the slash of a PMU. */
static const char *spec_plain_end(const char *p)
{
	return p + strcspn(p, ",{}/");
}

bool spec_word_is_raw(const struct spec_word *word)
{
	uint64_t ignored;

	return word->len > 1 && word->text[0] == 'r' &&
	       num_parse_hex(word->text + 1, word->len - 1, &ignored) != -EINVAL;
}

static bool spec_is_number(const struct spec_word *word)
{
	uint64_t ignored;

	return num_parse(word->text, word->len, &ignored) != -EINVAL;
}

/* Set the form by the name before the slash, and add the words of the name. 0 or -ENOMEM. */
static int spec_classify_before_slash(struct event_spec *spec, struct spec_word name)
{
	const char *colon = memchr(name.text, ':', name.len);
	size_t before = colon ? (size_t)(colon - name.text) : 0;
	struct spec_word type = { name.text, before, name.at };
	struct spec_word config = { name.text + before + 1, name.len - before - 1,
				    name.at + before + 1 };

	if (colon && spec_is_number(&type) && spec_is_number(&config)) {
		spec->form = SPEC_NUMBERED;
		return spec_add_word(spec, type) < 0 ? -ENOMEM : spec_add_word(spec, config);
	}
	spec->form = spec_word_is_raw(&name) ? SPEC_RAW : SPEC_PMU;
	return spec_add_word(spec, name);
}

static int spec_read_terms(struct reader *r, struct event_spec *spec, const char *slash)
{
	const char *start = r->p;
	const char *close = slash + 1, *end = close + strlen(close);
	int err;

	if (slash == start)
		return why_at(r->why, -EINVAL, spec_position(r, start),
			      "the name of a PMU is missing before '/'");
	while (close < end && *close != '/') {
		const char *past =
			*close == '\'' || *close == '"' ? spec_quoted_end(close, end) : NULL;

		close = past ? past : close + 1;
	}
	if (close == end)
		return why_at(r->why, -EINVAL, spec_position(r, slash), "the '/' is not closed");
	err = spec_classify_before_slash(spec, spec_word_between(r, start, slash));
	if (err == 0)
		err = spec_parse_terms(spec, slash + 1, close, spec_position(r, slash + 1), r->why);
	if (err < 0)
		return err;
	end = spec_plain_end(close + 1);
	spec->text = spec_event_text(r, spec, start, end);
	spec->modifiers = spec_word_between(r, close[1] == ':' ? close + 2 : close + 1,
					    spec->text.text + spec->text.len);
	if (*end == '/')
		return why_at(r->why, -EINVAL, spec_position(r, end), "a ',' is missing here");
	r->p = end;
	return 0;
}

/* Read an event that begins with "mem:" or a kind of probe. 1; 0: it is another form; -errno. */
static int spec_read_prefixed(struct reader *r, struct event_spec *spec)
{
	static const struct {
		const char *prefix;
		enum spec_form form;
	} prefixes[] = {
		{ "mem:", SPEC_BREAKPOINT },  { "uprobe:", SPEC_PROBE },
		{ "uretprobe:", SPEC_PROBE }, { "kprobe:", SPEC_PROBE },
		{ "kretprobe:", SPEC_PROBE },
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i].prefix);
		const char *start = r->p;
		int err = 0;

		if (strncmp(start, prefixes[i].prefix, n) != 0)
			continue;
		/* it ends before an unescaped ',' or '}' */
		while (*r->p && *r->p != ',' && *r->p != '}')
			r->p += r->p[0] == '\\' && r->p[1] ? 2 : 1;
		spec->form = prefixes[i].form;
		spec->text = spec_event_text(r, spec, start, r->p);
		if (spec->form == SPEC_PROBE)
			err = spec_add_word(spec, spec_word_between(r, start, start + n - 1));
		if (err == 0)
			err = spec_add_word(spec,
					    spec_word_between(r, start + n,
							      spec->text.text + spec->text.len));
		return err < 0 ? err : 1;
	}
	return 0;
}

/* Keep the first n words of a form of fixed length. One more word may follow: the modifiers. */
static int spec_limit_words(struct event_spec *spec, enum spec_form form, size_t n, struct why *why)
{
	spec->form = form;
	if (spec->words_n > n + 1)
		return why_at(why, -EINVAL, spec->words[n + 1].at,
			      "nothing may follow the modifiers");
	if (spec->words_n == n + 1) {
		spec->modifiers = spec->words[n];
		spec->words_n = n;
		if (spec->modifiers.len == 0)
			return why_at(why, -EINVAL, spec->modifiers.at,
				      "modifiers are missing after ':'");
	}
	return 0;
}

static int spec_read_plain(struct reader *r, struct event_spec *spec, const char *end)
{
	const char *from = r->p;
	int err;

	spec->text = spec_event_text(r, spec, r->p, end);
	r->p = end;
	end = spec->text.text + spec->text.len;
	for (;;) {
		const char *colon = memchr(from, ':', (size_t)(end - from));

		err = spec_add_word(spec, spec_word_between(r, from, colon ? colon : end));
		if (err < 0)
			return err;
		if (!colon)
			break;
		from = colon + 1;
	}
	if (spec->words_n > 1 && spec->words[0].len > 0 && spec->words[1].len == 0 &&
	    memmem(spec->text.text, spec->text.len, "::", 2)) {
		spec->form = SPEC_PFM;
		spec->words[0] = spec->text;
		spec->words_n = 1;
		return 0;
	}
	if (spec_word_is_raw(&spec->words[0]))
		return spec_limit_words(spec, SPEC_RAW, 1, r->why);
	if (spec->words_n > 1 && spec_is_number(&spec->words[0]) && spec_is_number(&spec->words[1]))
		return spec_limit_words(spec, SPEC_NUMBERED, 2, r->why);
	spec->form = SPEC_NAME;
	return 0;
}

static int spec_read_event_into(struct reader *r, struct event_spec *spec)
{
	const char *end;
	int err;

	if (*r->p == '\0' || *r->p == ',' || *r->p == '}')
		return why_at(r->why, -EINVAL, spec_position(r, r->p), "an event is missing here");
	err = spec_read_prefixed(r, spec);
	if (err != 0)
		return err < 0 ? err : 0;
	end = spec_plain_end(r->p);
	if (*end == '{')
		return why_at(r->why, -EINVAL, spec_position(r, end), "groups cannot be nested");
	return *end == '/' ? spec_read_terms(r, spec, end) : spec_read_plain(r, spec, end);
}

static void spec_release(struct event_spec *spec)
{
	free(spec->words);
	free(spec->terms);
}

static int spec_read_event(struct reader *r)
{
	struct spec_list *list = r->list;
	struct event_spec spec = { 0 };
	int err;

	spec_skip_blanks(r);
	err = spec_read_event_into(r, &spec);
	if (err == 0)
		err = array_grow(&list->events, list->events_n, &list->events_size,
				 sizeof(*list->events));
	if (err < 0) {
		spec_release(&spec);
		return err;
	}
	list->events[list->events_n++] = spec;
	spec_skip_blanks(r);
	return 0;
}

static int spec_add_group(struct spec_list *list, const struct group_spec *group)
{
	if (array_grow(&list->groups, list->groups_n, &list->groups_size, sizeof(*list->groups)) <
	    0)
		return -ENOMEM;
	list->groups[list->groups_n++] = *group;
	return 0;
}

static int spec_read_group(struct reader *r, const char *brace)
{
	struct group_spec group = { .name = spec_word_between(r, r->p, brace),
				    .first = r->list->events_n,
				    .at = spec_position(r, brace),
				    .braces = true };
	int err;

	r->p = brace + 1;
	do {
		err = spec_read_event(r);
		if (err < 0)
			return err;
	} while (*r->p++ == ',');
	if (r->p[-1] != '}')
		return why_at(r->why, -EINVAL, group.at, "the '{' is not closed");
	group.n = r->list->events_n - group.first;
	spec_skip_blanks(r);
	if (*r->p == ':') {
		const char *start = r->p + 1;

		r->p += strcspn(r->p, ",{}/");
		group.modifiers = spec_word_between(r, start, r->p);
		if (group.modifiers.len == 0)
			return why_at(r->why, -EINVAL, spec_position(r, start),
				      "modifiers are missing after ':'");
		spec_skip_blanks(r);
	}
	return spec_add_group(r->list, &group);
}

int spec_parse(struct spec_list *list, const char *text, struct why *why)
{
	struct reader r = { .list = list, .why = why };
	int err = 0;

	*list = (struct spec_list){ .text = strdup(text) };
	if (!list->text)
		return -ENOMEM;
	r.p = list->text;
	for (; err == 0; r.p++) {
		struct group_spec alone = { .first = list->events_n, .n = 1 };
		const char *end;

		spec_skip_blanks(&r);
		alone.at = spec_position(&r, r.p);
		end = r.p + strcspn(r.p, ",{}/:");
		if (*end == '{')
			err = spec_read_group(&r, end);
		else
			err = spec_read_event(&r);
		if (err == 0 && *end != '{')
			err = spec_add_group(list, &alone);
		if (err < 0 || *r.p != ',')
			break;
	}
	if (err == 0 && *r.p)
		err = why_at(why, -EINVAL, spec_position(&r, r.p),
			     *r.p == '}' ? "this '}' has no matching '{'" :
					   "a ',' is missing here");
	if (err < 0)
		spec_list_release(list);
	return err;
}

void spec_list_release(struct spec_list *list)
{
	for (size_t i = 0; i < list->events_n; i++)
		spec_release(&list->events[i]);
	free(list->events);
	free(list->groups);
	free(list->text);
	*list = (struct spec_list){ 0 };
}
