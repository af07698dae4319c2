/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include "event/attr_fields.h"
#include "result/comparison.h"
#include "result/provenance.h"

void provenance_release(struct provenance *p)
{
	char *const texts[] = { p->pstat,   p->libpfm4,	  p->cwd,	  p->host, p->kernel,
				p->machine, p->cpu_model, p->cpus_online, p->job };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(texts[i]);
	str_list_release(&p->argv);
	str_list_release(&p->pmus);
	str_list_release(&p->governors);
	*p = (struct provenance){ 0 };
}

#define AT(member) offsetof(struct provenance, member)

const struct provenance_fact provenance_facts[] = {
	{ "Started", "start", false, FACT_STARTED, 0 },
	{ "Host", "host", true, FACT_TEXT, AT(host) },
	{ "Kernel", "kernel", true, FACT_TEXT, AT(kernel) },
	{ "Architecture", "architecture", true, FACT_TEXT, AT(machine) },
	{ "Processor", "processor", true, FACT_TEXT, AT(cpu_model) },
	{ "CPUs online", "CPUs online", true, FACT_TEXT, AT(cpus_online) },
	{ "Frequency governor", "frequency governor", true, FACT_LIST, AT(governors) },
	{ "Turbo", "turbo", true, FACT_SWITCH, AT(turbo) },
	{ "ASLR", "ASLR", true, FACT_ASLR, AT(aslr) },
	/* the events already show what it forbids */
	{ "perf_event_paranoid", "perf_event_paranoid", false, FACT_NUMBER, AT(paranoid) },
	{ "Working directory", "working directory", false, FACT_TEXT, AT(cwd) },
	{ "pstat", "version of pstat", true, FACT_TEXT, AT(pstat) },
	{ "libpfm4", "version of libpfm4", false, FACT_TEXT, AT(libpfm4) },
	{ .title = NULL },
};

static void add_known(struct str *text, enum provenance_fact_kind kind,
		      const struct known_int *known)
{
	if (!known->known)
		return;
	if (kind == FACT_NUMBER)
		str_addf(text, "%d", known->value);
	else
		str_add(text, known->value ? "on" : "off");
	if (kind == FACT_ASLR) /* 1 randomizes the stack, 2 also the heap */
		str_addf(text, " (randomize_va_space %d)", known->value);
}

void provenance_add_fact(struct str *text, const struct provenance_fact *fact,
			 const struct table *table)
{
	const struct series *series = table->series;
	const struct provenance *p = series->provenance;
	const struct str_list *list;
	const void *at;

	if (!p)
		return;
	at = (const char *)p + fact->offset;
	list = at;
	switch (fact->kind) {
	case FACT_STARTED:
		clock_add_date(text, " ", " ", series->started, p->zone_s);
		break;
	case FACT_TEXT:
		if (*(char *const *)at)
			str_add(text, *(char *const *)at);
		break;
	case FACT_LIST:
		for (size_t i = 0; i < list->n; i++)
			str_addf(text, "%s%s", i ? ", " : "", list->v[i]);
		break;
	case FACT_SWITCH:
	case FACT_ASLR:
	case FACT_NUMBER:
		add_known(text, fact->kind, at);
		break;
	}
}
