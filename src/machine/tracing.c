/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/tracing.h"

/* 0 if folder has events/, and events/ can be listed. */
static int tracing_try_folder(const struct machine *m, const char *folder, char **events)
{
	cleanup_str_list struct str_list systems = { 0 };
	int err = machine_list(m, &systems, "%s/events", folder);

	if (err < 0)
		return err;
	return asprintf(events, "%s/events", folder) < 0 ? -ENOMEM : 0;
}

/*
 * Try the mount points of tracefs, and of debugfs, which has tracefs in tracing/ (proc(5), mounts).
 */
static int tracing_try_mounts(const struct machine *m, char **events)
{
	cleanup_free char *mounts = NULL;
	int found = -ENOENT;
	char *save;

	if (machine_read(m, &mounts, "/proc/self/mounts") < 0)
		return -ENOENT;
	for (char *line = strtok_r(mounts, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char folder[512], type[64], full[600];
		int err;

		if (sscanf(line, "%*s %511s %63s", folder, type) != 2 ||
		    (strcmp(type, "tracefs") != 0 && strcmp(type, "debugfs") != 0))
			continue;
		snprintf(full, sizeof(full), "%s%s", folder,
			 strcmp(type, "debugfs") == 0 ? "/tracing" : "");
		err = tracing_try_folder(m, full, events);
		if (err == 0)
			return 0;
		if (err == -EACCES || err == -EPERM)
			found = -EACCES;
	}
	return found;
}

int tracing_events(const struct machine *m, char **events, struct why *why)
{
	static const char *const usual[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	int found = -ENOENT;

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		int err = tracing_try_folder(m, usual[i], events);

		if (err == 0 || err == -ENOMEM)
			return err;
		if (err == -EACCES || err == -EPERM)
			found = -EACCES;
	}
	if (found == -ENOENT)
		found = tracing_try_mounts(m, events);
	if (found == -EACCES)
		return why_set(why, found,
			       "tracefs is not readable by this user: run pstat as root, or mount "
			       "-o remount,mode=750,gid=GROUP /sys/kernel/tracing");
	if (found == -ENOENT)
		return why_set(why, found,
			       "tracefs is not mounted: mount -t tracefs nodev "
			       "/sys/kernel/tracing");
	return found;
}

int tracing_id(const struct machine *m, const char *events, const char *system, const char *name,
	       uint64_t *id)
{
	int value = 0;
	int err = machine_read_int(m, &value, "%s/%s/%s/id", events, system, name);

	if (err == 0)
		*id = (uint64_t)value;
	return err == -ENOTDIR ? -ENOENT : err;
}

int tracing_match(const struct machine *m, const char *events, const char *system, const char *name,
		  struct str_list *list)
{
	cleanup_str_list struct str_list systems = { 0 };
	int err = machine_list(m, &systems, "%s", events);

	for (size_t i = 0; err == 0 && i < systems.n; i++) {
		cleanup_str_list struct str_list names = { 0 };

		if (fnmatch(system, systems.v[i], 0) != 0)
			continue;
		err = machine_list(m, &names, "%s/%s", events, systems.v[i]);
		if (err == -ENOTDIR || err == -ENOENT)
			err = 0; /* a file, or a group of probes that has been removed since */
		for (size_t k = 0; err == 0 && k < names.n; k++) {
			cleanup_free char *id = NULL, *text = NULL;

			if (fnmatch(name, names.v[k], 0) != 0)
				continue;
			id = machine_path(m, "%s/%s/%s/id", events, systems.v[i], names.v[k]);
			if (!id)
				return -ENOMEM;
			if (access(id, F_OK) < 0)
				continue;
			if (asprintf(&text, "%s:%s", systems.v[i], names.v[k]) < 0) {
				text = NULL;
				return -ENOMEM;
			}
			err = str_list_add(list, text);
		}
	}
	return err;
}
