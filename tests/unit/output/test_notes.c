/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The note before the first run, if the events do not fit the PMU, and the notes of reasons. */
#include "output/notes.c" /* for its static functions */
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
		notes_add_budget(&options, &machine, &rows[i].budget, &text);
		row_string(&rows[i], str_text(&text), rows[i].expected);
		row_true(&rows[i], text.len <= NOTE_MAX);
		tree_remove(machine.root);
	}
}

/* The session frees a reason that changes, and the next text may have the same address. */
static void a_reason_is_printed_once_and_again_if_its_text_changes(void **state)
{
	cleanup_str struct str lines = { 0 };
	const struct options options = { .file_notes = &lines, .output = "/nonexistent" };
	char name[] = "cycles", text[] = "reason 1", copy[] = "reason 2";
	struct event event = { .name = name };
	const struct event_list events = { .events = &event, .n = 1 };
	struct opening opening = { .refused = true, .reason = { .text = text } };
	const char once[] = "# pstat: cycles: not supported: reason 1\n";
	const char twice[] = "# pstat: cycles: not supported: reason 1\n"
			     "# pstat: cycles: not supported: reason 2\n";
	struct notes notes = { 0 };

	assert_int_equal(notes_init(&notes, &options, &events, &opening), 0);
	notes_print_reasons(&notes);
	notes_print_reasons(&notes);
	assert_string_equal(str_text(&lines), once);
	text[sizeof(text) - 2] = '2';
	notes_print_reasons(&notes);
	assert_string_equal(str_text(&lines), twice);
	opening.reason.text = copy;
	notes_print_reasons(&notes);
	assert_string_equal(str_text(&lines), twice);
	notes_release(&notes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_note_says_what_the_shortage_means),
		cmocka_unit_test(a_reason_is_printed_once_and_again_if_its_text_changes),
	};

	return cmocka_run_group_tests_name("notes", tests, NULL, NULL);
}
