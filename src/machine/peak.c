/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "machine/peak.h"

enum { STATUS_MAX = 8192 }; /* bytes of /proc/self/status; the peak stands in the first thousand */

int peak_parse(const char *status, uint64_t *kib)
{
	static const char key[] = "\nVmHWM:";
	const char *line = strstr(status, key), *digits;

	if (!line)
		return -ENOENT;
	digits = line + strlen(key) + strspn(line + strlen(key), " \t");
	return num_parse(digits, strspn(digits, "0123456789"), kib);
}

int peak_kib(uint64_t *kib)
{
	char status[STATUS_MAX];
	cleanup_fd int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, status, sizeof(status) - 1);

	if (n < 0)
		return -errno;
	status[n] = '\0';
	return peak_parse(status, kib);
}

/* proc(5), clear_refs */
#define FORGET_PEAK "5"

int peak_forget(void)
{
	cleanup_fd int fd = -1;

	malloc_trim(0);
	fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, FORGET_PEAK, strlen(FORGET_PEAK)) < 0 ? -errno : 0;
}
