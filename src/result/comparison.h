/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The finished comparison of several sides. The first side is the reference. Every number that a
 * format prints is computed here, once; formats compute nothing.
 *
 * Rows of different sides belong together if they have the same name, place and cgroup. A side
 * without such a row has no counts in it. The contrasts of all rows are computed first. The
 * verdicts are then derived from them.
 */
#ifndef PSTAT_RESULT_COMPARISON_H
#define PSTAT_RESULT_COMPARISON_H

#include "result/table.h"
#include "stats/contrast.h"
#include "stats/interval.h"

/* Without --confidence. */
#define COMPARISON_CONFIDENCE INTERVAL_CONFIDENCE

/* The minimum effect or the better direction that the user gave for a row, or for all rows. */
struct effect_request {
	const char *name; /* of a row; NULL: of all rows */
	double minimum; /* a share: 0.01; below 0: not given */
	bool more_is_better;
};

enum limit_source {
	LIMIT_FIXED, /* the user gave the value */
	LIMIT_HISTORY, /* the noise of earlier results, see result/history.h */
	/* The default value, because there are too few earlier results. Also an 'auto' of a request
	 * whose limit is not known yet. Old documents have values of the user. */
	LIMIT_FALLBACK,
};

struct limit {
	double value;
	enum limit_source source;
	size_t changes_n; /* in the history */
};

/* One --fail-if: "instructions:u>+0.5%". */
struct gate_request {
	const char *text; /* as the user wrote it */
	char *name; /* owned: of an event, a metric or one of pstat's own rows */
	bool above; /* crossed by a larger value; otherwise by a smaller one */
	bool relative; /* the limit is a share of the reference; otherwise in the event's unit */
	bool is_geomean; /* on the geometric mean of the ratios of all cases, see result/suite.h */
	/* In the options: it stands in for the request before it, if that cannot be counted. */
	bool is_alternative;
	struct limit limit;
};

struct side_input {
	const char *name; /* the name that is shown */
	const struct series *series;
};

/* One case of a suite, see result/suite.h. */
struct comparison_case {
	char *name; /* owned by the document that it was read from, or by the job */
	bool any_time; /* of its comparison, see struct comparison_input */
};

/* All data that the pointers lead to has to outlive the comparison. */
struct comparison_input {
	const struct side_input *sides; /* at least two, the reference first */
	size_t sides_n;
	/* Of the input of a suite. The sides are those of the first case, then those of the next.
	 * Without cases, cases_n is 0. */
	const struct comparison_case *cases;
	size_t cases_n;
	bool paired; /* run i of every side belongs to round i */
	bool exact_reference; /* set by comparison_begin_exact() */
	const size_t *order; /* the side of each run, in the order of the runs; NULL: unknown */
	size_t order_n;
	size_t reference_n; /* the runs of a finished reference; 0: it gets more runs, too */
	double confidence; /* between 0 and 1 */
	uint64_t seed;
	const struct effect_request *effects;
	size_t effects_n;
	const struct gate_request *gates;
	size_t gates_n;
	/* Judge scaled counts without a confidence interval, too, as if they were exact. */
	bool gate_scaled;
	/* The values, or somebody who watched them, decided when the runs ended. If they are
	 * paired, all tests and the intervals of all changes are valid at any time, see struct
	 * contrast_input; there is no such test for other runs. */
	bool any_time;
	bool all_rows; /* show the rows that nobody asked for, too */
	/* A sentence for each side whose output or exit status differed from that of the reference;
	 * formats for people show them above the answer. Of the input of a suite: of all cases. */
	struct str_list different_work;
	const struct math *math;
};

/*
 * How many runs of each side show an effect, computed with COMPARISON_POWER from the spread of the
 * runs so far.
 */
struct runs_needed {
	size_t n; /* 0: unknown, or more than a million */
	/* the elapsed time of these runs of the side and the reference; 0: unknown */
	double seconds;
};

/* One row of one side. */
struct comparison_side {
	double *values; /* owned: of each run that counted it, in the row's unit */
	size_t *runs; /* owned: the run of each value */
	size_t n;
	size_t runs_n; /* the runs that should have counted it */
	struct summary summary; /* of the values, with the median */
	size_t runs_least; /* of the comparison, if there are too few; otherwise 0 */
	/* Half of the width of the mean's interval: the t interval, or the interval of the
	 * estimates if it is wider. 0: unknown if there is only one value, or if unbounded. */
	double half;
	double spread_percent; /* standard deviation of the runs / mean; 0 below two values */
	double first_quartile, third_quartile; /* R's type 7 */
	size_t outliers; /* more than 1.5 interquartile ranges from the quartiles (Tukey 1977) */
	bool scaled; /* at least one value is scaled */
	bool unbounded; /* its mean is scaled, and has no confidence interval */
	double estimate_error; /* see struct measure; NAN: unknown, or part of the spread */
	enum count_state state; /* of the side's runs together */
	/* If the verdict is unclear, see struct runs_needed; the effect is the row's minimum. */
	struct runs_needed runs_needed;
};

