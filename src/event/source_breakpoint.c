/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware breakpoints, "mem:ADDRESS[/LEN][:rwx][:modifiers]". ADDRESS may be the name of a
 * variable or function. source_breakpoint_bind() looks up the name when the command is known.
 */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/why.h"
#include "event/modifiers.h"
#include "event/source.h"
#include "event/symbol.h"

/* The part from *at up to one of the characters in until, or to the end. *at becomes its end. */
static struct spec_word breakpoint_part(const struct spec_word *word, size_t *at, const char *until)
{
	size_t from = *at;

	while (*at < word->len && !strchr(until, word->text[*at]))
		(*at)++;
	return (struct spec_word){ word->text + from, *at - from, word->at + from };
}

/* Parse r, w and x in any order, each at most once. */
static int breakpoint_parse_access(const struct spec_word *word, __u32 *type, struct why *why)
{
	*type = 0;
	for (size_t i = 0; i < word->len; i++) {
		__u32 bit = word->text[i] == 'r' ? HW_BREAKPOINT_R :
			    word->text[i] == 'w' ? HW_BREAKPOINT_W :
						   HW_BREAKPOINT_X;

		if (*type & bit)
			return why_at(why, -EINVAL, word->at + i, "'%c' is given twice",
				      word->text[i]);
		*type |= bit;
	}
	if (*type & HW_BREAKPOINT_X && *type != HW_BREAKPOINT_X)
		return why_at(
			why, -EINVAL, word->at,
			"x cannot be combined with r or w: a breakpoint watches either code or "
			"data");
	return 0;
}

/*
 * The default length of a breakpoint in bytes. For data, it is the size of the variable if the
 * kernel can watch that size, or else 4; for code, it is the size of a word, as the kernel
 * requires.
 */
static unsigned int breakpoint_length(unsigned int type, unsigned long long size)
{
	if (type == HW_BREAKPOINT_X)
		return sizeof(long);
	return size == 1 || size == 2 || size == 8 ? (unsigned int)size : 4;
}

/* The parts of a breakpoint's name. */
struct breakpoint {
	struct spec_word address_text;
	__u64 length; /* bytes; 0: the default */
	__u32 type;
	bool modified;
	struct modifiers modifiers;
};

static int breakpoint_parse(struct breakpoint *b, const struct spec_word *word, struct why *why)
{
	struct spec_word part, modifiers;
	size_t at = 0, start;
	uint64_t length;
	int err;

	*b = (struct breakpoint){ .type = HW_BREAKPOINT_RW }; /* the default, as in perf */
	b->address_text = breakpoint_part(word, &at, "/:");
	if (b->address_text.len == 0)
		return why_at(why, -EINVAL, word->at,
			      "an address or a name is missing after 'mem:'");
	if (at < word->len && word->text[at] == '/') {
		at++;
		part = breakpoint_part(word, &at, ":");
		if (num_parse(part.text, part.len, &length) < 0 ||
		    (length != 1 && length != 2 && length != 4 && length != 8))
			return why_at(why, -EINVAL, part.at,
				      "'%.*s' is not the length of a breakpoint; use 1, 2, 4 or 8 "
				      "bytes",
				      (int)part.len, part.text);
		b->length = length;
	}
	at += at < word->len; /* the ':' */
	start = at;
	part = breakpoint_part(word, &at, ":");
	if (part.len > 0 && strspn(part.text, "rwx") >= part.len) {
		err = breakpoint_parse_access(&part, &b->type, why);
		if (err < 0)
			return err;
		start = at + (at < word->len);
	}
	modifiers = breakpoint_part(word, &start, "");
	b->modified = modifiers.len > 0;
	return modifiers_parse(&modifiers, &b->modifiers, why);
}

static int breakpoint_resolve(const struct machine *m, const struct event_spec *spec,
			      struct event_list *out, struct why *why)
{
	struct breakpoint b;
	struct event *event;
	uint64_t address;
	int err = breakpoint_parse(&b, &spec->words[0], why);

	(void)m;
	if (err < 0)
		return err;
	err = num_parse(b.address_text.text, b.address_text.len, &address);
	if (err == -ERANGE)
		return why_at(why, err, b.address_text.at, "'%.*s' does not fit in 64 bits",
			      (int)b.address_text.len, b.address_text.text);
	event = event_list_add(out, source_breakpoint.name, "breakpoint");
	if (!event)
		return -ENOMEM;
	event->attr.type = PERF_TYPE_BREAKPOINT;
	event->attr.bp_type = b.type;
	event->attr.bp_len = b.length;
	if (err == -EINVAL) {
		event->symbol = strndup(b.address_text.text, b.address_text.len);
		if (!event->symbol)
			return -ENOMEM;
	} else {
		event->attr.bp_addr = address;
		if (!b.length)
			event->attr.bp_len = breakpoint_length(b.type, 0);
	}
	event->has_modifiers = b.modified;
	modifiers_apply(&b.modifiers, event);
	return 0;
}

const struct event_source source_breakpoint = {
	.name = "breakpoint",
	.forms = FORM(SPEC_BREAKPOINT),
	.resolve = breakpoint_resolve,
};

/* Give a breakpoint the address of its symbol. 0; -errno with why and the position of the name. */
static int breakpoint_bind_event(struct event *event, const char *program, struct why *why)
{
	cleanup_with(symbol_list_release) struct symbol_list found = { 0 };
	cleanup_why struct why trouble = { 0 };
	unsigned int type = event->attr.bp_type;
	const struct symbol_query query = {
		.path = program,
		.root = "",
		.pattern = event->symbol,
		.kind = type == HW_BREAKPOINT_X ? SYMBOL_FUNCTION : SYMBOL_VARIABLE,
	};
	int err = symbol_find(&query, &found, &trouble);

	if (err < 0)
		return why_at(why, err, strlen("mem:"), "%s", why_text(&trouble, err));
	if (found.n > 1)
		return why_at(why, -EINVAL, strlen("mem:"),
			      "'%s' matches %zu symbols of %s; use an address", event->symbol,
			      found.n, program);
	event->attr.bp_addr = found.v[0].address;
	event->relocated = found.position_independent;
	event->entry = found.entry;
	if (!event->attr.bp_len)
		event->attr.bp_len = breakpoint_length(type, found.v[0].size);
	return 0;
}

int source_breakpoint_bind(struct event_list *list, const char *option, const char *program,
			   struct why *why)
{
	for (size_t i = 0; i < list->n; i++) {
		struct event *event = &list->events[i];
		int err = event->symbol ? breakpoint_bind_event(event, program, why) : 0;

		if (err < 0)
			return why_of_argument(why, err, option, event->name, why);
	}
	return 0;
}
