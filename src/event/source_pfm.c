/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events by libpfm4's names, with unit masks and attributes. The library is loaded only when a name
 * needs it, because loading and initializing it takes several times as long as a start of pstat.
 * The dynamic linker and pfm_initialize() notice a repeated call, so no state is kept here.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/dlopen.h"
#include "base/str.h"
#include "base/why.h"
#include "event/modifiers.h"
#include "event/source.h"
#include "machine/pmu.h"

#ifdef HAVE_LIBPFM
#	include <perfmon/pfmlib_perf_event.h>

#	define PFM_SONAME "libpfm.so.4"

struct pfm {
	pfm_err_t (*initialize)(void);
	const char *(*strerror)(int code);
	pfm_err_t (*encode)(const char *text, int modes, pfm_os_t os, void *args);
	int (*find_event)(const char *text);
	pfm_err_t (*pmu_info)(pfm_pmu_t pmu, pfm_pmu_info_t *out);
	pfm_err_t (*event_info)(int event, pfm_os_t os, pfm_event_info_t *out);
	int (*next_event)(int event);
	pfm_err_t (*attr_info)(int event, int attr, pfm_os_t os, pfm_event_attr_info_t *out);
};

DLOPEN_LIBRARY(pfm_library, PFM_SONAME, "libpfm4", "libpfm4", "pmu-events",
	       "Encodes the events of a CPU by the names of its vendor");

static int pfm_load(struct pfm *pfm, struct why *why)
{
	const struct dlopen_function functions[] = {
		{ "pfm_initialize", &pfm->initialize },
		{ "pfm_strerror", &pfm->strerror },
		{ "pfm_get_os_event_encoding", &pfm->encode },
		{ "pfm_find_event", &pfm->find_event },
		{ "pfm_get_pmu_info", &pfm->pmu_info },
		{ "pfm_get_event_info", &pfm->event_info },
		{ "pfm_get_event_next", &pfm->next_event },
		{ "pfm_get_event_attr_info", &pfm->attr_info },
	};
	cleanup_fd int mounts = open("/proc/mounts", O_RDONLY | O_CLOEXEC);
	char first;
	int err;

	/* In some sandboxes this file, whose path libpfm4 knows, can be opened but not read. */
	if (mounts >= 0 && read(mounts, &first, 1) != 1)
		return why_set(why, -ELIBACC,
			       "libpfm4 cannot be used: it crashes if /proc/mounts is empty or "
			       "unreadable");
	err = dlopen_load(&pfm_library, functions, sizeof(functions) / sizeof(functions[0]), why);
	if (err < 0)
		return err;
	err = pfm->initialize();
	if (err != PFM_SUCCESS)
		return why_set(why, -ELIBACC, "libpfm4 cannot be initialized: %s",
			       pfm->strerror(err));
	return 0;
}

/*
 * The version is taken from the file name: pfm_get_version() returns 4.0 for all of 4.x.
 * RTLD_NOLOAD finds the library only if it is loaded already.
 */
char *source_pfm_version(void)
{
	void *library = dlopen(PFM_SONAME, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
	void *symbol = library ? dlsym(library, "pfm_initialize") : NULL;
	cleanup_free char *path = NULL;
	const char *version;
	Dl_info info;

	if (symbol && dladdr(symbol, &info) && info.dli_fname)
		path = realpath(info.dli_fname, NULL);
	if (library)
		dlclose(library);
	version = path ? strstr(path, "libpfm.so.") : NULL;
	return version ? strdup(version + strlen("libpfm.so.")) : NULL;
}

/* libpfm4 has the event, but rejects the text after its name: list the possible attributes. */
static int pfm_explain_attributes(const struct pfm *pfm, const char *text, size_t at, int error,
				  struct why *why)
{
	cleanup_free char *name = strdup(text);
	const char *colons = strstr(text, "::");
	size_t prefix = colons ? (size_t)(colons - text) + 2 : 0;
	pfm_event_info_t event = { .size = sizeof(event) };
	cleanup_str struct str umasks = { 0 };
	cleanup_str struct str attributes = { 0 };
	int index;

	if (!name)
		return -ENOMEM;
	name[prefix + strcspn(name + prefix, ":.")] = '\0';
	index = pfm->find_event(name);
	if (index < 0 || pfm->event_info(index, PFM_OS_PERF_EVENT_EXT, &event) != PFM_SUCCESS)
		return -ENOENT;
	for (int i = 0; i < event.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm->attr_info(event.idx, i, PFM_OS_PERF_EVENT_EXT, &attr) != PFM_SUCCESS ||
		    strcmp(attr.name, "period") == 0 || strcmp(attr.name, "freq") == 0)
			continue; /* period and freq are for sampling */
		str_add_listed(attr.type == PFM_ATTR_UMASK ? &umasks : &attributes, attr.name);
	}
	return why_at(why, -EINVAL, at + strlen(name) + (text[strlen(name)] != '\0'),
		      "libpfm4 refuses '%s': %s; unit masks of %s: %s; attributes: %s", text,
		      pfm->strerror(error), event.name, umasks.len ? str_text(&umasks) : "none",
		      attributes.len ? str_text(&attributes) : "none");
}

