/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/output.h"
#include "base/str.h"
#include "base/why.h"
#include "options/file_name.h"
#include "output/same_file.h"

struct output_file {
	const char *option; /* the option that names it: "--save" */
	const char *path; /* NULL: the descriptor fd */
	int fd;
	const char *what; /* its content, for messages */
	struct stat st; /* all zero: it does not exist */
};

enum { OUTPUT_RESULT, OUTPUT_MESSAGES, OUTPUT_DOCUMENT, OUTPUT_PAGE, OUTPUTS_N };

struct checking {
	const struct options *options;
	struct why *why;
	struct output_file outputs[OUTPUTS_N];
};

static void stat_output(struct output_file *output)
{
	int err = -1;

	if (output->path)
		err = stat(output->path, &output->st);
	else if (output->fd >= 0)
		err = fstat(output->fd, &output->st);
	if (err < 0)
		output->st = (struct stat){ 0 };
}

static bool is_same_regular(const struct stat *a, const struct stat *b)
{
	return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * Refuse the file of an option that is also the output. what: the content of the one that
 * needs another file. Returns -EINVAL.
 */
static int refuse_output(const struct output_file *output, const char *option, const char *path,
			 const char *what, struct why *why)
{
	if (output->path)
		return why_set(why, -EINVAL,
			       "%s %s and %s %s are the same file: use another file for the %s",
			       option, path, output->option, output->path, what);
	return why_set(
		why, -EINVAL,
		"%s %s is the file that descriptor %d writes to: use another file for the %s",
		option, path, output->fd, what);
}

/* ---- Inputs. */

static int same_file_check_input(const struct checking *c, const char *option, const char *path,
				 const struct stat *st)
{
	for (size_t i = 0; i < OUTPUTS_N; i++)
		if (i != OUTPUT_MESSAGES && is_same_regular(&c->outputs[i].st, st))
			return refuse_output(&c->outputs[i], option, path, c->outputs[i].what,
					     c->why);
	return 0;
}

static int check_document(const struct checking *c, const char *option, const char *path)
{
	struct stat st;

	if ((strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st)) < 0)
		return 0; /* the reader reports it */
	return same_file_check_input(c, option, file_name_shown(path), &st);
}

/* Whether the result is appended to the history, which is read before the result is written. */
static bool continues_history(const struct options *o)
{
	if (o->job != JOB_COUNT || !options_format(o)->is_history)
		return false;
	return o->output ? o->append : (fcntl(options_result_fd(o), F_GETFL) & O_APPEND) != 0;
}

static int check_folder(const struct checking *c, DIR *folder)
{
	const char *path = c->options->compare_options.history;
	const struct dirent *entry;
	struct stat st;
	int err = 0;

	while (err == 0 && (entry = readdir(folder))) {
		cleanup_str struct str name = { 0 };

		if (!file_name_is_document(entry->d_name) ||
		    fstatat(dirfd(folder), entry->d_name, &st, 0) < 0)
			continue;
		str_addf(&name, "%s/%s", path, entry->d_name);
		err = same_file_check_input(c, "--history", str_text(&name), &st);
	}
	return err;
}

static int same_file_check_history(const struct checking *c)
{
	const char *path = c->options->compare_options.history;
	struct checking others = *c;
	cleanup_dir DIR *folder = path ? opendir(path) : NULL;

	if (!path)
		return 0;
	if (folder)
		return check_folder(c, folder);
	if (continues_history(c->options))
		others.outputs[OUTPUT_RESULT].st = (struct stat){ 0 };
	return check_document(&others, "--history", path);
}

static int check_inputs(const struct checking *c)
{
	static const char *const readers[JOB_VERSION + 1] = {
		[JOB_SHOW] = "--show", [JOB_COMPARE] = "--compare", [JOB_MERGE] = "--merge"
	};
	const struct options *o = c->options;
	const char *reader = readers[o->job];
	int err = 0;

	for (size_t i = 0; reader && err == 0 && o->argv[i]; i++)
		err = check_document(c, reader, o->argv[i]);
	if (err == 0 && o->compare_options.baseline)
		err = check_document(c, "--baseline", o->compare_options.baseline);
	if (err == 0 && o->input)
		err = check_document(c, "--input", o->input);
	return err < 0 ? err : same_file_check_history(c);
}

/* ---- Two outputs. */

/* The folder that contains the file. */
static int stat_folder(const char *path, struct stat *st)
{
	cleanup_free char *folder = file_folder(path);

	return folder ? stat(folder, st) : -1;
}

static const char *last_word(const char *path)
{
	return path + file_folder_length(path);
}

/* Whether both outputs name the same file, or will do so once it exists. The result and
 * messages may share a file. */
static bool is_same_output(const struct output_file *a, const struct output_file *b)
{
	struct stat left, right;

	if (!b->path || a->st.st_mode != b->st.st_mode)
		return false;
	if (!a->path && output_names_descriptor(b->path)) /* it continues the text there */
		return false;
	if (a->st.st_mode != 0)
		return is_same_regular(&a->st, &b->st);
	return a->path && strcmp(last_word(a->path), last_word(b->path)) == 0 &&
	       stat_folder(a->path, &left) == 0 && stat_folder(b->path, &right) == 0 &&
	       left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

int same_file_check(const struct options *o, struct why *why)
{
	struct checking c = {
		.options = o,
		.why = why,
		.outputs = { [OUTPUT_RESULT] = { "-o", o->output, options_result_fd(o), "result" },
			     [OUTPUT_MESSAGES] = { .fd = STDERR_FILENO },
			     [OUTPUT_DOCUMENT] = { "--save", o->save, -1, "document" },
			     [OUTPUT_PAGE] = { "--html", o->html, -1, "page" } },
	};

	for (size_t i = 0; i < OUTPUTS_N; i++)
		stat_output(&c.outputs[i]);
	for (size_t i = 0; i < OUTPUTS_N; i++)
		for (size_t k = 0; k < i; k++)
			if (is_same_output(&c.outputs[k], &c.outputs[i])) {
				const struct output_file *a = &c.outputs[k], *b = &c.outputs[i];

				return a->path ?
					       refuse_output(b, a->option, a->path, b->what, why) :
					       refuse_output(a, b->option, b->path, b->what, why);
			}
	return check_inputs(&c);
}
