/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar of -e. spec_parse() turns a list of events and groups into a tree of words, without
 * looking up any name; resolve.c finds the source of each event.
 *
 * 	LIST  = item { ',' item }
 * 	item  = one | [name] '{' one { ',' one } '}' [ ':' modifiers ]
 * 	one   = event [ '?' ]
 * 	event = head '/' [ term { ',' term } ] '/' [ [':'] modifiers ]
 * 	      | 'mem:' … | 'uprobe:' … | 'uretprobe:' … | 'kprobe:' … | 'kretprobe:' …
 * 	      | 'r' HEX [ ':' modifiers ] | N ':' N [ ':' modifiers ]
 * 	      | pmu '::' name … | word { ':' word }
 * 	head  = pmu | word | 'r' HEX | N ':' N
 * 	term  = name [ '=' value ]            a value in '' or "" may hold any character
 *
 * White space around items is ignored. In mem: and probe forms '/' is an ordinary character, and a
 * backslash removes the special meaning of the next character.
 */
#ifndef PSTAT_EVENT_SPEC_H
#define PSTAT_EVENT_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"

struct why;

/* The syntax of an event. */
enum spec_form {
	SPEC_NAME, /* words separated by ':', for the sources of plain names */
	SPEC_PMU, /* words[0]: the PMU, or the name of a generic event; terms */
	SPEC_RAW, /* words[0]: "rHEX"; terms */
	SPEC_NUMBERED, /* words[0]: the type; words[1]: the config; terms */
	SPEC_PFM, /* words[0]: all of "pmu::name:umask:…", for libpfm4 only */
	SPEC_BREAKPOINT, /* words[0]: the text after "mem:" */
	SPEC_PROBE, /* words[0]: the kind; words[1]: the text after its ':' */
};

/* A part of the list, not NUL-terminated. at: its position in the list, in bytes. */
struct spec_word {
	const char *text;
	size_t len;
	size_t at;
};

struct spec_term {
	struct spec_word name;
	struct spec_word value;
	bool has_value;
};

struct event_spec {
	enum spec_form form;
	struct spec_word text; /* the whole event as the user wrote it, without '?' */
	bool optional; /* a '?' follows it */
	struct spec_word *words; /* owned */
	size_t words_n, words_size;
	struct spec_term *terms; /* owned */
	size_t terms_n, terms_size;
	/* len 0 if there are none, or if the form keeps them in words */
	struct spec_word modifiers;
};

/*
 * The events first … first + n - 1 of the list. An event outside of braces is a group of its own.
 */
struct group_spec {
	struct spec_word name;
	struct spec_word modifiers;
	size_t first, n;
	size_t at;
	bool braces;
};

/* All words point into text, which the list owns. All zero is a valid empty list. */
struct spec_list {
	char *text;
	struct event_spec *events;
	size_t events_n, events_size;
	struct group_spec *groups;
	size_t groups_n, groups_size;
};

/*
 * Parse the argument of -e. 0; -EINVAL with why and the position; -ENOMEM. On failure list is
 * empty.
 */
int spec_parse(struct spec_list *list, const char *text, struct why *why);
void spec_list_release(struct spec_list *list);

/*
 * Append the terms "name[=value]" between from and to, separated by commas, to spec->terms. The
 * files in a PMU's events/ folder also hold terms. at: the position of from in the list. 0; -EINVAL
 * with why; -ENOMEM.
 */
int spec_parse_terms(struct event_spec *spec, const char *from, const char *to, size_t at,
		     struct why *why);

/* Whether the word is exactly text. */
bool spec_word_is(const struct spec_word *word, const char *text);

/* Whether the word is rHEX, the number of a raw event. */
bool spec_word_is_raw(const struct spec_word *word);

#endif
