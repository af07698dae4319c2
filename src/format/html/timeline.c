/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Horizontal coordinates are percentages of the drawing, so that the drawing can be widened without
 * stretching its text. Vertical coordinates are pixels.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/html/timeline.h"
#include "result/process_rows.h"

enum {
	COLOURS_N = 8, /* of the most costly names; further names share one more */
	TABLE_MAX = 100, /* names in the table */
	SPREAD_MAX = 40, /* up to this number of processes, each one has a lane with its command */
	LANES_MANY = 200,
	LEVELS = 8, /* of the height of a bar */
	TICKS_MAX = 10,
	/* in pixels */
	BAR_HEIGHT = 16, /* also in style.css */
	LANE_HEIGHT = 20,
	LANES_HEIGHT = 1000, /* of all lanes, if lanes of LANE_HEIGHT need more */
	LANE_LEAST = 4,
	LABEL_LANE_LEAST = 14, /* the height of a lane that has room for text */
	HEAD = 30, /* above the lanes */
	FOOT = 14, /* below them */
	BASELINE = 4, /* of a label, above the bottom of its bar */
	LABEL_GAP = 6, /* between a label and an end of its bar */
	/* the lengths of titles and labels, in bytes */
	COMMANDS_BYTES = 1500000, /* of all commands together */
	COMMAND_LEAST = 60,
	COMMAND_MOST = 600,
	LABEL_BYTES = 60,
};

/* In percent of the width. */
#define LEFT 0.5
#define RIGHT 98.5
#define BAR_LEAST 0.06 /* the width of the shortest process */
#define GAP 0.04 /* at least, between two processes in a lane */
#define TAIL 0.2 /* each part of the open end of a process that was still running */
#define LETTER 0.85 /* of a label, in the narrowest drawing */

/* This share of a count is in bars that are not cut off at the full height. */
#define UNCUT 0.95

/* The sum of an event over some places. */
struct count {
	long double value; /* in the event's unit */
	enum count_state state;
	bool partial; /* some place has no count */
};

/* A part of a bar in one colour: a program, with those too short to be seen next to it. */
struct segment {
	uint64_t start_ns, end_ns;
	uint64_t longest_ns; /* of the program that gives the colour */
	size_t place_index; /* of this program */
};

/* A process. */
struct bar {
	size_t place_index; /* of its first program */
	size_t last; /* place of its last program */
	size_t first_segment, segments_n;
	uint64_t start_ns, end_ns;
	size_t lane;
	size_t next; /* bar in the same lane, or PLACE_NONE */
};

struct lane {
	size_t first, last; /* bars */
	double end; /* in percent; the next bar may begin here */
};

struct timeline {
	struct html_page *page;
	const struct series *series;
	size_t places_n;
	size_t *events; /* owned: the indices of the events that have counts */
	char **names; /* owned: of these events */
	double *full; /* owned: of these events, the rate of a bar of full height, per second */
	size_t events_n;
	struct process_rows by_name; /* the most costly names first */
	size_t names_n;
	struct bar *bars; /* owned, in the order of their starts */
	size_t bars_n;
	size_t *bar_of; /* owned: for each place that begins a process, its bar */
	struct segment *segments; /* owned */
	size_t segments_n;
	struct count *counts; /* owned: for each segment, of each event */
	struct lane *lanes; /* owned */
	size_t lanes_n, lanes_size;
	uint64_t end_ns; /* of the time axis */
};

static const struct process *process_at(const struct timeline *t, size_t place_index)
{
	return t->series->places[place_index].process;
}

/* ---- Counts. */

static void count_add(struct count *sum, const struct series *series, size_t place_index,
		      size_t event)
{
	const struct series_value value =
		series_value(series, place_index * series->events->n + event, &series->runs[0]);

	if (value.state == FAILED || sum->state == FAILED) {
		*sum = (struct count){ .state = FAILED };
	} else if (series_has_count(value.state)) {
		sum->value += value.in_unit;
		if (sum->state != SCALED)
			sum->state = value.state;
	} else {
		sum->partial = true;
	}
}

static const struct count no_count = { .state = NOT_COUNTED };

/* The sum of an event, given by its index in t->events, over all processes. */
static struct count total_of(const struct timeline *t, size_t event)
{
	struct count total = no_count;

	for (size_t i = 0; i < t->names_n; i++)
		count_add(&total, &t->by_name.series, i, t->events[event]);
	return total;
}

static struct count count_of_name(const struct timeline *t, size_t name, size_t event)
{
	struct count count = no_count;

	count_add(&count, &t->by_name.series, name, t->events[event]);
	return count;
}

static struct count *count_of_segment(const struct timeline *t, size_t segment, size_t event)
{
	return &t->counts[segment * t->events_n + event];
}

