/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "result/process_rows.h"

/* A place of the new series. */
struct group {
	struct process process; /* the strings are not owned */
	long double key; /* the places with the greatest keys are first */
	size_t serial; /* its number before the groups are sorted */
};

#define SORT_BY_ELAPSED SIZE_MAX /* instead of the index of an event */

/* Which places of the series form which groups. */
struct grouping {
	const struct series *series;
	const struct process_view *view;
	size_t places_n; /* of the series */
	size_t sort_event; /* an index, or SORT_BY_ELAPSED */
	struct group *groups; /* owned */
	size_t groups_n;
	size_t *group_of; /* owned: for each place, its group; PLACE_NONE: the place is not used */
	size_t *with_children; /* owned: for each group, that with the descendants; or PLACE_NONE */
};

static const struct process *process_rows_at(const struct grouping *g, size_t place_index)
{
	return g->series->places[place_index].process;
}

bool process_rows_are_names(const struct series *series)
{
	for (size_t i = 0; i < series_places_n(series); i++)
		if (series->places[i].process && series->places[i].process->pid)
			return false;
	return true;
}

size_t process_rows_count(const struct series *series)
{
	size_t n = 0;

	for (size_t i = 0; series->split == PLACE_PROCESS && i < series_places_n(series); i++)
		n += series->places[i].process && series->places[i].process->first == i;
	return n;
}

/* ---- Groups */

static struct group *process_rows_group_at(const struct grouping *g, size_t place_index)
{
	return &g->groups[g->group_of[place_index]];
}

/* The group that the place joins, or PLACE_NONE if it begins one. */
static size_t process_rows_find_group(const struct grouping *g, size_t place_index)
{
	const struct process *process = process_rows_at(g, place_index);

	switch (g->view->by) {
	case PROCESS_BY_AUTO:
	case PROCESS_BY_EXEC:
		break;
	case PROCESS_BY_PROCESS:
	case PROCESS_BY_TREE:
		return process->first < place_index ? g->group_of[process->first] : PLACE_NONE;
	case PROCESS_BY_NAME:
		for (size_t i = g->view->as_runs; i < g->groups_n; i++)
			if (strcmp(g->groups[i].process.name, process->name) == 0)
				return i;
		break;
	}
	return PLACE_NONE;
}

/* A new process runs its parent's program until it executes its own. It does not count as a process
 * of its parent's program. */
static bool process_rows_is_counted_process(const struct process *process)
{
	return process->continues || process->end != PROCESS_EXECUTED ||
	       process->parent == PLACE_NONE;
}

/* Whether the process adds one to the group of the place. It does so only once, even if it executes
 * programs of the same name. */
static bool process_rows_adds_process(const struct grouping *g, size_t place_index)
{
	const struct process *process = process_rows_at(g, place_index);

	for (size_t i = process->first; i < place_index; i++)
		if (g->group_of[i] == g->group_of[place_index] &&
		    process_rows_at(g, i)->first == process->first &&
		    process_rows_is_counted_process(process_rows_at(g, i)))
			return false;
	return process_rows_is_counted_process(process);
}

/* Add a place to the description of a group that has places already. */
static void process_rows_describe(const struct grouping *g, size_t place_index)
{
	const struct process *more = process_rows_at(g, place_index);
	struct process *sum = &process_rows_group_at(g, place_index)->process;

	if (more->end_ns > sum->end_ns)
		sum->end_ns = more->end_ns;
	if (g->view->by == PROCESS_BY_NAME) {
		sum->elapsed_ns += process_elapsed_ns(more);
		sum->processes_n += process_rows_adds_process(g, place_index);
		return;
	}
	sum->elapsed_ns = process_elapsed_ns(sum);
	/* the last program of the process */
	sum->name = more->name;
	sum->command = more->command;
	sum->end = more->end;
	sum->wait_status = more->wait_status;
}

