/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cgroups. The kernel can count the work of all tasks in a cgroup (cgroups(7); perf_event_open(2),
 * PERF_FLAG_PID_CGROUP). Perf events use the version 1 hierarchy that is mounted with perf_event,
 * or the version 2 hierarchy if there is none.
 */
#ifndef PSTAT_MACHINE_CGROUP_H
#define PSTAT_MACHINE_CGROUP_H

#include "machine/machine.h"

struct str_list;
struct why;

/*
 * Open a cgroup of the hierarchy that perf events use. name is its path below the mount point, with
 * or without a leading '/' ("/" is the root cgroup), or a path that begins with the mount point.
 * The caller closes the descriptor. -errno with why: -ENOENT: there is no such cgroup, or no
 * hierarchy is mounted; -ENOTDIR; -EINVAL: name has a ".." component; another -errno.
 */
int cgroup_open(const struct machine *m, const char *name, struct why *why);

/*
 * Append the names of the cgroups that one item of a list selects, as in perf's --for-each-cgroup.
 *
 * An item with any of {}[]()|*+?^$ is a basic regular expression (regex(7)). It selects each
 * cgroup whose path below the mount point matches, wholly or in part. That path has no leading '/';
 * the path of the topmost cgroup is "/". The names are sorted.
 *
 * Any other item is the name of a cgroup, which need not exist. An empty item is "/".
 *
 * 0; with why: -ENOENT: nothing matches; -EINVAL: not a valid regular expression; another -errno.
 */
int cgroup_match(const struct machine *m, const char *item, struct str_list *names,
		 struct why *why);

#endif
