/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two sides are compared in two steps. contrast_of() computes the estimates, their intervals and
 * the p values. contrast_judge() decides at a given level what they show, after all contrasts that
 * are judged together are known.
 *
 * Counts are compared by their ratio: the logarithms are analysed, and their differences are
 * averaged, so that twice as much and half as much weigh the same. If a count is 0, the counts
 * themselves are analysed. If the runs were taken in rounds, and each round ran each side once,
 * the sides are compared within the rounds (paired t interval). This removes changes between the
 * rounds. Other runs get Welch's interval (Welch 1947, Biometrika 34). Sides are only reported to
 * differ if a permutation test agrees, because it assumes nothing about the distribution.
 */
#ifndef PSTAT_STATS_CONTRAST_H
#define PSTAT_STATS_CONTRAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/math.h"
#include "stats/permutation.h"

/* A number with its uncertainty. */
enum estimate_method {
	ESTIMATE_POINT, /* no interval: low = high = value */
	ESTIMATE_T, /* Student's t interval of a mean, or of the differences of pairs */
	ESTIMATE_WELCH, /* Welch's t interval of two unpaired samples */
	ESTIMATE_FIELLER, /* Fieller's interval of the ratio of two means */
};

struct estimate {
	double value, low, high;
	enum estimate_method method;
	bool withheld; /* there is no value; the other members mean nothing */
};

/* How the other side's values changed from the reference's. */
enum change {
	CHANGE_TOO_FEW, /* too few runs for the level, or no counts at all */
	CHANGE_SAME, /* any change is within the minimum effect */
	CHANGE_LESS, /* the other side has less, possibly by more than the minimum effect */
	CHANGE_MORE,
	CHANGE_UNCLEAR,
};

/* The values of one event or metric on two sides. All are finite; only a metric can be below 0. */
struct contrast_input {
	const double *reference, *other;
	size_t reference_n, other_n;
	bool paired; /* value i of both sides is of round i; the sides have the same size */
	double confidence; /* between 0 and 1: 0.95 */
	double minimum_effect; /* a ratio from 1 / (1 + this) to 1 + this does not matter */
	uint64_t seed; /* of the permutation test */
};

struct contrast {
	bool by_ratio; /* ratios were analysed; otherwise differences */
	bool constant; /* each side has one value only, in enough runs: the difference is exact */
	struct estimate ratio; /* other / reference; withheld if the reference may be 0 */
	struct estimate difference; /* other - reference, of the means */
	double p; /* two-sided, of the t test that both sides are equal */
	/* Twice the larger one-sided p of the t tests that the change exceeds the minimum effect in
	 * either direction: at most 1 - confidence if the interval is within that effect. */
	double p_same;
	/* of the same hypothesis as p; not set by contrast_estimate() */
	struct permutation permutation;
	double floor; /* the smallest level at which so many runs can show anything */
	double limit_floor; /* the same for a crossed limit, see contrast_evidence_beyond() */
	size_t runs_min; /* of each side to show anything, if they stay constant, or keep varying */
	enum change change; /* set by contrast_judge(); CHANGE_TOO_FEW before */
	bool disagree; /* set by contrast_judge(): only one of the two tests shows a change */
};

/*
 * Estimates, intervals and p values. scratch: room for 2 * (reference_n + other_n) numbers. If a
 * side has less than two values, there is no interval, and p is 1.
 *
 * If both sides are constant, the difference is exact, and three runs are enough. Even if a count
 * took only two values, each with the same probability, so many equal values on both sides are
 * rarer than 1 - confidence. Two runs are enough for counts of at least 10,000. Two neighbouring
 * values, as of page faults, differ by less than what matters. Independent events (Poisson) around
 * c give the same count twice with a probability of about 1 / √(4πc). Its product for both sides
 * has to be below the square of 1 - confidence.
 *
 * If a count is 0, the ratio is that of the means, and its interval is Fieller's (1954, Journal of
 * the Royal Statistical Society B 16), cut at 0 if no value is below 0. There is no ratio if the
 * reference's mean may be 0.
 */
struct contrast contrast_of(const struct contrast_input *in, const struct math *math,
			    double *scratch);

/* The same without the permutation test, which takes most of the time. It cannot be judged. */
struct contrast contrast_estimate(const struct contrast_input *in, const struct math *math,
				  double *scratch);

/*
 * Set change and disagree. level: the largest p that shows something, 1 - confidence divided by the
 * number of contrasts of the family.
 */