static void process_rows_join(struct grouping *g, size_t place_index)
{
	size_t group = process_rows_find_group(g, place_index);
	struct process process = *process_rows_at(g, place_index);

	process.elapsed_ns = process_elapsed_ns(&process);
	if (process.parent >= place_index) /* in a document */
		process.parent = PLACE_NONE;
	if (g->view->as_runs) /* in a series of several runs, a name has no times and no parent */
		process = (struct process){ .name = process.name, .parent = PLACE_NONE };
	if (group != PLACE_NONE) {
		g->group_of[place_index] = group;
		if (!g->view->as_runs)
			process_rows_describe(g, place_index);
		return;
	}
	if (g->view->by == PROCESS_BY_NAME) {
		process.processes_n = process.pid != 0 && process_rows_is_counted_process(&process);
		process.pid = 0;
		process.command = NULL;
		process.end = PROCESS_RUNNING;
		process.wait_status = 0;
	}
	g->group_of[place_index] = g->groups_n;
	g->groups[g->groups_n] = (struct group){ .process = process, .serial = g->groups_n };
	g->groups_n++;
}

/* The group of the process that created this one, or PLACE_NONE. */
static size_t process_rows_parent_group(const struct grouping *g, const struct group *group)
{
	size_t parent = group->process.parent;

	return parent < g->places_n ? g->group_of[parent] : PLACE_NONE;
}

/* Add what the groups are sorted by. */
static void process_rows_add_keys(struct grouping *g)
{
	if (g->sort_event == SORT_BY_ELAPSED) {
		for (size_t i = 0; i < g->groups_n; i++)
			g->groups[i].key = g->groups[i].process.elapsed_ns;
		return;
	}
	for (size_t place_index = 0; place_index < g->places_n; place_index++)
		for (size_t run = 0;
		     run < g->series->runs_n && g->group_of[place_index] != PLACE_NONE; run++) {
			size_t row = place_index * g->series->events->n + g->sort_event;

			process_rows_group_at(g, place_index)->key +=
				series_value(g->series, row, &g->series->runs[run]).count;
		}
}

static int process_rows_compare_groups(const void *a, const void *b)
{
	const struct group *left = a, *right = b;

	if (left->key != right->key)
		return left->key < right->key ? 1 : -1;
	return (left->serial > right->serial) - (left->serial < right->serial);
}

/* Renumber the groups of the places after the groups have changed their order. before_n: how many
 * there were. */
static int process_rows_renumber(struct grouping *g, size_t before_n)
{
	cleanup_free size_t *now = calloc(before_n + 1, sizeof(*now));

	if (!now)
		return -ENOMEM;
	for (size_t i = 0; i < g->groups_n; i++) {
		if (g->groups[i].serial != PLACE_NONE)
			now[g->groups[i].serial] = i;
	}
	for (size_t i = 0; i < g->places_n; i++)
		if (g->group_of[i] != PLACE_NONE)
			g->group_of[i] = now[g->group_of[i]];
	return 0;
}

/* Add a process to those of a group that is the sum of several. */
static void process_rows_add_other(struct process *others, const struct process *more)
{
	static char name[] = "(others)";

	others->processes_n += more->processes_n;
	others->elapsed_ns += more->elapsed_ns;
	if (more->start_ns < others->start_ns)
		others->start_ns = more->start_ns;
	if (more->end_ns > others->end_ns)
		others->end_ns = more->end_ns;
	others->pid = 0;
	others->name = name;
	others->command = NULL;
	others->end = PROCESS_RUNNING;
}

/* The last group becomes the sum of all groups from the limit on. */
static void process_rows_add_up_others(struct grouping *g)
{
	static const struct process none = { .start_ns = UINT64_MAX };
	const size_t top = g->view->top;
	struct process *others;

	if (!top || g->groups_n <= top)
		return;
	others = &g->groups[top].process;
	process_rows_add_other(others, &none); /* also if it is the only one */
	others->parent = PLACE_NONE;
	for (size_t i = top + 1; i < g->groups_n; i++)
		process_rows_add_other(others, &g->groups[i].process);
	g->groups_n = top + 1;
	for (size_t i = 0; i < g->places_n; i++)
		if (g->group_of[i] != PLACE_NONE && g->group_of[i] > top)
			g->group_of[i] = top;
}

/* ---- A tree: each process is followed by its children. */