/*
 * What a row may claim. The first rows are judged alone: they have a probability of error of their
 * own. They are the first event or metric that the user asked for and that was counted; without
 * such a request, the elapsed time and the CPU time, which share it. The other rows that the user
 * asked for share another one. All other rows have an interval, but no verdict.
 */
enum claim {
	CLAIM_NONE,
	CLAIM_ASKED,
	CLAIM_FIRST,
};

enum { COMPARISON_FIRSTS_MAX = 2 };

/* An event or a metric on all sides. */
struct comparison_row {
	const struct measure *of; /* of the first side that has it: its name, place and cgroup */
	/* ---- as in the measure, but times are in msec */
	const char *unit;
	int decimals; /* of a value */
	enum better better;
	enum claim claim;
	double confidence; /* of the intervals of the changes: higher if two rows share it */
	struct contrast_family family; /* of its verdicts; ignore it without a claim */
	bool shown; /* in formats for people */
	bool drifts; /* depends on the machine, which changes over time */
	/* A share. By default 0.001 for an event that a program repeats almost exactly (see
	 * event_is_repeatable()), and 0.01 for all others. A row of few counts has a larger one:
	 * one count, but at most 0.01. */
	double minimum_effect;
	bool effect_asked; /* the user asked for this minimum_effect */
	struct comparison_side *sides; /* owned: one for each side */
	struct contrast *contrasts; /* owned: of each side with the reference; [0] is unused */
};

/* The verdict on a side that is compared with the reference. */
enum verdict {
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_SAME,
	VERDICT_UNCLEAR,
	VERDICT_TOO_FEW, /* too few runs */
	VERDICT_ABSENT, /* a side has no counts */
	VERDICT_NONE, /* the row has no claim */
};

enum gate_state {
	GATE_JUDGED,
	GATE_ABSENT, /* a side has no counts */
	GATE_UNBOUNDED, /* scaled counts without a confidence interval */
	GATE_TOO_FEW, /* too few runs */
};

/* A limit on a row of one side. */
struct gate {
	const struct gate_request *request;
	struct limit limit; /* of the request, or of this row */
	size_t side;
	const struct comparison_row *row;
	enum gate_state state;
	bool drifts; /* the row drifts, and the sides were measured at different times */
	struct gate_evidence evidence; /* of GATE_JUDGED */
	/* The row's contrast. If the gate is judged, its intervals have the confidence of gates. */
	struct contrast contrast;
	/* The gate is on the elapsed time, but the CPU time varies less than half as much. */
	bool cpu_time_varies_less;
	bool disagree; /* only the t test proves an outcome */
	size_t limits_n; /* not 0: as the only gate, it would be decided; the number of gates */
	struct runs_needed runs_needed; /* if unclear: runs that decide it */
	size_t runs_least; /* if unclear or too few: fewer runs cannot decide it */
};

/* The best of three or more sides, judged by one row. */
struct best_sides {
	const struct comparison_row *row; /* NULL: there are fewer sides, or one has no counts */
	size_t *sides; /* owned: the best side, and those that are not distinguishable from it */
	size_t n;
	bool unclear; /* some side has no verdict against the best one: more runs may decide */
	size_t next; /* the best of the other sides, or the second one of `sides` */
	struct contrast contrast; /* of next against the first one of `sides`; without a verdict */
};

struct comparison {
	struct comparison_input input;
	struct table *tables; /* owned: of each side */
	struct comparison_row *rows; /* owned */
	size_t rows_n;
	struct gate *gates; /* owned: for each request, each matching row and each other side */
	size_t gates_n, gates_size;
	/* The row of the conclusion: of the first rows, the one with the most decided sides. NULL:
	 * no first row has counts. */
	const struct comparison_row *leading;
	struct best_sides best; /* by the leading row */
	size_t *order; /* owned: all sides, the best first, if each has counts in the leading row */
	size_t verdicts_n; /* see struct comparison_plan */
	/* With this number of runs of each side, no row and no gate has too few. It is the number
	 * that the stopping rule uses, so that a table and the notes before it agree. */
	size_t runs_least;
};

/* Whether the row is the elapsed time or the CPU time of the whole target. */
bool comparison_is_time(const struct comparison_row *row);

/* What the runs of one side spent their time with. */
struct time_spent {
	double elapsed, cpu; /* nanoseconds */
	size_t waits, preempted; /* context switches: voluntary, and not */
	size_t runs;
};

struct time_spent comparison_time_spent(const struct comparison *c, size_t side);