/* An encoding, and the modifiers that libpfm4 does not handle. */
struct encoding {
	struct perf_event_attr attr;
	char *full_name; /* owned */
	int index;
	int cpu; /* from cpu=, or -1 */
	struct modifiers rest;
};

static void pfm_encoding_release(struct encoding *e)
{
	free(e->full_name);
}

/* Both sizes are needed: for a size of 0, libpfm4 assumes the oldest struct, without config2. */
static int pfm_encode(const struct pfm *pfm, const char *text, struct encoding *out)
{
	pfm_perf_encode_arg_t arg = { .attr = &out->attr, .fstr = &out->full_name, .cpu = -1 };
	int error;

	arg.size = sizeof(arg);
	out->attr = (struct perf_event_attr){ .size = sizeof(out->attr) };
	error = pfm->encode(text, PFM_PLM0 | PFM_PLM3 | PFM_PLMH, PFM_OS_PERF_EVENT_EXT, &arg);
	out->index = arg.idx;
	out->cpu = arg.cpu;
	return error;
}

/* The description of this machine's core PMU in libpfm4; NULL if libpfm4 does not know the PMU. */
static const char *pfm_core_pmu(const struct pfm *pfm)
{
	const char *found = NULL;

	for (pfm_pmu_t i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		if (pfm->pmu_info(i, &pmu) == PFM_SUCCESS && pmu.is_present &&
		    pmu.type == PFM_PMU_TYPE_CORE)
			found = pmu.desc;
	}
	return found;
}

/*
 * Whether the first of the words after the name of the event is a unit mask or attribute of the
 * event, or modifiers. True if there is no word. Without this check, "probe:foo" would be the event
 * PROBE of an old CPU.
 */
static bool pfm_has_attribute(const struct pfm *pfm, const pfm_event_info_t *event,
			      const char *words)
{
	const struct spec_word word = { words, strcspn(words, ":.="), 0 };

	if (word.len == 0 || modifiers_possible(&word))
		return true;
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm->attr_info(event->idx, i, PFM_OS_PERF_EVENT_EXT, &attr) == PFM_SUCCESS &&
		    strlen(attr.name) == word.len &&
		    strncasecmp(attr.name, word.text, word.len) == 0)
			return true;
	}
	return false;
}

/* Returns -ENOENT, with why if libpfm4 has the event for a PMU that this machine lacks. */
static int pfm_explain_other_cpu(const struct pfm *pfm, const char *text, struct why *why)
{
	const char *colons = strstr(text, "::");
	const char *event = colons ? colons + 2 : text;
	size_t n = strcspn(event, ":.");
	const char *here = pfm_core_pmu(pfm);

	for (pfm_pmu_t i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		if (pfm->pmu_info(i, &pmu) != PFM_SUCCESS || pmu.is_present ||
		    (colons && strncasecmp(pmu.name, text, (size_t)(colons - text)) != 0))
			continue;
		for (int e = pmu.first_event; e != -1; e = pfm->next_event(e)) {
			pfm_event_info_t info = { .size = sizeof(info) };

			if (pfm->event_info(e, PFM_OS_PERF_EVENT_EXT, &info) == PFM_SUCCESS &&
			    strlen(info.name) == n && strncasecmp(info.name, event, n) == 0 &&
			    (colons ||
			     pfm_has_attribute(pfm, &info, event + n + (event[n] != '\0'))))
				return why_set(why, -ENOENT,
					       "libpfm4 has this event for %s; this machine has %s",
					       pmu.desc,
					       here ? here : "no core PMU that libpfm4 knows");
		}
	}
	return -ENOENT;
}

/*
 * Let libpfm4 encode the whole text. If it cannot, the last word may be modifiers of perf that
 * libpfm4 does not know ("D", "W", "pp"). A unit mask of the same name therefore has precedence.
 */