static const struct event *event_at(const struct timeline *t, size_t event)
{
	return &t->series->events->events[t->events[event]];
}

/* Append the value, with as many decimals as show at least three digits of the value least. */
static void add_value(const struct timeline *t, size_t event, long double value, long double least)
{
	bool is_whole = num_is_whole(event_at(t, event)->factor);

	num_add(t->page->out, value, is_whole ? 0 : text_decimals((double)least / 100),
		t->page->text.numbers);
}

static void add_count(const struct timeline *t, size_t event, const struct count *count,
		      long double least)
{
	if (!series_has_count(count->state)) {
		html_add(t->page->out, measure_absent(count->state));
		return;
	}
	str_add(t->page->out, count->partial ? "≥ " : "");
	str_add(t->page->out, count->state == SCALED ? "≈" : "");
	add_value(t, event, count->value, least);
}

static void add_unit(const struct timeline *t, size_t event)
{
	const char *unit = event_at(t, event)->unit;

	str_add(t->page->out, *unit ? " " : "");
	html_add(t->page->out, text_unit(unit, &t->page->text));
}

/* "12.3 %", or nothing if the total is unknown. */
static void add_share(const struct timeline *t, long double value, const struct count *total)
{
	if (!series_has_count(total->state) || total->value <= 0)
		return;
	num_add(t->page->out, 100 * value / total->value, 1, t->page->text.numbers);
	str_add(t->page->out, " %");
}

static bool has_counts(const struct timeline *t, size_t event)
{
	const struct event *it = &t->series->events->events[event];

	if (it->tool != TOOL_NONE || it->merged || t->series->openings[event].refused)
		return false;
	for (size_t i = 0; i < t->places_n; i++) {
		size_t row = i * t->series->events->n + event;

		if (series_has_count(series_value(t->series, row, &t->series->runs[0]).state))
			return true;
	}
	return false;
}

static int find_events(struct timeline *t)
{
	size_t all = t->series->events->n;

	t->events = calloc(all + 1, sizeof(*t->events));
	t->names = calloc(all + 1, sizeof(*t->names));
	t->full = calloc(all + 1, sizeof(*t->full));
	if (!t->events || !t->names || !t->full)
		return -ENOMEM;
	for (size_t i = 0; i < all; i++) {
		if (!has_counts(t, i))
			continue;
		t->names[t->events_n] =
			measure_event_name(&t->series->events->events[i], &t->series->openings[i]);
		if (!t->names[t->events_n])
			return -ENOMEM;
		t->events[t->events_n++] = i;
	}
	return 0;
}

static int find_names(struct timeline *t)
{
	const struct process_view view = { .by = PROCESS_BY_NAME, .top = TABLE_MAX };
	int err = process_rows_build(&t->by_name, t->series, &view, NULL);

	if (err == 0)
		t->names_n = series_places_n(&t->by_name.series);
	return err;
}

/* The number of the colour of a name. */
static size_t colour_of(const struct timeline *t, const char *name)
{
	size_t i = 0;

	while (i < COLOURS_N && i < t->names_n &&
	       strcmp(t->by_name.places[i].process->name, name) != 0)
		i++;
	return i < t->names_n ? i : COLOURS_N;
}

/* ---- Bars. */

static double percent_of(const struct timeline *t, uint64_t ns)
{
	return LEFT + (RIGHT - LEFT) * (double)ns / (double)t->end_ns;
}

static bool is_short(const struct timeline *t, uint64_t ns)
{
	return (RIGHT - LEFT) * (double)ns / (double)t->end_ns < BAR_LEAST;
}

static int compare_starts(const void *a, const void *b)
{
	const struct bar *left = a, *right = b;

	if (left->start_ns != right->start_ns)
		return left->start_ns < right->start_ns ? -1 : 1;
	return left->place_index < right->place_index ? -1 : 1;
}

/* Find the processes. next_of: for each place, receives the next program of its process. */
static int find_bars(struct timeline *t, size_t *next_of)
{
	t->bars = calloc(t->places_n + 1, sizeof(*t->bars));
	t->bar_of = calloc(t->places_n + 1, sizeof(*t->bar_of));
	if (!t->bars || !t->bar_of)
		return -ENOMEM;
	for (size_t i = 0; i < t->places_n; i++) {
		const struct process *process = process_at(t, i);
		struct bar *bar = &t->bars[t->bar_of[process->first]];

		next_of[i] = PLACE_NONE;
		if (process->first == i) {
			t->bar_of[i] = t->bars_n;
			t->bars[t->bars_n++] =
				(struct bar){ .place_index = i, .start_ns = process->start_ns };
			bar = &t->bars[t->bars_n - 1];
		} else {
			next_of[bar->last] = i;
		}
		bar->last = i;
		if (process->end_ns > bar->end_ns)
			bar->end_ns = process->end_ns;
		if (process->end_ns > t->end_ns)
			t->end_ns = process->end_ns;
	}
	qsort(t->bars, t->bars_n, sizeof(*t->bars), compare_starts);
	for (size_t i = 0; i < t->bars_n; i++)
		t->bar_of[t->bars[i].place_index] = i;
	return 0;
}

