/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "unit/old_kernel.h"
#include "unit/test.h"

const unsigned int old_kernels[7] = { LINUX(4, 14), LINUX(4, 19), LINUX(5, 4), LINUX(5, 10),
				      LINUX(6, 1),  LINUX(6, 12), LINUX(6, 18) };

/* Whether a call uses a feature. what: the argument of the feature in the table. */
typedef bool asks_for(const struct old_kernel_call *call, uint64_t what);

/* The bytes of the attr from this offset on. A version that does not know them requires 0. */
static bool has_bytes_from(const struct old_kernel_call *call, uint64_t what)
{
	const unsigned char *bytes = (const unsigned char *)call->attr;

	for (size_t i = what; i < call->attr->size; i++)
		if (bytes[i])
			return true;
	return false;
}

/* A bit field of the attr. All bit fields are in the word after read_format. */
static bool has_flag(const struct old_kernel_call *call, uint64_t what)
{
	size_t at = offsetof(struct perf_event_attr, read_format) + sizeof(call->attr->read_format);
	const struct perf_event_attr disabled = { .disabled = 1 };
	uint64_t flags, first;

	memcpy(&flags, (const char *)call->attr + at, sizeof(flags));
	memcpy(&first, (const char *)&disabled + at, sizeof(first));
	if (first != 1) /* big endian: the first bit is the highest */
		return flags & (UINT64_C(1) << 63) >> what;
	return flags & UINT64_C(1) << what;
}

static bool has_format(const struct old_kernel_call *call, uint64_t what)
{
	return call->attr->read_format & what;
}

static bool is_software_event(const struct old_kernel_call *call, uint64_t what)
{
	return call->attr->type == PERF_TYPE_SOFTWARE && call->attr->config >= what;
}

static bool joins_moved_group(const struct old_kernel_call *call, uint64_t what)
{
	return call->leader_moved && old_kernel_is_software(call->attr);
}

/* The source of the row. */
#define MAN "perf_event_open(2)"
#define UAPI "include/uapi/linux/perf_event.h, PERF_ATTR_SIZE_VER"
#define CORE "kernel/events/core.c, "

/* Linux 6.18 was tried, too: it knows 136 bytes and all of these but config4. */
static const struct feature {
	const char *name;
	unsigned int since;
	int error;
	enum old_kernel_step step;
	asks_for *asks;
	uint64_t what;
	const char *source;
} features[] = {
	{ "aux_sample_size", LINUX(5, 5), E2BIG, OLD_COPIES_ATTR, has_bytes_from, 112, MAN },
	{ "sig_data", LINUX(5, 13), E2BIG, OLD_COPIES_ATTR, has_bytes_from, 120, MAN },
	{ "config3", LINUX(6, 3), E2BIG, OLD_COPIES_ATTR, has_bytes_from, 128, UAPI "8" },
	{ "config4", LINUX(6, 19), E2BIG, OLD_COPIES_ATTR, has_bytes_from, 136, UAPI "9" },
	{ "ksymbol", LINUX(5, 0), EINVAL, OLD_COPIES_ATTR, has_flag, 29, MAN },
	{ "bpf_event", LINUX(5, 0), EINVAL, OLD_COPIES_ATTR, has_flag, 30, MAN },
	{ "aux_output", LINUX(5, 4), EINVAL, OLD_COPIES_ATTR, has_flag, 31, MAN },
	{ "cgroup", LINUX(5, 7), EINVAL, OLD_COPIES_ATTR, has_flag, 32, MAN },
	{ "text_poke", LINUX(5, 8), EINVAL, OLD_COPIES_ATTR, has_flag, 33, MAN },
	{ "build_id", LINUX(5, 12), EINVAL, OLD_COPIES_ATTR, has_flag, 34, MAN },
	{ "inherit_thread", LINUX(5, 13), EINVAL, OLD_COPIES_ATTR, has_flag, 35, MAN },
	{ "remove_on_exec", LINUX(5, 13), EINVAL, OLD_COPIES_ATTR, has_flag, 36, MAN },
	{ "sigtrap", LINUX(5, 13), EINVAL, OLD_COPIES_ATTR, has_flag, 37, MAN },
	{ "PERF_FORMAT_LOST", LINUX(6, 0), EINVAL, OLD_COPIES_ATTR, has_format, 16, MAN },
	{ "cgroup-switches", LINUX(5, 13), ENOENT, OLD_OPENS_EVENT, is_software_event, 11, MAN },
	{ "a software event after a software leader's hardware event", LINUX(4, 18), EINVAL,
	  OLD_OPENS_EVENT, joins_moved_group, 0, CORE "perf_event_open() of 4.9 and 4.19" },
};

bool old_kernel_is_software(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE || attr->type == PERF_TYPE_TRACEPOINT ||
	       attr->type == PERF_TYPE_BREAKPOINT;
}

int old_kernel_refuses(unsigned int version, enum old_kernel_step step,
		       const struct old_kernel_call *call)
{
	for (size_t i = 0; i < N_OF(features); i++) {
		const struct feature *feature = &features[i];

		if (version < feature->since && step == feature->step &&
		    feature->asks(call, feature->what))
			return -feature->error;
	}
	return 0;
}