/* Whether the runs hardly waited: at most 1.5 times per run (the start of a process waits once), or
 * at most 4 times per run and an eighth as often as they were preempted (on a busy machine,
 * processes wait, too). */
bool comparison_hardly_waits(const struct time_spent *spent);

/* Whether the CPU time says how fast the commands are: all hardly wait, and use one CPU. */
bool comparison_cpu_time_is_speed(const struct comparison *c);

/* The mean elapsed time of the runs of a side, in seconds; 0: it has no runs. */
double comparison_run_seconds(const struct comparison *c, size_t side);

/* The row of the elapsed time; NULL: there is none. */
const struct comparison_row *comparison_elapsed(const struct comparison *c);

/*
 * Append the names of the parameters that the sides have, each once. The caller releases names in
 * any case. 0 or -ENOMEM.
 */
int comparison_parameters(const struct comparison_input *input, struct str_list *names);

/* The name of the row that a user who writes this name may mean: that of the elapsed time for
 * "time", and that of the CPU time for "cpu_time". NULL: neither. No row has such a name. */
const char *comparison_name_meant(const char *name);

/* Whether the half of the side is known. */
static inline bool comparison_has_half(const struct comparison_side *side)
{
	return !side->unbounded && (side->n > 1 || side->half > 0);
}

/*
 * The ways in which a row can match the name of a gate or an effect_request, the closest first. The
 * request applies to all rows that match in the first way that has a match.
 */
enum name_match {
	NAME_EXACT,
	NAME_USER_ONLY, /* the row's event was restricted to user mode: "NAME:u" or "NAMEu" */
	NAME_ALIAS, /* another name of the same event: "faults" for "page-faults" */
	NAME_ALIAS_USER_ONLY,
	NAME_MATCHES_N,
};

bool comparison_is_named(const char *row, const char *name, enum name_match match);

/* The first way in which some row matches the name. NAME_MATCHES_N: none does. */
enum name_match comparison_closest_match(const struct comparison *c, const char *name);

/* The verdict on a side that is not the reference. */
enum verdict comparison_verdict(const struct comparison_row *row, size_t side);

/* The verdict that such a change of the row means. */
enum verdict comparison_verdict_of(const struct comparison_row *row, enum change change);

const char *comparison_verdict_text(enum verdict verdict);

const char *comparison_outcome_text(enum gate_outcome outcome);

/* Of the gates of a side together; 0: of all sides. Crossed if one is crossed; otherwise unclear if
 * one is; otherwise kept. */
enum gate_outcome comparison_outcome(const struct comparison *c, size_t side);

/* What decides how many runs a comparison needs. */
struct comparison_plan {
	/* The verdicts that share one probability of error; of the first rows or of the others that
	 * were asked for, whichever are more. A metric without a value counts, too: more runs may
	 * give it one. */
	size_t verdicts_n;
	size_t limits_n; /* each gate, once for each row and side that it judges */
	bool has_others; /* there are verdicts on other rows than the first ones */
	struct {
		/* of the last side's series; COMPARISON_ELAPSED: the elapsed time */
		size_t row;
		double effect; /* the minimum effect, a share */
	} firsts[COMPARISON_FIRSTS_MAX];
	size_t firsts_n;
	double confidence; /* of each first row */
};

#define COMPARISON_ELAPSED SIZE_MAX

/*
 * Plan the comparison from the rows of the series. At most the first run of each is looked at: it
 * shows which events can be counted. There may be no runs yet. 0 or -ENOMEM.
 */
int comparison_plan_of(struct comparison_plan *plan, const struct comparison_input *input);

/* 0; -ENOMEM; -ENOENT with why: no row has the name of a gate. */
int comparison_build(struct comparison *c, const struct comparison_input *input, struct why *why);
void comparison_release(struct comparison *c);

/* The log ratio of a side and the reference in the first rounds of paired runs, see struct
 * contrast. 0 or -ENOMEM. */
int comparison_early_ratio(struct log_ratio *ratio, const struct comparison *c,
			   const struct comparison_row *row, size_t side, size_t rounds_n);

/*
 * Compare a result with one number for each of its measures, see struct contrast_input. Only the
 * gates are judged, by comparison_judge_gates(); before that, the caller may change their limits.
 * references: of each measure of the table, in its unit; NAN: there is none, so a gate on the
 * measure is GATE_ABSENT. A request without a row has no gate. input: without sides. The table has
 * to outlive the comparison. 0 or -ENOMEM.
 */
int comparison_begin_exact(struct comparison *c, const struct comparison_input *input,
			   const struct table *table, const double *references);

/* 0 or -ENOMEM. */
int comparison_judge_gates(struct comparison *c);

/* The probability that the predicted number of runs leads to a verdict. */
#define COMPARISON_POWER 0.9

#endif
