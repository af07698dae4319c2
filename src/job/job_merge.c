/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --merge: add up the saved results of the ranks of a parallel job. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "job/jobs.h"
#include "job/loading.h"
#include "options/file_name.h"
#include "options/option_table.h"
#include "output/message.h"
#include "output/notes.h"
#include "output/outputs.h"
#include "result/ranks.h"

struct merging {
	const struct options *options;
	struct outputs outputs;
	struct saved sum; /* the first file, to which the others are added */
	struct ranks_builder builder;
	struct ranks ranks;
	const char **files; /* owned: for each rank, the file that has it; NULL: none so far */
	size_t files_n, files_size;
	char *job; /* owned; NULL: unknown */
	int ranks_n; /* of the job; -1: unknown */
	size_t failed_n; /* the ranks whose command failed */
	struct str first_failed; /* the name of the first of them */
	struct str other_program; /* the first rank with another program than the first file */
};

static void merging_release(struct merging *m)
{
	outputs_release(&m->outputs);
	ranks_release(&m->ranks);
	ranks_builder_release(&m->builder);
	saved_release(&m->sum);
	free(m->files);
	free(m->job);
	str_release(&m->first_failed);
	str_release(&m->other_program);
}

/* All ranks belong to one job. 0; -EINVAL after a message; -ENOMEM. */
static int check_job(struct merging *m, const struct provenance *p, const char *path)
{
	if (m->job && p->job && strcmp(m->job, p->job) != 0) {
		message("--merge %s: belongs to job '%s', but an earlier file to job '%s'", path,
			p->job, m->job);
		return -EINVAL;
	}
	if (m->ranks_n >= 0 && p->ranks.known && m->ranks_n != p->ranks.value) {
		message("--merge %s: its job has %d ranks, but the job of an earlier file has %d",
			path, p->ranks.value, m->ranks_n);
		return -EINVAL;
	}
	if (p->ranks.known)
		m->ranks_n = p->ranks.value;
	if (!p->job || m->job)
		return 0;
	m->job = strdup(p->job);
	return m->job ? 0 : message_no_memory();
}

/* Each rank may be there once. 0; -EINVAL after a message; -ENOMEM. */
static int note_rank(struct merging *m, const struct provenance *p, const char *path)
{
	size_t rank = p->rank.known ? (size_t)p->rank.value : 0;

	if (!p->rank.known)
		return 0;
	while (m->files_n <= rank) {
		if (array_grow(&m->files, m->files_n, &m->files_size, sizeof(*m->files)) < 0)
			return message_no_memory();
		m->files[m->files_n++] = NULL;
	}
	if (m->files[rank]) {
		message("--merge %s: rank %zu is already in %s", path, rank, m->files[rank]);
		return -EINVAL;
	}
	m->files[rank] = path;
	return 0;
}

/* The counts of a failed rank are part of the sum, although it may not have finished its work. */
static void record_failure(struct merging *m, const struct series *series, const char *name)
{
	if (!series_has_failed(series))
		return;
	if (m->failed_n++ == 0)
		str_add(&m->first_failed, name);
}

/* Several programs in one job are allowed. */
static void record_program(struct merging *m, const struct provenance *p, const char *name)
{
	const struct provenance *first = &m->sum.documents->provenance;

	if (m->other_program.len == 0 && first->argv.n > 0 && p->argv.n > 0 &&
	    strcmp(first->argv.v[0], p->argv.v[0]) != 0)
		str_addf(&m->other_program, "%s ran '%s'", name, p->argv.v[0]);
}

/* "rank 3 on node2", or the name of the file if it does not name a rank. */
static void merge_add_name(struct str *name, const struct provenance *p, const char *path)
{
	if (!p->rank.known) {
		str_add(name, path);
		return;
	}
	str_addf(name, "rank %d", p->rank.value);
	if (p->host)
		str_addf(name, " on %s", p->host);
}

/* 0; -EINVAL after a message that names the option that split the rows. */
static int merge_check_split(const char *path, const struct series *series)
{
	const struct option_row *row = option_of_split(series->split);

	if (!row && series->cgroups_n > 1)
		row = option_find("--for-each-cgroup");
	if (!row)
		return 0;
	message("--merge %s: its rows are split by %s; only whole commands can be added up",
		file_name_shown(path), option_spell(row).text);
	return -EINVAL;
}

