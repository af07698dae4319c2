/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "machine/limits.h"

int machine_paranoid(const struct machine *m, int *level)
{
	return machine_read_int(m, level, "/proc/sys/kernel/perf_event_paranoid");
}

int machine_aslr(const struct machine *m, int *level)
{
	return machine_read_int(m, level, "/proc/sys/kernel/randomize_va_space");
}

bool machine_knows_capability(const struct machine *m, int capability)
{
	int last;

	return machine_read_int(m, &last, "/proc/sys/kernel/cap_last_cap") < 0 ||
	       last >= capability;
}

bool machine_nmi_watchdog(const struct machine *m)
{
	int on;

	return machine_read_int(m, &on, "/proc/sys/kernel/nmi_watchdog") == 0 && on != 0;
}

/* The maker named in the DMI tables, or an arm64 device tree's compatible string. */
static const char *machine_maker(const struct machine *m)
{
	static const struct {
		const char *part;
		const char *text;
	} makers[] = {
		{ "QEMU", "a virtual machine (QEMU/KVM)" },
		{ "dummy-virt", "a virtual machine (QEMU/KVM)" },
		{ "KVM", "a virtual machine (KVM)" },
		{ "Amazon", "a virtual machine (Amazon EC2)" },
		{ "Google", "a virtual machine (Google Compute Engine)" },
		{ "Microsoft", "a virtual machine (Hyper-V)" },
		{ "VMware", "a virtual machine (VMware)" },
		{ "innotek", "a virtual machine (VirtualBox)" },
		{ "Xen", "a virtual machine (Xen)" },
	};
	cleanup_free char *vendor = NULL;

	if (machine_read(m, &vendor, "/sys/class/dmi/id/sys_vendor") < 0 &&
	    machine_read(m, &vendor, "/proc/device-tree/compatible") < 0)
		return NULL;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (strstr(vendor, makers[i].part))
			return makers[i].text;
	return NULL;
}

static bool has_hypervisor_flag(const struct machine *m)
{
	cleanup_free char *cpuinfo = NULL;

	return machine_read(m, &cpuinfo, "/proc/cpuinfo") == 0 && strstr(cpuinfo, " hypervisor");
}

const char *machine_virtualization(const struct machine *m)
{
	bool guest = has_hypervisor_flag(m) || machine_has(m, "/sys/hypervisor/type");
	const char *maker = machine_maker(m);

	/* A bare-metal cloud machine has the maker's name, and no hypervisor. */
	if (maker && (guest || strstr(maker, "QEMU")))
		return maker;
	if (guest)
		return "a virtual machine";
	if (machine_has(m, "/.dockerenv") || machine_has(m, "/run/.containerenv"))
		return "a container";
	return NULL;
}
