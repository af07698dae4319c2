/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer on what sysfs holds and the numbers in it. The input's first line is the text of a format/
 * file, the second a value, the rest the text of an events/ file. Whatever they are: bits land inside
 * the word and nowhere else, and terms lie inside their text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/why.h"
#include "event/spec.h"
#include "machine/cpulist.h"
#include "machine/pmu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

/* The bits of a value, one by one, through the format and back. */
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
		CHECK(why.text && why.has_place && why.place <= n);
	for (size_t i = 0; i < spec.terms_n; i++) {
		const struct spec_term *term = &spec.terms[i];

		CHECK(term->name.len > 0 && term->name.at + term->name.len <= n);
		CHECK(!term->has_value || term->value.at + term->value.len <= n);
	}
	free(spec.terms);
}

static void check_cpus(const char *text)
{
	cleanup_with(cpulist_release) struct cpulist list = { 0 };

	if (strlen(text) < 12 && cpulist_parse(&list, text) == 0)
		CHECK(list.n > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_free char *text = malloc(size + 1);
	uint64_t number = 0;
	char *value, *terms;

	CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	value = strchr(text, '\n');
	if (value)
		*value++ = '\0';
	terms = value ? strchr(value, '\n') : NULL;
	if (terms)
		*terms++ = '\0';
	if (value && num_parse(value, strlen(value), &number) < 0)
		number = 0;
	check_format(text, number);
	check_cpus(text);
	check_terms(terms ? terms : text);
	return 0;
}