/* Add a program to the last segment, or to a new one. */
static void add_program(struct timeline *t, struct bar *bar, size_t place_index)
{
	const struct process *process = process_at(t, place_index);
	uint64_t ns = process->end_ns - process->start_ns;
	struct segment *last = &t->segments[t->segments_n];

	if (bar->segments_n == 0 || (!is_short(t, ns) && !is_short(t, last[-1].longest_ns))) {
		*last = (struct segment){ .start_ns = process->start_ns,
					  .place_index = place_index };
		for (size_t i = 0; i < t->events_n; i++)
			*count_of_segment(t, t->segments_n, i) = no_count;
		t->segments_n++;
		bar->segments_n++;
	} else {
		last--;
	}
	if (ns >= last->longest_ns) {
		last->longest_ns = ns;
		last->place_index = place_index;
	}
	last->end_ns = process->end_ns;
	for (size_t i = 0; i < t->events_n; i++)
		count_add(count_of_segment(t, t->segments_n - 1, i), t->series, place_index,
			  t->events[i]);
}

static int make_segments(struct timeline *t, const size_t *next_of)
{
	t->segments = calloc(t->places_n + 1, sizeof(*t->segments));
	t->counts = calloc(t->places_n * t->events_n + 1, sizeof(*t->counts));
	if (!t->segments || !t->counts)
		return -ENOMEM;
	for (size_t i = 0; i < t->bars_n; i++) {
		struct bar *bar = &t->bars[i];

		bar->first_segment = t->segments_n;
		for (size_t at = bar->place_index; at != PLACE_NONE; at = next_of[at])
			add_program(t, bar, at);
	}
	return 0;
}

static int make_bars(struct timeline *t)
{
	cleanup_free size_t *next_of = calloc(t->places_n + 1, sizeof(*next_of));
	int err = next_of ? find_bars(t, next_of) : -ENOMEM;

	if (err == 0 && t->end_ns == 0)
		t->end_ns = 1;
	return err < 0 ? err : make_segments(t, next_of);
}

/* ---- Heights: a bar is as high as its rate, so that its area is its count. */

struct rate {
	double rate, count;
};

static double rate_of(const struct timeline *t, size_t segment, size_t event)
{
	const struct segment *it = &t->segments[segment];
	uint64_t ns = it->end_ns > it->start_ns ? it->end_ns - it->start_ns : 1;

	return (double)count_of_segment(t, segment, event)->value / ((double)ns / 1e9);
}

static int compare_rates(const void *a, const void *b)
{
	const struct rate *left = a, *right = b;

	return (left->rate > right->rate) - (left->rate < right->rate);
}

/* The highest rates are often those of the shortest processes. They must not flatten the others. */
static int find_full_heights(struct timeline *t)
{
	cleanup_free struct rate *rates = calloc(t->segments_n + 1, sizeof(*rates));

	if (!rates)
		return -ENOMEM;
	for (size_t event = 0; event < t->events_n; event++) {
		double all = 0, sum = 0;

		for (size_t i = 0; i < t->segments_n; i++) {
			rates[i].rate = rate_of(t, i, event);
			rates[i].count = (double)count_of_segment(t, i, event)->value;
			all += rates[i].count;
		}
		qsort(rates, t->segments_n, sizeof(*rates), compare_rates);
		for (size_t i = 0; i < t->segments_n && sum < UNCUT * all; i++) {
			sum += rates[i].count;
			t->full[event] = rates[i].rate;
		}
	}
	return 0;
}

/* From 0, which is nothing, to LEVELS. */
static int level_of(const struct timeline *t, size_t segment, size_t event)
{
	double share = t->full[event] > 0 ? rate_of(t, segment, event) / t->full[event] : 0;
	double level = share < 1 ? share * LEVELS : LEVELS;

	return (int)level + ((int)level < level); /* rounded up */
}

/* ---- Lanes. */

static double width_of(const struct timeline *t, const struct bar *bar)
{
	double width = percent_of(t, bar->end_ns) - percent_of(t, bar->start_ns);

	return width < BAR_LEAST ? BAR_LEAST : width;
}

/* The first lane from this one on that has room for the bar. */
static size_t find_lane(const struct timeline *t, const struct bar *bar, size_t from)
{
	while (from < t->lanes_n && t->lanes[from].end > percent_of(t, bar->start_ns))
		from++;
	return from;
}

