/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "job/sides.h"

/* ---- Words. */

/*
 * Split a command line into words as sh does (POSIX.1-2017, Shell Command Language, 2.2 and 2.3):
 * blanks, both kinds of quotes, and the backslash. No shell runs and nothing is expanded.
 * Everything else that is special to a shell is refused, because passing it on unchanged would
 * surprise:
 *
 * - unquoted | & ; < > ( ) $ ` * ? [ and newline; but a word that is just '[' is a command
 * - # and ~ at the start of a word
 * - $ and ` between double quotes
 * - NAME=… or a reserved word of the shell as the first word
 */

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

static int sides_words_refuse(const struct splitter *s, const char *p, const char *what)
{
	return why_at(s->why, -EINVAL, (size_t)(p - s->text), "%s", what);
}

/* Refuse a character that has a special meaning in a shell. */
static int sides_refuse_special(const struct splitter *s)
{
	static const char hint[] = "no shell is run; quote it, or write sh -c '...'";
	size_t at = (size_t)(s->p - s->text);

	if (*s->p == '\n')
		return why_at(s->why, -EINVAL, at, "a newline is shell syntax, but %s", hint);
	return why_at(s->why, -EINVAL, at, "'%c' is shell syntax, but %s", *s->p, hint);
}

static void sides_begin_word(struct splitter *s)
{
	if (!s->start)
		s->start = s->p;
}

static int sides_read_single_quotes(struct splitter *s)
{
	const char *close = strchr(s->p + 1, '\'');

	if (!close)
		return sides_words_refuse(s, s->p, "the ' is not closed");
	sides_begin_word(s);
	s->quoted = true;
	str_add_n(&s->word, s->p + 1, (size_t)(close - s->p - 1));
	s->p = close + 1;
	return 0;
}

/* Between double quotes, a backslash only quotes a character that is special there. */
static void sides_read_backslash_in_quotes(struct splitter *s)
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

static int sides_read_double_quotes(struct splitter *s)
{
	const char *open = s->p;

	sides_begin_word(s);
	s->quoted = true;
	s->p++;
	while (*s->p != '"') {
		size_t n = strcspn(s->p, "\"\\$`");

		str_add_n(&s->word, s->p, n);
		s->p += n;
		if (*s->p == '\0')
			return sides_words_refuse(s, open, "the \" is not closed");
		if (*s->p == '$' || *s->p == '`')
			return sides_refuse_special(s);
		if (*s->p == '\\')
			sides_read_backslash_in_quotes(s);
	}
	s->p++;
	return 0;
}

static int sides_read_backslash(struct splitter *s)
{
	if (s->p[1] == '\0')
		return sides_words_refuse(s, s->p, "nothing follows the '\\'");
	if (s->p[1] != '\n') {
		sides_begin_word(s);
		s->quoted = true;
		str_add_n(&s->word, s->p + 1, 1);
	}
	s->p += 2;
	return 0;
}

/* Whether a shell would accept an assignment or a reserved word here. */
static bool sides_is_first_word(const struct splitter *s)
{
	return s->words->n == 0 && !s->quoted;
}

/* Whether the word so far is a valid NAME of an assignment. */
static bool sides_is_variable_name(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
				      "0123456789";

	if (text[0] == '\0' || (text[0] >= '0' && text[0] <= '9'))
		return false;
	return text[strspn(text, letters)] == '\0';
}

static int sides_read_letter(struct splitter *s)
{
	char c = *s->p;
	/* a '[' that is a whole word is a command, not the start of a pattern */
	bool is_command = c == '[' && !s->start && (s->p[1] == '\0' || strchr(BLANKS, s->p[1]));

	if (strchr(SPECIAL, c) || (c == '[' && !is_command) ||
	    (!s->start && (c == '#' || c == '~')))
		return sides_refuse_special(s);
	if (c == '=' && sides_is_first_word(s) && sides_is_variable_name(str_text(&s->word)))
		return why_at(s->why, -EINVAL, (size_t)(s->start - s->text),
			      "no shell is run to set '%s'; write env %s=... COMMAND", s->word.text,
			      s->word.text);
	sides_begin_word(s);
	str_add_n(&s->word, s->p++, 1);
	return 0;
}

