/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/clock.h"
#include "result/provenance.h"
#include "result/result.h"

void provenance_release(struct provenance *p)
{
	char *const texts[] = { p->pstat,  p->libpfm4, p->cwd,	     p->host,
				p->kernel, p->machine, p->cpu_model, p->cpus_online };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(texts[i]);
	str_list_release(&p->argv);
	str_list_release(&p->pmus);
	str_list_release(&p->governors);
	*p = (struct provenance){ 0 };
}

/* ---- Facts. */

static const struct provenance nothing;

static const struct provenance *of(const struct result *result)
{
	return result->series->provenance ? result->series->provenance : &nothing;
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

static void add_started(struct str *text, const struct result *result)
{
	const struct provenance *p = result->series->provenance;

	if (p)
		clock_add_date(text, " ", " ", result->series->started, p->zone_s);
}

static void add_host(struct str *text, const struct result *result)
{
	add_text(text, of(result)->host);
}

static void add_kernel(struct str *text, const struct result *result)
{
	add_text(text, of(result)->kernel);
}

static void add_machine(struct str *text, const struct result *result)
{
	add_text(text, of(result)->machine);
}

static void add_cpu(struct str *text, const struct result *result)
{
	add_text(text, of(result)->cpu_model);
}

static void add_cpus(struct str *text, const struct result *result)
{
	add_text(text, of(result)->cpus_online);
}

static void add_governors(struct str *text, const struct result *result)
{
	add_list(text, &of(result)->governors);
}

static void add_turbo(struct str *text, const struct result *result)
{
	add_switch(text, &of(result)->turbo);
}

/* 1 randomizes the stack, 2 also the heap. */
static void add_aslr(struct str *text, const struct result *result)
{
	const struct known_int *aslr = &of(result)->aslr;

	add_switch(text, aslr);
	if (aslr->known)
		str_addf(text, " (randomize_va_space %d)", aslr->value);
}

static void add_paranoid(struct str *text, const struct result *result)
{
	const struct known_int *paranoid = &of(result)->paranoid;

	if (paranoid->known)
		str_addf(text, "%d", paranoid->value);
}

static void add_folder(struct str *text, const struct result *result)
{
	add_text(text, of(result)->cwd);
}

static void add_pstat(struct str *text, const struct result *result)
{
	add_text(text, of(result)->pstat);
}

static void add_libpfm4(struct str *text, const struct result *result)
{
	add_text(text, of(result)->libpfm4);
}

const struct provenance_fact provenance_facts[] = {
	{ "Started", "start", false, add_started },
	{ "Host", "host", true, add_host },
	{ "Kernel", "kernel", true, add_kernel },
	{ "Architecture", "architecture", true, add_machine },
	{ "Processor", "processor", true, add_cpu },
	{ "CPUs online", "CPUs online", true, add_cpus },
	{ "Frequency governor", "frequency governor", true, add_governors },
	{ "Turbo", "turbo", true, add_turbo },
	{ "ASLR", "ASLR", true, add_aslr },
	/* the events already show what it forbids */
	{ "perf_event_paranoid", "perf_event_paranoid", false, add_paranoid },
	{ "Working directory", "working directory", false, add_folder },
	{ "pstat", "version of pstat", true, add_pstat },
	{ "libpfm4", "version of libpfm4", false, add_libpfm4 },
	{ .title = NULL },
};
