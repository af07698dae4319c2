/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "count/reading.h"
#include "format/terminal/process_labels.h"

#define BLANKS " \t\n"

/* An argument of a command. */
struct argument {
	const char *text;
	size_t len;
	struct process_label *label;
	bool tells; /* some other process of the program lacks it */
};

struct arguments {
	struct argument *v; /* owned: those of one label after those of the other */
	size_t n, size;
};

static void process_label_arguments_release(struct arguments *arguments)
{
	free(arguments->v);
}

/* ---- Programs. Equal names are the same program. */

static int process_label_compare_names(const void *a, const void *b)
{
	const struct place *left = *(const struct place *const *)a;
	const struct place *right = *(const struct place *const *)b;

	return strcmp(left->process->name, right->process->name);
}

/* Number the programs, and begin each label. sizes: for each program, the number of its labels. */
static int process_label_find_programs(struct process_labels *labels, const struct place *places,
				       size_t *sizes)
{
	cleanup_free const struct place **sorted = calloc(labels->n + 1, sizeof(*sorted));
	size_t n = 0, program = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < labels->n; i++)
		if (places[i].process && !places[i].process->with_children)
			sorted[n++] = &places[i];
	qsort(sorted, n, sizeof(*sorted), process_label_compare_names);
	for (size_t i = 0; i < n; i++) {
		const struct process *process = sorted[i]->process;
		const bool has_command = process->command && *process->command;
		struct process_label *label = &labels->v[sorted[i] - places];

		if (i > 0 && process_label_compare_names(&sorted[i - 1], &sorted[i]) != 0)
			program++;
		sizes[program]++;
		label->program = program;
		label->whole = has_command ? process->command : process->name;
		str_add(&label->brief, process->name);
	}
	return 0;
}

/* ---- Arguments */

/* Whether a shell executes the text after "-c", which is one argument. */
static bool process_label_is_script(const struct process_label *label)
{
	const char *name = str_text(&label->brief), *at = label->whole;

	at += strcspn(at, BLANKS);
	return label->brief.len >= strlen("sh") &&
	       strcmp(name + label->brief.len - strlen("sh"), "sh") == 0 &&
	       strncmp(at, " -c ", strlen(" -c ")) == 0;
}

static int process_label_arguments_add_all(struct arguments *arguments, struct process_label *label)
{
	const char *at = label->whole + strcspn(label->whole, BLANKS);

	if (process_label_is_script(label)) {
		str_add(&label->brief, at);
		return 0;
	}
	while (*(at += strspn(at, BLANKS))) {
		struct argument argument = { at, strcspn(at, BLANKS), label, false };

		if (array_grow(&arguments->v, arguments->n, &arguments->size,
			       sizeof(*arguments->v)) < 0)
			return -ENOMEM;
		arguments->v[arguments->n++] = argument;
		at += argument.len;
	}
	return 0;
}

static int process_label_compare_texts(const struct argument *a, const struct argument *b)
{
	if (a->label->program != b->label->program)
		return a->label->program < b->label->program ? -1 : 1;
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return memcmp(a->text, b->text, a->len);
}

static int process_label_compare_arguments(const void *a, const void *b)
{
	const struct argument *left = *(struct argument *const *)a;
	const struct argument *right = *(struct argument *const *)b;
	int order = process_label_compare_texts(left, right);

	return order ? order : (left > right) - (left < right);
}

/* Mark the arguments that tell a process from another of its program. Of those that are repeated,
 * only the first one of each process is marked. */
static int process_label_arguments_mark(struct arguments *arguments, const size_t *sizes)
{
	cleanup_free struct argument **sorted = calloc(arguments->n + 1, sizeof(*sorted));
	size_t next;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < arguments->n; i++)
		sorted[i] = &arguments->v[i];
	qsort(sorted, arguments->n, sizeof(*sorted), process_label_compare_arguments);
	for (size_t i = 0; i < arguments->n; i = next) {
		size_t processes_n = 1;

		for (next = i + 1;
		     next < arguments->n && !process_label_compare_texts(sorted[i], sorted[next]);
		     next++)
			processes_n += sorted[next]->label != sorted[next - 1]->label;
		for (size_t k = i; k < next && processes_n < sizes[sorted[i]->label->program]; k++)
			sorted[k]->tells = k == i || sorted[k]->label != sorted[k - 1]->label;
	}
	return 0;
}

/* A file directly in /tmp has a random name. */
static bool process_label_argument_is_temporary(const struct argument *argument)
{
	const size_t folder = strlen("/tmp/");

	return argument->len > folder && memcmp(argument->text, "/tmp/", folder) == 0 &&
	       !memchr(argument->text + folder, '/', argument->len - folder);
}

/* Whether the argument looks like the name of a file: neither an option nor a suffix, a folder or a
 * number. */