/* The reserved words that do not start a program in a shell. */
static bool sides_is_word_of_shell(const char *word)
{
	static const char *const reserved[] = { "!",	"{",	"}",	 "case", "do",	 "done",
						"elif", "else", "fi",	 "for",	 "esac", "if",
						"in",	"then", "until", "while" };

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (strcmp(word, reserved[i]) == 0)
			return true;
	return false;
}

static int sides_end_word(struct splitter *s)
{
	int err;

	if (s->word.failed)
		return -ENOMEM;
	if (!s->start)
		return 0;
	if (sides_is_first_word(s) && sides_is_word_of_shell(str_text(&s->word)))
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

/* End the list with a NULL that is not counted, as an argv. 0 or -ENOMEM. */
static int sides_words_end(struct str_list *words)
{
	if (array_grow(&words->v, words->n, &words->size, sizeof(*words->v)) < 0)
		return -ENOMEM;
	words->v[words->n] = NULL;
	return 0;
}

/*
 * Split text into one or more words. The previous content of words is not released. A NULL that is
 * not counted follows the last word, so that words->v can be an argv. 0; -EINVAL with why and the
 * position; -ENOMEM. On failure words is empty.
 */
static int sides_words_split(const char *text, struct str_list *words, struct why *why)
{
	struct splitter s = { .text = text, .p = text, .words = words, .why = why };
	int err = 0;

	*words = (struct str_list){ 0 };
	while (err == 0 && *s.p) {
		size_t blanks = strspn(s.p, BLANKS);

		s.p += blanks;
		if (blanks > 0)
			err = sides_end_word(&s);
		else if (*s.p == '\'')
			err = sides_read_single_quotes(&s);
		else if (*s.p == '"')
			err = sides_read_double_quotes(&s);
		else
			err = *s.p == '\\' ? sides_read_backslash(&s) : sides_read_letter(&s);
	}
	if (err == 0)
		err = sides_end_word(&s);
	if (err == 0)
		err = words->n > 0 ? sides_words_end(words) :
				     sides_words_refuse(&s, s.p, "a command is missing here");
	str_release(&s.word);
	if (err < 0)
		str_list_release(words);
	return err;
}

/* ---- Parameters. */

/*
 * The lists of -L, which give a parameter several values, and texts with {NAME} in them:
 *
 *	LIST = NAME '=' ( value { ',' value } | '@' FILE | '@' PATTERN )
 *	NAME = letter | '_' | digit | '-' …
 *
 * A backslash before a comma or a backslash makes it a part of the value; so does one before an '@'
 * at the beginning. A value may be empty. The lines of FILE are values, and so are the names of the
 * files that PATTERN matches, which has one of * ? [.
 */

struct parameter {
	char *name; /* owned */
	struct str_list values; /* at least one */
	size_t chosen; /* index into the values */
	bool used; /* some text contains {NAME}; the caller sets this */
	bool in_case; /* a text of the current case does */
};

/* All zero is a valid empty list. */
struct parameters {
	struct parameter *v; /* owned */
	size_t n, size;
};

#define NAME_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

/* Append the values, which commas separate. */
static int sides_add_values(struct str_list *values, const char *text)
{
	for (const char *first = text;; text++) {
		cleanup_str struct str value = { 0 };

		for (; *text && *text != ','; text++) {
			if (text[0] == '\\' && (text[1] == ',' || text[1] == '\\' ||
						(text == first && text[1] == '@')))
				text++;
			str_add_n(&value, text, 1);
		}
		if (value.failed || str_list_add(values, str_text(&value)) < 0)
			return -ENOMEM;
		if (*text == '\0')
			return 0;
	}
}

/* Longer lists of names are a mistake: SIDES_MAX names of about 4000 bytes. */
enum { LIST_BYTES_MAX = 1 << 22 };

/* Append the lines of a file that are not empty. 0; -errno with why. */
static int sides_add_lines(struct str_list *values, const char *path, struct why *why)
{
	cleanup_str struct str text = { 0 };
	FILE *file = fopen(path, "re");
	char buffer[4096];
	bool failed;
	size_t n;

	if (!file)
		return why_set(why, -errno, "%s: %s", path, strerror(errno));
	while (text.len < LIST_BYTES_MAX && (n = fread(buffer, 1, sizeof(buffer), file)) > 0)
		str_add_n(&text, buffer, n);
	failed = ferror(file);
	fclose(file);
	if (failed)
		return why_set(why, -EIO, "cannot read %s", path);
	if (text.failed)
		return -ENOMEM;
	if (text.len >= LIST_BYTES_MAX)
		return why_set(why, -EFBIG, "%s is too large for a list of values", path);
	for (char *line = text.text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line[strcspn(line, "\r")] = '\0';
		if (line[0] && str_list_add(values, line) < 0)
			return -ENOMEM;
	}
	return values->n > 0 ? 0 : why_set(why, -EINVAL, "%s has no lines", path);
}

/* Append the names of the files that match, sorted. 0; -errno with why. */
static int sides_add_files(struct str_list *values, const char *pattern, struct why *why)
{
	glob_t files = { 0 };
	int result = glob(pattern, 0, NULL, &files), err = 0;

	if (result == GLOB_NOMATCH)
		err = why_set(why, -ENOENT, "no file matches %s", pattern);
	else if (result != 0)
		err = -ENOMEM;
	for (size_t i = 0; err == 0 && i < files.gl_pathc; i++)
		err = str_list_add(values, files.gl_pathv[i]);
	globfree(&files);
	return err;
}

static void sides_release_parameter(struct parameter *parameter)
{
	free(parameter->name);
	str_list_release(&parameter->values);
}

/* Append the parameter of a list. 0; -EINVAL with why and a position; -errno with why; -ENOMEM. */
static int sides_add_parameter(struct parameters *p, const char *text, struct why *why)
{
	size_t n = strspn(text, NAME_LETTERS);
	const char *values = text + n + 1;
	struct parameter *new;
	int err;

	if (n == 0)
		return why_at(why, -EINVAL, 0, "the name of a parameter is missing here");
	if (text[n] != '=')
		return why_at(why, -EINVAL, n,
			      "a '=' is missing here: a parameter is NAME=VALUE,VALUE...");
	for (size_t i = 0; i < p->n; i++)
		if (strlen(p->v[i].name) == n && strncmp(p->v[i].name, text, n) == 0)
			return why_at(why, -EINVAL, 0, "parameter '%s' is given twice",
				      p->v[i].name);
	if (array_grow(&p->v, p->n, &p->size, sizeof(*p->v)) < 0)
		return -ENOMEM;
	new = &p->v[p->n];
	*new = (struct parameter){ .name = strndup(text, n) };
	if (!new->name)
		err = -ENOMEM;
	else if (values[0] != '@')
		err = sides_add_values(&new->values, values);
	else if (strpbrk(values, "*?["))
		err = sides_add_files(&new->values, values + 1, why);
	else
		err = sides_add_lines(&new->values, values + 1, why);
	if (err < 0)
		sides_release_parameter(new);
	else
		p->n++;
	return err;
}

/* Whether the text begins with {NAME} of this parameter. */
static bool sides_begins_with(const struct parameter *parameter, const char *text)
{
	size_t n = strlen(parameter->name);

	return text[0] == '{' && strncmp(text + 1, parameter->name, n) == 0 && text[1 + n] == '}';
}

/* Whether the text, which may be NULL, contains {NAME}. */
static bool sides_parameter_is_in(const struct parameter *parameter, const char *text)
{
	for (; text && *text; text++)
		if (sides_begins_with(parameter, text))
			return true;
	return false;
}

/* Append text, with the chosen value instead of each {NAME}. Other braces stay as they are. */
static void sides_replace_parameters(const struct parameters *p, const char *text, struct str *out)
{
	while (*text) {
		size_t i = 0;

		while (i < p->n && !sides_begins_with(&p->v[i], text))
			i++;
		if (i < p->n) {
			str_add(out, p->v[i].values.v[p->v[i].chosen]);
			text += strlen(p->v[i].name) + 2;
		} else {
			str_add_n(out, text++, 1);
		}
	}
}

/*
 * Choose the next combination of values; the last parameter changes fastest. varies: for each
 * parameter, whether it takes part. False after the last combination; then the first is chosen
 * again.
 */
static bool sides_choose_next_values(struct parameters *p, const bool *varies)
{
	for (size_t i = p->n; i-- > 0;) {
		if (!varies[i])
			continue;
		if (++p->v[i].chosen < p->v[i].values.n)
			return true;
		p->v[i].chosen = 0;
	}
	return false;
}

static void sides_release_parameters(struct parameters *p)
{
	for (size_t i = 0; i < p->n; i++)
		sides_release_parameter(&p->v[i]);
	free(p->v);
	*p = (struct parameters){ 0 };
}

/* ---- Names. */

/* Count the names that equal name, without regard to the numbers of sides_add_name(). */
static size_t sides_count_alike(const struct str_list *names, const char *name)
{
	size_t n = strlen(name), alike = 0;

	for (size_t i = 0; i < names->n; i++) {
		const char *other = names->v[i];

		if (strncmp(other, name, n) == 0 &&
		    (other[n] == '\0' || strncmp(other + n, " #", 2) == 0))
			alike++;
	}
	return alike;
}

int sides_add_name(struct str_list *names, const char *name)
{
	cleanup_str struct str text = { 0 };
	size_t alike = sides_count_alike(names, name);

	str_add(&text, name);
	for (size_t i = alike + 1; !text.failed && str_list_has(names, str_text(&text)); i++) {
		text.len = strlen(name);
		str_addf(&text, " #%zu", i);
	}
	return text.failed ? -ENOMEM : str_list_add(names, str_text(&text));
}

int sides_read_names(struct str_list *names, const char *list, struct why *why)
{
	if (str_list_split(names, list, ',') < 0)
		return -ENOMEM;
	for (size_t i = 0; i < names->n; i++) {
		if (names->v[i][0] == '\0')
			return why_set(why, -EINVAL, "--names %s: name %zu is empty", list, i + 1);
		for (size_t j = 0; j < i; j++)
			if (strcmp(names->v[i], names->v[j]) == 0)
				return why_set(why, -EINVAL, "--names %s: '%s' is used twice", list,
					       names->v[i]);
	}
	return 0;
}

/* ---- Sides. */

/* The state of sides_of_options(). */
struct maker {
	const struct options *options;
	struct sides *sides;
	struct parameters parameters;
	bool *varies; /* owned: for each parameter, whether the current command contains it */
	size_t varying_n; /* the number of commands that contain a parameter */
	struct str_list names; /* of --names; the first is that of the baseline, if there is one */
	struct str_list taken; /* the names of the sides so far */
	/* ---- with cases */
	struct str_list side_names; /* of the sides of each case */
	struct str_list case_names, case_commands; /* with --side: of each line of --suite, or -c */
	struct why *why;
};

/*
 * Split the argument of an option into words, after the parameters in it are replaced. NULL: no
 * words.
 */
static int sides_split_line(struct maker *m, const char *option, const char *line,
			    struct str_list *words)
{
	cleanup_why struct why trouble = { 0 };
	cleanup_str struct str text = { 0 };
	int err;

	if (!line)
		return 0;
	sides_replace_parameters(&m->parameters, line, &text);
	if (text.failed)
		return -ENOMEM;
	err = sides_words_split(str_text(&text), words, &trouble);
	return err < 0 ? why_of_argument(m->why, err, option, str_text(&text), &trouble) : 0;
}

/* Append a text as one word, whatever the values of the parameters in it contain. */
static int sides_add_word(const struct maker *m, const char *text, struct side *side)
{
	cleanup_str struct str word = { 0 };

	sides_replace_parameters(&m->parameters, text, &word);
	return word.failed ? -ENOMEM : str_list_add(&side->words, str_text(&word));
}

/*
 * command: NULL for the command after the options, each of whose words stays one word. With
 * --shell, the words are those of the shell, -c, and the command.
 */
static int sides_add_words(struct maker *m, const char *command, struct side *side)
{
	const struct compare_options *c = &m->options->compare_options;
	const char *shell = c->shell;
	int err = 0;

	if (command && !shell)
		return sides_split_line(m, c->suite ? "--suite" : "-c", command, &side->words);
	if (command) {
		err = sides_split_line(m, "--shell", shell, &side->words);
		if (err == 0)
			err = sides_add_word(m, "-c", side);
		if (err == 0)
			err = sides_add_word(m, command, side);
	}
	for (size_t i = 0; !command && err == 0 && m->options->argv[i]; i++)
		err = sides_add_word(m, m->options->argv[i], side);
	return err == 0 ? sides_words_end(&side->words) : err;
}

/* Whether the text contains the parameter. text: NULL for the command after the options. */
static bool sides_is_in(const struct maker *m, const struct parameter *p, const char *text)
{
	if (text)
		return sides_parameter_is_in(p, text);
	for (size_t i = 0; m->options->argv[i]; i++)
		if (sides_parameter_is_in(p, m->options->argv[i]))
			return true;
	return false;
}

/* Append " (n=1, v=2)": the values that the text does not show. text: NULL as in sides_is_in(). */
static void sides_add_hidden_values(const struct maker *m, const char *text, struct str *name)
{
	const char *before = " (";

	for (size_t i = 0; i < m->parameters.n; i++) {
		const struct parameter *p = &m->parameters.v[i];

		if (!m->varies[i] || sides_is_in(m, p, text))
			continue;
		str_addf(name, "%s%s=%s", before, p->name, p->values.v[p->chosen]);
		before = ", ";
	}
	if (before[0] == ',')
		str_add(name, ")");
}

/* Append the command, and the values that it does not show. command: NULL as in sides_is_in(). */
static void sides_add_command(const struct maker *m, const char *command, const struct side *side,
			      struct str *name)
{
	if (command)
		sides_replace_parameters(&m->parameters, command, name);
	for (size_t i = 0; !command && i < side->words.n; i++)
		str_addf(name, "%s%s", i ? " " : "", side->words.v[i]);
	sides_add_hidden_values(m, command, name);
}

/*
 * Name the side as --names says, or after its parameters: "level=6,file=x". If several commands
 * contain parameters, the values do not identify the command, so the name is the command itself.
 * Equal names get numbers.
 */
static int sides_take_name(struct maker *m, const char *given, const char *command,
			   struct side *side)
{
	const struct series_parameters *p = &side->parameters;
	cleanup_str struct str name = { 0 };
	int err;

	if (given)
		sides_add_command(m, given, side, &name);
	else if (p->names.n == 0 || m->varying_n > 1)
		sides_add_command(m, command, side, &name);
	else
		for (size_t i = 0; i < p->names.n; i++)
			str_addf(&name, "%s%s=%s", i ? "," : "", p->names.v[i], p->values.v[i]);
	err = name.failed ? -ENOMEM : sides_add_name(&m->taken, str_text(&name));
	if (err < 0)
		return err;
	side->name = strdup(m->taken.v[m->taken.n - 1]);
	return side->name ? 0 : -ENOMEM;
}

/* Append a side without a name. 0; -EINVAL with why; -ENOMEM. */
static int sides_begin_side(struct maker *m, const char *command)
{
	const struct options *o = m->options;
	struct sides *sides = m->sides;
	struct side *side;
	int err;

	if (sides->n == SIDES_MAX)
		return why_set(m->why, -EINVAL, "there are more than %d commands", SIDES_MAX);
	if (array_grow(&sides->v, sides->n, &sides->size, sizeof(*sides->v)) < 0)
		return -ENOMEM;
	side = &sides->v[sides->n++];
	*side = (struct side){ 0 };
	err = sides_add_words(m, command, side);
	if (err == 0)
		err = sides_split_line(m, "--setup", o->setup, &side->setup);
	if (err == 0)
		err = sides_split_line(m, "--cleanup", o->cleanup, &side->cleanup);
	if (err == 0)
		err = sides_split_line(m, "--pre", o->pre, &side->pre);
	if (err == 0)
		err = sides_split_line(m, "--post", o->post, &side->post);
	/* the result has the values of the parameters that the command contains */
	for (size_t i = 0; err == 0 && i < m->parameters.n; i++) {
		const struct parameter *p = &m->parameters.v[i];

		if (m->varies[i])
			err = str_list_add(&side->parameters.names, p->name);
		if (err == 0 && m->varies[i])
			err = str_list_add(&side->parameters.values, p->values.v[p->chosen]);
	}
	return err;
}

static int sides_add_side(struct maker *m, const char *given, const char *command)
{
	const int err = sides_begin_side(m, command);

	return err == 0 ? sides_take_name(m, given, command, &m->sides->v[m->sides->n - 1]) : err;
}

/* Note which parameters the command contains, or --setup, --cleanup, --pre or --post. */
static void sides_note_parameters(struct maker *m, const char *command)
{
	const struct options *o = m->options;

	for (size_t i = 0; i < m->parameters.n; i++) {
		struct parameter *p = &m->parameters.v[i];

		m->varies[i] = sides_is_in(m, p, command) || sides_parameter_is_in(p, o->setup) ||
			       sides_parameter_is_in(p, o->cleanup) ||
			       sides_parameter_is_in(p, o->pre) ||
			       sides_parameter_is_in(p, o->post);
		p->used |= m->varies[i];
	}
}

/* Make the values of --side the values of the parameter {side}, and their names those of the
 * sides. */
static int sides_read_side_values(struct maker *m)
{
	const struct texts *sides = &m->options->compare_options.side_values;
	struct parameter *new;
	int err = 0;

	if (sides->n == 0)
		return 0;
	if (array_grow(&m->parameters.v, m->parameters.n, &m->parameters.size,
		       sizeof(*m->parameters.v)) < 0)
		return -ENOMEM;
	new = &m->parameters.v[m->parameters.n++];
	*new = (struct parameter){ .name = strdup("side") };
	if (!new->name)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < sides->n; i++) {
		const char *equals = strchr(sides->v[i], '=');
		cleanup_free char *name = NULL;

		if (!equals || equals == sides->v[i])
			return why_set(m->why, -EINVAL, "--side %s: not NAME=VALUE", sides->v[i]);
		name = strndup(sides->v[i], (size_t)(equals - sides->v[i]));
		if (!name)
			return -ENOMEM;
		if (str_list_has(&m->side_names, name))
			return why_set(m->why, -EINVAL, "--side %s: '%s' is used twice",
				       sides->v[i], name);
		err = str_list_add(&m->side_names, name);
		if (err == 0)
			err = str_list_add(&new->values, equals + 1);
	}
	for (size_t i = 0; i + 1 < m->parameters.n; i++)
		if (strcmp(m->parameters.v[i].name, "side") == 0)
			return why_set(m->why, -EINVAL,
				       "-L side=... and --side name the same {side}");
	return err;
}