/* The keys become those of whole trees. That of a child never exceeds that of its parent. */
static void process_rows_add_up_keys(struct grouping *g)
{
	for (size_t i = g->groups_n; i-- > 0;) { /* children come after their parents */
		size_t parent = process_rows_parent_group(g, &g->groups[i]);
		const struct group *child = &g->groups[i];
		struct group *tree = parent == PLACE_NONE ? NULL : &g->groups[parent];
		long double until;

		if (!tree)
			continue;
		if (g->sort_event != SORT_BY_ELAPSED) {
			tree->key += child->key;
			continue;
		}
		/* a tree lasts from the start of its process to the end of the last descendant */
		until = child->key + child->process.start_ns - tree->process.start_ns;
		until = until > child->key ? until : child->key;
		tree->key = until > tree->key ? until : tree->key;
	}
}

/*
 * Choose for each group the one that it becomes: itself, if it is kept; its nearest ancestor that
 * is kept, if no child of that is kept; otherwise the first child of that ancestor that is not
 * kept.
 */
static int process_rows_choose_folds(const struct grouping *g, const bool *kept, size_t *fold)
{
	const size_t n = g->groups_n;
	cleanup_free size_t *others = calloc(n + 1, sizeof(*others)); /* of each parent; n: none */

	if (!others)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		others[i] = i;
	others[n] = PLACE_NONE;
	for (size_t i = n; i-- > 0;) {
		size_t parent = process_rows_parent_group(g, &g->groups[i]);

		if (kept[i] && parent != PLACE_NONE)
			others[parent] = PLACE_NONE;
	}
	for (size_t i = 0; i < n; i++) {
		size_t parent = process_rows_parent_group(g, &g->groups[i]);
		size_t *first = &others[parent == PLACE_NONE ? n : parent];

		fold[i] = i;
		if (kept[i])
			continue;
		if (parent != PLACE_NONE && !kept[parent])
			fold[i] = fold[parent];
		else if (*first != PLACE_NONE)
			fold[i] = *first;
		else
			*first = i;
	}
	return 0;
}

/* Add a group to one that stands for its tree, or, if they have the same parent, for all others of
 * that parent. */
static void process_rows_fold_into(struct grouping *g, size_t group, size_t more)
{
	struct group *to = &g->groups[group], *from = &g->groups[more];
	size_t parent = process_rows_parent_group(g, to);

	from->serial = PLACE_NONE;
	if (to->process.pid && process_rows_parent_group(g, from) != parent) {
		to->process.folded_n++;
		to->process.processes_n += from->process.processes_n;
		return;
	}
	process_rows_add_other(&to->process, &from->process);
	to->process.folded_n = 0;
}

/*
 * Keep the trees with the largest keys: with each of them, they include its parent. If no child of
 * a tree is kept, the tree becomes one group. Otherwise its other children become one, with all
 * their descendants.
 */
static int process_rows_fold(struct grouping *g)
{
	const size_t n = g->groups_n;
	cleanup_free struct group *sorted = calloc(n + 1, sizeof(*sorted));
	cleanup_free bool *kept = calloc(n + 1, sizeof(*kept));
	cleanup_free size_t *fold = calloc(n + 1, sizeof(*fold));
	int err;

	if (!sorted || !kept || !fold)
		return -ENOMEM;
	memcpy(sorted, g->groups, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), process_rows_compare_groups);
	for (size_t i = 0; i < n && i < g->view->top; i++)
		kept[sorted[i].serial] = true;
	err = process_rows_choose_folds(g, kept, fold);
	for (size_t i = 0; err == 0 && i < n; i++) {
		if (fold[i] != i)
			process_rows_fold_into(g, fold[i], i);
		else if (!kept[i])
			g->groups[i].key = -1; /* the last child */
	}
	for (size_t i = 0; err == 0 && i < g->places_n; i++)
		if (g->group_of[i] != PLACE_NONE)
			g->group_of[i] = fold[g->group_of[i]];
	return err;
}

/*
 * Order the groups: each one is followed by its sum with all descendants, if it has any, and by its
 * children, those with the largest keys first. Without keys, they are in the order in which they
 * were created.
 */
