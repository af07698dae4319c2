/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/suggest.h"

enum {
	NAME_MAX_N = 128, /* longer names are not compared */
	NEAREST_N = 3,
	COST_OTHER = 10,
	COST_ALIKE = 1, /* upper or lower case, or another separator */
	COST_PLURAL = 2,
};

struct near {
	unsigned int distance;
	char name[NAME_MAX_N];
};

struct search {
	const char *name;
	size_t n;
	unsigned int limit;
	struct near nearest[NEAREST_N];
	size_t found;
};

static bool is_separator(char c)
{
	return c == '_' || c == '-' || c == '.' || c == ':';
}

static unsigned int cost_of_replacing(char a, char b)
{
	if (a == b)
		return 0;
	if ((is_separator(a) && is_separator(b)) ||
	    tolower((unsigned char)a) == tolower((unsigned char)b))
		return COST_ALIKE;
	return COST_OTHER;
}

/* A plural 's' is cheap, at the end of a name or before a separator. */
static unsigned int cost_of_adding(const char *text, size_t n, size_t i)
{
	bool last = i + 1 == n || is_separator(text[i + 1]);

	return last && (text[i] == 's' || text[i] == 'S') ? COST_PLURAL : COST_OTHER;
}

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int suggest_distance(const char *a, size_t a_n, const char *b, size_t b_n,
			      unsigned int limit)
{
	unsigned int rows[3][NAME_MAX_N + 1];

	if (a_n > NAME_MAX_N || b_n > NAME_MAX_N)
		return limit + 1;
	rows[0][0] = 0;
	for (size_t j = 0; j < b_n; j++)
		rows[0][j + 1] = rows[0][j] + cost_of_adding(b, b_n, j);
	for (size_t i = 0; i < a_n; i++) {
		unsigned int *above2 = rows[(i + 2) % 3];
		unsigned int *above = rows[i % 3];
		unsigned int *row = rows[(i + 1) % 3];
		unsigned int nearest;

		row[0] = nearest = above[0] + cost_of_adding(a, a_n, i);
		for (size_t j = 0; j < b_n; j++) {
			unsigned int d = above[j] + cost_of_replacing(a[i], b[j]);

			d = least(d, above[j + 1] + cost_of_adding(a, a_n, i));
			d = least(d, row[j] + cost_of_adding(b, b_n, j));
			if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
				d = least(d, above2[j - 1] + COST_OTHER);
			row[j + 1] = d;
			nearest = least(nearest, d);
		}
		if (nearest > limit)
			return limit + 1;
	}
	return least(rows[a_n % 3][b_n], limit + 1);
}

static void remember(struct search *search, const char *name, unsigned int distance)
{
	size_t at = search->found;

	for (size_t i = 0; i < search->found; i++)
		if (strcasecmp(search->nearest[i].name, name) == 0)
			return;
	while (at > 0 && search->nearest[at - 1].distance > distance)
		at--;
	if (at == NEAREST_N)
		return;
	if (search->found < NEAREST_N)
		search->found++;
	memmove(&search->nearest[at + 1], &search->nearest[at],
		(search->found - at - 1) * sizeof(search->nearest[0]));
	search->nearest[at].distance = distance;
	strcpy(search->nearest[at].name, name);
	if (search->found == NEAREST_N)
		search->limit = search->nearest[NEAREST_N - 1].distance;
}

/*
 * Additional text at the end costs little: "branch" is near branch-misses, and "INST_RETIRED" is
 * near each of its unit masks. The last words of a name may be enough: "cylces" is near cpu-cycles.
 */
static unsigned int distance_to(const struct search *search, const char *name, size_t n)
{
	unsigned int distance = suggest_distance(search->name, search->n, name, n, search->limit);

	if (search->n >= 3 && n > search->n && strncasecmp(search->name, name, search->n) == 0)
		distance = least(distance, COST_OTHER + (unsigned int)(n - search->n));
	for (size_t i = 1; search->n >= 3 && i + 1 < n; i++)
		if (is_separator(name[i - 1]))
			distance = least(distance,
					 COST_OTHER + suggest_distance(search->name, search->n,
								       name + i, n - i,
								       search->limit));
	return distance;
}

/*
 * The distance to the nearest of these names, which are separated by blanks. names may be NULL.
 */
static unsigned int distance_to_any(const struct search *search, const char *names)
{
	unsigned int nearest = search->limit + 1;

	while (names && *names) {
		size_t n = strcspn(names, " ");

		nearest = least(nearest, distance_to(search, names, n));
		names += n + (names[n] == ' ');
	}
	return nearest;
}

/*
 * There are thousands of tracepoints, and they differ between machines. A name without a group
 * suggests a tracepoint only if at most one letter of the tracepoint's name is wrong.
 */
static unsigned int distance_to_tracepoint(const struct search *search, const char *name)
{
	const char *colon = strchr(name, ':');
	unsigned int distance;

	if (!colon || memchr(search->name, ':', search->n))
		return distance_to(search, name, strlen(name));
	distance =
		suggest_distance(search->name, search->n, colon + 1, strlen(colon + 1), COST_OTHER);
	return distance > COST_OTHER ? search->limit + 1 : COST_OTHER + distance;
}

static int compare_name(const struct event_info *info, void *data)
{
	struct search *search = data;
	size_t n = strlen(info->name);
	unsigned int distance;

	if (n >= NAME_MAX_N)
		return 0;
	distance = strcmp(info->source, source_tracepoint.name) == 0 ?
			   distance_to_tracepoint(search, info->name) :
			   distance_to(search, info->name, n);
	distance = least(distance, distance_to_any(search, info->aliases));
	if (distance <= search->limit)
		remember(search, info->name, distance);
	return 0;
}

int suggest_names(const struct machine *m, const struct event_source *const *sources,
		  size_t sources_n, const char *name, size_t n, struct str *out)
{
	struct search search = { .name = name, .n = n };
	cleanup_why struct why why = { 0 };

	/* Up to a third of the letters may be wrong, and always two. */
	search.limit = n > 6 ? (unsigned int)(n * COST_OTHER / 3) : 2 * COST_OTHER;
	for (size_t i = 0; i < sources_n; i++)
		if (sources[i]->list)
			sources[i]->list(m, LIST_RESOLVABLE, compare_name, &search, &why);
	for (size_t i = 0; i < search.found; i++) {
		if (i > 0)
			str_add(out, i + 1 == search.found ? " or " : ", ");
		str_addf(out, "'%s'", search.nearest[i].name);
	}
	return out->failed ? -ENOMEM : 0;
}
