/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/dlopen.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "document/load_json.h"

/* The functions of jansson that pstat uses. Their types are from its header. */
#define JANSSON_FUNCTIONS(X)                                                                       \
	X(json_loadb)                                                                              \
	X(json_delete)                                                                             \
	X(json_object_get)                                                                         \
	X(json_array_size)                                                                         \
	X(json_array_get)                                                                          \
	X(json_string_value)                                                                       \
	X(json_integer_value)                                                                      \
	X(json_number_value)

struct jansson {
#define X(name) __typeof__(name) *(name);
	JANSSON_FUNCTIONS(X)
#undef X
};

DLOPEN_LIBRARY(jansson_library, "libjansson.so.4", "jansson", "libjansson4", "documents",
	       "Reads saved results");

static int jansson_load(struct jansson *lib, struct why *why)
{
	const struct dlopen_function functions[] = {
#define X(name) DLOPEN_FUNCTION(lib, name),
		JANSSON_FUNCTIONS(X)
#undef X
	};

	return dlopen_load(&jansson_library, functions, sizeof(functions) / sizeof(functions[0]),
			   why);
}

/* Escape the message of jansson, because it quotes the text, which may have any bytes. */
static int refuse_text(const json_error_t *error, struct why *why)
{
	cleanup_str struct str message = { 0 };

	if (json_error_code(error) == json_error_out_of_memory)
		return -ENOMEM;
	str_add_escaped(&message, error->text);
	return why_set(why, -EINVAL, "not valid JSON: line %d, column %d: %s", error->line,
		       error->column, str_text(&message));
}

int load_begin(struct load *load, const char *text, size_t n, struct load_value *top,
	       struct why *why)
{
	json_error_t error;
	int err;

	*load = (struct load){ .library = calloc(1, sizeof(*load->library)), .why = why };
	if (!load->library)
		return -ENOMEM;
	err = jansson_load(load->library, why);
	if (err < 0)
		return err;
	load->root = load->library->json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
	*top = (struct load_value){ .load = load, .value = load->root };
	return load->root ? 0 : refuse_text(&error, why);
}

void load_release(struct load *load)
{
	if (load->root) /* the only reference; the inline json_decref() would link jansson */
		load->library->json_delete(load->root);
	free(load->library);
	*load = (struct load){ 0 };
}

static bool is_of_type(const struct load_value *value, json_type type)
{
	return value->value && json_typeof(value->value) == type;
}

bool load_is_there(struct load_value value)
{
	return value.value && !is_of_type(&value, JSON_NULL);
}

struct load_value load_member(const struct load_value *object, const char *key)
{
	struct load_value member = { .load = object->load, .parent = object, .key = key };

	if (!is_of_type(object, JSON_OBJECT))
		load_refuse(object, "not an object");
	else if (!object->load->err)
		member.value = object->load->library->json_object_get(object->value, key);
	return member;
}

size_t load_length(struct load_value array)
{
	if (is_of_type(&array, JSON_ARRAY))
		return array.load->library->json_array_size(array.value);
	load_refuse(&array, "not an array");
	return 0;
}

struct load_value load_element(const struct load_value *array, size_t index)
{
	struct load_value element = { .load = array->load, .parent = array, .index = index };

	if (!array->load->err && is_of_type(array, JSON_ARRAY))
		element.value = array->load->library->json_array_get(array->value, index);
	return element;
}

/* The text of a string; NULL: the value is not a string. */
static const char *string_of(const struct load_value *value)
{
	return is_of_type(value, JSON_STRING) ?
		       value->load->library->json_string_value(value->value) :
		       NULL;
}

uint64_t load_unsigned(struct load_value value)
{
	const char *digits = string_of(&value);
	json_int_t number = is_of_type(&value, JSON_INTEGER) ?
				    value.load->library->json_integer_value(value.value) :
				    -1;
	uint64_t large;

	if (number >= 0)
		return (uint64_t)number;
	if (digits && digits[0] != '0' && num_parse(digits, strlen(digits), &large) == 0 &&
	    large > INT64_MAX)
		return large;
	load_refuse(&value, "not a number from 0 to 2^64-1");
	return 0;
}

