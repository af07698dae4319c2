/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "document/schema.h"

const char *const schema_states[] = {
	[COUNTED] = "counted",	       [SCALED] = "scaled",
	[NOT_COUNTED] = "not counted", [NOT_SUPPORTED] = "not supported",
	[FAILED] = "failed",	       [ELSEWHERE] = "elsewhere",
};

const char *const schema_splits[PLACE_N] = {
	[PLACE_TARGET] = "target",   [PLACE_CPU] = "cpu",     [PLACE_CORE] = "core",
	[PLACE_CLUSTER] = "cluster", [PLACE_CACHE] = "cache", [PLACE_DIE] = "die",
	[PLACE_SOCKET] = "socket",   [PLACE_NODE] = "node",   [PLACE_THREAD] = "thread",
};

bool schema_attr_is_optional(const struct attr_field *field)
{
	return field->role == ATTR_BREAKPOINT || field->since;
}
