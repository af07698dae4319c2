/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/machine.h"
#include "machine/perf_tables.h"

enum { FILE_SIZE_MAX = 64 * 1024 };

int machine_init(struct machine *m, const char *root, struct why *why)
{
	cleanup_free char *sys = NULL;
	cleanup_dir DIR *dir = root ? opendir(root) : NULL;

	if (root && !dir)
		return why_set(why, -errno,
			       "--sysroot %s: %s; use a folder that contains sys/ and proc/", root,
			       strerror(errno));
	if (root && asprintf(&sys, "%s/sys", root) < 0) {
		sys = NULL;
		return -ENOMEM;
	}
	if (sys && access(sys, R_OK | X_OK) < 0)
		return why_set(why, -errno,
			       "--sysroot %s: %s: %s; use a folder that contains sys/ and proc/",
			       root, sys, strerror(errno));
	m->root = strdup(root ? root : "");
	m->tables = calloc(1, sizeof(*m->tables));
	return m->root && m->tables ? 0 : -ENOMEM;
}

void machine_release(struct machine *m)
{
	if (m->tables)
		perf_tables_release(m->tables);
	free(m->tables);
	free(m->root);
	free(m->program);
	*m = (struct machine){ 0 };
}

bool machine_is_here(const struct machine *m)
{
	return m->root[0] == '\0';
}

static __attribute__((format(printf, 2, 0))) char *machine_rooted_path(const struct machine *m,
								       const char *path,
								       va_list args)
{
	struct str s = { 0 };

	str_add(&s, m->root);
	str_vaddf(&s, path, args);
	if (s.failed)
		str_release(&s);
	return s.text;
}

char *machine_path(const struct machine *m, const char *path, ...)
{
	va_list args;
	char *full;

	va_start(args, path);
	full = machine_rooted_path(m, path, args);
	va_end(args);
	return full;
}

/* Below --sysroot, a file that is not regular may block or never end, for example a FIFO. */
static int machine_read_regular(const char *path, char **text)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	cleanup_free char *buffer = NULL;
	struct stat st;
	size_t len = 0;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	buffer = malloc(FILE_SIZE_MAX + 1);
	if (!buffer)
		return -ENOMEM;
	while ((n = read(fd, buffer + len, FILE_SIZE_MAX - len)) > 0)
		len += (size_t)n;
	if (n < 0)
		return -errno;
	while (len > 0 && strchr(" \t\r\n", buffer[len - 1]))
		len--;
	buffer[len] = '\0';
	*text = strdup(buffer); /* most files have a few bytes */
	return *text ? 0 : -ENOMEM;
}

int machine_read(const struct machine *m, char **text, const char *path, ...)
{
	cleanup_free char *full = NULL;
	va_list args;

	va_start(args, path);
	full = machine_rooted_path(m, path, args);
	va_end(args);
	return full ? machine_read_regular(full, text) : -ENOMEM;
}

int machine_read_int(const struct machine *m, int *value, const char *path, ...)
{
	cleanup_free char *full = NULL;
	cleanup_free char *text = NULL;
	char *end;
	va_list args;
	long parsed;
	int err;

	va_start(args, path);
	full = machine_rooted_path(m, path, args);
	va_end(args);
	err = full ? machine_read_regular(full, &text) : -ENOMEM;
	if (err < 0)
		return err;
	errno = 0;
	parsed = strtol(text, &end, 10);
	if (errno || end == text || *end || parsed != (int)parsed)
		return -EINVAL;
	*value = (int)parsed;
	return 0;
}

int machine_list(const struct machine *m, struct str_list *list, const char *path, ...)
{
	cleanup_free char *full = NULL;
	cleanup_dir DIR *dir = NULL;
	struct dirent *entry;
	va_list args;

	va_start(args, path);
	full = machine_rooted_path(m, path, args);
	va_end(args);
	if (!full)
		return -ENOMEM;
	dir = opendir(full);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && str_list_add(list, entry->d_name) < 0)
			return -ENOMEM;
	str_list_sort(list);
	return 0;
}

bool machine_has(const struct machine *m, const char *path, ...)
{
	cleanup_free char *full = NULL;
	va_list args;

	va_start(args, path);
	full = machine_rooted_path(m, path, args);
	va_end(args);
	return full && access(full, F_OK) == 0;
}

bool machine_has_proc(const struct machine *m)
{
	return machine_has(m, "/proc/self");
}

bool machine_has_sysfs(const struct machine *m)
{
	return machine_has(m, "/sys/bus");
}
