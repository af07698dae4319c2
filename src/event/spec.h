/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar of -e. spec_parse() turns a list of events and groups into a tree of words, without
 * looking up any name; resolve.c finds the source of each event. The modifiers of an event, and
 * the terms that every PMU has, are applied here, too.
 *
 * 	LIST  = item { ',' item }
 * 	item  = event | [name] '{' event { ',' event } '}' [ ':' modifiers ]
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
	struct spec_word text; /* the whole event as the user wrote it */
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

/* The number of a term, 1 without "=value". 0; -EINVAL or -ERANGE with why. */
int spec_term_number(const struct spec_term *term, uint64_t *value, struct why *why);

/*
 * Apply a term that events of every PMU have: name=, config=, config1= and so on, rHEX, period=,
 * freq=, percore or metric-id=. 0; -ENOENT: it is another term; another -errno with why.
 */
int spec_term_apply(const struct spec_term *term, struct event *event, struct why *why);

/* Apply all terms of an event that has no PMU of sysfs. 0; -errno with why. */
int spec_terms_apply(const struct event_spec *spec, struct event *event, struct why *why);

/* Whether the word is exactly text. */
bool spec_word_is(const struct spec_word *word, const char *text);

/*
 * Modifiers: the letters after the last ':' of an event or a group. They mean the same as in perf
 * (tools/perf/Documentation/perf-list.txt, "EVENT MODIFIERS").
 */
struct modifiers {
	bool user, kernel, hypervisor; /* if the user names one, the others are excluded */
	bool guest, host;
	bool exclude_idle;
	unsigned int precise; /* attr.precise_ip, 0 … 3 */
	bool precise_max; /* P: accepted without effect, because only samples have skid */
	bool sample_read; /* S: accepted without effect, because it is for sampling */
	bool pinned, exclusive, weak;
	bool bpf; /* b: accepted without effect; pstat has no BPF programs */
};

/* Parse a word of letters. 0; -EINVAL with why and the position. */
int modifiers_parse(const struct spec_word *word, struct modifiers *out, struct why *why);

/* Whether the word consists of modifier letters only. It may still be another name. */
bool modifiers_possible(const struct spec_word *word);

/*
 * Apply modifiers to an event. The modifiers of a group are applied after those of the event, and
 * add to them. Tool events have no modes and do not change.
 */
void modifiers_apply(const struct modifiers *modifiers, struct event *event);

/* The modifiers of an event, in any form. The word is empty if there are none. */
struct spec_word modifiers_of_spec(const struct event_spec *spec);

/*
 * For sources whose names contain no ':'. Apply the modifiers of the name to the events of out from
 * first on. 0; -EINVAL with why and the position of the wrong letter.
 */
int modifiers_apply_spec(const struct event_spec *spec, struct event_list *out, size_t first,
			 struct why *why);

/*
 * Explain that modes do not apply to an event whose PMU counts whole CPUs or packages. at is the
 * position of the modifiers. -EINVAL with why.
 */
int modifiers_refuse_modes(const struct event *event, size_t at, struct why *why);

#endif
