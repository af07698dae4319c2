/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/tracefs.h"

/* 0 when events/ is below folder and can be listed. */
static int try_folder(const struct machine *m, const char *folder, char **events)
{
	cleanup_str_list struct str_list systems = { 0 };
	int err = machine_list(m, &systems, "%s/events", folder);

	if (err < 0)
		return err;
	return asprintf(events, "%s/events", folder) < 0 ? -ENOMEM : 0;
}

/* The mount points of tracefs, and of debugfs, which has it in tracing/ (proc(5), mounts). */
static int try_mounts(const struct machine *m, char **events)
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
		err = try_folder(m, full, events);
		if (err == 0)
			return 0;
		if (err == -EACCES || err == -EPERM)
			found = -EACCES;
	}
	return found;
}

int tracefs_events(const struct machine *m, char **events, struct why *why)
{
	static const char *const usual[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	int found = -ENOENT;

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		int err = try_folder(m, usual[i], events);

		if (err == 0 || err == -ENOMEM)
			return err;
		if (err == -EACCES || err == -EPERM)
			found = -EACCES;
	}
	if (found == -ENOENT)
		found = try_mounts(m, events);
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

int tracefs_id(const struct machine *m, const char *events, const char *system, const char *name,
	       uint64_t *id)
{
	int value = 0;
	int err = machine_read_int(m, &value, "%s/%s/%s/id", events, system, name);

	if (err == 0)
		*id = (uint64_t)value;
	return err == -ENOTDIR ? -ENOENT : err;
}

int tracefs_open(const struct machine *m, const char *events, const char *file)
{
	int folder_len = (int)(strrchr(events, '/') - events);
	cleanup_free char *path = machine_path(m, "%.*s/%s", folder_len, events, file);
	int fd;

	if (!path)
		return -ENOMEM;
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int tracefs_append(int fd, const char *line)
{
	return write(fd, line, strlen(line)) < 0 ? -errno : 0; /* the kernel takes all or nothing */
}

static int match_system(const struct machine *m, const char *events, const char *system,
			const char *pattern, struct str_list *list)
{
	cleanup_str_list struct str_list names = { 0 };
	int err = machine_list(m, &names, "%s/%s", events, system);

	if (err == -ENOTDIR || err == -ENOENT)
		return 0; /* a file, or a group of probes that was removed since it was listed */
	if (err < 0)
		return err;
	for (size_t i = 0; i < names.n; i++) {
		cleanup_free char *id = NULL, *text = NULL;

		if (fnmatch(pattern, names.v[i], 0) != 0)
			continue;
		id = machine_path(m, "%s/%s/%s/id", events, system, names.v[i]);
		if (!id)
			return -ENOMEM;
		if (access(id, F_OK) < 0)
			continue;
		if (asprintf(&text, "%s:%s", system, names.v[i]) < 0) {
			text = NULL;
			return -ENOMEM;
		}
		if (str_list_add(list, text) < 0)
			return -ENOMEM;
	}
	return 0;
}

int tracefs_match(const struct machine *m, const char *events, const char *system, const char *name,
		  struct str_list *list)
{
	cleanup_str_list struct str_list systems = { 0 };
	int err = machine_list(m, &systems, "%s", events);

	for (size_t i = 0; err == 0 && i < systems.n; i++)
		if (fnmatch(system, systems.v[i], 0) == 0)
			err = match_system(m, events, systems.v[i], name, list);
	return err;
}
