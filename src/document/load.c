/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "document/load_parts.h"
#include "document/schema.h"

enum { DOCUMENT_MAX = 1 << 29 }; /* bytes; 1,000 runs of 16 events on 128 CPUs are a fifth of it */

/* JSON allows no control characters except white space, not even in its strings. */
static bool has_control(const char *part, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)part[i] < ' ' && (!part[i] || !strchr("\t\r\n", part[i])))
			return true;
	return false;
}

/* Whether a text that begins like this can be an object or an array. */
static bool begins_as_json(const char *text)
{
	const char *start = text + strspn(text, " \t\r\n");

	return *start == '\0' || *start == '{' || *start == '[';
}

/* Read all of in, but stop if it cannot be JSON: a device may have no end. The parser then says
 * why. */
static int read_all(FILE *in, struct str *text)
{
	char part[16384];
	size_t n;

	while (!text->failed && (n = fread(part, 1, sizeof(part), in)) > 0) {
		if (text->len > DOCUMENT_MAX)
			return -EFBIG;
		str_add_n(text, part, n);
		if (has_control(part, n) || (text->len == n && !begins_as_json(text->text)))
			break;
	}
	if (ferror(in))
		return errno ? -errno : -EIO;
	return text->failed ? -ENOMEM : 0;
}

/* Whether the version is one that this file knows. */
static void check_version(const struct load_value *top, int known)
{
	const struct load_value version = load_member(top, "version");
	long long number = load_integer(version, 1, INT32_MAX);

	if (number > known)
		load_refuse(top, "made by a newer pstat: version %lld; this one reads version %d",
			    number, known);
}

static bool is_of_kind(const struct load_value *top, const char *kind)
{
	cleanup_free char *name = load_text_or_null(load_member(top, "schema"));

	return str_equal(name, kind);
}

void load_result(const struct load_value *top, struct document *document)
{
	static void (*const parts[])(const struct load_value *, struct document *) = {
		load_settings, load_events, load_groups,    load_metrics,
		load_rows,     load_runs,   load_intervals, load_provenance,
	};

	if (!is_of_kind(top, SCHEMA_NAME))
		load_refuse(top, "no document of pstat: its \"schema\" is not \"%s\"", SCHEMA_NAME);
	check_version(top, SCHEMA_VERSION);
	for (size_t i = 0; top->load->err == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
		parts[i](top, document);
}

static void load_either(const struct load_value *top, struct saved *saved)
{
	if (is_of_kind(top, SCHEMA_COMPARISON_NAME)) {
		check_version(top, SCHEMA_COMPARISON_VERSION);
		load_comparison(top, saved);
		return;
	}
	saved->documents = calloc(1, sizeof(*saved->documents));
	if (!saved->documents) {
		load_no_memory(top->load);
		return;
	}
	saved->n = 1;
	load_result(top, saved->documents);
}

int saved_load(struct saved *saved, FILE *in, struct why *why)
{
	cleanup_with(load_release) struct load load = { 0 };
	cleanup_str struct str text = { 0 };
	struct load_value top;
	int err = read_all(in, &text);

	*saved = (struct saved){ 0 };
	if (err == 0 && text.len == 0)
		err = why_set(why, -EINVAL, "it is empty");
	if (err == 0)
		err = load_begin(&load, text.text, text.len, &top, why);
	if (err == 0) {
		str_release(&text);
		load_either(&top, saved);
		err = load.err;
	}
	if (err < 0)
		saved_release(saved);
	return err;
}
