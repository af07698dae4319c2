/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes on functions, without "perf probe". They use the kernel's dynamic PMUs uprobe and kprobe
 * (Linux 4.17; Documentation/ABI/testing/sysfs-bus-event_source-devices-*probe):
 *
 * 	uprobe:FILE:FUNCTION[+OFFSET]	uretprobe:…	each call or return of a function in a file
 * 	kprobe:FUNCTION[+OFFSET]	kretprobe:…	the same for a kernel function
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "event/modifiers.h"
#include "event/source.h"
#include "event/symbol.h"
#include "machine/pmu.h"
#include "machine/program.h"

enum { MATCHES_MAX = 256 }; /* rows of one glob */

/* The parts of a probe's name. */
struct probe {
	const char *pmu; /* "uprobe" or "kprobe"; a static string */
	uint32_t type; /* of the PMU */
	bool at_return;
	char *file; /* owned */
	char *function; /* owned */
	size_t function_at; /* its position in the list */
	uint64_t offset; /* from the start of the function */
	struct spec_word modifiers_word;
	struct modifiers modifiers;
};

static void source_probe_release(struct probe *p)
{
	free(p->file);
	free(p->function);
}

/* Whether the function is in a file, not in the kernel. */
static bool source_probe_is_in_file(const struct probe *p)
{
	return p->pmu[0] == 'u';
}

/* The next part of text up to an unescaped ':', without its backslashes. NULL: out of memory. */
static char *source_probe_part(const struct spec_word *text, size_t *at)
{
	char *part = malloc(text->len - *at + 1);
	size_t n = 0;

	while (part && *at < text->len && text->text[*at] != ':') {
		if (text->text[*at] == '\\' && *at + 1 < text->len)
			(*at)++;
		part[n++] = text->text[(*at)++];
	}
	if (part)
		part[n] = '\0';
	return part;
}

static int source_probe_parse(struct probe *p, const struct event_spec *spec, struct why *why)
{
	const struct spec_word *kind = &spec->words[0], *text = &spec->words[1];
	size_t at = 0;
	char *plus;

	p->pmu = kind->text[0] == 'u' ? "uprobe" : "kprobe";
	p->at_return = kind->text[1] == 'r';
	if (source_probe_is_in_file(p)) {
		p->file = source_probe_part(text, &at);
		if (!p->file)
			return -ENOMEM;
		if (at == text->len || p->file[0] == '\0')
			return why_at(why, -EINVAL, text->at,
				      "the file or the function is missing; write "
				      "%.*s:FILE:FUNCTION",
				      (int)kind->len, kind->text);
		at++;
	}
	p->function_at = text->at + at;
	p->function = source_probe_part(text, &at);
	if (!p->function)
		return -ENOMEM;
	plus = strrchr(p->function, '+');
	if (plus) {
		int err = num_parse(plus + 1, strlen(plus + 1), &p->offset);

		if (err < 0)
			return why_at(why, err, text->at + at - strlen(plus + 1),
				      "'%s' is not an offset; write FUNCTION+OFFSET", plus + 1);
		*plus = '\0';
	}
	if (p->function[0] == '\0')
		return why_at(why, -EINVAL, p->function_at, "the name of a function is missing");
	if (at == text->len)
		return 0;
	p->modifiers_word =
		(struct spec_word){ text->text + at + 1, text->len - at - 1, text->at + at + 1 };
	return modifiers_parse(&p->modifiers_word, &p->modifiers, why);
}

/*
 * Replace the name of the file by its path. A name without a slash is a library, or a program in
 * PATH.
 */
static int source_probe_find_file(const struct machine *m, struct probe *p, size_t at,
				  struct why *why)
{
	cleanup_free char *name = p->file;
	int err = 0;

	p->file = NULL;
	if (strchr(name, '/')) {
		p->file = realpath(name, NULL);
		err = p->file ? 0 : -errno;
	} else {
		err = program_find_library(m, name, &p->file);
		if (err == -ENOENT)
			err = program_find(name, &p->file, why);
	}
	if (err == -ENOTUNIQ)
		return why_at(why, -EINVAL, at,
			      "%s: the compared commands have different ABIs; give the path of the "
			      "library",
			      name);
	if (err < 0)
		return why_at(why, err == -ENOENT ? -EINVAL : err, at, "%s: %s", name,
			      err == -ENOENT ? "no such file, library or program" : strerror(-err));
	return 0;
}

