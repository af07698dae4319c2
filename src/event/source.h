/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source of events: one file that knows one kind of name. resolve.c holds the ordered table of
 * them; a new source is one new file and one new line there.
 */
#ifndef PSTAT_EVENT_SOURCE_H
#define PSTAT_EVENT_SOURCE_H

#include "event/event.h"
#include "event/spec.h"
#include "machine/machine.h"

struct why;

/* An event as a source lists it. The strings live as long as the visit. */
struct event_info {
	const char *name; /* as one may write it behind -e */
	const char *source;
	const char *pmu; /* what it is listed under */
	const char *description; /* "" for none */
	const char *elsewhere; /* what others call it, separated by blanks; NULL: nothing else */
	bool present; /* of a PMU that is here */
};

/* What a source is to list. */
enum list_scope {
	LIST_USABLE, /* what could be counted here */
	LIST_RESOLVABLE, /* also the kernel's generic names, which are never unknown */
	LIST_ALL, /* also what belongs to other machines */
};

/* Called for each event of a list. Anything but 0 ends the listing and is returned by it. */
typedef int event_visit(const struct event_info *info, void *data);

struct event_source {
	const char *name;
	unsigned int forms; /* FORM() of each spec_form that is this source's to try */
	/*
	 * 0: one event appended to out, or one for each match; -ENOENT: not this source's, the next
	 * may try (nothing is appended; why may say what hindered the look); another -errno: this source's and wrong, why says where and
	 * what. The names are left NULL, unless the source knows better than the user's spelling.
	 */
	int (*resolve)(const struct machine *m, const struct event_spec *spec,
		       struct event_list *out, struct why *why);
	/*
	 * Visit the events of a scope, PMU by PMU. Returns 0 or the result of the visit. -ELIBACC
	 * with why: the library that knows the events cannot be used. Another -errno may also come
	 * with why.
	 */
	int (*list)(const struct machine *m, enum list_scope scope, event_visit *visit, void *data,
		    struct why *why);
};

#define FORM(form) (1U << (form))

extern const struct event_source source_generic;
extern const struct event_source source_cache;
extern const struct event_source source_raw;
extern const struct event_source source_sysfs;
extern const struct event_source source_breakpoint;
extern const struct event_source source_probe;
extern const struct event_source source_tool;
extern const struct event_source source_tracepoint;
extern const struct event_source source_pfm;

/* The version of libpfm4, "4.13.0", the caller's to free; NULL where no name has needed it. */
char *source_pfm_version(void);

/* The type and config of a generalised hardware event, or of a cache event, by name. Whether there is
 * one of that name. */
bool source_generic_hardware(const struct spec_word *name, struct perf_event_attr *attr);
bool source_cache_hardware(const struct spec_word *name, struct perf_event_attr *attr);

/* Where the type of one of several core PMUs stands in the config of a generic event (Linux 5.13). */
enum { SOURCE_PMU_TYPE_SHIFT = 32 };

/*
 * On a hybrid machine, replace the last event of out, a generic one, by one event for each core
 * PMU. The type of the PMU goes into the upper half of config. The names are those of perf,
 * "cpu_core/cycles/". 0 or -ENOMEM.
 */
int source_generic_spread(const struct machine *m, const struct event_spec *spec,
			  struct event_list *out);

/*
 * "pmu/name/modifiers", perf's name of a row of one of several core PMUs. The caller frees it. NULL:
 * out of memory.
 */
char *source_generic_name(const char *pmu, const struct event_spec *spec);

/*
 * Give each breakpoint that names a symbol the address of that symbol in program, a path. In a
 * position-independent program this is the address as linked, and event->relocated is set: the
 * address at run time is known only after the exec. 0; -errno with why.
 */
int source_breakpoint_bind(struct event_list *list, const char *program, struct why *why);

/*
 * The default length of a breakpoint in bytes. For data, it is the size of the variable if the kernel
 * can watch that size, or else 4; for code, it is the size of a word, as the kernel requires.
 */
unsigned int source_breakpoint_length(unsigned int type, unsigned long long size);

#endif
