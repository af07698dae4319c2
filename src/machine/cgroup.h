/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cgroups, by which the kernel counts what all tasks inside do (cgroups(7); perf_event_open(2),
 * PERF_FLAG_PID_CGROUP). There may be several hierarchies: events go by the one of version 1 that was
 * mounted with perf_event, and where there is none by that of version 2.
 */
#ifndef PSTAT_MACHINE_CGROUP_H
#define PSTAT_MACHINE_CGROUP_H

#include "machine/machine.h"

struct str_list;
struct why;

/*
 * Open the cgroup: name is its path below the mount point of that hierarchy, with or without a '/'
 * before it ("/" is the topmost one), or a path that begins with the mount point. The descriptor is
 * the caller's to close. -errno, with why: -ENOENT: no such cgroup, or no hierarchy is mounted;
 * -ENOTDIR; -EINVAL: a ".." is part of the name; other -errno.
 */
int cgroup_open(const struct machine *m, const char *name, struct why *why);

/*
 * Append the names that an item of a list stands for, as with perf's --for-each-cgroup: with any of
 * {}[]()|*+?^$ in it, it is a basic regular expression (regex(7)) that has to match a part of the
 * path below the mount point, which is written without a '/' before it, "/" for the topmost cgroup;
 * the names are sorted. Else it stands for itself, and an empty one for "/"; whether there is such a
 * cgroup is then not looked at. 0; with why: -ENOENT: nothing matches; -EINVAL: it is no regular
 * expression; other -errno.
 */
int cgroup_match(const struct machine *m, const char *item, struct str_list *names,
		 struct why *why);

#endif
