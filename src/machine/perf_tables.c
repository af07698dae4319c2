/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/perf_tables.h"

#ifndef PSTAT_DATADIR
#	define PSTAT_DATADIR "/usr/share/pstat"
#endif

/* ---- Files. */

#ifdef HAVE_JANSSON

enum { FILE_MAX = 64 << 20 }; /* bytes */

struct perf_file {
	struct perf_file *next;
	struct load load;
	struct load_value top;
};

static const char *perf_tables_text(const struct load_value *object, const char *key)
{
	return load_string_of(load_member(object, key));
}

static int perf_tables_add(struct perf_object **objects, size_t *n, size_t *size,
			   struct perf_object object)
{
	if (array_grow(objects, *n, size, sizeof(**objects)) < 0)
		return -ENOMEM;
	(*objects)[(*n)++] = object;
	return 0;
}

/* Objects of the same name are in the order of the files, then in that of their file. */
static int perf_tables_order(const void *left, const void *right)
{
	const struct perf_object *a = left, *b = right;
	const int order = strcasecmp(a->name, b->name);

	if (order != 0)
		return order;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->value.index > b->value.index) - (a->value.index < b->value.index);
}

static int perf_tables_take(struct perf_tables *t, const struct perf_file *file)
{
	int err = 0;

	for (struct load_value it = load_element(&file->top, 0); err == 0 && it.value;
	     load_next(&it)) {
		const char *metric = perf_tables_text(&it, "MetricName");
		const char *event = perf_tables_text(&it, "EventName");

		if (metric && perf_tables_text(&it, "MetricExpr"))
			err = perf_tables_add(&t->metrics, &t->metrics_n, &t->metrics_size,
					      (struct perf_object){ metric, it, t->files_n });
		if (err == 0 && event)
			err = perf_tables_add(&t->events, &t->events_n, &t->events_size,
					      (struct perf_object){ event, it, t->files_n });
	}
	/* qsort(3) needs an array */
	if (err == 0 && file->load.err == 0 && t->metrics_n > 0)
		qsort(t->metrics, t->metrics_n, sizeof(*t->metrics), perf_tables_order);
	if (err == 0 && file->load.err == 0 && t->events_n > 0)
		qsort(t->events, t->events_n, sizeof(*t->events), perf_tables_order);
	return err == 0 ? file->load.err : err;
}

static int perf_tables_parse(struct perf_tables *t, const struct str *text, struct why *why)
{
	struct perf_file *file = calloc(1, sizeof(*file));
	int err;

	if (!file)
		return -ENOMEM;
	file->next = t->files;
	t->files = file;
	t->files_n++;
	err = load_begin(&file->load, str_text(text), text->len, &file->top, why);
	if (err == 0)
		err = perf_tables_take(t, file);
	file->load.why = NULL;
	return err;
}

int perf_tables_read(struct perf_tables *t, const char *path, struct why *why)
{
	cleanup_str struct str text = { 0 };
	cleanup_why struct why trouble = { 0 };
	const size_t metrics_n = t->metrics_n, events_n = t->events_n;
	FILE *in = fopen(path, "re");
	int err = in ? str_add_stream(&text, in, FILE_MAX) : -errno;

	if (in)
		fclose(in);
	if (err == 0)
		err = perf_tables_parse(t, &text, &trouble);
	if (err < 0) { /* the objects of this file are not sorted */
		t->metrics_n = metrics_n;
		t->events_n = events_n;
	}
	return err < 0 ? why_set(why, err, "%s: %s", path, why_text(&trouble, err)) : 0;
}

void perf_tables_release(struct perf_tables *t)
{
	while (t->files) {
		struct perf_file *file = t->files;

		t->files = file->next;
		load_release(&file->load);
		free(file);
	}
	free(t->metrics);
	free(t->events);
	free(t->trouble);
	*t = (struct perf_tables){ 0 };
}

#else

int perf_tables_read(struct perf_tables *t, const char *path, struct why *why)
{
	return why_set(why, -ENOSYS,
		       "%s: this pstat was built without jansson, which it needs to read JSON",
		       path);
}

void perf_tables_release(struct perf_tables *t)
{
}

static const char *perf_tables_text(const struct load_value *object, const char *key)
{
	return NULL;
}

#endif

/* ---- Objects. */