static int process_rows_sort_tree(struct grouping *g)
{
	cleanup_free size_t *first_child = calloc(g->groups_n + 1, sizeof(*first_child));
	cleanup_free size_t *sibling = calloc(g->groups_n + 1, sizeof(*sibling));
	cleanup_free struct group *order = calloc(g->groups_n + 1, sizeof(*order));
	cleanup_free struct group *sorted = calloc(2 * g->groups_n + 1, sizeof(*sorted));
	size_t next = PLACE_NONE, n = 0, before_n = g->groups_n;

	g->with_children = calloc(2 * g->groups_n + 1, sizeof(*g->with_children));
	if (!sorted || !order || !first_child || !sibling || !g->with_children)
		return -ENOMEM;
	for (size_t i = 0; i < g->groups_n; i++) {
		first_child[i] = PLACE_NONE;
		if (g->groups[i].serial != PLACE_NONE)
			order[n++] = g->groups[i];
	}
	qsort(order, n, sizeof(*order), process_rows_compare_groups);
	while (n-- > 0) { /* backwards, so that the lists are in order */
		size_t at = order[n].serial, parent = process_rows_parent_group(g, &g->groups[at]);
		size_t *list = parent == PLACE_NONE ? &next : &first_child[parent];

		sibling[at] = *list;
		*list = at;
	}
	for (n = 0; next != PLACE_NONE;) {
		size_t at = next, parent = process_rows_parent_group(g, &g->groups[at]);

		g->groups[at].process.depth =
			parent == PLACE_NONE ? 0 : g->groups[parent].process.depth + 1;
		sorted[n] = g->groups[at];
		g->with_children[n++] = PLACE_NONE;
		if (first_child[at] != PLACE_NONE) {
			g->with_children[n - 1] = n;
			sorted[n] = g->groups[at];
			sorted[n].process.with_children = true;
			sorted[n].serial = PLACE_NONE; /* no place belongs to it alone */
			g->with_children[n++] = PLACE_NONE;
		}
		for (next = first_child[at]; next == PLACE_NONE && at != PLACE_NONE;
		     at = process_rows_parent_group(g, &g->groups[at]))
			next = sibling[at];
	}
	free(g->groups);
	g->groups = take_ptr(sorted);
	g->groups_n = n;
	return process_rows_renumber(g, before_n);
}

static int process_rows_group_tree(struct grouping *g)
{
	int err = 0;

	if (g->view->sort || g->view->top) {
		process_rows_add_keys(g);
		process_rows_add_up_keys(g);
		if (g->view->top)
			err = process_rows_fold(g);
	}
	return err < 0 ? err : process_rows_sort_tree(g);
}

/* ---- The new series */

/* Find what --sort names: an event, but not one of pstat's own, which are the same for all
 * processes; or the elapsed time. If it is neither, why has a name that may be meant, or all. */
static int process_rows_find_sort(const struct event_list *events, const char *name, size_t *sort,
				  struct why *why)
{
	cleanup_str struct str names = { 0 };
	unsigned int least = (unsigned int)strlen(name) / 2 + 1; /* half of the letters */
	const char *nearest = NULL;

	for (size_t i = 0; i <= events->n; i++) {
		const char *other = i < events->n ? events->events[i].name : PROCESS_SORT_ELAPSED;
		unsigned int distance = str_distance(name, strlen(name), other, strlen(other));

		if (i < events->n && events->events[i].tool != TOOL_NONE)
			continue;
		if (strcmp(other, name) == 0) {
			*sort = i < events->n ? i : SORT_BY_ELAPSED;
			return 0;
		}
		str_add_listed(&names, other);
		if (distance < least) {
			least = distance;
			nearest = other;
		}
	}
	if (names.failed)
		return -ENOMEM;
	if (nearest)
		return why_set(why, -EINVAL, "--sort: unknown event '%s'; did you mean '%s'?", name,
			       nearest);
	return why_set(why, -EINVAL, "--sort: unknown event '%s'; choose from: %s", name,
		       str_text(&names));
}

int process_view_check(const struct process_view *view, const struct event_list *events,
		       struct why *why)
{
	size_t sort;

	return view->sort ? process_rows_find_sort(events, view->sort, &sort, why) : 0;
}

/* Without --sort, the first event that is counted. */
static size_t process_rows_first_event(const struct series *series)
{
	for (size_t i = 0; i < series->events->n; i++)
		if (series->events->events[i].tool == TOOL_NONE && !series->openings[i].refused)
			return i;
	return 0;
}