static int put_into_lane(struct timeline *t, size_t i, size_t at)
{
	struct bar *bar = &t->bars[i];

	while (at >= t->lanes_n) {
		if (array_grow(&t->lanes, t->lanes_n, &t->lanes_size, sizeof(*t->lanes)) < 0)
			return -ENOMEM;
		t->lanes[t->lanes_n++] = (struct lane){ .first = PLACE_NONE };
	}
	bar->lane = at;
	bar->next = PLACE_NONE;
	if (t->lanes[at].first == PLACE_NONE)
		t->lanes[at].first = i;
	else
		t->bars[t->lanes[at].last].next = i;
	t->lanes[at].last = i;
	t->lanes[at].end = percent_of(t, bar->start_ns) + width_of(t, bar) + GAP;
	return 0;
}

/* The lane below that of the process that created this one. */
static size_t lane_below_parent(const struct timeline *t, const struct bar *bar)
{
	size_t parent = process_at(t, bar->place_index)->parent;

	if (parent >= t->places_n)
		return 0;
	return t->bars[t->bar_of[process_at(t, parent)->first]].lane + 1;
}

enum packing {
	PACK_SPREAD, /* a lane for each process */
	PACK_BELOW, /* a process is below the one that created it */
	PACK_TIGHT, /* as few lanes as possible */
};

static int pack(struct timeline *t, enum packing packing)
{
	int err = 0;

	t->lanes_n = 0;
	for (size_t i = 0; err == 0 && i < t->bars_n; i++) {
		const struct bar *bar = &t->bars[i];
		size_t from = packing == PACK_BELOW ? lane_below_parent(t, bar) : 0;

		err = put_into_lane(t, i, packing == PACK_SPREAD ? i : find_lane(t, bar, from));
	}
	return err;
}

static bool is_spread(const struct timeline *t)
{
	return t->bars_n <= SPREAD_MAX;
}

static int make_lanes(struct timeline *t)
{
	int err = pack(t, is_spread(t) ? PACK_SPREAD : PACK_BELOW);

	if (err == 0 && t->lanes_n > LANES_MANY)
		err = pack(t, PACK_TIGHT);
	return err;
}

static double lane_height(const struct timeline *t)
{
	double height = (double)LANES_HEIGHT / (double)t->lanes_n;

	if (height > LANE_HEIGHT)
		return LANE_HEIGHT;
	return height < LANE_LEAST ? LANE_LEAST : height;
}

/* ---- The style: rules for each event, which apply while it is selected. */

static void add_condition(const struct timeline *t, size_t event)
{
	if (event == 0) /* also for a browser that does not know :has() */
		str_add(t->page->out, ".timeline ");
	else
		str_addf(t->page->out, ".timeline:has(.event option:nth-child(%zu):checked) ",
			 event + 1);
}

void timeline_add_style(const struct timeline *t)
{
	struct str *out = t->page->out;

	for (size_t event = 0; event < t->events_n; event++) {
		if (event > 0) {
			add_condition(t, event);
			str_add(out, ".v0{display:none}\n");
		}
		add_condition(t, event);
		str_addf(out, ".v%zu{display:inline}\n", event);
		for (int level = 0; level <= LEVELS; level++) {
			add_condition(t, event);
			str_addf(out, ".e%zu-%d{--h:%.3g}\n", event, level,
				 level ? (double)level / LEVELS : 0.06);
		}
	}
}

/* ---- Titles. */

/* "12.3 ms" */
static void add_time(const struct timeline *t, uint64_t ns)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "s", 1e9 }, { "ms", 1e6 }, { "µs", 1e3 } };
	size_t i = 0;
	double value;

	while (i < 2 && (double)ns < units[i].ns)
		i++;
	value = (double)ns / units[i].ns;
	num_add(t->page->out, value, text_decimals(value / 100), t->page->text.numbers);
	str_addf(t->page->out, " %s", units[i].unit);
}

/* Append at most this number of bytes, without a part of a character. */
static void add_start(struct str *out, const char *text, size_t most)
{
	cleanup_str struct str start = { 0 };
	size_t n = 0;

	while (n < most && text[n]) {
		size_t length = utf8_length(text + n);

		n += length ? length : 1;
	}
	str_add_n(&start, text, n);
	html_add_str(out, &start);
	str_add(out, text[n] ? "…" : "");
}

static size_t command_bytes(const struct timeline *t)
{
	size_t n = COMMANDS_BYTES / t->bars_n;

	if (n > COMMAND_MOST)
		return COMMAND_MOST;
	return n < COMMAND_LEAST ? COMMAND_LEAST : n;
}