/* Append an event. target: the file or kernel function, which attr.config1 points to a copy of. */
static int source_probe_add_event(const struct machine *m, const struct probe *p,
				  const char *target, uint64_t offset, struct event_list *out)
{
	uint64_t words[PMU_CONFIG_WORDS] = { 0 };
	struct pmu_format retprobe;
	struct event *event;
	int err = pmu_format(m, p->pmu, "retprobe", &retprobe);

	if (err < 0)
		return err;
	event = event_list_add(out, source_probe.name, p->pmu);
	if (!event)
		return -ENOMEM;
	event->probed = strdup(target);
	if (!event->probed)
		return -ENOMEM;
	pmu_format_fill(&retprobe, p->at_return, words);
	event->attr.type = p->type;
	event->attr.config = words[0];
	event->attr.config1 = (uintptr_t)event->probed;
	event->attr.config2 = offset;
	event->has_modifiers = p->modifiers_word.len > 0;
	modifiers_apply(&p->modifiers, event);
	return 0;
}

/*
 * The user's "uprobe:FILE:FUNCTION" with this function in place of the pattern.
 */
static char *source_probe_name(const struct event_spec *spec, const struct probe *p,
			       const char *function)
{
	const struct spec_word *kind = &spec->words[0], *text = &spec->words[1];
	const struct spec_word *modifiers = &p->modifiers_word;
	struct str name = { 0 };

	str_addf(&name, "%.*s:%.*s%s", (int)kind->len, kind->text, (int)(p->function_at - text->at),
		 text->text, function);
	if (p->offset)
		str_addf(&name, "+0x%" PRIx64, p->offset);
	if (modifiers->len)
		str_addf(&name, ":%.*s", (int)modifiers->len, modifiers->text);
	if (name.failed)
		str_release(&name);
	return name.text;
}

static int source_probe_add_functions(const struct machine *m, const struct event_spec *spec,
				      const struct probe *p, const struct symbol_list *found,
				      struct event_list *out, struct why *why)
{
	bool rename = found->n > 1 || strpbrk(p->function, "*?[");

	for (size_t i = 0; i < found->n; i++) {
		const struct symbol *function = &found->v[i];
		int err;

		if (function->offset == 0)
			return why_at(why, -EINVAL, p->function_at, "'%s' has no code in %s",
				      function->name, p->file);
		if (p->offset && p->offset >= (function->size ? function->size : p->offset + 1))
			return why_at(why, -EINVAL, p->function_at,
				      "offset %" PRIu64 " is beyond the end of '%s' (%" PRIu64
				      " bytes)",
				      p->offset, function->name, function->size);
		err = source_probe_add_event(m, p, p->file, function->offset + p->offset, out);
		if (err < 0)
			return err;
		if (!rename)
			continue;
		out->events[out->n - 1].name = source_probe_name(spec, p, function->name);
		if (!out->events[out->n - 1].name)
			return -ENOMEM;
	}
	return 0;
}

static int source_probe_resolve_user(const struct machine *m, const struct event_spec *spec,
				     struct probe *p, struct event_list *out, struct why *why)
{
	cleanup_with(symbol_list_release) struct symbol_list found = { 0 };
	size_t at = spec->words[1].at;
	int err = source_probe_find_file(m, p, at, why);

	if (err < 0)
		return err;
	err = symbol_find(&(struct symbol_query){ p->file, m->root, p->function, SYMBOL_FUNCTION },
			  &found, why);
	if (err < 0) {
		why->has_position = true;
		why->position = err == -ENOENT ? p->function_at : at;
		return err == -ENOENT ? -EINVAL : err;
	}
	if (found.n > MATCHES_MAX)
		return why_at(why, -E2BIG, p->function_at,
			      "'%s' matches %zu functions of %s; a glob may match at most %d",
			      p->function, found.n, p->file, MATCHES_MAX);
	return source_probe_add_functions(m, spec, p, &found, out, why);
}

static int source_probe_resolve(const struct machine *m, const struct event_spec *spec,
				struct event_list *out, struct why *why)
{
	cleanup_with(source_probe_release) struct probe probe = { 0 };
	int err = source_probe_parse(&probe, spec, why);

	if (err < 0)
		return err;
	if (pmu_type(m, probe.pmu, &probe.type) == 0)
		return source_probe_is_in_file(&probe) ?
			       source_probe_resolve_user(m, spec, &probe, out, why) :
			       source_probe_add_event(m, &probe, probe.function, probe.offset, out);
	if (!machine_has_sysfs(m))
		return why_at(why, -ENODEV, spec->text.at,
			      "the PMU '%s' cannot be found: /sys is not mounted (mount -t sysfs "
			      "sysfs /sys)",
			      probe.pmu);
	return why_at(why, -ENODEV, spec->text.at,
		      "this kernel has no PMU '%s': it needs Linux 4.17 and CONFIG_%s", probe.pmu,
		      source_probe_is_in_file(&probe) ? "UPROBE_EVENTS" : "KPROBE_EVENTS");
}

const struct event_source source_probe = {
	.name = "probe",
	.forms = FORM(SPEC_PROBE),
	.resolve = source_probe_resolve,
};
