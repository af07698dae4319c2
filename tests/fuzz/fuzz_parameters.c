/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lists of -L. The last line of the input is a command; all other lines are lists. For every
 * list, sides_add_parameter() adds a parameter or reports a mistake at a position in the list. The
 * number of combinations is the product of the numbers of values.
 */
#include <errno.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "fuzz.h"
#include "job/sides.c" /* for its static functions */

enum { PARAMETERS_MAX = 8, COMBINATIONS_MAX = 100 };

static void check_list(struct parameters *p, const char *list)
{
	cleanup_why struct why why = { 0 };
	size_t n = p->n;
	int err;

	if (strstr(list, "=@")) /* would read files of this machine */
		return;
	err = sides_add_parameter(p, list, &why);
	if (err < 0) {
		CHECK(err == -EINVAL && why.text && why.has_position &&
		      why.position <= strlen(list));
		CHECK(p->n == n);
		return;
	}
	CHECK(p->n == n + 1 && p->v[n].name[0] && p->v[n].values.n > 0 && p->v[n].chosen == 0);
	for (size_t i = 0; i < n; i++)
		CHECK(strcmp(p->v[i].name, p->v[n].name) != 0);
}

/* A text without a parameter does not change. */
static void check_replaced(const struct parameters *p, const char *text)
{
	cleanup_str struct str out = { 0 };
	bool found = false;

	sides_replace_parameters(p, text, &out);
	for (size_t i = 0; i < p->n; i++)
		found |= sides_parameter_is_in(&p->v[i], text);
	CHECK(!out.failed && (found || strcmp(str_text(&out), text) == 0));
}

static void check_combinations(struct parameters *p, const char *text)
{
	bool varies[PARAMETERS_MAX];
	size_t expected = 1, n = 0;

	for (size_t i = 0; i < p->n; i++) {
		varies[i] = sides_parameter_is_in(&p->v[i], text);
		if (varies[i] && expected <= COMBINATIONS_MAX)
			expected *= p->v[i].values.n;
	}
	do
		check_replaced(p, text);
	while (++n <= COMBINATIONS_MAX && sides_choose_next_values(p, varies));
	CHECK(expected > COMBINATIONS_MAX || n == expected);
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_with(sides_release_parameters) struct parameters p = { 0 };
	cleanup_free char *text = fuzz_text(data, size);
	char *rest = text;
	const char *line = fuzz_line(&rest);

	for (; *rest && p.n < PARAMETERS_MAX; line = fuzz_line(&rest))
		check_list(&p, line);
	check_combinations(&p, line);
}