static void add_end(struct str *out, const struct process *process)
{
	if (process->end != PROCESS_ENDED)
		str_add(out, "still running");
	else if (WIFSIGNALED(process->wait_status))
		str_addf(out, "signal %d", WTERMSIG(process->wait_status));
	else
		str_addf(out, "exit status %d", WEXITSTATUS(process->wait_status));
}

/* The programs of a bar that has several colours. */
static void add_programs(const struct timeline *t, const struct bar *bar)
{
	struct str *out = t->page->out;

	for (size_t i = 0; bar->segments_n > 1 && i < bar->segments_n; i++) {
		const struct segment *segment = &t->segments[bar->first_segment + i];

		str_add(out, i == 0 ? "\n" : ", then ");
		html_add(out, process_at(t, segment->place_index)->name);
		str_add(out, " ");
		add_time(t, segment->end_ns - segment->start_ns);
	}
}

/* The lines of a title: the process, its command, its times and its counts. */
static void add_title(const struct timeline *t, const struct bar *bar)
{
	const struct process *first = process_at(t, bar->place_index);
	const struct process *last = process_at(t, bar->last);
	struct str *out = t->page->out;

	str_add(out, "<title>");
	html_add(out, last->name);
	str_addf(out, " %d", first->pid);
	if (first->parent < t->places_n)
		str_addf(out, ", parent %d", process_at(t, first->parent)->pid);
	str_add(out, "\n");
	add_start(out, last->command ? last->command : last->name, command_bytes(t));
	add_programs(t, bar);
	str_add(out, "\nat ");
	add_time(t, bar->start_ns);
	str_add(out, ", for ");
	add_time(t, bar->end_ns - bar->start_ns);
	str_add(out, ", ");
	add_end(out, last);
	for (size_t event = 0; event < t->events_n; event++) {
		struct count sum = no_count;

		for (size_t i = 0; i < bar->segments_n; i++) {
			const struct count *part =
				count_of_segment(t, bar->first_segment + i, event);

			if (part->state == FAILED || sum.state == NOT_COUNTED)
				sum = *part;
			else if (sum.state != FAILED && series_has_count(part->state))
				sum = (struct count){ .value = sum.value + part->value,
						      .state = part->state == SCALED ? SCALED :
										       sum.state };
		}
		str_add(out, "\n");
		html_add(out, t->names[event]);
		str_add(out, " ");
		add_count(t, event, &sum, sum.value);
		add_unit(t, event);
	}
	str_add(out, "</title>\n");
}

/* ---- The drawing. */

/* Append " NAME="12.345%"". percent is not negative. */
static void add_percent(struct str *out, const char *name, double percent)
{
	str_addf(out, " %s=\"%.5g%%\"", name, (double)(long long)(percent * 1000 + 0.5) / 1000);
}

static void add_rect(struct str *out, double from, double width)
{
	add_percent(out, "x", from);
	add_percent(out, "width", width);
	str_add(out, "/>\n");
}

/* Append the text in a lane of its own: after the bar, before it, or within it, where it fits. */
static void add_command(const struct timeline *t, const struct bar *bar)
{
	const struct process *process = process_at(t, bar->last);
	const char *text = process->command ? process->command : process->name;
	double from = percent_of(t, bar->start_ns), end = from + width_of(t, bar);
	double needed = LETTER * (double)(strlen(text) < LABEL_BYTES ? strlen(text) : LABEL_BYTES);
	bool is_after = end + needed < RIGHT, is_before = !is_after && from - needed > LEFT;
	struct str *out = t->page->out;

	str_add(out, is_before ? "<text class=\"end\"" : "<text");
	add_percent(out, "x", is_after ? end : from);
	str_addf(out, " dx=\"%d\" y=\"-%d\">", is_before ? -LABEL_GAP : LABEL_GAP, BASELINE);
	add_start(out, text, LABEL_BYTES);
	str_add(out, "</text>\n");
}

/* Append the name of the program of the widest segment, if it fits. */
static void add_name(const struct timeline *t, const struct bar *bar)
{
	const struct segment *widest = &t->segments[bar->first_segment];
	struct str *out = t->page->out;
	const char *name;
	double from;

	for (size_t i = 1; i < bar->segments_n; i++)
		if (t->segments[bar->first_segment + i].longest_ns > widest->longest_ns)
			widest = &t->segments[bar->first_segment + i];
	name = process_at(t, widest->place_index)->name;
	from = percent_of(t, widest->start_ns);
	if (percent_of(t, widest->end_ns) - from < LETTER * (double)(strlen(name) + 2) ||
	    lane_height(t) < LABEL_LANE_LEAST)
		return;
	str_add(out, "<text");
	add_percent(out, "x", from);
	str_addf(out, " dx=\"%d\" y=\"-%d\">", LABEL_GAP, BASELINE);
	html_add(out, name);
	str_add(out, "</text>\n");
}