/* Read -L and --side, and count the commands that contain a parameter. Without -c, there is one. */
static int sides_read_parameters(struct maker *m)
{
	const struct texts *lists = &m->options->compare_options.lists;
	const struct texts *commands = &m->options->compare_options.commands;
	int err;

	for (size_t i = 0; i < lists->n; i++) {
		cleanup_why struct why trouble = { 0 };

		err = sides_add_parameter(&m->parameters, lists->v[i], &trouble);

		if (err < 0)
			return why_of_argument(m->why, err, "-L", lists->v[i], &trouble);
	}
	err = sides_read_side_values(m);
	if (err < 0)
		return err;
	m->varies = calloc(m->parameters.n + 1, sizeof(*m->varies));
	if (!m->varies)
		return -ENOMEM;
	for (size_t i = 0; i < (commands->n ? commands->n : 1); i++) {
		bool any = false;

		sides_note_parameters(m, commands->n ? commands->v[i] : NULL);
		for (size_t j = 0; j < m->parameters.n; j++)
			any |= m->varies[j];
		m->varying_n += any;
	}
	return 0;
}

/*
 * Check the finished sides, and use --names. It has a name for each of n commands (before -L),
 * which the sides already have, or a name for each side, which replaces that from its command.
 */
static int sides_check(struct maker *m, size_t n)
{
	const char *names = m->options->compare_options.names;
	size_t reference = m->sides->baseline != NULL;
	bool are_named = !names || m->names.n == reference + n;

	if (!are_named && m->names.n != reference + m->sides->n)
		return why_set(m->why, -EINVAL,
			       "--names %s: needs %zu names, one for %s command (%zu given)", names,
			       reference + m->sides->n,
			       reference ? "the baseline and each" : "each", m->names.n);
	for (size_t i = 0; !are_named && i < m->sides->n; i++) {
		free(m->sides->v[i].name);
		m->sides->v[i].name = take_ptr(m->names.v[reference + i]);
	}
	for (size_t i = 0; i < m->parameters.n; i++)
		if (!m->parameters.v[i].used)
			return why_set(m->why, -EINVAL, "-L: no command contains {%s}",
				       m->parameters.v[i].name);
	if (m->sides->n < (m->sides->baseline ? 1 : 2))
		return why_set(m->why, -EINVAL,
			       "there is only one command to compare; give another -c%s",
			       m->options->compare_options.bisect ?
				       "" :
				       ", or more values to -L: NAME=1,2");
	return 0;
}

