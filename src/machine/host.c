/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#	include <cpuid.h>
#endif

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/host.h"
#include "machine/perf_tables.h"
#include "machine/pmu.h"

int host_paranoid(const struct machine *m, int *level)
{
	return machine_read_int(m, level, "/proc/sys/kernel/perf_event_paranoid");
}

bool host_knows_capability(const struct machine *m, int capability)
{
	int last;

	return machine_read_int(m, &last, "/proc/sys/kernel/cap_last_cap") < 0 ||
	       last >= capability;
}

int host_aslr(const struct machine *m, int *level)
{
	return machine_read_int(m, level, "/proc/sys/kernel/randomize_va_space");
}

bool host_nmi_watchdog(const struct machine *m)
{
	int on;

	if (machine_read_int(m, &on, "/proc/sys/kernel/nmi_watchdog") < 0 || on == 0)
		return false;
	return machine_has(m, "/sys/bus/event_source/devices/cpu/type") ||
	       machine_has(m, "/sys/bus/event_source/devices/cpu_core/type");
}

/* The manufacturer in the DMI tables, or the compatible string of an arm64 device tree. */
static const char *host_manufacturer_of(const struct machine *m)
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

const char *host_virtualization(const struct machine *m)
{
	cleanup_free char *cpuinfo = NULL;
	bool flag =
		machine_read(m, &cpuinfo, "/proc/cpuinfo") == 0 && strstr(cpuinfo, " hypervisor");
	bool guest = flag || machine_has(m, "/sys/hypervisor/type");
	const char *maker = host_manufacturer_of(m);

	/* A bare-metal cloud machine has the name of the manufacturer, but no hypervisor. */
	if (maker && (guest || strstr(maker, "QEMU")))
		return maker;
	if (guest)
		return "a virtual machine";
	if (machine_has(m, "/.dockerenv") || machine_has(m, "/run/.containerenv"))
		return "a container";
	return NULL;
}

#define CPUFREQ "/sys/devices/system/cpu/cpufreq"
#define BLANKS " \t"

/*
 * A copy of the value in a line "KEY : VALUE", without white space around it. NULL if the line has
 * another key or no value.
 */
static char *host_copy_value(const char *line, const char *key)
{
	size_t n = strlen(key);

	if (strncmp(line, key, n) != 0)
		return NULL;
	line += n;
	line += strspn(line, BLANKS);
	if (*line != ':')
		return NULL;
	line++;
	line += strspn(line, BLANKS);
	n = strcspn(line, "\n");
	while (n > 0 && strchr(BLANKS, line[n - 1]))
		n--;
	return n ? strndup(line, n) : NULL;
}

static const char *host_next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : NULL;
}

/* arm64: for each CPU, the line of the implementer precedes the line of the part. */
static char *host_arm_model(const char *text)
{
	cleanup_free char *implementer = NULL;
	cleanup_str_list struct str_list seen = { 0 };
	cleanup_str struct str model = { 0 };

	for (const char *line = text; line; line = host_next_line(line)) {
		char *maker = host_copy_value(line, "CPU implementer");
		cleanup_free char *part = host_copy_value(line, "CPU part");
		cleanup_str struct str name = { 0 };

		if (maker) {
			free(implementer);
			implementer = maker;
		}
		if (!part || !implementer)
			continue;
		str_addf(&name, "implementer %s part %s", implementer, part);
		if (str_list_has(&seen, str_text(&name)))
			continue;
		str_add_listed(&model, str_text(&name));
		if (str_list_add(&seen, str_text(&name)) < 0)
			return NULL;
	}
	return model.failed ? NULL : take_ptr(model.text);
}

/* s390: "processor 0: version = FF,  identification = 0A1B2C,  machine = 8561" */
static char *host_s390_model(const char *text)
{
	const char *type = strstr(text, " machine = ");
	char *model;

	if (!type || !strstr(text, "IBM/S390"))
		return NULL;
	type += strlen(" machine = ");
	return asprintf(&model, "IBM/S390 machine %.*s", (int)strcspn(type, ",\n"), type) < 0 ?
		       NULL :
		       model;
}

