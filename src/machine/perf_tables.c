/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json_load.h"
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
	struct str text;
	char *names; /* owned: the names of its objects, each with a null byte at its end */
	size_t names_n; /* bytes */
};

struct perf_json {
	struct load load;
	struct load_value top;
};

static int perf_tables_add(struct perf_object **objects, size_t *n, size_t *size,
			   const struct perf_object *object)
{
	if (array_grow(objects, *n, size, sizeof(**objects)) < 0)
		return -ENOMEM;
	(*objects)[(*n)++] = *object;
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
	return (a->text > b->text) - (a->text < b->text);
}

static const char *perf_tables_skip_blanks(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* The end of the string that begins with the quote at p. NULL: it does not end. */
static const char *perf_tables_skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : NULL;
}

/* The strings that are looked for in an object, without their quotes. */
struct perf_found {
	const char *metric, *event, *expression; /* NULL: it does not have the member */
	size_t metric_n, event_n;
};

/* Note the member of the object whose key begins at p. Returns the end of its value if that is a
 * string, or else of the key. NULL: a string does not end. */
static const char *perf_tables_skip_member(const char *p, struct perf_found *found)
{
	const char *key_end = perf_tables_skip_string(p), *value, *end;
	size_t n;

	if (!key_end)
		return NULL;
	value = perf_tables_skip_blanks(key_end);
	if (*value != ':')
		return key_end;
	value = perf_tables_skip_blanks(value + 1);
	if (*value != '"')
		return key_end;
	end = perf_tables_skip_string(value);
	n = end ? (size_t)(end - value) - 2 : 0;
	if (strncmp(p, "\"MetricName\"", strlen("\"MetricName\"")) == 0) {
		found->metric = value + 1;
		found->metric_n = n;
	} else if (strncmp(p, "\"EventName\"", strlen("\"EventName\"")) == 0) {
		found->event = value + 1;
		found->event_n = n;
	} else if (strncmp(p, "\"MetricExpr\"", strlen("\"MetricExpr\"")) == 0) {
		found->expression = value + 1;
	}
	return end;
}

/* The end of the object that begins at p. NULL: it does not end. */
static const char *perf_tables_skip_object(const char *p, struct perf_found *found)
{
	size_t depth = 0;

	*found = (struct perf_found){ 0 };
	while (p && *p) {
		if (*p == '"') {
			p = depth == 1 ? perf_tables_skip_member(p, found) :
					 perf_tables_skip_string(p);
			continue;
		}
		depth += *p == '{' || *p == '[';
		depth -= *p == '}' || *p == ']';
		p++;
		if (depth == 0)
			return p;
	}
	return NULL;
}

/* A copy of a name, which belongs to the file. */
static const char *perf_tables_keep_name(struct perf_file *file, const char *name, size_t n)
{
	char *kept = file->names + file->names_n;

	memcpy(kept, name, n);
	kept[n] = '\0';
	file->names_n += n + 1;
	return kept;
}

static int perf_tables_keep(struct perf_tables *t, struct perf_file *file,
			    struct perf_object object, const struct perf_found *found)
{
	int err = 0;

	object.file = t->files_n;
	if (found->metric && found->expression) {
		object.name = perf_tables_keep_name(file, found->metric, found->metric_n);
		err = perf_tables_add(&t->metrics, &t->metrics_n, &t->metrics_size, &object);
	}
	if (err == 0 && found->event) {
		object.name = perf_tables_keep_name(file, found->event, found->event_n);
		err = perf_tables_add(&t->events, &t->events_n, &t->events_size, &object);
	}
	return err;
}

/* Find the objects of a file. 0; -ENOMEM; -EINVAL: it is not an array of objects. */
static int perf_tables_split(struct perf_tables *t, struct perf_file *file)
{
	const char *p = perf_tables_skip_blanks(str_text(&file->text));
	struct perf_found found;
	int err = 0;

	if (*p++ != '[')
		return -EINVAL;
	for (bool more = *perf_tables_skip_blanks(p) != ']'; err == 0 && more;) {
		const char *begin = perf_tables_skip_blanks(p);

		p = *begin == '{' ? perf_tables_skip_object(begin, &found) : NULL;
		if (!p)
			return -EINVAL;
		err = perf_tables_keep(
			t, file, (struct perf_object){ .text = begin, .n = (size_t)(p - begin) },
			&found);
		p = perf_tables_skip_blanks(p);
		more = *p == ',';
		p += more;
	}
	p = perf_tables_skip_blanks(p);
	if (err == 0 && (*p != ']' || *perf_tables_skip_blanks(p + 1)))
		return -EINVAL;
	return err;
}

/* Why the text is not an array of objects. Returns -EINVAL or another -errno with why. */
static int perf_tables_refuse(const struct str *text, struct why *why)
{
	cleanup_with(load_release) struct load load = { 0 };
	struct load_value top;
	int err = load_begin(&load, str_text(text), text->len, &top, why);

	for (struct load_value it = err == 0 ? load_element(&top, 0) : top; err == 0 && it.value;
	     load_next(&it))
		load_member(&it, "");
	return err < 0 ? err : load.err < 0 ? load.err : why_set(why, -EINVAL, "not valid JSON");
}