const struct perf_object *perf_tables_find(const struct perf_object *objects, size_t n,
					   const char *name)
{
	size_t low = 0, high = n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcasecmp(objects[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && strcasecmp(objects[low].name, name) == 0 ? &objects[low] : NULL;
}

const char *perf_tables_member(const struct perf_tables *t, const struct perf_object *object,
			       const char *key)
{
	const char *text = perf_tables_text(&object->value, key);
	const char *standard = text ? NULL : perf_tables_text(&object->value, "ArchStdEvent");
	const struct perf_object *other =
		standard ? perf_tables_find(t->events, t->events_n, standard) : NULL;

	return other && other != object ? perf_tables_text(&other->value, key) : text;
}

/* The first number of a list such as "0xB7,0xBB". 0: there is none. */
static uint64_t perf_tables_number(const char *text)
{
	uint64_t number = 0;

	if (text)
		num_parse(text, strcspn(text, ", "), &number);
	return number;
}

/* Intel's events that a counter of their own can count. Their tables have the numbers of that
 * counter, which the kernel does not take for an event (tools/perf/pmu-events/jevents.py). */
static const struct {
	const char *name, *terms;
} perf_fixed[] = {
	{ "inst_retired.any", "event=0xc0" },
	{ "cpu_clk_unhalted.thread", "event=0x3c" },
	{ "cpu_clk_unhalted.core", "event=0x3c" },
	{ "cpu_clk_unhalted.thread_any", "event=0x3c,any=1" },
	{ "cpu_clk_unhalted.ref", "event=0x0,umask=0x03" },
	{ "cpu_clk_unhalted.ref_tsc", "event=0x0,umask=0x03" },
};

const char *perf_tables_fixed(const char *name)
{
	for (size_t i = 0; i < sizeof(perf_fixed) / sizeof(perf_fixed[0]); i++)
		if (strcasecmp(name, perf_fixed[i].name) == 0)
			return perf_fixed[i].terms;
	return NULL;
}

static const struct {
	const char *key, *term;
} perf_terms[] = {
	{ "AnyThread", "any" },
	{ "PortMask", "ch_mask" },
	{ "CounterMask", "cmask" },
	{ "EdgeDetect", "edge" },
	{ "FCMask", "fc_mask" },
	{ "Invert", "inv" },
	{ "UMask", "umask" },
	{ "NodeType", "type" },
	{ "RdWrMask", "rdwrmask" },
	{ "EnAllCores", "enallcores" },
	{ "EnAllSlices", "enallslices" },
	{ "SliceId", "sliceid" },
	{ "ThreadMask", "threadmask" },
};

/* The term for the MSR that further selects an event. NULL: there is none. */
static const char *perf_msr_term(uint64_t msr)
{
	switch (msr) {
	case 0x1a6:
	case 0x1a7:
		return "offcore_rsp";
	case 0x3f6:
		return "ldlat";
	case 0x3f7:
		return "frontend";
	default:
		return NULL;
	}
}

void perf_tables_add_terms(struct str *out, const struct perf_tables *t,
			   const struct perf_object *event)
{
	const char *config = perf_tables_member(t, event, "ConfigCode");
	const char *id = perf_tables_member(t, event, "EventidCode");
	const char *filter = perf_tables_member(t, event, "Filter");
	const char *msr =
		perf_msr_term(perf_tables_number(perf_tables_member(t, event, "MSRIndex")));

	if (perf_tables_fixed(event->name)) {
		str_add(out, perf_tables_fixed(event->name));
		return;
	}
	if (config || id)
		str_addf(out, "%s=%s", config ? "config" : "eventid", config ? config : id);
	else
		str_addf(out, "event=0x%llx",
			 (unsigned long long)(perf_tables_number(
						      perf_tables_member(t, event, "EventCode")) |
					      perf_tables_number(
						      perf_tables_member(t, event, "ExtSel"))
						      << 8));
	for (size_t i = 0; i < sizeof(perf_terms) / sizeof(perf_terms[0]); i++) {
		const uint64_t number =
			perf_tables_number(perf_tables_member(t, event, perf_terms[i].key));

		if (number > 0)
			str_addf(out, ",%s=0x%llx", perf_terms[i].term, (unsigned long long)number);
	}
	if (filter && filter[0])
		str_addf(out, ",%s", filter);
	if (msr)
		str_addf(out, ",%s=0x%llx", msr,
			 (unsigned long long)perf_tables_number(
				 perf_tables_member(t, event, "MSRValue")));
}

char *perf_tables_pmu(const struct perf_tables *t, const struct perf_object *object)
{
	static const struct {
		const char *unit, *pmu;
	} pmus[] = {
		{ "CBO", "uncore_cbox" },   { "QPI LL", "uncore_qpi" }, { "SBO", "uncore_sbox" },
		{ "iMPH-U", "uncore_arb" }, { "UPI LL", "uncore_upi" }, { "L3PMC", "amd_l3" },
		{ "DFPMC", "amd_df" },	    { "UMCPMC", "amd_umc" },	{ "cpu_core", "cpu_core" },
		{ "cpu_atom", "cpu_atom" },
	};
	const char *unit = perf_tables_member(t, object, "Unit");
	cleanup_str struct str pmu = { 0 };

	if (!unit)
		return NULL;
	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++)
		if (strcmp(unit, pmus[i].unit) == 0)
			return strdup(pmus[i].pmu);
	str_addf(&pmu, "uncore_%s", unit);
	for (char *p = pmu.text; p && *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p += 'a' - 'A';
	return pmu.failed ? NULL : take_ptr(pmu.text);
}

int perf_tables_complete(struct perf_tables *t, const char *cpu, struct why *why)
{
	static const char *const folders[] = { PSTAT_DATADIR, "/usr/share/pstat" };
	const char *stepping = strrchr(cpu, '-');
	const size_t lengths[] = { strlen(cpu), stepping ? (size_t)(stepping - cpu) : 0 };

	if (t->complete)
		return 0;
	t->complete = true;
	for (size_t k = 0; k < 2 && lengths[k] > 0; k++)
		for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
			cleanup_free char *path = NULL;

			if (asprintf(&path, "%s/metrics/%.*s.json", folders[i], (int)lengths[k],
				     cpu) < 0)
				return -ENOMEM;
			if (access(path, F_OK) == 0)
				return perf_tables_read(t, path, why);
		}
	return 0;
}
