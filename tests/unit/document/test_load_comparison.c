/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a comparison: every field, the message for each error, and a comparison that is written,
 * read and written again. In the texts, ' stands for ". */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "document/load.h"
#include "format/format.h"
#include "unit/format/fixed_compare.h"
#include "unit/test.h"

#define RUN                                                                                        \
	"{'exit_status':0,'signal':null,'duration_time':7,'user_time':1,'system_time':2,"          \
	"'max_rss':3,'minor_faults_rusage':4,'major_faults_rusage':5,'voluntary_switches':6,"      \
	"'involuntary_switches':7,'in_block':8,'out_block':9,"                                     \
	"'state':[],'raw':[],'enabled_ns':[],'running_ns':[]}"
#define RESULT                                                                                         \
	"{'schema':'pstat-result','version':2,"                                                        \
	"'pstat':{'version':'0.1','libpfm4':null,'seed':null},"                                        \
	"'target':{'subject':'it','argv':['it'],'cwd':'/'},'started':'2026-02-28T13:05:59Z',"          \
	"'host':{'name':null,'kernel':null,'machine':null,'cpu_model':null,'cpus_online':null,"        \
	"'pmus':[],'governors':[],'turbo':null,'aslr':null,'perf_event_paranoid':null},"               \
	"'settings':{'place_kind':'target','scaled':true,'min_running_percent':5,'passes':0,'cpus':0," \
	"'cgroups':1,'null_run':true,'only_counted':false,'has_usage':true,'interval_ms':0,"           \
	"'show_summary':false},'metrics':[],'events':[],'groups':[],'rows':[],"

/* Two sides: one with two runs, one with three. */
static const char usual[] =
	"{'schema':'pstat-comparison','version':2,'confidence':0.99,'seed':'18446744073709551615',"
	"'paired':true,'gate_scaled':true,'order':[0,1,1,0,1],'later':{},"
	"'effects':[{'name':null,'minimum_effect':0.02,'more_is_better':false},"
	"{'name':'ipc','minimum_effect':null,'more_is_better':true}],"
	"'gates':[{'text':'t < -50%','name':'max_rss','above':false,'relative':true,'limit':-0.5}],"
	"'sides':[{'name':'old','result':" RESULT "'runs':[" RUN "," RUN "]}},"
	"{'name':{'bytes':'ff41','text':''},"
	"'parameters':{'z':'1','a':{'bytes':'ff','text':''}},'result':" RESULT "'runs':[" RUN
	"," RUN "," RUN "]}}],"
	"'rows':[1],'outcomes':'ignored'}\n";

static int load_json(struct saved *saved, char *json, struct why *why)
{
	FILE *in = fmemopen(json, strlen(json), "r");
	int err;

	assert_non_null(in);
	err = load_saved(saved, in, why);
	fclose(in);
	return err;
}

static int load_from_text(struct saved *saved, const char *text, struct why *why)
{
	cleanup_free char *json = strdup(text);

	assert_non_null(json);
	for (char *p = json; *p; p++)
		*p = *p == '\'' ? '"' : *p;
	return load_json(saved, json, why);
}

static int load_changed(struct saved *saved, const char *from, const char *to, struct why *why)
{
	cleanup_str struct str text = { 0 };
	const char *found = strstr(usual, from);

	assert_non_null(found);
	str_add_n(&text, usual, (size_t)(found - usual));
	str_addf(&text, "%s%s", to, found + strlen(from));
	return load_from_text(saved, str_text(&text), why);
}

static void the_settings_of_a_comparison_are_read(void **state)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_why struct why why = { 0 };
	struct comparison_input input;

	assert_int_equal(load_from_text(&saved, usual, &why), 0);
	assert_true(saved.is_comparison);
	input = saved.comparison;
	assert_double(input.confidence, 0.99);
	assert_true(input.seed == UINT64_MAX && input.paired && input.gate_scaled);
	assert_int_equal(input.order_n, 5);
	assert_int_equal(input.order[1], 1);
	assert_int_equal(input.effects_n, 2);
	assert_null(input.effects[0].name);
	assert_double(input.effects[0].minimum, 0.02);
	assert_string_equal(input.effects[1].name, "ipc");
	assert_true(input.effects[1].more_is_better && input.effects[1].minimum < 0);
	assert_int_equal(input.gates_n, 1);
	assert_string_equal(input.gates[0].text, "t < -50%");
	assert_string_equal(input.gates[0].name, "max_rss");
	assert_double(input.gates[0].limit.value, -0.5);
	assert_true(input.gates[0].relative && !input.gates[0].above);
}

