/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/dlopen.h"
#include "base/json_load.h"
#include "base/str.h"
#include "base/why.h"

#ifdef HAVE_JANSSON

#	include <jansson.h>

/* The functions of jansson that pstat uses, with their types from its header. */
#	define JANSSON_FUNCTIONS(X)                                                               \
		X(json_loadb)                                                                      \
		X(json_delete)                                                                     \
		X(json_object_get)                                                                 \
		X(json_object_iter)                                                                \
		X(json_object_iter_next)                                                           \
		X(json_object_iter_key)                                                            \
		X(json_object_iter_value)                                                          \
		X(json_object_key_to_iter)                                                         \
		X(json_array_size)                                                                 \
		X(json_array_get)                                                                  \
		X(json_string_value)                                                               \
		X(json_integer_value)                                                              \
		X(json_number_value)

/* Set by load_begin(). */
static struct {
#	define X(name) __typeof__(name) *(name);
	JANSSON_FUNCTIONS(X)
#	undef X
} jansson;

DLOPEN_LIBRARY(jansson_library, "libjansson.so.4", "jansson", "libjansson4", "documents",
	       "Reads saved results, and perf's tables");

int load_begin(struct load *load, const char *text, size_t n, struct load_value *top,
	       struct why *why)
{
	const struct dlopen_function functions[] = {
#	define X(name) DLOPEN_FUNCTION(&jansson, name),
		JANSSON_FUNCTIONS(X)
#	undef X
	};
	cleanup_str struct str message = { 0 };
	json_error_t error;
	int err;

	*load = (struct load){ .why = why };
	err = dlopen_load(&jansson_library, functions, sizeof(functions) / sizeof(functions[0]),
			  why);
	if (err < 0)
		return err;
	load->root = jansson.json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
	*top = (struct load_value){ .load = load, .value = load->root };
	if (load->root)
		return 0;
	if (json_error_code(&error) == json_error_out_of_memory)
		return -ENOMEM;
	str_add_escaped(&message, error.text); /* quotes the text, which may have any bytes */
	return why_set(why, -EINVAL, "not valid JSON: line %d, column %d: %s", error.line,
		       error.column, str_text(&message));
}

void load_release(struct load *load)
{
	if (load->root) /* the only reference; the inline json_decref() would link jansson */
		jansson.json_delete(load->root);
}

static void load_add_path(struct str *path, const struct load_value *value)
{
	if (!value->parent)
		return;
	load_add_path(path, value->parent);
	if (value->key)
		str_addf(path, "%s%s", path->len ? "." : "", value->key);
	else
		str_addf(path, "[%zu]", value->index);
}

void load_refuse(struct load_value value, const char *format, ...)
{
	cleanup_str struct str message = { 0 };
	va_list args;

	if (value.load->err)
		return;
	load_add_path(&message, &value);
	str_add(&message, message.len ? ": " : "");
	va_start(args, format);
	if (value.value || !value.parent)
		str_vaddf(&message, format, args);
	else
		str_add(&message, "missing");
	va_end(args);
	value.load->err = message.failed ? -ENOMEM : -EINVAL;
	why_set(value.load->why, value.load->err, "%s", str_text(&message));
}

void load_no_memory(struct load *load)
{
	if (load->err == 0)
		load->err = -ENOMEM;
}

void *load_calloc(struct load *load, size_t n, size_t size)
{
	void *made = calloc(n + 1, size);

	if (!made)
		load_no_memory(load);
	return made;
}

static bool load_is_of_type(struct load_value value, json_type type)
{
	return value.value && json_typeof(value.value) == type;
}

bool load_is_there(struct load_value value)
{
	return value.value && !load_is_of_type(value, JSON_NULL);
}

bool load_is_null(struct load_value value)
{
	return load_is_of_type(value, JSON_NULL);
}

bool load_is_object(struct load_value value)
{
	return load_is_of_type(value, JSON_OBJECT);
}

struct load_value load_member(const struct load_value *object, const char *key)
{
	struct load_value member = { .load = object->load, .parent = object, .key = key };

	if (!load_is_of_type(*object, JSON_OBJECT))
		load_refuse(*object, "not an object");
	else if (!object->load->err)
		member.value = jansson.json_object_get(object->value, key);
	return member;
}

/* jansson has no const iterators. */
static json_t *load_members(const struct load_value *object)
{
	return (json_t *)(uintptr_t)object->value;
}

/* The member at an iterator; missing if it is NULL. */
static struct load_value load_member_at(const struct load_value *object, void *at)
{
	struct load_value member = { .load = object->load, .parent = object, .key = "" };

	if (!at || object->load->err)
		return member;
	member.key = jansson.json_object_iter_key(at);
	member.value = jansson.json_object_iter_value(at);
	return member;
}

struct load_value load_first_member(const struct load_value *object)
{
	if (load_is_of_type(*object, JSON_OBJECT))
		return load_member_at(object, jansson.json_object_iter(load_members(object)));
	load_refuse(*object, "not an object");
	return load_member_at(object, NULL);
}

void load_next_member(struct load_value *member)
{
	const struct load_value *object = member->parent;
	void *at = jansson.json_object_key_to_iter(member->key);

	*member = load_member_at(object, jansson.json_object_iter_next(load_members(object), at));
}

size_t load_length(struct load_value array)
{
	if (load_is_of_type(array, JSON_ARRAY))
		return jansson.json_array_size(array.value);
	load_refuse(array, "not an array");
	return 0;
}

struct load_value load_element(const struct load_value *array, size_t index)
{
	struct load_value element = { .load = array->load, .parent = array, .index = index };

	if (!load_is_of_type(*array, JSON_ARRAY))
		load_refuse(*array, "not an array");
	else if (!array->load->err)
		element.value = jansson.json_array_get(array->value, index);
	return element;
}

void load_next(struct load_value *element)
{
	*element = load_element(element->parent, element->index + 1);
}

const char *load_string_of(struct load_value value)
{
	return load_is_of_type(value, JSON_STRING) ? jansson.json_string_value(value.value) : NULL;
}

bool load_integer_of(struct load_value value, long long *integer)
{
	if (!load_is_of_type(value, JSON_INTEGER))
		return false;
	*integer = jansson.json_integer_value(value.value);
	return true;
}

bool load_number_of(struct load_value value, double *number)
{
	if (!load_is_of_type(value, JSON_INTEGER) && !load_is_of_type(value, JSON_REAL))
		return false;
	*number = jansson.json_number_value(value.value);
	return true;
}

bool load_bool_of(struct load_value value, bool *is_true)
{
	*is_true = load_is_of_type(value, JSON_TRUE);
	return *is_true || load_is_of_type(value, JSON_FALSE);
}

#endif
