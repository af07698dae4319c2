/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls of perf_event_open(2) that older versions of Linux refuse. */
#ifndef PSTAT_UNIT_OLD_KERNEL_H
#define PSTAT_UNIT_OLD_KERNEL_H

#include <linux/perf_event.h>
#include <stdbool.h>

#define LINUX(major, minor) ((major)*1000U + (minor))

/* The versions that the tests simulate: the long-term kernels from the oldest supported one on. */
extern const unsigned int old_kernels[7];

/* The step at which perf_event_open(2) refuses a call. */
enum old_kernel_step {
	OLD_COPIES_ATTR, /* before the check of permissions */
	OLD_OPENS_EVENT, /* after the check of permissions */
};

struct old_kernel_call {
	const struct perf_event_attr *attr; /* attr->size bytes can be read */
	bool leader_moved; /* its group has a software leader and a hardware event */
};

/* Whether Linux of this version refuses the call in this step: 0 or -errno. */
int old_kernel_refuses(unsigned int version, enum old_kernel_step step,
		       const struct old_kernel_call *call);

/* Whether the kernel counts the event by itself, without a hardware counter. */
bool old_kernel_is_software(const struct perf_event_attr *attr);

#endif
