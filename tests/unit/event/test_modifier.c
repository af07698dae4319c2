/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/modifiers.h"
#include "event/spec.h"
#include "unit/test.h"

static struct spec_word word_of(const char *text)
{
	return (struct spec_word){ .text = text, .len = strlen(text), .at = 40 };
}

/* The exclude bits and other settings of the attr, as words. */
static void add_attr(struct str *out, const struct event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	const struct {
		bool set;
		const char *name;
	} flags[] = {
		{ attr->exclude_user, "-user" },   { attr->exclude_kernel, "-kernel" },
		{ attr->exclude_hv, "-hv" },	   { attr->exclude_guest, "-guest" },
		{ attr->exclude_host, "-host" },   { attr->exclude_idle, "-idle" },
		{ attr->precise_ip == 1, "p" },	   { attr->precise_ip == 2, "pp" },
		{ attr->precise_ip == 3, "ppp" },  { attr->pinned, "pinned" },
		{ attr->exclusive, "exclusive" },  { event->weak, "weak" },
		{ event->modes_chosen, "chosen" },
	};

	for (size_t i = 0; i < N_OF(flags); i++)
		if (flags[i].set)
			str_addf(out, "%s%s", out->len ? " " : "", flags[i].name);
}

/* An event with its own modifiers and those of its group. */
static const struct {
	int line;
	const char *own, *group, *attr;
} applied[] = {
	{ ROW, "", "", "-guest" },
	{ ROW, "u", "", "-kernel -hv -guest chosen" },
	{ ROW, "k", "", "-user -hv -guest chosen" },
	{ ROW, "h", "", "-user -kernel -guest chosen" },
	{ ROW, "uk", "", "-hv -guest chosen" },
	{ ROW, "ku", "", "-hv -guest chosen" },
	{ ROW, "uh", "", "-kernel -guest chosen" },
	{ ROW, "kh", "", "-user -guest chosen" },
	{ ROW, "ukh", "", "-guest chosen" },
	/* as in perf: G counts guests only, H counts hosts only, GH counts both */
	{ ROW, "G", "", "-host" },
	{ ROW, "H", "", "-guest" },
	{ ROW, "GH", "", "" },
	{ ROW, "uG", "", "-kernel -hv -host chosen" },
	{ ROW, "I", "", "-guest -idle" },
	{ ROW, "p", "", "-guest p" },
	{ ROW, "pp", "", "-guest pp" },
	{ ROW, "ppp", "", "-guest ppp" },
	{ ROW, "P", "", "-guest" }, /* for sampling */
	{ ROW, "S", "", "-guest" },
	{ ROW, "b", "", "-guest" }, /* for counters in BPF */
	{ ROW, "D", "", "-guest pinned" },
	{ ROW, "e", "", "-guest exclusive" },
	{ ROW, "W", "", "-guest weak" },
	{ ROW, "uppDW", "", "-kernel -hv -guest pp pinned weak chosen" },
	/* the modifiers of a group come after, and add to, those of the event */
	{ ROW, "", "u", "-kernel -hv -guest chosen" },
	{ ROW, "u", "k", "-hv -guest chosen" },
	{ ROW, "k", "u", "-hv -guest chosen" },
	{ ROW, "u", "u", "-kernel -hv -guest chosen" },
	{ ROW, "p", "D", "-guest p pinned" },
	{ ROW, "pp", "p", "-guest p" },
	{ ROW, "u", "W", "-kernel -hv -guest weak chosen" },
};

static void modifiers_have_the_meaning_of_perf(void **state)
{
	for (size_t i = 0; i < N_OF(applied); i++) {
		const struct spec_word own = word_of(applied[i].own);
		const struct spec_word group = word_of(applied[i].group);
		struct event event = { .attr.exclude_guest = 1 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str attr = { 0 };
		struct modifiers m;

		row_int(&applied[i], modifiers_parse(&own, &m, &why), 0);
		modifiers_apply(&m, &event);
		row_int(&applied[i], modifiers_parse(&group, &m, &why), 0);
		modifiers_apply(&m, &event);
		add_attr(&attr, &event);
		row_string(&applied[i], str_text(&attr), applied[i].attr);
	}
}

static const struct refused refused[] = {
	{ ROW, "uu", 1, "modifier 'u' is given twice" },
	{ ROW, "uku", 2, "modifier 'u' is given twice" },
	{ ROW, "GG", 1, "modifier 'G' is given twice" },
	{ ROW, "WW", 1, "modifier 'W' is given twice" },
	{ ROW, "DeD", 2, "modifier 'D' is given twice" },
	{ ROW, "PP", 1, "modifier 'P' is given twice" },
	{ ROW, "bb", 1, "modifier 'b' is given twice" },
	{ ROW, "pup", 2, "modifier 'p' is given twice" },
	{ ROW, "pppp", 3, "modifier 'p' may be given at most three times" },
	{ ROW, "pP", 0, "modifiers 'p' and 'P' cannot be combined" },
	{ ROW, "x", 0, "unknown modifier 'x'; choose from u k h G H I p P S D e W b" },
	{ ROW, "uU", 1, "unknown modifier 'U'; choose from u k h G H I p P S D e W b" },
	{ ROW, "u ", 1, "unknown modifier ' '; choose from u k h G H I p P S D e W b" },
};

static void a_wrong_modifier_has_a_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		const struct spec_word word = word_of(refused[i].text);
		cleanup_why struct why why = { 0 };
		struct modifiers m;

		row_int(&refused[i], modifiers_parse(&word, &m, &why), -EINVAL);
		row_string(&refused[i], why_text(&why, -EINVAL), refused[i].why);
		row_true(&refused[i], why.has_position);
		row_int(&refused[i], why.position, 40 + refused[i].position);
	}
}

static void words_of_modifier_letters_may_be_modifiers(void **state)
{
	static const struct {
		int line;
		const char *text;
		bool possible;
	} words[] = {
		{ ROW, "u", true },    { ROW, "ppp", true }, { ROW, "uu", true },
		{ ROW, "DeWb", true }, { ROW, "", false },   { ROW, "ANY", false },
		{ ROW, "u=1", false }, { ROW, "U", false },
	};

	for (size_t i = 0; i < N_OF(words); i++) {
		const struct spec_word word = word_of(words[i].text);

		row_int(&words[i], modifiers_possible(&word), words[i].possible);
	}
}

static void a_tool_event_has_no_modes(void **state)
{
	const struct modifiers m = { .user = true, .pinned = true, .weak = true };
	struct event event = { .tool = TOOL_DURATION_TIME };

	modifiers_apply(&m, &event);
	assert_false(event.attr.exclude_kernel || event.attr.pinned || event.modes_chosen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modifiers_have_the_meaning_of_perf),
		cmocka_unit_test(a_wrong_modifier_has_a_position),
		cmocka_unit_test(words_of_modifier_letters_may_be_modifiers),
		cmocka_unit_test(a_tool_event_has_no_modes),
	};

	return cmocka_run_group_tests_name("modifier", tests, NULL, NULL);
}
