/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/spec.h"
#include "unit/test.h"

static void add_word(struct str *out, const char *before, const struct spec_word *word)
{
	str_addf(out, "%s%.*s", before, (int)word->len, word->text);
}

static void add_event(struct str *out, const struct event_spec *event)
{
	static const char *const forms[] = {
		[SPEC_NAME] = "name",	      [SPEC_PMU] = "pmu", [SPEC_RAW] = "raw",
		[SPEC_NUMBERED] = "numbered", [SPEC_PFM] = "pfm", [SPEC_BREAKPOINT] = "breakpoint",
		[SPEC_PROBE] = "probe",
	};

	str_addf(out, "%s(", forms[event->form]);
	for (size_t i = 0; i < event->words_n; i++)
		add_word(out, i ? "|" : "", &event->words[i]);
	for (size_t i = 0; i < event->terms_n; i++) {
		add_word(out, " <", &event->terms[i].name);
		if (event->terms[i].has_value)
			add_word(out, "=", &event->terms[i].value);
		str_add(out, ">");
	}
	str_add(out, ")");
	if (event->modifiers.len)
		add_word(out, ":", &event->modifiers);
	str_add(out, event->optional ? "?" : "");
}

/* Print the tree as text: an event is form(words <terms>):modifiers, and a group is in braces. */
static void add_tree(struct str *out, const struct spec_list *list)
{
	for (size_t i = 0; i < list->groups_n; i++) {
		const struct group_spec *group = &list->groups[i];

		str_add(out, i ? " " : "");
		if (group->braces)
			add_word(out, "", &group->name);
		str_add(out, group->braces ? "{" : "");
		for (size_t j = 0; j < group->n; j++) {
			str_add(out, j ? " " : "");
			add_event(out, &list->events[group->first + j]);
		}
		str_add(out, group->braces ? "}" : "");
		if (group->modifiers.len)
			add_word(out, ":", &group->modifiers);
	}
}

