/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texts of a PMU in sysfs. The first line of the input is a format/ file, the second line a
 * value for that field, the rest an events/ file. Whatever they contain, the value changes only
 * bits of the field, and the terms are parts of their text.
 */
#include "base/cleanup.h"
#include "base/num.h"
#include "base/why.h"
#include "event/spec.h"
#include "fuzz.h"
#include "machine/pmu.c" /* for its static functions */

/* Set the bits of a value one by one through the format, and compare the results. */
static void check_format(const char *text, uint64_t value)
{
	uint64_t words[PMU_CONFIG_WORDS] = { 0 };
	struct pmu_format format;
	uint64_t back = 0;

	if (pmu_format_parse(text, &format) < 0)
		return;
	CHECK(format.word < PMU_CONFIG_WORDS && format.width >= 1 && format.width <= 64);
	if (pmu_format_fill(&format, value, words) < 0) {
		CHECK(format.width < 64 && value >> format.width);
		return;
	}
	for (unsigned int i = 0; i < format.width; i++)
		back |= (words[format.word] >> format.bit[i] & 1) << i;
	CHECK(back == value);
	for (unsigned int i = 0; i < PMU_CONFIG_WORDS; i++)
		CHECK(i == format.word || words[i] == 0);
	CHECK(__builtin_popcountll(words[format.word]) == __builtin_popcountll(value));
}

static void check_terms(const char *text)
{
	cleanup_why struct why why = { 0 };
	struct event_spec spec = { 0 };
	size_t n = strlen(text);

	if (spec_parse_terms(&spec, text, text + n, 0, &why) < 0)
		CHECK(why.text && why.has_position && why.position <= n);
	for (size_t i = 0; i < spec.terms_n; i++) {
		const struct spec_term *term = &spec.terms[i];

		CHECK(term->name.len > 0 && term->name.at + term->name.len <= n);
		CHECK(!term->has_value || term->value.at + term->value.len <= n);
	}
	free(spec.terms);
}

void fuzz(const uint8_t *data, size_t size)
{
	cleanup_free char *text = fuzz_text(data, size);
	char *rest = text;
	const char *format = fuzz_line(&rest), *value = fuzz_line(&rest);
	uint64_t number = 0;

	if (num_parse(value, strlen(value), &number) < 0)
		number = 0;
	check_format(format, number);
	check_terms(rest);
}
