/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/suggest.h"

enum {
	NEAREST_N = 3,
	LETTER = 10, /* the score of a wrong letter */
};

static unsigned int suggest_least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* The best suggestions so far, best first. A score grows with the distance. */
struct suggestions {
	const char *name;
	size_t n;
	unsigned int limit; /* of the score */
	struct suggestion {
		unsigned int score;
		char name[STR_DISTANCE_MAX];
	} best[NEAREST_N];
	size_t found;
};

static void suggest_insert(struct suggestions *s, const char *name, unsigned int score)
{
	size_t at = s->found;

	for (size_t i = 0; i < s->found; i++)
		if (strcasecmp(s->best[i].name, name) == 0)
			return;
	while (at > 0 && s->best[at - 1].score > score)
		at--;
	if (at == NEAREST_N)
		return;
	if (s->found < NEAREST_N)
		s->found++;
	memmove(&s->best[at + 1], &s->best[at], (s->found - at - 1) * sizeof(s->best[0]));
	s->best[at].score = score;
	strcpy(s->best[at].name, name);
}

/*
 * Additional text at the end costs little: "branch" is near branch-misses, and "INST_RETIRED" is
 * near each of its unit masks. The last words of a name may be enough: "cylces" is near cpu-cycles.
 */
static unsigned int suggest_score(const struct suggestions *s, const char *name, size_t n)
{
	unsigned int score = LETTER * str_distance(s->name, s->n, name, n);

	if (s->n < 3)
		return score;
	if (n > s->n && strncasecmp(s->name, name, s->n) == 0)
		score = suggest_least(score, LETTER + (unsigned int)(n - s->n));
	for (size_t i = 1; i + 1 < n; i++)
		if (strchr("_-.:", name[i - 1]))
			score = suggest_least(score,
					      LETTER + LETTER * str_distance(s->name, s->n,
									     name + i, n - i));
	return score;
}

/*
 * There are thousands of tracepoints, and they differ between machines. A name without a group
 * suggests a tracepoint only if at most one letter of the tracepoint's name is wrong.
 */
static int suggest_if_near(const struct event_info *info, void *data)
{
	struct suggestions *s = data;
	const char *alias = info->aliases ? info->aliases : "";
	const char *colon = strchr(info->name, ':');
	unsigned int score;

	if (strlen(info->name) >= STR_DISTANCE_MAX)
		return 0;
	if (strcmp(info->source, source_tracepoint.name) == 0 && colon &&
	    !memchr(s->name, ':', s->n)) {
		score = str_distance(s->name, s->n, colon + 1, strlen(colon + 1));
		score = score > 1 ? UINT_MAX : LETTER + LETTER * score;
	} else {
		score = suggest_score(s, info->name, strlen(info->name));
	}
	while (*alias) {
		size_t n = strcspn(alias, " ");

		score = suggest_least(score, suggest_score(s, alias, n));
		alias += n + (alias[n] == ' ');
	}
	if (score <= s->limit)
		suggest_insert(s, info->name, score);
	return 0;
}

int suggest_names(const struct machine *m, const struct event_source *const *sources,
		  size_t sources_n, const char *name, size_t n, struct str *out)
{
	/* Up to a third of the letters may be wrong, and always two. */
	struct suggestions s = { .name = name,
				 .n = n,
				 .limit = n > 6 ? (unsigned int)n * LETTER / 3 : 2 * LETTER };
	cleanup_why struct why why = { 0 };

	for (size_t i = 0; i < sources_n; i++)
		if (sources[i]->list)
			sources[i]->list(m, LIST_RESOLVABLE, suggest_if_near, &s, &why);
	for (size_t i = 0; i < s.found; i++) {
		if (i > 0)
			str_add(out, i + 1 == s.found ? " or " : ", ");
		str_addf(out, "'%s'", s.best[i].name);
	}
	return out->failed ? -ENOMEM : 0;
}