static const struct {
	int line;
	const char *text, *tree;
} accepted[] = {
	{ ROW, "cycles", "name(cycles)" },
	{ ROW, "cycles:u", "name(cycles|u)" },
	{ ROW, "cycles,cs", "name(cycles) name(cs)" },
	{ ROW, " cycles , cs ", "name(cycles) name(cs)" },
	{ ROW, "\tcycles\n", "name(cycles)" },
	{ ROW, "L1-dcache-load-misses:k", "name(L1-dcache-load-misses|k)" },
	{ ROW, "sched:sched_switch", "name(sched|sched_switch)" },
	{ ROW, "syscalls:sys_enter_*", "name(syscalls|sys_enter_*)" },
	{ ROW, "INST_RETIRED:ANY_P:u", "name(INST_RETIRED|ANY_P|u)" },
	{ ROW, "INST_RETIRED:c=1:i", "name(INST_RETIRED|c=1|i)" },
	/* the syntax of libpfm4 is one word */
	{ ROW, "skl::BR_MISP_RETIRED:ALL:u", "pfm(skl::BR_MISP_RETIRED:ALL:u)" },
	{ ROW, "power9::PM_CYC", "pfm(power9::PM_CYC)" },
	/* raw */
	{ ROW, "r1a2b", "raw(r1a2b)" },
	{ ROW, "r1a2b:u", "raw(r1a2b):u" },
	{ ROW, "r0xFF", "raw(r0xFF)" },
	{ ROW, "rff", "raw(rff)" },
	{ ROW, "r10000000000000000", "raw(r10000000000000000)" }, /* raw, and too large */
	{ ROW, "4:0x3c", "numbered(4|0x3c)" },
	{ ROW, "4:60:uk", "numbered(4|60):uk" },
	/* names that begin like raw events */
	{ ROW, "r", "name(r)" },
	{ ROW, "ref-cycles", "name(ref-cycles)" },
	{ ROW, "reads", "name(reads)" },
	{ ROW, "4", "name(4)" },
	{ ROW, "4:u", "name(4|u)" },
	/* PMU terms */
	{ ROW, "cpu/cycles/", "pmu(cpu <cycles>)" },
	{ ROW, "cpu//", "pmu(cpu)" },
	{ ROW, "cpu/event=0x3c,umask=1/u", "pmu(cpu <event=0x3c> <umask=1>):u" },
	{ ROW, "cpu/event=0x3c/:u", "pmu(cpu <event=0x3c>):u" },
	{ ROW, "cpu/r1a2b/", "pmu(cpu <r1a2b>)" },
	{ ROW, "msr/tsc/,power/energy-pkg/", "pmu(msr <tsc>) pmu(power <energy-pkg>)" },
	{ ROW, "cpu/event=1,name='a,b/c}'/k", "pmu(cpu <event=1> <name=a,b/c}>):k" },
	{ ROW, "cpu/name=\"it's\",event=1/", "pmu(cpu <name=it's> <event=1>)" },
	{ ROW, "cpu/name=a=b/", "pmu(cpu <name=a=b>)" },
	/* terms after a raw event */
	{ ROW, "r1234/name=x/", "raw(r1234 <name=x>)" },
	{ ROW, "r1234//u", "raw(r1234):u" },
	{ ROW, "4:0x65/name=x/k", "numbered(4|0x65 <name=x>):k" },
	{ ROW, "a:0x65/name=x/", "pmu(a:0x65 <name=x>)" },
	{ ROW, "{ cycles/name=x/ , cs }", "{pmu(cycles <name=x>) name(cs)}" },
	/* optional events */
	{ ROW, "cycles?", "name(cycles)?" },
	{ ROW, "cycles ? , cs", "name(cycles)? name(cs)" },
	{ ROW, "cycles:u?", "name(cycles|u)?" },
	{ ROW, "{cycles?,cs}:u", "{name(cycles)? name(cs)}:u" },
	{ ROW, "cpu/event=1/u?", "pmu(cpu <event=1>):u?" },
	{ ROW, "cpu/event=1/?", "pmu(cpu <event=1>)?" },
	{ ROW, "r1a2b:u?", "raw(r1a2b):u?" },
	{ ROW, "4:0x3c?", "numbered(4|0x3c)?" },
	{ ROW, "mem:0x601040/4:rw?", "breakpoint(0x601040/4:rw)?" },
	{ ROW, "skl::BR_MISP_RETIRED:ALL?", "pfm(skl::BR_MISP_RETIRED:ALL)?" },
	{ ROW, "?", "name(?)" },
	{ ROW, "cycles??", "name(cycles?)?" },
	{ ROW, "sys?:enter_?x", "name(sys?|enter_?x)" },
	/*
	 * breakpoints and probes may hold slashes, and a backslash removes the meaning of the next
	 * character
	 */
	{ ROW, "mem:0x601040/4:rw", "breakpoint(0x601040/4:rw)" },
	{ ROW, "mem:total:w,cs", "breakpoint(total:w) name(cs)" },
	{ ROW, "uprobe:./prog:func", "probe(uprobe|./prog:func)" },
	{ ROW, "uprobe:/lib/a\\,b.so:f+0x4,cs", "probe(uprobe|/lib/a\\,b.so:f+0x4) name(cs)" },
	{ ROW, "{uretprobe:/bin/sh:main,kprobe:do_exit}:u",
	  "{probe(uretprobe|/bin/sh:main) probe(kprobe|do_exit)}:u" },
	{ ROW, "kretprobe:do_sys_openat2", "probe(kretprobe|do_sys_openat2)" },
	{ ROW, "members", "name(members)" },
	/* groups */
	{ ROW, "{cycles,instructions}", "{name(cycles) name(instructions)}" },
	{ ROW, "{cycles}", "{name(cycles)}" },
	{ ROW, "{cycles,instructions}:uW", "{name(cycles) name(instructions)}:uW" },
	{ ROW, "ipc{cycles:u,instructions:u}", "ipc{name(cycles|u) name(instructions|u)}" },
	{ ROW, " ipc { cycles , cs } :u , cs", "ipc{name(cycles) name(cs)}:u name(cs)" },
	{ ROW, "cs,{a,b},{c,d},e", "name(cs) {name(a) name(b)} {name(c) name(d)} name(e)" },
	{ ROW, "{cpu/event=1,umask=2/u,r3c:k}", "{pmu(cpu <event=1> <umask=2>):u raw(r3c):k}" },
	{ ROW, "{skl::A:B:u,cs}", "{pfm(skl::A:B:u) name(cs)}" },
};