void contrast_judge(struct contrast *c, double level);

/* Many contrasts are judged together, each at alpha / family. */
struct contrast_goal {
	double alpha;
	size_t family; /* at least 1 */
	double power; /* the wanted probability to show what is true */
};

/*
 * The minimum number of runs of each side (rounds, if paired) for a verdict on counts that vary. A
 * permutation test of so many runs can show a change, and, if limits_n is not 0, also that the
 * first of limits_n limits is crossed (see gates_judge()). reference_n: the reference has so many
 * runs already, and is not paired; 0: it gets as many as the other side. 0: no number is enough.
 */
size_t contrast_runs_min(bool paired, size_t reference_n, double confidence, size_t limits_n);

/* The same for counts that are constant on each side. */
size_t contrast_runs_min_constant(double confidence);

/* The minimum number of runs of each side for a two-sided p of alpha, if they go on as they are. */
size_t contrast_runs_least(const struct contrast_input *in, double alpha);

/*
 * The number of runs of each side (rounds, if paired) that show an effect (ratio 1 + effect) with
 * the power of the goal. The number is never lower than a permutation test needs. The spread is
 * that of the runs so far. Because it is an estimate, the upper end of its one-sided 80 % interval
 * is used. 0: unknown, or more than a million.
 */
size_t contrast_runs_needed(const struct contrast_input *in, const struct math *math, double effect,
			    const struct contrast_goal *goal, double *scratch);

/*
 * The number of runs of each side that give a verdict, if the observed change is the true one.
 * These runs show either that the sides differ, or that they are the same within
 * in->minimum_effect, whichever takes fewer runs. Otherwise as contrast_runs_needed().
 */
size_t contrast_runs_for_verdict(const struct contrast_input *in, const struct math *math,
				 const struct contrast_goal *goal, double *scratch);

/* A limit, and the side of it to which the p value belongs. */
struct contrast_limit {
	double value; /* relative: of the ratio - 1, above -1; else of the difference */
	bool relative;
	bool above; /* is the other side's count above the limit? otherwise: below? */
};

/*
 * The one-sided p of the t test of the observed ratio or difference, if the true one equals the
 * limit. It is at most half of 1 - confidence exactly if the interval is beyond the limit. Without
 * any spread it is 0 or 1: a value at the limit is not beyond it.
 */
double contrast_p_beyond(const struct contrast_input *in, const struct math *math,
			 const struct contrast_limit *limit, double *scratch);

/*
 * The same by permutation, after the limit was applied to the reference's values: multiplied by the
 * ratio, or increased by the difference. level: what p will be compared with. scratch: as of
 * contrast_of().
 */
struct permutation contrast_permutation_beyond(const struct contrast_input *in,
					       const struct math *math,
					       const struct contrast_limit *limit, double level,
					       double *scratch);

/*
 * The larger p of the two tests, because both have to agree. If the t test's p is above highest,
 * nothing is claimed, and this p is returned alone; also if both sides are constant. lowest: the
 * smallest level with which p may be compared. scratch: as of contrast_of().
 */
double contrast_evidence_beyond(const struct contrast_input *in, const struct math *math,
				const struct contrast_limit *limit, double highest, double lowest,
				double *scratch);

/* ---- Which of several limits are crossed, with one error probability for all of them. */

enum gate_outcome {
	GATE_KEPT, /* proven: the limit is not crossed */
	GATE_CROSSED, /* proven: it is */
	GATE_UNCLEAR, /* neither is proven */
};

/* The evidence for one limit, see contrast_evidence_beyond(). */
struct gate_evidence {
	double p_crossed; /* small: the limit is crossed */
	double p_kept; /* small: the limit is kept */
	enum gate_outcome outcome; /* filled by gates_judge() */
};

/*
 * Judge n limits. confidence: between 0 and 1. Holm's method (1979, Scandinavian Journal of
 * Statistics 6) decides which limits are crossed: the probability that one or more kept limits are
 * called crossed is at most (1 - confidence) / 2, for any n. Each limit is proven to be kept on its
 * own, with the same probability of error. order: room for n numbers.
 */
void gates_judge(struct gate_evidence *gates, size_t n, double confidence, size_t *order);

/*
 * The p that would decide gate i, which is unclear. If it leans to kept: the largest p_kept that
 * proves it. Otherwise: the largest p_crossed that proves it, even if no other unclear gate turns
 * out to be crossed.
 */
double gates_level(const struct gate_evidence *gates, size_t n, double confidence, size_t i);

#endif
