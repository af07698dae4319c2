/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "machine/pmu.h"

/* Whether name can be an entry of a folder, and not a path that leads elsewhere. */
static bool pmu_is_entry_name(const char *name)
{
	return name[0] != '\0' && name[0] != '.' && !strchr(name, '/');
}

static int pmu_parse_word(const char **p, unsigned int *word)
{
	const char *s = *p;

	if (strncmp(s, "config", 6) != 0)
		return -EINVAL;
	s += 6;
	*word = 0;
	if (*s >= '1' && *s < '0' + PMU_CONFIG_WORDS)
		*word = (unsigned int)(*s++ - '0');
	if (*s++ != ':')
		return -EINVAL;
	*p = s;
	return 0;
}

static int pmu_parse_bit(const char **p, unsigned int *bit)
{
	size_t n = strspn(*p, "0123456789");
	uint64_t value;

	if (num_parse(*p, n, &value) < 0 || value > 63)
		return -EINVAL;
	*bit = (unsigned int)value;
	*p += n;
	return 0;
}

static int pmu_format_add_range(struct pmu_format *format, unsigned int low, unsigned int high)
{
	if (high < low || format->width + (high - low + 1) > 64)
		return -EINVAL;
	for (unsigned int bit = low; bit <= high; bit++) {
		if (memchr(format->bit, (int)bit, format->width))
			return -EINVAL; /* two bits of the value for the same bit of the word */
		format->bit[format->width++] = (uint8_t)bit;
	}
	return 0;
}

