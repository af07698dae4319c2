/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "cli/message.h"
#include "cli/rounds.h"
#include "cli/series.h"
#include "cli/turns.h"

#define NS_OF_S 1e9

/* What is done when nothing was said of it. */
enum { DURATION_S = 10 };
#define PRECISION 0.01

size_t turns_limits(const struct turns *t)
{
	const struct counting *job = t->job;

	return job->options->compare_options.gates_n * (job->sides.n - (job->baseline ? 0 : 1));
}

int turns_init(struct turns *t, struct counting *job, const struct math *math)
{
	const struct compare_options *c = &job->options->compare_options;
	double seconds = c->duration_s > 0 ? c->duration_s : DURATION_S;

	*t = (struct turns){ .job = job, .in_rounds = c->order != ORDER_SEQUENTIAL };
	t->stopping = (struct stopping){
		.runs = job->options->has_repeat ? job->options->repeat : 0,
		.forever = job->options->has_repeat && job->options->repeat == 0,
		.limit_ns = (uint64_t)(seconds * NS_OF_S),
		.precision = c->precision,
		.confidence = c->confidence,
		.math = math,
	};
	if (!(c->precision > 0) && !(c->duration_s > 0))
		t->stopping.precision = PRECISION;
	stopping_need(&t->stopping, t->in_rounds && !job->baseline,
		      job->baseline ? job->baseline->document->settings.runs_n : 0,
		      turns_limits(t));
	t->sides = calloc(job->sides.n + 1, sizeof(*t->sides));
	return t->sides ? 0 : -ENOMEM;
}

struct series turns_series(const struct turns *t, size_t side)
{
	const struct result_input input = counting_input(t->job, &t->job->sides.v[side], NULL);

	return result_series(&input);
}

static struct series_value last_value(const struct turns *t, size_t side, size_t row)
{
	const struct series series = turns_series(t, side);

	return series_value(&series, row, series.runs_n - 1);
}

/* Whether the last run of each of these sides has a count in this row of the result. */
static bool is_counted(const struct turns *t, size_t first, size_t n, size_t row)
{
	const struct series series = turns_series(t, first);

	if (series_is_merged(&series, row))
		return false;
	for (size_t side = first; side < first + n; side++)
		if (!series_has_count(last_value(t, side, row).state))
			return false;
	return true;
}

/* The first event that each of these sides has counted in its last run decides when to stop. */
static void choose_row(struct turns *t, size_t first, size_t n)
{
	size_t rows_n = t->job->session.rows_n;

	t->row = 0;
	while (t->row < rows_n && !is_counted(t, first, n, t->row))
		t->row++;
	t->row_known = true;
}

static void add_last_value(struct turns *t, size_t side)
{
	const struct side *it = &t->job->sides.v[side];
	struct series_value value;

	if (t->row == t->job->session.rows_n) {
		summary_add(&t->sides[side], it->runs[it->runs_n - 1].tool[TOOL_DURATION_TIME]);
		return;
	}
	value = last_value(t, side, t->row);
	if (series_has_count(value.state))
		summary_add(&t->sides[side], value.in_unit);
}

void turns_add_values(struct turns *t, size_t first, size_t n)
{
	if (!t->row_known)
		choose_row(t, first, n);
	for (size_t side = first; side < first + n; side++)
		add_last_value(t, side);
}

static bool remember_turn(struct turns *t, size_t side)
{
	if (array_grow(&t->order, t->order_n, &t->order_size, sizeof(*t->order)) < 0) {
		message_no_memory();
		t->job->trouble = STATUS_PSTAT;
		return false;
	}
	t->order[t->order_n++] = side;
	return true;
}

/* Whether it goes on. */
static bool run_side(struct turns *t, size_t i)
{
	struct side *side = &t->job->sides.v[i];
	size_t before = side->runs_n;
	bool goes_on = series_run(t->job, side);

	return (side->runs_n == before || remember_turn(t, i)) && goes_on;
}

static bool warm_up(struct turns *t, size_t first, size_t n)
{
	bool goes_on = true;

	t->job->warming_up = true;
	for (unsigned int i = 0; goes_on && i < t->job->options->warmup; i++)
		for (size_t side = first; goes_on && side < first + n; side++)
			goes_on = series_run(t->job, &t->job->sides.v[side]);
	t->job->warming_up = false;
	return goes_on;
}

static bool run_round(struct turns *t, const size_t *turns)
{
	for (size_t i = 0; i < t->job->sides.n; i++)
		if (!run_side(t, turns[i]))
			return false;
	return true;
}

static bool take_in_rounds(struct turns *t)
{
	const struct options *o = t->job->options;
	size_t n = t->job->sides.n;
	struct rounds rounds;
	uint64_t start_ns;
	bool goes_on = rounds_init(&rounds, o->compare_options.order, n, t->job->seed) == 0;

	if (!goes_on) {
		message_no_memory();
		t->job->trouble = STATUS_PSTAT;
	}
	goes_on = goes_on && warm_up(t, 0, n);
	start_ns = clock_ns();
	while (goes_on && t->stop == STOP_NOT) {
		goes_on = run_round(t, rounds_next(&rounds));
		if (!goes_on)
			break;
		turns_add_values(t, 0, n);
		t->took_ns = clock_ns() - start_ns;
		t->stop = stopping_decide(&t->stopping, t->sides, n, rounds.n, t->took_ns);
	}
	rounds_release(&rounds);
	return goes_on;
}

/* All runs of a side, which has its share of the time. */
static bool take_alone(struct turns *t, size_t i)
{
	struct side *side = &t->job->sides.v[i];
	struct stopping stopping = t->stopping;
	bool goes_on = warm_up(t, i, 1);
	uint64_t start_ns = clock_ns();
	enum stop stop = STOP_NOT;

	stopping.limit_ns /= t->job->sides.n;
	while (goes_on && stop == STOP_NOT) {
		goes_on = run_side(t, i);
		if (!goes_on)
			break;
		turns_add_values(t, i, 1);
		stop = stopping_decide(&stopping, &t->sides[i], 1, side->runs_n,
				       clock_ns() - start_ns);
	}
	t->took_ns += clock_ns() - start_ns;
	if (t->stop != STOP_TOO_LONG)
		t->stop = stop;
	return goes_on;
}

/* What a setup builds may be gone with the next one, and is looked for behind it. */
static bool find_program(struct counting *job, struct side *side)
{
	cleanup_why struct why why = { 0 };
	int err = side_find_program(side, &why);

	if (err < 0) {
		message("%s", why_text(&why, err));
		job->trouble = series_exec_status(err);
	}
	return err == 0;
}

static bool take_sequentially(struct turns *t)
{
	struct counting *job = t->job;
	bool goes_on = true;

	for (size_t i = 0; goes_on && i < job->sides.n; i++) {
		struct side *side = &job->sides.v[i];

		goes_on = series_setup(job, side) && find_program(job, side) && take_alone(t, i);
		goes_on = series_cleanup(job, side) && goes_on;
	}
	return goes_on;
}

void turns_take(struct turns *t)
{
	t->ended_early = !(t->in_rounds ? take_in_rounds(t) : take_sequentially(t));
}

void turns_release(struct turns *t)
{
	free(t->order);
	free(t->sides);
	*t = (struct turns){ 0 };
}
