/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mem:PLACE[/LEN][:rwx][:modifiers]. test_symbol tests the addresses of symbols. */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/resolve.h"
#include "event/source_breakpoint.c" /* for its static functions */
#include "unit/test.h"

enum {
	R = HW_BREAKPOINT_R,
	W = HW_BREAKPOINT_W,
	RW = HW_BREAKPOINT_RW,
	X = HW_BREAKPOINT_X,
	WORD = sizeof(long), /* the kernel requires this length for code */
};

static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

static const struct {
	int line;
	const char *text;
	unsigned long long address;
	const char *symbol; /* NULL: an address */
	unsigned int type, length; /* 0: from the size of the symbol */
} accepted[] = {
	{ ROW, "mem:0x601040", 0x601040, NULL, RW, 4 },
	{ ROW, "mem:4096", 4096, NULL, RW, 4 },
	{ ROW, "mem:0x601040:r", 0x601040, NULL, R, 4 },
	{ ROW, "mem:0x601040:w", 0x601040, NULL, W, 4 },
	{ ROW, "mem:0x601040:rw", 0x601040, NULL, RW, 4 },
	{ ROW, "mem:0x601040:wr", 0x601040, NULL, RW, 4 },
	{ ROW, "mem:0x601040:x", 0x601040, NULL, X, WORD },
	{ ROW, "mem:0x601040/1", 0x601040, NULL, RW, 1 },
	{ ROW, "mem:0x601040/2:w", 0x601040, NULL, W, 2 },
	{ ROW, "mem:0x601040/4:rw", 0x601040, NULL, RW, 4 },
	{ ROW, "mem:0x601040/8:r", 0x601040, NULL, R, 8 },
	{ ROW, "mem:0xffffffffffffffff/1", 0xffffffffffffffff, NULL, RW, 1 },
	{ ROW, "mem:0x601040:u", 0x601040, NULL, RW, 4 },
	{ ROW, "mem:0x601040:w:u", 0x601040, NULL, W, 4 },
	{ ROW, "mem:0x601040/8:w:k", 0x601040, NULL, W, 8 },
	{ ROW, "mem:counter", 0, "counter", RW, 0 },
	{ ROW, "mem:counter:w", 0, "counter", W, 0 },
	{ ROW, "mem:counter/8:w", 0, "counter", W, 8 },
	{ ROW, "mem:main:x:u", 0, "main", X, 0 },
};

static void a_breakpoint_has_the_values_of_its_name(void **state)
{
	for (size_t i = 0; i < N_OF(accepted); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };
		const struct event *event;
		int err = resolve_events(&machine, RESOLVE_BY_ALL, accepted[i].text, &list, &why);

		if (err < 0)
			print_error("%s: %s\n", accepted[i].text, why_text(&why, err));
		row_int(&accepted[i], err, 0);
		row_int(&accepted[i], list.n, 1);
		event = &list.events[0];
		row_int(&accepted[i], event->attr.type, PERF_TYPE_BREAKPOINT);
		row_int(&accepted[i], event->attr.config, 0);
		row_int(&accepted[i], event->attr.bp_addr, accepted[i].address);
		row_int(&accepted[i], event->attr.bp_type, accepted[i].type);
		row_int(&accepted[i], event->attr.bp_len, accepted[i].length);
		row_string(&accepted[i], event->symbol ? event->symbol : "none",
			   accepted[i].symbol ? accepted[i].symbol : "none");
		row_string(&accepted[i], event->name, accepted[i].text);
		row_string(&accepted[i], event->source, "breakpoint");
	}
}

static void modifiers_follow_the_access(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "mem:0x1000:w:uD,mem:0x1000:w",
					&list, &why),
			 0);
	assert_int_equal(list.events[0].attr.exclude_kernel, 1);
	assert_int_equal(list.events[0].attr.exclude_user, 0);
	assert_int_equal(list.events[0].attr.pinned, 1);
	assert_true(list.events[0].has_modifiers);
	assert_int_equal(list.events[1].attr.exclude_kernel, 0);
	assert_false(list.events[1].has_modifiers);
}