/* Documents of earlier versions lack both. */
static void settings_that_a_document_lacks_are_off(void **state)
{
	static const char *const keys[] = { "any_time", "all_rows" };

	for (size_t i = 0; i <= N_OF(keys); i++) {
		cleanup_with(saved_release) struct saved saved = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str with = { 0 };

		str_add(&with, "'paired':true,");
		if (i < N_OF(keys))
			str_addf(&with, "'%s':true,", keys[i]);
		assert_int_equal(load_changed(&saved, "'paired':true,", str_text(&with), &why), 0);
		assert_int_equal(saved.comparison.any_time, i == 0);
		assert_int_equal(saved.comparison.all_rows, i == 1);
	}
}

static void sides_are_read(void **state)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(load_from_text(&saved, usual, &why), 0);
	assert_int_equal(saved.n, 2);
	assert_string_equal(saved.comparison.sides[0].name, "old");
	assert_string_equal(saved.comparison.sides[1].name, "\xff"
							    "A");
	assert_int_equal(saved.comparison.sides[1].series->runs_n, 3);
	assert_int_equal(saved.comparison.sides[1].series->runs[2].tool[TOOL_MAX_RSS], 3);
	assert_string_equal(saved.comparison.sides[0].series->provenance->argv.v[0], "it");
}

static void the_parameters_of_a_side_are_read_in_their_order(void **state)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(load_from_text(&saved, usual, &why), 0);
	assert_int_equal(saved.comparison.sides[0].series->parameters->names.n, 0);
	assert_int_equal(saved.comparison.sides[1].series->parameters->names.n, 2);
	assert_string_equal(saved.comparison.sides[1].series->parameters->names.v[0], "z");
	assert_string_equal(series_parameter(saved.comparison.sides[1].series->parameters, "z"),
			    "1");
	assert_string_equal(series_parameter(saved.comparison.sides[1].series->parameters, "a"),
			    "\xff");
	assert_null(series_parameter(saved.comparison.sides[1].series->parameters, "b"));
}

static void a_result_is_one_document(void **state)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(load_from_text(&saved, RESULT "'runs':[" RUN "]}", &why), 0);
	assert_false(saved.is_comparison);
	assert_int_equal(saved.n, 1);
	assert_null(saved.comparison.sides);
	assert_int_equal(saved.documents[0].series.runs_n, 1);
}

static const struct {
	int line;
	const char *from, *to, *why;
} refused[] = {
	{ ROW, "'version':2,", "'version':1,", "version: this pstat reads version 2, not 1" },
	{ ROW, "'version':2,", "'version':3,", "version: this pstat reads version 2, not 3" },
	{ ROW, "'confidence':0.99", "'confidence':1", "confidence: not between 0.5 and 1" },
	{ ROW, "'confidence':0.99", "'confidence':0.5", "confidence: not between 0.5 and 1" },
	{ ROW, "'confidence':0.99", "'confidence':95", "confidence: not a number from 0.5 to 1" },
	{ ROW, "'confidence':0.99,", "", "confidence: missing" },
	{ ROW, "'seed':'18446744073709551615'", "'seed':-1",
	  "seed: not a number from 0 to 2^64-1" },
	{ ROW, "'paired':true", "'paired':null", "paired: not true or false" },
	{ ROW, "[0,1,1,0,1]", "[0,1,1,0,2]", "order[4]: not a side; the number of sides is 2" },
	{ ROW, "[0,1,1,0,1]", "[0,1,1,0]", "order: 2 runs of side 1, but that side has 3" },
	{ ROW, "[0,1,1,0,1]", "{}", "order: not an array" },
	{ ROW, "'minimum_effect':0.02", "'minimum_effect':-1",
	  "effects[0].minimum_effect: not a number from 0 to 1e+100" },
	{ ROW, "'name':'ipc'", "'name':1", "effects[1].name: not a string" },
	{ ROW, "'limit':-0.5", "'limit':0.5", "gates[0].limit: not a number from -1e+100 to 0" },
	{ ROW, "'limit':-0.5", "'limit':-1",
	  "gates[0].limit: a limit of -100 % or less can never be crossed" },
	{ ROW, "'above':false", "'above':true", "gates[0].limit: not a number from 0 to 1e+100" },
	{ ROW, "'text':'t < -50%'", "'text':null", "gates[0].text: not a string" },
	{ ROW, "'name':'max_rss',", "", "gates[0].name: missing" },
	{ ROW, "'sides':[", "'sides':[],'x':[", "sides: fewer than two sides" },
	{ ROW, "'name':'old',", "", "sides[0].name: missing" },
	{ ROW, "{'z':'1',", "{'z':1,", "sides[1].parameters.z: not a string" },
	{ ROW, "'parameters':", "'parameters':[],'x':", "sides[1].parameters: not an object" },
	{ ROW, "{'schema':'pstat-result'", "{'schema':'pstat-comparison'",
	  "sides[0].result: not a pstat document; --save FILE and --format json write one" },
	{ ROW, "'max_rss':3", "'max_rss':'x'",
	  "sides[0].result.runs[0].max_rss: not a number from 0 to 2^64-1" },
};