/* ---- Cases. */

/*
 * The file of --suite has a line "NAME: COMMAND" for each case. Empty lines and those that begin
 * with '#' are skipped.
 */
static int sides_read_suite(struct maker *m)
{
	const char *path = m->options->compare_options.suite;
	cleanup_str_list struct str_list lines = { 0 };
	cleanup_why struct why trouble = { 0 };
	int err = path ? sides_add_lines(&lines, path, &trouble) : 0;

	if (err < 0)
		return why_of_argument(m->why, err, "--suite", path, &trouble);
	for (size_t i = 0; err == 0 && i < lines.n; i++) {
		char *name = lines.v[i] + strspn(lines.v[i], BLANKS);
		char *colon = strchr(name, ':'), *command = colon ? colon + 1 : NULL;

		if (name[0] == '#' || name[0] == '\0')
			continue;
		if (!colon || colon == name || command[strspn(command, BLANKS)] == '\0')
			return why_set(m->why, -EINVAL, "--suite %s: '%s' is not NAME: COMMAND",
				       path, name);
		while (strchr(BLANKS, colon[-1])) /* before the colon; the name is not empty */
			colon--;
		*colon = '\0';
		err = str_list_add(&m->case_names, name);
		if (err == 0)
			err = str_list_add(&m->case_commands, command + strspn(command, BLANKS));
	}
	if (err == 0 && path && m->case_names.n == 0)
		return why_set(m->why, -EINVAL, "--suite %s has no cases", path);
	return err;
}

