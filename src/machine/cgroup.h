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
 * Append the names of the cgroups that the items of a list select, as perf's --for-each-cgroup.
 *
 * If any item has one of {}[]()|*+?^$, every item is a basic regular expression (regex(7)). They
 * select each cgroup whose path below the mount point matches any of them, wholly or in part, once.
 * The path has no leading '/', and the topmost cgroup has none. A cgroup comes before its
 * descendants, and cgroups of one parent are in the order of the folder. The expressions that match
 * nothing are appended to unmatched.
 *
 * Otherwise, each item is the name of a cgroup, which need not exist. An empty item is "/".
 *
 * 0; with why: -ENOENT: no item matches; -EINVAL: not a valid regular expression; another -errno.
 */
int cgroup_match(const struct machine *m, const struct str_list *items, struct str_list *names,
		 struct str_list *unmatched, struct why *why);

#endif
