/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/clock.h"
#include "result/facts.h"
#include "result/provenance.h"

static const struct provenance nothing;

static const struct provenance *of(const struct report *report)
{
	return report->input.provenance ? report->input.provenance : &nothing;
}

static void add_text(struct str *text, const char *known)
{
	if (known)
		str_add(text, known);
}

static void add_switch(struct str *text, const struct known_int *known)
{
	if (known->known)
		str_add(text, known->value ? "on" : "off");
}

static void add_list(struct str *text, const struct str_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		str_addf(text, "%s%s", i ? ", " : "", list->v[i]);
}

static void add_started(struct str *text, const struct report *report)
{
	const struct provenance *p = report->input.provenance;

	if (p)
		clock_add_date(text, " ", " ", report->input.started, p->zone_s);
}

static void add_host(struct str *text, const struct report *report)
{
	add_text(text, of(report)->host);
}

static void add_kernel(struct str *text, const struct report *report)
{
	add_text(text, of(report)->kernel);
}

static void add_machine(struct str *text, const struct report *report)
{
	add_text(text, of(report)->machine);
}

static void add_cpu(struct str *text, const struct report *report)
{
	add_text(text, of(report)->cpu_model);
}

static void add_cpus(struct str *text, const struct report *report)
{
	add_text(text, of(report)->cpus_online);
}

static void add_governors(struct str *text, const struct report *report)
{
	add_list(text, &of(report)->governors);
}

static void add_turbo(struct str *text, const struct report *report)
{
	add_switch(text, &of(report)->turbo);
}

/* 1 moves the stack, 2 the heap, too. */
static void add_aslr(struct str *text, const struct report *report)
{
	const struct known_int *aslr = &of(report)->aslr;

	add_switch(text, aslr);
	if (aslr->known)
		str_addf(text, " (randomize_va_space %d)", aslr->value);
}

static void add_paranoid(struct str *text, const struct report *report)
{
	const struct known_int *paranoid = &of(report)->paranoid;

	if (paranoid->known)
		str_addf(text, "%d", paranoid->value);
}

static void add_folder(struct str *text, const struct report *report)
{
	add_text(text, of(report)->cwd);
}

static void add_pstat(struct str *text, const struct report *report)
{
	add_text(text, of(report)->pstat);
}

static void add_libpfm4(struct str *text, const struct report *report)
{
	add_text(text, of(report)->libpfm4);
}

const struct fact facts[] = {
	{ "Started", "start", false, add_started },
	{ "Host", "host", true, add_host },
	{ "Kernel", "kernel", true, add_kernel },
	{ "Architecture", "architecture", true, add_machine },
	{ "Processor", "processor", true, add_cpu },
	{ "CPUs online", "CPUs online", true, add_cpus },
	{ "Frequency governor", "frequency governor", true, add_governors },
	{ "Turbo", "turbo", true, add_turbo },
	{ "ASLR", "ASLR", true, add_aslr },
	/* what it forbids is seen in the events */
	{ "perf_event_paranoid", "perf_event_paranoid", false, add_paranoid },
	{ "Working directory", "working directory", false, add_folder },
	{ "pstat", "version of pstat", true, add_pstat },
	{ "libpfm4", "version of libpfm4", false, add_libpfm4 },
	{ .title = NULL },
};