static const struct refused_with refused[] = {
	{ ROW, "mem:", -EINVAL, 4, "an address or a name is missing after 'mem:'" },
	{ ROW, "cs,mem::w", -EINVAL, 7, "an address or a name is missing after 'mem:'" },
	{ ROW, "mem:/4", -EINVAL, 4, "an address or a name is missing after 'mem:'" },
	{ ROW, "mem:0x1000/3", -EINVAL, 11,
	  "'3' is not the length of a breakpoint; use 1, 2, 4 or 8 bytes" },
	{ ROW, "mem:0x1000/0:w", -EINVAL, 11,
	  "'0' is not the length of a breakpoint; use 1, 2, 4 or 8 bytes" },
	{ ROW, "mem:0x1000/16", -EINVAL, 11,
	  "'16' is not the length of a breakpoint; use 1, 2, 4 or 8 bytes" },
	{ ROW, "mem:0x1000/", -EINVAL, 11,
	  "'' is not the length of a breakpoint; use 1, 2, 4 or 8 bytes" },
	{ ROW, "mem:counter/w", -EINVAL, 12,
	  "'w' is not the length of a breakpoint; use 1, 2, 4 or 8 bytes" },
	{ ROW, "mem:0x1000/-4", -EINVAL, 11,
	  "'-4' is not the length of a breakpoint; use 1, 2, 4 or 8 bytes" },
	{ ROW, "mem:0x1000/4/4", -EINVAL, 11,
	  "'4/4' is not the length of a breakpoint; use 1, 2, 4 or 8 bytes" },
	{ ROW, "mem:0x1000:ww", -EINVAL, 12, "'w' is given twice" },
	{ ROW, "mem:0x1000:rwr", -EINVAL, 13, "'r' is given twice" },
	{ ROW, "cs,mem:0x1000/8:rwx", -EINVAL, 16,
	  "x cannot be combined with r or w: a breakpoint watches either code or data" },
	{ ROW, "mem:main:xr", -EINVAL, 9,
	  "x cannot be combined with r or w: a breakpoint watches either code or data" },
	{ ROW, "mem:0x1000:w:uu", -EINVAL, 14, "modifier 'u' is given twice" },
	{ ROW, "mem:0x1000:z", -EINVAL, 11,
	  "unknown modifier 'z'; choose from u k h G H I p P S D e W b" },
	{ ROW, "mem:0x1000:w:z", -EINVAL, 13,
	  "unknown modifier 'z'; choose from u k h G H I p P S D e W b" },
	{ ROW, "mem:0x1000:w:u:k", -EINVAL, 15, "nothing may follow the modifiers" },
	{ ROW, "mem:0x10000000000000000:w", -ERANGE, 4,
	  "'0x10000000000000000' does not fit in 64 bits" },
	{ ROW, "mem:18446744073709551616", -ERANGE, 4,
	  "'18446744073709551616' does not fit in 64 bits" },
};

static void an_error_has_a_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };
		const char *text = refused[i].text;

		row_int(&refused[i], resolve_events(&machine, RESOLVE_BY_ALL, text, &list, &why),
			refused[i].error);
		row_why(&refused[i], &why);
	}
}

static void the_default_length_is_that_of_the_variable(void **state)
{
	static const struct {
		int line;
		unsigned int type;
		unsigned long long size;
		unsigned int length;
	} rows[] = {
		{ ROW, RW, 1, 1 },   { ROW, W, 2, 2 },	  { ROW, R, 4, 4 },
		{ ROW, RW, 8, 8 }, /* longer than any breakpoint: its beginning */
		{ ROW, RW, 0, 4 },   { ROW, RW, 3, 4 },	  { ROW, RW, 4096, 4 },
		{ ROW, X, 1, WORD }, { ROW, X, 0, WORD },
	};

	for (size_t i = 0; i < N_OF(rows); i++)
		row_int(&rows[i], breakpoint_length(rows[i].type, rows[i].size), rows[i].length);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_breakpoint_has_the_values_of_its_name),
		cmocka_unit_test(modifiers_follow_the_access),
		cmocka_unit_test(an_error_has_a_position),
		cmocka_unit_test(the_default_length_is_that_of_the_variable),
	};

	return cmocka_run_group_tests_name("breakpoint", tests, NULL, NULL);
}
