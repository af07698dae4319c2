/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources of events. A source is one file, source_NAME.c, that knows one kind of name. resolve.c
 * has the table of all sources in order.
 */
#ifndef PSTAT_EVENT_SOURCE_H
#define PSTAT_EVENT_SOURCE_H

#include "event/event.h"
#include "event/spec.h"
#include "machine/machine.h"

struct str;
struct why;

/* An event that a source lists. The strings are valid during the visit. */
struct event_info {
	const char *name; /* for -e */
	const char *source;
	const char *pmu; /* the heading of the event in a list */
	const char *description; /* "" if there is none */
	/* the names that other tools have for the event, separated by blanks; NULL: none */
	const char *aliases;
	bool present; /* its PMU exists on this machine */
};

/* The events that a source lists. */
enum list_scope {
	LIST_USABLE, /* events that can be counted on this machine */
	LIST_RESOLVABLE, /* also the generic events of the kernel, whose names are always known */
	LIST_ALL, /* also events of other machines */
};

/* Called for each event of a list. A result other than 0 ends the listing; list() returns this
 * result. */
typedef int event_visit(const struct event_info *info, void *data);

struct event_listing {
	const struct machine *machine;
	enum list_scope scope;
	event_visit *visit;
	void *data; /* for visit() */
	struct why *why;
};

struct event_source {
	const char *name;
	unsigned int forms; /* FORM() of each spec_form that the source may resolve */
	/*
	 * Append one event to out, or one for each match. Returns 0 or -errno. -ENOENT: another
	 * source may know the name; nothing is appended, and why may name an obstacle. Another
	 * -errno: the name belongs to this source and is wrong; why has the cause and position. The
	 * name of an event stays NULL unless the source has a better one than the user's.
	 */
	int (*resolve)(const struct machine *m, const struct event_spec *spec,
		       struct event_list *out, struct why *why);
	/*
	 * Visit the events of the scope, PMU by PMU. Returns 0 or the result of the visit. -ELIBACC
	 * with why: the library with the events cannot be used. Another -errno may have a why.
	 * NULL: the source lists nothing.
	 */
	int (*list)(const struct event_listing *l);
	/*
	 * Append what the event means, in one phrase; nothing if that is unknown. event: of this
	 * source. 0 or -errno. NULL: the source knows nothing about meanings.
	 */
	int (*describe)(const struct machine *m, const struct event *event, struct str *out);
};

#define FORM(form) (1U << (form))

extern const struct event_source source_generic;
extern const struct event_source source_cache;
extern const struct event_source source_raw;
extern const struct event_source source_sysfs;
/* the same for plain names, ignoring case; the last source, because it reads each folder events/ */
extern const struct event_source source_sysfs_any_case;
extern const struct event_source source_breakpoint;
extern const struct event_source source_probe;
extern const struct event_source source_table;
extern const struct event_source source_tool;
extern const struct event_source source_tracepoint;
extern const struct event_source source_pfm;

/* The version of libpfm4, "4.13.0"; the caller frees it. NULL if libpfm4 is not loaded. */
char *source_pfm_version(void);

/*
 * Set the type and config of a generic hardware event, or of a cache event. Returns whether there
 * is an event of that name.
 */
bool source_generic_hardware(const struct spec_word *name, struct perf_event_attr *attr);

/* The length of the name of an event without the modifiers or the place that follow it. */
size_t source_generic_length(const char *name);

/*
 * Whether both names mean the same generic event, whatever modifiers or place follow: "faults:u"
 * and "page-faults CPU0".
 */
bool source_generic_is_same(const char *a, const char *b);

/*
 * "pmu/name/modifiers", as perf names the row of one of several core PMUs. The caller frees it.
 * NULL: out of memory.
 */
char *source_generic_name(const char *pmu, const struct event_spec *spec);

/*
 * Set whether a tracepoint that is given by its number counts in user mode. Without a readable
 * tracefs, this stays unknown. 0 or -ENOMEM.
 */
int source_tracepoint_place(const struct machine *m, struct event *event);

/*
 * Give each breakpoint that names a symbol the address of that symbol in program, a path. In a
 * position-independent program this is the address as linked, and event->relocated is set: the
 * address at run time is known only after the exec. 0; -errno with why, which names the option that
 * the events come from.
 */
int source_breakpoint_bind(struct event_list *list, const char *option, const char *program,
			   struct why *why);

#endif
