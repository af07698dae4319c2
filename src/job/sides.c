/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "job/sides.h"
#include "options/parameters.h"
#include "options/words.h"

/* ---- Names. */

/* Count the names that equal name, without regard to the numbers of sides_add_name(). */
static size_t count_alike(const struct str_list *names, const char *name)
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
	size_t alike = count_alike(names, name);

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
	struct why *why;
};

/*
 * Split the argument of an option into words, after the parameters in it are replaced. NULL: no
 * words.
 */
static int split_line(struct maker *m, const char *option, const char *line, struct str_list *words)
{
	cleanup_why struct why trouble = { 0 };
	cleanup_str struct str text = { 0 };
	int err;

	if (!line)
		return 0;
	parameters_replace(&m->parameters, line, &text);
	if (text.failed)
		return -ENOMEM;
	err = words_split(str_text(&text), words, &trouble);
	return err < 0 ? why_of_argument(m->why, err, option, str_text(&text), &trouble) : 0;
}

/* For --shell: the words of the shell, -c, and the command as one word. */
static int add_shell_words(struct maker *m, const char *command, struct side *side)
{
	cleanup_str struct str text = { 0 };
	int err = split_line(m, "--shell", m->options->compare_options.shell, &side->words);

	parameters_replace(&m->parameters, command, &text);
	if (err == 0)
		err = text.failed ? -ENOMEM : str_list_add(&side->words, "-c");
	if (err == 0)
		err = str_list_add(&side->words, str_text(&text));
	return err == 0 ? words_end(&side->words) : err;
}

/* The command after the options. Each of its words stays one word, whatever a value contains. */
static int add_own_words(struct maker *m, struct side *side)
{
	int err = 0;

	for (size_t i = 0; err == 0 && m->options->argv[i]; i++) {
		cleanup_str struct str word = { 0 };

		parameters_replace(&m->parameters, m->options->argv[i], &word);
		err = word.failed ? -ENOMEM : str_list_add(&side->words, str_text(&word));
	}
	return err == 0 ? words_end(&side->words) : err;
}

/* command: NULL for the command after the options. */
static int side_add_words(struct maker *m, const char *command, struct side *side)
{
	if (!command)
		return add_own_words(m, side);
	if (m->options->compare_options.shell)
		return add_shell_words(m, command, side);
	return split_line(m, "-c", command, &side->words);
}

/* Whether the text contains the parameter. text: NULL for the command after the options. */
static bool is_in(const struct maker *m, const struct parameter *p, const char *text)
{
	if (text)
		return parameter_is_in(p, text);
	for (size_t i = 0; m->options->argv[i]; i++)
		if (parameter_is_in(p, m->options->argv[i]))
			return true;
	return false;
}

/* Append " (n=1, v=2)": the values that the text does not show. text: NULL as in is_in(). */
static void add_hidden_values(const struct maker *m, const char *text, struct str *name)
{
	const char *before = " (";

	for (size_t i = 0; i < m->parameters.n; i++) {
		const struct parameter *p = &m->parameters.v[i];

		if (!m->varies[i] || is_in(m, p, text))
			continue;
		str_addf(name, "%s%s=%s", before, p->name, p->values.v[p->chosen]);
		before = ", ";
	}
	if (before[0] == ',')
		str_add(name, ")");
}

/* Keep the values of the parameters that the command contains. 0 or -ENOMEM. */
static int keep_parameters(const struct maker *m, struct series_parameters *kept)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < m->parameters.n; i++) {
		const struct parameter *p = &m->parameters.v[i];

		if (!m->varies[i])
			continue;
		err = str_list_add(&kept->names, p->name);
		if (err == 0)
			err = str_list_add(&kept->values, p->values.v[p->chosen]);
	}
	return err;
}

/* Append the command, and the values that it does not show. command: NULL as in is_in(). */
static void side_add_command(const struct maker *m, const char *command, const struct side *side,
			     struct str *name)
{
	if (command)
		parameters_replace(&m->parameters, command, name);
	for (size_t i = 0; !command && i < side->words.n; i++)
		str_addf(name, "%s%s", i ? " " : "", side->words.v[i]);
	add_hidden_values(m, command, name);
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
		side_add_command(m, given, side, &name);
	else if (p->names.n == 0 || m->varying_n > 1)
		side_add_command(m, command, side, &name);
	else
		for (size_t i = 0; i < p->names.n; i++)
			str_addf(&name, "%s%s=%s", i ? "," : "", p->names.v[i], p->values.v[i]);
	err = name.failed ? -ENOMEM : sides_add_name(&m->taken, str_text(&name));
	if (err < 0)
		return err;
	side->name = strdup(m->taken.v[m->taken.n - 1]);
	return side->name ? 0 : -ENOMEM;
}

