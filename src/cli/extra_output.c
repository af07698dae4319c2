/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/why.h"
#include "cli/extra_output.h"

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

bool extra_output_is_same(const char *a, const char *b)
{
	struct stat left, right;
	bool there = stat(a, &left) == 0;

	if (there != (stat(b, &right) == 0))
		return false;
	if (!there && (strcmp(last_word(a), last_word(b)) != 0 || stat_folder(a, &left) < 0 ||
		       stat_folder(b, &right) < 0))
		return false;
	if (there && !S_ISREG(left.st_mode))
		return false;
	return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* Refuse the file if the result's descriptor or standard error writes to it: replacing it would
 * lose that text. */
static int check_descriptors(const struct output *output, const struct extra_output *extra_output,
			     const struct options *o, struct why *why)
{
	const int fds[] = { o->output ? STDERR_FILENO : options_result_fd(o), STDERR_FILENO };
	struct stat file, st;

	if (output->mode != OUTPUT_REPLACE || stat(extra_output->file, &file) < 0 ||
	    !S_ISREG(file.st_mode))
		return 0;
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fstat(fds[i], &st) == 0 && st.st_dev == file.st_dev && st.st_ino == file.st_ino)
			return why_set(
				why, -EINVAL,
				"%s %s is the file that descriptor %d writes to: give the %s one "
				"of its own",
				extra_output->option, extra_output->file, fds[i],
				extra_output->what);
	return 0;
}

int extra_output_open(struct output *output, const struct extra_output *extra_output,
		      const struct options *o, struct why *why)
{
	int err;

	if (o->output && extra_output_is_same(o->output, extra_output->file))
		return why_set(why, -EINVAL,
			       "-o %s and %s %s are the same file: give the %s one of its own",
			       o->output, extra_output->option, extra_output->file,
			       extra_output->what);
	err = output_open(output, extra_output->file, OUTPUT_REPLACE, -1, why);
	return err < 0 ? err : check_descriptors(output, extra_output, o, why);
}