static void parts_that_do_not_fit_together_are_refused(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		struct saved saved;
		cleanup_why struct why why = { 0 };

		row_int(&refused[i], load_changed(&saved, refused[i].from, refused[i].to, &why),
			-EINVAL);
		row_string(&refused[i], why_text(&why, 0), refused[i].why);
		row_int(&refused[i], saved.n, 0);
	}
}

static const struct {
	int line;
	const char *from, *to;
} accepted[] = {
	{ ROW, "[0,1,1,0,1]", "null" },
	{ ROW, "'minimum_effect':0.02", "'minimum_effect':1e100" },
	{ ROW, "'name':'old'", "'name':''" },
	{ ROW, "'parameters':", "'parameters':null,'x':" },
	{ ROW, "'relative':true,'limit':-0.5", "'relative':false,'limit':-1e99" },
	{ ROW, "'rows':[1],'outcomes':'ignored'", "'x':{}" },
};

static void valid_changes_are_read(void **state)
{
	for (size_t i = 0; i < N_OF(accepted); i++) {
		cleanup_with(saved_release) struct saved saved = { 0 };
		cleanup_why struct why why = { 0 };
		int err = load_changed(&saved, accepted[i].from, accepted[i].to, &why);

		row_string(&accepted[i], err < 0 ? why_text(&why, err) : "", "");
	}
}

static char *print(const struct suite *suite, const struct format *format)
{
	const struct format_style style = { .numbers = { .thousands = ",", .point = "." },
					    .header = true,
					    .width = 100 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(format->write_comparison(suite, &style, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void check_again(const struct fixed_comparison *f, char *json)
{
	cleanup_with(suite_release) struct suite suite = { 0 };
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_why struct why why = { 0 };
	struct comparison_input input;

	if (load_json(&saved, json, &why) < 0)
		fail_msg("%s: %s", f->name, why_text(&why, 0));
	input = saved.comparison;
	input.math = &f->math;
	assert_int_equal(suite_build(&suite, &input, &why), 0);
	for (size_t i = 0; formats[i]; i++) {
		cleanup_free char *was = NULL, *is = NULL;

		/* The page shows provenance, which the fixed comparisons do not have. */
		if (!formats[i]->write_comparison || formats[i] == &format_html)
			continue;
		was = print(&f->suite, formats[i]);
		is = print(&suite, formats[i]);

		if (strcmp(was, is) != 0)
			fail_msg("%s, %s: was\n%s\nand is\n%s", f->name, formats[i]->name, was, is);
	}
}

static void every_comparison_is_read_back_as_it_was(void **state)
{
	for (const struct fixed_comparison *which = fixed_comparisons; which->name; which++) {
		struct fixed_comparison *f = fixed_comparison_new(which);
		cleanup_free char *json = print(&f->suite, &format_json);

		check_again(f, json);
		fixed_comparison_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_settings_of_a_comparison_are_read),
		cmocka_unit_test(settings_that_a_document_lacks_are_off),
		cmocka_unit_test(sides_are_read),
		cmocka_unit_test(the_parameters_of_a_side_are_read_in_their_order),
		cmocka_unit_test(a_result_is_one_document),
		cmocka_unit_test(parts_that_do_not_fit_together_are_refused),
		cmocka_unit_test(valid_changes_are_read),
		cmocka_unit_test(every_comparison_is_read_back_as_it_was),
	};

	struct saved saved;
	cleanup_why struct why why = { 0 };

	if (load_from_text(&saved, "{}", &why) != -EINVAL || !dlopen("libRmath.so.1", RTLD_LAZY)) {
		printf("skipped: without jansson or libRmath\n");
		return 77;
	}
	return cmocka_run_group_tests_name("load_comparison", tests, NULL, NULL);
}
