/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "options/words.h"

#define BLANKS " \t"
#define SPECIAL "|&;<>()$`*?\n"

/* The text, the current position in it, and the word at that position. */
struct splitter {
	const char *text, *p;
	struct str_list *words;
	struct why *why;
	struct str word;
	const char *start; /* of the word; NULL: between words */
	bool quoted; /* a part of the word is quoted, or follows a backslash */
};

static int words_refuse(const struct splitter *s, const char *p, const char *what)
{
	return why_at(s->why, -EINVAL, (size_t)(p - s->text), "%s", what);
}

/* Refuse a character that has a special meaning in a shell. */
static int refuse_special(const struct splitter *s)
{
	static const char hint[] = "no shell is run; quote it, or write sh -c '...'";
	size_t at = (size_t)(s->p - s->text);

	if (*s->p == '\n')
		return why_at(s->why, -EINVAL, at, "a newline is shell syntax, but %s", hint);
	return why_at(s->why, -EINVAL, at, "'%c' is shell syntax, but %s", *s->p, hint);
}

static void begin_word(struct splitter *s)
{
	if (!s->start)
		s->start = s->p;
}

static int read_single_quotes(struct splitter *s)
{
	const char *close = strchr(s->p + 1, '\'');

	if (!close)
		return words_refuse(s, s->p, "the ' is not closed");
	begin_word(s);
	s->quoted = true;
	str_add_n(&s->word, s->p + 1, (size_t)(close - s->p - 1));
	s->p = close + 1;
	return 0;
}

/* Between double quotes, a backslash only quotes a character that is special there. */
static void read_backslash_in_quotes(struct splitter *s)
{
	char next = s->p[1];

	if (next == '\n') {
		s->p += 2;
	} else if (next && strchr("$`\"\\", next)) {
		str_add_n(&s->word, &next, 1);
		s->p += 2;
	} else {
		str_add_n(&s->word, s->p++, 1);
	}
}

static int read_double_quotes(struct splitter *s)
{
	const char *open = s->p;

	begin_word(s);
	s->quoted = true;
	s->p++;
	while (*s->p != '"') {
		size_t n = strcspn(s->p, "\"\\$`");

		str_add_n(&s->word, s->p, n);
		s->p += n;
		if (*s->p == '\0')
			return words_refuse(s, open, "the \" is not closed");
		if (*s->p == '$' || *s->p == '`')
			return refuse_special(s);
		if (*s->p == '\\')
			read_backslash_in_quotes(s);
	}
	s->p++;
	return 0;
}

static int read_backslash(struct splitter *s)
{
	if (s->p[1] == '\0')
		return words_refuse(s, s->p, "nothing follows the '\\'");
	if (s->p[1] != '\n') {
		begin_word(s);
		s->quoted = true;
		str_add_n(&s->word, s->p + 1, 1);
	}
	s->p += 2;
	return 0;
}

/* Whether a shell would accept an assignment or a reserved word here. */
static bool is_first(const struct splitter *s)
{
	return s->words->n == 0 && !s->quoted;
}

/* Whether the word so far is a valid NAME of an assignment. */
static bool is_name(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
				      "0123456789";

	if (text[0] == '\0' || (text[0] >= '0' && text[0] <= '9'))
		return false;
	return text[strspn(text, letters)] == '\0';
}

static int read_letter(struct splitter *s)
{
	char c = *s->p;
	/* a '[' that is a whole word is a command, not the start of a pattern */
	bool is_command = c == '[' && !s->start && (s->p[1] == '\0' || strchr(BLANKS, s->p[1]));

	if (strchr(SPECIAL, c) || (c == '[' && !is_command) ||
	    (!s->start && (c == '#' || c == '~')))
		return refuse_special(s);
	if (c == '=' && is_first(s) && is_name(str_text(&s->word)))
		return why_at(s->why, -EINVAL, (size_t)(s->start - s->text),
			      "no shell is run to set '%s'; write env %s=... COMMAND", s->word.text,
			      s->word.text);
	begin_word(s);
	str_add_n(&s->word, s->p++, 1);
	return 0;
}

/* The reserved words that do not start a program in a shell. */
static bool is_word_of_shell(const char *word)
{
	static const char *const reserved[] = { "!",	"{",	"}",	 "case", "do",	 "done",
						"elif", "else", "fi",	 "for",	 "esac", "if",
						"in",	"then", "until", "while" };

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (strcmp(word, reserved[i]) == 0)
			return true;
	return false;
}

static int end_word(struct splitter *s)
{
	int err;

	if (s->word.failed)
		return -ENOMEM;
	if (!s->start)
		return 0;
	if (is_first(s) && is_word_of_shell(str_text(&s->word)))
		return why_at(s->why, -EINVAL, (size_t)(s->start - s->text),
			      "'%s' is shell syntax, but no shell is run; write sh -c '...'",
			      s->word.text);
	err = str_list_add(s->words, str_text(&s->word));
	s->word.len = 0;
	if (s->word.text)
		s->word.text[0] = '\0';
	s->start = NULL;
	s->quoted = false;
	return err;
}

static int read_next(struct splitter *s)
{
	switch (*s->p) {
	case ' ':
	case '\t':
		s->p += strspn(s->p, BLANKS);
		return end_word(s);
	case '\'':
		return read_single_quotes(s);
	case '"':
		return read_double_quotes(s);
	case '\\':
		return read_backslash(s);
	default:
		return read_letter(s);
	}
}

int words_end(struct str_list *words)
{
	if (array_grow(&words->v, words->n, &words->size, sizeof(*words->v)) < 0)
		return -ENOMEM;
	words->v[words->n] = NULL;
	return 0;
}

static int read_words(struct splitter *s)
{
	int err = 0;

	while (err == 0 && *s->p)
		err = read_next(s);
	if (err == 0)
		err = end_word(s);
	if (err < 0)
		return err;
	return s->words->n > 0 ? words_end(s->words) :
				 words_refuse(s, s->p, "a command is missing here");
}

int words_split(const char *text, struct str_list *words, struct why *why)
{
	struct splitter s = { .text = text, .p = text, .words = words, .why = why };
	int err;

	*words = (struct str_list){ 0 };
	err = read_words(&s);
	str_release(&s.word);
	if (err < 0)
		str_list_release(words);
	return err;
}