/* Without --side, the sides are the commands of -c, and --names names them. */
static int sides_read_side_commands(struct maker *m)
{
	const struct compare_options *c = &m->options->compare_options;
	int err = 0;

	if (c->names)
		err = sides_read_names(&m->side_names, c->names, m->why);
	for (size_t i = 0; !c->names && c->side_values.n == 0 && err == 0 && i < c->commands.n; i++)
		err = sides_add_name(&m->side_names, c->commands.v[i]);
	if (err == 0 && c->names && m->side_names.n != c->commands.n)
		return why_set(m->why, -EINVAL,
			       "--names %s: needs %zu names, one for each -c (%zu given)", c->names,
			       c->commands.n, m->side_names.n);
	return err;
}

/* The name of a case: that of its line, and the values of the parameters. 0 or -ENOMEM. */
static int sides_add_case_name(struct maker *m, const char *name)
{
	cleanup_str struct str text = { 0 };
	const char *before = name[0] ? " " : "";

	str_add(&text, name);
	for (size_t i = 0; i < m->parameters.n; i++) {
		const struct parameter *p = &m->parameters.v[i];

		if (!m->varies[i])
			continue;
		str_addf(&text, "%s%s=%s", before, p->name, p->values.v[p->chosen]);
		before = ",";
	}
	return text.failed ? -ENOMEM : sides_add_name(&m->sides->cases, str_text(&text));
}

