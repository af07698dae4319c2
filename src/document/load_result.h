/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of one result, and of the fields in the tables of document/schema.h. */
#ifndef PSTAT_DOCUMENT_LOAD_RESULT_H
#define PSTAT_DOCUMENT_LOAD_RESULT_H

#include "document/document.h"
#include "document/load_json.h"
#include "document/schema.h"

/* Whether the value of "schema" is name. If it is, a version above known is an error. */
bool load_is_schema(const struct load_value *top, const char *name, int known);

/* Read the fields of a table into the struct at to, which is all zero. The struct owns the strings
 * and lists even after an error. The caller reads the fields of SCHEMA_OTHER. */
void load_fields(const struct load_value *object, const struct schema_field *fields, void *to);

/* Read an array of objects into structs of size bytes each. Returns the structs, which the caller
 * frees, and their number in *n; NULL and 0 if there is no memory. After an error the other structs
 * are all zero. */
void *load_objects(const struct load_value *array, const struct schema_field *fields, size_t size,
		   size_t *n);

/* Read a whole result. The caller releases the document even after an error. */
void load_result(const struct load_value *top, struct document *document);

#endif