static bool process_label_argument_is_file(const struct argument *argument)
{
	const char *text = argument->text;
	const size_t len = argument->len;

	if (*text == '-' || text[len - 1] == '/' || strspn(text, "0123456789.") >= len ||
	    process_label_argument_is_temporary(argument))
		return false;
	return memchr(text, '/', len) || memchr(text + 1, '.', len - 1);
}

/* Whether an earlier one of these arguments is this one, or ends with it: "src/a.c a.c". */
static bool process_label_argument_is_repeated(const struct argument *v, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		const size_t before = v[k].len - v[i].len;

		if (v[k].len >= v[i].len && (before == 0 || v[k].text[before - 1] == '/') &&
		    memcmp(v[k].text + before, v[i].text, v[i].len) == 0)
			return true;
	}
	return false;
}

/*
 * Append those of the n arguments that distinguish this label from others. If none does, append all
 * of them, or, if alone, only those that look like files, if there are any. alone: no other process
 * executes the same program.
 */
static void process_label_add_arguments(struct process_label *label, struct argument *v, size_t n,
					bool alone)
{
	bool any_tells = false, any_file = false, has_names = false;

	for (size_t i = 0; i < n; i++) {
		any_tells |= v[i].tells;
		any_file |= alone && process_label_argument_is_file(&v[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (!any_tells)
			v[i].tells = !any_file || process_label_argument_is_file(&v[i]);
		has_names |= v[i].tells && !process_label_argument_is_temporary(&v[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (!v[i].tells || (has_names && process_label_argument_is_temporary(&v[i])) ||
		    process_label_argument_is_repeated(v, i))
			continue;
		str_add(&label->brief, " ");
		str_add_n(&label->brief, v[i].text, v[i].len);
	}
}

static int process_labels_add_arguments(struct process_labels *labels, const size_t *sizes)
{
	cleanup_with(process_label_arguments_release) struct arguments arguments = { 0 };
	int err = 0;

	for (size_t i = 0; err == 0 && i < labels->n; i++)
		/* a name may have blanks, too */
		if (labels->v[i].whole &&
		    strcmp(labels->v[i].whole, str_text(&labels->v[i].brief)) != 0)
			err = process_label_arguments_add_all(&arguments, &labels->v[i]);
	if (err == 0)
		err = process_label_arguments_mark(&arguments, sizes);
	if (err < 0)
		return err;
	for (size_t i = 0, n; i < arguments.n; i += n) {
		struct process_label *label = arguments.v[i].label;

		for (n = 1; i + n < arguments.n && arguments.v[i + n].label == label;)
			n++;
		process_label_add_arguments(label, &arguments.v[i], n, sizes[label->program] == 1);
	}
	return 0;
}

/* ---- Where labels differ that begin alike */

static int process_label_compare_labels(const void *a, const void *b)
{
	const struct process_label *left = *(struct process_label *const *)a;
	const struct process_label *right = *(struct process_label *const *)b;

	return strcmp(str_text(&left->brief), str_text(&right->brief));
}

/* The number of whole characters with which both texts begin. */
static size_t process_label_common_beginning(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	while (n > 0 && ((unsigned char)a[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static int process_label_find_apart(struct process_labels *labels)
{
	cleanup_free struct process_label **sorted = calloc(labels->n + 1, sizeof(*sorted));
	size_t n = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < labels->n; i++)
		if (labels->v[i].whole)
			sorted[n++] = &labels->v[i];
	qsort(sorted, n, sizeof(*sorted), process_label_compare_labels);
	for (size_t i = 1, first = 0; i < n; i++) { /* first: of those that equal the one before */
		const char *a = str_text(&sorted[i - 1]->brief), *b = str_text(&sorted[i]->brief);
		size_t common = process_label_common_beginning(a, b);

		if (strcmp(a, b) == 0) {
			sorted[i]->apart = sorted[i - 1]->apart;
			continue;
		}
		for (; first < i; first++)
			if (sorted[first]->apart < common)
				sorted[first]->apart = common;
		sorted[i]->apart = common;
	}
	return 0;
}

int process_labels_make(struct process_labels *labels, const struct place *places, size_t n)
{
	cleanup_free size_t *sizes = calloc(n + 1, sizeof(*sizes));
	int err;

	*labels = (struct process_labels){ .v = calloc(n + 1, sizeof(*labels->v)), .n = n };
	if (!labels->v || !sizes)
		return -ENOMEM;
	err = process_label_find_programs(labels, places, sizes);
	if (err == 0)
		err = process_labels_add_arguments(labels, sizes);
	for (size_t i = 0; err == 0 && i < n; i++)
		err = labels->v[i].brief.failed ? -ENOMEM : 0;
	return err < 0 ? err : process_label_find_apart(labels);
}

void process_labels_release(struct process_labels *labels)
{
	for (size_t i = 0; labels->v && i < labels->n; i++)
		str_release(&labels->v[i].brief);
	free(labels->v);
}
