/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "format/terminal/describe.h"
#include "unit/test.h"

static const struct event slow = { .attr = { .type = 4, .config = 0x1c2, .config1 = 7 } };
static struct event quiet = { .attr = { .type = 4, .config = 0x1c2 } };

static const struct listed events[] = {
	{ "cycles", "generic", "hardware", "", true, NULL },
	{ "cpu-cycles", "generic", "hardware", "cycles", true, NULL },
	{ "cpu/slow/", "sysfs", "cpu", "say \"slow\"", true, &slow },
	{ "cpu/quiet/", "sysfs", "cpu", "", true, &quiet },
	{ "spr::UOPS", "libpfm4", "spr", "Micro-ops", false, NULL },
};

static char *list(size_t n, enum describe_format format)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct listing listing;

	assert_non_null(out);
	describe_list_begin(&listing, out, format);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(describe_list_add(&listing, &events[i]), 0);
	assert_int_equal(describe_list_end(&listing), 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(listing.n, n);
	return text;
}

static void lines_are_below_their_pmu(void **state)
{
	cleanup_free char *text = list(N_OF(events), DESCRIBE_TEXT);

	assert_string_equal(text, "hardware (generic):\n"
				  "  cycles\n"
				  "  cpu-cycles                                       cycles\n"
				  "\n"
				  "cpu (sysfs):\n"
				  "  cpu/slow/"
				  "  type=4 config=0x1c2 config1=0x7 config2=0x0\n"
				  "  cpu/quiet/  type=4 config=0x1c2 config1=0x0 config2=0x0"
				  " config3=0x3\n"
				  "\n"
				  "spr (libpfm4), not here:\n"
				  "  spr::UOPS                                        Micro-ops\n");
}

static void json_is_one_array_an_event_a_line(void **state)
{
	cleanup_free char *text = list(N_OF(events), DESCRIBE_JSON);

	assert_string_equal(
		text,
		"[\n"
		"{\"event\" : \"cycles\", \"pmu\" : \"hardware\", \"source\" : \"generic\", "
		"\"description\" : \"\", \"present\" : true},\n"
		"{\"event\" : \"cpu-cycles\", \"pmu\" : \"hardware\", \"source\" : \"generic\", "
		"\"description\" : \"cycles\", \"present\" : true},\n"
		"{\"event\" : \"cpu/slow/\", \"pmu\" : \"cpu\", \"source\" : \"sysfs\", "
		"\"description\" : \"say \\\"slow\\\"\", \"type\" : 4, \"config\" : \"0x1c2\", "
		"\"config1\" : \"0x7\", \"config2\" : \"0x0\", \"config3\" : \"0x0\", "
		"\"present\" : true},\n"
		"{\"event\" : \"cpu/quiet/\", \"pmu\" : \"cpu\", \"source\" : \"sysfs\", "
		"\"description\" : \"\", \"type\" : 4, \"config\" : \"0x1c2\", "
		"\"config1\" : \"0x0\", \"config2\" : \"0x0\", \"config3\" : \"0x3\", "
		"\"present\" : true},\n"
		"{\"event\" : \"spr::UOPS\", \"pmu\" : \"spr\", \"source\" : \"libpfm4\", "
		"\"description\" : \"Micro-ops\", \"present\" : false}\n"
		"]\n");
}

static void nothing_is_an_empty_list(void **state)
{
	cleanup_free char *text = list(0, DESCRIBE_TEXT);
	cleanup_free char *json = list(0, DESCRIBE_JSON);

	assert_string_equal(text, "");
	assert_string_equal(json, "[]\n");
}

static void a_list_that_cannot_be_written_fails(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct listing listing;

	if (!full)
		skip();
	assert_int_equal(setvbuf(full, NULL, _IONBF, 0), 0);
	describe_list_begin(&listing, full, DESCRIBE_TEXT);
	assert_int_equal(describe_list_add(&listing, &events[0]), -ENOSPC);
	assert_int_equal(describe_list_end(&listing), 0);
	describe_list_begin(&listing, full, DESCRIBE_JSON);
	assert_int_equal(describe_list_end(&listing), -ENOSPC);
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_below_their_pmu),
		cmocka_unit_test(json_is_one_array_an_event_a_line),
		cmocka_unit_test(nothing_is_an_empty_list),
		cmocka_unit_test(a_list_that_cannot_be_written_fails),
	};

	quiet.config3 = 3;
	return cmocka_run_group_tests_name("listing", tests, NULL, NULL);
}