/* Add the sides of the current case. command: NULL if each side has its own. */
static int sides_add_case(struct maker *m, const char *name, const char *command)
{
	const struct texts *commands = &m->options->compare_options.commands;
	int err = sides_add_case_name(m, name);

	for (size_t i = 0; err == 0 && i < m->side_names.n; i++) {
		if (command)
			m->parameters.v[m->parameters.n - 1].chosen = i;
		err = sides_begin_side(m, command ? command : commands->v[i]);
		if (err == 0) {
			struct side *side = &m->sides->v[m->sides->n - 1];

			side->name = strdup(m->side_names.v[i]);
			err = side->name ? 0 : -ENOMEM;
		}
	}
	return err;
}

/* Note which parameters the case contains. command: NULL if each side has its own; otherwise it has
 * to contain {side}, which does not vary: each value is a side. 0; -EINVAL with why. */
static int sides_note_parameters_of_case(struct maker *m, const char *command)
{
	const struct texts *commands = &m->options->compare_options.commands;
	const size_t n = command ? 1 : commands->n;

	for (size_t i = 0; i < n; i++) {
		sides_note_parameters(m, command ? command : commands->v[i]);
		for (size_t k = 0; k < m->parameters.n; k++)
			m->parameters.v[k].in_case =
				(i > 0 && m->parameters.v[k].in_case) || m->varies[k];
	}
	for (size_t k = 0; k < m->parameters.n; k++)
		m->varies[k] = m->parameters.v[k].in_case;
	if (!command)
		return 0;
	m->varies[m->parameters.n - 1] = false;
	if (!m->parameters.v[m->parameters.n - 1].in_case)
		return why_set(m->why, -EINVAL, "--side: '%s' does not contain {side}", command);
	return 0;
}