static const struct refused refused[] = {
	{ ROW, "", 0, "an event is missing here" },
	{ ROW, "  ", 2, "an event is missing here" },
	{ ROW, ",cycles", 0, "an event is missing here" },
	{ ROW, "cycles,", 7, "an event is missing here" },
	{ ROW, "cycles,,cs", 7, "an event is missing here" },
	{ ROW, "{}", 1, "an event is missing here" },
	{ ROW, "{cycles,}", 8, "an event is missing here" },
	{ ROW, "{cycles,,cs}", 8, "an event is missing here" },
	{ ROW, "{cycles,cs", 0, "the '{' is not closed" },
	{ ROW, "cs,ipc{cycles,cs", 6, "the '{' is not closed" },
	{ ROW, "cycles}", 6, "this '}' has no matching '{'" },
	{ ROW, "{a,b}}", 5, "this '}' has no matching '{'" },
	{ ROW, "{a,{b,c}}", 3, "groups cannot be nested" },
	{ ROW, "{a,b}cs", 5, "a ',' is missing here" },
	{ ROW, "{a,b}:", 6, "modifiers are missing after ':'" },
	{ ROW, "{a,b}:,cs", 6, "modifiers are missing after ':'" },
	{ ROW, "/event=1/", 0, "the name of a PMU is missing before '/'" },
	{ ROW, "cpu/event=1", 3, "the '/' is not closed" },
	{ ROW, "cs,cpu/event=1,cs", 6, "the '/' is not closed" },
	{ ROW, "cpu/event=/", 10, "a value is missing after 'event='" },
	{ ROW, "cpu/event=1,=2/", 12, "the name of a term is missing" },
	{ ROW, "cpu/event=1,,umask=2/", 12, "the name of a term is missing" },
	{ ROW, "cpu/event=1,/", 12, "a term is missing after the ','" },
	{ ROW, "cpu/name='a/", 4, "a quote is not closed" },
	{ ROW, "cpu/a/cpu/b/", 9, "a ',' is missing here" },
	{ ROW, "r1a:u:k", 6, "nothing may follow the modifiers" },
	{ ROW, "r1a:", 4, "modifiers are missing after ':'" },
	{ ROW, "4:0x3c:", 7, "modifiers are missing after ':'" },
	{ ROW, "4:0x3c:u:k", 9, "nothing may follow the modifiers" },
};

static void the_grammar_makes_this_tree(void **state)
{
	for (size_t i = 0; i < N_OF(accepted); i++) {
		cleanup_with(spec_list_release) struct spec_list list = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str tree = { 0 };

		row_int(&accepted[i], spec_parse(&list, accepted[i].text, &why), 0);
		add_tree(&tree, &list);
		row_string(&accepted[i], str_text(&tree), accepted[i].tree);
	}
}

static void a_mistake_has_a_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		struct spec_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&refused[i], spec_parse(&list, refused[i].text, &why), -EINVAL);
		row_why(&refused[i], &why);
		row_int(&refused[i], list.events_n + list.groups_n, 0);
		row_true(&refused[i], list.text == NULL);
	}
}

/* Every word points into the list's own copy, at its position. */
static void every_word_has_its_position(void **state)
{
	static const char text[] = " cs:u, g { cpu/event=0x3c,name='x'/k , r12:u }:W";
	cleanup_with(spec_list_release) struct spec_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(spec_parse(&list, text, &why), 0);
	assert_int_equal(list.events_n, 3);
	for (size_t i = 0; i < list.events_n; i++) {
		const struct event_spec *event = &list.events[i];

		assert_memory_equal(event->text.text, text + event->text.at, event->text.len);
		for (size_t j = 0; j < event->words_n; j++)
			assert_ptr_equal(event->words[j].text, list.text + event->words[j].at);
		for (size_t j = 0; j < event->terms_n; j++) {
			assert_ptr_equal(event->terms[j].name.text,
					 list.text + event->terms[j].name.at);
			assert_ptr_equal(event->terms[j].value.text,
					 list.text + event->terms[j].value.at);
		}
	}
	assert_int_equal(list.events[1].modifiers.at, strcspn(text, "k"));
	assert_int_equal(list.groups[1].modifiers.at, strlen(text) - 1);
	assert_int_equal(list.groups[1].at, strcspn(text, "{"));
}

/*
 * No input is accepted by accident: a list with all elements, cut anywhere, is either parsed, or
 * refused with a position inside the text.
 */
static void a_list_cut_anywhere_is_read_or_refused(void **state)
{
	static const char text[] =
		"a:u,g{cpu/event=1,name='q,/'/k,mem:0x10/4:rw}:uW,skl::A:B,4:0x3c:u";
	char cut[sizeof(text)];

	for (size_t n = 0; n < sizeof(text); n++) {
		cleanup_with(spec_list_release) struct spec_list list = { 0 };
		cleanup_why struct why why = { 0 };
		int err;

		memcpy(cut, text, n);
		cut[n] = '\0';
		err = spec_parse(&list, cut, &why);
		if (err == 0) {
			assert_true(list.events_n > 0);
			continue;
		}
		assert_int_equal(err, -EINVAL);
		assert_non_null(why.text);
		assert_true(why.has_position && why.position <= n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_grammar_makes_this_tree),
		cmocka_unit_test(a_mistake_has_a_position),
		cmocka_unit_test(every_word_has_its_position),
		cmocka_unit_test(a_list_cut_anywhere_is_read_or_refused),
	};

	return cmocka_run_group_tests_name("spec", tests, NULL, NULL);
}
