/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two sides are compared in two steps. contrast_of() computes the estimates, their intervals and
 * the p values. contrast_judge() then compares the p values with the level of a family of
 * contrasts. The level depends on all p values, so all contrasts are computed first.
 *
 * Counts are compared by their ratio: the differences of their logarithms are averaged, so that
 * doubling and halving have the same weight. If a count is 0, the counts themselves are analysed.
 * If the runs were taken in rounds, and each round ran each side once, the sides are compared
 * within the rounds (paired t interval). This removes changes between the rounds. Other runs get
 * Welch's interval (Welch 1947, Biometrika 34). Sides are only reported to differ if a permutation
 * test agrees, because it assumes nothing about the distribution.
 */
#ifndef PSTAT_STATS_CONTRAST_H
#define PSTAT_STATS_CONTRAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/permutation.h"
#include "stats/rmath.h"

/* Limits are decimal numbers. A value that equals a limit may differ from the limit by rounding. */
#define CONTRAST_ROUNDING 1e-9
/* Rounding changes the logarithm of a count up to 2^53 by at most this much. */
#define CONTRAST_LOG_ROUNDING 2e-14

/* A number with its uncertainty. */
enum estimate_method {
	ESTIMATE_POINT, /* no interval, or an unknown one: low = high = value */
	ESTIMATE_T, /* Student's t interval of a mean, or of the differences of pairs, or wider */
	ESTIMATE_WELCH, /* Welch's t interval of two unpaired samples, or wider */
	ESTIMATE_FIELLER, /* Fieller's interval of the ratio of two means */
	ESTIMATE_ANY_TIME, /* the interval of the sequential test, or wider */
};

struct estimate {
	double value, low, high;
	enum estimate_method method;
	bool withheld; /* there is no value; ignore the other members */
};

/* The logarithm of a ratio, with its standard error and the degrees of freedom of the error. */
struct log_ratio {
	bool known; /* otherwise ignore the other members */
	double value, error, df; /* an error of 0 is exact */
};

/* How the other side's values changed from the reference's. */
enum change {
	CHANGE_TOO_FEW, /* too few runs for the level, or no counts at all */
	CHANGE_SAME, /* any change is within the minimum effect */
	CHANGE_LESS, /* the other side has less; the change may exceed the minimum effect */
	CHANGE_MORE,
	CHANGE_UNCLEAR,
};

/* The values of one event or metric on two sides. All are finite; only a metric can be below 0. */
struct contrast_input {
	const double *reference, *other;
	size_t reference_n, other_n;
	bool paired; /* value i of each side belongs to round i; both sides have the same size */
	double confidence; /* between 0 and 1: 0.95 */
	double minimum_effect; /* a ratio from 1 / (1 + effect) to 1 + effect is "same" */
	uint64_t seed; /* of the permutation test */
	/*
	 * Some values are estimates of multiplexed counts. Such values are never exact, even if all
	 * are equal. reference_error, other_error: half the widths of the 95 % intervals of the
	 * means that the errors of the estimates alone cause. 0: these errors are part of the
	 * spread of the values; INFINITY: unknown. The intervals are at least as wide as these
	 * errors, and the p values allow for them.
	 */
	bool estimated;
	double reference_error, other_error;
	/* The reference is one number without an error. The other side is compared with it by the t
	 * test of one sample, not by ratios and without a permutation test. */
	bool exact_reference;
	/* The values decided when the rounds ended, so the interval and p have to be valid at any
	 * time (stats/sequential.h). Only if paired. */
	bool any_time;
};

struct contrast {
	bool by_ratio; /* ratios were analysed; otherwise differences */
	bool constant; /* enough runs, equal on each side: the difference is exact */
	struct estimate ratio; /* other / reference; withheld if the reference may be 0 */
	struct estimate difference; /* other - reference, of the means */
	/* Known if by_ratio, and the values vary or are constant. */
	struct log_ratio log_ratio;
	double p; /* two-sided, of the t test or the sequential test that both sides are equal */
	/* Twice the larger one-sided p of the t tests that the change exceeds the minimum effect in
	 * either direction: at most 1 - confidence if the interval is within that effect. */
	double p_same;
	bool by_estimates; /* errors of multiplexed counts exceed the spread, or are unknown */
	/* tests the same hypothesis as p; contrast_estimate() does not set it */
	struct permutation permutation;
	double floor; /* the smallest level at which these runs can show a difference */
	double limit_floor; /* the smallest level for a limit, see contrast_evidence_beyond() */
	enum change change; /* set by contrast_judge(); CHANGE_TOO_FEW before */
	bool disagree; /* set by contrast_judge(): only one of the two tests shows a change */
	bool corrected; /* set by contrast_judge(): unclear, but changed without the others */
};

/*
 * Estimates, intervals and p values. scratch: room for 2 * (reference_n + other_n) numbers. If a
 * side has less than two values, there is no interval, and p is 1.
 *
 * If both sides are constant, the difference is exact, and three runs are enough. Suppose that a
 * count has only two possible values, with equal probabilities. Three equal values on each side
 * then have a probability below 1 - confidence (0.05). Two runs are enough for counts of at least
 * 10,000. Counts of page faults, for example, may alternate between two neighbouring values, but
 * such a difference is too small to matter. Two counts of independent events (Poisson) with the
 * mean c are equal with a probability of about 1 / √(4πc). The product of this probability for both
 * sides has to be below the square of 1 - confidence.
 *
 * If a count is 0, the ratio is that of the means, and its interval is Fieller's (1954, Journal of
 * the Royal Statistical Society B 16), cut at 0 if no value is below 0. There is no ratio if the
 * reference's mean may be 0.
 */
struct contrast contrast_of(const struct contrast_input *in, const struct math *math,
			    double *scratch);

