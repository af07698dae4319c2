/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events by number: "rHEX", the encoding of the core PMU, and "type:config". */
#include <errno.h>

#include "base/num.h"
#include "base/why.h"
#include "event/modifiers.h"
#include "event/source.h"
#include "event/terms.h"

static int raw_number(const struct spec_word *word, size_t skip, uint64_t max, uint64_t *out,
		      struct why *why)
{
	int err = skip ? num_parse_hex(word->text + skip, word->len - skip, out) :
			 num_parse(word->text, word->len, out);

	if (err == 0 && *out > max)
		err = -ERANGE;
	if (err < 0)
		return why_at(why, err, word->at, "'%.*s' does not fit in %d bits", (int)word->len,
			      word->text, max == UINT64_MAX ? 64 : 32);
	return 0;
}

static const char *type_name(uint64_t type)
{
	static const char *const names[] = {
		[PERF_TYPE_HARDWARE] = "hardware",
		[PERF_TYPE_SOFTWARE] = "software",
		[PERF_TYPE_TRACEPOINT] = "tracepoint",
		[PERF_TYPE_HW_CACHE] = "hardware cache",
		[PERF_TYPE_RAW] = "core",
		[PERF_TYPE_BREAKPOINT] = "breakpoint",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : "dynamic";
}

static int raw_resolve(const struct machine *m, const struct event_spec *spec,
		       struct event_list *out, struct why *why)
{
	uint64_t type = PERF_TYPE_RAW;
	size_t first = out->n;
	struct event *event;
	uint64_t config;
	int err;

	if (spec->form == SPEC_RAW) {
		err = raw_number(&spec->words[0], 1, UINT64_MAX, &config, why);
	} else {
		err = raw_number(&spec->words[0], 0, UINT32_MAX, &type, why);
		if (err == 0)
			err = raw_number(&spec->words[1], 0, UINT64_MAX, &config, why);
	}
	if (err < 0)
		return err;
	event = event_list_add(out, source_raw.name, type_name(type));
	if (!event)
		return -ENOMEM;
	event->attr.type = (uint32_t)type;
	event->attr.config = config;
	if (type == PERF_TYPE_TRACEPOINT && source_tracepoint_place(m, event) < 0)
		return -ENOMEM;
	err = terms_apply(spec, event, why);
	if (err < 0)
		return err;
	if (spec->form == SPEC_RAW && source_generic_spread(m, spec, out) < 0)
		return -ENOMEM;
	return modifiers_apply_spec(spec, out, first, why);
}

const struct event_source source_raw = {
	.name = "raw",
	.forms = FORM(SPEC_RAW) | FORM(SPEC_NUMBERED),
	.resolve = raw_resolve,
};