static int sides_add_side(struct maker *m, const char *given, const char *command)
{
	const struct options *o = m->options;
	struct sides *sides = m->sides;
	struct side *side;
	int err;

	if (sides->n == SIDES_MAX)
		return why_set(m->why, -EINVAL, "-c and -L make more than %d commands", SIDES_MAX);
	if (array_grow(&sides->v, sides->n, &sides->size, sizeof(*sides->v)) < 0)
		return -ENOMEM;
	side = &sides->v[sides->n++];
	*side = (struct side){ 0 };
	err = side_add_words(m, command, side);
	if (err == 0)
		err = split_line(m, "--setup", o->setup, &side->setup);
	if (err == 0)
		err = split_line(m, "--cleanup", o->cleanup, &side->cleanup);
	if (err == 0)
		err = split_line(m, "--pre", o->pre, &side->pre);
	if (err == 0)
		err = split_line(m, "--post", o->post, &side->post);
	if (err == 0)
		err = keep_parameters(m, &side->parameters);
	return err == 0 ? sides_take_name(m, given, command, side) : err;
}

/* Note which parameters the command contains, or --setup, --cleanup, --pre or --post. */
static void note_parameters(struct maker *m, const char *command)
{
	const struct options *o = m->options;

	for (size_t i = 0; i < m->parameters.n; i++) {
		struct parameter *p = &m->parameters.v[i];

		m->varies[i] = is_in(m, p, command) || parameter_is_in(p, o->setup) ||
			       parameter_is_in(p, o->cleanup) || parameter_is_in(p, o->pre) ||
			       parameter_is_in(p, o->post);
		p->used |= m->varies[i];
	}
}

/* Count the commands that contain a parameter. Without -c, there is one. */
static void count_varying(struct maker *m)
{
	const struct texts *commands = &m->options->compare_options.commands;

	for (size_t i = 0; i < (commands->n ? commands->n : 1); i++) {
		bool any = false;

		note_parameters(m, commands->n ? commands->v[i] : NULL);
		for (size_t j = 0; j < m->parameters.n; j++)
			any |= m->varies[j];
		m->varying_n += any;
	}
}

static int read_parameters(struct maker *m)
{
	const struct texts *lists = &m->options->compare_options.lists;
	int err = 0;

	for (size_t i = 0; err == 0 && i < lists->n; i++) {
		cleanup_why struct why trouble = { 0 };

		err = parameters_add(&m->parameters, lists->v[i], &trouble);
		if (err < 0)
			why_of_argument(m->why, err, "-L", lists->v[i], &trouble);
	}
	if (err < 0)
		return err;
	m->varies = calloc(m->parameters.n + 1, sizeof(*m->varies));
	if (!m->varies)
		return -ENOMEM;
	count_varying(m);
	return 0;
}

/*
 * Use --names, which has a name for each of n commands (before -L), or a name for each side: these
 * replace the names that the sides have from their commands.
 */
static int name_sides(struct maker *m, size_t n)
{
	const char *names = m->options->compare_options.names;
	size_t reference = m->sides->baseline != NULL;

	if (!names || m->names.n == reference + n)
		return 0;
	if (m->names.n != reference + m->sides->n)
		return why_set(m->why, -EINVAL,
			       "--names %s: needs %zu names, one for %s command (%zu given)", names,
			       reference + m->sides->n,
			       reference ? "the baseline and each" : "each", m->names.n);
	for (size_t i = 0; i < m->sides->n; i++) {
		free(m->sides->v[i].name);
		m->sides->v[i].name = take_ptr(m->names.v[reference + i]);
	}
	return 0;
}

static int sides_check(struct maker *m)
{
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

/* Read --names, and name the saved reference, if there is one. */
static int read_names(struct maker *m, const char *baseline)
{
	const char *names = m->options->compare_options.names;
	int err = names ? sides_read_names(&m->names, names, m->why) : 0;

	if (err < 0 || !baseline)
		return err;
	m->sides->baseline = strdup(names ? m->names.v[0] : baseline);
	return m->sides->baseline ? sides_add_name(&m->taken, m->sides->baseline) : -ENOMEM;
}

static int make_sides(struct maker *m, const char *baseline)
{
	const struct texts *commands = &m->options->compare_options.commands;
	size_t n = commands->n ? commands->n : 1, reference = baseline != NULL;
	int err = read_parameters(m);

	if (err == 0)
		err = read_names(m, baseline);
	for (size_t i = 0; err == 0 && i < n; i++) {
		const char *command = commands->n ? commands->v[i] : NULL;
		const char *given = m->names.n == reference + n ? m->names.v[reference + i] : NULL;

		note_parameters(m, command);
		do
			err = sides_add_side(m, given, command);
		while (err == 0 && parameters_next(&m->parameters, m->varies));
	}
	if (err < 0 || !options_is_comparison(m->options))
		return err;
	err = name_sides(m, n);
	return err == 0 ? sides_check(m) : err;
}

int sides_of_options(struct sides *sides, const struct options *o, const char *baseline,
		     struct why *why)
{
	struct maker m = { .options = o, .sides = sides, .why = why };
	int err = make_sides(&m, baseline);

	parameters_release(&m.parameters);
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
	free(sides->baseline);
	*sides = (struct sides){ 0 };
}