/* The results that are added have the numbers of one rank each. 0; -errno after a message. */
static int add_file(struct merging *m, const char *path)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_str struct str name = { 0 };
	cleanup_why struct why why = { 0 };
	bool is_first = m->sum.n == 0;
	struct saved *into = is_first ? &m->sum : &saved;
	const struct provenance *p;
	int err = loading_file(into, "--merge", path);

	if (err < 0)
		return err;
	if (into->is_comparison || into->documents->series.ranks) {
		message("--merge %s: %s, not the result of a rank", path,
			into->is_comparison ? "a comparison" : "merged already");
		return -EINVAL;
	}
	err = merge_check_split(path, &into->documents->series);
	if (err < 0)
		return err;
	p = &into->documents->provenance;
	err = check_job(m, p, file_name_shown(path));
	if (err == 0)
		err = note_rank(m, p, file_name_shown(path));
	if (err < 0)
		return err;
	merge_add_name(&name, p, file_name_shown(path));
	record_failure(m, &into->documents->series, str_text(&name));
	record_program(m, p, str_text(&name));
	err = ranks_add(&m->builder, &m->sum.documents->series,
			is_first ? NULL : &saved.documents->series, str_text(&name), &why);
	if (err < 0)
		message("--merge %s: %s", path, why_text(&why, err));
	return err;
}

/* 0; -EINVAL after a message that names the missing ranks. */
static int check_ranks(const struct merging *m)
{
	size_t n = m->ranks_n > 0 ? (size_t)m->ranks_n : m->files_n, missing = 0;
	cleanup_str struct str list = { 0 };

	for (size_t i = 0; m->files_n > 0 && i < n; i++) {
		if (i < m->files_n && m->files[i])
			continue;
		if (missing++ < 5)
			str_addf(&list, "%s%zu", list.len ? ", " : "", i);
	}
	if (missing == 0)
		return 0;
	message("--merge: %zu of %zu ranks missing: %s%s", missing, n, str_text(&list),
		missing > 5 ? ", ..." : "");
	return -EINVAL;
}

static void print_notes(const struct merging *m)
{
	if (m->failed_n > 0)
		note_print(m->options, "%zu of %zu ranks failed, for example %s", m->failed_n,
			   m->ranks.n, str_text(&m->first_failed));
	if (m->other_program.len > 0)
		note_print(m->options, "the ranks did not run the same program: %s",
			   str_text(&m->other_program));
}

/* Print and save the sum. 0; -errno with why. */
static int write_sum(struct merging *m, struct why *why)
{
	struct series *series = &m->sum.documents->series;
	cleanup_with(table_release) struct table result = { 0 };
	struct notes *notes = &m->outputs.notes;
	int err = ranks_finish(&m->ranks, &m->builder, series);

	series->ranks = &m->ranks;
	if (err == 0)
		err = table_build(&result, series, NULL);
	if (err == 0)
		err = outputs_check_columns(&m->outputs, series, why);
	if (err == 0)
		err = notes_init(notes, m->options, series->events, series->openings);
	if (err < 0)
		return err;
	notes_print_reasons(notes);
	notes_print_gaps(notes, &result);
	print_notes(m);
	outputs_result(&m->outputs, &result);
	return 0;
}

int job_merge(const struct options *o)
{
	cleanup_with(merging_release) struct merging m = { .options = o,
							   .outputs = OUTPUTS_OF(o),
							   .ranks_n = -1 };
	cleanup_why struct why why = { 0 };
	int err = loading_check_stdin("--merge", o->argv);

	for (size_t i = 0; err == 0 && o->argv[i]; i++)
		err = add_file(&m, o->argv[i]);
	if (err == 0)
		err = check_ranks(&m);
	if (err < 0)
		return STATUS_PSTAT;
	err = outputs_open(&m.outputs, PRINT_RESULT, &why);
	if (err == 0)
		err = write_sum(&m, &why);
	outputs_lose(&m.outputs, err, &why);
	return outputs_close(&m.outputs);
}