/* Parse the content of a format/ file, "config1:1,6-10,44". 0 or -EINVAL. */
static int pmu_format_parse(const char *text, struct pmu_format *format)
{
	unsigned int low, high;

	*format = (struct pmu_format){ 0 };
	if (pmu_parse_word(&text, &format->word) < 0)
		return -EINVAL;
	for (;;) {
		if (pmu_parse_bit(&text, &low) < 0)
			return -EINVAL;
		high = low;
		if (*text == '-') {
			text++;
			if (pmu_parse_bit(&text, &high) < 0)
				return -EINVAL;
		}
		if (pmu_format_add_range(format, low, high) < 0)
			return -EINVAL;
		if (*text == '\0')
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

int pmu_format_fill(const struct pmu_format *format, uint64_t value,
		    uint64_t words[PMU_CONFIG_WORDS])
{
	uint64_t *word = &words[format->word];

	if (format->width < 64 && value >> format->width)
		return -ERANGE;
	for (unsigned int i = 0; i < format->width; i++)
		*word |= (value >> i & 1) << format->bit[i];
	return 0;
}

int pmu_type(const struct machine *m, const char *pmu, uint32_t *type)
{
	int value = 0;
	int err = -ENOENT;

	if (pmu_is_entry_name(pmu))
		err = machine_read_int(m, &value, PMU_DEVICES "/%s/type", pmu);
	if (err == 0)
		*type = (uint32_t)value;
	return err == -ENOTDIR ? -ENOENT : err;
}

int pmu_format(const struct machine *m, const char *pmu, const char *term,
	       struct pmu_format *format)
{
	cleanup_free char *text = NULL;
	int err = -ENOENT;

	if (pmu_is_entry_name(term))
		err = machine_read(m, &text, PMU_DEVICES "/%s/format/%s", pmu, term);
	return err < 0 ? err : pmu_format_parse(text, format);
}

int pmu_cpus(const struct machine *m, const char *pmu, char **cpus)
{
	return machine_read(m, cpus, PMU_DEVICES "/%s/cpus", pmu);
}

int pmu_list(const struct machine *m, struct str_list *list)
{
	return machine_list(m, list, PMU_DEVICES);
}

/*
 * A core PMU of a hybrid or an arm64 machine lists its CPUs in a file `cpus`. Otherwise, it
 * has one of these fixed names (arch/<arch>/ in the kernel). An uncore PMU has `cpumask` instead.
 */
bool pmu_is_core(const struct machine *m, const char *pmu)
{
	return strcmp(pmu, "cpu") == 0 || strcmp(pmu, "cpum_cf") == 0 ||
	       machine_has(m, PMU_DEVICES "/%s/cpus", pmu);
}

/* Whether the kernel of the machine is at least this version. False if it is unknown. */
static bool pmu_is_since(const struct machine *m, unsigned int major, unsigned int minor)
{
	cleanup_free char *release = NULL;
	unsigned int found[2];

	return machine_read(m, &release, "/proc/sys/kernel/osrelease") == 0 &&
	       sscanf(release, "%u.%u", &found[0], &found[1]) == 2 &&
	       (found[0] > major || (found[0] == major && found[1] >= minor));
}

/*
 * The PMUs of Arm's cores are named after them: armv8_cortex_a53, apple_icestorm_pmu (arm_pmu in
 * the kernel). They accept generic events for one kind of core since Linux 6.6 (commit
 * 5c816728651a); an older kernel with that commit is treated as one without it. 0 or -ENOMEM.
 */
static int pmu_add_arm_cores(const struct machine *m, struct str_list *list)
{
	cleanup_str_list struct str_list pmus = { 0 };
	int err = pmu_list(m, &pmus);

	for (size_t i = 0; i < pmus.n; i++) {
		const char *name = pmus.v[i];

		if ((strncmp(name, "armv", 4) == 0 || strncmp(name, "apple_", 6) == 0) &&
		    pmu_is_core(m, name) && str_list_add(list, name) < 0)
			return -ENOMEM;
	}
	if (list->n > 1 && !pmu_is_since(m, 6, 6))
		str_list_release(list);
	return err == -ENOMEM ? err : 0;
}

/* Only Intel has PMUs of these names (arch/x86/events/intel/core.c). If all cores of an x86 or
 * POWER machine are alike, their PMU is named "cpu". This is checked first, because it is quick. */
int pmu_hybrid(const struct machine *m, struct str_list *list)
{
	static const char *const names[] = { "cpu_core", "cpu_atom", "cpu_lowpower" };
	int err = 0;

	if (machine_has(m, PMU_DEVICES "/cpu/type"))
		return 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (machine_has(m, PMU_DEVICES "/%s/type", names[i]) &&
		    str_list_add(list, names[i]) < 0)
			return -ENOMEM;
	if (list->n == 0)
		err = pmu_add_arm_cores(m, list);
	if (list->n == 1)
		str_list_release(list); /* only one kind of core exists, or is enabled */
	return err;
}

int pmu_find_kinds(const struct machine *m, struct pmu_kinds *kinds)
{
	cleanup_str_list struct str_list pmus = { 0 };
	int err = pmu_hybrid(m, &pmus);

	*kinds = (struct pmu_kinds){ .n = 0 };
	for (size_t i = 0; i < pmus.n && kinds->n < PMU_KINDS_MAX; i++)
		kinds->n += pmu_type(m, pmus.v[i], &kinds->types[kinds->n]) == 0;
	return err;
}

int pmu_any_core(const struct machine *m)
{
	cleanup_str_list struct str_list pmus = { 0 };
	int err = pmu_list(m, &pmus);

	if (err < 0)
		return err == -ENOENT ? 0 : err;
	for (size_t i = 0; i < pmus.n; i++)
		if (pmu_is_core(m, pmus.v[i]))
			return 1;
	return 0;
}

/*
 * Whether the rest of pmu after n bytes is empty or the number of an instance, with or without '_'.
 * If the first n bytes end inside a number, the rest is not the number of an instance.
 */
static bool pmu_is_instance(const char *pmu, size_t n)
{
	const char *text = pmu + n;

	if (n > 0 && *text && strchr("0123456789", pmu[n - 1]) && *text != '_')
		return false;
	text += *text == '_';
	return text[strspn(text, "0123456789")] == '\0';
}

bool pmu_matches(const char *pmu, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(pmu, "uncore_", 7) == 0 && strncmp(name, "uncore_", 7) != 0 &&
	    pmu_matches(pmu + 7, name))
		return true;
	if (!strpbrk(name, "*?["))
		return strncmp(pmu, name, n) == 0 && pmu_is_instance(pmu, n);
	return fnmatch(name, pmu, 0) == 0;
}

bool pmu_has_identifier(const struct machine *m, const char *pmu, const char *compat)
{
	cleanup_free char *identifier = NULL;

	return !compat || (machine_read(m, &identifier, PMU_DEVICES "/%s/identifier", pmu) == 0 &&
			   str_matches(identifier, compat));
}