int host_cpu_model(const struct machine *m, char **model)
{
	static const char *const keys[] = { "model name", "cpu model", "cpu", "uarch" };
	cleanup_free char *text = NULL;
	int err = machine_read(m, &text, "/proc/cpuinfo");

	*model = NULL;
	if (err < 0)
		return err;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		for (const char *line = text; line && !*model; line = host_next_line(line))
			*model = host_copy_value(line, keys[i]);
	if (!*model)
		*model = host_arm_model(text);
	if (!*model)
		*model = host_s390_model(text);
	return *model ? 0 : -ENOENT;
}

/* The first value of a key in /proc/cpuinfo. */
static char *host_first_value(const char *text, const char *key)
{
	char *value = NULL;

	for (const char *line = text; line && !value; line = host_next_line(line))
		value = host_copy_value(line, key);
	return value;
}

char *host_cpu_id(const struct machine *m)
{
	cleanup_free char *text = NULL, *vendor = NULL, *family = NULL, *model = NULL;
	cleanup_free char *stepping = NULL;
	char *id = NULL;

	if (machine_read(m, &text, HOST_MIDR) == 0) /* without the variant and the revision */
		return asprintf(&id, "0x%016llx", strtoull(text, NULL, 16) & ~0xf0000fULL) < 0 ?
			       NULL :
			       id;
	if (machine_read(m, &text, "/proc/cpuinfo") < 0)
		return NULL;
	vendor = host_first_value(text, "vendor_id");
	family = host_first_value(text, "cpu family");
	model = host_first_value(text, "model");
	stepping = host_first_value(text, "stepping");
	if (!vendor || !family || !model || !stepping ||
	    asprintf(&id, "%s-%d-%X-%X", vendor, atoi(family), (unsigned int)atoi(model),
		     (unsigned int)atoi(stepping)) < 0)
		return NULL;
	return id;
}

void host_complete_tables(const struct machine *m)
{
	cleanup_free char *cpu = m->tables->complete ? NULL : host_cpu_id(m);
	cleanup_why struct why why = { 0 };
	int err = cpu ? perf_tables_complete(m->tables, cpu, &why) : 0;

	if (err < 0) /* what does not need the tables works without them */
		m->tables->trouble = strdup(why_text(&why, err));
}

bool host_suits_object(const struct machine *m, const struct perf_object *object)
{
	const char *compat = perf_tables_member(m->tables, object, "Compat");
	cleanup_str_list struct str_list pmus = { 0 };
	cleanup_free char *name = NULL;
	bool found = false;

	if (!compat)
		return true;
	if (perf_tables_pmu(m->tables, object, &name) < 0 || pmu_list(m, &pmus) < 0)
		return false;
	for (size_t i = 0; i < pmus.n && !found; i++)
		found = (!name || pmu_matches(pmus.v[i], name)) &&
			pmu_has_identifier(m, pmus.v[i], compat);
	return found;
}

double host_tsc_hz(const struct machine *m)
{
	cleanup_free char *model = NULL;
	const char *at;

#if defined(__x86_64__) || defined(__i386__)
	unsigned int a, b, c, d;

	if (machine_is_here(m) && __get_cpuid(0x15, &a, &b, &c, &d) && a && b && c)
		return (double)c * b / a;
#endif
	if (host_cpu_model(m, &model) < 0)
		return 0;
	at = strstr(model, "@ ");
	return at && strstr(at, "GHz") ? strtod(at + 2, NULL) * 1e9 : 0;
}

int host_cpu_governors(const struct machine *m, struct str_list *list)
{
	cleanup_str_list struct str_list policies = { 0 };
	int err = machine_list(m, &policies, CPUFREQ);

	for (size_t i = 0; err == 0 && i < policies.n; i++) {
		cleanup_free char *governor = NULL;

		if (machine_read(m, &governor, CPUFREQ "/%s/scaling_governor", policies.v[i]) ==
			    0 &&
		    !str_list_has(list, governor))
			err = str_list_add(list, governor);
	}
	return err == -ENOMEM ? err : 0;
}

int host_cpu_turbo(const struct machine *m, bool *on)
{
	int value;

	if (machine_read_int(m, &value, "/sys/devices/system/cpu/intel_pstate/no_turbo") == 0) {
		*on = value == 0;
		return 0;
	}
	if (machine_read_int(m, &value, CPUFREQ "/boost") == 0) {
		*on = value != 0;
		return 0;
	}
	return -ENOENT;
}
