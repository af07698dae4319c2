/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

#include "event/attr_fields.h"

/* struct event and the opener hold the fields that older headers lack right after the attr. */
_Static_assert(offsetof(struct event, config3) == offsetof(struct event, attr) + 128,
	       "the offset of config3 in perf_event_attr");
_Static_assert(offsetof(struct event, config4) == offsetof(struct event, attr) + 136,
	       "the offset of config4 in perf_event_attr");

/*
 * X(name, member of struct event, role, largest value, size of the attr, since). The sizes are the
 * PERF_ATTR_SIZE_VERn of include/uapi/linux/perf_event.h. Linux 4.14 has an attr of 112 bytes.
 */
#define FIELDS(X)                                                                                  \
	X(type, attr.type, ATTR_TYPE, UINT32_MAX, 64, NULL)                                        \
	X(size, attr.size, ATTR_OPENING, UINT32_MAX, 64, NULL)                                     \
	X(config, attr.config, ATTR_CONFIG, UINT64_MAX, 64, NULL)                                  \
	X(read_format, attr.read_format, ATTR_OPENING, UINT64_MAX, 64, NULL)                       \
	X(disabled, attr.disabled, ATTR_OPENING, 1, 64, NULL)                                      \
	X(inherit, attr.inherit, ATTR_OPENING, 1, 64, NULL)                                        \
	X(pinned, attr.pinned, ATTR_SCHEDULING, 1, 64, NULL)                                       \
	X(exclusive, attr.exclusive, ATTR_SCHEDULING, 1, 64, NULL)                                 \
	X(exclude_user, attr.exclude_user, ATTR_MODE, 1, 64, NULL)                                 \
	X(exclude_kernel, attr.exclude_kernel, ATTR_MODE, 1, 64, NULL)                             \
	X(exclude_hv, attr.exclude_hv, ATTR_MODE, 1, 64, NULL)                                     \
	X(exclude_idle, attr.exclude_idle, ATTR_MODE, 1, 64, NULL)                                 \
	X(enable_on_exec, attr.enable_on_exec, ATTR_OPENING, 1, 64, NULL)                          \
	X(precise_ip, attr.precise_ip, ATTR_PRECISION, 3, 64, NULL)                                \
	X(exclude_host, attr.exclude_host, ATTR_MODE, 1, 64, NULL)                                 \
	X(exclude_guest, attr.exclude_guest, ATTR_MODE, 1, 64, NULL)                               \
	X(bp_type, attr.bp_type, ATTR_BREAKPOINT, UINT32_MAX, 64, NULL)                            \
	X(config1, attr.config1, ATTR_CONFIG, UINT64_MAX, 64, NULL)                                \
	X(config2, attr.config2, ATTR_CONFIG, UINT64_MAX, 72, NULL)                                \
	X(config3, config3, ATTR_CONFIG, UINT64_MAX, 136, "6.3")                                   \
	X(config4, config4, ATTR_CONFIG, UINT64_MAX, 144, "6.19")

/* A bit field has no address, so that each field needs functions. */
#define X(field, member, role, largest, size, since)                                               \
	static uint64_t get_##field(const struct event *event)                                     \
	{                                                                                          \
		return event->member;                                                              \
	}                                                                                          \
                                                                                                   \
	static void set_##field(struct event *event, uint64_t value)                               \
	{                                                                                          \
		event->member = value & (largest);                                                 \
	}
FIELDS(X)
#undef X

const struct attr_field attr_fields[] = {
#define X(field, member, role, largest, size, since)                                               \
	{ #field, role, largest, size, since, get_##field, set_##field },
	FIELDS(X)
#undef X
		{ .name = NULL },
};

const struct attr_field *attr_fields_next(const struct attr_field *field, enum attr_role role)
{
	for (field = field ? field + 1 : attr_fields; field->name; field++)
		if (field->role == role)
			return field;
	return NULL;
}

const struct attr_field *attr_fields_newest(const struct event *event)
{
	const struct attr_field *newest = NULL;

	for (const struct attr_field *field = attr_fields; field->name; field++)
		if (field->since && field->get(event))
			newest = field; /* they are appended to the struct in order of age */
	return newest;
}