static int pfm_encode_text(const struct pfm *pfm, const char *text, const struct spec_word *whole,
			   struct encoding *out, struct why *why)
{
	cleanup_free char *shorter = NULL;
	const char *colon = strrchr(text, ':');
	int error = pfm_encode(pfm, text, out);

	if (error == PFM_SUCCESS)
		return 0;
	if (error == PFM_ERR_NOMEM)
		return -ENOMEM;
	if (colon && colon > text && colon[-1] != ':') {
		size_t before = (size_t)(colon - text);

		const struct spec_word last = { colon + 1, whole->len - before - 1,
						whole->at + before + 1 };
		shorter = strndup(text, before);
		if (!shorter)
			return -ENOMEM;
		if (modifiers_possible(&last) && pfm_encode(pfm, shorter, out) == PFM_SUCCESS)
			return modifiers_parse(&last, &out->rest, why);
	}
	if (error == PFM_ERR_NOTFOUND || error == PFM_ERR_NOTSUPP)
		return pfm_explain_other_cpu(pfm, text, why);
	return pfm_explain_attributes(pfm, text, whole->at, error, why);
}

/* Whether one of the words chooses modes: "u", "k=1", … */
static bool pfm_names_modes(const char *text)
{
	for (; *text; text += *text != '\0') {
		size_t n = strcspn(text, ":.");

		if (n > 0 && strchr("ukh", text[0]) && (n == 1 || text[1] == '='))
			return true;
		text += n;
	}
	return false;
}

static int pfm_add_event(const struct machine *m, const struct pfm *pfm, const char *text,
			 struct encoding *e, struct event_list *out)
{
	static const struct {
		const char *pmu, *in_sysfs;
	} hybrid[] = { { "adl_glc", "cpu_core" }, { "adl_grt", "cpu_atom" } };
	pfm_event_info_t info = { .size = sizeof(info) };
	pfm_pmu_info_t pmu = { .size = sizeof(pmu) };
	struct event *event;

