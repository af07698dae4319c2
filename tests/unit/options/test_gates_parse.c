/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of --fail-if, --min-effect and --label. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "options/option_table.c" /* for its static functions */
#include "unit/test.h"

static void gates_are_read(void **state)
{
	static const struct {
		int line;
		const char *text, *name;
		bool above, relative;
		double limit;
		enum limit_source source;
	} rows[] = {
		{ ROW, "instructions:u>+0.5%", "instructions:u", true, true, 0.005 },
		{ ROW, "cs<-2%", "cs", false, true, -0.02 },
		{ ROW, "max_rss>+100", "max_rss", true, false, 100 },
		{ ROW, "max_rss<-1000.5", "max_rss", false, false, -1000.5 },
		{ ROW, "cs>+0%", "cs", true, true, 0 },
		{ ROW, "cs<-99.9%", "cs", false, true, -0.999 },
		{ ROW, "\t cs  > + 1 % ", "cs", true, true, 0.01 },
		{ ROW, "cpu/event=0x3c,umask=1,name=a>b/u>+1%", "cpu/event=0x3c,umask=1,name=a>b/u",
		  true, true, 0.01 },
		{ ROW, "a<b>+1%", "a<b", true, true, 0.01 },
		{ ROW, "a>b<-1%", "a>b", false, true, -0.01 },
		{ ROW, "cs>+1000%", "cs", true, true, 10 },
		{ ROW, "cs>auto", "cs", true, true, 0, LIMIT_FALLBACK },
		{ ROW, "a>b < auto ", "a>b", false, true, 0, LIMIT_FALLBACK },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_why struct why why = { 0 };
		struct gate_request gate;

		row_int(&rows[i], option_gate_parse(&gate, rows[i].text, &why), 0);
		row_string(&rows[i], gate.name, rows[i].name);
		row_true(&rows[i], gate.text == rows[i].text);
		row_int(&rows[i], gate.above, rows[i].above);
		row_int(&rows[i], gate.relative, rows[i].relative);
		assert_double(gate.limit.value, rows[i].limit);
		row_int(&rows[i], gate.limit.source, rows[i].source);
		free(gate.name);
	}
}

