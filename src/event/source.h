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
 * On a hybrid machine, make of the last event of out, a generic one, one for each core PMU: the PMU's
 * type in the upper half of config, named as perf does,
 * "cpu_core/cycles/". 0 or -ENOMEM.
 */
int source_spread(const struct machine *m, const struct event_spec *spec, struct event_list *out);

/* The modifiers behind a name or a form that has a place for them; an empty word for none. */
struct spec_word source_modifiers(const struct event_spec *spec);

/* "pmu/name/modifiers", as perf names a row of one of several core PMUs. The caller's; NULL: no memory. */
char *source_name_on(const char *pmu, const struct event_spec *spec);

/*
 * For sources whose names hold no ':': apply the modifiers that stand behind the name to the events
 * from first on. 0; -EINVAL with why, which then points at the wrong letter.
 */
int source_apply_modifiers(const struct event_spec *spec, struct event_list *out, size_t first,
			   struct why *why);

#endif
