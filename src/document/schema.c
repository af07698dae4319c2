/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "document/schema.h"

const char *const schema_states[] = {
	[COUNTED] = "counted",	       [SCALED] = "scaled",
	[NOT_COUNTED] = "not counted", [NOT_SUPPORTED] = "not supported",
	[FAILED] = "failed",	       [ELSEWHERE] = "elsewhere",
};

const char *const schema_splits[WHERE_N] = {
	[WHERE_TARGET] = "target",   [WHERE_CPU] = "cpu",     [WHERE_CORE] = "core",
	[WHERE_CLUSTER] = "cluster", [WHERE_CACHE] = "cache", [WHERE_DIE] = "die",
	[WHERE_SOCKET] = "socket",   [WHERE_NODE] = "node",   [WHERE_THREAD] = "thread",
};