static int perf_tables_take(struct perf_tables *t, FILE *in, struct why *why)
{
	struct perf_file *file = calloc(1, sizeof(*file));
	int err;

	if (!file)
		return -ENOMEM;
	file->next = t->files;
	t->files = file;
	t->files_n++;
	err = str_add_stream(&file->text, in, FILE_MAX);
	file->names = err == 0 ? malloc(file->text.len + 1) : NULL;
	if (err == 0 && !file->names)
		err = -ENOMEM;
	if (err == 0)
		err = perf_tables_split(t, file);
	return err == -EINVAL ? perf_tables_refuse(&file->text, why) : err;
}

int perf_tables_read(struct perf_tables *t, const char *path, struct why *why)
{
	cleanup_why struct why trouble = { 0 };
	const size_t metrics_n = t->metrics_n, events_n = t->events_n;
	FILE *in = fopen(path, "re");
	int err = in ? perf_tables_take(t, in, &trouble) : -errno;

	if (in)
		fclose(in);
	if (err < 0) { /* drop the objects of this file that precede the error */
		t->metrics_n = metrics_n;
		t->events_n = events_n;
		return why_set(why, err, "%s: %s", path, why_text(&trouble, err));
	}
	/* qsort(3) needs an array */
	if (t->metrics_n > 0)
		qsort(t->metrics, t->metrics_n, sizeof(*t->metrics), perf_tables_order);
	if (t->events_n > 0)
		qsort(t->events, t->events_n, sizeof(*t->events), perf_tables_order);
	return 0;
}

static void perf_tables_release_objects(struct perf_object *objects, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!objects[i].json)
			continue;
		load_release(&objects[i].json->load);
		free(objects[i].json);
	}
	free(objects);
}

void perf_tables_release(struct perf_tables *t)
{
	perf_tables_release_objects(t->metrics, t->metrics_n);
	perf_tables_release_objects(t->events, t->events_n);
	while (t->files) {
		struct perf_file *file = t->files;

		t->files = file->next;
		str_release(&file->text);
		free(file->names);
		free(file);
	}
	free(t->trouble);
	*t = (struct perf_tables){ 0 };
}

/* ---- Objects. */

int perf_tables_parse(struct perf_tables *t, const struct perf_object *object)
{
	struct perf_object *o = (struct perf_object *)(uintptr_t)object;
	cleanup_why struct why why = { 0 };
	int err;

	if (o->json)
		return o->json->top.value ? 0 : -EINVAL;
	o->json = calloc(1, sizeof(*o->json));
	if (!o->json)
		return -ENOMEM;
	err = load_begin(&o->json->load, o->text, o->n, &o->json->top, &why);
	o->json->load.why = NULL;
	if (err < 0 && !t->trouble &&
	    asprintf(&t->trouble, "object '%s' of a table (positions count from its '{'): %s",
		     o->name, why_text(&why, err)) < 0)
		t->trouble = NULL;
	return err;
}

static const char *perf_tables_text(struct perf_tables *t, const struct perf_object *object,
				    const char *key)
{
	return perf_tables_parse(t, object) == 0 ?
		       load_string_of(load_member(&object->json->top, key)) :
		       NULL;
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

/* ---- Objects. */

int perf_tables_parse(struct perf_tables *t, const struct perf_object *object)
{
	return -ENOSYS;
}

static const char *perf_tables_text(struct perf_tables *t, const struct perf_object *object,
				    const char *key)
{
	return NULL;
}

#endif

static const struct perf_object *perf_tables_find(struct perf_tables *t,
						  const struct perf_object *objects, size_t n,
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
	for (size_t i = low; i < n && strcasecmp(objects[i].name, name) == 0; i++)
		if (perf_tables_parse(t, &objects[i]) < 0)
			return NULL;
	return low < n && strcasecmp(objects[low].name, name) == 0 ? &objects[low] : NULL;
}

const struct perf_object *perf_tables_find_event(struct perf_tables *t, const char *name)
{
	return perf_tables_find(t, t->events, t->events_n, name);
}

const struct perf_object *perf_tables_find_metric(struct perf_tables *t, const char *name)
{
	return perf_tables_find(t, t->metrics, t->metrics_n, name);
}

const char *perf_tables_member(struct perf_tables *t, const struct perf_object *object,
			       const char *key)
{
	const char *text = perf_tables_text(t, object, key);
	const char *standard = text ? NULL : perf_tables_text(t, object, "ArchStdEvent");
	const struct perf_object *other = standard ? perf_tables_find_event(t, standard) : NULL;

	return other && other != object ? perf_tables_text(t, other, key) : text;
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

void perf_tables_add_terms(struct str *out, struct perf_tables *t, const struct perf_object *event)
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

char *perf_tables_pmu(struct perf_tables *t, const struct perf_object *object)
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
