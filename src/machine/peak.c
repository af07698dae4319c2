/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "machine/peak.h"

int peak_kib(const struct machine *m, uint64_t *kib)
{
	static const char key[] = "\nVmHWM:";
	cleanup_free char *status = NULL;
	const char *line, *digits;
	int err = machine_read(m, &status, "/proc/self/status");

	if (err < 0)
		return err;
	line = strstr(status, key);
	if (!line)
		return -ENOENT;
	digits = line + strlen(key) + strspn(line + strlen(key), " \t");
	return num_parse(digits, strspn(digits, "0123456789"), kib);
}

/* proc(5), clear_refs */
#define FORGET_PEAK "5"

int peak_forget(const struct machine *m)
{
	cleanup_free char *path = machine_path(m, "/proc/self/clear_refs");
	cleanup_fd int fd = -1;

	if (!path)
		return -ENOMEM;
	malloc_trim(0);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, FORGET_PEAK, strlen(FORGET_PEAK)) < 0 ? -errno : 0;
}
