/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files *.schema.json describe the fields of the tables in document/schema.c, and no others. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/load.c" /* for its values of a JSON text */

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "document/schema.h"
#include "unit/test.h"

static size_t (*object_size)(const struct json_t *); /* json_object_size() of jansson */

/* ---- The schema file. */

static struct str read_schema(const char *name)
{
	cleanup_str struct str path = { 0 };
	struct str text = { 0 };
	char part[4096];
	size_t n;
	FILE *in;

	if (!getenv("TOP_SRCDIR"))
		fail_msg("TOP_SRCDIR is not set: run the tests by make check");
	str_addf(&path, "%s/src/document/%s", getenv("TOP_SRCDIR"), name);
	in = fopen(str_text(&path), "r");
	assert_non_null(in);
	while ((n = fread(part, 1, sizeof(part), in)) > 0)
		str_add_n(&text, part, n);
	fclose(in);
	return text;
}

/* ---- One field. */

/* What the schema has for a kind of field: "type", a word or two of them, or "$ref". */
static const struct {
	const char *type; /* NULL: not compared */
	const char *ref;
} kinds[] = {
	[SCHEMA_BOOL] = { "boolean", "" },	 [SCHEMA_SCALING] = { "boolean", "" },
	[SCHEMA_SIZE] = { "integer", "size" },	 [SCHEMA_UINT] = { "integer", "size" },
	[SCHEMA_UNSIGNED] = { "", "unsigned" },	 [SCHEMA_NUMBER] = { "number", "" },
	[SCHEMA_STRING] = { "string", "" },	 [SCHEMA_TEXT] = { "", "text" },
	[SCHEMA_STRINGS] = { "array", "" },	 [SCHEMA_TEXTS] = { "array", "" },
	[SCHEMA_WORD] = { "string", "" },	 [SCHEMA_KNOWN_INT] = { "integer", "" },
	[SCHEMA_KNOWN_BOOL] = { "boolean", "" }, [SCHEMA_ATTR] = { NULL, NULL },
	[SCHEMA_PLACE] = { "integer", "size" },	 [SCHEMA_OTHER] = { NULL, NULL },
};

static void check_type(const struct load_value *property, const struct schema_field *field)
{
	const struct load_value type = load_member(property, "type");
	bool nullable = field->presence == SCHEMA_NULLABLE;
	cleanup_free char *name = NULL, *null = NULL;
	struct load_value first = type;

	if (nullable) { /* ["string", "null"] */
		assert_int_equal(load_length(type), 2);
		null = load_string(load_element(&type, 1));
		assert_string_equal(null, "null");
		first = load_element(&type, 0);
		first.parent = NULL;
	}
	name = load_string(first);
	if (!name || strcmp(name, kinds[field->kind].type) != 0)
		fail_msg("%s has the type %s", field->key, name ? name : "(none)");
}

static void check_ref(const struct load_value *property, const struct schema_field *field)
{
	cleanup_free char *ref = load_string(load_member(property, "$ref"));
	cleanup_str struct str expected = { 0 };

	str_addf(&expected, "#/$defs/%s%s", kinds[field->kind].ref,
		 field->presence == SCHEMA_NULLABLE ? "_or_null" : "");
	assert_non_null(ref);
	if (strcmp(ref, str_text(&expected)) != 0)
		fail_msg("%s is %s, not %s", field->key, ref, str_text(&expected));
}

static void check_words(const struct load_value *property, const struct schema_field *field)
{
	const struct load_value words = load_member(property, "enum");

	assert_int_equal(load_length(words), field->words_n);
	for (size_t i = 0; i < field->words_n; i++) {
		cleanup_free char *word = load_string(load_element(&words, i));

		assert_non_null(word);
		assert_string_equal(word, field->words[i]);
	}
}

/* An integer without limits in the schema has the limits of int. */
static void check_range(const struct load_value *property, const struct schema_field *field)
{
	const struct load_value low = load_member(property, "minimum");
	const struct load_value high = load_member(property, "maximum");

	assert_int_equal(load_is_there(low), field->low > INT_MIN);
	assert_int_equal(load_is_there(high), field->high < INT_MAX);
	if (load_is_there(low))
		assert_double(load_number(low, INT_MIN, INT_MAX), field->low);
	if (load_is_there(high))
		assert_double(load_number(high, INT_MIN, INT_MAX), field->high);
}

static void check_property(const struct load_value *property, const struct schema_field *field)
{
	if (!property->value)
		fail_msg("the schema lacks %s", field->key);
	if (!kinds[field->kind].type)
		return;
	if (load_is_there(load_member(property, "enum")))
		check_words(property, field);
	else if (load_is_there(load_member(property, "$ref")))
		check_ref(property, field);
	else
		check_type(property, field);
	if (field->kind == SCHEMA_KNOWN_INT)
		check_range(property, field);
}

/* ---- The tables. */

/* The object of the schema at a path such as "settings" or "events/opening". Arrays stand for their
 * elements. */
static struct load_value object_at(struct load_value *values, const struct load_value *top,
				   const char *path)
{
	cleanup_free char *words = strdup(path);
	char *rest = words;

	assert_non_null(words);
	*values = *top;
	for (const char *word = strsep(&rest, "/"); *path && word; word = strsep(&rest, "/")) {
		values[1] = load_member(&values[0], "properties");
		values[2] = load_member(&values[1], word);
		values += 2;
		if (load_is_there(load_member(values, "items"))) {
			values[1] = load_member(values, "items");
			values++;
		}
	}
	return *values;
}