static int process_rows_group_places(struct grouping *g)
{
	int err;

	g->groups = calloc(g->places_n + 1, sizeof(*g->groups)); /* one more: the sum of all */
	g->group_of = calloc(g->places_n + 1, sizeof(*g->group_of));
	if (!g->groups || !g->group_of)
		return -ENOMEM;
	g->groups_n = g->view->as_runs;
	for (size_t i = 0; i < g->places_n; i++) {
		g->group_of[i] = PLACE_NONE;
		if (process_rows_at(g, i))
			process_rows_join(g, i);
	}
	if (g->view->by == PROCESS_BY_TREE)
		return process_rows_group_tree(g);
	if (g->view->as_runs || (g->view->by != PROCESS_BY_NAME && !g->view->sort && !g->view->top))
		return 0;
	process_rows_add_keys(g);
	qsort(g->groups, g->groups_n, sizeof(*g->groups), process_rows_compare_groups);
	err = process_rows_renumber(g, g->groups_n);
	if (err == 0)
		process_rows_add_up_others(g);
	return err;
}

static int process_rows_copy_place(const struct grouping *g, const struct group *group,
				   struct place *place)
{
	const struct process *from = &group->process;
	cleanup_str struct str label = { 0 };
	struct process *copy;

	*place = (struct place){ .kind = PLACE_PROCESS };
	if (!from->name) { /* the sum of all */
		place->label = strdup("");
		return place->label ? 0 : -ENOMEM;
	}
	place->process = malloc(sizeof(*place->process));
	if (!place->process)
		return -ENOMEM;
	copy = place->process;
	*copy = *from;
	copy->first = (size_t)(group - g->groups);
	copy->parent = process_rows_parent_group(g, group);
	if (from->pid && from->parent < g->places_n && process_rows_at(g, from->parent))
		copy->parent_pid = process_rows_at(g, from->parent)->pid;
	copy->name = strdup(from->name);
	copy->command = from->command ? strdup(from->command) : NULL;
	str_add(&label, from->name);
	if (from->pid)
		str_addf(&label, "-%d", from->pid);
	if (from->folded_n > 0)
		str_addf(&label, " and %zu more", from->folded_n);
	if (label.failed || !copy->name || (from->command && !copy->command))
		return -ENOMEM;
	place->label = take_ptr(label.text);
	return 0;
}

static int process_rows_make_places(struct process_rows *p, const struct grouping *g)
{
	size_t events_n = g->series->events->n;
	int err = 0;

	p->places = calloc(g->groups_n + 1, sizeof(*p->places));
	p->rows = calloc(g->groups_n * events_n + 1, sizeof(*p->rows));
	if (!p->places || !p->rows)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < g->groups_n; i++)
		err = process_rows_copy_place(g, &g->groups[i], &p->places[i]);
	for (size_t i = 0; i < g->groups_n * events_n; i++)
		p->rows[i] = (struct row){ .event = i % events_n, .place_index = i / events_n };
	p->series.places = p->places;
	p->series.rows = p->rows;
	p->series.rows_n = g->groups_n * events_n;
	return err;
}

/* Add the readings of a place to one of the new places. */
static void process_rows_add_place(const struct process_rows *p, const struct grouping *g,
				   size_t place_index, size_t group, struct reading *sums,
				   const struct run *run)
{
	size_t events_n = g->series->events->n;

	for (size_t i = 0; i < events_n; i++) {
		const struct reading *part = &run->readings[place_index * events_n + i];
		struct reading *sum = &sums[group * events_n + i];

		if (run == g->series->runs) /* the number is that of all runs */
			p->rows[group * events_n + i].counters +=
				g->series->rows[place_index * events_n + i].counters;
		reading_add(sum, part);
	}
}

static void process_rows_add_place_everywhere(const struct process_rows *p,
					      const struct grouping *g, size_t place_index,
					      struct reading *sums, const struct run *run)
{
	size_t group = g->group_of[place_index];

