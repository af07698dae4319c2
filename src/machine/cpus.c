/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "machine/cpus.h"

static int count_here(int what, struct cpulist *list)
{
	char all[32];
	long n = sysconf(what);

	if (n < 1)
		return -ENOENT;
	snprintf(all, sizeof(all), "0-%ld", n - 1);
	return cpulist_parse(list, all);
}

/* count: what sysconf() counts where the file is missing. */
static int read_cpus(const struct machine *m, const char *name, int count, struct cpulist *list)
{
	cleanup_free char *text = NULL;
	int err = machine_read(m, &text, "/sys/devices/system/cpu/%s", name);

	if (err == -ENOENT && machine_is_here(m))
		return count_here(count, list);
	return err < 0 ? err : cpulist_parse(list, text);
}

int cpus_online(const struct machine *m, struct cpulist *list)
{
	return read_cpus(m, "online", _SC_NPROCESSORS_ONLN, list);
}

int cpus_present(const struct machine *m, struct cpulist *list)
{
	return read_cpus(m, "present", _SC_NPROCESSORS_CONF, list);
}