	if (pfm->event_info(e->index, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS ||
	    pfm->pmu_info(info.pmu, &pmu) != PFM_SUCCESS)
		pmu.name = "libpfm4";
	event = event_list_add(out, source_pfm.name, pmu.name);
	if (!event)
		return -ENOMEM;
	event->attr = e->attr;
	/* With --sysroot, take the type of a hybrid machine's PMU from that machine: libpfm4
	 * took it from /sys of this machine. The types of other core PMUs are the same
	 * everywhere. */
	for (size_t i = 0; !machine_is_here(m) && i < sizeof(hybrid) / sizeof(hybrid[0]); i++)
		if (strcmp(pmu.name, hybrid[i].pmu) == 0 &&
		    pmu_type(m, hybrid[i].in_sysfs, &event->attr.type) == -ENOMEM)
			return -ENOMEM;
	event->full_name = take_ptr(e->full_name);
	event->modes_chosen = pfm_names_modes(text);
	modifiers_apply(&e->rest, event);
	if (e->cpu >= 0 && asprintf(&event->cpus, "%d", e->cpu) < 0) {
		event->cpus = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int pfm_resolve(const struct machine *m, const struct event_spec *spec,
		       struct event_list *out, struct why *why)
{
	cleanup_free char *text = strndup(spec->text.text, spec->text.len);
	cleanup_with(pfm_encoding_release) struct encoding encoding = { 0 };
	struct pfm pfm;
	int err;

	if (!text)
		return -ENOMEM;
	err = pfm_load(&pfm, why);
	if (err < 0) {
		why->has_position = true;
		why->position = spec->text.at;
		return err;
	}
	err = pfm_encode_text(&pfm, text, &spec->text, &encoding, why);
	if (err < 0)
		return err;
	if (encoding.attr.freq || encoding.attr.sample_period)
		return why_at(why, -EINVAL, spec->text.at,
			      "'%s': freq= and period= are for sampling; pstat only counts", text);
	return pfm_add_event(m, &pfm, text, &encoding, out);
}

/* Visit "EVENT:UMASK", or "pmu::EVENT:UMASK" if this machine does not have the PMU. */
static int pfm_visit_name(const struct event_listing *l, struct event_info *info, const char *event,
			  const char *umask)
{
	cleanup_str struct str text = { 0 };

	str_addf(&text, "%s%s%s%s%s", info->present ? "" : info->pmu,
		 info->present ? "" : "::", event, umask ? ":" : "", umask ? umask : "");
	if (text.failed)
		return -ENOMEM;
	info->name = str_text(&text);
	return l->visit(info, l->data);
}

static int pfm_list_event(const struct event_listing *l, const struct pfm *pfm, int index,
			  const pfm_pmu_info_t *pmu)
{
	pfm_event_info_t event = { .size = sizeof(event) };
	struct event_info info = { .source = source_pfm.name,
				   .pmu = pmu->name,
				   .present = pmu->is_present };
	cleanup_with(pfm_encoding_release) struct encoding encoding = { 0 };
	cleanup_str struct str text = { 0 };
	int error = PFM_SUCCESS, stop = 0;

	if (pfm->event_info(index, PFM_OS_PERF_EVENT_EXT, &event) != PFM_SUCCESS)
		return 0;
	info.description = event.desc ? event.desc : "";
	if (pmu->is_present) { /* can the event be used without a unit mask, by its default? */
		str_addf(&text, "%s::%s", pmu->name, event.name);
		error = text.failed ? PFM_ERR_NOMEM : pfm_encode(pfm, str_text(&text), &encoding);
	}
	if (error == PFM_ERR_NOMEM)
		return -ENOMEM;
	if (error == PFM_SUCCESS)
		stop = pfm_visit_name(l, &info, event.name, NULL);
	for (int i = 0; stop == 0 && i < event.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm->attr_info(index, i, PFM_OS_PERF_EVENT_EXT, &attr) != PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		info.description = attr.desc ? attr.desc : "";
		stop = pfm_visit_name(l, &info, event.name, attr.name);
	}
	return stop;
}

/* Whether ":name" is a word of the full name of an event. */
static bool pfm_has_word(const char *full_name, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = full_name; (p = strchr(p, ':')); p++)
		if (strncasecmp(p + 1, name, n) == 0 && strchr(":=", p[1 + n]))
			return true;
	return false;
}

/* The descriptions of the event and of its unit masks. */
static int pfm_describe(const struct machine *m, const struct event *event, struct str *out)
{
	cleanup_with(pfm_encoding_release) struct encoding encoding = { 0 };
	cleanup_why struct why why = { 0 };
	pfm_event_info_t info = { .size = sizeof(info) };
	struct pfm pfm;

	(void)m;
	if (!event->full_name || pfm_load(&pfm, &why) < 0 ||
	    pfm_encode(&pfm, event->full_name, &encoding) != PFM_SUCCESS ||
	    pfm.event_info(encoding.index, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS)
		return 0;
	str_add(out, info.desc ? info.desc : "");
	for (int i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm.attr_info(info.idx, i, PFM_OS_PERF_EVENT_EXT, &attr) == PFM_SUCCESS &&
		    attr.type == PFM_ATTR_UMASK && attr.desc &&
		    pfm_has_word(event->full_name, attr.name))
			str_addf(out, "; %s: %s", attr.name, attr.desc);
	}
	return 0;
}

static int pfm_list(const struct event_listing *l)
{
	struct pfm pfm;
	int stop = pfm_load(&pfm, l->why);

	if (stop < 0)
		return stop;
	for (pfm_pmu_t i = PFM_PMU_NONE; stop == 0 && i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		if (pfm.pmu_info(i, &pmu) != PFM_SUCCESS ||
		    (!pmu.is_present && l->scope != LIST_ALL))
			continue;
		/* other sources list the generic events and tracepoints of these two */
		if (strcmp(pmu.name, "perf") == 0 || strcmp(pmu.name, "perf_raw") == 0)
			continue;
		for (int event = pmu.first_event; stop == 0 && event != -1;
		     event = pfm.next_event(event))
			stop = pfm_list_event(l, &pfm, event, &pmu);
	}
	return stop;
}

#else /* without libpfm4: refuse the names that need it */

char *source_pfm_version(void)
{
	return NULL;
}

static int pfm_resolve(const struct machine *m, const struct event_spec *spec,
		       struct event_list *out, struct why *why)
{
	(void)m;
	(void)out;
	if (spec->form != SPEC_PFM)
		return -ENOENT;
	return why_at(why, -EINVAL, spec->text.at,
		      "'%.*s' needs libpfm4; this pstat was built without it", (int)spec->text.len,
		      spec->text.text);
}

#endif

const struct event_source source_pfm = {
	.name = "libpfm4",
	.forms = FORM(SPEC_NAME) | FORM(SPEC_PFM),
	.resolve = pfm_resolve,
#ifdef HAVE_LIBPFM
	.list = pfm_list,
	.describe = pfm_describe,
#endif
};
