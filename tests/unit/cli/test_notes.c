/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The note before the first run, if the events do not fit the PMU. */
#include "cli/notes.c" /* for its static functions */
#include "unit/test.h"
#include "unit/tree.h"

/* The longest note that a terminal shows well, without "pstat: ". */
enum { NOTE_MAX = 100 };

static void the_note_says_what_the_shortage_means(void **state)
{
	static const struct {
		int line;
		bool no_multiplex, watchdog;
		struct budget budget;
		const char *expected;
	} rows[] = {
		{ ROW,
		  false,
		  false,
		  { .events = 12, .counters = 7, .passes = 2 },
		  "12 events share 7 counters: counts are estimates; drop 5 or use --no-multiplex "
		  "(2 runs)" },
		{ ROW,
		  true,
		  false,
		  { .events = 12, .counters = 7, .passes = 2 },
		  "12 events share 7 counters: each measurement runs the command 2 times" },
		{ ROW,
		  true,
		  false,
		  { .events = 12, .counters = 7, .passes = 2, .too_large = true },
		  "12 events share 7 counters: 2 runs each; the weak group's events still take "
		  "turns" },
		{ ROW,
		  true,
		  true,
		  { .events = 12, .counters = 7, .passes = 2, .too_large = true },
		  "12 events share 7 counters (NMI watchdog: 1): 2 runs each; the weak group's "
		  "events still take turns" },
		/* passes do not help if no counter is free */
		{ ROW,
		  true,
		  false,
		  { .events = 3, .passes = 3, .too_large = true },
		  "no counter is free for 3 events; another user may hold the PMU" },
		{ ROW,
		  false,
		  false,
		  { .events = 1, .passes = 1 },
		  "no counter is free for 1 event; another user may hold the PMU" },
	};
	struct machine machine;

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct options options = { .no_multiplex = rows[i].no_multiplex };
		cleanup_str struct str text = { 0 };

		machine.root = tree_new();
		tree_add(machine.root, "sys/bus/event_source/devices/cpu/type", "4\n");
		tree_add(machine.root, "proc/sys/kernel/nmi_watchdog",
			 rows[i].watchdog ? "1\n" : "0\n");
		add_budget(&options, &machine, &rows[i].budget, &text);
		row_string(&rows[i], str_text(&text), rows[i].expected);
		row_true(&rows[i], text.len <= NOTE_MAX);
		tree_remove(machine.root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_note_says_what_the_shortage_means),
	};

	return cmocka_run_group_tests_name("notes", tests, NULL, NULL);
}