/*
 * contrast_of() without the permutation test, which takes most of the time. Do not pass the
 * contrast to contrast_judge().
 */
struct contrast contrast_estimate(const struct contrast_input *in, const struct math *math,
				  double *scratch);

/* With fewer runs, equal counts do not prove anything against an exact reference. */
enum { CONTRAST_RUNS_EXACT_MIN = 3 };

/* Contrasts that are judged together. */
struct contrast_family {
	double alpha; /* the error probability of the family: 1 - confidence */
	size_t n; /* the contrasts that may show a change, at least 1 */
	double level; /* the largest p that shows a change: alpha / n to alpha */
};

/*
 * The method of Benjamini and Hochberg (1995, Journal of the Royal Statistical Society B 57). If
 * all sides are equal, the probability of one or more false changes is at most alpha. Otherwise, on
 * average at most a share of alpha of the changes is false. This holds for independent counts, and
 * for counts that increase together, such as times and cycles. Contrasts with too few runs, and
 * exact equality, cannot show a change, so they do not belong to the family. contrasts: n pointers.
 * scratch: room for n numbers.
 */
struct contrast_family contrast_family_of(const struct contrast *const *contrasts, size_t n,
					  double alpha, double *scratch);

/*
 * Set change, disagree and corrected. A change needs a p of at most the level of the family.
 * "Same" needs only alpha, because it is never a false change.
 */
void contrast_judge(struct contrast *c, const struct contrast_family *family);

/*
 * The aim of a prediction: to be significant even if no other contrast of the family is, so with a
 * p of at most alpha / family.
 */
struct contrast_goal {
	double alpha;
	size_t family; /* at least 1 */
	double power; /* the probability that the runs show the true effect */
};

/*
 * The minimum number of runs of each side (rounds, if paired) for a verdict on counts that vary.
 * With this number, the smallest p of a permutation test is at most level, so that it can show a
 * change. limit_level: twice the smallest one-sided p that a limit may need; 0: there is no limit.
 * reference_n: the number of runs of a reference that is finished and not paired; 0: the reference
 * gets as many runs as the other side. Returns 0 if no number is enough.
 */
size_t contrast_runs_min(bool paired, size_t reference_n, double level, double limit_level);

/* contrast_runs_min() for small counts that are constant on each side. */
size_t contrast_runs_min_constant(double level);

/*
 * The minimum number of runs of each side for a two-sided p of alpha, if counts remain constant or
 * vary as before. Not for an exact reference.
 */
size_t contrast_runs_least(const struct contrast_input *in, double alpha);

/*
 * The number of runs of each side (rounds, if paired) that show an effect (ratio 1 + effect) with
 * the power of the goal. The number is never lower than a permutation test needs. The spread is
 * estimated from the runs so far: the upper end of its one-sided 80 % interval is used. 0: unknown,
 * or more than a million. Not for an exact reference.
 */
size_t contrast_runs_needed(const struct contrast_input *in, const struct math *math, double effect,
			    const struct contrast_goal *goal, double *scratch);

/* A limit, and the direction of the one-sided test. */
struct contrast_limit {
	double value; /* relative: of the ratio - 1, above -1; else of the difference */
	bool relative;
	bool above; /* test for a count above the limit; otherwise below */
};

/*
 * The one-sided p of the t test of the observed ratio or difference, if the true one equals the
 * limit. p is at most (1 - confidence) / 2 if and only if the whole interval is beyond the limit.
 * Without any spread, p is 0 or 1. A value that equals the limit is not beyond the limit.
 */
double contrast_p_beyond(const struct contrast_input *in, const struct math *math,
			 const struct contrast_limit *limit, double *scratch);

/*
 * The one-sided p of the permutation test. First, the reference's values are multiplied by the
 * limit, if it is relative; otherwise they are increased by the limit. level: p will be compared
 * with it. scratch: see contrast_of().
 */
struct permutation contrast_permutation_beyond(const struct contrast_input *in,
					       const struct math *math,
					       const struct contrast_limit *limit, double level,
					       double *scratch);

/*
 * The larger p of the two tests, because both have to agree. The p of the t test is returned alone
 * if it is above highest, which proves nothing, if both sides are constant, or if the reference is
 * exact. lowest: the smallest level with which p may be compared. scratch: see contrast_of().
 */
double contrast_evidence_beyond(const struct contrast_input *in, const struct math *math,
				const struct contrast_limit *limit, double highest, double lowest,
				double *scratch);

/* ---- Which of several limits are crossed, with one error probability for all of them. */

enum gate_outcome {
	GATE_KEPT, /* proven: the limit is not crossed */
	GATE_CROSSED, /* proven: the limit is crossed */
	GATE_UNCLEAR, /* neither is proven */
};

/* The evidence for one limit, see contrast_evidence_beyond(). */
struct gate_evidence {
	double p_crossed; /* small if the limit is crossed */
	double p_kept; /* small if the limit is kept */
	/* ---- filled by contrast_judge_gates() */
	enum gate_outcome outcome;
	/*
	 * The largest p that would decide an unclear gate. If p_kept is the smaller p, this is the
	 * largest p_kept that proves a kept limit. Otherwise, it is the largest p_crossed that
	 * proves a crossed limit, even if no other unclear gate is crossed.
	 */
	double level;
};

/*
 * Judge n limits. confidence: between 0 and 1. Holm's method (1979, Scandinavian Journal of
 * Statistics 6) decides which limits are crossed: the probability that one or more kept limits are
 * called crossed is at most (1 - confidence) / 2, for any n. Each limit is tested on its own for
 * being kept, with the same error probability. order: room for n numbers.
 */
void contrast_judge_gates(struct gate_evidence *gates, size_t n, double confidence, size_t *order);

#endif