	process_rows_add_place(p, g, place_index, group, sums, run);
	if (g->view->as_runs)
		process_rows_add_place(p, g, place_index, 0, sums, run);
	for (; g->with_children && group != PLACE_NONE;
	     group = process_rows_parent_group(g, &g->groups[group]))
		if (g->with_children[group] != PLACE_NONE)
			process_rows_add_place(p, g, place_index, g->with_children[group], sums,
					       run);
}

/* pstat's own events are those of the run, in the first place. */
static void process_rows_finish_readings(const struct process_rows *p, const struct grouping *g,
					 const struct run *from, struct reading *sums)
{
	const struct event_list *events = g->series->events;

	for (size_t i = 0; i < p->series.rows_n; i++) {
		size_t event = p->rows[i].event;

		if (g->series->openings[event].refused)
			sums[i] = (struct reading){ .state = NOT_SUPPORTED };
		else if (events->events[event].tool != TOOL_NONE)
			sums[i] = from->readings[event];
		else if (sums[i].state == FAILED) /* no part has a count */
			sums[i].counts = (struct counts){ 0 };
		else if (sums[i].state == COUNTED &&
			 sums[i].counts.running_ns < sums[i].counts.enabled_ns)
			sums[i].state = SCALED;
	}
}

static int process_rows_make_runs(struct process_rows *p, const struct grouping *g)
{
	const struct series *from = g->series;

	p->series.runs = calloc(from->runs_n + 1, sizeof(*p->series.runs));
	if (!p->series.runs)
		return -ENOMEM;
	p->series.runs_n = p->series.runs_size = 0;
	for (size_t i = 0; i < from->runs_n; i++) {
		struct run *run = &p->series.runs[i];

		*run = from->runs[i];
		run->readings = calloc(p->series.rows_n + 1, sizeof(*run->readings));
		p->series.runs_n++;
		if (!run->readings)
			return -ENOMEM;
		for (size_t row = 0; row < p->series.rows_n; row++)
			run->readings[row].state = NOT_COUNTED;
		for (size_t place_index = 0; place_index < g->places_n; place_index++)
			if (g->group_of[place_index] != PLACE_NONE)
				process_rows_add_place_everywhere(p, g, place_index, run->readings,
								  &from->runs[i]);
		process_rows_finish_readings(p, g, &from->runs[i], run->readings);
	}
	return 0;
}

static void process_rows_grouping_release(struct grouping *g)
{
	free(g->groups);
	free(g->group_of);
	free(g->with_children);
}

int process_rows_build(struct process_rows *p, const struct series *series,
		       const struct process_view *view, struct why *why)
{
	cleanup_with(process_rows_grouping_release) struct grouping g = {
		.series = series, .view = view, .places_n = series_places_n(series)
	};
	int err = 0;

	*p = (struct process_rows){ .series = *series };
	p->series.runs = NULL;
	p->series.intervals = NULL;
	p->series.runs_n = p->series.intervals_n = 0;
	p->series.subject = strdup(series->subject);
	g.sort_event = process_rows_first_event(series);
	if (view->sort)
		err = process_rows_find_sort(series->events, view->sort, &g.sort_event, why);
	if (err == 0 && view->sort && g.sort_event != SORT_BY_ELAPSED &&
	    series->openings[g.sort_event].refused) {
		g.sort_event = process_rows_first_event(series);
		if (!series->openings[g.sort_event].refused)
			p->sorted_by = series->events->events[g.sort_event].name;
	}
	if (err == 0 && g.sort_event == SORT_BY_ELAPSED && process_rows_are_names(series))
		err = why_set(why, -EINVAL,
			      "--sort elapsed: several runs have no times of their processes");
	if (err == 0 && view->by != PROCESS_BY_NAME && process_rows_are_names(series))
		err = why_set(why, -EINVAL, "--by: the runs were added up by name");
	if (err == 0)
		err = p->series.subject ? process_rows_group_places(&g) : -ENOMEM;
	if (err == 0)
		err = process_rows_make_places(p, &g);
	return err < 0 ? err : process_rows_make_runs(p, &g);
}

void process_rows_release(struct process_rows *p)
{
	for (size_t i = 0; p->places && p->rows && i < series_places_n(&p->series); i++)
		place_release(&p->places[i]);
	free(p->places);
	free(p->rows);
	series_release(&p->series);
}
