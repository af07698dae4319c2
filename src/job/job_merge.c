/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --merge: add up the saved results of the ranks of a parallel job. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/why.h"
#include "job/jobs.h"
#include "job/loading.h"
#include "options/option_table.h"
#include "output/notes.h"
#include "output/outputs.h"
#include "result/ranks.h"

struct merging {
	const struct options *options;
	struct outputs outputs;
	struct saved sum; /* the first file, to which the others are added */
	struct series_ranks ranks;
	struct rank *v; /* owned: sorted by number */
	size_t v_n, v_size;
	struct str other_program; /* the first rank with another program than the first file */
};

static void job_merge_merging_release(struct merging *m)
{
	outputs_release(&m->outputs);
	for (size_t i = 0; i < m->v_n; i++) {
		free(m->v[i].name);
		free(m->v[i].values);
	}
	free(m->v);
	series_ranks_release(&m->ranks);
	saved_release(&m->sum);
	str_release(&m->other_program);
}

/* All ranks belong to one job. sum: what is known so far. 0; -EINVAL with why. */
static int job_merge_check_job(struct provenance *sum, struct provenance *p, const char *path,
			       struct why *why)
{
	if (sum->job && p->job && strcmp(sum->job, p->job) != 0)
		return why_set(why, -EINVAL,
			       "--merge %s: belongs to job '%s', but an earlier file to job '%s'",
			       path, p->job, sum->job);
	if (sum->ranks.known && p->ranks.known && sum->ranks.value != p->ranks.value)
		return why_set(
			why, -EINVAL,
			"--merge %s: its job has %d ranks, but the job of an earlier file has %d",
			path, p->ranks.value, sum->ranks.value);
	if (!sum->ranks.known)
		sum->ranks = p->ranks;
	if (!sum->job)
		sum->job = take_ptr(p->job);
	return 0;
}

/* "rank 3 on node2", or the name of the file if it does not name a rank. NULL: out of memory. */
static char *job_merge_rank_name(const struct provenance *p, const char *path)
{
	cleanup_str struct str name = { 0 };

	if (!p->rank.known)
		return strdup(path);
	str_addf(&name, "rank %d", p->rank.value);
	if (p->host)
		str_addf(&name, " on %s", p->host);
	return name.failed ? NULL : take_ptr(name.text);
}

/* Insert a rank; each may be there once. The result is valid until the next call. NULL: why names
 * the file that has this rank, or is empty, because memory ran out. */
static struct rank *job_merge_insert_rank(struct merging *m, const struct provenance *p,
					  const char *path, struct why *why)
{
	struct rank rank = { .number = p->rank.known ? p->rank.value : -1, .path = path };
	size_t at = m->v_n;

	while (at > 0 && m->v[at - 1].number > rank.number)
		at--;
	if (p->rank.known && at > 0 && m->v[at - 1].number == rank.number) {
		why_set(why, -EINVAL, "--merge %s: rank %d is already in %s", path, rank.number,
			m->v[at - 1].path);
		return NULL;
	}
	rank.name = job_merge_rank_name(p, path);
	if (!rank.name || array_grow(&m->v, m->v_n, &m->v_size, sizeof(*m->v)) < 0) {
		free(rank.name);
		return NULL;
	}
	memmove(&m->v[at + 1], &m->v[at], (m->v_n++ - at) * sizeof(*m->v));
	m->v[at] = rank;
	return &m->v[at];
}

/* Refuse a result whose rows are split. 0; -EINVAL with why, which names the option. */
static int job_merge_check_split(const char *path, const struct series *series, struct why *why)
{
	const struct option_row *row = option_of_split(series->split);

	if (!row && series->cgroups_n > 1)
		row = option_find("--for-each-cgroup");
	return row ? why_set(why, -EINVAL,
			     "--merge %s: its rows are split by %s; only whole commands can be "
			     "added up",
			     path, option_spell(row).text) :
		     0;
}

