/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The finished comparison of several sides, the first of which is the reference: every number that a
 * format prints, computed once. The formats print what stands here and compute nothing. A row is matched by
 * its name, place and cgroup; a side that does not have it has no counts there.
 */
#ifndef PSTAT_RESULT_COMPARISON_H
#define PSTAT_RESULT_COMPARISON_H

#include "result/result.h"
#include "stats/contrast.h"
#include "stats/gate.h"

/* More of it: is it good or bad? */
enum better {
	BETTER_LESS, /* counts and times */
	BETTER_MORE, /* instructions per cycle, a frequency */
};

/* Whose minimum effect, or which way is better, is not the usual. */
struct effect_request {
	const char *name; /* of an event or metric, as its row is named; NULL: of all */
	double minimum; /* a share, 0.01; below 0: not said */
	bool more_is_better;
};

/* A limit: "instructions:u>+0.5%". */
struct gate_request {
	const char *text; /* as it was written */
	char *name; /* owned: of an event, a metric or one of pstat's own */
	bool above; /* crossed by more than that, not by less */
	bool relative; /* limit is a share of the reference's; else in the event's unit */
	double limit;
};

struct side_input {
	const char *name; /* as it is shown */
	struct result_input input;
};

/* What a comparison is made of; all of it has to outlive the comparison. */
struct comparison_input {
	const struct side_input *sides; /* two at least; the reference first */
	size_t sides_n;
	bool paired; /* run i of every side is of round i */
	const size_t *order; /* the side of each run, as they were run; NULL: not known */
	size_t order_n;
	double confidence; /* 0 … 1 */
	uint64_t seed;
	const struct effect_request *effects;
	size_t effects_n;
	const struct gate_request *gates;
	size_t gates_n;
	bool gate_scaled; /* also on counts that are estimates */
	const struct math *math;
};

/* One event of one side. */
struct comparison_side {
	double *values; /* owned: of each run that counted it, in the row's unit */
	size_t *runs; /* owned: which run each is of */
	size_t n;
	size_t runs_n; /* in which it was to be counted */
	struct summary summary; /* of the values, with median */
	double half; /* of the mean's interval; 0 below two values */
	double spread_percent; /* the standard deviation of the runs, of the mean; 0 below two values */
	double first_quartile, third_quartile; /* R's type 7 */
	size_t outliers; /* beyond 1.5 times the distance of the quartiles from them (Tukey 1977) */
	bool scaled; /* some value is an estimate */
	enum count_state state; /* of all runs together */
	/* If the contrast is unclear: the number of runs for a verdict on this side; 0: unknown. */
	size_t runs_needed;
};

/* An event, or a metric, on all sides. */
struct comparison_row {
	char *name; /* owned */
	char *place; /* owned: "" for all of the target; else its place */
	char *cgroup; /* owned: or NULL */
	const char *unit;
	int decimals; /* of a value */
	enum better better;
	double minimum_effect; /* a share */
	struct comparison_side *sides; /* owned: one for each side */
	struct contrast
		*contrasts; /* owned: of each side with the reference; unused for that itself */
};

/* What is said of a side's row, see struct contrast. */
enum word { WORD_BETTER, WORD_WORSE, WORD_SAME, WORD_UNCLEAR, WORD_TOO_FEW, WORD_ABSENT };

/* A limit on a row of one side. */
struct gate {
	const struct gate_request *request;
	size_t side;
	const struct comparison_row *row;
	enum { GATE_JUDGED, GATE_ABSENT, GATE_SCALED, GATE_TOO_FEW } state;
	struct gate_evidence evidence; /* of GATE_JUDGED */
	bool disagree; /* of its two tests just the t test proves something */
	size_t limits_n; /* it would be crossed, were it not one of so many; else 0 */
	size_t runs_needed; /* where it is unclear; 0: not known */
	size_t runs_least; /* where it is unclear or has too few: no fewer can decide it */
};

struct comparison {
	struct comparison_input input;
	struct result *results; /* owned: of each side */
	struct comparison_row *rows; /* owned */
	size_t rows_n;
	struct gate *
		gates; /* owned: of each limit, each row of its name, each side but the reference */
	size_t gates_n, gates_size;
};

/* Whether a comparison has a row of that name whatever is counted: it is one of pstat's own. */
bool comparison_has_own(const char *name);
/* Append their names, and a comma between each two and behind what is there. */
void comparison_add_own(struct str *names);

/* The best single word for a row of a side that is not the reference. */
enum word comparison_word(const struct comparison_row *row, size_t side);
const char *comparison_word_text(enum word word);

/* The outcome of all gates together: crossed by one; else unclear by one; else kept. */
enum gate_outcome comparison_outcome(const struct comparison *c);

/* 0; -ENOMEM; -ENOENT with why: no row is named as a gate's event. */
int comparison_build(struct comparison *c, const struct comparison_input *input, struct why *why);
void comparison_release(struct comparison *c);

#endif