long long load_integer(struct load_value value, long long low, long long high)
{
	json_int_t number;

	if (is_of_type(&value, JSON_INTEGER)) {
		number = value.load->library->json_integer_value(value.value);
		if (number >= low && number <= high)
			return number;
	}
	load_refuse(&value, "not an integer from %lld to %lld", low, high);
	return 0;
}

size_t load_size(struct load_value value)
{
	return (size_t)load_integer(value, 0, SSIZE_MAX);
}

double load_number(struct load_value value, double low, double high)
{
	double number;

	if (is_of_type(&value, JSON_INTEGER) || is_of_type(&value, JSON_REAL)) {
		number = value.load->library->json_number_value(value.value);
		if (number >= low && number <= high)
			return number;
	}
	load_refuse(&value, "not a number from %g to %g", low, high);
	return 0;
}

bool load_bool(struct load_value value)
{
	if (!is_of_type(&value, JSON_TRUE) && !is_of_type(&value, JSON_FALSE))
		load_refuse(&value, "not true or false");
	return is_of_type(&value, JSON_TRUE);
}

uint64_t load_hexadecimal(struct load_value value)
{
	const char *digits = string_of(&value);
	uint64_t number = 0;

	if (!digits || strncmp(digits, "0x", 2) != 0 ||
	    num_parse(digits, strlen(digits), &number) < 0)
		load_refuse(&value, "not a hexadecimal number (example: \"0x1f\")");
	return number;
}

size_t load_word(struct load_value value, const char *const *words, size_t n)
{
	const char *text = string_of(&value);

	for (size_t i = 0; text && i < n; i++)
		if (words[i] && strcmp(words[i], text) == 0)
			return i;
	load_refuse(&value, text ? "unknown value" : "not a string");
	return 0;
}

static char *copy(const struct load_value *value, const char *text)
{
	char *made = strdup(text);

	if (!made)
		load_no_memory(value->load);
	return made;
}

/* Decode pairs of hexadecimal digits. A text has no zero byte. */
static char *text_of_bytes(const struct load_value *value)
{
	const struct load_value bytes = load_member(value, "bytes");
	const char *digits = string_of(&bytes);
	size_t n = digits ? strlen(digits) : 1;
	char *text = n % 2 == 0 ? copy(value, digits) : NULL; /* twice the size that is needed */
	uint64_t byte;

	for (size_t i = 0; text && i < n; i += 2) {
		if (num_parse_hex(digits + i, 2, &byte) == 0 && byte > 0)
			text[i / 2] = (char)byte;
		else
			free(take_ptr(text));
	}
	if (text)
		text[n / 2] = '\0';
	else
		load_refuse(&bytes, "not pairs of hexadecimal digits, or contains the pair 00");
	return text;
}

char *load_string(struct load_value value)
{
	const char *text = string_of(&value);

	if (text)
		return copy(&value, text);
	load_refuse(&value, "not a string");
	return NULL;
}

char *load_text(struct load_value value)
{
	return is_of_type(&value, JSON_OBJECT) ? text_of_bytes(&value) : load_string(value);
}

static void add_path(struct str *path, const struct load_value *value)
{
	if (!value->parent)
		return;
	add_path(path, value->parent);
	if (value->key)
		str_addf(path, "%s%s", path->len ? "." : "", value->key);
	else
		str_addf(path, "[%zu]", value->index);
}

int load_refuse(const struct load_value *value, const char *format, ...)
{
	cleanup_str struct str message = { 0 };
	va_list args;

	if (value->load->err)
		return value->load->err;
	add_path(&message, value);
	str_add(&message, message.len ? ": " : "");
	va_start(args, format);
	if (value->value || !value->parent)
		str_vaddf(&message, format, args);
	else
		str_add(&message, "missing");
	va_end(args);
	value->load->err = message.failed ? -ENOMEM : -EINVAL;
	return why_set(value->load->why, value->load->err, "%s", str_text(&message));
}

int load_no_memory(struct load *load)
{
	if (load->err == 0)
		load->err = -ENOMEM;
	return load->err;
}

void *load_calloc(struct load *load, size_t n, size_t size)
{
	void *made = calloc(n + 1, size);

	if (!made)
		load_no_memory(load);
	return made;
}