static void add_segment(const struct timeline *t, const struct bar *bar, size_t segment,
			size_t colour)
{
	const struct segment *it = &t->segments[segment];
	size_t own = colour_of(t, process_at(t, it->place_index)->name);
	double from = percent_of(t, it->start_ns), width = percent_of(t, it->end_ns) - from;
	struct str *out = t->page->out;

	str_add(out, "<rect class=\"");
	for (size_t i = 0; i < t->events_n; i++)
		str_addf(out, "%se%zu-%d", i ? " " : "", i, level_of(t, segment, i));
	if (own != colour)
		str_addf(out, " p%zu", own);
	str_add(out, "\"");
	add_rect(out, from, bar->segments_n == 1 ? width_of(t, bar) : width);
}

/* A bar is a pale rectangle of the full height, and in it the segments with the heights of their
 * rates. */
static void add_bar(const struct timeline *t, const struct bar *bar)
{
	const struct segment *last = &t->segments[bar->first_segment + bar->segments_n - 1];
	size_t colour = colour_of(t, process_at(t, last->place_index)->name);
	double from = percent_of(t, bar->start_ns), width = width_of(t, bar);
	struct str *out = t->page->out;

	str_addf(out, "<g class=\"bar p%zu\">", colour);
	add_title(t, bar);
	str_add(out, "<rect");
	add_rect(out, from, width);
	for (size_t i = 0; i < bar->segments_n; i++)
		add_segment(t, bar, bar->first_segment + i, colour);
	for (int i = 0; process_at(t, bar->last)->end != PROCESS_ENDED && i < 3; i++) {
		str_add(out, "<rect class=\"open\"");
		add_rect(out, from + width + TAIL * (2 * i + 1) / 2, TAIL / 2);
	}
	if (is_spread(t))
		add_command(t, bar);
	else
		add_name(t, bar);
	str_add(out, "</g>\n");
}

/* The times above the lanes, and a line for each. */
static void add_axis(const struct timeline *t, double bottom)
{
	double unit = t->end_ns >= 1000000000 ? 1e9 : 1e6;
	double step = html_step((double)t->end_ns / unit / TICKS_MAX);
	struct str *out = t->page->out;

	for (int i = 0; (double)i * step * unit <= (double)t->end_ns; i++) {
		double x = percent_of(t, (uint64_t)((double)i * step * unit));

		str_add(out, "<line class=\"grid\"");
		add_percent(out, "x1", x);
		add_percent(out, "x2", x);
		str_addf(out, " y1=\"%d\" y2=\"%.0f\"/>\n", HEAD - 8, bottom);
		str_add(out, i == 0 ? "<text class=\"aside\"" : "<text class=\"aside middle\"");
		add_percent(out, "x", x);
		str_addf(out, " y=\"%d\">", HEAD - 14);
		num_add(out, (double)i * step, text_decimals(step), t->page->text.numbers);
		str_add(out, i == 0 ? (unit > 1e6 ? " s</text>\n" : " ms</text>\n") : "</text>\n");
	}
}

static void add_drawing(const struct timeline *t)
{
	double lane = lane_height(t), bottom = HEAD + lane * (double)t->lanes_n;
	struct str *out = t->page->out;

	str_addf(out,
		 "<div class=\"scroll chart\" role=\"region\" aria-labelledby=\"processes\" "
		 "tabindex=\"0\">\n<svg height=\"%.0f\" role=\"img\" "
		 "aria-labelledby=\"timelinet timelined\">\n"
		 "<title id=\"timelinet\">The processes over time</title>\n"
		 "<desc id=\"timelined\">",
		 bottom + FOOT);
	num_add(out, t->bars_n, 0, t->page->text.numbers);
	str_add(out, " processes within ");
	add_time(t, t->end_ns);
	str_add(out, "</desc>\n");
	add_axis(t, bottom + FOOT / 2.0);
	for (size_t i = 0; i < t->lanes_n; i++) {
		str_addf(out, "<g transform=\"translate(0 %.4g)", HEAD + lane * (double)(i + 1));
		if (lane < LANE_HEIGHT)
			str_addf(out, " scale(1 %.3g)", lane / LANE_HEIGHT);
		str_add(out, "\">\n");
		for (size_t at = t->lanes[i].first; at != PLACE_NONE; at = t->bars[at].next)
			add_bar(t, &t->bars[at]);
		str_add(out, "</g>\n");
	}
	str_add(out, "</svg>\n</div>\n");
}

/* ---- Above the drawing. */