static void an_invalid_gate_is_refused_with_its_position(void **state)
{
	static const char no_limit[] =
		"a limit is missing here: quote the gate, 'NAME>+0.5%' or 'NAME<-2%'";
	static const char no_name[] = "the name of an event or a metric is missing here";
	static const char no_number[] = "a number is missing here";
	static const char no_more[] = "only a % may follow the number";
	static const char no_plus[] =
		"a '+' is missing here: NAME>+N% is crossed by an increase of more than N %";
	static const char no_minus[] =
		"a '-' is missing here: NAME<-N% is crossed by a decrease of more than N %";
	static const struct refused rows[] = {
		{ ROW, "", 0, no_limit },
		{ ROW, "cs", 2, no_limit },
		{ ROW, "cs+1%", 5, no_limit },
		{ ROW, ">+1%", 0, no_name },
		{ ROW, "  >+1%", 2, no_name },
		{ ROW, "cs>1%", 3, no_plus },
		{ ROW, "cs>", 3, no_plus },
		{ ROW, "cs>auto 1", 3, no_plus },
		{ ROW, "cs>automatic", 3, no_plus },
		{ ROW, "cs>-1%", 3, no_plus },
		{ ROW, "cs<1%", 3, no_minus },
		{ ROW, "cs<+1%", 3, no_minus },
		{ ROW, "cs>+", 4, no_number },
		{ ROW, "cs>+x", 4, no_number },
		{ ROW, "cs>+.%", 4, no_number },
		{ ROW, "cs>+1.2.3%", 4, no_number },
		{ ROW, "cs>+-1%", 4, no_number },
		{ ROW, "cs>+1%%", 6, no_more },
		{ ROW, "cs>+1e3", 5, no_more },
		{ ROW, "cs>+1 x", 6, no_more },
		{ ROW, "cs<-100%", 4, "a count cannot decrease by 100 % or more" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_why struct why why = { 0 };
		struct gate_request gate;

		row_int(&rows[i], option_gate_parse(&gate, rows[i].text, &why), -EINVAL);
		row_why(&rows[i], &why);
	}
}

static void alternatives_are_read_in_their_order(void **state)
{
	static const char text[] = "a or b>+1% or cs<-2 or max_rss>auto";
	struct options o = { 0 };
	cleanup_why struct why why = { 0 };
	const struct compare_options *c = &o.compare_options;

	assert_int_equal(option_add_gates(&o, "cs>+1%", &why), 0);
	assert_int_equal(option_add_gates(&o, text, &why), 0);
	assert_int_equal(c->gates_n, 4);
	assert_string_equal(c->gates[1].text, "a or b>+1%");
	assert_string_equal(c->gates[1].name, "a or b");
	assert_string_equal(c->gates[2].text, "cs<-2");
	assert_string_equal(c->gates[3].name, "max_rss");
	for (size_t i = 0; i < c->gates_n; i++)
		assert_int_equal(c->gates[i].is_alternative, i > 1);
	assert_int_equal(option_add_gates(&o, "cs>+1% or cs>1%", &why), -EINVAL);
	assert_int_equal(why.position, 13);
	assert_int_equal(option_add_gates(&o, "cs>+1% or ", &why), -EINVAL);
	assert_int_equal(why.position, 10);
	options_release(&o);
}

static void effects_are_read(void **state)
{
	static const struct {
		int line;
		const char *text, *name;
		double minimum;
	} rows[] = {
		{ ROW, "1", NULL, 0.01 },
		{ ROW, " 0.5 % ", NULL, 0.005 },
		{ ROW, "0", NULL, 0 },
		{ ROW, "cs=2", "cs", 0.02 },
		{ ROW, "cpu/event=1/ = 2%", "cpu/event=1/", 0.02 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_why struct why why = { 0 };
		cleanup_free char *name = NULL;
		double minimum = -1;

		row_int(&rows[i], option_effect_parse(&name, &minimum, rows[i].text, &why), 0);
		row_true(&rows[i], !name == !rows[i].name);
		if (name)
			row_string(&rows[i], name, rows[i].name);
		assert_double(minimum, rows[i].minimum);
	}
}

static void an_invalid_effect_is_refused_with_its_position(void **state)
{
	static const struct refused rows[] = {
		{ ROW, "", 0, "a number is missing here" },
		{ ROW, "cs", 0, "a number is missing here" },
		{ ROW, "cs=", 3, "a number is missing here" },
		{ ROW, "=1", 0, "the name of an event or a metric is missing here" },
		{ ROW, "cs=1x", 4, "only a % may follow the number" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_why struct why why = { 0 };
		cleanup_free char *name = NULL;
		double minimum;

		row_int(&rows[i], option_effect_parse(&name, &minimum, rows[i].text, &why),
			-EINVAL);
		row_why(&rows[i], &why);
	}
}

static void labels_are_read_and_replaced(void **state)
{
	struct options o = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(option_add_label(&o, "commit=abc", &why), 0);
	assert_int_equal(option_add_label(&o, "a.b-c_1=x=y, \"z\"", &why), 0);
	assert_int_equal(option_add_label(&o, "commit=def", &why), 0);
	assert_int_equal(o.labels.names.n, 2);
	assert_int_equal(o.labels.values.n, 2);
	assert_string_equal(o.labels.names.v[0], "commit");
	assert_string_equal(o.labels.values.v[0], "def");
	assert_string_equal(o.labels.names.v[1], "a.b-c_1");
	assert_string_equal(o.labels.values.v[1], "x=y, \"z\"");
	series_parameters_release(&o.labels);
}

static void an_invalid_label_is_refused_with_its_position(void **state)
{
	static const struct refused rows[] = {
		{ ROW, "", 0, "a name that begins with a letter is missing here" },
		{ ROW, "=x", 0, "a name that begins with a letter is missing here" },
		{ ROW, "1=x", 0, "a name that begins with a letter is missing here" },
		{ ROW, "commit", 6,
		  "a '=' is missing here: NAME=VALUE; NAME has letters, digits, _ . -" },
		{ ROW, "a b=x", 1,
		  "a '=' is missing here: NAME=VALUE; NAME has letters, digits, _ . -" },
		{ ROW, "commit=", 7, "a value is missing here" },
		{ ROW, "a=b\nc", 3, "a value cannot contain control characters" },
		{ ROW, "time=1", 0, "pstat itself uses the name 'time'" },
		{ ROW, "command=1", 0, "pstat itself uses the name 'command'" },
		{ ROW, "place=1", 0, "pstat itself uses the name 'place'" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct options o = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i], option_add_label(&o, rows[i].text, &why), -EINVAL);
		row_why(&rows[i], &why);
		row_int(&rows[i], o.labels.names.n, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gates_are_read),
		cmocka_unit_test(an_invalid_gate_is_refused_with_its_position),
		cmocka_unit_test(alternatives_are_read_in_their_order),
		cmocka_unit_test(effects_are_read),
		cmocka_unit_test(an_invalid_effect_is_refused_with_its_position),
		cmocka_unit_test(labels_are_read_and_replaced),
		cmocka_unit_test(an_invalid_label_is_refused_with_its_position),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
