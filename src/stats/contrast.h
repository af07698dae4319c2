/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is one side's count larger than the other's, and by how much: the estimate, its interval, and what
 * may be said of it.
 *
 * Counts are compared by their ratio: the analysis is of their logarithms, whose differences are
 * averaged, so that twice as much and half as much weigh the same. Where a count is 0 it is of the
 * counts themselves. Runs that were taken in rounds, each side once in each, are compared within the
 * rounds, which takes out whatever changed from round to round (paired t interval); others by Welch's
 * interval (Welch 1947, Biometrika 34). Nothing is said to differ unless a permutation test agrees,
 * which assumes nothing of the distribution.
 */
#ifndef PSTAT_STATS_CONTRAST_H
#define PSTAT_STATS_CONTRAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/math.h"
#include "stats/permutation.h"

enum verdict {
	VERDICT_NONE, /* too few runs for the confidence, or no counts at all */
	VERDICT_SAME, /* the whole interval is within the minimum effect */
	VERDICT_LESS, /* the other side's is less, and may be by more than the minimum effect */
	VERDICT_MORE,
	VERDICT_UNCLEAR,
};

/* Two sides' values of one event or metric; all finite, and below 0 those of a metric alone. */
struct contrast_input {
	const double *reference, *other;
	size_t reference_n, other_n;
	bool paired; /* value i of both is of round i; as many of both */
	double confidence; /* 0 … 1, both excluded: 0.95 */
	double minimum_effect; /* a ratio within 1 / (1 + this) … 1 + this is as good as 1 */
	uint64_t seed; /* of a permutation test by random choice */
	bool estimate_only; /* no permutation test is made, which takes its time: no verdict */
};

struct contrast {
	bool by_ratio; /* the analysis is of ratios; else of differences */
	bool constant; /* both sides' values are all the same: no chance is in them, see below */
	bool has_ratio; /* the reference is proven not to be 0 */
	double ratio, ratio_low, ratio_high; /* of the other side to the reference */
	double difference, difference_low, difference_high; /* other - reference, of means */
	double p; /* of the t test that both are equal, two-sided */
	struct permutation permutation;
	bool disagree; /* of the two tests just one finds a difference */
	bool can_pass_limit; /* so many runs can show what is beyond a limit, see contrast_evidence_beyond() */
	size_t runs_min; /* of each side, for a verdict at all, if they go on as they are: constant or not */
	enum verdict verdict;
};

/*
 * Compare. scratch: room for reference_n + other_n numbers twice. Below two values of a side there is
 * no interval: low and high are as the estimate, p is 1, the verdict VERDICT_NONE.
 *
 * Where both sides are constant the difference is exact, and there is a verdict from three runs on:
 * even of a count that takes two values only, each as often, so many equal ones on both sides are rarer
 * than 1 - confidence. Two runs do where the counts are large, 10,000 at least: two values that are
 * neighbours, as those of page faults, are less apart than what matters, and those of independent events
 * (Poisson) around c are equal with a probability of about 1 / √(4πc), and that for both sides has to be
 * below the square of 1 - confidence.
 *
 * Without ratios, which a count of 0 has none of, the ratio is that of the means, and its interval
 * Fieller's (1954, Journal of the Royal Statistical Society B 16), as far as it is not below 0 where no
 * value is; there is none where the reference's mean may be 0 itself.
 */
struct contrast contrast_of(const struct contrast_input *in, const struct math *math,
			    double *scratch);

/*
 * How few runs of each side (rounds, when paired) can have a verdict, where they vary: a permutation test has to be
 * able to find anything, also that the first of limits_n limits is crossed (see gate.h), if there are any.
 * reference_n: beside so many of the reference, which no runs are paired with; 0: beside as many. confidence: 0 … 1,
 * both excluded. 0: no number is enough.
 */
size_t contrast_runs_min(bool paired, size_t reference_n, double confidence, size_t limits_n);

/* The same where all runs of each side are equal. */
size_t contrast_runs_min_constant(double confidence);

/* How few runs of each side can have a two-sided p of at most alpha, vary or not as those that there are. */
size_t contrast_runs_least(const struct contrast_input *in, double alpha);

/*
 * The number of runs of each side (rounds, if paired) that show an effect (ratio 1 + effect) with
 * this power. The effect is shown if the two-sided p of the test is at most alpha. The number is
 * never lower than a permutation test needs to reach alpha. The spread is that of the runs so far.
 * Because it is an estimate, the upper end of its one-sided 80 % interval is used. 0: unknown, or
 * more than a million.
 */
size_t contrast_runs_needed(const struct contrast_input *in, const struct math *math, double effect,
			    double alpha, double power, double *scratch);

/*
 * The number of runs of each side that give a verdict with this power, if the observed change is
 * the true one. These runs show either that the sides differ, or that they are the same within
 * in->minimum_effect, whichever takes fewer runs. Otherwise as contrast_runs_needed().
 */
size_t contrast_runs_for_verdict(const struct contrast_input *in, const struct math *math,
				 double power, double *scratch);

/* A limit, and on which side of it the other side's count may be. */
struct contrast_limit {
	double value; /* of the ratio - 1, above -1; not relative: of the difference of the means */
	bool relative;
	bool above; /* is it above the limit? else: is it below? */
};

/*
 * The probability, were the ratio, or the difference of the means, just at the limit, of one as large as
 * was seen (above) or as small: the t test's, one-sided. It is at most half of 1 - confidence just where the
 * interval is beyond the limit. Without any spread 0 or 1: what is at the limit is not beyond it.
 */
double contrast_p_beyond(const struct contrast_input *in, const struct math *math,
			 const struct contrast_limit *limit, double *scratch);

/*
 * The same by permutations, of the reference's values after they have been moved by the limit: multiplied,
 * or with the difference added to each. Of rounds it is of the signs of what the other side differs then, else
 * of the labels. level: what p is to be compared with. scratch: as of contrast_of().
 */
struct permutation contrast_permutation_beyond(const struct contrast_input *in,
					       const struct math *math,
					       const struct contrast_limit *limit, double level,
					       double *scratch);

/*
 * The larger p of the two tests, which both have to agree; of the t test alone where it is above highest,
 * beyond which nothing is claimed, or where both sides are constant. lowest: the smallest level that it may be
 * compared with. scratch: as of contrast_of().
 */
double contrast_evidence_beyond(const struct contrast_input *in, const struct math *math,
				const struct contrast_limit *limit, double highest, double lowest,
				double *scratch);

#endif