/* Add the hints that this drawing needs. */
static void add_hints(const struct timeline *t)
{
	uint64_t shortest = (uint64_t)((double)t->end_ns * BAR_LEAST / (RIGHT - LEFT));
	struct str *out = t->page->out;
	bool changes = false, runs = false, short_ones = false;

	for (size_t i = 0; i < t->bars_n; i++) {
		changes |= t->bars[i].segments_n > 1;
		runs |= process_at(t, t->bars[i].last)->end != PROCESS_ENDED;
		short_ones |= is_short(t, t->bars[i].end_ns - t->bars[i].start_ns);
	}
	str_add(out, "<p class=\"hint\">");
	num_add(out, t->bars_n, 0, t->page->text.numbers);
	str_add(out, t->bars_n == 1 ? " process." : " processes.");
	str_add(out, is_spread(t) ? " Each one has a line." :
				    " Processes that do not overlap share a line.");
	str_add(out, changes ? " A change of colour is an exec." : "");
	str_add(out, runs ? " An open end is a process that was still running." : "");
	if (short_ones) {
		str_add(out, " A process shorter than ");
		add_time(t, shortest);
		str_add(out, " is drawn this long.");
	}
	str_add(out, "</p>\n");
}

/* For each event, the meaning of the heights. */
static void add_scales(const struct timeline *t)
{
	struct str *out = t->page->out;

	str_add(out, "<p class=\"hint\">");
	for (size_t i = 0; i < t->events_n; i++) {
		str_addf(out, "<span class=\"v%zu\">The height of a bar is the rate of ", i);
		html_add_name(out, t->names[i]);
		str_add(out, ", so its area is the count. Full height: ");
		add_value(t, i, t->full[i], t->full[i]);
		add_unit(t, i);
		str_add(out, " per second or more.</span>");
	}
	str_add(out, "</p>\n");
}

static void add_choices(const struct timeline *t)
{
	static const char *const widths[] = { "1×", "3×", "10×", "30×" };
	struct str *out = t->page->out;

	str_add(out, "<p class=\"choices\">");
	if (t->events_n > 0) {
		str_add(out, "<label>Event <select class=\"event\" autocomplete=\"off\">");
		for (size_t i = 0; i < t->events_n; i++) {
			str_add(out, "<option>");
			html_add(out, t->names[i]);
			str_add(out, "</option>");
		}
		str_add(out, "</select></label> ");
	}
	str_add(out, "<label>Width <select class=\"zoom\" autocomplete=\"off\">");
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		str_addf(out, "<option>%s</option>", widths[i]);
	str_add(out, "</select></label></p>\n");
}

static void add_mark(struct str *out, size_t colour)
{
	str_addf(out,
		 "<svg class=\"mark p%zu\" viewBox=\"-3 -3 6 6\" aria-hidden=\"true\">"
		 "<use href=\"#m2\"/></svg> ",
		 colour);
}

/* A name, or all names from COLOURS_N on. */
static void add_legend_entry(const struct timeline *t, size_t name)
{
	size_t end = name < COLOURS_N ? name + 1 : t->names_n, processes_n = 0;
	struct str *out = t->page->out;

	for (size_t i = name; i < end; i++)
		processes_n += t->by_name.places[i].process->processes_n;
	str_add(out, "<li>");
	add_mark(out, name);
	if (name < COLOURS_N)
		html_add_name(out, t->by_name.places[name].process->name);
	else
		str_add(out, "others");
	str_add(out, " <span class=\"dim\">× ");
	num_add(out, processes_n, 0, t->page->text.numbers);
	for (size_t event = 0; event < t->events_n; event++) {
		const struct count total = total_of(t, event);
		struct count sum = no_count;

		for (size_t i = name; i < end; i++)
			count_add(&sum, &t->by_name.series, i, t->events[event]);
		str_addf(out, "<span class=\"v%zu\">, ", event);
		if (series_has_count(sum.state))
			add_share(t, sum.value, &total);
		str_add(out, "</span>");
	}
	str_add(out, "</span></li>\n");
}

static void add_legend(const struct timeline *t)
{
	str_add(t->page->out, "<ul class=\"legend\">\n");
	for (size_t i = 0; i < t->names_n && i <= COLOURS_N; i++)
		add_legend_entry(t, i);
	str_add(t->page->out, "</ul>\n");
}

/* ---- The table. */

static void add_cells(const struct timeline *t, size_t event, const struct count *count,
		      const struct count *total)
{
	struct str *out = t->page->out;

	str_add(out, "<td class=\"number\">");
	add_count(t, event, count, total->value / 100);
	str_add(out, "</td><td class=\"number dim\">");
	if (series_has_count(count->state))
		add_share(t, count->value, total);
	str_add(out, "</td>");
}

