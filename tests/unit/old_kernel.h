/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What older versions of Linux refuse of perf_event_open(2). */
#ifndef PSTAT_UNIT_OLD_KERNEL_H
#define PSTAT_UNIT_OLD_KERNEL_H

#include <linux/perf_event.h>
#include <stdbool.h>

#define LINUX(major, minor) ((major)*1000U + (minor))

/* The versions that the tests run as: the long-term ones. */
extern const unsigned int old_kernels[8];

/* When perf_event_open(2) refuses something. */
enum old_kernel_step {
	OLD_COPIES_ATTR, /* before it looks at permissions */
	OLD_OPENS_EVENT, /* after that */
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