static bool is_required(const struct load_value *object, const char *key)
{
	const struct load_value required = load_member(object, "required");

	for (size_t i = 0; i < load_length(required); i++) {
		cleanup_free char *name = load_string(load_element(&required, i));

		if (name && strcmp(name, key) == 0)
			return true;
	}
	return false;
}

/* others: how many fields the schema has that are not in the table. */
static void check_table(const struct load_value *top, const char *path,
			const struct schema_field *fields, size_t others)
{
	struct load_value values[16];
	const struct load_value object = object_at(values, top, path);
	const struct load_value properties = load_member(&object, "properties");
	size_t n = 0;

	assert_non_null(properties.value);
	for (; fields[n].key; n++) {
		const struct load_value property = load_member(&properties, fields[n].key);

		check_property(&property, &fields[n]);
		if (is_required(&object, fields[n].key) != (fields[n].presence != SCHEMA_OPTIONAL))
			fail_msg("%s/%s: 'required' differs", path, fields[n].key);
	}
	if (object_size(properties.value) != n + others)
		fail_msg("%s has %zu fields, not %zu", path, object_size(properties.value),
			 n + others);
	assert_int_equal(top->load->err, 0);
}

struct object_table {
	const char *path;
	const struct schema_field *fields;
	size_t others;
};

static void check_schema(const char *name, const struct object_table *tables, size_t n)
{
	cleanup_with(load_release) struct load load = { 0 };
	cleanup_str struct str text = read_schema(name);
	cleanup_why struct why why = { 0 };
	struct load_value top;

	if (load_begin(&load, text.text, text.len, &top, &why) < 0)
		fail_msg("%s: %s", name, why_text(&why, 0));
	for (size_t i = 0; i < n; i++)
		check_table(&top, tables[i].path, tables[i].fields, tables[i].others);
}

static void the_schema_of_results_has_the_fields_of_the_tables(void **state)
{
	static const struct object_table tables[] = {
		{ "pstat", schema_pstat, 0 },	    { "target", schema_target, 0 },
		{ "host", schema_host, 0 },	    { "settings", schema_settings, 0 },
		{ "events", schema_event, 0 },	    { "events/opening", schema_opening, 0 },
		{ "groups", schema_group, 0 },	    { "rows", schema_row, 0 },
		{ "processes", schema_process, 0 }, { "intervals", schema_interval, 0 },
	};

	check_schema("pstat-result-2.schema.json", tables, N_OF(tables));
}

static void the_schema_of_comparisons_has_the_fields_of_the_tables(void **state)
{
	static const struct object_table tables[] = {
		/* schema, version, cases, order, effects, gates, sides, rows, outcomes, the
		 * geometric means and their outcomes, and the conclusions, remarks and notes */
		{ "", schema_comparison, 14 },
		{ "cases", schema_case, 0 },
		{ "effects", schema_effect, 0 },
		{ "gates", schema_gate, 0 },
	};

	check_schema("pstat-comparison-2.schema.json", tables, N_OF(tables));
}

/* ---- attr */

static void check_flags(const struct load_value *flags, const struct attr_field *field, size_t *n)
{
	const struct load_value items = load_member(flags, "items");
	const struct load_value words = load_member(&items, "enum");
	cleanup_free char *word = load_string(load_element(&words, (*n)++));

	assert_non_null(word);
	assert_string_equal(word, field->name);
	if (*n == 8)
		assert_int_equal(load_length(words), *n);
}

static void the_schema_has_the_fields_of_an_attr(void **state)
{
	cleanup_with(load_release) struct load load = { 0 };
	cleanup_str struct str text = read_schema("pstat-result-2.schema.json");
	cleanup_why struct why why = { 0 };
	struct load_value top, defs, attr, properties, flags;
	size_t numbers_n = 0, flags_n = 0;

	assert_int_equal(load_begin(&load, text.text, text.len, &top, &why), 0);
	defs = load_member(&top, "$defs");
	attr = load_member(&defs, "attr");
	properties = load_member(&attr, "properties");
	flags = load_member(&properties, "flags");
	for (enum attr_role role = ATTR_TYPE; role < ATTR_OPENING; role++) {
		const struct attr_field *field = NULL;

		while ((field = attr_fields_next(field, role))) {
			if (load_attr_is_flag(field)) {
				check_flags(&flags, field, &flags_n);
				continue;
			}
			if (!load_member(&properties, field->name).value)
				fail_msg("the schema lacks %s", field->name);
			assert_int_equal(is_required(&attr, field->name),
					 !schema_attr_is_optional(field));
			numbers_n++;
		}
	}
	assert_int_equal(flags_n, 8);
	assert_int_equal(object_size(properties.value), numbers_n + 1);
	assert_int_equal(load.err, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_schema_of_results_has_the_fields_of_the_tables),
		cmocka_unit_test(the_schema_of_comparisons_has_the_fields_of_the_tables),
		cmocka_unit_test(the_schema_has_the_fields_of_an_attr),
	};
	void *jansson = dlopen("libjansson.so.4", RTLD_LAZY);

	if (!jansson) {
		printf("skipped: jansson cannot be loaded\n");
		return 77;
	}
	*(void **)&object_size = dlsym(jansson, "json_object_size");
	assert_non_null(object_size);
	return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
