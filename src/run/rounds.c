/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/rounds.h"

/* The arguments of rounds_run(). */
struct work {
	struct rounds *rounds;
	struct runner *runner;
	rounds_rule *is_enough;
	void *data;
};

int rounds_init(struct rounds *rounds, enum round_order order, size_t sides_n, uint64_t seed)
{
	*rounds = (struct rounds){ .order = order,
				   .random = random_of_seed(seed),
				   .turns = calloc(sides_n + 1, sizeof(*rounds->turns)),
				   .sides_n = sides_n };
	return rounds->turns ? 0 : -ENOMEM;
}

const size_t *rounds_next(struct rounds *rounds)
{
	size_t n = rounds->sides_n;
	bool reversed = rounds->order == ORDER_ALTERNATE && rounds->n % 2;

	for (size_t i = 0; i < n; i++)
		rounds->turns[i] = reversed ? n - 1 - i : i;
	if (rounds->order == ORDER_RANDOM)
		random_shuffle(&rounds->random, rounds->turns, n);
	rounds->n++;
	return rounds->turns;
}

static bool add_run(const struct work *w, size_t side)
{
	struct rounds *rounds = w->rounds;

	if (array_grow(&rounds->sides, rounds->runs_n, &rounds->runs_size, sizeof(*rounds->sides)) <
	    0) {
		runner_out_of_memory(w->runner);
		return false;
	}
	rounds->sides[rounds->runs_n++] = side;
	return true;
}

/* One turn of a side: a run for each pass. The first pass changes from round to round. */
static bool run_side(const struct work *w, size_t index, size_t round)
{
	struct side *side = &w->runner->sides[index];
	struct session *session = &w->runner->session;

	for (size_t i = 0; i < session->passes_n; i++) {
		size_t before = side->series.runs_n;
		bool goes_on;

		session->opener.pass = (round + i) % session->passes_n;
		goes_on = runner_run(w->runner, side);
		if (side->series.runs_n > before && !add_run(w, index))
			return false;
		if (!goes_on)
			return false;
	}
	return true;
}

static bool warm_up(struct runner *r, size_t first, size_t n)
{
	bool goes_on = true;

	r->warming_up = true;
	for (unsigned int i = 0; goes_on && i < r->settings.warmups; i++)
		for (size_t side = first; goes_on && side < first + n; side++)
			goes_on = runner_run(r, &r->sides[side]);
	r->warming_up = false;
	return goes_on;
}

static bool run_round(const struct work *w, const struct rounds_done *done)
{
	const size_t *turns = done->n > 1 ? rounds_next(w->rounds) : &done->first;

	for (size_t i = 0; i < done->n; i++)
		if (!run_side(w, turns[i], done->rounds_n))
			return false;
	return true;
}

/* Run the warmup and all rounds of the n sides that begin at first. */
static bool run_rounds(const struct work *w, size_t first, size_t n)
{
	struct rounds_done done = { .sides = w->runner->sides, .first = first, .n = n };
	uint64_t start_ns;

	if (!warm_up(w->runner, first, n))
		return false;
	start_ns = clock_ns();
	do {
		if (!run_round(w, &done))
			return false;
		done.rounds_n++;
		done.elapsed_ns = clock_ns() - start_ns;
	} while (!w->is_enough(&done, w->data));
	return true;
}

/*
 * Find each program after the --setup of its side, because --setup may build it, and the next
 * --setup may remove it.
 */
static bool run_sequentially(const struct work *w)
{
	struct runner *r = w->runner;
	bool goes_on = true;

	for (size_t i = 0; goes_on && i < r->sides_n; i++) {
		struct side *side = &r->sides[i];

		goes_on = runner_setup(r, side) && runner_find_program(r, side) &&
			  run_rounds(w, i, 1);
		goes_on = runner_cleanup(r, side) && goes_on;
	}
	return goes_on;
}

bool rounds_run(struct rounds *rounds, struct runner *r, rounds_rule *is_enough, void *data)
{
	const struct work w = { rounds, r, is_enough, data };

	return rounds->order == ORDER_SEQUENTIAL ? run_sequentially(&w) :
						   run_rounds(&w, 0, r->sides_n);
}

void rounds_release(struct rounds *rounds)
{
	free(rounds->turns);
	free(rounds->sides);
	*rounds = (struct rounds){ 0 };
}