/* Make the sides of each case: of each line or -c with {side}, and each combination of -L. */
static int sides_make_cases(struct maker *m)
{
	const struct compare_options *c = &m->options->compare_options;
	const bool have_values = c->side_values.n > 0;
	int err = sides_read_suite(m);

	if (err == 0)
		err = sides_read_side_commands(m);
	for (size_t i = 0; err == 0 && have_values && !c->suite && i < c->commands.n; i++) {
		err = str_list_add(&m->case_names, c->commands.n > 1 ? c->commands.v[i] : "");
		if (err == 0)
			err = str_list_add(&m->case_commands, c->commands.v[i]);
	}
	for (size_t i = 0; err == 0 && i < (have_values ? m->case_commands.n : 1); i++) {
		const char *command = have_values ? m->case_commands.v[i] : NULL;

		err = sides_note_parameters_of_case(m, command);
		if (err < 0)
			return err;
		do
			err = sides_add_case(m, have_values ? m->case_names.v[i] : "", command);
		while (err == 0 && sides_choose_next_values(&m->parameters, m->varies));
	}
	for (size_t i = 0; err == 0 && i < m->parameters.n; i++)
		if (!m->parameters.v[i].used)
			return why_set(m->why, -EINVAL, "-L: no command contains {%s}",
				       m->parameters.v[i].name);
	if (err == 0 && m->side_names.n < 2)
		return why_set(m->why, -EINVAL,
			       "there is only one side to compare; give another --side NAME=VALUE");
	if (err == 0 && m->sides->cases.n == 1)
		str_list_release(&m->sides->cases);
	return err;
}

