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
	size_t number; /* in the order of reading */
	char *path; /* owned */
	struct str text;
	/* owned: the names and groups of its objects, each with a null byte at its end */
	char *names;
	size_t names_n; /* bytes */
};

struct perf_json {
	struct load load;
	struct load_value top;
	int err; /* why it is not valid; 0: it is */
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
		return a->file->number < b->file->number ? -1 : 1;
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
	struct perf_word {
		const char *text; /* NULL: it does not have the member */
		size_t n;
	} metric, event, groups;
};

/* Note the member of the object whose key begins at p. Returns the end of its value if that is a
 * string, or else of the key. NULL: a string does not end. */
static const char *perf_tables_skip_member(const char *p, struct perf_found *found)
{
	const struct {
		const char *key;
		struct perf_word *word;
	} members[] = {
		{ "\"MetricName\"", &found->metric },
		{ "\"EventName\"", &found->event },
		{ "\"MetricGroup\"", &found->groups },
	};
	const char *key_end = perf_tables_skip_string(p), *value, *end;

	if (!key_end)
		return NULL;
	value = perf_tables_skip_blanks(key_end);
	if (*value != ':')
		return key_end;
	value = perf_tables_skip_blanks(value + 1);
	if (*value != '"')
		return key_end;
	end = perf_tables_skip_string(value);
	for (size_t i = 0; end && i < sizeof(members) / sizeof(members[0]); i++)
		if (strncmp(p, members[i].key, strlen(members[i].key)) == 0)
			*members[i].word =
				(struct perf_word){ value + 1, (size_t)(end - value) - 2 };
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

/* A copy of a word, which belongs to the file. NULL: it is missing, empty, or not a name. A name in
 * a table has no escape and no control character. */
static const char *perf_tables_keep_word(struct perf_file *file, const struct perf_word *word)
{
	char *kept = file->names + file->names_n;

	for (size_t i = 0; word->text && i < word->n; i++)
		if (word->text[i] == '\\' || (unsigned char)word->text[i] < ' ')
			return NULL;
	if (!word->text || word->n == 0)
		return NULL;
	memcpy(kept, word->text, word->n);
	kept[word->n] = '\0';
	file->names_n += word->n + 1;
	return kept;
}

static int perf_tables_keep(struct perf_tables *t, struct perf_file *file,
			    struct perf_object object, const struct perf_found *found)
{
	int err = 0;

	object.file = file;
	object.given = !t->complete;
	object.name = perf_tables_keep_word(file, &found->metric);
	object.groups = object.name ? perf_tables_keep_word(file, &found->groups) : NULL;
	if (object.name)
		err = perf_tables_add(&t->metrics, &t->metrics_n, &t->metrics_size, &object);
	object.name = err == 0 ? perf_tables_keep_word(file, &found->event) : NULL;
	object.groups = NULL;
	if (object.name)
		err = perf_tables_add(&t->events, &t->events_n, &t->events_size, &object);
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
	if (err == 0 && *p == ']')
		p = perf_tables_skip_blanks(p + 1);
	return err == 0 && p != file->text.text + file->text.len ? -EINVAL : err;
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

/* Load the library that parses objects later. */
static int perf_tables_load_library(struct why *why)
{
	cleanup_with(load_release) struct load load = { 0 };
	struct load_value top;

	return load_begin(&load, "[]", strlen("[]"), &top, why);
}

static int perf_tables_take(struct perf_tables *t, FILE *in, const char *path, struct why *why)
{
	struct perf_file *file = calloc(1, sizeof(*file));
	int err = perf_tables_load_library(why);

	if (!file)
		return -ENOMEM;
	file->next = t->files;
	t->files = file;
	file->number = t->files_n++;
	file->path = strdup(path);
	if (err == 0)
		err = str_add_stream(&file->text, in, FILE_MAX);
	/* words are shorter than their text */
	file->names = err == 0 ? malloc(file->text.len + 1) : NULL;
	if (err == 0 && (!file->names || !file->path))
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
	int err = in ? perf_tables_take(t, in, path, &trouble) : -errno;

	if (in)
		fclose(in);
	if (err == 0 && !t->complete && t->metrics_n == metrics_n && t->events_n == events_n)
		err = why_set(&trouble, -EINVAL, "no object has a MetricName or an EventName");
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
		free(file->path);
		free(file->names);
		free(file);
	}
	free(t->trouble);
	*t = (struct perf_tables){ 0 };
}

/* ---- Objects. */

/* The number of the line on which the object begins. */
static size_t perf_tables_line(const struct perf_object *object)
{
	size_t line = 1;

	for (const char *p = object->file->text.text; p < object->text; p++)
		line += *p == '\n';
	return line;
}

/* Parse the object unless it is parsed. 0; -EINVAL with why; -ENOMEM. */
static int perf_tables_load(const struct perf_object *object, struct why *why)
{
	struct perf_object *o = (struct perf_object *)(uintptr_t)object;
	cleanup_why struct why trouble = { 0 };

	if (o->json && o->json->err == 0)
		return 0;
	if (!o->json)
		o->json = calloc(1, sizeof(*o->json));
	if (!o->json)
		return -ENOMEM;
	o->json->err = load_begin(&o->json->load, o->text, o->n, &o->json->top, &trouble);
	o->json->load.why = NULL;
	if (o->json->err == 0 || o->json->err == -ENOMEM)
		return o->json->err;
	return why_set(why, o->json->err, "%s: '%s', from line %zu on: %s", o->file->path, o->name,
		       perf_tables_line(o), why_text(&trouble, o->json->err));
}

/* A member of the object itself. NULL: there is none, or the object is not valid. */
static const char *perf_tables_text(const struct perf_object *object, const char *key)
{
	cleanup_why struct why ignored = { 0 };

	return perf_tables_load(object, &ignored) == 0 ?
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
	free(t->trouble);
}

/* ---- Objects. */

static int perf_tables_load(const struct perf_object *object, struct why *why)
{
	return -ENOSYS;
}

static const char *perf_tables_text(const struct perf_object *object, const char *key)
{
	return NULL;
}

#endif

/* The position of the first object of this name, or where it would be. */
static size_t perf_tables_search(const struct perf_object *objects, size_t n, const char *name)
{
	size_t low = 0, high = n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcasecmp(objects[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool perf_tables_is_named(const struct perf_object *objects, size_t n, size_t i,
				 const char *name)
{
	return i < n && strcasecmp(objects[i].name, name) == 0;
}

/* The event that an ArchStdEvent names: not the object that has it. NULL: there is none. */
static const struct perf_object *perf_tables_standard(const struct perf_tables *t,
						      const struct perf_object *object,
						      const char *name)
{
	for (size_t i = perf_tables_search(t->events, t->events_n, name);
	     perf_tables_is_named(t->events, t->events_n, i, name); i++)
		if (t->events[i].text != object->text)
			return &t->events[i];
	return NULL;
}

int perf_tables_check(const struct perf_tables *t, const struct perf_object *object,
		      struct why *why)
{
	const char *name;
	const struct perf_object *standard;
	int err = perf_tables_load(object, why);

	if (err < 0)
		return err;
	name = perf_tables_text(object, "ArchStdEvent");
	standard = name ? perf_tables_standard(t, object, name) : NULL;
	if (name && !standard)
		return why_set(why, -EINVAL, "'%s' has the ArchStdEvent '%s', which no table has",
			       object->name, name);
	return standard ? perf_tables_load(standard, why) : 0;
}

/* The first object of the name; all of them are valid. NULL: there is none, or with why. */
static const struct perf_object *perf_tables_find(const struct perf_tables *t,
						  const struct perf_object *objects, size_t n,
						  const char *name, struct why *why)
{
	const size_t first = perf_tables_search(objects, n, name);

	for (size_t i = first; perf_tables_is_named(objects, n, i, name); i++)
		if (perf_tables_check(t, &objects[i], why) < 0)
			return NULL;
	return perf_tables_is_named(objects, n, first, name) ? &objects[first] : NULL;
}

const struct perf_object *perf_tables_find_event(const struct perf_tables *t, const char *name,
						 struct why *why)
{
	return perf_tables_find(t, t->events, t->events_n, name, why);
}

const struct perf_object *perf_tables_find_metric(const struct perf_tables *t, const char *name,
						  struct why *why)
{
	return perf_tables_find(t, t->metrics, t->metrics_n, name, why);
}

size_t perf_tables_next_name(const char **list, const char **name)
{
	size_t n;

	*list = *list ? *list + strspn(*list, "; ") : "";
	*name = *list;
	n = strcspn(*list, ";");
	*list += n;
	while (n > 0 && (*name)[n - 1] == ' ')
		n--;
	return n;
}

bool perf_tables_has_name(const char *list, const char *name)
{
	const char *known;

	for (size_t n; (n = perf_tables_next_name(&list, &known)) > 0;)
		if (strlen(name) == n && strncasecmp(known, name, n) == 0)
			return true;
	return false;
}

bool perf_tables_gives_metric(const struct perf_tables *t, const char *name)
{
	for (size_t i = perf_tables_search(t->metrics, t->metrics_n, name);
	     perf_tables_is_named(t->metrics, t->metrics_n, i, name); i++)
		if (t->metrics[i].given && strcmp(t->metrics[i].name, name) == 0)
			return true;
	return false;
}

const char *perf_tables_member(const struct perf_tables *t, const struct perf_object *object,
			       const char *key)
{
	const char *text = perf_tables_text(object, key);
	const char *name = text ? NULL : perf_tables_text(object, "ArchStdEvent");
	const struct perf_object *standard = name ? perf_tables_standard(t, object, name) : NULL;

	return standard ? perf_tables_text(standard, key) : text;
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
static const char *perf_tables_msr_term(uint64_t msr)
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
		perf_tables_msr_term(perf_tables_number(perf_tables_member(t, event, "MSRIndex")));

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

int perf_tables_pmu(const struct perf_tables *t, const struct perf_object *object, char **pmu)
{
	static const struct {
		const char *unit, *pmu;
	} pmus[] = {
		{ "CBO", "uncore_cbox" },
		{ "QPI LL", "uncore_qpi" },
		{ "SBO", "uncore_sbox" },
		{ "iMPH-U", "uncore_arb" },
		{ "UPI LL", "uncore_upi" },
		{ "L3PMC", "amd_l3" },
		{ "DFPMC", "amd_df" },
		{ "UMCPMC", "amd_umc" },
		{ "cpu_core", "cpu_core" },
		{ "cpu_atom", "cpu_atom" },
		{ "cpu_lowpower", "cpu_lowpower" },
		{ "CPU-M-CF", "cpum_cf" },
		{ "CPU-M-SF", "cpum_sf" },
		{ "PAI-CRYPTO", "pai_crypto" },
		{ "PAI-EXT", "pai_ext" },
		{ "ali_drw", "ali_drw_*" },
		{ "arm_cmn", "arm_cmn" },
		{ "hisi_sccl,ddrc", "hisi_sccl*_ddrc*" },
		{ "hisi_sccl,hha", "hisi_sccl*_hha*" },
		{ "hisi_sccl,l3c", "hisi_sccl*_l3c*" },
		{ "hisi_sicl,cpa", "hisi_sicl*_cpa*" },
		{ "imx8_ddr", "imx8_ddr" },
		{ "imx9_ddr", "imx9_ddr" },
	};
	const char *unit = perf_tables_member(t, object, "Unit");
	cleanup_str struct str name = { 0 };

	*pmu = NULL;
	if (!unit)
		return 0;
	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]) && name.len == 0; i++)
		if (strcmp(unit, pmus[i].unit) == 0)
			str_add(&name, pmus[i].pmu);
	if (name.len == 0) {
		str_addf(&name, "uncore_%s", unit);
		for (char *p = name.text; p && *p; p++)
			if (*p >= 'A' && *p <= 'Z')
				*p += 'a' - 'A';
	}
	if (name.failed)
		return -ENOMEM;
	*pmu = take_ptr(name.text);
	return 0;
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
