/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "job/counting.h"
#include "job/same_work.h"
#include "output/notes.h"

/* What a side did in its run. */
struct work {
	struct output_hash output;
	int wait_status;
};

size_t same_work_runs(const struct counting *counting)
{
	const struct options *o = counting->options;
	const struct compare_options *c = &o->compare_options;

	const bool values_are_sides =
		c->lists.n > 0 && counting->sides.cases.n == 0 && c->side_values.n == 0;

	/* the values of -L change the work, and so may the commits of a bisection */
	if (o->no_output_check || o->show_output || c->bisect || values_are_sides ||
	    counting->baseline || c->order == ORDER_SEQUENTIAL)
		return 0;
	return counting->sides.n;
}

static bool same_work_run_side(struct counting *counting, size_t side, struct work *work)
{
	struct runner *r = &counting->runner;
	bool goes_on = runner_hash_output(r, &counting->sides.v[side], &work->output);

	work->wait_status = r->wait_status;
	return goes_on;
}

/* ---- Copies. */

/* Whether the files a and b, which have the same size, have the same bytes. */
static bool same_work_have_same_bytes(int a, int b)
{
	char buffers[2][65536];
	ssize_t n;

	do {
		n = read(a, buffers[0], sizeof(buffers[0]));
		if (read(b, buffers[1], sizeof(buffers[1])) != n || n < 0 ||
		    memcmp(buffers[0], buffers[1], (size_t)n) != 0)
			return false;
	} while (n > 0);
	return true;
}

/* Whether two sides execute files of other names, but with the same bytes and arguments. */
static bool same_work_is_copy(const struct side *side, const struct side *of)
{
	cleanup_fd int fd = open(side->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	cleanup_fd int of_fd = open(of->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat a, b;

	if (fd < 0 || of_fd < 0 || side->words.n != of->words.n || fstat(fd, &a) < 0 ||
	    fstat(of_fd, &b) < 0 || a.st_size != b.st_size)
		return false;
	for (size_t i = 1; i < side->words.n; i++)
		if (strcmp(side->words.v[i], of->words.v[i]) != 0)
			return false;
	/* a link has the same bytes, but may choose the work by its name: busybox, clang++ */
	return (a.st_dev != b.st_dev || a.st_ino != b.st_ino) &&
	       same_work_have_same_bytes(fd, of_fd);
}

/* ---- The check. */

/* Append a word as a shell reads it. */
static void same_work_add_word(struct str *out, const char *word)
{
	if (*word && word[strcspn(word, " \t\n\"'\\|&;<>()$`*?[]{}#~!=")] == '\0') {
		str_add(out, word);
		return;
	}
	str_add(out, "'");
	for (; *word; word++)
		str_addf(out, *word == '\'' ? "'\\%c'" : "%c", *word);
	str_add(out, "'");
}

/* Append the command of a side as it can be typed. */
static void same_work_add_command(struct str *out, const struct side *side)
{
	for (size_t i = 0; i < side->words.n; i++) {
		str_add(out, i ? " " : "");
		same_work_add_word(out, side->words.v[i]);
	}
}

/* Report one difference: a note, or with --same-output an error. i: of the case. */
static int same_work_report(const struct counting *counting, size_t i, const struct side *sides[2],
			    const struct work *works[2], struct why *why)
{
	const struct options *o = counting->options;
	cleanup_str struct str text = { 0 };

	if (counting->sides.cases.n > 0)
		str_addf(&text, "case %s: ", counting->sides.cases.v[i]);
	if (works[0]->wait_status != works[1]->wait_status) {
		str_addf(&text, "'%s' and '%s' end with different statuses", sides[1]->name,
			 sides[0]->name);
	} else {
		str_addf(&text,
			 "'%s' and '%s' write different output (%llu and %llu bytes); see diff <(",
			 sides[0]->name, sides[1]->name, (unsigned long long)works[0]->output.bytes,
			 (unsigned long long)works[1]->output.bytes);
		same_work_add_command(&text, sides[0]);
		str_add(&text, ") <(");
		same_work_add_command(&text, sides[1]);
		str_add(&text, ")");
	}
	if (text.failed)
		return -ENOMEM;
	if (o->same_output)
		return why_set(why, -EINVAL, "--same-output: %s", str_text(&text));
	note_print(o, "%s", str_text(&text));
	return 0;
}

static bool same_work_is_equal(const struct work *a, const struct work *b)
{
	return a->output.bytes == b->output.bytes && a->output.value == b->output.value &&
	       a->wait_status == b->wait_status;
}

/* Check the n sides of case i. works: room for n. 0; -errno with why. */
static int same_work_check_case(struct counting *counting, size_t i, size_t n, struct work *works,
				bool *goes_on, struct why *why)
{
	const struct side *sides = &counting->sides.v[i * n];
	struct work again = { 0 };
	bool differs = false;
	int err = 0;

	for (size_t k = 0; *goes_on && k < n; k++) {
		*goes_on = same_work_run_side(counting, i * n + k, &works[k]);
		differs |= *goes_on && !same_work_is_equal(&works[k], &works[0]);
	}
	if (*goes_on && differs)
		*goes_on = same_work_run_side(counting, i * n, &again);
	if (*goes_on && differs && !same_work_is_equal(&again, &works[0])) {
		if (counting->options->verbose)
			note_print(
				counting->options,
				"the output of '%s' varies from run to run, so it is not compared",
				sides[0].name);
		differs = false;
	}
	for (size_t k = 1; err == 0 && *goes_on && k < n; k++) {
		const struct side *pair[2] = { &sides[0], &sides[k] };
		const struct work *of_pair[2] = { &works[0], &works[k] };

		if (differs && !same_work_is_equal(&works[k], &works[0]))
			err = same_work_report(counting, i, pair, of_pair, why);
		if (err == 0 && i == 0 && same_work_is_copy(&sides[k], &sides[0]))
			note_print(counting->options,
				   "'%s' is a copy of '%s', with the same arguments", sides[k].name,
				   sides[0].name);
	}
	return err;
}

int same_work_check(struct counting *counting, bool *goes_on, struct why *why)
{
	const size_t cases_n = counting->sides.cases.n ? counting->sides.cases.n : 1;
	const size_t n = same_work_runs(counting) / cases_n;
	cleanup_free struct work *works = calloc(n + 1, sizeof(*works));
	int err = 0;

	*goes_on = true;
	if (!works)
		return -ENOMEM;
	if (n == 0 && counting->options->same_output)
		err = why_set(why, -EINVAL,
			      "--same-output: the outputs of these sides are not compared, see "
			      "pstat-compare(1)");
	for (size_t i = 0; n > 0 && err == 0 && *goes_on && i < cases_n; i++)
		err = same_work_check_case(counting, i, n, works, goes_on, why);
	return err;
}