/* The results that are added have the numbers of one rank each. 0; -errno with why. */
static int job_merge_add_file(struct merging *m, const char *path, struct why *why)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_why struct why trouble = { 0 };
	struct saved *into = m->sum.n == 0 ? &m->sum : &saved;
	const char *name = file_name_shown(path);
	struct document *sum, *more;
	struct rank *rank;
	int err = loading_file(into, "--merge", path, why);

	if (err < 0)
		return err;
	sum = m->sum.documents;
	more = into->documents;
	if (into->is_comparison || more->series.ranks)
		return why_set(why, -EINVAL, "--merge %s: %s, not the result of a rank", path,
			       into->is_comparison ? "a comparison" : "merged already");
	err = job_merge_check_split(name, &more->series, why);
	if (err == 0)
		err = job_merge_check_job(&sum->provenance, &more->provenance, name, why);
	if (err < 0)
		return err;
	rank = job_merge_insert_rank(m, &more->provenance, name, why);
	if (!rank)
		return why->text ? -EINVAL : -ENOMEM;
	rank->failed = series_has_failed(&more->series);
	/* several programs in one job are allowed */
	if (m->other_program.len == 0 && sum->provenance.argv.n > 0 &&
	    more->provenance.argv.n > 0 &&
	    strcmp(sum->provenance.argv.v[0], more->provenance.argv.v[0]) != 0)
		str_addf(&m->other_program, "%s ran '%s'", rank->name, more->provenance.argv.v[0]);
	err = ranks_add(&sum->series, &more->series, rank, &trouble);
	return err < 0 ? why_set(why, err, "--merge %s: %s", path, why_text(&trouble, err)) : 0;
}

/* 0; -EINVAL with why, which names the missing ranks. */
static int job_merge_check_ranks(const struct merging *m, struct why *why)
{
	const struct known_int *ranks = &m->sum.documents->provenance.ranks;
	const int last = m->v[m->v_n - 1].number, n = ranks->known ? ranks->value : last + 1;
	cleanup_str struct str list = { 0 };
	size_t at = 0;
	int missing = 0;

	for (int number = 0; last >= 0 && number < n; number++) {
		while (at < m->v_n && m->v[at].number < number)
			at++;
		if (at < m->v_n && m->v[at].number == number)
			continue;
		if (missing++ < 5)
			str_addf(&list, "%s%d", list.len ? ", " : "", number);
	}
	return missing ? why_set(why, -EINVAL, "--merge: %d of %d ranks missing: %s%s", missing, n,
				 str_text(&list), missing > 5 ? ", ..." : "") :
			 0;
}

/* The counts of a failed rank are part of the sum, although it may not have finished its work. */
static void job_merge_print_notes(const struct merging *m)
{
	const struct rank *first = NULL;
	size_t failed_n = 0;

	for (size_t i = 0; i < m->v_n; i++) {
		failed_n += m->v[i].failed;
		if (!first && m->v[i].failed)
			first = &m->v[i];
	}
	if (first)
		note_print(m->options, "%zu of %zu ranks failed, for example %s", failed_n,
			   m->ranks.n, first->name);
	if (m->other_program.len > 0)
		note_print(m->options, "the ranks did not run the same program: %s",
			   str_text(&m->other_program));
}

/* Print and save the sum. 0; -errno with why. */
static int job_merge_write_sum(struct merging *m, struct why *why)
{
	struct series *series = &m->sum.documents->series;
	cleanup_with(table_release) struct table table = { 0 };
	struct notes *notes = &m->outputs.notes;
	int err = ranks_sum_up(&m->ranks, m->v, m->v_n, series);

	series->ranks = &m->ranks;
	if (err == 0)
		err = table_build(&table, series, NULL);
	if (err == 0)
		err = outputs_check_columns(&m->outputs, series, why);
	if (err == 0)
		err = notes_init(notes, m->options, series->events, series->openings);
	if (err < 0)
		return err;
	outputs_result(&m->outputs, &table);
	notes_print_reasons(notes);
	notes_print_gaps(notes, &table);
	job_merge_print_notes(m);
	return 0;
}

int job_merge(const struct options *o)
{
	cleanup_with(job_merge_merging_release) struct merging m = { .options = o,
								     .outputs = OUTPUTS_OF(o) };
	cleanup_why struct why why = { 0 };
	int err = loading_check_stdin("--merge", o->argv, &why);

	for (size_t i = 0; err == 0 && o->argv[i]; i++)
		err = job_merge_add_file(&m, o->argv[i], &why);
	if (err == 0)
		err = job_merge_check_ranks(&m, &why);
	if (err == 0)
		err = outputs_open(&m.outputs, PRINT_RESULT, &why);
	if (err == 0)
		err = job_merge_write_sum(&m, &why);
	outputs_lose(&m.outputs, err, &why);
	return outputs_close(&m.outputs);
}