/* Whether there are cases, or --side. Values of -L make cases if all of several commands contain
 * some. If one does not, it is the reference of sides that differ in their values. */
static bool sides_has_cases(const struct maker *m, const char *baseline)
{
	const struct compare_options *c = &m->options->compare_options;
	bool varies = false;

	for (size_t i = 0; i < m->parameters.n; i++)
		varies |= m->parameters.v[i].values.n > 1;
	return c->side_values.n > 0 || (varies && c->commands.n > 1 &&
					m->varying_n == c->commands.n && !baseline && !c->bisect);
}

/* ---- All sides. */

static int sides_make_all(struct maker *m, const char *baseline)
{
	const struct texts *commands = &m->options->compare_options.commands;
	const char *names = m->options->compare_options.names;
	size_t n = commands->n ? commands->n : 1, reference = baseline != NULL;
	int err = 0;

	if (names)
		err = sides_read_names(&m->names, names, m->why);
	if (err == 0 && baseline) {
		m->sides->baseline = strdup(names ? m->names.v[0] : baseline);
		err = m->sides->baseline ? sides_add_name(&m->taken, m->sides->baseline) : -ENOMEM;
	}
	for (size_t i = 0; err == 0 && i < n; i++) {
		const char *command = commands->n ? commands->v[i] : NULL;
		const char *given = m->names.n == reference + n ? m->names.v[reference + i] : NULL;

		sides_note_parameters(m, command);
		do
			err = sides_add_side(m, given, command);
		while (err == 0 && sides_choose_next_values(&m->parameters, m->varies));
	}
	return err == 0 && options_is_comparison(m->options) ? sides_check(m, n) : err;
}

int sides_of_options(struct sides *sides, const struct options *o, const char *baseline,
		     struct why *why)
{
	struct maker m = { .options = o, .sides = sides, .why = why };
	int err = sides_read_parameters(&m);

	if (err == 0)
		err = sides_has_cases(&m, baseline) ? sides_make_cases(&m) :
						      sides_make_all(&m, baseline);
	sides_release_parameters(&m.parameters);
	str_list_release(&m.side_names);
	str_list_release(&m.case_names);
	str_list_release(&m.case_commands);
	str_list_release(&m.names);
	str_list_release(&m.taken);
	free(m.varies);
	return err;
}

void sides_release(struct sides *sides)
{
	for (size_t i = 0; i < sides->n; i++)
		side_release(&sides->v[i]);
	free(sides->v);
	str_list_release(&sides->cases);
	free(sides->baseline);
	*sides = (struct sides){ 0 };
}
