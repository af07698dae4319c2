/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "cli/message.h"
#include "cli/shell_cost.h"
#include "stats/summary.h"

enum { RUNS_N = 11 };

/* The first words of any side, SHELL and -c, with the command that does nothing. */
static int shell_words(const struct counting *job, struct str_list *words)
{
	const struct str_list *side = &job->sides.v[0].words;
	int err = 0;

	for (size_t i = 0; err == 0 && i + 1 < side->n; i++)
		err = str_list_add(words, side->v[i]);
	if (err == 0)
		err = str_list_add(words, ":");
	if (err == 0 && array_grow(&words->v, words->n, &words->size, sizeof(*words->v)) < 0)
		err = -ENOMEM;
	if (err == 0)
		words->v[words->n] = NULL;
	return err;
}

static int run_shell(struct counting *job, const struct str_list *words, long double *ms)
{
	cleanup_why struct why why = { 0 };
	uint64_t start_ns = clock_ns();
	int status = 0;
	int err = workload_aside(&job->workload, words->v, &status, &why);

	*ms = (long double)(clock_ns() - start_ns) / 1e6L;
	if (workload_interrupted(&job->workload)) {
		err = -EINTR;
	} else if (err < 0) {
		message("--shell: %s", why_text(&why, err));
	} else if (status != 0) {
		message("--shell %s: '-c :' has failed: this is no shell",
			job->options->compare_options.shell);
		err = -EINVAL;
	}
	return err;
}

int shell_cost_tell(struct counting *job)
{
	cleanup_str_list struct str_list words = { 0 };
	long double ms[RUNS_N];
	int err = job->options->compare_options.shell ? shell_words(job, &words) : 0;

	if (err < 0 || words.n == 0)
		return err;
	for (size_t i = 0; err == 0 && i < RUNS_N; i++)
		err = run_shell(job, &words, &ms[i]);
	if (err < 0)
		return err;
	note_print(
		job->options,
		"--shell %s: the shell by itself takes %.2Lf ms (median of %d runs), which is part of "
		"each count and subtracted from nothing",
		job->options->compare_options.shell, summary_of(ms, RUNS_N).median, RUNS_N);
	return 0;
}
