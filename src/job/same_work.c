/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "format/format.h"
#include "job/counting.h"
#include "job/same_work.h"
#include "output/notes.h"

/* What a side did in its run. */
struct work {
	struct output_hash output;
	int wait_status;
};

/* What the check found about one side, over all cases. */
struct work_finding {
	struct str text; /* owned: the first difference */
	size_t n; /* the number of cases with a difference */
	bool is_copy; /* and a note says so */
};

/* A check of the n sides of each case. */
struct check {
	struct counting *counting;
	size_t n;
	struct work *works; /* owned: of the sides of one case, then the reference again */
	struct work_finding *findings; /* owned: of each side */
};

static void same_work_release(struct check *check)
{
	for (size_t k = 0; check->findings && k < check->n; k++)
		str_release(&check->findings[k].text);
	free(check->findings);
	free(check->works);
}

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

/* Whether the paths have the same last component. */
static bool same_work_have_same_base(const char *a, const char *b)
{
	const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');

	return strcmp(slash_a ? slash_a : a, slash_b ? slash_b : b) == 0;
}

/*
 * If the side executes the program of the reference by another path, with the same arguments:
 * return the words that join the two names in the note. Otherwise NULL.
 */
static const char *same_work_find_copy(const struct side *side, const struct side *of)
{
	cleanup_fd int fd = open(side->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	cleanup_fd int of_fd = open(of->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat a, b;

	if (fd < 0 || of_fd < 0 || side->words.n != of->words.n || fstat(fd, &a) < 0 ||
	    fstat(of_fd, &b) < 0 || a.st_size != b.st_size)
		return NULL;
	for (size_t i = 1; i < side->words.n; i++)
		if (strcmp(side->words.v[i], of->words.v[i]) != 0)
			return NULL;
	if (a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return same_work_have_same_bytes(fd, of_fd) ? "runs a copy of the program of" :
							      NULL;
	/* a link of another name may choose the work by its name: busybox, clang++ */
	return strcmp(side->words.v[0], of->words.v[0]) != 0 &&
			       same_work_have_same_base(side->path, of->path) ?
		       "runs the same file as" :
		       NULL;
}

/* Print a note, unless an earlier case had one on sides of these names. */
static void same_work_note_copy(const struct counting *counting, const struct side *side,
				const struct side *of, struct work_finding *finding)
{
	const char *words = finding->is_copy ? NULL : same_work_find_copy(side, of);

	if (!words)
		return;
	finding->is_copy = true;
	note_print(counting->options, "'%s' %s '%s', with the same arguments", side->name, words,
		   of->name);
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

static bool same_work_is_output_equal(const struct work *a, const struct work *b)
{
	return a->output.bytes == b->output.bytes && a->output.value == b->output.value;
}

static bool same_work_is_equal(const struct work *a, const struct work *b)
{
	return same_work_is_output_equal(a, b) && a->wait_status == b->wait_status;
}

/* Append a description of the difference between two sides. Append nothing if they are equal, or if
 * the reference varies. again: its second run. */
static void same_work_add_difference(struct str *out, const struct side *sides[2],
				     const struct work *works[2], const struct work *again)
{
	if (works[0]->wait_status != works[1]->wait_status) {
		if (again->wait_status == works[0]->wait_status)
			str_addf(out, "'%s' and '%s' end with different statuses", sides[1]->name,
				 sides[0]->name);
		return;
	}
	if (same_work_is_output_equal(works[0], works[1]) ||
	    !same_work_is_output_equal(works[0], again))
		return;
	str_addf(out, "'%s' and '%s' write different output (%llu and %llu bytes); see diff <(",
		 sides[0]->name, sides[1]->name, (unsigned long long)works[0]->output.bytes,
		 (unsigned long long)works[1]->output.bytes);
	same_work_add_command(out, sides[0]);
	str_add(out, ") <(");
	same_work_add_command(out, sides[1]);
	str_add(out, ")");
}

/* Compare the work of side k in case i. 0; -EINVAL with why: a difference with --same-output;
 * -ENOMEM. */
static int same_work_add_finding(const struct check *check, size_t i, size_t k, struct why *why)
{
	const struct sides *all = &check->counting->sides;
	const struct side *pair[2] = { &all->v[i * check->n], &all->v[i * check->n + k] };
	const struct work *works[2] = { &check->works[0], &check->works[k] };
	struct work_finding *finding = &check->findings[k];
	cleanup_str struct str difference = { 0 }, text = { 0 };

	same_work_add_difference(&difference, pair, works, &check->works[check->n]);
	if (difference.len > 0 && all->cases.n > 0)
		str_addf(&text, "case %s: ", all->cases.v[i]);
	str_append(&text, &difference);
	if (text.failed)
		return -ENOMEM;
	if (text.len > 0 && check->counting->options->same_output)
		return why_set(why, -EINVAL, "--same-output: %s", str_text(&text));
	if (text.len > 0 && finding->n++ == 0)
		str_append(&finding->text, &text);
	return finding->text.failed ? -ENOMEM : 0;
}

/* The output or the status of the reference varies, so it is not compared. 0; -EINVAL with why:
 * with --same-output. */
static int same_work_report_varying(const struct options *o, const char *what, const char *name,
				    struct why *why)
{
	if (o->same_output)
		return why_set(why, -EINVAL,
			       "--same-output: the %s of '%s' varies from run to run; leave out "
			       "--same-output",
			       what, name);
	if (o->verbose)
		note_print(o, "the %s of '%s' varies from run to run, so it is not compared", what,
			   name);
	return 0;
}

/* Check case i. 0; -errno with why. */
static int same_work_check_case(struct check *check, size_t i, bool *goes_on, struct why *why)
{
	struct counting *counting = check->counting;
	const size_t n = check->n;
	const struct side *sides = &counting->sides.v[i * n];
	struct work *works = check->works, *again = &works[n];
	bool differs = false;
	int err = 0;

	for (size_t k = 0; *goes_on && k < n; k++) {
		*goes_on = same_work_run_side(counting, i * n + k, &works[k]);
		differs |= *goes_on && !same_work_is_equal(&works[k], &works[0]);
	}
	*again = works[0];
	if (*goes_on && differs)
		*goes_on = same_work_run_side(counting, i * n, again);
	if (*goes_on && !same_work_is_equal(again, &works[0]))
		err = same_work_report_varying(
			counting->options,
			again->wait_status == works[0].wait_status ? "output" : "exit status",
			sides[0].name, why);
	for (size_t k = 1; err == 0 && *goes_on && k < n; k++) {
		err = same_work_add_finding(check, i, k, why);
		if (err == 0)
			same_work_note_copy(counting, &sides[k], &sides[0], &check->findings[k]);
	}
	return err;
}

/* List the differences. Formats for people show them above the answer, so only the others need a
 * note. 0 or -ENOMEM. */
static int same_work_list_differences(const struct check *check, struct str_list *differences)
{
	const struct outputs *out = &check->counting->outputs;
	const bool shows = out->prints && out->format->audience != AUDIENCE_PROGRAMS;
	int err = 0;

	for (size_t k = 1; err == 0 && k < check->n; k++) {
		struct work_finding *finding = &check->findings[k];

		if (finding->n == 0)
			continue;
		if (finding->n > 1)
			str_addf(&finding->text, "; also in %zu other case%s", finding->n - 1,
				 finding->n > 2 ? "s" : "");
		err = finding->text.failed ? -ENOMEM :
					     str_list_add(differences, str_text(&finding->text));
		if (err == 0 && !shows)
			note_print(out->options, "%s", str_text(&finding->text));
	}
	return err;
}

int same_work_check(struct counting *counting, struct str_list *differences, bool *goes_on,
		    struct why *why)
{
	const size_t cases_n = counting->sides.cases.n ? counting->sides.cases.n : 1;
	cleanup_with(same_work_release) struct check check = {
		.counting = counting, .n = same_work_runs(counting) / cases_n
	};
	int err = 0;

	*goes_on = true;
	check.works = calloc(check.n + 1, sizeof(*check.works));
	check.findings = calloc(check.n + 1, sizeof(*check.findings));
	if (!check.works || !check.findings)
		err = -ENOMEM;
	else if (check.n == 0 && counting->options->same_output)
		err = why_set(why, -EINVAL,
			      "--same-output: the outputs of these sides are not compared, see "
			      "pstat-compare(1)");
	for (size_t i = 0; check.n > 0 && err == 0 && *goes_on && i < cases_n; i++)
		err = same_work_check_case(&check, i, goes_on, why);
	return err < 0 ? err : same_work_list_differences(&check, differences);
}