static void add_table_header(const struct timeline *t)
{
	struct str *out = t->page->out;

	str_add(out, "<thead><tr><th scope=\"col\" class=\"side\">Program</th>"
		     "<th scope=\"col\" class=\"number\">Processes</th>");
	for (size_t i = 0; i < t->events_n; i++) {
		str_add(out, "<th scope=\"col\" class=\"number\">");
		html_add_name(out, t->names[i]);
		str_add(out, "<span class=\"unit\">");
		add_unit(t, i);
		str_add(out, "</span></th><th scope=\"col\" class=\"number\">Share</th>");
	}
	str_add(out, "</tr></thead>\n");
}

static void add_table(const struct timeline *t)
{
	struct str *out = t->page->out;

	str_add(out, "<div class=\"scroll\" role=\"region\" aria-labelledby=\"processes\" "
		     "tabindex=\"0\">\n<table>\n");
	add_table_header(t);
	str_add(out, "<tbody>\n");
	for (size_t i = 0; i < t->names_n; i++) {
		const struct process *process = t->by_name.places[i].process;

		str_add(out, "<tr><th scope=\"row\" class=\"side\">");
		add_mark(out, i < COLOURS_N ? i : COLOURS_N);
		html_add_name(out, process->name);
		str_add(out, "</th><td class=\"number\">");
		num_add(out, process->processes_n, 0, t->page->text.numbers);
		str_add(out, "</td>");
		for (size_t event = 0; event < t->events_n; event++) {
			const struct count count = count_of_name(t, i, event);
			const struct count total = total_of(t, event);

			add_cells(t, event, &count, &total);
		}
		str_add(out, "</tr>\n");
	}
	str_add(out, "</tbody>\n<tbody>\n<tr><th scope=\"row\" class=\"side\">all</th>"
		     "<td class=\"number\">");
	num_add(out, t->bars_n, 0, t->page->text.numbers);
	str_add(out, "</td>");
	for (size_t event = 0; event < t->events_n; event++) {
		const struct count total = total_of(t, event);

		add_cells(t, event, &total, &total);
	}
	str_add(out, "</tr>\n</tbody>\n</table>\n</div>\n");
}

/* The events that are not in the drawing, and the meaning of the sign of scaled counts. */
static void add_notes(const struct timeline *t)
{
	cleanup_str struct str absent = { 0 };
	const struct event_list *events = t->series->events;
	struct str *out = t->page->out;
	bool scaled = false, partial = false;

	for (size_t i = 0, shown = 0; i < events->n; i++) {
		if (shown < t->events_n && t->events[shown] == i)
			shown++;
		else if (events->events[i].tool == TOOL_NONE && !events->events[i].merged)
			str_add_listed(&absent, events->events[i].name);
	}
	for (size_t i = 0; i < t->segments_n * t->events_n; i++)
		scaled |= t->counts[i].state == SCALED;
	if (scaled)
		str_add(out, "<p class=\"hint\">≈ scaled: an estimate, because the counter ran "
			     "only part of the time.</p>\n");
	for (size_t i = 0; i < t->events_n; i++)
		partial |= total_of(t, i).partial;
	if (partial)
		str_add(out, "<p class=\"hint\">≥ only the programs with a count; the shares are "
			     "relative to this sum.</p>\n");
	if (absent.len == 0 && !absent.failed)
		return;
	str_add(out, "<p class=\"hint\">Not shown (no counts): ");
	html_add_str(out, &absent);
	str_add(out, ".</p>\n");
}

/* ---- The whole section. */

bool html_has_timeline(const struct html_page *page)
{
	const struct series *series = page->c->tables[0].series;

	return page->subject == HTML_RUNS && series->runs_n == 1 &&
	       series->split == PLACE_PROCESS && series->events->n > 0 && series->rows_n > 0 &&
	       series->places[0].process && series->places[0].process->pid;
}

struct timeline *timeline_make(struct html_page *page)
{
	struct timeline *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return NULL;
	t->page = page;
	t->series = page->c->tables[0].series;
	t->places_n = series_places_n(t->series);
	err = find_events(t);
	if (err == 0)
		err = find_names(t);
	if (err == 0)
		err = make_bars(t);
	if (err == 0)
		err = find_full_heights(t);
	if (err == 0)
		err = make_lanes(t);
	if (err == 0)
		return t;
	timeline_free(t);
	return NULL;
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->events_n; i++)
		free(t->names[i]);
	free(t->events);
	free(t->names);
	free(t->full);
	process_rows_release(&t->by_name);
	free(t->bars);
	free(t->bar_of);
	free(t->segments);
	free(t->counts);
	free(t->lanes);
	free(t);
}

void timeline_add(const struct timeline *t)
{
	str_add(t->page->out,
		"<section class=\"timeline\">\n<h2 id=\"processes\">Processes</h2>\n");
	add_hints(t);
	add_choices(t);
	add_legend(t);
	if (t->events_n > 0)
		add_scales(t);
	add_drawing(t);
	add_table(t);
	add_notes(t);
	str_add(t->page->out, "</section>\n");
}
